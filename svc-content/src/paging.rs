//! Cursor pagination of in-memory lists. A page token names the last record of the previous page, so insertions and
//! deletions between two calls do not shift pages. A token is bound to its filter.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use service_kit::violation::Violation;
use sha2::{Digest, Sha256};

pub(crate) const PAGE_SIZE_MAX: usize = 100;
/// Advice for an invalid page token.
pub(crate) const TOKEN_WANTED: &str = "Use the nextPageToken of the page before, unchanged";
/// Length of the filter hash in a token, in bytes. Detects accidental mix-ups; it is no protection.
const FILTER_BYTES: usize = 6;

/// Requested page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageRequest {
    size: usize,
    /// Id of the last record of the previous page.
    after: Option<String>,
    filter: [u8; FILTER_BYTES],
}

impl PageRequest {
    /// Parses a page request. `filter` is every other request field that affects the list. A size above the maximum is
    /// reduced to it (AIP-158).
    pub(crate) fn parse(size: i32, token: &str, filter: &[&str]) -> Result<Self, Vec<Violation>> {
        Self::parse_sized(size, token, filter, PAGE_SIZE_MAX)
    }

    /// Like [`Self::parse`], with a different default size.
    pub(crate) fn parse_sized(
        size: i32,
        token: &str,
        filter: &[&str],
        size_default: usize,
    ) -> Result<Self, Vec<Violation>> {
        let filter = filter_hash(filter);
        let mut violations = Vec::new();
        let size = usize::try_from(size).unwrap_or_else(|_| {
            violations.push(Violation::new(
                "pageSize",
                "Ask for 1 to 100 records, or leave it out",
            ));
            0
        });
        let after = if token.is_empty() {
            None
        } else {
            let after = decode(token, filter);
            if after.is_none() {
                violations.push(Violation::new("pageToken", TOKEN_WANTED));
            }
            after
        };
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self {
            size: if size == 0 {
                size_default
            } else {
                size.min(PAGE_SIZE_MAX)
            },
            after,
            filter,
        })
    }

    /// Returns the maximum number of records on the page.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the id in the token: the last record of the previous page.
    pub(crate) fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// Returns the token of the page after `last`.
    pub(crate) fn token_after(&self, last: &str) -> String {
        encode(last, self.filter)
    }

    /// Returns the page, and the token of the next one, which is empty at the end. `all` holds every record that a
    /// token may name, in order; `is_wanted` is the filter.
    pub(crate) fn cut<'a, T>(
        &self,
        all: &'a [T],
        id: impl Fn(&T) -> &str,
        is_wanted: impl Fn(&T) -> bool,
    ) -> (Vec<&'a T>, String) {
        let start = match &self.after {
            None => 0,
            // The token's record was deleted: the list ends, and the visitor has to start again.
            Some(after) => all
                .iter()
                .position(|record| id(record) == after)
                .map_or(all.len(), |at| at + 1),
        };
        let mut wanted = all[start..].iter().filter(|record| is_wanted(record));
        let page: Vec<_> = wanted.by_ref().take(self.size).collect();
        let next = match (wanted.next(), page.last()) {
            (Some(_), Some(last)) => encode(id(last), self.filter),
            _ => String::new(),
        };
        (page, next)
    }
}

fn filter_hash(filter: &[&str]) -> [u8; FILTER_BYTES] {
    let mut hash = Sha256::new();
    for part in filter {
        // Hash parts separately, so that different lists of parts cannot collide by concatenation.
        hash.update(Sha256::digest(part));
    }
    let mut short = [0; FILTER_BYTES];
    short.copy_from_slice(&hash.finalize()[..FILTER_BYTES]);
    short
}

fn encode(after: &str, filter: [u8; FILTER_BYTES]) -> String {
    BASE64.encode([&filter, after.as_bytes()].concat())
}

fn decode(token: &str, filter: [u8; FILTER_BYTES]) -> Option<String> {
    let bytes = BASE64.decode(token).ok()?;
    let after = bytes.strip_prefix(&filter)?;
    String::from_utf8(after.to_vec())
        .ok()
        // The id is passed to the database; valid tokens contain no control characters such as NUL.
        .filter(|after| !after.is_empty() && !after.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&str; 5] = ["a", "b", "c", "d", "e"];

    fn page(size: i32, token: &str, filter: &[&str]) -> (Vec<String>, String) {
        let request = PageRequest::parse(size, token, filter).expect("a page");
        let (page, next) = request.cut(&ALL, |id| id, |id| *id != "b");
        (page.into_iter().map(|id| (*id).to_owned()).collect(), next)
    }

    #[test]
    fn pages_have_neither_gaps_nor_duplicates() {
        let (first, next) = page(2, "", &["x"]);
        assert_eq!(first, ["a", "c"]);
        let (second, end) = page(2, &next, &["x"]);
        assert_eq!(second, ["d", "e"]);
        assert_eq!(end, "", "no page is left, and no token says there is");
    }

    #[test]
    fn limits_page_sizes() {
        assert_eq!(page(0, "", &[]).0.len(), 4);
        assert_eq!(page(i32::MAX, "", &[]).0.len(), 4);
        let violations = PageRequest::parse(-1, "nonsense", &[]).expect_err("violations");
        let fields: Vec<_> = violations
            .iter()
            .map(|violation| violation.field.as_str())
            .collect();
        assert_eq!(fields, ["pageSize", "pageToken"]);
        let request = PageRequest::parse(1000, "", &[]).expect("a page");
        assert_eq!(request.size, PAGE_SIZE_MAX);
    }

    #[test]
    fn a_token_is_bound_to_its_filter() {
        let (_, next) = page(1, "", &["x", ""]);
        assert!(PageRequest::parse(1, &next, &["x", ""]).is_ok());
        for other in [&["", "x"][..], &["x"], &["y", ""]] {
            assert!(PageRequest::parse(1, &next, other).is_err(), "{other:?}");
        }
        for bad in [
            "zz",
            "a",
            "é",
            "00",
            &next[..8],
            &next[..7],
            &next.replace(&next[..2], "--"),
        ] {
            assert!(PageRequest::parse(1, bad, &["x", ""]).is_err(), "{bad}");
        }
    }
}
