//! Translations of texts that leave this service in a person's language. A text without a translation stays English.
//!
//! Names are those of the web pages' catalogues, which have every department, attendant and place of `config`.

use std::sync::LazyLock;

use service_kit::language::{ByLanguage, Catalogue, Language, embedded_catalogues, fill};

static NAMES: LazyLock<ByLanguage<Catalogue>> =
    LazyLock::new(|| parsed(embedded_catalogues!("../web/messages")));

static TEXTS: LazyLock<ByLanguage<Catalogue>> =
    LazyLock::new(|| parsed(embedded_catalogues!("../messages")));

fn parsed(texts: [&str; Language::ALL.len()]) -> ByLanguage<Catalogue> {
    ByLanguage::new(texts.map(|text| {
        Catalogue::parse(text).expect("the embedded catalogues are valid, which a test proves")
    }))
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
    catalogues: &'static ByLanguage<Catalogue>,
    english: &'a str,
    language: Option<Language>,
) -> &'a str {
    let catalogue = language.map(|language| catalogues.of(language));
    catalogue
        .and_then(|catalogue| catalogue.get(english))
        .unwrap_or(english)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
        for language in [None].into_iter().chain(Language::ALL.map(Some)) {
            assert_eq!(name("Dr. Nobody Known", language), "Dr. Nobody Known");
            assert_eq!(text("{a}?", language, &[("a", "b")]), "b?");
        }
        assert_eq!(name("Cardiology", Some(Language::Kannada)), "ಹೃದ್ರೋಗ");
        assert_eq!(name("Cardiology", None), "Cardiology");
    }

    #[test]
    fn all_languages_have_the_same_texts() {
        for catalogues in [&*NAMES, &*TEXTS] {
            let [first, others @ ..] = Language::ALL.map(|language| {
                let entries = catalogues.of(language).entries();
                entries.map(|(english, _)| english).collect::<BTreeSet<_>>()
            });
            assert!(!first.is_empty());
            for other in others {
                assert_eq!(first, other);
            }
        }
    }
}
