//! The folder of another hospital: its facts, mark and colours replace those that are built into page modules.

mod colours;
mod facts;

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;

use super::statics::StaticFile;
use crate::error::PagesError;
use colours::Colours;
use facts::Facts;

/// Short name, mark and colours.
const LOOK_FILE: &str = "look.toml";
/// The hospital's profile, which belongs to svc-content.
const SITE_FILE: &str = "content/site.toml";
/// Icons and the share image, in `root/`. With the mark and the manifest, these replace all root files of the shell
/// that show a hospital.
const PICTURES: [&str; 5] = [
    "favicon.ico",
    "favicon-32.png",
    "apple-touch-icon.png",
    "icon-512.png",
    "share.png",
];
const ICON: &str = "/favicon.svg";
const MANIFEST: &str = "/site.webmanifest";
/// The mark is part of every document.
const MARK_BYTES_MAX: usize = 4096;
const PICTURE_BYTES_MAX: usize = 512 * 1024;
const SHORT_NAME_CHARACTERS_MAX: usize = 20;

/// What documents take from the folder.
#[derive(Debug)]
pub(crate) struct Hospital {
    /// JSON body of `/site`, for pages while the content is not available.
    pub(crate) site: String,
    pub(crate) emergency_phone: String,
    /// Style sheet that overrides the shell's colours and mark.
    pub(crate) style: Arc<str>,
    /// Icon and theme colour for the document's head, as JSON text.
    pub(crate) look: String,
    files: HashMap<String, StaticFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookFile {
    short_name: String,
    /// File name of the mark, an SVG in the same folder.
    mark: PathBuf,
    colours: Colours,
}

impl Hospital {
    /// Reads and checks the folder. Any error names the file, and the field if there is one.
    pub(crate) fn read(folder: &Path) -> Result<Self, PagesError> {
        let look_path = folder.join(LOOK_FILE);
        let look: LookFile = parse(&look_path)?;
        let invalid =
            |field: &str, problem: String| PagesError::invalid(look_path.clone(), field, problem);
        let length = look.short_name.chars().count();
        if !(1..=SHORT_NAME_CHARACTERS_MAX).contains(&length) {
            let problem = format!("must have 1 to {SHORT_NAME_CHARACTERS_MAX} characters");
            return Err(invalid("short_name", problem));
        }
        look.colours
            .check()
            .map_err(|(field, problem)| invalid(&format!("colours.{field}"), problem))?;
        let facts = Facts::read(&folder.join(SITE_FILE))?;
        let mark_path = folder.join(&look.mark);
        let mark = bytes(&mark_path, MARK_BYTES_MAX)?;
        if !mark.starts_with(b"<svg") {
            let problem = "must be an SVG that begins with `<svg`".to_owned();
            return Err(PagesError::invalid(mark_path, "", problem));
        }
        let file = |name: &str, bytes: Vec<u8>| {
            let file = StaticFile::new(name, Bytes::from(bytes), None, None);
            (name.to_owned(), file)
        };
        let mut files = HashMap::new();
        for name in PICTURES {
            let picture = bytes(&folder.join("root").join(name), PICTURE_BYTES_MAX)?;
            files.extend([file(&format!("/{name}"), picture)]);
        }
        let manifest = manifest(&facts, &look);
        let style = format!(
            "{}{}{NO_STREET}",
            look.colours.style(),
            style_of_mark(&STANDARD.encode(&mark))
        );
        files.extend([file(ICON, mark), file(MANIFEST, manifest.into_bytes())]);
        Ok(Self {
            site: facts.site,
            emergency_phone: facts.emergency_phone,
            style: style.into(),
            look: json!({"icon": ICON, "theme": look.colours.theme()}).to_string(),
            files,
        })
    }

    /// Finds the file that replaces one of the shell at the site's root.
    pub(crate) fn file(&self, path: &str) -> Option<&StaticFile> {
        self.files.get(path)
    }
}

/// Leaves out the drawings of the built-in hospital's street, which have its mark.
const NO_STREET: &str = "img[src*=\"/street\"]{display:none}";

/// Shows the mark in place of the shell's drawing. An SVG as a background runs no scripts and loads nothing.
fn style_of_mark(base64: &str) -> String {
    format!(
        "svg[data-mark]{{background:url(data:image/svg+xml;base64,{base64}) center/contain no-repeat}}\
         svg[data-mark]>*{{display:none}}"
    )
}

fn manifest(facts: &Facts, look: &LookFile) -> String {
    json!({
        "name": facts.name,
        "short_name": look.short_name,
        "description": facts.tagline,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "browser",
        "lang": "en-IN",
        "background_color": look.colours.background(),
        "theme_color": look.colours.theme(),
        "icons": [
            { "src": ICON, "type": "image/svg+xml", "sizes": "any" },
            { "src": "/favicon-32.png", "type": "image/png", "sizes": "32x32" },
            { "src": "/apple-touch-icon.png", "type": "image/png", "sizes": "180x180" },
            { "src": "/icon-512.png", "type": "image/png", "sizes": "512x512", "purpose": "any maskable" },
        ],
    })
    .to_string()
}

fn bytes(path: &Path, bytes_max: usize) -> Result<Vec<u8>, PagesError> {
    let read = fs::read(path).map_err(|source| PagesError::Read {
        path: path.to_owned(),
        source,
    })?;
    if read.len() > bytes_max {
        let problem = format!("must have at most {bytes_max} bytes");
        return Err(PagesError::invalid(path.to_owned(), "", problem));
    }
    Ok(read)
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, PagesError> {
    let text = fs::read_to_string(path).map_err(|source| PagesError::Read {
        path: path.to_owned(),
        source,
    })?;
    let invalid =
        |field: &str, problem: String| PagesError::invalid(path.to_owned(), field, problem);
    let file = toml::Deserializer::parse(&text)
        .map_err(|error| invalid("", error.message().to_owned()))?;
    serde_path_to_error::deserialize(file).map_err(|error| {
        invalid(
            &error.path().to_string(),
            error.inner().message().to_owned(),
        )
    })
}

#[cfg(test)]
mod tests;
