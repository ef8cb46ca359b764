//! Merges an origin's `remotes.json` into the local one.
//!
//! Without keys, the origin's file is adopted as a whole. With keys, the local file preserves the last followed entries
//! across restarts. An entry that is unsigned or has fewer moves than the local one is refused, and the local one
//! stays.

use std::{collections::BTreeMap, fs, io, path::Path};

use bytes::Bytes;
use serde_json::{Map, Value};

use super::{
    integrity::Trust,
    manifest,
    pointers::{FILE, Pointer, Pointers, SHELL, pointer},
    refusal::Refusal,
};
use crate::error::PagesError;

const TEAMS: &str = "teams";
/// Key of entries that the origin no longer names. They are not served. They are kept to prevent an entry from coming
/// back in an older state.
const GONE: &str = "gone";

/// Result of merging the origin's file.
#[derive(Debug)]
pub(crate) struct Merged {
    pub(crate) file: Bytes,
    pub(crate) pointers: Pointers,
    /// Team → reason why its entry was not adopted.
    pub(crate) refusals: BTreeMap<String, Refusal>,
}

/// A valid local entry.
struct LocalEntry {
    entry: Value,
    pointer: Pointer,
    is_gone: bool,
}

/// Merges the origin's `remotes.json` with the one in `folder`. Writes nothing.
///
/// # Errors
/// When either file as a whole is unreadable, or when the origin's shell entry is refused and there is no local one.
pub(crate) fn merge(folder: &Path, bytes: Bytes, trust: &Trust) -> Result<Merged, PagesError> {
    let mut offered = Pointers::parse(folder, &bytes, trust)?;
    if !trust.has_keys() {
        return Ok(Merged {
            file: bytes,
            pointers: offered,
            refusals: BTreeMap::new(),
        });
    }
    let path = folder.join(FILE);
    let local = read_local(&path, trust)?;
    let moves = |(name, entry): (&String, &LocalEntry)| (name.clone(), entry.pointer.moves);
    offered.refuse_older(&local.iter().map(moves).collect());
    let mut file = Value::Object(manifest::parse_json(&path, &bytes)?);
    let mut refusals = BTreeMap::new();
    for (name, offer) in &offered.0 {
        let Err(refusal) = offer else { continue };
        refusals.insert(name.clone(), refusal.clone());
        match local.get(name) {
            Some(entry) if !entry.is_gone => *slot(&mut file, name) = entry.entry.clone(),
            _ => remove(&mut file, name),
        }
    }
    if let (Some(refusal), None) = (refusals.get(SHELL), local.get(SHELL)) {
        return Err(PagesError::invalid(path, SHELL, refusal.detail.clone()));
    }
    let gone = local.into_iter().filter(|(name, entry)| {
        let offer = offered.0.get(name);
        offer.is_none_or(|offer| offer.is_err() && entry.is_gone)
    });
    let gone_entries: Map<_, _> = gone.map(|(name, entry)| (name, entry.entry)).collect();
    file[GONE] = gone_entries.into();
    let merged = Bytes::from(format!("{file:#}\n"));
    Ok(Merged {
        pointers: Pointers::parse(folder, &merged, trust)?,
        file: merged,
        refusals,
    })
}

/// Reads the validly signed local entries. Empty when the file does not exist or is not JSON.
///
/// # Errors
/// When the file exists but cannot be read, because its entries still count.
fn read_local(path: &Path, trust: &Trust) -> Result<BTreeMap<String, LocalEntry>, PagesError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|source| PagesError::Read {
            path: path.to_path_buf(),
            source,
        })?,
    };
    let mut file = Value::Object(serde_json::from_slice(&bytes).unwrap_or_default());
    let mut local = BTreeMap::new();
    let mut add = |name: String, entry: Value, is_gone: bool| {
        if let Ok(pointer) = pointer(&name, entry.clone(), trust) {
            let entry = LocalEntry {
                entry,
                pointer,
                is_gone,
            };
            local.insert(name, entry);
        }
    };
    for (key, is_gone) in [(GONE, true), (TEAMS, false)] {
        let entries = file[key].as_object_mut().map(std::mem::take);
        for (name, entry) in entries.into_iter().flatten() {
            add(name, entry, is_gone);
        }
    }
    add(SHELL.to_owned(), file[SHELL].take(), false);
    Ok(local)
}

fn remove(file: &mut Value, team: &str) {
    if let Some(teams) = file[TEAMS].as_object_mut() {
        teams.remove(team);
    }
}

fn slot<'a>(file: &'a mut Value, name: &str) -> &'a mut Value {
    match name {
        SHELL => &mut file[SHELL],
        team => &mut file[TEAMS][team],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_an_unreadable_file_from_an_absent_one() {
        let folder = tempfile::tempdir().unwrap();
        let trust = Trust::default();
        let absent = read_local(&folder.path().join(FILE), &trust).unwrap();
        assert!(absent.is_empty());
        let unreadable = read_local(folder.path(), &trust);
        assert!(matches!(unreadable, Err(PagesError::Read { .. })));
    }
}
