//! Proof of work: the browser of a suspicious sender computes for a second or two while the button shows 'Sending...'.
//!
//! `proof = challenge + "." + number`, where the SHA-256 of that text starts with the number of zero bits in the
//! challenge. A keyed hash binds the challenge to the message and to 10 minutes. Nothing is stored.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};
use store_kit::keys::Keys;

/// Validity of a challenge.
const WINDOW: TimeDelta = TimeDelta::minutes(10);
/// Maximum clock difference between two machines.
const SKEW: TimeDelta = TimeDelta::seconds(60);
const PROOF_CHARS_MAX: usize = 300;
const TIME_BYTES: usize = 8;
const DIGEST_BYTES: usize = 16;

/// Creates a challenge with `bits` bits for a message. `body` is the message in canonical form.
pub fn challenge(keys: &Keys, body: &[u8], bits: u32, now: DateTime<Utc>) -> String {
    let time = now.timestamp().to_be_bytes();
    let bits = u8::try_from(bits).unwrap_or(u8::MAX);
    let digest = digest(keys, body, time, bits);
    URL_SAFE_NO_PAD.encode([time.as_slice(), &[bits], &digest].concat())
}

/// Returns whether a proof answers a challenge issued for this message in the last 10 minutes. A proof with fewer bits
/// than would now be required is accepted, because the score was lower when the challenge was issued.
pub fn is_valid(keys: &Keys, body: &[u8], proof: &str, now: DateTime<Utc>) -> bool {
    let parts = || {
        let proof = Some(proof).filter(|proof| proof.len() <= PROOF_CHARS_MAX)?;
        let (challenge, _) = proof.rsplit_once('.')?;
        let bytes = URL_SAFE_NO_PAD.decode(challenge).ok()?;
        let (time, rest) = bytes.split_first_chunk::<TIME_BYTES>()?;
        let (bits, shown) = rest.split_first()?;
        let made = DateTime::from_timestamp(i64::from_be_bytes(*time), 0)?;
        (digest(keys, body, *time, *bits) == *shown).then_some((made, *bits))
    };
    let Some((made, bits)) = parts() else {
        return false;
    };
    let age = now - made;
    age >= -SKEW && age <= WINDOW && zero_bits(proof) >= u32::from(bits)
}

/// Counts the leading zero bits of the SHA-256 of a text.
pub fn zero_bits(text: &str) -> u32 {
    let mut bits = 0;
    for byte in Sha256::digest(text) {
        bits += byte.leading_zeros();
        if byte != 0 {
            break;
        }
    }
    bits
}

fn digest(keys: &Keys, body: &[u8], time: [u8; TIME_BYTES], bits: u8) -> [u8; DIGEST_BYTES] {
    let message = Sha256::digest(body);
    let name = [time.as_slice(), &[bits], message.as_slice()].concat();
    let digest = keys.digest("form.challenge", &name);
    let mut short = [0; DIGEST_BYTES];
    short.copy_from_slice(&digest[..DIGEST_BYTES]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(challenge: &str, bits: u32) -> String {
        let mut proofs = (0_u64..).map(|number| format!("{challenge}.{number}"));
        proofs.find(|proof| zero_bits(proof) >= bits).expect("one")
    }

    #[test]
    fn a_proof_covers_one_message_for_ten_minutes() {
        let keys = test_kit::keys::keys();
        let now = DateTime::from_timestamp(1_795_000_000, 0).expect("a moment");
        let asked = challenge(&keys, b"message", 8, now);
        assert!(!asked.contains('.') && asked.len() < 100);
        let proof = solved(&asked, 8);
        let later = |seconds| now + TimeDelta::seconds(seconds);
        assert!(is_valid(&keys, b"message", &proof, now));
        assert!(is_valid(&keys, b"message", &proof, later(600)));
        assert!(!is_valid(&keys, b"message", &proof, later(601)));
        assert!(!is_valid(&keys, b"message", &proof, later(-61)));
        assert!(!is_valid(&keys, b"another", &proof, now));
        let unsolved = (0..).map(|number| format!("{asked}.{number}"));
        let unsolved = unsolved.filter(|proof| zero_bits(proof) < 8).take(20);
        for wrong in unsolved.chain([String::new(), ".".into(), asked.clone(), "x".repeat(301)]) {
            assert!(!is_valid(&keys, b"message", &wrong, now), "{wrong}");
        }
        // Lowering the bits in the challenge invalidates it, because they are part of the digest.
        let mut bytes = URL_SAFE_NO_PAD.decode(&asked).expect("bytes");
        bytes[8] = 0;
        let easy = format!("{}.0", URL_SAFE_NO_PAD.encode(bytes));
        assert!(!is_valid(&keys, b"message", &easy, now));
    }
}
