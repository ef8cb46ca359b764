//! Parsers for command line values: limits, and values that end up in files and mails. A bad value fails before a port
//! is bound.

use url::Url;

use crate::input::{EmailAddress, Line, PhoneNumber, Problem};

/// Parses a number of milliseconds from 1 to 600,000 (ten minutes).
///
/// # Errors
/// Names the allowed range when the text is not such a number.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    bounded(text, 1, 600_000, "milliseconds")
}

/// Parses a count from 1 to 1,000,000.
///
/// # Errors
/// Names the allowed range when the text is not such a number.
pub fn count(text: &str) -> Result<usize, String> {
    bounded(text, 1, 1_000_000, "a count").map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

/// Parses one line of at most `CHARS_MAX` characters, without invisible ones.
///
/// # Errors
/// The problem with the text.
pub fn line<const CHARS_MAX: usize>(text: &str) -> Result<String, Problem> {
    Line::parse(text, CHARS_MAX).map(Line::into_string)
}

/// Parses an e-mail address.
///
/// # Errors
/// The problem with the text.
pub fn email(text: &str) -> Result<String, Problem> {
    EmailAddress::parse(text).map(EmailAddress::into_string)
}

/// Parses a phone number.
///
/// # Errors
/// The problem with the text.
pub fn phone(text: &str) -> Result<String, Problem> {
    PhoneNumber::parse(text).map(PhoneNumber::into_string)
}

/// Parses an origin: `http://` or `https://`, a host and optionally a port, without a trailing slash.
///
/// # Errors
/// The required form.
pub fn origin(text: &str) -> Result<String, &'static str> {
    let is_origin = Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text
    });
    let wanted =
        "must be http:// or https://, a host and optionally a port, without a trailing slash";
    is_origin.then(|| text.to_owned()).ok_or(wanted)
}

fn bounded(text: &str, min: u64, max: u64, what: &str) -> Result<u64, String> {
    text.parse::<u64>()
        .ok()
        .filter(|n| (min..=max).contains(n))
        .ok_or_else(|| format!("expected {what} from {min} to {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_values_out_of_range_and_names_the_range() {
        assert_eq!(milliseconds("250"), Ok(250));
        assert!(milliseconds("0").unwrap_err().contains("1 to 600000"));
        assert!(count("many").unwrap_err().contains("1 to 1000000"));
    }

    #[test]
    fn refuses_values_that_would_break_a_file_or_mail() {
        let name = "City; Hospital, \"East\"";
        assert_eq!(line::<30>(name).as_deref(), Ok(name));
        for bad in ["", "two\nlines", "\u{202e}", &"x".repeat(31)] {
            assert!(line::<30>(bad).is_err(), "{bad:?}");
        }
        assert!(email("nobody").is_err() && phone("reception").is_err());
        assert!(email("desk@sampige.example").is_ok() && phone("+91 80 0000 0100").is_ok());
        let good = "https://sampige.example:8443";
        assert_eq!(origin(good).as_deref(), Ok(good));
        for bad in [
            "https://sampige.example/",
            "sampige.example",
            "ftp://sampige.example",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }
}
