//! Texts of the built-in pages in other languages. The English text is the key.

use std::{collections::HashMap, sync::LazyLock};

use crate::language::Language;

type Catalogue = HashMap<String, String>;

/// In the order of [`Language::ALL`]. A test proves that all files are valid.
static CATALOGUES: LazyLock<[Catalogue; Language::ALL.len()]> = LazyLock::new(|| {
    Language::ALL.map(|language| serde_json::from_str(file(language)).unwrap_or_default())
});

/// Returns the catalogue of a language as JSON.
fn file(language: Language) -> &'static str {
    match language {
        Language::English => "{}",
        Language::Kannada => include_str!("../messages/kn.json"),
        Language::Hindi => include_str!("../messages/hi.json"),
    }
}

/// Returns the translation of an English text; the text itself if there is none.
pub(crate) fn text(language: Language, english: &str) -> &str {
    translated(language, english).unwrap_or(english)
}

/// Returns the translation of an English text as HTML. A text without a translation is marked as English.
pub(crate) fn marked(language: Language, english: &str, escaped: &str) -> String {
    match (language, translated(language, english)) {
        (Language::English, _) => escaped.to_owned(),
        (_, Some(text)) => text.to_owned(),
        (_, None) => format!("<span lang=\"en\">{escaped}</span>"),
    }
}

fn translated(language: Language, english: &str) -> Option<&'static str> {
    let catalogue = CATALOGUES.get(language as usize)?;
    catalogue.get(english).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Map, Value};

    use super::*;

    fn placeholders(text: &str) -> BTreeSet<&str> {
        let pieces = text.split('{').skip(1);
        pieces.filter_map(|piece| piece.split('}').next()).collect()
    }

    #[test]
    fn catalogues_have_equal_sorted_keys_and_equal_placeholders() {
        let files = Language::ALL.map(file);
        let all = files.map(|file| serde_json::from_str::<Map<String, Value>>(file).unwrap());
        for (file, entries) in files.iter().zip(&all).skip(1) {
            assert!(entries.keys().eq(all[1].keys()));
            let keys: Vec<_> = entries.keys().collect();
            let positions = keys.iter().map(|key| file.find(&format!("  \"{key}\": ")));
            let positions: Vec<_> = positions
                .map(|found| found.expect("a key of its own"))
                .collect();
            let mut sorted = keys.clone();
            sorted.sort();
            assert!(keys == sorted && positions.is_sorted(), "{keys:?}");
            for (key, value) in entries {
                let value = value.as_str().unwrap();
                assert_eq!(placeholders(key), placeholders(value), "{key}");
                assert!(!value.contains(['<', '&', '"']), "{value} needs escapes");
            }
        }
    }

    /// Each text of the built-in pages is a literal of the sources.
    #[test]
    fn catalogues_have_no_unused_texts() {
        let sources = [
            include_str!("forms.rs"),
            include_str!("forms/receipt.rs"),
            include_str!("render/builtin.rs"),
            include_str!("render/message.rs"),
            include_str!("serve/emergency.rs"),
            include_str!("serve/status.rs"),
            include_str!("../../../Cargo.toml"),
        ];
        let sources = sources.concat().replace("\\\n", "");
        let words = sources.split_whitespace().collect::<Vec<_>>().join(" ");
        for key in CATALOGUES.iter().flat_map(HashMap::keys) {
            assert!(words.contains(&format!("\"{key}\"")), "{key}");
        }
    }

    #[test]
    fn marks_what_has_no_translation() {
        assert_eq!(marked(Language::English, "A & b", "A &amp; b"), "A &amp; b");
        assert_eq!(
            marked(Language::Hindi, "A & b", "A &amp; b"),
            "<span lang=\"en\">A &amp; b</span>"
        );
        assert_eq!(text(Language::Kannada, "Home"), "ಮುಖಪುಟ");
    }
}
