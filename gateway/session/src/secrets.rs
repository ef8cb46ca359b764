//! Random values, fingerprints of values that must not be stored, and comparison in constant time.

use std::{fmt, hint::black_box};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    digest::{self, SHA256},
    rand::{SecureRandom as _, SystemRandom},
};

/// Length of a fingerprint, in bytes. Finding a second value for one takes 2^128 tries.
const MARK_BYTES: usize = 16;

/// The operating system returns no random bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the operating system returns no random bytes")]
pub struct NoRandomness;

/// Returns random bytes. They come from the operating system directly, unlike other randomness, which is passed in: a
/// predictable value would open a session or reveal a key.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map(|()| bytes).map_err(|_| NoRandomness)
}

/// Returns `N` random bytes as text.
pub(crate) fn random_text<const N: usize>() -> Result<String, NoRandomness> {
    random::<N>().map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
}

/// Compares two texts of one length in a time that does not depend on their content.
pub(crate) fn is_equal(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let difference = pairs.fold(0, |difference, (one, other)| {
        black_box(difference | (one ^ other))
    });
    one.len() == other.len() && difference == 0
}

/// Fingerprint of a value: the first 16 bytes of its SHA-256. Files and memory hold it instead of an id or a subject.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Mark([u8; MARK_BYTES]);

impl Mark {
    /// Returns the fingerprint of a value. `kind` separates equal values of different meaning.
    pub(crate) fn of(kind: &str, value: &[u8]) -> Self {
        let mut context = digest::Context::new(&SHA256);
        context.update(kind.as_bytes());
        context.update(&[0]);
        context.update(value);
        let mut mark = [0; MARK_BYTES];
        mark.copy_from_slice(&context.finish().as_ref()[..MARK_BYTES]);
        Self(mark)
    }

    /// Returns the fingerprint as 22 characters.
    pub(crate) fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Parses the text of [`Self::to_text`].
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Mark")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_whole_texts() {
        assert!(is_equal("", "") && is_equal("abc", "abc"));
        for other in ["", "ab", "abcd", "abd", "xbc"] {
            assert!(
                !is_equal("abc", other) && !is_equal(other, "abc"),
                "{other}"
            );
        }
    }

    #[test]
    fn marks_differ_by_kind_and_value() {
        let mark = Mark::of("id", b"a");
        assert_ne!(mark, Mark::of("id", b"b"));
        assert_ne!(mark, Mark::of("sid", b"a"));
        assert_eq!(Mark::parse(&mark.to_text()), Some(mark));
        assert_eq!(Mark::parse("short"), None);
    }
}
