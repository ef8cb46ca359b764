//! Token with the time at which a visitor opened a form. Nothing is stored; a keyed hash proves that this service
//! issued it.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::keys::Keys;

/// Minimum time that a person needs for a form.
const YOUNG: TimeDelta = TimeDelta::seconds(3);
/// Maximum age of a token.
const OLD: TimeDelta = TimeDelta::days(1);
/// Maximum clock difference between two machines.
const SKEW: TimeDelta = TimeDelta::seconds(60);
const TOKEN_CHARS_MAX: usize = 200;
const TIME_BYTES: usize = 8;
const DIGEST_BYTES: usize = 16;

/// Classification of a token's age.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Age {
    #[default]
    Missing,
    TooYoung,
    Human,
    TooOld,
    /// Not issued by this service.
    Forged,
}

/// Issues a token for a form opened now: 32 characters of base64url.
pub fn issue(keys: &Keys, now: DateTime<Utc>) -> String {
    let time = now.timestamp_millis().to_be_bytes();
    URL_SAFE_NO_PAD.encode([time.as_slice(), &digest(keys, time)].concat())
}

/// Classifies the age of a token; an empty token is missing.
pub fn age(keys: &Keys, token: &str, now: DateTime<Utc>) -> Age {
    if token.is_empty() {
        return Age::Missing;
    }
    let Some(made) = opened(keys, token) else {
        return Age::Forged;
    };
    let age = now - made;
    if age < -SKEW {
        Age::Forged
    } else if age < YOUNG {
        Age::TooYoung
    } else if age > OLD {
        Age::TooOld
    } else {
        Age::Human
    }
}

fn opened(keys: &Keys, token: &str) -> Option<DateTime<Utc>> {
    if token.len() > TOKEN_CHARS_MAX {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (time, shown) = bytes.split_first_chunk::<TIME_BYTES>()?;
    // An ordinary comparison is safe here: the key is secret, and the hash covers only a time.
    if digest(keys, *time) != *shown {
        return None;
    }
    DateTime::from_timestamp_millis(i64::from_be_bytes(*time))
}

fn digest(keys: &Keys, time: [u8; TIME_BYTES]) -> [u8; DIGEST_BYTES] {
    let digest = keys.digest("form.token", &time);
    let mut short = [0; DIGEST_BYTES];
    short.copy_from_slice(&digest[..DIGEST_BYTES]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_measures_the_time_to_fill_in_the_form() {
        let keys = test_kit::keys::keys();
        let now = DateTime::from_timestamp(1_795_000_000, 0).expect("a moment");
        let token = issue(&keys, now);
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_graphic()));
        for (seconds, expected) in [
            (-61, Age::Forged),
            (-1, Age::TooYoung),
            (0, Age::TooYoung),
            (2, Age::TooYoung),
            (3, Age::Human),
            (86_400, Age::Human),
            (86_401, Age::TooOld),
        ] {
            let then = now + TimeDelta::seconds(seconds);
            assert_eq!(age(&keys, &token, then), expected, "{seconds} s");
        }
        let mut forged = token.clone();
        forged.replace_range(7..8, if &token[7..8] == "A" { "B" } else { "A" });
        let long = "A".repeat(201);
        for wrong in [forged.as_str(), "x", "ಕ", &token[..31], &long] {
            assert_eq!(age(&keys, wrong, now), Age::Forged, "{wrong}");
        }
        assert_eq!(age(&keys, "", now), Age::Missing);
    }
}
