//! The newsletter as mails see it: who still wants it, what an issue says, and the links in both directions.
//!
//! A link names its subscription and proves by a keyed hash that the hospital made it, so the database holds no secret of one. The
//! link that ends a subscription works for ever; the one that confirms it for 7 days, and not after the subscription was ended.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use store_kit::{database::Database, error::StoreError, keys::Keys};
use uuid::Uuid;

use crate::{
    domain::newsletter::{CONFIRM_WITHIN, Issue},
    store,
};

/// Longest token that is looked at.
const TOKEN_CHARS_MAX: usize = 128;
const ID_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const DIGEST_BYTES: usize = 32;

/// Whether the owner of an address has confirmed it, and has not ended the subscription since. Asked again before an issue is sent.
///
/// # Errors
/// When the database fails.
pub async fn is_confirmed(
    database: &Database,
    keys: &Keys,
    email: &str,
) -> Result<bool, StoreError> {
    store::subscriptions::is_confirmed(database, keys, email).await
}

/// What an issue says; `None` when there is none of this id.
///
/// # Errors
/// When the database fails.
pub async fn issue(database: &Database, newsletter: Uuid) -> Result<Option<Issue>, StoreError> {
    store::issue(database, newsletter).await
}

/// Makes and checks the links in mails. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Links {
    keys: Keys,
    /// See [`crate::site::Site::origin`].
    origin: Arc<str>,
}

impl Links {
    /// Links to pages of the site at `origin`.
    pub fn new(keys: Keys, origin: &str) -> Self {
        Self {
            keys,
            origin: origin.into(),
        }
    }

    /// The link that confirms a subscription.
    pub fn confirm(&self, id: Uuid, generation: i64, now: DateTime<Utc>) -> String {
        let time = now.timestamp().to_be_bytes();
        let digest = self.confirm_digest(id, generation, time);
        let token = URL_SAFE_NO_PAD.encode([id.as_bytes().as_slice(), &time, &digest].concat());
        format!("{}/newsletter/confirm?token={token}", self.origin)
    }

    /// The link that ends a subscription.
    pub fn unsubscribe(&self, id: Uuid) -> String {
        let token = URL_SAFE_NO_PAD
            .encode([id.as_bytes().as_slice(), &self.unsubscribe_digest(id)].concat());
        format!("{}/newsletter/unsubscribe?token={token}", self.origin)
    }

    /// The subscription that a token names. Nothing is proved by that.
    pub fn subject(token: &str) -> Option<Uuid> {
        let bytes = decoded(token)?;
        let (id, _) = bytes.split_first_chunk::<ID_BYTES>()?;
        Some(Uuid::from_bytes(*id))
    }

    /// Whether a token confirms the subscription that it names, which is at `generation`.
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

    /// The subscription that a token ends; `None` for a token that was not made here.
    pub fn unsubscribes(&self, token: &str) -> Option<Uuid> {
        let bytes = decoded(token)?;
        let (id, digest) = bytes.split_first_chunk::<ID_BYTES>()?;
        let id = Uuid::from_bytes(*id);
        let own = self.unsubscribe_digest(id);
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

    /// Compares keyed hashes of both, so that the time it takes says nothing of the secret.
    fn is_same(&self, own: &[u8], shown: &[u8]) -> bool {
        let hash = |value| self.keys.digest("subscriptions.shown", value);
        hash(own) == hash(shown)
    }
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
    fn a_link_does_one_thing_to_one_subscription() {
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
        // The id of another one, and what is no token.
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
