//! Secrets of 256 bits that give people access to their own data without an account.
//!
//! A secret is derived from the service's key, the subject's id and the secret's generation. A retried create and a
//! reminder can therefore include it again, while the database stores only a hash. A copy of the database reveals no
//! secret.
//!
//! Each generation has two secrets that open the same page. The browser gets one in the response to its request. Mails
//! contain the other, and only the mailed secret proves the address. Mails of releases up to 0.1.0 contain the
//! browser's secret.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use store_kit::keys::Keys;
use uuid::Uuid;

/// Number of replaced generations that are still recognised as replaced.
const REPLACED_MAX: i64 = 20;

/// Kind of data that a secret opens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Appointment,
    WaitlistEntry,
}

/// Channel through which a secret was issued.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Given {
    InAnswer,
    ByMail,
}

impl Subject {
    /// Key derivation context. Must never change, because every issued secret depends on it.
    fn context(self, given: Given) -> &'static str {
        match (self, given) {
            (Self::Appointment, Given::InAnswer) => "appointments.secret",
            (Self::Appointment, Given::ByMail) => "appointments.mailed_secret",
            (Self::WaitlistEntry, Given::InAnswer) => "waitlist_entries.secret",
            (Self::WaitlistEntry, Given::ByMail) => "waitlist_entries.mailed_secret",
        }
    }

    fn hash_context(self) -> &'static str {
        match self {
            Self::Appointment => "appointments.secret_hash",
            Self::WaitlistEntry => "waitlist_entries.secret_hash",
        }
    }
}

/// Derives the secret of a generation, counted from 1: 43 characters of base64url.
pub(crate) fn derive(
    keys: &Keys,
    subject: Subject,
    given: Given,
    id: Uuid,
    generation: i64,
) -> String {
    let name = [id.as_bytes().as_slice(), &generation.to_be_bytes()].concat();
    URL_SAFE_NO_PAD.encode(keys.digest(subject.context(given), &name))
}

/// Returns the hash of the browser's secret that the database stores.
pub(crate) fn hash(keys: &Keys, subject: Subject, secret: &str) -> [u8; 32] {
    keys.digest(subject.hash_context(), secret.as_bytes())
}

/// Returns whether a secret, already checked, is the mailed one of a generation.
pub(crate) fn is_mailed(
    keys: &Keys,
    subject: Subject,
    id: Uuid,
    generation: i64,
    shown: &str,
) -> bool {
    let mailed = derive(keys, subject, Given::ByMail, id, generation);
    hash(keys, subject, &mailed) == hash(keys, subject, shown)
}

/// Result of checking a secret shown by a caller.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shown {
    Valid(Given),
    /// It was valid until a newer secret replaced it.
    Replaced(Given),
    Wrong,
}

/// Checks a secret. Compares keyed hashes, which makes the duration independent of the secret. `hashed` is the stored
/// hash, if any.
pub(crate) fn check(
    keys: &Keys,
    subject: Subject,
    id: Uuid,
    generation: i64,
    hashed: Option<&[u8]>,
    shown: &str,
) -> Shown {
    let Some(hashed) = hashed else {
        return Shown::Wrong;
    };
    let is = hash(keys, subject, shown);
    if hashed == is.as_slice() {
        return Shown::Valid(Given::InAnswer);
    }
    let is_of = |given, generation| {
        hash(keys, subject, &derive(keys, subject, given, id, generation)) == is
    };
    if generation > 0 && is_of(Given::ByMail, generation) {
        return Shown::Valid(Given::ByMail);
    }
    let first = (generation - REPLACED_MAX).max(1);
    let earlier = (first..generation)
        .flat_map(|earlier| [Given::InAnswer, Given::ByMail].map(|given| (given, earlier)))
        .find(|(given, earlier)| is_of(*given, *earlier));
    earlier.map_or(Shown::Wrong, |(given, _)| Shown::Replaced(given))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: [Given; 2] = [Given::InAnswer, Given::ByMail];

    fn keys() -> Keys {
        test_kit::keys::keys()
    }

    fn of(given: Given, generation: i64) -> String {
        let id = Uuid::from_u128(1);
        derive(&keys(), Subject::Appointment, given, id, generation)
    }

    fn shown(generation: i64, secret: &str) -> Shown {
        let id = Uuid::from_u128(1);
        let kept = hash(
            &keys(),
            Subject::Appointment,
            &of(Given::InAnswer, generation),
        );
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
    fn a_secret_is_bound_to_subject_channel_and_generation() {
        let id = Uuid::from_u128(1);
        let mut all = std::collections::HashSet::new();
        for subject in [Subject::Appointment, Subject::WaitlistEntry] {
            for (given, id) in GIVEN
                .into_iter()
                .flat_map(|given| [(given, id), (given, Uuid::from_u128(2))])
            {
                for generation in 1..=3 {
                    let secret = derive(&keys(), subject, given, id, generation);
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
        // It can be derived again, and the stored hash does not reveal it.
        let again = of(Given::InAnswer, 1);
        assert!(all.contains(&again));
        let kept = hash(&keys(), Subject::Appointment, &again);
        assert_ne!(URL_SAFE_NO_PAD.encode(kept), again);
    }

    // X1: both secrets of a generation are valid, and the check distinguishes the mailed one.
    #[test]
    fn the_latest_secret_is_valid_and_earlier_ones_are_replaced() {
        for given in GIVEN {
            let of = |generation| of(given, generation);
            assert_eq!(shown(1, &of(1)), Shown::Valid(given));
            assert_eq!(shown(2, &of(1)), Shown::Replaced(given));
            assert_eq!(shown(2, &of(2)), Shown::Valid(given));
            assert_eq!(shown(2, &of(3)), Shown::Wrong, "not issued yet");
            assert_eq!(shown(21, &of(1)), Shown::Replaced(given));
            assert_eq!(shown(22, &of(1)), Shown::Wrong, "as many as are remembered");
            let others = derive(&keys(), Subject::Appointment, given, Uuid::from_u128(2), 1);
            for wrong in ["", "ಕ", others.as_str(), &of(1)[..42]] {
                assert_eq!(shown(1, wrong), Shown::Wrong, "{wrong}");
            }
        }
    }

    #[test]
    fn an_appointment_without_a_secret_cannot_be_opened() {
        let id = Uuid::from_u128(1);
        for generation in [0, 1] {
            for given in GIVEN {
                let secret = of(given, generation);
                let subject = Subject::Appointment;
                let found = check(&keys(), subject, id, generation, None, &secret);
                assert_eq!(found, Shown::Wrong);
            }
        }
        let found = check(&keys(), Subject::Appointment, id, 0, None, "");
        assert_eq!(found, Shown::Wrong);
    }
}
