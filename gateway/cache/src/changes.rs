//! Invalidation of cached API responses.
//!
//! Invalidation is lazy: a change only records its number. Each cached entry holds its reads and the last change it has
//! seen (its [`Basis`]), and is validated before it is sent. A change therefore costs the same regardless of the number
//! of entries. A change that arrives while an entry is being made from the old state invalidates that entry too.

mod watch;

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use gateway_contract::template::percent_decode;
use parking_lot::RwLock;
use tokio::sync::watch::{Receiver, Sender};

pub use watch::Watchers;

/// Maximum remembered paths and parameters. On overflow every older entry is invalidated once: more work, never a stale
/// answer.
const PATHS_MAX: usize = 4096;
/// Maximum compared parameters of a read. A read with more is invalidated by any parameter of its path.
const READ_PARAMETERS_MAX: usize = 16;

/// Name (camelCase) and value of a query parameter, both decoded.
type Parameter = (String, String);

/// A read of the API that a cached entry depends on.
#[derive(Clone, Debug)]
pub struct Read {
    /// Percent-decoded, without trailing slashes.
    path: String,
    /// `None` if the query is malformed or has too many parameters to compare.
    parameters: Option<Vec<Parameter>>,
    /// Package of the contract that served the read.
    package: Arc<str>,
}

impl Read {
    /// Builds a read from path and query as requested, below the mount point.
    pub fn new(path: &str, query: Option<&str>, package: Arc<str>) -> Self {
        let parameters = parameters(query.unwrap_or_default());
        Self {
            path: decoded(path),
            parameters: parameters.filter(|all| all.len() <= READ_PARAMETERS_MAX),
            package,
        }
    }
}

/// Dependencies of a cached entry: its reads, and the last change known before the first of them.
#[derive(Debug, Default)]
pub struct Basis {
    seen: AtomicU64,
    reads: Vec<Read>,
}

impl Basis {
    /// `since` is [`Changes::position`], taken before the first read began.
    pub fn new(since: u64, reads: Vec<Read>) -> Self {
        Self {
            seen: AtomicU64::new(since),
            reads,
        }
    }

    /// Validates this entry up to the changes that `other` has seen; used for a stale entry whose refresh failed. The
    /// next change invalidates it again.
    pub fn advance_to(&self, other: &Self) {
        let seen = other.seen.load(Ordering::Relaxed);
        self.seen.fetch_max(seen, Ordering::Relaxed);
    }
}

/// Recorded changes of one gateway.
#[derive(Debug, Default)]
pub struct Changes {
    /// Number of the last change.
    last: AtomicU64,
    invalidations: RwLock<Invalidations>,
    /// The same number, for those that wait for the next change.
    announced: Sender<u64>,
}

/// Number of the last change of each path, parameter of a path, and package.
#[derive(Debug, Default)]
struct Invalidations {
    by_path: HashMap<String, u64>,
    by_parameter: HashMap<String, HashMap<Parameter, u64>>,
    by_package: HashMap<Arc<str>, u64>,
    /// By the first segment of changed paths.
    by_collection: HashMap<String, u64>,
    /// Number of entries in `by_path`, `by_parameter` and `by_collection` together.
    remembered: usize,
    /// Last change whose path is no longer remembered.
    forgotten: u64,
}

impl Changes {
    /// Returns the number of the last change so far.
    pub fn position(&self) -> u64 {
        self.last.load(Ordering::Acquire)
    }

    /// Returns a receiver that is notified of every change.
    pub fn subscribe(&self) -> Receiver<u64> {
        self.announced.subscribe()
    }

    /// Returns the number of the last change in a collection, such as `appointments`, which `package` serves. It
    /// covers every path that begins with the segment `collection`.
    pub fn last_of_collection(&self, collection: &str, package: &str) -> u64 {
        self.invalidations
            .read()
            .last_of_collection(collection, package)
    }

    /// Invalidates these paths, with all their queries and everything below them. A path with exactly one parameter
    /// invalidates only reads of that path with the same parameter and value.
    pub fn invalidate_paths<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) {
        self.note(|invalidations, number| {
            for path in paths {
                invalidations.insert(path.as_ref(), number);
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
        drop(invalidations);
        self.announced.send_replace(number);
    }

    /// Whether no change has invalidated an entry with this basis.
    pub fn is_current(&self, basis: &Basis) -> bool {
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
    fn insert(&mut self, changed: &str, number: u64) {
        // A change adds at most two entries.
        if self.remembered + 2 > PATHS_MAX {
            self.by_path.clear();
            self.by_parameter.clear();
            self.by_collection.clear();
            self.remembered = 0;
            self.forgotten = number;
        }
        let (path, query) = changed.split_once('?').unwrap_or((changed, ""));
        let before = match only(query) {
            Some(parameter) => {
                let of_path = self.by_parameter.entry(decoded(path)).or_default();
                of_path.insert(parameter, number)
            }
            // A query that cannot be compared invalidates the whole path, so that nothing stale is left.
            None => self.by_path.insert(decoded(path), number),
        };
        let earlier = self.by_collection.insert(collection(path), number);
        self.remembered += usize::from(before.is_none()) + usize::from(earlier.is_none());
    }

    fn last_of_collection(&self, collection: &str, package: &str) -> u64 {
        let changed = self.by_package.get(package);
        // A change of the root covers all collections.
        let collections = [collection, ""].map(|name| self.by_collection.get(name));
        let all = changed.into_iter().chain(collections.into_iter().flatten());
        all.copied().fold(self.forgotten, u64::max)
    }

    fn last_of(&self, read: &Read) -> u64 {
        let package = self.by_package.get(&read.package).copied();
        let last = self.forgotten.max(package.unwrap_or_default());
        let last = last.max(self.last_of_parameters(read));
        if self.by_path.is_empty() {
            return last;
        }
        let ends = read.path.match_indices('/').map(|(at, _)| at);
        let ends = ends.chain([read.path.len()]);
        ends.filter_map(|end| self.by_path.get(&read.path[..end]).copied())
            .fold(last, u64::max)
    }

    fn last_of_parameters(&self, read: &Read) -> u64 {
        let Some(changed) = self.by_parameter.get(&read.path) else {
            return 0;
        };
        let last = match &read.parameters {
            Some(parameters) => parameters.iter().filter_map(|one| changed.get(one)).max(),
            None => changed.values().max(),
        };
        last.copied().unwrap_or_default()
    }
}

/// Parses a query as the API does; names may be in either spelling. Returns `None` if the query is malformed.
fn parameters(query: &str) -> Option<Vec<Parameter>> {
    let pairs: Vec<Parameter> = serde_urlencoded::from_str(query).ok()?;
    let named = |(name, value): Parameter| (camel_case(&name), value);
    Some(pairs.into_iter().map(named).collect())
}

/// Returns the parameter of a query that has exactly one.
fn only(query: &str) -> Option<Parameter> {
    let [parameter] = <[Parameter; 1]>::try_from(parameters(query)?).ok()?;
    Some(parameter)
}

/// Converts a field name, in JSON or proto spelling, to its JSON name.
fn camel_case(name: &str) -> String {
    let mut pieces = name.split('_');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |mut whole, piece| {
        let mut letters = piece.chars();
        whole.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        whole.push_str(letters.as_str());
        whole
    })
}

/// Returns the canonical form of a path: percent-decoded, without trailing slashes.
fn decoded(path: &str) -> String {
    let path = path.trim_end_matches('/');
    percent_decode(path).map_or_else(|| path.to_owned(), Cow::into_owned)
}

/// Returns the first segment of a changed path.
fn collection(path: &str) -> String {
    let first = path.split('/').nth(1).unwrap_or_default();
    decoded(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(changes: &Changes, path: &str) -> Basis {
        let (path, query) = match path.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path, None),
        };
        let read = Read::new(path, query, "library.v1".into());
        Basis::new(changes.position(), vec![read])
    }

    #[test]
    fn path_covers_its_queries_and_descendants() {
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
    fn parameter_covers_reads_of_its_path_with_that_parameter() {
        for (changed, read, expected) in [
            ("/books?subject=poetry", "/books?subject=poetry", false),
            (
                "/books?subject=poetry",
                "/books?from=1&subject=poetry&to=2",
                false,
            ),
            (
                "/books?subject=poetry",
                "/books?subject=prose&subject=poetry",
                false,
            ),
            (
                "/books?subject=old%20verse",
                "/books?subject=old+verse",
                false,
            ),
            ("/books?subject=caf%C3%A9", "/books?subject=café", false),
            ("/books/?subject=poetry", "/books?subject=poetry", false),
            ("/books?subjectId=1", "/books?subject_id=1", false),
            ("/books?a=1&subject=poetry", "/books", false),
            ("/books?", "/books?subject=prose", false),
            ("/books?subject=poetry", "/books?subject=prose", true),
            ("/books?subject=poetry", "/books?subject=poetry2", true),
            ("/books?subject=poetry", "/books?author=poetry", true),
            ("/books?subject=poetry", "/books", true),
            ("/books?subject=poetry", "/books/7?subject=poetry", true),
            ("/books?subject=poetry", "/others?subject=poetry", true),
        ] {
            let changes = Changes::default();
            let basis = basis(&changes, read);
            changes.invalidate_paths([changed]);
            assert_eq!(changes.is_current(&basis), expected, "{changed} {read}");
        }
    }

    #[test]
    fn read_with_too_many_parameters_is_never_current() {
        let changes = Changes::default();
        let many: Vec<String> = (0..=READ_PARAMETERS_MAX)
            .map(|n| format!("p{n}=1"))
            .collect();
        let basis = basis(&changes, &format!("/books?{}", many.join("&")));
        changes.invalidate_paths(["/others?subject=poetry"]);
        assert!(changes.is_current(&basis));
        changes.invalidate_paths(["/books?subject=poetry"]);
        assert!(!changes.is_current(&basis));
    }

    #[test]
    fn is_current_if_made_after_the_change() {
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
    fn counts_an_evicted_path_as_changed_once() {
        let changes = Changes::default();
        let old = basis(&changes, "/books");
        changes.invalidate_paths((0..=PATHS_MAX).map(|n| format!("/others/{n}")));
        assert!(!changes.is_current(&old));
        assert!(changes.is_current(&basis(&changes, "/books")));
        let values = (0..3 * PATHS_MAX).map(|n| format!("/books?subject={n}"));
        changes.invalidate_paths(values);
        let invalidations = changes.invalidations.read();
        let parameters: usize = invalidations.by_parameter.values().map(HashMap::len).sum();
        let collections = invalidations.by_collection.len();
        assert_eq!(
            invalidations.by_path.len() + parameters + collections,
            invalidations.remembered
        );
        assert!(invalidations.remembered <= PATHS_MAX);
    }

    #[test]
    fn collection_covers_all_paths_that_begin_with_it() {
        for (changed, expected) in [
            ("/books", true),
            ("/books/7/pages", true),
            ("/books?subject=poetry", true),
            ("/books?a=1&b=2", true),
            ("/%62ooks", true),
            ("/", true),
            ("/bookshelves", false),
            ("/others/books", false),
        ] {
            let changes = Changes::default();
            changes.invalidate_paths([changed]);
            let last = changes.last_of_collection("books", "library.v1");
            assert_eq!(last == changes.position(), expected, "{changed}");
        }
        let changes = Changes::default();
        changes.invalidate_packages(&["library.v1".into()]);
        assert_eq!(changes.last_of_collection("books", "library.v1"), 1);
        assert_eq!(changes.last_of_collection("books", "other.v1"), 0);
    }

    #[test]
    fn notifies_of_every_change() {
        let changes = Changes::default();
        let mut receiver = changes.subscribe();
        assert!(!receiver.has_changed().unwrap());
        changes.invalidate_paths(["/books"]);
        assert!(receiver.has_changed().unwrap());
        assert_eq!(*receiver.borrow_and_update(), changes.position());
    }
}
