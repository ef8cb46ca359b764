//! Secrets by which people reach what is theirs without an account: 256 bits, given once.
//!
//! A secret is derived from the service's key, the subject's id and how many secrets it has had, so that a repeated create and a
//! reminder can say it again while the database holds only its hash. Whoever has the database has no secret.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use store_kit::keys::Keys;
use uuid::Uuid;

/// Links that were replaced and are still recognised as such.
const REPLACED_MAX: i64 = 20;

/// Whose secret it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Appointment,
    WaitlistEntry,
}

impl Subject {
    fn contexts(self) -> (&'static str, &'static str) {
        match self {
            Self::Appointment => ("appointments.secret", "appointments.secret_hash"),
            Self::WaitlistEntry => ("waitlist_entries.secret", "waitlist_entries.secret_hash"),
        }
    }
}

/// The secret of that generation, from 1: 43 characters of base64url.
pub(crate) fn derive(keys: &Keys, subject: Subject, id: Uuid, generation: i64) -> String {
    let name = [id.as_bytes().as_slice(), &generation.to_be_bytes()].concat();
    URL_SAFE_NO_PAD.encode(keys.digest(subject.contexts().0, &name))
}

/// What the database keeps of a secret.
pub(crate) fn hash(keys: &Keys, subject: Subject, secret: &str) -> [u8; 32] {
    keys.digest(subject.contexts().1, secret.as_bytes())
}

/// What a secret that somebody shows is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shown {
    Valid,
    /// It was valid until a newer one replaced it.
    Replaced,
    Wrong,
}

/// Compares keyed hashes, so that the time it takes says nothing of the secret. `hashed` is what the database keeps, if anything.
pub(crate) fn check(
    keys: &Keys,
    subject: Subject,
    id: Uuid,
    generation: i64,
    hashed: Option<&[u8]>,
    shown: &str,
) -> Shown {
    let is = hash(keys, subject, shown);
    if hashed == Some(is.as_slice()) {
        return Shown::Valid;
    }
    let first = (generation - REPLACED_MAX).max(1);
    let was = (first..generation)
        .map(|earlier| hash(keys, subject, &derive(keys, subject, id, earlier)))
        .any(|earlier| earlier == is);
    if was { Shown::Replaced } else { Shown::Wrong }
}
