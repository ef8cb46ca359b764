//! The texts of a record that staff translate, and the rules of their translations.

use std::collections::BTreeMap;

use service_kit::input::Violation;

use super::{Body, Kind, texts};

/// Maximum translations of staff in a language.
pub const TRANSLATIONS_MAX: i64 = 10_000;
/// Maximum texts in a request. A body of [`super::BODY_BYTES_MAX`] bytes may have more; the desk sends changed ones only.
pub const TEXTS_MAX: usize = 500;
/// Number of characters that every translation may have. Short texts, such as abbreviations, grow the most.
const CHARS_AT_LEAST: usize = 200;
/// Maximum number of characters of a translation for each of the English text.
const CHARS_TIMES: usize = 4;

/// A text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordText {
    /// Field of the body.
    pub field: &'static str,
    pub english: String,
    /// Whether only the latest version has it, which visitors don't read.
    pub is_draft: bool,
}

impl RecordText {
    /// Returns the maximum length of a translation, in characters.
    pub fn chars_max(&self) -> usize {
        (CHARS_TIMES * self.english.chars().count()).max(CHARS_AT_LEAST)
    }
}

/// A translation that staff enter. Empty: staff remove theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslatedText {
    pub english: String,
    pub translation: String,
}

/// Returns the texts of the live and of the latest version, each English text once.
pub fn texts_of(kind: &Kind, live: Option<&Body>, latest: &Body) -> Vec<RecordText> {
    let mut found: Vec<RecordText> = Vec::new();
    for (body, is_draft) in [(live, false), (Some(latest), true)] {
        let texts = body.map_or_else(Vec::new, |body| texts::of_record(kind, body));
        for (field, english) in texts {
            if found.iter().all(|known| known.english != english) {
                found.push(RecordText {
                    field,
                    english: english.to_owned(),
                    is_draft,
                });
            }
        }
    }
    found
}

/// Returns every problem of these translations of a record's texts.
pub fn violations_of(texts: &[RecordText], changes: &[TranslatedText]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut seen = BTreeMap::new();
    for (index, change) in changes.iter().enumerate() {
        let mut refuse = |field: &str, words: String| {
            violations.push(Violation::new(format!("texts[{index}].{field}"), words));
        };
        let TranslatedText {
            english,
            translation,
        } = change;
        if let Some(first) = seen.insert(english, index) {
            refuse("english", format!("The text is already in texts[{first}]"));
            continue;
        }
        let Some(text) = texts.iter().find(|text| text.english == *english) else {
            let words = "The record doesn’t have this text. It may have changed in the meantime";
            refuse("english", words.to_owned());
            continue;
        };
        let (count, chars_max) = (translation.chars().count(), text.chars_max());
        if count > chars_max {
            let words = format!("Enter at most {chars_max} characters; this has {count}");
            refuse("translation", words);
        }
        if translation.chars().any(char::is_control) {
            let words = "Enter one line, without control characters";
            refuse("translation", words.to_owned());
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body(value: &serde_json::Value) -> Body {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn each_text_occurs_once_and_those_of_drafts_are_marked() {
        let kind = Kind::of("badge").expect("a kind");
        let (live, latest) = (
            body(&json!({"text": "Open"})),
            body(&json!({"text": "Closed"})),
        );
        let text = |english: &str, is_draft| RecordText {
            field: "text",
            english: english.to_owned(),
            is_draft,
        };
        let both = texts_of(kind, Some(&live), &latest);
        assert_eq!(both, [text("Open", false), text("Closed", true)]);
        assert_eq!(texts_of(kind, Some(&live), &live), [text("Open", false)]);
        assert_eq!(texts_of(kind, None, &latest), [text("Closed", true)]);
        let doctor = body(&json!({"name": "Heart", "specialty": "Heart", "timings": "24"}));
        let texts = texts_of(Kind::of("doctor").expect("a kind"), None, &doctor);
        assert_eq!(texts.len(), 1);
        let post = body(&json!({"title": "Salt", "content": "Long"}));
        let texts = texts_of(Kind::of("post").expect("a kind"), None, &post);
        assert_eq!(texts.len(), 1);
    }

    #[test]
    fn names_every_problem_by_its_entry() {
        let english = |english: &str| RecordText {
            field: "text",
            english: english.to_owned(),
            is_draft: false,
        };
        let texts = [english("ICU"), english(&"a".repeat(60))];
        assert_eq!(texts.each_ref().map(RecordText::chars_max), [200, 240]);
        let change = |english: &str, translation: String| TranslatedText {
            english: english.to_owned(),
            translation,
        };
        let valid = [
            change("ICU", "ಐ".repeat(200)),
            change(&texts[1].english, String::new()),
        ];
        assert_eq!(violations_of(&texts, &valid), []);
        let wrong = [
            change("ICU", format!("{}\n", "ಐ".repeat(200))),
            change("None", "ಇಲ್ಲ".to_owned()),
            change("ICU", String::new()),
            change(&texts[1].english, "ಐ\u{7f}".to_owned()),
        ];
        let fields: Vec<String> = violations_of(&texts, &wrong)
            .into_iter()
            .map(|violation| violation.field)
            .collect();
        let wanted = [
            "texts[0].translation",
            "texts[0].translation",
            "texts[1].english",
            "texts[2].english",
            "texts[3].translation",
        ];
        assert_eq!(fields, wanted);
    }
}
