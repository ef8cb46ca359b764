//! Links in mails to confirm and to end a newsletter subscription, and to give a place at an event back.
//!
//! A link contains its subscription's id and a keyed hash, so the database stores no token. An unsubscribe link never
//! expires. A confirmation link is valid for 7 days and is revoked when the subscription ends.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use store_kit::keys::Keys;
use uuid::Uuid;

use crate::domain::newsletter::CONFIRM_WITHIN;

/// Maximum length of a token, in characters; longer ones are rejected.
const TOKEN_CHARS_MAX: usize = 128;
const ID_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const DIGEST_BYTES: usize = 32;

/// Creates and verifies the links in mails. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Links {
    keys: Keys,
    /// See [`crate::site::Site::origin`].
    origin: Arc<str>,
}

impl Links {
    /// Creates links to pages of the site at `origin`.
    pub fn new(keys: Keys, origin: &str) -> Self {
        Self {
            keys,
            origin: origin.into(),
        }
    }

    /// Returns the link that confirms a subscription.
    pub fn confirm(&self, id: Uuid, generation: i64, now: DateTime<Utc>) -> String {
        let time = now.timestamp().to_be_bytes();
        let digest = self.confirm_digest(id, generation, time);
        let token = URL_SAFE_NO_PAD.encode([id.as_bytes().as_slice(), &time, &digest].concat());
        format!("{}/newsletter/confirm?token={token}", self.origin)
    }

    /// Returns the link that ends a subscription.
    pub fn unsubscribe(&self, id: Uuid) -> String {
        let token = URL_SAFE_NO_PAD
            .encode([id.as_bytes().as_slice(), &self.unsubscribe_digest(id)].concat());
        format!("{}/newsletter/unsubscribe?token={token}", self.origin)
    }

    /// Returns the subscription that a token refers to, without verifying the token.
    pub fn subject(token: &str) -> Option<Uuid> {
        let bytes = decoded(token)?;
        let (id, _) = bytes.split_first_chunk::<ID_BYTES>()?;
        Some(Uuid::from_bytes(*id))
    }

    /// Returns whether a token confirms the subscription in it. `generation` is the subscription's current generation.
    pub fn confirms(&self, token: &str, generation: i64, now: DateTime<Utc>) -> bool {
        let parts = || {
            let bytes = decoded(token)?;
            let (id, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
            let (time, digest) = rest.split_first_chunk::<TIME_BYTES>()?;
            Some((Uuid::from_bytes(*id), *time, digest.to_vec()))
        };
        let Some((id, time, digest)) = parts() else {
            return false;
        };
        let made = DateTime::from_timestamp(i64::from_be_bytes(time), 0);
        let is_in_time = made.is_some_and(|made| now - made <= CONFIRM_WITHIN);
        let own = self.confirm_digest(id, generation, time);
        is_in_time && self.is_same(&own, &digest)
    }

    /// Returns the subscription that a token ends; `None` if the token is forged.
    pub fn unsubscribes(&self, token: &str) -> Option<Uuid> {
        let bytes = decoded(token)?;
        let (id, digest) = bytes.split_first_chunk::<ID_BYTES>()?;
        let id = Uuid::from_bytes(*id);
        let own = self.unsubscribe_digest(id);
        self.is_same(&own, digest).then_some(id)
    }

    /// Returns the registration whose place a token gives back; `None` if the token is forged.
    pub fn gives_back(&self, token: &str) -> Option<Uuid> {
        let bytes = decoded(token)?;
        let (id, digest) = bytes.split_first_chunk::<ID_BYTES>()?;
        let id = Uuid::from_bytes(*id);
        let own = registration_digest(&self.keys, id);
        self.is_same(&own, digest).then_some(id)
    }

    fn confirm_digest(
        &self,
        id: Uuid,
        generation: i64,
        time: [u8; TIME_BYTES],
    ) -> [u8; DIGEST_BYTES] {
        let name = [id.as_bytes().as_slice(), &generation.to_be_bytes(), &time].concat();
        self.keys.digest("subscriptions.confirm", &name)
    }

    fn unsubscribe_digest(&self, id: Uuid) -> [u8; DIGEST_BYTES] {
        self.keys.digest("subscriptions.unsubscribe", id.as_bytes())
    }

    /// Compares keyed hashes of both values, so that timing reveals nothing about the secret.
    fn is_same(&self, own: &[u8], shown: &[u8]) -> bool {
        let hash = |value| self.keys.digest("subscriptions.shown", value);
        hash(own) == hash(shown)
    }
}

/// Returns the token of the link that gives a registration's place back. It never expires.
pub fn registration_token(keys: &Keys, id: Uuid) -> String {
    let digest = registration_digest(keys, id);
    URL_SAFE_NO_PAD.encode([id.as_bytes().as_slice(), &digest].concat())
}

fn registration_digest(keys: &Keys, id: Uuid) -> [u8; DIGEST_BYTES] {
    keys.digest("events.give_back", id.as_bytes())
}

fn decoded(token: &str) -> Option<Vec<u8>> {
    (token.len() <= TOKEN_CHARS_MAX)
        .then(|| URL_SAFE_NO_PAD.decode(token).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn token(link: &str) -> &str {
        link.split_once("?token=").expect("a token").1
    }

    #[test]
    fn a_link_has_one_effect_on_one_subscription() {
        let links = Links::new(test_kit::keys::keys(), "https://sampige.example");
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let now = DateTime::from_timestamp(1_795_000_000, 0).expect("a moment");
        let confirm = links.confirm(one, 1, now);
        let end = links.unsubscribe(one);
        assert!(confirm.starts_with("https://sampige.example/newsletter/confirm?token="));
        assert!(end.starts_with("https://sampige.example/newsletter/unsubscribe?token="));
        let (confirm, end) = (token(&confirm), token(&end));
        assert!(confirm.len() <= TOKEN_CHARS_MAX && end.len() <= TOKEN_CHARS_MAX);
        assert_eq!(Links::subject(confirm), Some(one));
        assert!(links.confirms(confirm, 1, now));
        assert!(links.confirms(confirm, 1, now + TimeDelta::days(7)));
        assert!(!links.confirms(confirm, 1, now + TimeDelta::days(7) + TimeDelta::seconds(1)));
        assert!(!links.confirms(confirm, 2, now));
        assert!(!links.confirms(end, 1, now));
        assert_eq!(links.unsubscribes(end), Some(one));
        assert_eq!(links.unsubscribes(confirm), None);
        // A token with another subscription's id, and malformed tokens.
        let mut bytes = decoded(end).expect("bytes");
        bytes[..16].copy_from_slice(other.as_bytes());
        let forged = URL_SAFE_NO_PAD.encode(&bytes);
        let long = "A".repeat(129);
        for wrong in ["", "ಕ", "AAAA", &end[..end.len() - 1], &forged, &long] {
            assert_eq!(links.unsubscribes(wrong), None, "{wrong}");
            assert!(!links.confirms(wrong, 1, now), "{wrong}");
        }
    }
}
