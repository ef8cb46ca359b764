//! Helpers for the wording of mails.

use crate::domain::markdown::{LINE_CHARS_MAX, wrapped_at};

/// Maximum length of user input that a mail repeats, in characters.
const ECHO_CHARS_MAX: usize = 60;
/// Maximum digits in user input that a mail repeats. Allows `Rao (2)` but no phone number.
const ECHO_DIGITS_MAX: usize = 3;

/// Returns the salutation.
pub(super) fn greeting(name: &str) -> String {
    if is_echoed(name) {
        format!("Dear {name},")
    } else {
        "Hello,".into()
    }
}

/// Returns whether a mail may repeat a user's input. A stranger can have this mail sent to any address, so links, phone
/// numbers and whole messages are not repeated.
pub(super) fn is_echoed(text: &str) -> bool {
    let digits = text.chars().filter(|letter| letter.is_numeric()).count();
    !text.is_empty()
        && text.chars().count() <= ECHO_CHARS_MAX
        && digits <= ECHO_DIGITS_MAX
        && !has_link(text)
}

/// Formats a fee, for example `₹1,20,000`.
pub(super) fn rupees(fee: u32) -> String {
    let digits = fee.to_string();
    let (head, tail) = digits.split_at(digits.len().saturating_sub(3));
    let mut grouped = String::new();
    for (number, digit) in head.chars().enumerate() {
        // Indian grouping: the last three digits, then pairs.
        if number > 0 && (head.len() - number).is_multiple_of(2) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !head.is_empty() {
        grouped.push(',');
    }
    format!("₹{grouped}{tail}")
}

/// Returns whether mail programs might turn part of the text into a link. Names such as `K.R.Rao` and `Dr.Asha` contain
/// dots but are not links.
pub(super) fn has_link(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("://")
        || lower.contains("www.")
        || lower.contains('@')
        || lower.split_whitespace().any(is_host)
}

fn is_host(word: &str) -> bool {
    /// Top-level domains that mail programs link without `https://` and that spammers favour.
    const ZONES: [&str; 24] = [
        "app", "biz", "click", "cn", "co", "com", "in", "info", "io", "link", "live", "ly", "me",
        "net", "online", "org", "ru", "shop", "site", "store", "top", "vip", "xyz", "zip",
    ];
    const TITLES: [&str; 13] = [
        "adv", "col", "dr", "er", "kum", "mr", "mrs", "ms", "prof", "shri", "smt", "sri", "st",
    ];
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    let Some((host, rest)) = word.rsplit_once('.') else {
        return false;
    };
    if word.contains('/') {
        return true;
    }
    let zone: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
    let is_initial = |label: &str| label.chars().count() == 1 || TITLES.contains(&label);
    if host.is_empty() || zone.chars().count() < 2 {
        return false;
    }
    ZONES.contains(&zone.as_str()) || !host.split('.').all(is_initial)
}

/// Wraps the text at [`LINE_CHARS_MAX`].
pub(super) fn wrapped(text: &str) -> String {
    wrapped_at(text, LINE_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_links_in_names() {
        for name in [
            "K. R. Rao",
            "K.R. Rao",
            "K.R.Rao",
            "Dr.Asha Rao",
            "Smt.K.Rao",
            "Dr. Asha",
            "ಕಮಲಾ ರಾವ್",
            "O'Neil-Rao",
            "",
        ] {
            assert!(!has_link(name), "{name}");
        }
        for name in [
            "Win.example.com",
            "see https://evil.example",
            "www.evil",
            "evil.com/x",
            "a@b.example",
            "(evil.com)",
            "EVIL.COM.",
            "t.co",
            "dr.evil.com",
            "1.2/x",
        ] {
            assert_eq!(greeting(name), "Hello,", "{name}");
        }
        assert_eq!(greeting("K. R. Rao"), "Dear K. R. Rao,");
        // M5: phone numbers and messages are not repeated either.
        for name in [
            "Refund call +91 98765 43210",
            "ಕರೆ ೯೮೭೬೫ ೪೩೨೧೦",
            "Your deposit is blocked. Speak to our officer to have it released",
        ] {
            assert_eq!(greeting(name), "Hello,", "{name}");
        }
    }

    #[test]
    fn fees_are_grouped_as_in_india() {
        for (fee, shown) in [
            (7, "₹7"),
            (800, "₹800"),
            (1200, "₹1,200"),
            (65_000, "₹65,000"),
            (120_000, "₹1,20,000"),
            (12_345_678, "₹1,23,45,678"),
        ] {
            assert_eq!(rupees(fee), shown);
        }
    }

    #[test]
    fn wraps_lines_between_words() {
        let text = wrapped(&"seven words and some more of them ".repeat(8));
        assert!(
            text.lines().all(|line| line.chars().count() <= 72),
            "{text}"
        );
        assert_eq!(
            text.replace('\n', " "),
            "seven words and some more of them ".repeat(8).trim_end()
        );
        let long = "x".repeat(100);
        assert_eq!(wrapped(&format!("a {long} b")), format!("a\n{long}\nb"));
    }
}
