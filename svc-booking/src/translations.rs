//! Translations of texts that leave this service in a person's language. A text without a translation stays English.
//!
//! Names are those of the web pages' catalogues, which have every department, attendant and place of `config`.

use std::sync::LazyLock;

use service_kit::language::{Catalogue, Language, fill};

static NAMES: LazyLock<[Catalogue; 2]> = LazyLock::new(|| {
    [
        include_str!("../web/messages/kn.json"),
        include_str!("../web/messages/hi.json"),
    ]
    .map(parsed)
});

static TEXTS: LazyLock<[Catalogue; 2]> = LazyLock::new(|| {
    [
        include_str!("../messages/kn.json"),
        include_str!("../messages/hi.json"),
    ]
    .map(parsed)
});

fn parsed(text: &str) -> Catalogue {
    Catalogue::parse(text).expect("the embedded catalogues are valid, which a test proves")
}

/// Returns a name, such as that of a department, a doctor, a clinic, a place or the hospital.
pub(crate) fn name(english: &str, language: Option<Language>) -> &str {
    // The hospital's own name is among the texts.
    translated(&TEXTS, translated(&NAMES, english, language), language)
}

/// Returns a text of this service with its parameters filled in.
pub(crate) fn text(english: &str, language: Option<Language>, values: &[(&str, &str)]) -> String {
    fill(translated(&TEXTS, english, language), values)
}

fn translated<'a>(
    [kannada, hindi]: &'static [Catalogue; 2],
    english: &'a str,
    language: Option<Language>,
) -> &'a str {
    let catalogue = match language {
        None => return english,
        Some(Language::Kannada) => kannada,
        Some(Language::Hindi) => hindi,
    };
    catalogue.get(english).unwrap_or(english)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::roster::Seed;

    #[test]
    fn every_name_of_the_configuration_has_translations() {
        let roster = Seed::embedded().roster();
        let mut names = vec![crate::site::Site::default().name];
        for department in roster.departments.iter() {
            names.push(department.name.clone());
            for resource in roster.resources(&department.id) {
                let attendant = roster.attendant(&resource, &department.id);
                names.extend(attendant.into_iter().flat_map(|one| [one.name, one.place]));
            }
        }
        assert!(names.len() > 30, "{names:?}");
        for language in Language::ALL {
            let english = |found: &&String| name(found, Some(language)) == found.as_str();
            let missing: Vec<_> = names.iter().filter(english).collect();
            assert_eq!(missing, Vec::<&String>::new(), "{language:?}");
        }
    }

    #[test]
    fn a_text_without_translation_stays_english() {
        for language in [None, Some(Language::Kannada), Some(Language::Hindi)] {
            assert_eq!(name("Dr. Nobody Known", language), "Dr. Nobody Known");
            assert_eq!(text("{a}?", language, &[("a", "b")]), "b?");
        }
        assert_eq!(name("Cardiology", Some(Language::Kannada)), "ಹೃದ್ರೋಗ");
        assert_eq!(name("Cardiology", None), "Cardiology");
    }

    #[test]
    fn both_languages_have_the_same_texts() {
        for [kannada, hindi] in [&*NAMES, &*TEXTS] {
            let mut keys: [Vec<_>; 2] =
                [kannada, hindi].map(|one| one.entries().map(|(english, _)| english).collect());
            for keys in &mut keys {
                keys.sort_unstable();
            }
            assert!(!keys[0].is_empty());
            assert_eq!(keys[0], keys[1]);
        }
    }
}
