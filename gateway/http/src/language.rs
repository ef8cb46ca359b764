//! The languages of the site.

use axum::http::{HeaderMap, HeaderValue, header::ACCEPT_LANGUAGE};

/// Maximum compared ranges of `Accept-Language`; further ones are ignored.
const RANGES_MAX: usize = 16;

/// A language in which pages, texts of the content and notices exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// The default.
    #[default]
    English,
    /// Kannada.
    Kannada,
    /// Hindi.
    Hindi,
}

impl Language {
    /// All languages; the first one is the default.
    pub const ALL: [Self; 3] = [Self::English, Self::Kannada, Self::Hindi];

    /// Returns the language of a code in small letters, such as `en`.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }

    /// Returns the code of BCP 47.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Kannada => "kn",
            Self::Hindi => "hi",
        }
    }

    /// Returns all codes for a sentence: `en, kn or hi`.
    pub fn codes() -> String {
        let codes = Self::ALL.map(Self::code).join(", ");
        match codes.rsplit_once(", ") {
            Some((others, last)) => format!("{others} or {last}"),
            None => codes,
        }
    }

    /// Returns [`Self::code`] as a header value.
    pub fn header(self) -> HeaderValue {
        HeaderValue::from_static(self.code())
    }

    /// Returns the code, or `None` for the default language, which is named nowhere.
    pub fn other_than_default(self) -> Option<&'static str> {
        (self != Self::default()).then(|| self.code())
    }

    /// Returns the language that `Accept-Language` prefers. Regions are ignored: `hi-IN` is Hindi. Of equal weights, the
    /// first one counts. The default without the header, and if the header names none of the languages.
    pub fn preferred(headers: &HeaderMap) -> Self {
        let values = headers.get_all(ACCEPT_LANGUAGE).iter();
        let ranges = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        let known = ranges.take(RANGES_MAX).filter_map(range);
        let best = known
            .filter(|(_, weight)| *weight > 0.0)
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        best.map(|(language, _)| language).unwrap_or_default()
    }
}

/// Returns the language and the weight of a range such as `kn-IN;q=0.8`; `None` for other languages.
fn range(text: &str) -> Option<(Language, f32)> {
    let mut pieces = text.split(';').map(str::trim);
    let tag = pieces.next()?.to_ascii_lowercase();
    let language = Language::of_code(tag.split('-').next()?)?;
    let weight = pieces.find_map(|piece| piece.strip_prefix("q="));
    let weight = weight.map_or(Some(1.0), |weight| weight.parse().ok())?;
    (0.0..=1.0).contains(&weight).then_some((language, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preferred(value: &'static str) -> &'static str {
        let value = HeaderValue::from_static(value);
        Language::preferred(&HeaderMap::from_iter([(ACCEPT_LANGUAGE, value)])).code()
    }

    #[test]
    fn lists_the_codes() {
        assert_eq!(Language::codes(), "en, kn or hi");
    }

    #[test]
    fn prefers_the_highest_weight_of_the_known_languages() {
        assert_eq!(Language::preferred(&HeaderMap::new()), Language::English);
        for (value, expected) in [
            ("kn", "kn"),
            ("kn-IN, en;q=0.8", "kn"),
            ("de, HI-in;q=0.5, kn;q=0.7", "kn"),
            ("en-GB,hi;q=0.9", "en"),
            ("hi,kn", "hi"),
            ("ta, *;q=0.5", "en"),
            ("kn;q=0, hi;q=0.1", "hi"),
            ("kn;q=2, hi;q=x", "en"),
            ("knx", "en"),
            ("", "en"),
        ] {
            assert_eq!(preferred(value), expected, "{value}");
        }
    }
}
