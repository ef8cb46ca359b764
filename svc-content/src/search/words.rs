//! Normalisation of words for search. Words that sound alike, differ in British, American or Indian spelling, or differ
//! only in their ending become one term.

use std::ops::RangeInclusive;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::scripts;

/// Stop words: too common to be useful in a query.
const STOPWORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has",
    "have", "he", "her", "his", "how", "i", "in", "is", "it", "me", "my", "near", "of", "on", "or",
    "she", "the", "to", "what", "when", "where", "which", "who", "with", "you", "your",
];

/// Endings with the same meaning, longest first.
const ENDINGS: &[(&str, &str)] = &[
    ("ologically", "olog"),
    ("ological", "olog"),
    ("ologists", "olog"),
    ("alogists", "olog"),
    ("ologist", "olog"),
    ("alogist", "olog"),
    ("ologies", "olog"),
    ("ologic", "olog"),
    ("ology", "olog"),
    ("icians", "ic"),
    ("ician", "ic"),
    ("ically", "ic"),
    ("ical", "ic"),
    ("ics", "ic"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("ies", "y"),
];

/// Spellings of the same sound. The order matters, because later rules apply to the output of earlier ones.
const SOUNDS: &[(&str, &str)] = &[
    ("chch", "cch"),
    ("ae", "e"),
    ("oe", "e"),
    ("ee", "i"),
    ("oo", "u"),
    ("aa", "a"),
    ("our", "or"),
    ("ou", "u"),
    ("ph", "f"),
    ("rh", "r"),
    ("sh", "s"),
    ("th", "t"),
    ("dh", "d"),
    ("bh", "b"),
    ("gh", "g"),
    ("kh", "k"),
    ("ck", "k"),
    ("x", "ks"),
    ("q", "k"),
    ("z", "s"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
    ("c", "k"),
    ("y", "i"),
    ("w", "v"),
];

/// Maximum length of a word, in characters; longer ones are ignored.
const WORD_CHARS_MAX: usize = 40;

/// Invisible characters within words of Indian scripts: zero width non-joiner and joiner.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// Returns the lower-case words of a text, without accents and apostrophes. A hyphenated word yields its parts and the
/// whole.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    // Compose first, because a separate combining accent would end the word.
    let text: String = text.nfc().collect();
    for compound in text.split(|character: char| {
        !(character.is_alphanumeric()
            || is_combining_mark(character)
            || JOINERS.contains(&character)
            || matches!(character, '-' | '\'' | '’'))
    }) {
        let parts: Vec<String> = compound
            .split('-')
            .map(plain)
            .filter(|part| !part.is_empty() && part.chars().count() <= WORD_CHARS_MAX)
            .collect();
        let joined: String = parts.concat();
        if parts.len() > 1 && joined.chars().count() <= WORD_CHARS_MAX {
            words.push(joined);
        }
        words.extend(parts.into_iter().filter(|part| part.chars().count() > 1));
    }
    words
}

pub(super) fn is_stopword(word: &str) -> bool {
    STOPWORDS.binary_search(&word).is_ok()
}

/// Returns the search term for a word returned by [`words`]. A word has the same term in each script.
pub(super) fn term(word: &str) -> String {
    if scripts::is_indian(word)
        && let Some(latin) = scripts::latin(word).first()
    {
        return sound(&stem(latin));
    }
    sound(&stem(word))
}

fn stem(word: &str) -> String {
    for (ending, stem) in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 2
        {
            return format!("{rest}{stem}");
        }
    }
    match word.strip_suffix('s') {
        Some(rest) if rest.len() >= 3 && !rest.ends_with(['s', 'u', 'i']) => rest.to_owned(),
        _ => word.to_owned(),
    }
}

fn sound(word: &str) -> String {
    let mut sound = word.to_owned();
    for (spelling, same) in SOUNDS {
        if sound.contains(spelling) {
            sound = sound.replace(spelling, same);
        }
    }
    let mut letters: Vec<char> = sound.chars().collect();
    letters.dedup_by(|next, last| next == last && !next.is_ascii_digit());
    letters.into_iter().collect()
}

/// Lower-cases, strips apostrophes, accents and joiners, and writes Indian digits as 0 to 9. Vowel signs of Indian scripts
/// are not accents and are kept.
fn plain(word: &str) -> String {
    const ACCENTS: RangeInclusive<char> = '\u{300}'..='\u{36f}';
    word.nfd()
        .filter(|character| {
            !matches!(character, '\'' | '’')
                && !ACCENTS.contains(character)
                && !JOINERS.contains(character)
        })
        .nfc()
        .map(digit)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns a digit of Devanagari or Kannada as 0 to 9, and any other character as it is.
fn digit(character: char) -> char {
    let zeros = ['\u{966}', '\u{ce6}'].map(u32::from);
    let digit = zeros.iter().find_map(|zero| {
        u32::from(character)
            .checked_sub(*zero)
            .filter(|digit| *digit < 10)
    });
    digit
        .and_then(|digit| char::from_digit(digit, 10))
        .unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stopwords_are_sorted() {
        assert!(STOPWORDS.is_sorted());
        assert!(is_stopword("the") && !is_stopword("heart"));
    }

    #[test]
    fn synonyms_share_a_term() {
        for same in [
            &[
                "orthopaedic",
                "orthopedic",
                "orthopaedics",
                "Orthopedics",
                "orthopaedician",
            ][..],
            &[
                "gynaecology",
                "gynecology",
                "gynaecologist",
                "gynecologists",
            ],
            &["paediatrics", "pediatrics", "pediatrician"],
            &["cardiology", "cardiologist"],
            &["haemorrhoids", "hemorrhoid", "hemorroids"],
            &["diarrhoea", "diarrhea"],
            &["anaesthesia", "anesthesia"],
            &["labour", "labor"],
            &["tumour", "tumor"],
            &["Lakshmi", "Laxmi"],
            &["Chandrashekar", "Chandrasekhar"],
            &["Prabhu", "Prabu"],
            &["Shetty", "Shetti"],
            &["piles", "pile"],
            &["surgery", "surgeries"],
            &["physiotherapy", "phisiotherapy"],
            &["child's", "childs"],
        ] {
            let terms: Vec<String> = same.iter().map(|word| term(&words(word)[0])).collect();
            assert!(terms.windows(2).all(|pair| pair[0] == pair[1]), "{terms:?}");
        }
        assert_ne!(term("neurology"), term("urology"));
        assert_ne!(term("diabetes"), term("dialysis"));
    }

    #[test]
    fn splits_texts_into_words() {
        assert_eq!(
            words("Digital X-Ray, 24/7!"),
            ["digital", "xray", "ray", "24"]
        );
        assert_eq!(words("Café  d’Or"), ["cafe", "dor"]);
        assert_eq!(
            words("Cafe\u{301} Čapek Śrīnivāsa İ"),
            ["cafe", "capek", "srinivasa"]
        );
        assert_eq!(words("ಮೊಳಕೆ \u{cae}\u{cc6}\u{cc2}"), ["ಮೊಳಕೆ", "ಮೊ"]);
        assert_eq!(
            words("ಹೃದಯ रोग, ಅಪಾಯಿಂಟ್\u{200c}ಮೆಂಟ್ ೧೦८"),
            ["ಹೃದಯ", "रोग", "ಅಪಾಯಿಂಟ್ಮೆಂಟ್", "108"]
        );
        assert_eq!(words(&"a".repeat(41)), Vec::<String>::new());
        assert_eq!(words("- ' ’"), Vec::<String>::new());
    }
}
