//! Texts of the built-in pages in Kannada and Hindi. The English text is the key.

use std::{collections::HashMap, sync::LazyLock};

use crate::language::Language;

type Catalogue = HashMap<String, String>;

static KANNADA: LazyLock<Catalogue> =
    LazyLock::new(|| catalogue(include_str!("../messages/kn.json")));
static HINDI: LazyLock<Catalogue> =
    LazyLock::new(|| catalogue(include_str!("../messages/hi.json")));

/// A test proves that both files are valid.
fn catalogue(json: &str) -> Catalogue {
    serde_json::from_str(json).unwrap_or_default()
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
    let catalogue: &'static Catalogue = match language {
        Language::English => return None,
        Language::Kannada => &KANNADA,
        Language::Hindi => &HINDI,
    };
    catalogue.get(english).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Map, Value};

    use super::*;

    const FILES: [&str; 2] = [
        include_str!("../messages/kn.json"),
        include_str!("../messages/hi.json"),
    ];

    fn placeholders(text: &str) -> BTreeSet<&str> {
        let pieces = text.split('{').skip(1);
        pieces.filter_map(|piece| piece.split('}').next()).collect()
    }

    #[test]
    fn catalogues_have_equal_sorted_keys_and_equal_placeholders() {
        let all = FILES.map(|file| serde_json::from_str::<Map<String, Value>>(file).unwrap());
        assert!(all[0].keys().eq(all[1].keys()));
        for (file, entries) in FILES.iter().zip(&all) {
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
        for key in KANNADA.keys() {
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
