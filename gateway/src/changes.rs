//! What has changed behind the API, so that nothing kept in memory outlives it.
//!
//! Nothing is thrown away when a change is heard of: whatever is kept remembers what it was made from and up to which
//! change that was known, and is looked at again when it is about to be sent. So a change costs the same whatever the
//! number of things kept, and one that comes while something is being made from the old state is noticed as well.

mod watch;

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::RwLock;

use crate::api::template::percent_decode;

pub(crate) use watch::Watchers;

/// Paths remembered at most; beyond, everything older counts as changed once, which costs work but is never wrong.
const PATHS_MAX: usize = 4096;

/// A read of the API that something was made from.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// Decoded, without the query.
    path: String,
    /// Whose upstream answered it.
    package: Arc<str>,
}

impl Read {
    /// From a path as it was asked for, below the mount point.
    pub(crate) fn new(path: &str, package: Arc<str>) -> Self {
        let path = path.split('?').next().unwrap_or_default();
        Self {
            path: decoded(path),
            package,
        }
    }
}

/// What something was made from, and the last change that was known then.
#[derive(Debug, Default)]
pub(crate) struct Basis {
    seen: AtomicU64,
    reads: Vec<Read>,
}

impl Basis {
    /// `since` must have been asked for before the first of the reads began.
    pub(crate) fn new(since: u64, reads: Vec<Read>) -> Self {
        Self {
            seen: AtomicU64::new(since),
            reads,
        }
    }

    /// Counts this as made when the other was: for what has to do although it could not be made anew.
    pub(crate) fn excuse(&self, other: &Self) {
        let seen = other.seen.load(Ordering::Relaxed);
        self.seen.fetch_max(seen, Ordering::Relaxed);
    }
}

/// The changes of one gateway.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Number of the last change.
    last: AtomicU64,
    heard: RwLock<Heard>,
}

/// Numbers of the last changes.
#[derive(Debug, Default)]
struct Heard {
    by_path: HashMap<String, u64>,
    by_package: HashMap<Arc<str>, u64>,
    /// Of those that are no longer known one by one.
    forgotten: u64,
}

impl Changes {
    /// The last change so far.
    pub(crate) fn position(&self) -> u64 {
        self.last.load(Ordering::Acquire)
    }

    /// These paths, all queries of them and everything below them have new answers.
    pub(crate) fn note_paths<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) {
        self.note(|heard, number| {
            for path in paths {
                if heard.by_path.len() >= PATHS_MAX {
                    heard.by_path.clear();
                    heard.forgotten = number;
                }
                heard.by_path.insert(decoded(path.as_ref()), number);
            }
        });
    }

    /// Everything that these packages answer may have changed.
    pub(crate) fn note_packages(&self, packages: &[Arc<str>]) {
        self.note(|heard, number| {
            for package in packages {
                heard.by_package.insert(Arc::clone(package), number);
            }
        });
    }

    fn note(&self, write: impl FnOnce(&mut Heard, u64)) {
        let mut heard = self.heard.write();
        let number = self.last.load(Ordering::Relaxed) + 1;
        write(&mut heard, number);
        // Last, so that who sees the number finds the change.
        self.last.store(number, Ordering::Release);
    }

    /// Whether nothing has changed of what this was made from.
    pub(crate) fn is_current(&self, basis: &Basis) -> bool {
        let seen = basis.seen.load(Ordering::Relaxed);
        if seen == self.position() {
            return true;
        }
        let heard = self.heard.read();
        if basis.reads.iter().any(|read| heard.last_of(read) > seen) {
            return false;
        }
        let last = self.last.load(Ordering::Relaxed);
        drop(heard);
        basis.seen.fetch_max(last, Ordering::Relaxed);
        true
    }
}

impl Heard {
    fn last_of(&self, read: &Read) -> u64 {
        let package = self.by_package.get(&read.package).copied();
        let last = self.forgotten.max(package.unwrap_or_default());
        if self.by_path.is_empty() {
            return last;
        }
        let ends = read.path.match_indices('/').map(|(at, _)| at);
        let ends = ends.chain([read.path.len()]);
        ends.filter_map(|end| self.by_path.get(&read.path[..end]).copied())
            .fold(last, u64::max)
    }
}

/// One form for what is written in several: without escapes and without a slash at the end.
fn decoded(path: &str) -> String {
    let path = path.trim_end_matches('/');
    percent_decode(path).map_or_else(|| path.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(changes: &Changes, path: &str) -> Basis {
        Basis::new(
            changes.position(),
            vec![Read::new(path, "library.v1".into())],
        )
    }

    #[test]
    fn a_path_stands_for_its_queries_and_for_what_is_below() {
        for (changed, read, expected) in [
            ("/books", "/books", false),
            ("/books", "/books?q=x", false),
            ("/books", "/books/7/pages", false),
            ("/books/", "/books/7", false),
            ("/books/a b", "/books/a%20b", false),
            ("/books/caf%C3%A9", "/books/café", false),
            ("/", "/books", false),
            ("/books/7", "/books", true),
            ("/books", "/bookshelves", true),
            ("/books/7", "/books/77", true),
        ] {
            let changes = Changes::default();
            let basis = basis(&changes, read);
            changes.note_paths([changed]);
            assert_eq!(changes.is_current(&basis), expected, "{changed} {read}");
        }
    }

    #[test]
    fn what_is_made_after_a_change_is_current() {
        let changes = Changes::default();
        let before = basis(&changes, "/books");
        changes.note_packages(&["library.v1".into()]);
        assert!(!changes.is_current(&before));
        let after = basis(&changes, "/books");
        changes.note_packages(&["other.v1".into()]);
        assert!(changes.is_current(&after));
        before.excuse(&after);
        assert!(changes.is_current(&before));
        changes.note_paths(["/books"]);
        assert!(!changes.is_current(&before) && !changes.is_current(&after));
    }

    #[test]
    fn what_is_forgotten_counts_as_changed_once() {
        let changes = Changes::default();
        let old = basis(&changes, "/books");
        changes.note_paths((0..=PATHS_MAX).map(|n| format!("/others/{n}")));
        assert!(!changes.is_current(&old));
        assert!(changes.is_current(&basis(&changes, "/books")));
        assert!(changes.heard.read().by_path.len() <= PATHS_MAX);
    }
}
