//! Words in Kannada and Devanagari, spelt in Latin letters as people type them: ಹೃದಯ becomes hrudaya, दिल becomes dil.
//! The result is for comparison only.

use unicode_normalization::UnicodeNormalization;

const VIRAMA: [char; 2] = ['\u{94d}', '\u{ccd}'];
const NUKTA: char = '\u{93c}';
const LIPS: [char; 3] = ['p', 'b', 'm'];

/// A sound of a word.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sound {
    Consonant(&'static str),
    Vowel(&'static str),
    /// The vowel of a consonant without a vowel sign. Hindi does not speak all of them.
    Inherent,
    /// A nasal of the place of the next consonant.
    Nasal,
}

/// Returns whether a word has a letter of Kannada or Devanagari.
pub(super) fn is_indian(word: &str) -> bool {
    word.chars()
        .any(|letter| is_kannada(letter) || is_devanagari(letter))
}

fn is_kannada(letter: char) -> bool {
    ('\u{c80}'..='\u{cff}').contains(&letter)
}

fn is_devanagari(letter: char) -> bool {
    ('\u{900}'..='\u{97f}').contains(&letter)
}

/// Returns the Latin spellings of a word of Kannada or Devanagari, the usual one first. The other ones keep vowels that
/// are spoken by some.
pub(super) fn latin(word: &str) -> Vec<String> {
    let sounds = sounds(word);
    if !word.chars().any(is_devanagari) {
        return vec![spelt(&sounds)];
    }
    let careful = without_last(sounds.clone());
    let usual = without_silent(careful.clone());
    let mut spellings = vec![spelt(&usual), spelt(&careful)];
    spellings.dedup();
    spellings
}

fn sounds(word: &str) -> Vec<Sound> {
    let mut sounds: Vec<Sound> = Vec::new();
    // Composed vowel signs are one letter then, and letters with a dot below two.
    for letter in word.nfc() {
        if VIRAMA.contains(&letter) {
            sounds.pop_if(|last| *last == Sound::Inherent);
        } else if let Some(vowel) = vowel_sign(letter) {
            sounds.pop_if(|last| *last == Sound::Inherent);
            sounds.push(Sound::Vowel(vowel));
        } else if letter == NUKTA {
            dot(&mut sounds);
        } else if let Some(consonant) = consonant(letter) {
            sounds.extend([Sound::Consonant(consonant), Sound::Inherent]);
        } else if let Some(vowel) = vowel(letter) {
            sounds.push(Sound::Vowel(vowel));
        } else if matches!(letter, '\u{901}' | '\u{902}' | '\u{c81}' | '\u{c82}') {
            sounds.push(Sound::Nasal);
        }
    }
    sounds
}

/// Applies a dot below to the last consonant.
fn dot(sounds: &mut [Sound]) {
    let last = sounds.iter_mut().rev().find_map(|sound| match sound {
        Sound::Consonant(letters) => Some(letters),
        _ => None,
    });
    if let Some(letters) = last {
        *letters = match *letters {
            "j" => "z",
            "ph" => "f",
            other => other,
        };
    }
}

fn without_last(mut sounds: Vec<Sound>) -> Vec<Sound> {
    // A word of one consonant keeps its vowel.
    if sounds.len() > 2 {
        sounds.pop_if(|last| *last == Sound::Inherent);
    }
    sounds
}

/// Leaves out the vowels that Hindi does not speak: between a vowel with one consonant, and a consonant with a vowel,
/// from the end of the word.
fn without_silent(mut sounds: Vec<Sound>) -> Vec<Sound> {
    let is_vowel = |sound: &Sound| matches!(sound, Sound::Vowel(_) | Sound::Inherent);
    let is_consonant = |sound: &Sound| matches!(sound, Sound::Consonant(_));
    for at in (2..sounds.len()).rev() {
        let [before, consonant] = [sounds[at - 2], sounds[at - 1]];
        let is_silent = sounds[at] == Sound::Inherent
            && is_vowel(&before)
            && is_consonant(&consonant)
            && sounds.get(at + 1).is_some_and(is_consonant)
            && sounds.get(at + 2).is_some_and(is_vowel);
        if is_silent {
            sounds.remove(at);
        }
    }
    sounds
}

fn spelt(sounds: &[Sound]) -> String {
    let mut text = String::new();
    for (at, sound) in sounds.iter().enumerate() {
        match sound {
            Sound::Consonant(letters) | Sound::Vowel(letters) => text.push_str(letters),
            Sound::Inherent => text.push('a'),
            Sound::Nasal => {
                let is_of_lips = match sounds.get(at + 1) {
                    Some(Sound::Consonant(next)) => next.starts_with(LIPS),
                    _ => false,
                };
                text.push(if is_of_lips { 'm' } else { 'n' });
            }
        }
    }
    // One letter pair of Hindi has a sound of its own.
    text.replace("jñ", "gy").replace('ñ', "n")
}

fn consonant(letter: char) -> Option<&'static str> {
    Some(match letter {
        'क' | 'ಕ' => "k",
        'ख' | 'ಖ' => "kh",
        'ग' | 'ಗ' => "g",
        'घ' | 'ಘ' => "gh",
        'च' | 'छ' | 'ಚ' | 'ಛ' => "ch",
        'ज' | 'ಜ' => "j",
        'झ' | 'ಝ' => "jh",
        'ञ' => "ñ",
        'ट' | 'त' | 'ಟ' | 'ತ' => "t",
        'ठ' | 'थ' | 'ಠ' | 'ಥ' => "th",
        'ड' | 'द' | 'ಡ' | 'ದ' => "d",
        'ढ' | 'ध' | 'ಢ' | 'ಧ' => "dh",
        'ङ' | 'ण' | 'न' | 'ऩ' | 'ಙ' | 'ಞ' | 'ಣ' | 'ನ' => "n",
        'प' | 'ಪ' => "p",
        'फ' | 'ಫ' => "ph",
        'ब' | 'ಬ' => "b",
        'भ' | 'ಭ' => "bh",
        'म' | 'ಮ' => "m",
        'य' | 'ಯ' => "y",
        'र' | 'ऱ' | 'ರ' | 'ಱ' => "r",
        'ल' | 'ळ' | 'ऴ' | 'ಲ' | 'ಳ' | 'ೞ' => "l",
        'व' | 'ವ' => "v",
        'श' | 'ष' | 'ಶ' | 'ಷ' => "sh",
        'स' | 'ಸ' => "s",
        'ह' | 'ಹ' => "h",
        _ => return None,
    })
}

fn vowel(letter: char) -> Option<&'static str> {
    Some(match letter {
        'अ' | 'आ' | 'ಅ' | 'ಆ' => "a",
        'इ' | 'ई' | 'ಇ' | 'ಈ' => "i",
        'उ' | 'ऊ' | 'ಉ' | 'ಊ' => "u",
        'ऋ' => "ri",
        'ಋ' => "ru",
        'ऍ' | 'ऎ' | 'ए' | 'ಎ' | 'ಏ' => "e",
        'ऐ' | 'ಐ' => "ai",
        'ऑ' | 'ऒ' | 'ओ' | 'ಒ' | 'ಓ' => "o",
        'औ' | 'ಔ' => "au",
        _ => return None,
    })
}

fn vowel_sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{93e}' | '\u{cbe}' => "a",
        '\u{93f}' | '\u{940}' | '\u{cbf}' | '\u{cc0}' => "i",
        '\u{941}' | '\u{942}' | '\u{cc1}' | '\u{cc2}' => "u",
        '\u{943}' => "ri",
        '\u{cc3}' => "ru",
        '\u{945}'..='\u{947}' | '\u{cc6}' | '\u{cc7}' => "e",
        '\u{948}' | '\u{cc8}' => "ai",
        '\u{949}'..='\u{94b}' | '\u{cca}' | '\u{ccb}' => "o",
        '\u{94c}' | '\u{ccc}' => "au",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_as_people_type() {
        for (word, spelling) in [
            ("ಹೃದಯ", "hrudaya"),
            ("ಜ್ವರ", "jvara"),
            ("ಮಕ್ಕಳ", "makkala"),
            ("ಹೊಟ್ಟೆ", "hotte"),
            ("ನೋವು", "novu"),
            ("ಲಕ್ಷ್ಮಿ", "lakshmi"),
            ("ಸಂಬಂಧ", "sambandha"),
            ("दिल", "dil"),
            ("बुखार", "bukhar"),
            ("धड़कन", "dhadkan"),
            ("घुटना", "ghutna"),
            ("खाँसी", "khansi"),
            ("चक्कर", "chakkar"),
            ("कमर", "kamar"),
            ("हृदय", "hriday"),
            ("मरीज़", "mariz"),
            ("विशेषज्ञ", "visheshagy"),
            ("न", "na"),
        ] {
            assert_eq!(latin(word)[0], spelling, "{word}");
        }
        assert_eq!(latin("गर्भवती"), ["garbhavti", "garbhavati"]);
        assert!(is_indian("ECG ಇಸಿಜಿ") && !is_indian("Café"));
    }
}
