//! The languages of visitors beside English, their catalogues, dates and times.
//!
//! `Option<Language>` is the language of a person or text; `None` is English. A code that is unknown counts as English.
//!
//! A new language is added here and in `dates`. The compiler then names the other places.

mod catalogue;
mod dates;

use tonic::metadata::MetadataMap;

pub use catalogue::{CATALOGUE_BYTES_MAX, Catalogue, CatalogueError};
pub use dates::{date, day, short_date, time, weekday};

/// Metadata of a call with the code of a language. Absent for English.
pub const CONTENT_LANGUAGE: &str = "content-language";

/// A language beside English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Kannada,
    Hindi,
}

impl Language {
    /// All, in the order of the declaration.
    pub const ALL: [Self; 2] = [Self::Kannada, Self::Hindi];

    /// Returns the language of a code. English and anything else is `None`.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }

    /// Returns the language of a call.
    pub fn of_metadata(metadata: &MetadataMap) -> Option<Self> {
        let code = metadata.get(CONTENT_LANGUAGE)?;
        Self::of(code.to_str().ok()?)
    }

    /// Returns the code, as in addresses, in `content-language` and in databases.
    pub fn code(self) -> &'static str {
        match self {
            Self::Kannada => "kn",
            Self::Hindi => "hi",
        }
    }

    /// Returns the code of a language or `en`, for databases and `lang` attributes.
    pub fn code_or_en(language: Option<Self>) -> &'static str {
        language.map_or("en", Self::code)
    }

    /// Returns the file name of a catalogue.
    pub fn file(self) -> &'static str {
        match self {
            Self::Kannada => "kn.json",
            Self::Hindi => "hi.json",
        }
    }

    /// Returns the English name, for staff.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kannada => "Kannada",
            Self::Hindi => "Hindi",
        }
    }

    /// Returns the prefix of the addresses of its pages; empty for English.
    pub fn prefix(language: Option<Self>) -> &'static str {
        match language {
            None => "",
            Some(Self::Kannada) => "/kn",
            Some(Self::Hindi) => "/hi",
        }
    }
}

/// Embeds the catalogue of each language, in the order of [`Language::ALL`]. The folder is relative to the source file.
#[macro_export]
macro_rules! embedded_catalogues {
    ($folder:literal) => {{
        const TEXTS: [&str; $crate::language::Language::ALL.len()] = [
            include_str!(concat!($folder, "/kn.json")),
            include_str!(concat!($folder, "/hi.json")),
        ];
        TEXTS
    }};
}
pub use embedded_catalogues;

/// A value of each language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByLanguage<T>([T; Language::ALL.len()]);

impl<T> ByLanguage<T> {
    /// Takes the values in the order of [`Language::ALL`].
    pub const fn new(values: [T; Language::ALL.len()]) -> Self {
        Self(values)
    }

    pub fn of(&self, language: Language) -> &T {
        &self.0[language as usize]
    }
}

/// Replaces each `{name}` of a text by its value. Values are not searched for parameters; an unknown one stays.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let own = after.split_once('}').and_then(|(name, after)| {
            let mut values = values.iter();
            let (_, value) = values.find(|(own, _)| *own == name)?;
            Some((value, after))
        });
        rest = if let Some((value, after)) = own {
            filled.push_str(value);
            after
        } else {
            filled.push('{');
            after
        };
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_a_code() {
        for language in Language::ALL {
            assert_eq!(Language::of(language.code()), Some(language));
            assert_eq!(Language::code_or_en(Some(language)), language.code());
            assert_eq!(
                Language::prefix(Some(language)),
                format!("/{}", language.code())
            );
        }
        let values = ByLanguage::new(Language::ALL);
        for language in Language::ALL {
            assert_eq!(*values.of(language), language);
            assert_eq!(language.file(), format!("{}.json", language.code()));
        }
        for other in ["", "en", "KN", "kn-IN", "ta", "hi "] {
            assert_eq!(Language::of(other), None, "{other}");
        }
        assert_eq!(Language::code_or_en(None), "en");
    }

    #[test]
    fn reads_the_language_of_a_call() {
        let of = |bytes: &[u8]| {
            let mut metadata = MetadataMap::new();
            let value = tonic::codegen::http::HeaderValue::from_bytes(bytes).expect("a value");
            metadata.as_mut().insert(CONTENT_LANGUAGE, value);
            Language::of_metadata(&metadata)
        };
        assert_eq!(of(b"kn"), Some(Language::Kannada));
        assert_eq!(of(b"hi"), Some(Language::Hindi));
        for other in [b"en".as_slice(), b"", b"xx", b"kn,hi", b"\xff"] {
            assert_eq!(of(other), None, "{other:?}");
        }
        assert_eq!(Language::of_metadata(&MetadataMap::new()), None);
    }

    #[test]
    fn fills_parameters_once() {
        let values = [("a", "{b}"), ("b", "2")];
        assert_eq!(fill("{a} and {b}, {a}", &values), "{b} and 2, {b}");
        assert_eq!(fill("{c} {", &values), "{c} {");
        assert_eq!(fill("", &values), "");
    }
}
