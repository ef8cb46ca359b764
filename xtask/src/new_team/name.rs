//! The name of a team, from which all its other names are derived.

use std::str::FromStr;

/// Minimum number of characters: the name appears in routes and metrics, where a single letter would be meaningless.
const CHARS_MIN: usize = 2;
/// Maximum number of characters: `hospital.<name>.v1` is part of every span of the team's calls.
const CHARS_MAX: usize = 20;
/// Names that have another meaning where a team's name is used.
const RESERVED: [&str; 7] = [
    "api", "assets", "gateway", "google", "hospital", "remotes", "shell",
];
/// Rust's lower-case keywords, excluded because the name becomes a module.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A team name: 2 to 20 lower-case ASCII letters and digits, beginning with a letter, neither reserved nor a keyword.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct TeamName(String);

/// Reason why a name is refused, with the rule for valid names where there is one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct NameError(String);

impl std::fmt::Display for NameError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for NameError {}

impl FromStr for TeamName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let begins = text.starts_with(|letter: char| letter.is_ascii_lowercase());
        if !begins || !text.chars().all(is_plain) {
            return Err(NameError(
                "a team's name has lower-case letters (a to z) and digits only, and begins with a letter"
                    .to_owned(),
            ));
        }
        if !(CHARS_MIN..=CHARS_MAX).contains(&text.len()) {
            return Err(NameError(format!(
                "a team's name has {CHARS_MIN} to {CHARS_MAX} characters, this one has {}",
                text.len()
            )));
        }
        if RESERVED.contains(&text) || KEYWORDS.contains(&text) {
            return Err(NameError(format!("`{text}` is a reserved name")));
        }
        Ok(Self(text.to_owned()))
    }
}

impl TeamName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Fills the name into a template: `@team@` unchanged, `@Team@` capitalised like a type.
    pub(super) fn fill(&self, template: &str) -> String {
        let (first, rest) = self.0.split_at(1);
        let capitalised = first.to_ascii_uppercase() + rest;
        template
            .replace("@team@", &self.0)
            .replace("@Team@", &capitalised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_names_at_both_limits() {
        for name in ["ab", "pharmacy", "ward7", &"a".repeat(20)] {
            assert_eq!(name.parse::<TeamName>().unwrap().as_str(), name);
        }
    }

    #[test]
    fn a_refusal_names_the_limit() {
        for (name, reason) in [
            ("", "lower-case letters"),
            ("a", "2 to 20 characters, this one has 1"),
            (&"a".repeat(21), "2 to 20 characters, this one has 21"),
            ("Pharmacy", "lower-case letters"),
            ("7ward", "begins with a letter"),
            ("eye-care", "lower-case letters"),
            ("eye_care", "lower-case letters"),
            ("../up", "lower-case letters"),
            ("apothèque", "lower-case letters"),
            ("type", "reserved"),
            ("shell", "reserved"),
        ] {
            let error = name.parse::<TeamName>().unwrap_err().to_string();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }

    #[test]
    fn a_template_gets_the_name_in_both_spellings() {
        let name: TeamName = "pharmacy".parse().unwrap();
        assert_eq!(
            name.fill("List@Team@Topics of @team@"),
            "ListPharmacyTopics of pharmacy"
        );
    }
}
