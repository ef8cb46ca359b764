//! The catalogues of the content in the languages beside English.

use std::sync::Arc;

pub use service_kit::language::{Catalogue, Language};

use crate::files::{ContentError, HI_FILE, KN_FILE};

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
#[derive(Debug, Clone, Default)]
pub(crate) struct Catalogues(Arc<[Catalogue; 2]>);

impl Catalogues {
    /// Parses the catalogues of these texts.
    pub(crate) fn parse<'a>(text: impl Fn(&str) -> &'a str) -> Result<Self, ContentError> {
        let [kannada, hindi] = Language::ALL.map(|language| {
            let file = file(language);
            parse(file, text(file))
        });
        Ok(Self(Arc::new([kannada?, hindi?])))
    }

    pub(crate) fn of(&self, language: Language) -> &Catalogue {
        let [kannada, hindi] = &*self.0;
        match language {
            Language::Kannada => kannada,
            Language::Hindi => hindi,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
