//! Tokens of previews: a version of a record and a time, under a keyed hash.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use store_kit::keys::Keys;

use super::Draft;
use crate::records::Kind;

/// How long a token is valid.
const LIFETIME: TimeDelta = TimeDelta::hours(1);
/// Maximum bytes of a token. The longest has an id of 80 bytes.
const BYTES_MAX: usize = 256;
const HASH_BYTES: usize = 32;
const PURPOSE: &str = "preview";

/// A token as its text names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) draft: Draft,
    pub(super) expires: DateTime<Utc>,
}

impl Token {
    pub(super) fn new(draft: Draft, now: DateTime<Utc>) -> Self {
        let expires = (now + LIFETIME).trunc_subsecs(0);
        Self { draft, expires }
    }

    /// Returns the token's text, which fits into an address.
    pub(super) fn sign(&self, keys: &Keys) -> String {
        let Draft { kind, id, version } = &self.draft;
        let claims = format!("{}/{version}/{}/{id}", self.expires.timestamp(), kind.name);
        let hash = keys.digest(PURPOSE, claims.as_bytes());
        URL_SAFE_NO_PAD.encode([&hash, claims.as_bytes()].concat())
    }

    /// Returns the token of a text; `None` if it is forged or has expired.
    pub(super) fn verify(text: &str, keys: &Keys, now: DateTime<Utc>) -> Option<Self> {
        if text.len() > BYTES_MAX {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (hash, claims) = bytes.split_first_chunk::<HASH_BYTES>()?;
        let is_ours = |keys: &Keys| keys.is_own_digest(PURPOSE, claims, hash);
        // Links made before the key was replaced.
        if !is_ours(keys) && !keys.previous().is_some_and(|keys| is_ours(&keys)) {
            return None;
        }
        let mut parts = str::from_utf8(claims).ok()?.splitn(4, '/');
        let expires = DateTime::from_timestamp(parts.next()?.parse().ok()?, 0)?;
        let version = parts.next()?.parse().ok()?;
        let (kind, id) = (Kind::of(parts.next()?)?, parts.next()?.to_owned());
        let draft = Draft { kind, id, version };
        (expires > now).then_some(Self { draft, expires })
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn keys(byte: u8, previous: Option<u8>) -> Keys {
        let key = |byte: u8| STANDARD.encode([byte; 32]);
        let previous = previous.map_or_else(String::new, |byte| {
            format!("previous_index_key = \"{}\"\n", key(byte))
        });
        let index = key(byte);
        let text = format!(
            "active = \"a\"\nindex_key = \"{index}\"\n{previous}[keys]\na = \"{}\"\n",
            key(1)
        );
        Keys::parse(&text).unwrap()
    }

    fn token(now: DateTime<Utc>) -> Token {
        let draft = Draft {
            kind: Kind::of("why-choose").unwrap(),
            id: "x".repeat(80),
            version: i64::from(i32::MAX),
        };
        Token::new(draft, now)
    }

    #[test]
    fn is_valid_for_an_hour() {
        let now = DateTime::from_timestamp(1_800_000_000, 900_000_000).unwrap();
        let token = token(now);
        let text = token.sign(&keys(9, None));
        assert!(text.len() <= BYTES_MAX, "{}", text.len());
        let read = |now| Token::verify(&text, &keys(9, None), now);
        assert_eq!(read(now), Some(token));
        let minutes = |minutes| now + TimeDelta::minutes(minutes);
        assert!(read(minutes(59)).is_some());
        assert_eq!(read(minutes(60)), None);
        assert_eq!(read(minutes(600)), None);
    }

    #[test]
    fn opens_with_the_current_and_the_previous_key_only() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let text = token(now).sign(&keys(9, None));
        assert!(Token::verify(&text, &keys(8, Some(9)), now).is_some());
        assert_eq!(Token::verify(&text, &keys(8, None), now), None);
        assert_eq!(Token::verify(&text, &keys(8, Some(7)), now), None);
    }

    #[test]
    fn refuses_every_changed_text() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let (keys, text) = (keys(9, None), token(now).sign(&keys(9, None)));
        for place in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            let read = Token::verify(&changed, &keys, now);
            assert_eq!(read, None, "{place}");
        }
        for wrong in ["", "A", "é", "%00", &text[..40], &text.repeat(2)] {
            assert_eq!(Token::verify(wrong, &keys, now), None, "{wrong}");
        }
    }
}
