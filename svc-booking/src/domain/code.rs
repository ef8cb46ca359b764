//! Codes that open an appointment for a person who has lost its link: mailed to the address on file, typed within minutes.

use chrono::TimeDelta;

/// Kind of the notification with a code.
pub const CODE: &str = "appointment.code";
/// Kind of the notification with the present link.
pub const LINK: &str = "appointment.link";

/// How long a code is valid.
pub const CODE_TIME: TimeDelta = TimeDelta::minutes(10);
/// Codes, and links, that are mailed for one reference in a [`TRIES_WINDOW`].
pub const MAILS_MAX: i64 = 3;
/// Wrong codes of one reference in a [`TRIES_WINDOW`]. With 3 codes valid at once a guess succeeds with a chance of 15 in a million.
pub const TRIES_MAX: i64 = 5;
/// Wrong codes of one network in a [`TRIES_WINDOW`], whatever the references.
pub const TRIES_OF_NETWORK_MAX: i64 = 20;
/// The time in which mails and tries are counted, from the first one on.
pub const TRIES_WINDOW: TimeDelta = TimeDelta::hours(1);

/// Six digits of a keyed hash of a code's id.
pub fn digits(digest: [u8; 32]) -> String {
    let number = u64::from_be_bytes(*digest.first_chunk().unwrap_or(&[0; 8]));
    format!("{:06}", number % 1_000_000)
}

/// A code as typed, without the spaces that people put into it.
pub fn typed(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_six_digits() {
        let of = |number: u64| {
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&number.to_be_bytes());
            digits(digest)
        };
        assert_eq!(of(7), "000007");
        assert_eq!(of(12_999_999), "999999");
        assert_eq!(typed(" 123\u{a0}456\n"), "123456");
    }
}
