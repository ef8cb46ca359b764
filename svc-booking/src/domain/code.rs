//! One-time codes that open an appointment for a person who has lost its link. A code is mailed to the address on file
//! and must be typed within minutes.

use chrono::TimeDelta;

/// Kind of the notification with a code.
pub const CODE: &str = "appointment.code";
/// Kind of the notification with the current link.
pub const LINK: &str = "appointment.link";

/// Lifetime of a code.
pub const CODE_TIME: TimeDelta = TimeDelta::minutes(10);
/// Maximum codes and links mailed per reference in a [`TRIES_WINDOW`].
pub const MAILS_MAX: i64 = 3;
/// Maximum wrong codes per reference in a [`TRIES_WINDOW`]. With 3 codes valid at once, a guess succeeds with a chance
/// of 15 in a million.
pub const TRIES_MAX: i64 = 5;
/// Maximum wrong codes per network in a [`TRIES_WINDOW`], across all references.
pub const TRIES_OF_NETWORK_MAX: i64 = 20;
/// Window in which mails and tries are counted; starts with the first one.
pub const TRIES_WINDOW: TimeDelta = TimeDelta::hours(1);

/// Derives the six digits of a code from a keyed hash of its id.
pub fn digits(digest: [u8; 32]) -> String {
    let number = u64::from_be_bytes(*digest.first_chunk().unwrap_or(&[0; 8]));
    format!("{:06}", number % 1_000_000)
}

/// Removes white space from a typed code.
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
