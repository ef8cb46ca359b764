//! `remotes.json`: updated by one publisher at a time, atomically and durably.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::Write as _,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::signing;
use crate::{page_contract::Contract, page_packages::read_json, project::Project};

pub(super) const POINTERS: &str = "remotes.json";
/// File with the time at which a pointer last named each version, in seconds since 1970.
const HISTORY: &str = "history.json";
const SHELL: &str = "shell";
/// Retention of a version after a pointer last named it: pages open in browsers load its scripts, and a rollback needs
/// its folder.
const KEEP: Duration = Duration::from_hours(30 * 24);

/// How an entry changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move<'a> {
    /// All visitors get this version; the stable version so far becomes the rollback target.
    Stable(&'a str),
    /// Like `Stable`, for work in progress: the gateway does not roll this version back, even if it fails.
    Work(&'a str),
    /// This percentage of documents is rendered with this version.
    Canary(&'a str, u8),
    /// Ends the canary or, without one, returns to the previous version.
    Back,
}

impl<'a> Move<'a> {
    /// Returns the version that the pointer moves to, if the move names one.
    pub(super) fn version(self) -> Option<&'a str> {
        match self {
            Self::Stable(version) | Self::Work(version) | Self::Canary(version, _) => Some(version),
            Self::Back => None,
        }
    }
}

/// Returns the stable version that the pointer names.
pub(crate) fn stable(project: &Project, name: &str) -> Option<String> {
    let registry = read_json(&project.remotes.join(POINTERS)).ok()?;
    text(entry(&registry, name), "stable")
}

/// Moves a pointer and returns the new stable version. `digest` is the digest of the version's integrity manifest. With
/// a key, the move starts from the entry's signed fields and the result is signed. Without one, the entry loses its
/// signature.
pub(crate) fn move_to(
    project: &Project,
    name: &str,
    to: Move<'_>,
    digest: Option<&str>,
    key: Option<&Path>,
) -> Result<String> {
    let contract = Contract::of(project)?;
    move_in(&project.remotes, name, to, digest, &contract, key)
}

pub(super) fn move_in(
    folder: &Path,
    name: &str,
    to: Move<'_>,
    digest: Option<&str>,
    contract: &Contract,
    key: Option<&Path>,
) -> Result<String> {
    let lock = locked(folder)?;
    let mut old = read(folder, POINTERS)?;
    if let Some(key) = key
        && !entry(&old, name).is_null()
    {
        if let Some(text) = signing::signed_by_another(entry(&old, name), key)? {
            println!("the pointer of {name} was not signed with this key: {text}");
        }
        let stated = signing::stated(entry(&old, name), name)?;
        *entry_mut(&mut old, name) = stated;
    }
    let mut new = moved(&old, name, to, digest, contract, now()?.as_secs())?;
    signing::renew(entry_mut(&mut new, name), name, key)?;
    // The history is written first: it must be complete even if the process dies before the next write.
    note(folder, name, &[entry(&old, name), entry(&new, name)])?;
    write(folder, POINTERS, &new)?;
    drop(lock);
    text(entry(&new, name), "stable").context("there is no stable version")
}

/// Takes the lock of a folder, so that two teams publishing at once do not overwrite each other's entries.
fn locked(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder)?;
    let lock = File::create(folder.join(".lock"))?;
    lock.lock()?;
    Ok(lock)
}

pub(super) fn read(folder: &Path, name: &str) -> Result<Value> {
    let file = folder.join(name);
    if file.exists() {
        read_json(&file)
    } else {
        Ok(Value::Null)
    }
}

/// Replaces a file atomically and durably: readers see the old file or the new one, never a partial one.
fn write(folder: &Path, name: &str, value: &Value) -> Result<()> {
    let unfinished = folder.join(format!(".{name}.unfinished"));
    let mut file = File::create(&unfinished)?;
    writeln!(file, "{value:#}")?;
    file.sync_all()?;
    fs::rename(unfinished, folder.join(name))?;
    Ok(File::open(folder)?.sync_all()?)
}

pub(super) fn entry<'a>(registry: &'a Value, name: &str) -> &'a Value {
    match name {
        SHELL => &registry[SHELL],
        team => &registry["teams"][team],
    }
}

fn entry_mut<'a>(registry: &'a mut Value, name: &str) -> &'a mut Value {
    match name {
        SHELL => &mut registry[SHELL],
        team => &mut registry["teams"][team],
    }
}

fn text(entry: &Value, field: &str) -> Option<String> {
    entry[field].as_str().map(str::to_owned)
}

/// Returns the registry with one entry moved at `now`, in seconds since 1970. All other fields are kept, including the
/// registry's own contract version.
fn moved(
    old: &Value,
    name: &str,
    to: Move<'_>,
    digest: Option<&str>,
    contract: &Contract,
    now: u64,
) -> Result<Value> {
    let mut registry = old.clone();
    if !contract.supports(&registry["contract"]) {
        registry = json!({ "contract": contract.version, "shell": {}, "teams": {} });
    }
    let after = entry_mut(&mut registry, name);
    let before = after.clone();
    *after = pointed(&before, name, to)?;
    // A version that is already stable keeps its publication time: signing it again does not restart its trial period.
    let is_new = to.version() != before["stable"].as_str();
    let named = versions(after);
    for (field, value) in [
        ("integrity", digest.map(Value::from)),
        ("published", is_new.then(|| now.into())),
    ] {
        let mut values = before[field].as_object().cloned().unwrap_or_default();
        if let (Some(version), Some(value)) = (to.version(), value) {
            values.insert(version.to_owned(), value);
        }
        values.retain(|version, _| named.contains(version));
        after[field] = Value::Object(values);
    }
    after["moves"] = (before["moves"].as_u64().unwrap_or(0) + 1).into();
    Ok(registry)
}

/// Returns the entry with its versions after the move.
fn pointed(before: &Value, name: &str, to: Move<'_>) -> Result<Value> {
    let mut after = before.as_object().cloned().unwrap_or_default();
    after.remove("keep");
    let stable = before["stable"].as_str();
    match to {
        Move::Stable(version) | Move::Work(version) => {
            // Publishing the same version again keeps the previous version.
            if let Some(stable) = stable.filter(|stable| *stable != version) {
                after.insert("previous".to_owned(), stable.into());
            }
            after.insert("stable".to_owned(), version.into());
            after.remove("canary");
            if matches!(to, Move::Work(_)) {
                after.insert("keep".to_owned(), true.into());
            }
        }
        Move::Canary(version, percent) => {
            let stable = stable.with_context(|| {
                format!("{name} has no stable version beside which a canary could run")
            })?;
            ensure!(stable != version, "{name} {version} is already stable");
            let canary = json!({"version": version, "percent": percent});
            after.insert("canary".to_owned(), canary);
        }
        Move::Back => {
            let ended = after.remove("canary").filter(|canary| !canary.is_null());
            if ended.is_none() {
                let previous = after.remove("previous").filter(Value::is_string);
                let previous =
                    previous.with_context(|| format!("{name} has no version to go back to"))?;
                after.insert("stable".to_owned(), previous);
            }
        }
    }
    Ok(Value::Object(after))
}

/// Returns the versions that an entry names.
fn versions(entry: &Value) -> BTreeSet<String> {
    let canary = text(&entry["canary"], "version");
    let named = [text(entry, "stable"), text(entry, "previous"), canary];
    named.into_iter().flatten().collect()
}

/// Records in the history that these entries name their versions now.
fn note(folder: &Path, name: &str, entries: &[&Value]) -> Result<()> {
    let mut history = read(folder, HISTORY)?;
    let now = now()?.as_secs();
    for version in entries.iter().flat_map(|entry| versions(entry)) {
        history[name][version.as_str()] = now.into();
    }
    write(folder, HISTORY, &history)
}

/// Removes and returns the versions that no pointer names or has named in the last 30 days.
pub(crate) fn remove_old(project: &Project, name: &str) -> Result<Vec<String>> {
    remove_before(&project.remotes, name, now()?)
}

fn remove_before(folder: &Path, name: &str, now: Duration) -> Result<Vec<String>> {
    let lock = locked(folder)?;
    let (pointers, mut history) = (read(folder, POINTERS)?, read(folder, HISTORY)?);
    let named = versions(entry(&pointers, name));
    let mut removed = Vec::new();
    for found in fs::read_dir(folder.join(name))? {
        let found = found?;
        let version = found.file_name().to_string_lossy().into_owned();
        if named.contains(&version) || !found.file_type()?.is_dir() {
            continue;
        }
        let last = match history[name][version.as_str()].as_u64() {
            Some(last) => Duration::from_secs(last),
            None => found.metadata()?.modified()?.duration_since(UNIX_EPOCH)?,
        };
        if now.saturating_sub(last) > KEEP {
            fs::remove_dir_all(found.path())?;
            if let Some(times) = history[name].as_object_mut() {
                times.remove(&version);
            }
            removed.push(version);
        }
    }
    if !removed.is_empty() {
        write(folder, HISTORY, &history)?;
    }
    drop(lock);
    removed.sort();
    Ok(removed)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the age of folders on this machine; nothing of the domain"
)]
fn now() -> Result<Duration> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contract of this tree.
    fn contract() -> Contract {
        Contract::of(&Project::find().unwrap()).unwrap()
    }

    fn move_one(folder: &Path, name: &str, to: Move<'_>) -> Result<String> {
        move_in(folder, name, to, None, &contract(), None)
    }

    #[test]
    fn moving_one_pointer_keeps_the_others_and_the_contract_of_the_file() {
        let registry = json!({
            "contract": 1,
            "shell": {"stable": "1", "later": 7},
            "teams": {"booking": {"stable": "1", "later": 7}},
        });
        let to = |registry: &Value, name: &str, to: Move<'_>| {
            moved(registry, name, to, Some("sha256-x"), &contract(), 7).unwrap()
        };
        let registry = to(&registry, "booking", Move::Stable("3"));
        let registry = to(&registry, "content", Move::Stable("4"));
        assert_eq!(
            registry,
            json!({
                "contract": 1,
                "shell": {"stable": "1", "later": 7},
                "teams": {
                    "booking": {"stable": "3", "previous": "1", "later": 7, "moves": 1, "integrity": {"3": "sha256-x"}, "published": {"3": 7}},
                    "content": {"stable": "4", "moves": 1, "integrity": {"4": "sha256-x"}, "published": {"4": 7}},
                },
            })
        );
        // Publishing again counts as a move, but keeps the previous version.
        let again = to(&registry, "booking", Move::Stable("3"));
        let booking = &again["teams"]["booking"];
        assert_eq!(
            (&booking["previous"], &booking["moves"]),
            (&json!("1"), &json!(2))
        );
    }

    #[test]
    fn g3_the_age_of_a_version_starts_with_its_first_publication() {
        let mut registry = Value::Null;
        let mut to = |to: Move<'_>, now: u64| {
            registry = moved(&registry, "booking", to, None, &contract(), now).unwrap();
            registry["teams"]["booking"]["published"].clone()
        };
        assert_eq!(to(Move::Stable("1"), 10), json!({"1": 10}));
        assert_eq!(to(Move::Stable("1"), 20), json!({"1": 10}), "signed again");
        assert_eq!(to(Move::Canary("2", 10), 30), json!({"1": 10, "2": 30}));
        assert_eq!(
            to(Move::Stable("2"), 40),
            json!({"1": 10, "2": 40}),
            "for everybody"
        );
        assert_eq!(to(Move::Back, 50), json!({"1": 10}), "trusted before");
        assert_eq!(to(Move::Stable("3"), 60), json!({"1": 10, "3": 60}));
    }

    #[test]
    fn an_empty_registry_or_one_of_an_unknown_contract_is_rewritten() {
        let version = contract().version;
        for old in [
            Value::Null,
            json!({"contract": version + 1, "teams": {"a": {}}}),
        ] {
            let new = moved(&old, "shell", Move::Stable("1"), None, &contract(), 7).unwrap();
            let shell = json!({"stable": "1", "moves": 1, "integrity": {}, "published": {"1": 7}});
            assert_eq!(
                new,
                json!({"contract": version, "shell": shell, "teams": {}})
            );
        }
    }

    #[test]
    fn a_canary_is_ended_before_the_stable_version_goes_back() {
        let folder = tempfile::tempdir().unwrap();
        let to = |to| move_one(folder.path(), "booking", to);
        assert!(to(Move::Canary("1", 10)).is_err());
        for version in ["1", "2"] {
            to(Move::Stable(version)).unwrap();
        }
        assert!(to(Move::Canary("2", 10)).is_err());
        assert_eq!(to(Move::Canary("3", 10)).unwrap(), "2");
        let booking = || entry(&read(folder.path(), POINTERS).unwrap(), "booking").clone();
        assert_eq!(booking()["canary"], json!({"version": "3", "percent": 10}));
        assert_eq!(to(Move::Back).unwrap(), "2");
        assert_eq!(booking()["canary"], Value::Null);
        assert_eq!(to(Move::Back).unwrap(), "1");
        assert!(
            to(Move::Back)
                .unwrap_err()
                .to_string()
                .contains("no version")
        );
        assert_eq!(to(Move::Work("4")).unwrap(), "4");
        assert_eq!(booking()["keep"], true);
        to(Move::Stable("5")).unwrap();
        assert_eq!(booking()["keep"], Value::Null);
    }

    #[test]
    fn concurrent_publications_of_teams_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let teams = ["a", "b", "c", "d"];
        std::thread::scope(|scope| {
            for team in teams {
                scope.spawn(|| {
                    for version in 0..20 {
                        move_one(folder.path(), team, Move::Stable(&version.to_string())).unwrap();
                    }
                });
            }
        });
        let pointers = read(folder.path(), POINTERS).unwrap();
        for team in teams {
            let entry = entry(&pointers, team);
            assert_eq!(
                (&entry["stable"], &entry["moves"]),
                (&json!("19"), &json!(20)),
                "{team}"
            );
        }
    }

    #[test]
    fn removes_versions_thirty_days_after_their_last_pointer() {
        let folder = tempfile::tempdir().unwrap();
        for version in ["1", "2", "3", "never"] {
            fs::create_dir_all(folder.path().join("booking").join(version)).unwrap();
        }
        for version in ["1", "2", "3"] {
            move_one(folder.path(), "booking", Move::Stable(version)).unwrap();
        }
        let after = |days: u64| now().unwrap() + Duration::from_hours(24 * days);
        let remove = |days| remove_before(folder.path(), "booking", after(days)).unwrap();
        assert!(remove(29).is_empty());
        // `3` is stable, and `2` is the rollback target.
        assert_eq!(remove(31), ["1", "never"]);
        assert!(folder.path().join("booking/2").exists());
    }
}
