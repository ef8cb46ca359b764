//! Invalidation of what is cached from the API's answers.
//!
//! Lazy: a change only records its number. Each cached entry remembers its reads and the last change it has seen (its
//! [`Basis`]), and is validated before it is sent. So a change costs the same however many entries there are, and one
//! that arrives while an entry is being made from the old state invalidates that entry too.

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

/// Invalidated paths remembered at most; on overflow every older entry is invalidated once: more work, never a stale answer.
const PATHS_MAX: usize = 4096;

/// A read of the API that a cached entry depends on.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// Decoded, without the query.
    path: String,
    /// Package of the contract that answered it.
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

/// What a cached entry was made from: its reads, and the last change that was known before the first of them.
#[derive(Debug, Default)]
pub(crate) struct Basis {
    seen: AtomicU64,
    reads: Vec<Read>,
}

impl Basis {
    /// `since` is [`Changes::position`] from before the first of the reads began.
    pub(crate) fn new(since: u64, reads: Vec<Read>) -> Self {
        Self {
            seen: AtomicU64::new(since),
            reads,
        }
    }

    /// Validates this entry up to the changes that `other` had seen: for a stale entry whose refresh failed. The next change
    /// invalidates it again.
    pub(crate) fn advance_to(&self, other: &Self) {
        let seen = other.seen.load(Ordering::Relaxed);
        self.seen.fetch_max(seen, Ordering::Relaxed);
    }
}

/// The changes of one gateway.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Number of the last change.
    last: AtomicU64,
    invalidations: RwLock<Invalidations>,
}

/// Number of the last change of each path and package.
#[derive(Debug, Default)]
struct Invalidations {
    by_path: HashMap<String, u64>,
    by_package: HashMap<Arc<str>, u64>,
    /// The last change whose path is no longer remembered.
    forgotten: u64,
}

impl Changes {
    /// Number of the last change so far.
    pub(crate) fn position(&self) -> u64 {
        self.last.load(Ordering::Acquire)
    }

    /// Invalidates these paths, all queries of them and everything below them.
    pub(crate) fn invalidate_paths<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) {
        self.note(|invalidations, number| {
            for path in paths {
                if invalidations.by_path.len() >= PATHS_MAX {
                    invalidations.by_path.clear();
                    invalidations.forgotten = number;
                }
                invalidations.by_path.insert(decoded(path.as_ref()), number);
            }
        });
    }

    /// Invalidates every answer of these packages.
    pub(crate) fn invalidate_packages(&self, packages: &[Arc<str>]) {
        self.note(|invalidations, number| {
            for package in packages {
                invalidations.by_package.insert(Arc::clone(package), number);
            }
        });
    }

    fn note(&self, write: impl FnOnce(&mut Invalidations, u64)) {
        let mut invalidations = self.invalidations.write();
        let number = self.last.load(Ordering::Relaxed) + 1;
        write(&mut invalidations, number);
        // Last: a reader that sees the number must find the change.
        self.last.store(number, Ordering::Release);
    }

    /// Whether no change has invalidated an entry with this basis.
    pub(crate) fn is_current(&self, basis: &Basis) -> bool {
        let seen = basis.seen.load(Ordering::Relaxed);
        if seen == self.position() {
            return true;
        }
        let invalidations = self.invalidations.read();
        if basis
            .reads
            .iter()
            .any(|read| invalidations.last_of(read) > seen)
        {
            return false;
        }
        let last = self.last.load(Ordering::Relaxed);
        drop(invalidations);
        basis.seen.fetch_max(last, Ordering::Relaxed);
        true
    }
}

impl Invalidations {
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

/// Canonical form of a path: without escapes and trailing slashes.
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
            changes.invalidate_paths([changed]);
            assert_eq!(changes.is_current(&basis), expected, "{changed} {read}");
        }
    }

    #[test]
    fn what_is_made_after_a_change_is_current() {
        let changes = Changes::default();
        let before = basis(&changes, "/books");
        changes.invalidate_packages(&["library.v1".into()]);
        assert!(!changes.is_current(&before));
        let after = basis(&changes, "/books");
        changes.invalidate_packages(&["other.v1".into()]);
        assert!(changes.is_current(&after));
        before.advance_to(&after);
        assert!(changes.is_current(&before));
        changes.invalidate_paths(["/books"]);
        assert!(!changes.is_current(&before) && !changes.is_current(&after));
    }

    #[test]
    fn what_is_forgotten_counts_as_changed_once() {
        let changes = Changes::default();
        let old = basis(&changes, "/books");
        changes.invalidate_paths((0..=PATHS_MAX).map(|n| format!("/others/{n}")));
        assert!(!changes.is_current(&old));
        assert!(changes.is_current(&basis(&changes, "/books")));
        assert!(changes.invalidations.read().by_path.len() <= PATHS_MAX);
    }
}
