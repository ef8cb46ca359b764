//! Cursor pagination of a list in memory. A page token names the last record of the previous page, so that records added
//! or removed between two calls shift nothing; it is bound to the filter it was made for.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use service_kit::violation::Violation;
use sha2::{Digest, Sha256};

pub(crate) const PAGE_SIZE_MAX: usize = 100;
/// Advice for an invalid page token.
pub(crate) const TOKEN_WANTED: &str = "Use the nextPageToken of the page before, unchanged";
/// Bytes of the filter's hash in a token: enough to notice a mix-up, it protects nothing.
const FILTER_BYTES: usize = 6;

/// What part of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageRequest {
    size: usize,
    /// Id of the last record of the page before.
    after: Option<String>,
    filter: [u8; FILTER_BYTES],
}

impl PageRequest {
    /// `filter` is everything else in the request that decides what is in the list. A size above the maximum is lowered
    /// to it (AIP-158).
    pub(crate) fn parse(size: i32, token: &str, filter: &[&str]) -> Result<Self, Vec<Violation>> {
        Self::parse_sized(size, token, filter, PAGE_SIZE_MAX)
    }

    /// The same with another size for when none is asked for.
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

    /// Most records of the page.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// What the token names: the last record of the page before.
    pub(crate) fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// The token of the page that follows `last`.
    pub(crate) fn token_after(&self, last: &str) -> String {
        encode(last, self.filter)
    }

    /// The page, and the token of the next one: empty at the end. `all` has every record that may be named by a token, in
    /// order; `is_wanted` is the filter.
    pub(crate) fn cut<'a, T>(
        &self,
        all: &'a [T],
        id: impl Fn(&T) -> &str,
        is_wanted: impl Fn(&T) -> bool,
    ) -> (Vec<&'a T>, String) {
        let start = match &self.after {
            None => 0,
            // The record of the token was removed: the list ends, and the visitor starts anew.
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
        // Hashed apart, so that no two lists of parts run together.
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
        // The name goes on to the database, and nobody here gives out one with NUL.
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
    fn pages_follow_each_other_without_gap_or_repetition() {
        let (first, next) = page(2, "", &["x"]);
        assert_eq!(first, ["a", "c"]);
        let (second, end) = page(2, &next, &["x"]);
        assert_eq!(second, ["d", "e"]);
        assert_eq!(end, "", "no page is left, and no token says there is");
    }

    #[test]
    fn sizes_are_bounded() {
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
    fn a_token_belongs_to_its_list() {
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
