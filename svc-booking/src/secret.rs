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

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        test_kit::keys::keys()
    }

    fn shown(generation: i64, secret: &str) -> Shown {
        let id = Uuid::from_u128(1);
        let present = derive(&keys(), Subject::Appointment, id, generation);
        let kept = hash(&keys(), Subject::Appointment, &present);
        check(
            &keys(),
            Subject::Appointment,
            id,
            generation,
            Some(&kept),
            secret,
        )
    }

    #[test]
    fn a_secret_is_of_one_subject_kind_and_generation() {
        let id = Uuid::from_u128(1);
        let mut all = std::collections::HashSet::new();
        for subject in [Subject::Appointment, Subject::WaitlistEntry] {
            for id in [id, Uuid::from_u128(2)] {
                for generation in 1..=3 {
                    let secret = derive(&keys(), subject, id, generation);
                    let is_plain =
                        |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
                    assert!(
                        secret.len() == 43 && secret.chars().all(is_plain),
                        "{secret}"
                    );
                    assert!(all.insert(secret));
                }
            }
        }
        // It can be said again, and what is kept does not say it.
        let again = derive(&keys(), Subject::Appointment, id, 1);
        assert!(all.contains(&again));
        let kept = hash(&keys(), Subject::Appointment, &again);
        assert_ne!(URL_SAFE_NO_PAD.encode(kept), again);
    }

    #[test]
    fn the_last_is_valid_and_those_before_are_known_as_replaced() {
        let of = |generation| {
            derive(
                &keys(),
                Subject::Appointment,
                Uuid::from_u128(1),
                generation,
            )
        };
        assert_eq!(shown(1, &of(1)), Shown::Valid);
        assert_eq!(shown(2, &of(1)), Shown::Replaced);
        assert_eq!(shown(2, &of(2)), Shown::Valid);
        assert_eq!(shown(2, &of(3)), Shown::Wrong, "it is not given yet");
        assert_eq!(shown(21, &of(1)), Shown::Replaced);
        assert_eq!(shown(22, &of(1)), Shown::Wrong, "as many as are remembered");
        let others = derive(&keys(), Subject::Appointment, Uuid::from_u128(2), 1);
        for wrong in ["", "ಕ", others.as_str(), &of(1)[..42]] {
            assert_eq!(shown(1, wrong), Shown::Wrong, "{wrong}");
        }
    }

    #[test]
    fn nothing_opens_what_has_no_secret() {
        let id = Uuid::from_u128(1);
        for secret in ["", &derive(&keys(), Subject::Appointment, id, 0)] {
            let found = check(&keys(), Subject::Appointment, id, 0, None, secret);
            assert_eq!(found, Shown::Wrong);
        }
    }
}
