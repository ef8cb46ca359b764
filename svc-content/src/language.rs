//! The catalogues of the content in the languages beside English.

use std::sync::Arc;

pub use service_kit::language::{ByLanguage, Catalogue, Language};

use crate::files::ContentError;

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
#[derive(Debug, Clone, Default)]
pub(crate) struct Catalogues(Arc<ByLanguage<Catalogue>>);

impl Catalogues {
    /// Parses the catalogues of these texts.
    pub(crate) fn parse<'a>(text: impl Fn(&str) -> &'a str) -> Result<Self, ContentError> {
        let mut catalogues = Language::ALL.map(|_| Catalogue::default());
        for (catalogue, language) in catalogues.iter_mut().zip(Language::ALL) {
            *catalogue = parse(language.file(), text(language.file()))?;
        }
        Ok(Self(Arc::new(ByLanguage::new(catalogues))))
    }

    pub(crate) fn of(&self, language: Language) -> &Catalogue {
        self.0.of(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
