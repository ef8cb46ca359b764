//! Texts of letters in each language. The English text is the key of its translations in `messages/`. What follows `##`
//! in a key is context and never shown.

use std::sync::LazyLock;

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use service_kit::language::{self, ByLanguage, Catalogue, Language, embedded_catalogues};

use crate::site::Site;

const INDIA_SECONDS: i32 = 5 * 3600 + 30 * 60;

const FILES: [&str; Language::ALL.len()] = embedded_catalogues!("../../../messages");

/// Without its catalogue, letters of a language are English; a test checks that each is complete.
static CATALOGUES: LazyLock<ByLanguage<Catalogue>> =
    LazyLock::new(|| ByLanguage::new(FILES.map(|text| Catalogue::parse(text).unwrap_or_default())));

fn catalogue(language: Language) -> &'static Catalogue {
    CATALOGUES.of(language)
}

/// An English text with its translations, made by [`key`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Key(pub(super) &'static str);

/// Declares a text of a letter. A test compares all uses with the catalogues, so the text must be a literal.
macro_rules! key {
    ($english:literal) => {
        $crate::mail::letter::language::Key($english)
    };
}
pub(super) use key;

/// Writes texts, dates and times in one language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words(pub(super) Option<Language>);

impl Words {
    /// Returns a text.
    pub(super) fn text(self, Key(english): Key) -> &'static str {
        let translation = self.0.and_then(|language| catalogue(language).get(english));
        translation.unwrap_or_else(|| english.split("##").next().unwrap_or(english))
    }

    /// Returns a text with its parameters replaced.
    pub(super) fn fill(self, key: Key, values: &[(&str, &str)]) -> String {
        language::fill(self.text(key), values)
    }

    /// Returns what stands before and after the one parameter of a text.
    pub(super) fn around(self, key: Key) -> (&'static str, &'static str) {
        let text = self.text(key);
        let parts = text.split_once('{').and_then(|(before, rest)| {
            let (_, after) = rest.split_once('}')?;
            Some((before, after))
        });
        parts.unwrap_or((text, ""))
    }

    /// Formats a time, for example `Monday 24 November 2026, 10:30 AM IST`.
    pub(super) fn date_time(self, time: DateTime<Utc>) -> String {
        self.moment(time, language::date, key!("{date}, {time} IST"))
    }

    /// Formats a time within a sentence, in front of a postposition.
    pub(super) fn until(self, time: DateTime<Utc>) -> String {
        self.moment(time, language::date, key!("{date}, {time} IST##until"))
    }

    /// Formats a time for subject lines and text messages, for example `Mon 24 Nov, 10:30 AM IST`.
    pub(super) fn short_date_time(self, time: DateTime<Utc>) -> String {
        self.moment(
            time,
            language::short_date,
            key!("{date}, {time} IST##short"),
        )
    }

    /// Formats a time of day without its zone, for example `10:30 AM`.
    pub(super) fn clock_time(self, time: DateTime<Utc>) -> String {
        language::time(self.0, india(time).time())
    }

    /// Formats a date, for example `Monday 24 November 2026`.
    pub(super) fn date(self, date: NaiveDate) -> String {
        language::date(self.0, date)
    }

    /// Returns the address of a page in the language.
    pub(super) fn page(self, site: &Site, path: &str) -> String {
        let prefix = Language::prefix(self.0);
        format!("{}{prefix}{path}", site.origin)
    }

    /// Returns the address in the language of an English page of the site. Other addresses are returned unchanged.
    pub(super) fn localized(self, site: &Site, url: &str) -> String {
        match url.strip_prefix(&site.origin) {
            Some(path) if path.starts_with('/') => self.page(site, path),
            _ => url.to_owned(),
        }
    }

    fn moment(
        self,
        time: DateTime<Utc>,
        date: fn(Option<Language>, NaiveDate) -> String,
        form: Key,
    ) -> String {
        let date = date(self.0, india(time).date_naive());
        self.fill(form, &[("date", &date), ("time", &self.clock_time(time))])
    }
}

fn india(time: DateTime<Utc>) -> DateTime<FixedOffset> {
    // India has had a single UTC offset since 1945.
    match FixedOffset::east_opt(INDIA_SECONDS) {
        Some(offset) => time.with_timezone(&offset),
        None => time.fixed_offset(),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    /// Share of letters in the script of the language, in percent.
    const OWN_LETTERS_MIN: usize = 90;

    /// Abbreviations that stay in Latin letters.
    const LATIN: [&str; 3] = ["ECG", "ENT", "OPD"];

    /// Returns the keys in a source file without its tests: the first literal after each use of the macro.
    fn keys(source: &str) -> Vec<String> {
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let uses = code.split("key!(").skip(1);
        uses.filter_map(|rest| {
            let rest = rest.trim_start().strip_prefix('"')?;
            let mut key = String::new();
            let mut letters = rest.chars();
            while let Some(letter) = letters.next() {
                match letter {
                    '"' => return Some(key),
                    '\\' => match letters.next() {
                        Some('\n') => {
                            let rest = letters.as_str().trim_start();
                            letters = rest.chars();
                        }
                        other => key.extend(other),
                    },
                    other => key.push(other),
                }
            }
            None
        })
        .collect()
    }

    fn used() -> BTreeSet<String> {
        let letters = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mail");
        let mut files = vec![letters.join("letter.rs")];
        let folder = fs::read_dir(letters.join("letter")).expect("the folder");
        files.extend(folder.map(|entry| entry.expect("an entry").path()));
        let sources = files
            .iter()
            .map(|file| fs::read_to_string(file).expect("a file"));
        sources.flat_map(|source| keys(&source)).collect()
    }

    fn parameters(text: &str) -> BTreeSet<&str> {
        let parts = text.split('{').skip(1);
        parts
            .filter_map(|part| Some(part.split_once('}')?.0))
            .collect()
    }

    #[test]
    fn every_text_is_translated_and_every_translation_used() {
        let used = used();
        assert!(used.len() > 100, "{}", used.len());
        for file in FILES {
            let catalogue = Catalogue::parse(file).expect("a catalogue");
            let kept: BTreeSet<String> =
                catalogue.entries().map(|(key, _)| key.to_owned()).collect();
            let missing: Vec<&String> = used.difference(&kept).collect();
            let unused: Vec<&String> = kept.difference(&used).collect();
            assert!(
                missing.is_empty() && unused.is_empty(),
                "{missing:?} {unused:?}"
            );
            let lines = file.lines().filter_map(|line| line.split_once("\": \""));
            assert!(
                lines.map(|(key, _)| key).is_sorted(),
                "sort the catalogue by key"
            );
        }
    }

    #[test]
    fn translations_have_the_parameters_of_their_text() {
        for language in Language::ALL {
            for (english, translation) in catalogue(language).entries() {
                assert_eq!(parameters(english), parameters(translation), "{english}");
                let marks = |text: &str| text.matches(['{', '}']).count();
                assert_eq!(marks(english), marks(translation), "{english}");
                assert!(!translation.contains("##"), "{english}");
            }
        }
    }

    #[test]
    fn translations_are_in_the_script_of_the_language() {
        for (language, script) in Language::ALL
            .into_iter()
            .zip(['\u{c80}'..='\u{cff}', '\u{900}'..='\u{97f}'])
        {
            let (mut own, mut all) = (0, 0);
            for (english, translation) in catalogue(language).entries() {
                let mut text = translation.to_owned();
                for latin in LATIN {
                    text = text.replace(latin, "");
                }
                for parameter in parameters(translation) {
                    text = text.replace(&format!("{{{parameter}}}"), "");
                }
                let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
                let own_letters = letters.iter().filter(|c| script.contains(*c)).count();
                own += own_letters;
                all += letters.len();
                assert_eq!(own_letters, letters.len(), "{english}: {translation}");
            }
            assert!(own * 100 >= all * OWN_LETTERS_MIN && all > 1000);
        }
    }

    #[test]
    fn reads_keys_of_sources() {
        let source = "key!(\"a \\\"b\\\"\") key!(\n  \"c \\\n     d\",) key!(x)";
        assert_eq!(keys(source), ["a \"b\"", "c d"]);
    }

    #[test]
    fn falls_back_to_english_without_context() {
        let words = Words(Some(Language::Kannada));
        assert_eq!(words.text(Key("Unknown##context")), "Unknown");
        assert_eq!(words.around(Key("a {b} c")), ("a ", " c"));
        assert_eq!(words.around(Key("a")), ("a", ""));
    }
}
