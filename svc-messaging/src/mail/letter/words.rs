//! Small rules of wording.

/// Longest line of the text part, in characters; what has no space in it stays whole.
const LINE_CHARS_MAX: usize = 72;

/// How a mail begins. A name that might be read as an address of the web is left out: mail programs would make a link of it, and anybody can
/// have a mail sent to anybody.
pub(super) fn greeting(name: &str) -> String {
    if name.is_empty() || has_link(name) {
        "Hello,".into()
    } else {
        format!("Dear {name},")
    }
}

/// Whether mail programs might make a link of a part of the text.
pub(super) fn has_link(text: &str) -> bool {
    let lower = text.to_lowercase();
    if lower.contains("://") || lower.contains("www.") || lower.contains('@') {
        return true;
    }
    lower.split_whitespace().any(|word| {
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        // `K.R.` and `4.30` are none; `example.com` and `example.com/x` are.
        word.rsplit_once('.').is_some_and(|(host, rest)| {
            let zone = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
            !host.is_empty() && zone.chars().filter(|c| c.is_alphabetic()).count() >= 2
        }) || word.contains('/') && word.contains('.')
    })
}

/// An address that stands in a text of the staff, and the punctuation after it.
pub(super) fn as_link(word: &str) -> Option<(&str, &str)> {
    let is_address = word.starts_with("https://") || word.starts_with("http://");
    is_address.then(|| {
        let address = word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'']);
        word.split_at(address.len())
    })
}

/// The text in lines of at most 72 characters.
pub(super) fn wrapped(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() + text.len() / LINE_CHARS_MAX);
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let chars = word.chars().count();
        if used > 0 && used + 1 + chars > LINE_CHARS_MAX {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += chars;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_sends_links_through_the_hospital() {
        for name in [
            "K. R. Rao",
            "K.R. Rao",
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
        ] {
            assert_eq!(greeting(name), "Hello,", "{name}");
        }
        assert_eq!(greeting("K. R. Rao"), "Dear K. R. Rao,");
    }

    #[test]
    fn lines_are_short_and_words_are_whole() {
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
