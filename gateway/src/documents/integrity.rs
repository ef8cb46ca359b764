//! Whether a published folder is whole, unchanged, and its team's.
//!
//! `integrity.json` names every file of the folder with its SHA-256, `integrity.sig` is the team's signature of it. The name and
//! the version are part of `module.json`, which it names too, so a signature is good for one version of one team. Which version is
//! live is signed apart from that: the entry of `remotes.json` carries what it says once more in `signed`, with the team's name.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    PagesError,
    keys::{KeyFile, Keys},
    remote,
};

pub(super) const MANIFEST: &str = "integrity.json";
pub(super) const SIGNATURE: &str = "integrity.sig";
/// Signed before the manifest's bytes, so that a signature means nothing elsewhere.
const CONTEXT: &[u8] = b"hospital page modules, integrity 1\n";
/// The same for what an entry of `remotes.json` says.
const POINTER_CONTEXT: &[u8] = b"hospital page modules, pointer 1\n";

/// Whose signatures count; without a file of keys neither folders nor pointers need one.
#[derive(Debug, Default)]
pub(super) struct Trust {
    file: Option<KeyFile>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Manifest {
    /// Path in the folder → digest.
    files: BTreeMap<String, String>,
}

impl Trust {
    /// With the keys of `REMOTES_KEYS`. Blocks.
    pub(super) fn from_file(path: Option<&Path>) -> Result<Self, PagesError> {
        let file = path.map(KeyFile::open).transpose()?;
        Ok(Self { file })
    }

    /// Whether anything must be signed.
    pub(super) fn has_keys(&self) -> bool {
        self.file.is_some()
    }

    fn keys(&self) -> Option<Arc<Keys>> {
        self.file.as_ref().map(KeyFile::keys)
    }

    /// Grows by one each time that other keys count: what was checked before has to be checked again.
    pub(super) fn edition(&self) -> u64 {
        self.keys().map_or(0, |keys| keys.edition)
    }

    /// Reads the keys again; says whether others count from now on. Blocks.
    ///
    /// # Errors
    /// When they cannot be read: those before go on.
    pub(super) fn look(&self) -> Result<bool, PagesError> {
        self.file.as_ref().map_or(Ok(false), KeyFile::look)
    }

    /// What counts of an entry of `remotes.json`: its plain fields or, with keys, what its team has signed.
    ///
    /// # Errors
    /// For people: what is missing, or is not the team's.
    pub(super) fn statement(&self, team: &str, entry: Value) -> Result<Value, String> {
        let Some(keys) = self.keys() else {
            return Ok(entry);
        };
        let text = |field: &str| {
            let text = entry[field].as_str();
            text.ok_or_else(|| format!("`{field}` is missing"))
        };
        let (signed, signature) = (text("signed")?, text("signature")?);
        let signature = signature.as_bytes();
        if !keys.have_signed(team, POINTER_CONTEXT, signed.as_bytes(), signature) {
            return Err(format!(
                "`signature` is none by a key of `{team}` of what stands in `signed`"
            ));
        }
        let statement: Value = serde_json::from_str(signed)
            .map_err(|error| format!("`signed` cannot be read: {error}"))?;
        match &statement["name"] {
            Value::String(name) if name == team => Ok(statement),
            other => Err(format!("`signed` is for {other}")),
        }
    }

    /// Checks the files of a folder. `digest` is what its pointer says of the manifest. A folder without a manifest is taken only
    /// where neither a key nor a pointer asks for one: tools before it wrote none.
    pub(super) fn check(
        &self,
        team: &str,
        folder: &Path,
        digest: Option<&str>,
        contents: &BTreeMap<String, Bytes>,
    ) -> Result<(), PagesError> {
        let read = |name: &str| contents.get(name).map(Bytes::as_ref);
        let Some(manifest) = self.manifest(team, folder, digest, read)? else {
            return Ok(());
        };
        let bad = |name: &str, problem: &str| Err(integrity(folder.join(name), problem));
        for (name, bytes) in contents {
            if [MANIFEST, SIGNATURE].contains(&name.as_str()) {
                continue;
            }
            if !manifest.has(name, bytes) {
                return bad(name, "is not what integrity.json says");
            }
        }
        match manifest
            .files
            .keys()
            .find(|name| !contents.contains_key(*name))
        {
            Some(missing) => bad(missing, "is missing"),
            None => Ok(()),
        }
    }

    /// The manifest that `read` gives, if it is the team's.
    pub(super) fn manifest<'a>(
        &self,
        team: &str,
        folder: &Path,
        digest: Option<&str>,
        read: impl Fn(&str) -> Option<&'a [u8]>,
    ) -> Result<Option<Manifest>, PagesError> {
        let path = folder.join(MANIFEST);
        let Some(bytes) = read(MANIFEST) else {
            if !self.has_keys() && digest.is_none() {
                return Ok(None);
            }
            return Err(integrity(path, "is missing"));
        };
        if digest.is_some_and(|digest| digest != digest_of(bytes)) {
            return Err(integrity(path, "is not the one that remotes.json names"));
        }
        if let Some(keys) = self.keys() {
            let signature = read(SIGNATURE).unwrap_or_default();
            if !keys.have_signed(team, CONTEXT, bytes, signature) {
                let path = folder.join(SIGNATURE);
                let problem = format!("is no signature by a key of `{team}`");
                return Err(PagesError::Signature { path, problem });
            }
        }
        remote::parse_json(&path, bytes).map(Some)
    }
}

impl Manifest {
    /// Paths of all files but its own and its signature's.
    pub(super) fn files(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    pub(super) fn has(&self, name: &str, bytes: &[u8]) -> bool {
        self.files
            .get(name)
            .is_some_and(|digest| *digest == digest_of(bytes))
    }
}

/// `sha256-` and base64.
pub(super) fn digest_of(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

fn integrity(path: PathBuf, problem: &str) -> PagesError {
    let problem = problem.to_owned();
    PagesError::Integrity { path, problem }
}
