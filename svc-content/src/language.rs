//! The catalogues of the content in the languages beside English: those of the files, and the translations that staff
//! entered, which precede them.

use std::sync::Arc;

pub use service_kit::language::{ByLanguage, Catalogue, Language};

use crate::{files::ContentError, store::records::Translation};

/// Parses the catalogue of a file.
fn parse(file: &'static str, text: &str) -> Result<Catalogue, ContentError> {
    Catalogue::parse(text).map_err(|error| ContentError::Broken {
        file,
        line: error.line,
        field: ".".to_owned(),
        problem: error.problem,
    })
}

/// The catalogue of each language. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Catalogues {
    files: Arc<ByLanguage<Catalogue>>,
    /// Those of the files with the translations of staff.
    whole: Arc<ByLanguage<Catalogue>>,
}

impl Catalogues {
    /// Parses the catalogues of these texts.
    pub(crate) fn parse<'a>(text: impl Fn(&str) -> &'a str) -> Result<Self, ContentError> {
        let mut catalogues = Language::ALL.map(|_| Catalogue::default());
        for (catalogue, language) in catalogues.iter_mut().zip(Language::ALL) {
            *catalogue = parse(language.file(), text(language.file()))?;
        }
        let files = Arc::new(ByLanguage::new(catalogues));
        Ok(Self {
            whole: Arc::clone(&files),
            files,
        })
    }

    /// Returns the catalogues with these translations of staff in place of earlier ones.
    #[must_use]
    pub(crate) fn with_staff(&self, staff: &[Translation]) -> Self {
        let whole = Language::ALL.map(|language| {
            let own = staff.iter().filter(|own| own.lang == language.code());
            let own = own.map(|own| (own.english.as_str(), own.translation.as_str()));
            self.of_files(language).with(own)
        });
        Self {
            files: Arc::clone(&self.files),
            whole: Arc::new(ByLanguage::new(whole)),
        }
    }

    pub(crate) fn of(&self, language: Language) -> &Catalogue {
        self.whole.of(language)
    }

    /// Returns the catalogue without the translations of staff.
    pub(crate) fn of_files(&self, language: Language) -> &Catalogue {
        self.files.of(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translation_of_staff_precedes_that_of_the_file() {
        let files =
            Catalogues::parse(|_| r#"{ "Heart": "ಹೃದಯ", "Eye": "ಕಣ್ಣು" }"#).expect("catalogues");
        let own = Translation {
            lang: "kn".to_owned(),
            english: "Heart".to_owned(),
            translation: "ಎದೆ".to_owned(),
        };
        let staffed = files.with_staff(&[own]);
        let kannada = staffed.of(Language::Kannada);
        assert_eq!(
            (kannada.get("Heart"), kannada.get("Eye")),
            (Some("ಎದೆ"), Some("ಕಣ್ಣು"))
        );
        assert_eq!(
            staffed.of_files(Language::Kannada).get("Heart"),
            Some("ಹೃದಯ")
        );
        assert_eq!(staffed.of(Language::Hindi).get("Heart"), Some("ಹೃದಯ"));
        // Without the translation of staff, that of the file applies again.
        assert_ne!(staffed, files);
        assert_eq!(staffed.with_staff(&[]), files);
    }

    #[test]
    fn a_refusal_names_file_line_and_reason() {
        let refused = parse("kn.json", "{\n\"a\": \"b\",\n}").expect_err("a refusal");
        let shown = refused.to_string();
        assert!(
            shown.contains("kn.json, line 3, .: trailing comma"),
            "{shown}"
        );
    }
}
