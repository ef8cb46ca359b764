//! One published folder, validated and held in memory.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::{
    contract,
    folder::{self, JSON_BYTES_MAX},
    integrity::{MANIFEST, Manifest, SIGNATURE, Trust},
    manifest::{FederationManifest, ModuleFile, parse_json},
    program::Program,
    statics::StaticFile,
    tally::Tally,
};
use crate::error::PagesError;
use xxhash_rust::xxh3::xxh3_64;

pub(crate) const MODULE_JSON: &str = "module.json";
pub(crate) const SERVER_JS: &str = "server.js";
/// Length of a version in document tokens.
pub(crate) const MARK_BYTES: usize = 4;
const FEDERATION_JSON: &str = "mf-manifest.json";

/// A version of a team's page modules, or of the shell.
#[derive(Debug)]
pub(crate) struct Remote {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) file: ModuleFile,
    pub(crate) program: Arc<Program>,
    pub(crate) federation: Option<Federation>,
    pub(crate) tally: Tally,
    /// Identifies the version in document tokens.
    pub(crate) mark: [u8; MARK_BYTES],
    /// [`Trust::edition`] when its signature was checked.
    pub(crate) trusted_in: u64,
    files: BTreeMap<String, Arc<StaticFile>>,
    texts: HashMap<String, Arc<str>>,
}

/// URLs that the browser's federation runtime requests.
#[derive(Debug)]
pub(crate) struct Federation {
    pub(crate) entry: String,
    /// `./appointment` → URLs of its chunks.
    pub(crate) chunks: HashMap<String, Vec<String>>,
}

/// Returns the short hash that identifies a version in tokens.
fn mark(name: &str, version: &str) -> [u8; MARK_BYTES] {
    let hash = xxh3_64(format!("{name}@{version}").as_bytes()).to_be_bytes();
    [hash[0], hash[1], hash[2], hash[3]]
}

impl Remote {
    /// Reads `<folder>/<name>/<version>`. `digest` is the digest of its integrity manifest from the pointer. Blocks.
    pub(crate) fn read(
        folder: &Path,
        name: &str,
        version: &str,
        digest: Option<&str>,
        trust: &Trust,
    ) -> Result<Self, PagesError> {
        let trusted_in = trust.edition();
        let (folder, contents) = trusted(folder, name, version, digest, trust)?;
        let found = Self::from_files(&folder, contents)?;
        check_place(&found.file, &folder, name, version)?;
        Ok(Self {
            trusted_in,
            ..found
        })
    }

    /// Reads only `module.json` and the manifest of `<folder>/<name>/<version>`: enough to recognise reports of its
    /// pages and scripts. Without a manifest, its scripts are unknown. Blocks.
    pub(crate) fn read_names(
        folder: &Path,
        name: &str,
        version: &str,
        digest: Option<&str>,
        trust: &Trust,
    ) -> Result<Self, PagesError> {
        let trusted_in = trust.edition();
        let folder = folder.join(checked(name)?).join(checked(version)?);
        let mut contents = BTreeMap::new();
        for file in [MODULE_JSON, MANIFEST, SIGNATURE] {
            let path = folder.join(file);
            match folder::read_file(&path, JSON_BYTES_MAX) {
                Ok(Some(bytes)) => drop(contents.insert(file.to_owned(), Bytes::from(bytes))),
                Ok(None) => {}
                Err(source) => return Err(PagesError::Read { path, source }),
            }
        }
        let read = |file: &str| contents.get(file).map(Bytes::as_ref);
        let manifest = trust.manifest(name, &folder, digest, read)?;
        let module_json = read(MODULE_JSON).unwrap_or_default();
        if manifest
            .as_ref()
            .is_some_and(|manifest| !manifest.has(MODULE_JSON, module_json))
        {
            return Err(PagesError::Integrity {
                path: folder.join(MODULE_JSON),
                problem: "does not match integrity.json".to_owned(),
            });
        }
        let file: ModuleFile = parse(&folder, MODULE_JSON, &contents)?;
        check_place(&file, &folder, name, version)?;
        let names = manifest.iter().flat_map(Manifest::files).map(str::to_owned);
        let empty = Arc::new(StaticFile::new("", Bytes::new(), None, None));
        let files = names.map(|name| (name, Arc::clone(&empty)));
        Ok(Self {
            name: name.to_owned(),
            version: version.to_owned(),
            file,
            program: Arc::new(Program::new(version.to_owned(), String::new())),
            federation: None,
            tally: Tally::default(),
            mark: mark(name, version),
            trusted_in,
            files: files.collect(),
            texts: HashMap::new(),
        })
    }

    /// Reads a built folder at any path. Name and version come from its `module.json`. Blocks.
    pub(crate) fn built(folder: &Path) -> Result<Self, PagesError> {
        Self::from_files(folder, folder::read(folder)?)
    }

    fn from_files(folder: &Path, contents: BTreeMap<String, Bytes>) -> Result<Self, PagesError> {
        let file: ModuleFile = parse(folder, MODULE_JSON, &contents)?;
        let invalid = |field: &str, problem: String| {
            PagesError::invalid(folder.join(MODULE_JSON), field, problem)
        };
        contract::check(file.contract).map_err(|problem| invalid("contract", problem))?;
        let (name, version) = (
            checked(&file.name)?.to_owned(),
            checked(&file.version)?.to_owned(),
        );
        let source = contents
            .get(SERVER_JS)
            .and_then(|bytes| String::from_utf8(bytes.to_vec()).ok())
            .ok_or_else(|| {
                PagesError::invalid(
                    folder.join(SERVER_JS),
                    "",
                    "is missing or not UTF-8".to_owned(),
                )
            })?;
        let program = Arc::new(Program::new(version.clone(), source));
        let address = format!("/remotes/{name}/{version}/");
        let federation = contents
            .contains_key(FEDERATION_JSON)
            .then(|| parse::<FederationManifest>(folder, FEDERATION_JSON, &contents))
            .transpose()?
            .map(|manifest| Federation::from_manifest(manifest, &address));

        let files = with_siblings(without_private(contents));
        let mut remote = Self {
            mark: mark(&name, &version),
            name,
            version,
            file,
            program,
            federation,
            tally: Tally::default(),
            trusted_in: 0,
            files,
            texts: HashMap::new(),
        };
        remote.check_federation(folder, &address)?;
        remote.texts = remote.read_texts(folder)?;
        Ok(remote)
    }

    /// Returns the URL path at which a file of this version is served.
    pub(crate) fn address(&self, file: &str) -> String {
        format!("/remotes/{}/{}/{file}", self.name, self.version)
    }

    pub(crate) fn static_file(&self, file: &str) -> Option<&Arc<StaticFile>> {
        self.files.get(file)
    }

    /// Returns whether it has a page module (`appointment`) or script with this name. Browsers report failures by
    /// either.
    pub(crate) fn has_module(&self, module: &str) -> bool {
        let mut scripts = self.files.keys().filter_map(|name| script_name(name));
        self.file.modules.contains_key(&format!("./{module}"))
            || scripts.any(|script| script == module)
    }

    /// Returns all public files by URL path.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = (String, Arc<StaticFile>)> {
        let public = self.files.iter().filter(|(name, _)| is_public(name));
        public.map(|(name, file)| (self.address(name), Arc::clone(file)))
    }

    /// Returns a style or script that documents include inline.
    pub(crate) fn text(&self, file: &str) -> Option<&Arc<str>> {
        self.texts.get(file)
    }

    fn read_texts(&self, folder: &Path) -> Result<HashMap<String, Arc<str>>, PagesError> {
        let styles = self.file.styles.iter().map(|name| ("styles", name));
        let bare = self.file.bare_styles.iter();
        let desk = self.file.desk_styles.iter();
        let languages = self.file.language_styles.values().flatten();
        let shell = styles
            .chain(bare.map(|name| ("bareStyles", name)))
            .chain(desk.map(|name| ("deskStyles", name)))
            .chain(languages.map(|name| ("languageStyles", name)));
        let shell = shell.map(|(field, name)| (field.to_owned(), name, "</style"));
        let modules = self.file.modules.iter().flat_map(|(module, entry)| {
            let styles = entry
                .styles
                .iter()
                .map(move |name| (format!("modules.{module}.styles"), name, "</style"));
            let scripts = entry
                .scripts
                .iter()
                .map(move |name| (format!("modules.{module}.scripts"), name, "</script"));
            styles.chain(scripts)
        });
        let mut texts = HashMap::new();
        let scripts = self.file.scripts.iter().map(|name| ("scripts", name));
        let desk = self.file.desk_scripts.iter();
        let scripts = scripts.chain(desk.map(|name| ("deskScripts", name)));
        let scripts = scripts.map(|(field, name)| (field.to_owned(), name, "</script"));
        let shell = shell.chain(scripts);
        for (field, name, end_tag) in shell.chain(modules) {
            let invalid = |problem| PagesError::invalid(folder.join(MODULE_JSON), &field, problem);
            let found = self.files.get(name).and_then(|file| file.text());
            let text = found.ok_or_else(|| invalid(format!("`{name}` is missing or not UTF-8")))?;
            if text.to_ascii_lowercase().contains(end_tag) {
                return Err(invalid(format!(
                    "`{name}` contains `{end_tag}`, so it cannot be inlined"
                )));
            }
            texts.entry(name.clone()).or_insert_with(|| Arc::from(text));
        }
        Ok(texts)
    }

    fn check_federation(&self, folder: &Path, address: &str) -> Result<(), PagesError> {
        let Some(federation) = &self.federation else {
            return Ok(());
        };
        let addresses = federation
            .chunks
            .values()
            .flatten()
            .chain([&federation.entry]);
        for wanted in addresses {
            let name = wanted.strip_prefix(address).unwrap_or(wanted);
            if !self.files.contains_key(name) {
                let problem = format!("names `{name}`, which is missing");
                return Err(PagesError::invalid(
                    folder.join(FEDERATION_JSON),
                    "exposes",
                    problem,
                ));
            }
        }
        Ok(())
    }
}

impl Federation {
    fn from_manifest(manifest: FederationManifest, address: &str) -> Self {
        let entry = manifest.meta_data.remote_entry;
        let expose = |expose: super::manifest::FederationExpose| {
            let chunks = expose
                .assets
                .js
                .sync
                .iter()
                .map(|chunk| format!("{address}{chunk}"));
            (expose.path, chunks.collect())
        };
        Self {
            entry: format!("{address}{}{}", entry.path, entry.name),
            chunks: manifest.exposes.into_iter().map(expose).collect(),
        }
    }
}

/// Checks that `module.json` states the name and the version of its folder.
fn check_place(
    file: &ModuleFile,
    folder: &Path,
    name: &str,
    version: &str,
) -> Result<(), PagesError> {
    for (field, stated, wanted) in [
        ("name", &file.name, name),
        ("version", &file.version, version),
    ] {
        if stated != wanted {
            let problem = format!("is `{stated}`, the folder is `{wanted}`");
            return Err(PagesError::invalid(
                folder.join(MODULE_JSON),
                field,
                problem,
            ));
        }
    }
    Ok(())
}

/// Reads the contents of `<folder>/<name>/<version>` if they are what was published and signed by the team. Blocks.
pub(crate) fn trusted(
    folder: &Path,
    name: &str,
    version: &str,
    digest: Option<&str>,
    trust: &Trust,
) -> Result<(PathBuf, BTreeMap<String, Bytes>), PagesError> {
    let folder = folder.join(checked(name)?).join(checked(version)?);
    let contents = folder::read(&folder)?;
    trust.check(name, &folder, digest, &contents)?;
    Ok((folder, contents))
}

/// Returns a script's name without its hash, as the shell reports it: without the federation prefix, and with hyphens
/// for underscores.
fn script_name(file: &str) -> Option<String> {
    let (name, _) = file.strip_suffix(".js")?.split_once('.')?;
    let name = name.strip_prefix("__federation_expose_").unwrap_or(name);
    Some(name.replace('_', "-"))
}

/// Returns whether browsers may request a file of a published folder.
pub(crate) fn is_public(name: &str) -> bool {
    ![SERVER_JS, MODULE_JSON, MANIFEST, SIGNATURE].contains(&name)
}

/// Checks that a name is valid as one path component.
pub(crate) fn checked(name: &str) -> Result<&str, PagesError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(allowed) {
        let problem = format!("`{name}` is not a name of letters, digits, `.`, `_`, `-`, `+`");
        return Err(PagesError::invalid(
            PathBuf::from("remotes.json"),
            "",
            problem,
        ));
    }
    Ok(name)
}

fn parse<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    contents: &BTreeMap<String, Bytes>,
) -> Result<T, PagesError> {
    let path = folder.join(name);
    match contents.get(name) {
        Some(bytes) => parse_json(&path, bytes),
        None => Err(PagesError::invalid(path, "", "is missing".to_owned())),
    }
}

/// Removes files that are never served. The bundle is already in [`Program`].
fn without_private(mut contents: BTreeMap<String, Bytes>) -> BTreeMap<String, Bytes> {
    contents.retain(|name, _| {
        let base = name
            .strip_suffix(".br")
            .or_else(|| name.strip_suffix(".gz"));
        is_public(base.unwrap_or(name))
    });
    contents
}

fn with_siblings(mut contents: BTreeMap<String, Bytes>) -> BTreeMap<String, Arc<StaticFile>> {
    let names: Vec<String> = contents
        .keys()
        .filter(|name| {
            let base = name
                .strip_suffix(".br")
                .or_else(|| name.strip_suffix(".gz"));
            base.is_none_or(|base| !contents.contains_key(base))
        })
        .cloned()
        .collect();
    let mut files = BTreeMap::new();
    for name in names {
        let gzip = contents.remove(&format!("{name}.gz"));
        let brotli = contents.remove(&format!("{name}.br"));
        if let Some(bytes) = contents.remove(&name) {
            let file = Arc::new(StaticFile::new(&name, bytes, gzip, brotli));
            files.insert(name, file);
        }
    }
    files
}
