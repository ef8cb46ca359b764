//! Comments of the contracts as HTML.

use std::fmt::Write as _;

/// Escapes a text for HTML, also as the value of an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

/// Renders one line of a comment with its `code` and **strong** words. Marks without a partner are kept.
pub(super) fn sentence(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let coded = marked(&escaped(&joined), "`", "code");
    marked(&coded, "**", "strong")
}

fn marked(text: &str, mark: &str, element: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark) {
        let Some((inside, left)) = after.split_once(mark) else {
            break;
        };
        out.push_str(before);
        // Writing to a String cannot fail.
        let _ = write!(out, "<{element}>{inside}</{element}>");
        rest = left;
    }
    out.push_str(rest);
    out
}

/// Renders paragraphs, separated by empty lines.
pub(super) fn paragraphs(text: &str) -> String {
    let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    let mut out = String::new();
    for part in parts {
        let _ = write!(out, "<p>{}</p>", sentence(part));
    }
    out
}

/// Returns the display name: `BookingService` becomes `Booking`.
pub(super) fn name_of(tag: &str) -> String {
    tag.strip_suffix("Service").unwrap_or(tag).to_owned()
}

/// Returns an id for an element of the page.
pub(super) fn identifier(kind: &str, name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let name: String = name
        .chars()
        .map(|letter| if plain(letter) { letter } else { '-' })
        .collect();
    format!("{kind}-{name}")
}
