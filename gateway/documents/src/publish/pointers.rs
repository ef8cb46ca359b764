//! `remotes.json`: the live version of each team and of the shell.
//!
//! Each entry is parsed separately, so a broken one affects only its own team. Unknown fields are ignored on purpose: a
//! newer tool may have written the file. With keys, only an entry signed by its team is valid, and an entry never
//! reverts to an earlier one.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{contract, integrity::Trust, manifest, refusal::Refusal};
use crate::error::PagesError;

pub(crate) const FILE: &str = "remotes.json";
/// Name of the shell's entry among the teams.
pub(crate) const SHELL: &str = "shell";
/// Refusal reason of an entry that is unreadable or older than the last one followed.
const POINTER: &str = "pointer";

#[derive(Debug, Deserialize)]
struct File {
    contract: u32,
    shell: Value,
    #[serde(default)]
    teams: BTreeMap<String, Value>,
}

/// One entry: the version that visitors see and related versions.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Pointer {
    pub(crate) stable: String,
    /// Previous stable version, used for rollbacks.
    pub(crate) previous: Option<String>,
    pub(crate) canary: Option<CanaryPointer>,
    /// Version → digest of its integrity manifest (`sha256-` and base64). A version listed here must match its digest.
    #[serde(default)]
    pub(crate) integrity: BTreeMap<String, String>,
    /// Version → publication time in seconds since 1970; its trial starts then.
    #[serde(default)]
    pub(crate) published: BTreeMap<String, i64>,
    /// Work in progress: never rolled back, even if it fails.
    #[serde(default)]
    pub(crate) keep: bool,
    /// Number of changes of this entry. Republishing a version thus counts as a change, and older entries are
    /// recognisable.
    #[serde(default)]
    pub(crate) moves: u64,
}

impl Pointer {
    /// Returns all versions that the entry names.
    pub(crate) fn versions(&self) -> impl Iterator<Item = &str> {
        let canary = self.canary.as_ref().map(|canary| canary.version.as_str());
        let stable = [self.stable.as_str()].into_iter();
        stable.chain(self.previous.as_deref()).chain(canary)
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct CanaryPointer {
    pub(crate) version: String,
    /// Share of the documents, 1 to 99.
    pub(crate) percent: u8,
}

/// All entries, including the shell's. An entry is an error if it is unreadable, unsigned or too old.
#[derive(Debug)]
pub(crate) struct Pointers(pub BTreeMap<String, Result<Pointer, Refusal>>);

impl Pointers {
    /// Parses the file.
    ///
    /// # Errors
    /// When the file as a whole or the shell's entry is unreadable. An unsigned shell entry is refused separately, like
    /// a team's, and the live shell stays in use.
    pub(crate) fn parse(folder: &Path, bytes: &[u8], trust: &Trust) -> Result<Self, PagesError> {
        let path = folder.join(FILE);
        let file: File = manifest::parse_json(&path, bytes)?;
        contract::check(file.contract)
            .map_err(|problem| PagesError::invalid(path.clone(), "contract", problem))?;
        let shell = match pointer(SHELL, file.shell, trust) {
            Err(Refusal { reason, detail }) if reason == POINTER => {
                return Err(PagesError::invalid(path, SHELL, detail));
            }
            shell => shell,
        };
        let mut all = BTreeMap::from([(SHELL.to_owned(), shell)]);
        for (name, entry) in file.teams {
            if name == SHELL {
                let problem = "is not a team".to_owned();
                return Err(PagesError::invalid(path, "teams.shell", problem));
            }
            let pointer = pointer(&name, entry, trust);
            all.insert(name, pointer);
        }
        Ok(Self(all))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Pointer> {
        self.0.get(name)?.as_ref().ok()
    }

    /// Refuses entries with fewer moves than the last followed ones, since they were reverted. `followed` maps teams to
    /// moves.
    pub(crate) fn refuse_older(&mut self, followed: &BTreeMap<String, u64>) {
        for (name, entry) in &mut self.0 {
            let (Ok(Pointer { moves, .. }), Some(last)) = (&*entry, followed.get(name)) else {
                continue;
            };
            if moves < last {
                let detail =
                    format!("`moves` is {moves}, older than {last}, which this gateway follows");
                let reason = POINTER;
                *entry = Err(Refusal { reason, detail });
            }
        }
    }

    /// Returns the number of moves of each entry.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (String, u64)> {
        let all = self.readable();
        all.map(|(name, pointer)| (name.clone(), pointer.moves))
    }

    /// Returns the valid entries.
    pub(crate) fn readable(&self) -> impl Iterator<Item = (&String, &Pointer)> {
        let all = self.0.iter();
        all.filter_map(|(name, entry)| Some((name, entry.as_ref().ok()?)))
    }
}

/// Parses one entry, using only its signed fields if there are keys.
pub(crate) fn pointer(name: &str, entry: Value, trust: &Trust) -> Result<Pointer, Refusal> {
    let refused = |reason: &'static str| move |detail: String| Refusal { reason, detail };
    let statement = trust.statement(name, entry).map_err(refused("signature"))?;
    parse(statement).map_err(refused(POINTER))
}

fn parse(entry: Value) -> Result<Pointer, String> {
    let pointer: Pointer = serde_json::from_value(entry).map_err(|error| error.to_string())?;
    match &pointer.canary {
        Some(canary) if !(1..=99).contains(&canary.percent) => Err(format!(
            "a canary of {} %: expected 1 to 99",
            canary.percent
        )),
        _ => Ok(pointer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<Pointers, PagesError> {
        Pointers::parse(Path::new("remotes"), json.as_bytes(), &Trust::default())
    }

    #[test]
    fn broken_entry_affects_only_its_team() {
        let file = r#"{"contract": 2, "shell": {"stable": "1"}, "teams": {
            "a": {"stable": "1", "canary": {"version": "2", "percent": 10}, "later": true},
            "b": {"stable": 7}, "c": 7, "d": {"stable": "1", "canary": {"version": "2", "percent": 100}}}}"#;
        let pointers = parse(file).unwrap();
        assert_eq!(pointers.readable().count(), 2);
        assert_eq!(
            pointers.get("a").unwrap().canary.as_ref().unwrap().percent,
            10
        );
        assert!(
            pointers.0["d"]
                .as_ref()
                .unwrap_err()
                .detail
                .contains("100 %")
        );
    }

    #[test]
    fn refuses_pointers_without_a_valid_shell() {
        for broken in [
            "{",
            r#"{"contract": 2, "shell": {}}"#,
            r#"{"contract": 9, "shell": {"stable": "1"}}"#,
            r#"{"contract": 2, "shell": {"stable": "1"}, "teams": {"shell": {"stable": "1"}}}"#,
        ] {
            assert!(parse(broken).is_err(), "{broken}");
        }
    }
}
