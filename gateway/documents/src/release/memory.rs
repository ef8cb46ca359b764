//! Persistent state of versions: when each trial began, and which versions were rolled back.
//!
//! Without it, a restart would show rolled-back versions again. It would also put every version on trial again, and
//! strangers' reports could then cause rollbacks. The file belongs to one gateway. Gateways that share a folder of page
//! modules each have their own file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::publish::{pointers::Pointer, refusal::Refusal};

/// Duration of a trial after publication. A later failure has another cause than the version being new.
const TRIAL: Duration = Duration::from_hours(24);
/// Maximum size of the file in bytes. Two entries per version named by pointers take some kilobytes.
const BYTES_MAX: u64 = 1024 * 1024;
/// Default file name, in the folder of page modules.
pub(crate) const FILE: &str = ".gateway-state.json";
/// Refusal reason of a rolled-back version.
pub(crate) const ROLLED_BACK: &str = "rolled_back";

/// Rolled-back versions by team and version, each with the pointer that named it. A ban holds until the pointer
/// changes.
pub(crate) type Bans = BTreeMap<(String, String), (Refusal, Pointer)>;

#[derive(Debug)]
pub(crate) struct Memory {
    path: PathBuf,
    trials: BTreeMap<(String, String), Since>,
    bans: Bans,
    /// Contents of the file.
    written: Vec<u8>,
    has_failed: bool,
}

/// Start of a version's trial, in seconds since 1970.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
struct Since {
    began: i64,
    /// Publication time in the pointer. A different time means a new publication.
    published: Option<i64>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Contents {
    trials: Vec<Kept<Since>>,
    bans: Vec<Kept<Ban>>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Kept<T> {
    team: String,
    version: String,
    #[serde(flatten)]
    what: T,
}

#[derive(Debug, Deserialize, Serialize)]
struct Ban {
    why: String,
    pointer: Pointer,
}

impl Memory {
    /// Reads the file. A missing or unreadable file counts as empty, because it must not prevent startup. Blocks.
    pub(crate) fn open(path: &Path) -> Self {
        let (written, contents) = match read(path) {
            Ok(found) => found,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(path = %path.display(), %error, "recorded trials and rollbacks cannot be read");
                }
                let (trials, bans) = (Vec::new(), Vec::new());
                (Vec::new(), Contents { trials, bans })
            }
        };
        let trials = contents.trials.into_iter();
        let bans = contents.bans.into_iter().map(|kept| {
            let Ban { why, pointer } = kept.what;
            let refusal = Refusal {
                reason: ROLLED_BACK,
                detail: why,
            };
            ((kept.team, kept.version), (refusal, pointer))
        });
        Self {
            path: path.to_owned(),
            trials: trials
                .map(|kept| ((kept.team, kept.version), kept.what))
                .collect(),
            bans: bans.collect(),
            written,
            has_failed: false,
        }
    }

    pub(crate) fn bans(&self) -> &Bans {
        &self.bans
    }

    pub(crate) fn ban(&mut self, name: &str, version: &str, why: String, pointer: &Pointer) {
        let refusal = Refusal {
            reason: ROLLED_BACK,
            detail: why,
        };
        let key = (name.to_owned(), version.to_owned());
        self.bans.insert(key, (refusal, pointer.clone()));
    }

    /// Lifts bans whose pointers have changed; an unreadable or unsigned pointer counts as unchanged. The unbanned
    /// version goes on trial again, regardless of its publication time.
    pub(crate) fn lift<'a>(&mut self, now: i64, pointer: impl Fn(&str) -> Option<&'a Pointer>) {
        let trials = &mut self.trials;
        self.bans.retain(|key, (_, banned)| {
            let Some(moved) = pointer(&key.0).filter(|named| *named != banned) else {
                return true;
            };
            let since = Since {
                began: now,
                published: moved.published.get(&key.1).copied(),
            };
            trials.insert(key.clone(), since);
            false
        });
    }

    /// Records the versions that pointers name at `now` (seconds since 1970) and drops other versions of the same
    /// teams. Teams with an unreadable pointer are left unchanged. A trial begins at the publication time, or at `now`
    /// if the pointer has none.
    pub(crate) fn follow<'a>(
        &mut self,
        now: i64,
        named: impl Iterator<Item = (&'a String, &'a Pointer)>,
    ) {
        let mut trials = BTreeMap::new();
        let mut readable = BTreeSet::new();
        for (name, pointer) in named {
            readable.insert(name);
            for version in pointer.versions() {
                let key = (name.clone(), version.to_owned());
                let published = pointer.published.get(version).copied();
                let known = self.trials.get(&key).copied();
                let known = known.filter(|since| since.published == published);
                let since = known.unwrap_or_else(|| Since {
                    began: published.map_or(now, |published| published.min(now)),
                    published,
                });
                trials.insert(key, since);
            }
        }
        let unreadable = std::mem::take(&mut self.trials).into_iter();
        trials.extend(unreadable.filter(|((name, _), _)| !readable.contains(name)));
        self.trials = trials;
    }

    /// Returns whether a version is new enough to be rolled back when it fails.
    pub(crate) fn is_on_trial(&self, name: &str, version: &str, now: i64) -> bool {
        let since = self.trials.get(&(name.to_owned(), version.to_owned()));
        let trial = i64::try_from(TRIAL.as_secs()).unwrap_or(i64::MAX);
        since.is_some_and(|since| now.saturating_sub(since.began) <= trial)
    }

    /// Writes changes atomically. Repeated failures are logged once. After a failure the gateway continues, but a
    /// restart loses the changes.
    pub(crate) async fn save(&mut self) {
        let bytes = self.contents();
        if bytes == self.written {
            return;
        }
        let (path, text) = (self.path.clone(), bytes.clone());
        let written = tokio::task::spawn_blocking(move || write(&path, &text)).await;
        match written
            .map_err(io::Error::other)
            .and_then(|written| written)
        {
            Ok(()) => {
                self.written = bytes;
                self.has_failed = false;
            }
            Err(error) if !self.has_failed => {
                self.has_failed = true;
                let path = self.path.display();
                tracing::warn!(%path, %error, "REMOTES_STATE cannot be written: a restart loses trials and rollbacks");
            }
            Err(_) => {}
        }
    }

    fn contents(&self) -> Vec<u8> {
        let trials = self.trials.iter().map(|((team, version), since)| Kept {
            team: team.clone(),
            version: version.clone(),
            what: *since,
        });
        let bans = self.bans.iter();
        let bans = bans.map(|((team, version), (refusal, pointer))| Kept {
            team: team.clone(),
            version: version.clone(),
            what: Ban {
                why: refusal.detail.clone(),
                pointer: pointer.clone(),
            },
        });
        let contents = Contents {
            trials: trials.collect(),
            bans: bans.collect(),
        };
        // Strings and numbers always serialise.
        serde_json::to_vec_pretty(&contents).unwrap_or_default()
    }
}

fn read(path: &Path) -> io::Result<(Vec<u8>, Contents)> {
    let size = fs::metadata(path)?.len();
    if size > BYTES_MAX {
        return Err(io::Error::other(format!("has more than {BYTES_MAX} bytes")));
    }
    let bytes = fs::read(path)?;
    let contents = serde_json::from_slice(&bytes)?;
    Ok((bytes, contents))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_added_extension("unfinished");
    let mut file = File::create(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(unfinished, path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DAY: i64 = 24 * 3_600;

    fn pointer(value: serde_json::Value) -> Pointer {
        serde_json::from_value(value).unwrap()
    }

    fn follow(memory: &mut Memory, now: i64, pointer: &Pointer) {
        memory.follow(now, [(&"clinic".to_owned(), pointer)].into_iter());
    }

    #[tokio::test]
    async fn g3_restart_keeps_trusted_versions_and_bans() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let mut memory = Memory::open(&path);
        let named = pointer(json!({"stable": "2", "previous": "1"}));
        follow(&mut memory, 1_000, &named);
        assert!(memory.is_on_trial("clinic", "2", 1_000 + DAY));
        assert!(!memory.is_on_trial("clinic", "2", 1_001 + DAY));
        memory.ban("clinic", "2", "it failed".to_owned(), &named);
        memory.save().await;
        let mut memory = Memory::open(&path);
        follow(&mut memory, 1_001 + DAY, &named);
        assert!(!memory.is_on_trial("clinic", "1", 1_001 + DAY));
        let key = ("clinic".to_owned(), "2".to_owned());
        assert_eq!(memory.bans()[&key].0.detail, "it failed");
        memory.lift(1_001 + DAY, |_| Some(&named));
        assert_eq!(memory.bans().len(), 1, "its pointer has not moved");
        // An unreadable or unsigned pointer has not moved either.
        memory.lift(1_001 + DAY, |_| None);
        memory.follow(1_001 + DAY, [].into_iter());
        follow(&mut memory, 1_001 + DAY, &named);
        assert_eq!(memory.bans().len(), 1);
        assert!(!memory.is_on_trial("clinic", "1", 1_001 + DAY));
        let again = pointer(json!({"stable": "2", "previous": "1", "moves": 1}));
        memory.lift(1_002 + DAY, |_| Some(&again));
        follow(&mut memory, 1_003 + DAY, &again);
        assert!(memory.bans().is_empty());
        assert!(
            memory.is_on_trial("clinic", "2", 1_003 + DAY),
            "tried again"
        );
    }

    #[test]
    fn g3_trial_starts_at_publication() {
        let mut memory = Memory::open(Path::new("/nonexistent/state.json"));
        let named =
            pointer(json!({"stable": "2", "previous": "1", "published": {"2": 5 * DAY, "1": 0}}));
        follow(&mut memory, 5 * DAY + 60, &named);
        assert!(memory.is_on_trial("clinic", "2", 6 * DAY));
        assert!(!memory.is_on_trial("clinic", "2", 6 * DAY + 1));
        assert!(!memory.is_on_trial("clinic", "1", 5 * DAY + 60));
        // A publication time in the future does not extend a trial forever.
        let future = pointer(json!({"stable": "3", "published": {"3": 900 * DAY}}));
        follow(&mut memory, 7 * DAY, &future);
        follow(&mut memory, 9 * DAY, &future);
        assert!(!memory.is_on_trial("clinic", "3", 9 * DAY));
        assert!(
            !memory.is_on_trial("clinic", "2", 5 * DAY),
            "no pointer names it"
        );
    }

    #[test]
    fn starts_with_a_corrupt_memory_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        fs::write(&path, "{").unwrap();
        assert!(Memory::open(&path).bans().is_empty());
    }
}
