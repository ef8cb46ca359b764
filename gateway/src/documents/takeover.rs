//! What of an origin's `remotes.json` is taken over.
//!
//! Without keys all of it. With keys the file that lies here is this gateway's memory, which a restart does not end: an entry that its
//! team has not signed, or that has moved less often than the one here, is not taken over, and the one here stays.

use std::{collections::BTreeMap, fs, io, path::Path};

use bytes::Bytes;
use serde_json::{Map, Value};

use super::{
    PagesError,
    integrity::Trust,
    pointers::{FILE, Pointer, Pointers, SHELL, pointer},
    refusal::Refusal,
    remote,
};

const TEAMS: &str = "teams";
/// Entries that the origin names no more. They show nothing; they are here so that none comes back older than it was.
const GONE: &str = "gone";

/// What lies here after a look at the origin.
#[derive(Debug)]
pub(super) struct TakenOver {
    pub(super) file: Bytes,
    pub(super) pointers: Pointers,
    /// Team → why its entry was not taken over.
    pub(super) refusals: BTreeMap<String, Refusal>,
}

/// An entry that lies here and is its team's.
struct Known {
    entry: Value,
    pointer: Pointer,
    is_gone: bool,
}

/// Lays the origin's `remotes.json` over the one in `folder`; writes nothing.
///
/// # Errors
/// When the origin's file as a whole cannot be read, or the one here, or its shell's entry is refused and none lies here.
pub(super) fn take_over(
    folder: &Path,
    bytes: Bytes,
    trust: &Trust,
) -> Result<TakenOver, PagesError> {
    let mut offered = Pointers::parse(folder, &bytes, trust)?;
    if !trust.has_keys() {
        return Ok(TakenOver {
            file: bytes,
            pointers: offered,
            refusals: BTreeMap::new(),
        });
    }
    let path = folder.join(FILE);
    let known = known(&path, trust)?;
    let moves = known.iter();
    let moves = moves.map(|(name, known)| (name.clone(), known.pointer.moves));
    offered.refuse_older(&moves.collect());
    let mut file = Value::Object(remote::parse_json(&path, &bytes)?);
    let mut refusals = BTreeMap::new();
    for (name, offer) in &offered.0 {
        let Err(refusal) = offer else { continue };
        refusals.insert(name.clone(), refusal.clone());
        match known.get(name) {
            Some(known) if !known.is_gone => *slot(&mut file, name) = known.entry.clone(),
            _ => remove(&mut file, name),
        }
    }
    if let (Some(refusal), None) = (refusals.get(SHELL), known.get(SHELL)) {
        return Err(PagesError::invalid(path, SHELL, refusal.detail.clone()));
    }
    let gone = known.into_iter().filter(|(name, known)| {
        let offer = offered.0.get(name);
        offer.is_none_or(|offer| offer.is_err() && known.is_gone)
    });
    let gone = gone.map(|(name, known)| (name, known.entry));
    file[GONE] = gone.collect::<Map<_, _>>().into();
    let file = Bytes::from(format!("{file:#}\n"));
    Ok(TakenOver {
        pointers: Pointers::parse(folder, &file, trust)?,
        file,
        refusals,
    })
}

/// What lies here and is signed. Nothing where there is no file yet, or one that is no JSON.
///
/// # Errors
/// When there is a file that cannot be read: what it remembers still counts.
fn known(path: &Path, trust: &Trust) -> Result<BTreeMap<String, Known>, PagesError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|source| PagesError::Read {
            path: path.to_path_buf(),
            source,
        })?,
    };
    let mut file = Value::Object(serde_json::from_slice(&bytes).unwrap_or_default());
    let mut known = BTreeMap::new();
    let mut add = |name: String, entry: Value, is_gone: bool| {
        if let Ok(pointer) = pointer(&name, entry.clone(), trust) {
            let entry = Known {
                entry,
                pointer,
                is_gone,
            };
            known.insert(name, entry);
        }
    };
    for (key, is_gone) in [(GONE, true), (TEAMS, false)] {
        let entries = file[key].as_object_mut().map(std::mem::take);
        for (name, entry) in entries.into_iter().flatten() {
            add(name, entry, is_gone);
        }
    }
    add(SHELL.to_owned(), file[SHELL].take(), false);
    Ok(known)
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
    fn what_cannot_be_read_is_not_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let trust = Trust::default();
        let absent = known(&folder.path().join(FILE), &trust).unwrap();
        assert!(absent.is_empty());
        let unreadable = known(folder.path(), &trust);
        assert!(matches!(unreadable, Err(PagesError::Read { .. })));
    }
}
