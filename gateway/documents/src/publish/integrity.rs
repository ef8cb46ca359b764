//! Checks that a published folder is complete, unchanged and signed by its team.
//!
//! `integrity.json` lists every file of the folder with its SHA-256. `integrity.sig` is the team's signature of that
//! list. It covers `module.json` with the name and the version, so a signature is valid for one version of one team.
//! The live version is signed separately: an entry of `remotes.json` repeats its fields in `signed`, together with the
//! team's name.

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
    keys::{KeyFile, Keys},
    manifest,
};
use crate::error::PagesError;

pub(crate) const MANIFEST: &str = "integrity.json";
pub(crate) const SIGNATURE: &str = "integrity.sig";
/// Prefix of the signed manifest bytes; makes a signature invalid in any other context.
const CONTEXT: &[u8] = b"hospital page modules, integrity 1\n";
/// Prefix of the signed contents of a `remotes.json` entry.
const POINTER_CONTEXT: &[u8] = b"hospital page modules, pointer 1\n";

/// Trusted signing keys. Without a key file neither folders nor pointers need a signature.
#[derive(Debug, Default)]
pub(crate) struct Trust {
    file: Option<KeyFile>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    /// Path in the folder → digest.
    files: BTreeMap<String, String>,
}

impl Trust {
    /// Reads the keys from `REMOTES_KEYS`. Blocks.
    pub(crate) fn from_file(path: Option<&Path>) -> Result<Self, PagesError> {
        let file = path.map(KeyFile::open).transpose()?;
        Ok(Self { file })
    }

    /// Returns whether signatures are required.
    pub(crate) fn has_keys(&self) -> bool {
        self.file.is_some()
    }

    fn keys(&self) -> Option<Arc<Keys>> {
        self.file.as_ref().map(KeyFile::keys)
    }

    /// Returns the edition of the keys. It grows by one with every change of the keys, and earlier checks must then be
    /// repeated.
    pub(crate) fn edition(&self) -> u64 {
        self.keys().map_or(0, |keys| keys.edition)
    }

    /// Re-reads the keys and returns whether they changed. Blocks.
    ///
    /// # Errors
    /// When the keys cannot be read. The previous ones stay in use.
    pub(crate) fn reload(&self) -> Result<bool, PagesError> {
        self.file.as_ref().map_or(Ok(false), KeyFile::reload)
    }

    /// Returns the trusted content of a `remotes.json` entry: its plain fields or, with keys, the fields signed by its
    /// team.
    ///
    /// # Errors
    /// A message for people: what is missing, or is not signed by the team.
    pub(crate) fn statement(&self, team: &str, entry: Value) -> Result<Value, String> {
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
                "`signature` is not one of `signed` by a key of `{team}`"
            ));
        }
        let statement: Value = serde_json::from_str(signed)
            .map_err(|error| format!("`signed` cannot be read: {error}"))?;
        match &statement["name"] {
            Value::String(name) if name == team => Ok(statement),
            other => Err(format!("`signed` is for {other}")),
        }
    }

    /// Checks the files of a folder. `digest` is the manifest's digest from the pointer. A folder without a manifest is
    /// accepted only if neither keys nor the pointer require one, because early tools wrote none.
    pub(crate) fn check(
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
                return bad(name, "does not match integrity.json");
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

    /// Parses the manifest obtained through `read`, if it is the team's.
    pub(crate) fn manifest<'a>(
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
            return Err(integrity(path, "does not match remotes.json"));
        }
        if let Some(keys) = self.keys() {
            let signature = read(SIGNATURE).unwrap_or_default();
            if !keys.have_signed(team, CONTEXT, bytes, signature) {
                let path = folder.join(SIGNATURE);
                let problem = format!("is not a signature by a key of `{team}`");
                return Err(PagesError::Signature { path, problem });
            }
        }
        manifest::parse_json(&path, bytes).map(Some)
    }
}

impl Manifest {
    /// Returns the paths of all files except the manifest and its signature.
    pub(crate) fn files(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    pub(crate) fn has(&self, name: &str, bytes: &[u8]) -> bool {
        self.files
            .get(name)
            .is_some_and(|digest| *digest == digest_of(bytes))
    }
}

/// Returns the digest as `sha256-` and base64.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

fn integrity(path: PathBuf, problem: &str) -> PagesError {
    let problem = problem.to_owned();
    PagesError::Integrity { path, problem }
}
