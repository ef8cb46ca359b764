//! The catalogues of the content in the languages beside English: those of the files, and the translations that staff
//! entered, which precede them.

use std::sync::Arc;

pub use service_kit::language::{Catalogue, Language};

use crate::{
    files::{ContentError, HI_FILE, KN_FILE},
    store::records::Translation,
};

/// Returns the file of a language's catalogue.
pub(crate) fn file(language: Language) -> &'static str {
    match language {
        Language::Kannada => KN_FILE,
        Language::Hindi => HI_FILE,
    }
}

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
    files: Arc<[Catalogue; 2]>,
    /// Those of the files with the translations of staff.
    whole: Arc<[Catalogue; 2]>,
}

impl Catalogues {
    /// Parses the catalogues of these texts.
    pub(crate) fn parse<'a>(text: impl Fn(&str) -> &'a str) -> Result<Self, ContentError> {
        let [kannada, hindi] = Language::ALL.map(|language| {
            let file = file(language);
            parse(file, text(file))
        });
        let files = Arc::new([kannada?, hindi?]);
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
            whole: Arc::new(whole),
        }
    }

    pub(crate) fn of(&self, language: Language) -> &Catalogue {
        pick(&self.whole, language)
    }

    /// Returns the catalogue without the translations of staff.
    pub(crate) fn of_files(&self, language: Language) -> &Catalogue {
        pick(&self.files, language)
    }
}

fn pick([kannada, hindi]: &[Catalogue; 2], language: Language) -> &Catalogue {
    match language {
        Language::Kannada => kannada,
        Language::Hindi => hindi,
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
        let refused = parse(KN_FILE, "{\n\"a\": \"b\",\n}").expect_err("a refusal");
        let shown = refused.to_string();
        assert!(
            shown.contains("kn.json, line 3, .: trailing comma"),
            "{shown}"
        );
    }
}
