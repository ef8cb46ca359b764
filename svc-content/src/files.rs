//! Reads the content files. Any error is reported with file, line and field, and prevents start-up.

pub(crate) mod care;
pub(crate) mod notices;
pub(crate) mod pages;
pub(crate) mod people;
pub(crate) mod posts;
pub(crate) mod search;
pub(crate) mod site;
pub(crate) mod surgeries;

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Display,
    fs::File,
    hash::Hash,
    io::{self, Read as _},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use serde::de::DeserializeOwned;
use service_kit::language::{CATALOGUE_BYTES_MAX, Language, embedded_catalogues};
use sha2::{Digest, Sha256};
use toml::Spanned;

/// Declares the files and embeds their texts.
macro_rules! content_files {
    ($($name:ident = $file:literal),+ $(,)?) => {
        $(pub(crate) const $name: &str = $file;)+
        const EMBEDDED: &[(&str, &str)] = &[$(($file, include_str!(concat!("../content/", $file)))),+];
    };
}

content_files! {
    SITE_FILE = "site.toml",
    DOCTORS_FILE = "doctors.toml",
    DEPARTMENTS_FILE = "departments.toml",
    SERVICES_FILE = "services.toml",
    SPECIALTIES_FILE = "specialties.toml",
    SURGERIES_FILE = "surgeries.toml",
    EVENTS_FILE = "events.toml",
    REVIEWS_FILE = "reviews.toml",
    ARTICLES_FILE = "articles.toml",
    BLOGS_FILE = "blogs.toml",
    NEWS_FILE = "news.toml",
    PROMOS_FILE = "promos.toml",
    HEADLINES_FILE = "headlines.toml",
    PAGES_FILE = "pages.toml",
    SEARCH_FILE = "search.toml",
}

const EMBEDDED_CATALOGUES: [&str; Language::ALL.len()] = embedded_catalogues!("../content");

/// Reason why the content cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error("cannot read {}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{file}, line {line}, {field}: {problem}")]
    Broken {
        file: &'static str,
        /// Line number, from 1.
        line: usize,
        /// Path of the field, for example `doctor[2].slug`; `.` for the whole file.
        field: String,
        problem: String,
    },
}

/// The texts of all files. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sources(BTreeMap<&'static str, Arc<str>>);

impl Sources {
    /// Returns the texts compiled into the program.
    pub fn embedded() -> Self {
        let catalogues = Language::ALL.map(Language::file).into_iter();
        let catalogues = catalogues.zip(EMBEDDED_CATALOGUES);
        let texts = EMBEDDED.iter().copied().chain(catalogues);
        Self(texts.map(|(file, text)| (file, Arc::from(text))).collect())
    }

    /// Reads the texts from a folder, which must have all files but the catalogues. Without its catalogue, a language is
    /// served in English.
    pub fn read(folder: &Path) -> Result<Self, ContentError> {
        let read = |file: &'static str| {
            let path = folder.join(file);
            match std::fs::read_to_string(&path) {
                Ok(text) => Ok((file, Arc::from(text))),
                Err(source) => Err(ContentError::Unreadable { path, source }),
            }
        };
        let texts: Result<_, _> = EMBEDDED.iter().map(|(file, _)| read(file)).collect();
        let mut texts: BTreeMap<_, _> = texts?;
        for file in Language::ALL.map(Language::file) {
            if let Some(text) = read_catalogue(&folder.join(file))? {
                texts.insert(file, text.into());
            }
        }
        Ok(Self(texts))
    }

    /// Returns the file names and texts, in name order.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(file, text)| (*file, &**text))
    }

    /// Returns the text of a file; empty if the name is unknown.
    pub fn text(&self, file: &str) -> &str {
        self.0.get(file).map_or("", |text| text)
    }

    /// Replaces the text of one file. Has no effect if the name is unknown.
    #[must_use]
    pub fn with(mut self, file: &str, text: String) -> Self {
        if let Some(own) = self.0.get_mut(file) {
            *own = text.into();
        }
        self
    }

    /// Returns the SHA-256 of all texts in base64. Equal content has an equal revision, regardless of its source.
    pub(crate) fn revision(&self) -> String {
        let mut hash = Sha256::new();
        for text in self.0.values() {
            hash.update(Sha256::digest(text.as_bytes()));
        }
        BASE64.encode(hash.finalize())
    }

    /// Returns a file for validation.
    fn examined(&self, file: &'static str) -> Examined<'_> {
        Examined {
            file,
            text: self.text(file),
        }
    }
}

/// Reads a catalogue; `None` if the file is absent. Reads at most one byte more than the limit.
fn read_catalogue(path: &Path) -> Result<Option<String>, ContentError> {
    let mut text = String::new();
    let limit = u64::try_from(CATALOGUE_BYTES_MAX).unwrap_or(u64::MAX);
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(Some(text)),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ContentError::Unreadable {
            path: path.to_owned(),
            source,
        }),
    }
}

/// A file being validated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Examined<'a> {
    file: &'static str,
    text: &'a str,
}

impl Examined<'_> {
    fn broken(
        &self,
        span: Option<Range<usize>>,
        field: String,
        problem: impl Into<String>,
    ) -> ContentError {
        let before = span
            .and_then(|span| self.text.get(..span.start))
            .unwrap_or_default();
        ContentError::Broken {
            file: self.file,
            line: before.matches('\n').count() + 1,
            field,
            problem: problem.into(),
        }
    }

    /// Returns an error at the position of `value` in the file.
    fn broken_at<T>(
        &self,
        value: &Spanned<T>,
        field: String,
        problem: impl Into<String>,
    ) -> ContentError {
        self.broken(Some(value.span()), field, problem)
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, ContentError> {
        let deserializer = toml::Deserializer::parse(self.text)
            .map_err(|error| self.broken(error.span(), ".".to_owned(), error.message()))?;
        serde_path_to_error::deserialize(deserializer).map_err(|error| {
            self.broken(
                error.inner().span(),
                field_of(&error.path().to_string()),
                error.inner().message(),
            )
        })
    }

    fn unique<'a, T: Eq + Hash + Display + 'a>(
        &self,
        table: &str,
        field: &str,
        values: impl Iterator<Item = &'a Spanned<T>>,
    ) -> Result<(), ContentError> {
        let mut seen = HashSet::new();
        for (index, value) in values.enumerate() {
            if !seen.insert(value.get_ref()) {
                let problem = format!("`{}` occurs twice", value.get_ref());
                return Err(self.broken(
                    Some(value.span()),
                    format!("{table}[{index}].{field}"),
                    problem,
                ));
            }
        }
        Ok(())
    }

    fn complete<'a, T: Eq + Hash + Display + Copy + 'static>(
        &self,
        table: &str,
        all: &[T],
        values: impl Iterator<Item = &'a Spanned<T>> + Clone,
    ) -> Result<(), ContentError> {
        self.unique(table, "purpose", values.clone())?;
        let present: HashSet<_> = values.map(|value| *value.get_ref()).collect();
        match all.iter().find(|purpose| !present.contains(purpose)) {
            None => Ok(()),
            Some(missing) => Err(self.broken(
                None,
                table.to_owned(),
                format!("nothing has the purpose `{missing}`"),
            )),
        }
    }
}

/// Strips what [`Spanned`] adds to a path.
fn field_of(path: &str) -> String {
    let own = path.split(".$__serde_spanned").next();
    own.unwrap_or_default().to_owned()
}

/// Converts validated values to strings.
pub(crate) fn texts<T>(values: Vec<T>) -> Vec<String>
where
    String: From<T>,
{
    values.into_iter().map(String::from).collect()
}

/// Converts a value to a string; empty if there is none.
pub(crate) fn or_empty<T>(value: Option<T>) -> String
where
    String: From<T>,
{
    value.map(String::from).unwrap_or_default()
}

#[cfg(test)]
mod tests;
