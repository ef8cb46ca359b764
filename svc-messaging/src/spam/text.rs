//! Signs of spam in the text of a message. Patients write in any Indian language, in capitals, in single words, with
//! reports full of numbers and a link or two. None of these alone is suspicious.

use super::{
    links::Links,
    sign::{Sign, sign},
    words::{AMBIGUOUS, CARE, INJECTIONS, KEYBOARD, PROGRAM_WORDS, STRONG, TAGS, THROWAWAY, WEAK},
};

/// Weights of one phrase of each list, and the maximum sum.
const STRONG_WEIGHT: u32 = 55;
const AMBIGUOUS_WEIGHT: u32 = 28;
const WEAK_WEIGHT: u32 = 14;
const PHRASES_MAX: u32 = 110;
/// Weights in a message that mentions care.
const AMBIGUOUS_IN_CARE_WEIGHT: u32 = 9;
const WEAK_IN_CARE_WEIGHT: u32 = 7;
/// Number of [`WEAK`] phrases that are not counted; a single one is coincidence.
const WEAK_FREE: usize = 1;
/// Letters that Indian names seldom combine. Two of them in a run of consonants indicate random typing.
const RARE_LETTERS: &str = "qxzwjf";

/// Returns the signs of a message.
pub(super) fn signs(name: &str, subject: &str, message: &str, email: Option<&str>) -> Vec<Sign> {
    let whole = plain(&format!("{subject}\n{message}"));
    let links = Links::of(message);
    let all = [
        sign("link_in_name", weight(Links::of(name).count > 0, 100)),
        sign("link_in_subject", weight(Links::of(subject).count > 0, 40)),
        sign("links", links.weight()),
        sign("bad_links", weight(links.bad || Links::of(subject).bad, 45)),
        sign(
            "only_a_link",
            weight(links.count > 0 && links.other_words <= 4, 25),
        ),
        sign("markup", markup(&format!("{name} {subject} {message}"))),
        sign("injection", injection(name, subject, message)),
        sign("phrases", phrases(&whole)),
        sign("script", script(&format!("{subject} {message}"))),
        sign(
            "mixed_script",
            weight(is_mixed(&format!("{name} {subject} {message}")), 60),
        ),
        sign("gibberish", gibberish(message)),
        sign("gibberish_name", weight(is_gibberish_name(name), 45)),
        sign("same_fields", weight(is_same(name, subject, message), 30)),
        sign("shouting", weight(is_shouted(message), 5)),
        sign("throwaway_address", weight(is_throwaway(email), 20)),
    ];
    all.into_iter().filter(|sign| sign.weight > 0).collect()
}

fn weight(is: bool, weight: u32) -> u32 {
    if is { weight } else { 0 }
}

/// Normalises to lower case and single spaces.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn markup(text: &str) -> u32 {
    let text = text.to_lowercase();
    let has = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    if has(&["<a ", "href=", "[url", "[/url]", "[link", "[img"]) {
        return 70;
    }
    // Neither `BP <140` nor `<b/f> 132` is a tag.
    let mut after = text.split('<').skip(1);
    let is_tag = after.any(|rest| {
        let Some((tag, _)) = rest.split_once('>') else {
            return false;
        };
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        let name = tag.split(char::is_whitespace).next().unwrap_or_default();
        TAGS.contains(&name.strip_suffix('/').unwrap_or(name))
    });
    weight(is_tag, 45)
}

fn injection(name: &str, subject: &str, message: &str) -> u32 {
    let text = format!("{name}\n{subject}\n{message}").to_lowercase();
    let has = |words: &[&str]| words.iter().filter(|word| text.contains(**word)).count();
    weight(
        has(INJECTIONS) > 0 || has(PROGRAM_WORDS) > 1 || has_injected_header(&text),
        100,
    )
}

/// Detects header injection. A pasted mail has its headers on separate lines; a `bcc:` within a line targets a program
/// that copies it into a mail.
fn has_injected_header(text: &str) -> bool {
    let is_recipient = |line: &str| {
        line.split_once(" bcc:").is_some_and(|(_, rest)| {
            rest.split_whitespace()
                .next()
                .is_some_and(|word| word.contains('@'))
        })
    };
    text.contains("content-type:") && text.lines().any(is_recipient)
}

fn phrases(whole: &str) -> u32 {
    let count = |phrases: &[&str]| {
        phrases
            .iter()
            .filter(|phrase| is_phrase(whole, phrase))
            .count()
    };
    let of = |count: usize, each: u32| {
        u32::try_from(count)
            .unwrap_or(u32::MAX)
            .saturating_mul(each)
    };
    let (ambiguous_weight, weak_weight) = match count(CARE) {
        0 => (AMBIGUOUS_WEIGHT, WEAK_WEIGHT),
        1 => (AMBIGUOUS_IN_CARE_WEIGHT, WEAK_WEIGHT),
        _ => (AMBIGUOUS_IN_CARE_WEIGHT, WEAK_IN_CARE_WEIGHT),
    };
    let weak = count(WEAK).saturating_sub(WEAK_FREE);
    of(count(STRONG), STRONG_WEIGHT)
        .saturating_add(of(count(AMBIGUOUS), ambiguous_weight))
        .saturating_add(of(weak, weak_weight))
        .min(PHRASES_MAX)
}

/// Returns whether any word of the text starts with the phrase.
fn is_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric())
    })
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Script {
    Latin,
    /// Scripts of India and its neighbours. Includes Arabic letters, in which Urdu is written.
    Indian,
    Other,
}

fn script_of(letter: char) -> Option<Script> {
    if !letter.is_alphabetic() {
        return None;
    }
    Some(match u32::from(letter) {
        0..=0x024F | 0x1E00..=0x1EFF | 0x02B0..=0x02FF => Script::Latin,
        0x0600..=0x06FF
        | 0x0750..=0x077F
        | 0x08A0..=0x0DFF
        | 0x0F00..=0x0FFF
        | 0x1C50..=0x1C7F
        | 0xA8E0..=0xA8FF
        | 0xABC0..=0xABFF
        | 0xFB50..=0xFDFF
        | 0xFE70..=0xFEFF => Script::Indian,
        _ => Script::Other,
    })
}

fn script(text: &str) -> u32 {
    let letters = text.chars().filter_map(script_of);
    let (mut all, mut other) = (0_u32, 0_u32);
    for script in letters {
        all += 1;
        other += u32::from(script == Script::Other);
    }
    weight(other >= 5 && other * 3 > all, 35)
}

/// Returns whether a word mixes Latin letters with those of a foreign script, a trick to evade filters.
fn is_mixed(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric())
        .any(|word| {
            let has = |wanted| word.chars().any(|letter| script_of(letter) == Some(wanted));
            has(Script::Latin) && has(Script::Other)
        })
}

fn is_vowel(letter: char) -> bool {
    "aeiouy".contains(letter) || !letter.is_ascii()
}

/// Returns the length of the longest run of consonants.
fn consonants(word: &str) -> usize {
    let runs = word.split(is_vowel);
    runs.map(|run| run.chars().count())
        .max()
        .unwrap_or_default()
}

/// Counts capitals that follow a lower-case letter.
fn inner_capitals(word: &str) -> usize {
    let letters: Vec<char> = word.chars().collect();
    let pairs = letters.windows(2);
    pairs
        .filter(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
        .count()
}

fn is_gibberish_word(word: &str) -> bool {
    let count = word.chars().count();
    if count < 5 || !word.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return false;
    }
    let small = word.to_ascii_lowercase();
    let is_abbreviation = count < 8 && !word.chars().any(char::is_lowercase);
    let is_keyboard = KEYBOARD.iter().any(|keys| small.contains(keys));
    is_keyboard
        || (!is_abbreviation && consonants(&small) >= 5)
        || (count >= 8 && inner_capitals(word) >= 2)
}

fn gibberish(message: &str) -> u32 {
    let is_letter = |letter: char| !letter.is_alphanumeric();
    let words: Vec<&str> = message
        .split(is_letter)
        .filter(|word| word.len() >= 3)
        .collect();
    let found = words.iter().filter(|word| is_gibberish_word(word)).count();
    // A lab report contains an odd word; spam of this kind contains little else.
    weight(found > 0 && found * 5 >= words.len() * 2, 60)
}

/// Indian names are often written without vowels (Chandrshekhar, Krshnmurthy), so a run of consonants alone is no sign.
fn is_gibberish_name(name: &str) -> bool {
    let is_random = |word: &str| {
        let small = word.to_ascii_lowercase();
        let is_keyboard = KEYBOARD.iter().any(|keys| small.contains(keys));
        let is_rare = |run: &str| {
            let rare = run.chars().filter(|letter| RARE_LETTERS.contains(*letter));
            run.len() >= 5 && rare.count() >= 2
        };
        is_keyboard
            || consonants(&small) >= 9
            || small.split(is_vowel).any(is_rare)
            // `McDonaldDSouza` has two.
            || inner_capitals(word) >= 3
    };
    name.split_whitespace()
        .filter(|word| word.len() >= 5 && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .any(is_random)
}

fn is_same(name: &str, subject: &str, message: &str) -> bool {
    let name = plain(name);
    name.chars().count() >= 5
        && (name == plain(message) || name == plain(subject) && name.len() > 12)
}

fn is_shouted(message: &str) -> bool {
    let letters = message.chars().filter(char::is_ascii_alphabetic);
    let (mut all, mut capitals) = (0_u32, 0_u32);
    for letter in letters {
        all += 1;
        capitals += u32::from(letter.is_ascii_uppercase());
    }
    all >= 40 && capitals * 10 > all * 8
}

fn is_throwaway(email: Option<&str>) -> bool {
    let domain = email.and_then(|email| email.rsplit_once('@'));
    domain.is_some_and(|(_, domain)| {
        let domain = domain.to_lowercase();
        THROWAWAY.contains(&domain.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(message: &str) -> Vec<&'static str> {
        let found = signs(
            "Kamala Rao",
            "A question",
            message,
            Some("kamala@visitor.example"),
        );
        found.iter().map(|sign| sign.name).collect()
    }

    #[test]
    fn texts_of_patients_have_no_sign() {
        for message in [
            "Ok",
            "Please call me.",
            "PLEASE HELP",
            "BP <140/90 and sugar > 200, Dr.Rao said Rs.5000 for the scan.",
            "Mail me at kamala.rao@visitor.com or k_rao@visitor.co.in",
            "HbA1c 7.2, TSH 4.11 uIU/mL, LDL 131 mg/dL, SGPT 44, CRP <0.6, RBS 142",
            "ನಮಸ್ಕಾರ, ನಾಳೆ ಬರಬಹುದೇ?",
            "اردو میں بھی لکھ سکتے ہیں",
            "Krishnamurthy Lakshmipathi Schwartz Jyothsna",
            // M4: run-on sentences, pasted mails, a single programming word.
            "Knee pain.in left leg.me and my wife.co",
            "can't sleep(last 3 weeks)",
            "From: lab\nCc: billing@b.example\nBcc: none\nPlease see.",
            "Before <b/f> 132, after <a/f> 188",
        ] {
            assert_eq!(names(message), [""; 0], "{message}");
        }
    }

    #[test]
    fn each_sign_is_found() {
        for (message, sign) in [
            ("See https://a.example and more words here", "links"),
            ("See www.example.in and other things there", "links"),
            ("See one.com, two.com and three-3.net there", "links"),
            ("bit.ly/2abcd and some more words here", "bad_links"),
            ("See http://a.xyz and more words here too", "bad_links"),
            ("http://a.example", "only_a_link"),
            ("[url=http://a.example]x[/url]", "markup"),
            ("<b>bold</b>", "markup"),
            ("' OR '1'='1", "injection"),
            ("select * from users; sleep(9)", "injection"),
            (
                "Hello Bcc: a@b.example Content-Type: text/html",
                "injection",
            ),
            ("We sell backlinks", "phrases"),
            ("Добрый день, помогите", "script"),
            ("Frее оffеr", "mixed_script"),
            ("xkjdfhgkjh wqrtpsdf", "gibberish"),
            ("asdfasdf", "gibberish"),
            (
                "THIS IS THE WORST HOSPITAL THAT I HAVE EVER SEEN IN MY LIFE",
                "shouting",
            ),
        ] {
            assert!(
                names(message).contains(&sign),
                "{message}: {:?}",
                names(message)
            );
        }
        let of =
            |name, subject, email| signs(name, subject, "A message of some words", Some(email));
        let has = |found: Vec<Sign>, name: &str| found.iter().any(|sign| sign.name == name);
        assert!(has(of("www.a.example", "x", "a@b.example"), "link_in_name"));
        assert!(has(
            of("A", "http://a.example", "a@b.example"),
            "link_in_subject"
        ));
        assert!(has(of("XqWtRzPl", "x", "a@b.example"), "gibberish_name"));
        for name in ["Chandrshekhar", "T. Krshnmurthy", "Harshvrdhan Krtvrma"] {
            assert!(
                !has(of(name, "x", "a@b.example"), "gibberish_name"),
                "{name}"
            );
        }
        assert!(has(
            of("A message of some words", "x", "a@b.example"),
            "same_fields"
        ));
        assert!(has(of("A", "x", "a@YOPmail.com"), "throwaway_address"));
    }
}
