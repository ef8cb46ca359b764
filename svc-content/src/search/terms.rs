//! Medical terms in Kannada and Hindi, in their scripts or in Latin letters, and what they are in English, the language
//! of the searched texts.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::{scripts, words};

/// Lines of `English; Kannada; Hindi`. A comma separates words with the same meaning.
const FILES: [&str; 4] = [
    include_str!("terms/body.txt"),
    include_str!("terms/care.txt"),
    include_str!("terms/illnesses.txt"),
    include_str!("terms/symptoms.txt"),
];

/// Words that say nothing about what is searched for.
const FILLERS: [&str; 4] = [
    "ನನ್ನ ನನಗೆ ನಮ್ಮ ನಮಗೆ ಇದೆ ಇವೆ ಆಗಿದೆ ಆಗುತ್ತಿದೆ ಬೇಕು ಬೇಕಾಗಿದೆ ಎಲ್ಲಿ ಹೇಗೆ ಏನು ಯಾವ",
    "ಮತ್ತು ಅಥವಾ ತುಂಬಾ ಬಂದಿದೆ ಬರುತ್ತಿದೆ ಸಮಸ್ಯೆ",
    "का की के को में से पर है हैं हो रहा रही रहे मुझे मेरा मेरी मेरे हमें और या क्या कैसे कहाँ",
    "चाहिए बहुत आ होना समस्या",
];

/// Endings of Kannada nouns by the form that [`words::term`] gives them, longest first.
const KANNADA_ENDINGS: [&str; 22] = [
    "galinda", "galali", "galige", "dinda", "iinda", "ninda", "dali", "iali", "nali", "inda",
    "galu", "gala", "vanu", "ianu", "ali", "anu", "ige", "ina", "ke", "ge", "da", "ia",
];
/// Endings of Hindi nouns likewise.
const HINDI_ENDINGS: [&str; 4] = ["on", "en", "e", "i"];
/// Minimum characters of a word without its ending.
const STEM_CHARS_MIN: usize = 3;
/// Maximum words of a term.
const TERM_WORDS_MAX: usize = 5;

static TERMS: LazyLock<Terms> = LazyLock::new(Terms::new);

#[derive(Default)]
struct Terms {
    /// English words by the key of a term.
    english: HashMap<String, Vec<String>>,
    /// Keys of the fillers.
    fillers: HashSet<String>,
}

impl Terms {
    fn new() -> Self {
        let mut terms = Self::default();
        let lines = FILES.iter().flat_map(|file| file.lines());
        for line in lines.filter(|line| !line.starts_with('#')) {
            let mut fields = line.split(';');
            let english = words::words(fields.next().unwrap_or_default());
            for term in fields.flat_map(|field| field.split(',')) {
                for key in keys(term) {
                    terms.english.entry(key).or_insert_with(|| english.clone());
                }
            }
        }
        terms.fillers = FILLERS
            .iter()
            .flat_map(|line| line.split_whitespace().flat_map(keys))
            .collect();
        terms
    }

    /// Returns the English words of the first `length` words, without the ending of the last one if necessary.
    fn translated(&self, query: &[String]) -> Option<&Vec<String>> {
        let (last, first) = query.split_last()?;
        let first: String = first.iter().map(|word| words::term(word) + " ").collect();
        let stems = stems(last).into_iter();
        stems
            .map(|stem| format!("{first}{stem}"))
            .find_map(|key| self.english.get(&key))
    }
}

/// Returns the keys of a term: one for each way to spell its words in Latin letters.
fn keys(term: &str) -> Vec<String> {
    let spellings = |word: &str| {
        if scripts::is_indian(word) {
            scripts::latin(word)
        } else {
            vec![word.to_owned()]
        }
    };
    let mut keys = vec![String::new()];
    for word in words::words(term) {
        let spellings = spellings(&word);
        keys = keys
            .iter()
            .flat_map(|key| {
                let terms = spellings.iter().map(|spelling| words::term(spelling));
                terms.map(move |term| format!("{key} {term}"))
            })
            .collect();
    }
    keys.into_iter()
        .map(|key| key.trim_start().to_owned())
        .filter(|key| !key.is_empty())
        .collect()
}

/// Returns the term of a word, and for a word of an Indian script what is left without an ending.
fn stems(word: &str) -> Vec<String> {
    let term = words::term(word);
    let mut stems = vec![term.clone()];
    if !scripts::is_indian(word) {
        return stems;
    }
    for ending in KANNADA_ENDINGS.iter().chain(&HINDI_ENDINGS) {
        let rest = term.strip_suffix(ending).unwrap_or_default();
        if rest.len() >= STEM_CHARS_MIN {
            stems.extend(["", "u", "a", "e", "i"].map(|vowel| format!("{rest}{vowel}")));
        }
    }
    stems
}

/// Replaces the terms of a query by English words, longest terms first. A term in Latin letters is replaced only if one of
/// its words is unknown: “pet” could be an animal.
pub(super) fn in_english(query: Vec<String>, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let is_foreign = |word: &String| scripts::is_indian(word) || !is_known(&words::term(word));
    let mut rest = query;
    let mut english = Vec::new();
    while !rest.is_empty() {
        let lengths = (1..=rest.len().min(TERM_WORDS_MAX)).rev();
        let mut lengths = lengths.filter(|length| rest[..*length].iter().any(is_foreign));
        let found = lengths.find_map(|length| Some((length, TERMS.translated(&rest[..length])?)));
        if let Some((length, words)) = found {
            rest.drain(..length);
            english.extend(words.iter().cloned());
        } else {
            let word = rest.remove(0);
            if !(is_foreign(&word) && TERMS.fillers.contains(&words::term(&word))) {
                english.push(word);
            }
        }
    }
    english
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> String {
        let known = ["pet", "doctor", "ramesh"].map(words::term);
        let english = in_english(words::words(query), |term| {
            known.iter().any(|word| word == term)
        });
        english.join(" ")
    }

    #[test]
    fn every_line_has_a_term_in_each_language() {
        let lines: Vec<&str> = FILES
            .iter()
            .flat_map(|file| file.lines())
            .filter(|line| !line.starts_with('#'))
            .collect();
        assert!(lines.len() >= 400, "{}", lines.len());
        let mut english = Vec::new();
        for line in lines {
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let [term, kannada, hindi] = fields[..] else {
                panic!("{line}: not three fields");
            };
            let is_of = |text: &str, first: char, last: char| {
                let mut letters = text.chars().filter(|letter| letter.is_alphabetic());
                letters.all(|letter| (first..=last).contains(&letter))
            };
            assert!(term.is_ascii() && !words::words(term).is_empty(), "{line}");
            assert!(is_of(kannada, '\u{c80}', '\u{cff}'), "{line}");
            assert!(is_of(hindi, '\u{900}', '\u{97f}'), "{line}");
            for alternative in kannada.split(',').chain(hindi.split(',')) {
                let length = words::words(alternative).len();
                assert!((1..=TERM_WORDS_MAX).contains(&length), "{alternative}");
            }
            english.push(term);
        }
        english.sort_unstable();
        assert!(english.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn finds_terms_in_three_spellings() {
        for (query, english) in [
            ("ಜ್ವರ", "fever"),
            ("jwara", "fever"),
            ("jvara", "fever"),
            ("बुखार", "fever"),
            ("bukhar", "fever"),
            ("ಹೃದಯ", "heart"),
            ("हृदय", "heart"),
            ("hrudaya", "heart"),
            ("dil", "heart"),
            ("makkala doctor", "child doctor"),
            ("ಮಕ್ಕಳ ವೈದ್ಯರು", "child doctor"),
            ("ಹೊಟ್ಟೆ ನೋವು", "stomach pain"),
            ("hotte novu", "stomach pain"),
            ("सिर में दर्द", "headache"),
            ("ನನಗೆ ಜ್ವರ ಇದೆ", "fever"),
            ("ಆಸ್ಪತ್ರೆಯಲ್ಲಿ", "hospital"),
            ("घुटनों में बहुत दर्द", "knee pain"),
            ("garbhavati", "pregnant"),
            ("pet dard", "stomach pain"),
            ("pet", "pet"),
            ("ಡಾ ರಮೇಶ್", "ಡಾ ರಮೇಶ್"),
        ] {
            assert_eq!(asked(query), english, "{query}");
        }
    }
}
