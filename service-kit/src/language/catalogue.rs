//! Translations of English texts.

use std::collections::HashMap;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};

/// Maximum size of a catalogue, in bytes.
pub const CATALOGUE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Maximum entries of a catalogue.
const ENTRIES_MAX: usize = 10_000;
/// Maximum length of a text and of its translation, in characters.
const TEXT_CHARS_MAX: usize = 4_000;

/// Reason why a catalogue cannot be used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CatalogueError {
    /// Line number, from 1.
    pub line: usize,
    pub problem: String,
}

/// Translations by English text. A changed English text has none any more.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Catalogue(HashMap<String, String>);

impl Catalogue {
    /// Parses a catalogue: a JSON object of texts. An empty text is a catalogue without entries.
    ///
    /// # Errors
    /// When it is no such object, has more than 4 MiB or 10,000 entries, a key twice, or a text that is empty, longer
    /// than 4,000 characters, padded with white space, or not one line.
    pub fn parse(text: &str) -> Result<Self, CatalogueError> {
        let broken = |line: usize, problem: String| CatalogueError { line, problem };
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > CATALOGUE_BYTES_MAX {
            let problem = format!("must have at most {CATALOGUE_BYTES_MAX} bytes");
            return Err(broken(1, problem));
        }
        let Entries(entries) = serde_json::from_str(text).map_err(|error| {
            let problem = error.to_string();
            let end = problem.rfind(" at line ").unwrap_or(problem.len());
            broken(error.line(), problem[..end].to_owned())
        })?;
        if entries.len() > ENTRIES_MAX {
            return Err(broken(
                1,
                format!("must have at most {ENTRIES_MAX} entries"),
            ));
        }
        let mut catalogue = Self::default();
        for (english, translation) in entries {
            let problem = problem_of(&english)
                .or_else(|| problem_of(&translation))
                .or_else(|| {
                    let is_repeated = catalogue.0.contains_key(&english);
                    is_repeated.then(|| "occurs twice".to_owned())
                });
            if let Some(problem) = problem {
                let line = last_line_of(text, &english);
                return Err(broken(line, format!("`{english}`: {problem}")));
            }
            catalogue.0.insert(english, translation);
        }
        Ok(catalogue)
    }

    /// Returns the catalogue with further translations, which replace those of the same English texts.
    #[must_use]
    pub fn with<'a>(&self, texts: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut all = self.0.clone();
        all.extend(texts.map(|(english, own)| (english.to_owned(), own.to_owned())));
        Self(all)
    }

    /// Returns whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the translation of an English text.
    pub fn get(&self, english: &str) -> Option<&str> {
        self.0.get(english).map(String::as_str)
    }

    /// Replaces an English text by its translation, if it has one.
    pub fn translate(&self, text: &mut String) {
        if let Some(translation) = self.get(text) {
            translation.clone_into(text);
        }
    }

    /// Returns the English text of a translation. Compares at most 10,000 texts, so it is for what a visitor sends.
    pub fn english(&self, translation: &str) -> Option<&str> {
        let mut entries = self.entries();
        let found = entries.find(|(_, own)| *own == translation);
        found.map(|(english, _)| english)
    }

    /// Returns the English texts with their translations, in any order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.0.iter();
        entries.map(|(english, translation)| (english.as_str(), translation.as_str()))
    }
}

/// Returns what is wrong with a text.
fn problem_of(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("must not be empty".to_owned());
    }
    if text.trim() != text {
        return Some("must not begin or end with white space".to_owned());
    }
    if text.chars().count() > TEXT_CHARS_MAX {
        return Some(format!("must have at most {TEXT_CHARS_MAX} characters"));
    }
    if text.chars().any(char::is_control) {
        return Some("must be one line without control characters".to_owned());
    }
    None
}

/// Returns the last line that begins with a key; 1 if the key is written with other escapes.
fn last_line_of(text: &str, key: &str) -> usize {
    let key = serde_json::Value::from(key).to_string();
    let lines = text.lines().zip(1..);
    let own = lines.filter(|(line, _)| line.trim_start().starts_with(&key));
    own.last().map_or(1, |(_, number)| number)
}

/// Entries in the order of the file, of which a key may occur twice.
struct Entries(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Entries;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let refused = Catalogue::parse(text).expect_err("a refusal");
        refused.to_string()
    }

    #[test]
    fn translates_whole_texts_both_ways() {
        let text = r#"{ "Heart": "ಹೃದಯ", "A \"b\"": "ಬಿ" }"#;
        let catalogue = Catalogue::parse(text).expect("a catalogue");
        assert_eq!(catalogue.get("Heart"), Some("ಹೃದಯ"));
        assert_eq!(catalogue.get("heart"), None);
        assert_eq!(catalogue.english("ಬಿ"), Some("A \"b\""));
        assert_eq!(catalogue.english("Heart"), None);
        let mut text = "Heart attack".to_owned();
        catalogue.translate(&mut text);
        assert_eq!(text, "Heart attack");
        let other = catalogue.with([("Heart", "ಹೃದಯವೇ"), ("Eye", "ಕಣ್ಣು")].into_iter());
        assert_eq!(other.get("Heart"), Some("ಹೃದಯವೇ"));
        assert_eq!(
            (other.get("Eye"), other.get("A \"b\"")),
            (Some("ಕಣ್ಣು"), Some("ಬಿ"))
        );
        assert_eq!(catalogue.get("Eye"), None);
        assert!(Catalogue::parse("").is_ok_and(|none| none.is_empty()));
        assert!(Catalogue::parse("{}").is_ok_and(|none| none.is_empty()));
    }

    #[test]
    fn a_refusal_names_line_and_reason() {
        for (text, wanted) in [
            ("{\n\"a\": \"b\",\n}", "line 3: trailing comma"),
            ("[]", "line 1: invalid type: sequence"),
            ("{\n\"a\": 5}", "line 2: invalid type: integer"),
            ("{\n \"a\": \"\"\n}", "line 2: `a`: must not be empty"),
            ("{\n \"a\": \"b \"\n}", "line 2: `a`: must not begin or end"),
            ("{\n \"a\": \"b\\nc\"\n}", "line 2: `a`: must be one line"),
            (
                "{\n \"a\": \"b\",\n \"b\": \"c\",\n \"a\": \"d\"\n}",
                "line 4: `a`: occurs twice",
            ),
        ] {
            assert!(refusal(text).contains(wanted), "{}", refusal(text));
        }
    }

    #[test]
    fn bounds_entries_and_their_lengths() {
        let of = |count: usize| {
            let entries: Vec<String> = (0..count).map(|at| format!("\"{at}\": \"x\"")).collect();
            format!("{{{}}}", entries.join(",\n"))
        };
        assert!(Catalogue::parse(&of(ENTRIES_MAX)).is_ok());
        assert!(refusal(&of(ENTRIES_MAX + 1)).contains("at most 10000 entries"));
        let long = |chars: usize| format!("{{\n\"a\": \"{}\"}}", "ಅ".repeat(chars));
        assert!(Catalogue::parse(&long(TEXT_CHARS_MAX)).is_ok());
        assert!(refusal(&long(TEXT_CHARS_MAX + 1)).contains("line 2: `a`: must have at most"));
        let large = format!("{{}}{}", " ".repeat(CATALOGUE_BYTES_MAX));
        assert!(refusal(&large).contains("bytes"));
    }
}
