//! Helpers for the wording of mails.

use service_kit::language::Language;

use crate::domain::markdown::{LINE_CHARS_MAX, wrapped_at};

/// Maximum length of user input that a mail repeats, in characters.
const ECHO_CHARS_MAX: usize = 60;
/// Maximum digits in user input that a mail repeats. Allows `Rao (2)` but no phone number.
const ECHO_DIGITS_MAX: usize = 3;

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

/// Wraps a text of a letter at [`LINE_CHARS_MAX`]. In other languages than English, signs that share the place of their
/// letter don't count, and phone numbers stay whole. A word is never cut.
pub(super) fn wrapped(text: &str, language: Option<Language>) -> String {
    if language.is_none() {
        return wrapped_at(text, LINE_CHARS_MAX);
    }
    let mut lines = String::with_capacity(text.len());
    let mut used = 0;
    for word in unbroken(text) {
        let width = word.chars().filter(|letter| !is_sign(*letter)).count();
        if used > 0 && used + 1 + width > LINE_CHARS_MAX {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += width;
    }
    lines
}

/// Returns the words of a text. The groups of a phone number are one word.
fn unbroken(text: &str) -> Vec<&str> {
    let is_group = |word: &str| {
        let digits = word.trim_start_matches('+');
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let mut end = rest.find(' ').unwrap_or(rest.len());
        if rest.starts_with('+') {
            // The rest of the number: each further group has digits only.
            while let Some(more) = rest[end..].strip_prefix(' ') {
                let group = more.split(' ').next().unwrap_or_default();
                if !is_group(group.trim_end_matches(['.', ',', '।'])) {
                    break;
                }
                end += 1 + group.len();
            }
        }
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// Returns whether a character of Kannada or Devanagari takes no place of its own: vowel signs, viramas and joiners.
fn is_sign(letter: char) -> bool {
    matches!(letter,
        '\u{900}'..='\u{903}' | '\u{93a}'..='\u{93c}' | '\u{93e}'..='\u{94f}' | '\u{951}'..='\u{957}' | '\u{962}'..='\u{963}'
        | '\u{c80}'..='\u{c83}' | '\u{cbc}' | '\u{cbe}'..='\u{ccd}' | '\u{cd5}'..='\u{cd6}' | '\u{ce2}'..='\u{ce3}'
        | '\u{200c}'..='\u{200d}')
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
            assert!(!is_echoed(name), "{name}");
        }
        assert!(is_echoed("K. R. Rao"));
        // M5: phone numbers and messages are not repeated either.
        for name in [
            "Refund call +91 98765 43210",
            "ಕರೆ ೯೮೭೬೫ ೪೩೨೧೦",
            "Your deposit is blocked. Speak to our officer to have it released",
        ] {
            assert!(!is_echoed(name), "{name}");
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
        let text = wrapped(&"seven words and some more of them ".repeat(8), None);
        assert!(
            text.lines().all(|line| line.chars().count() <= 72),
            "{text}"
        );
        assert_eq!(
            text.replace('\n', " "),
            "seven words and some more of them ".repeat(8).trim_end()
        );
        let long = "x".repeat(100);
        assert_eq!(
            wrapped(&format!("a {long} b"), None),
            format!("a\n{long}\nb")
        );
    }

    #[test]
    fn wraps_other_languages_by_their_letters() {
        for (language, word, width) in [
            (Language::Kannada, "ಅಪಾಯಿಂಟ್\u{200c}ಮೆಂಟ್", 6),
            (Language::Hindi, "अपॉइंटमेंट", 6),
        ] {
            let text = vec![word; 40].join(" ");
            let lines = wrapped(&text, Some(language));
            let most = lines.lines().map(|line| line.split(' ').count()).max();
            assert_eq!(most, Some((LINE_CHARS_MAX + 1) / (width + 1)), "{lines}");
            assert_eq!(lines.replace('\n', " "), text);
            let number = "+91 80 0000 0100";
            for count in 0..20 {
                let text = format!(
                    "{} {number}। {word} 2026, 10:30",
                    vec![word; count].join(" ")
                );
                let lines = wrapped(&text, Some(language));
                assert!(lines.contains(number), "{lines}");
            }
        }
        assert_eq!(unbroken("+91 80 x 5 6"), ["+91 80", "x", "5", "6"]);
        assert!(unbroken(" ").is_empty());
    }
}
