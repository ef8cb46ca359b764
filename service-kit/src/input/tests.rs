use proptest::prelude::*;
use serde::Deserialize;
use std::collections::HashMap;

use super::*;

/// Table of cases, shared with the browser's rules.
#[derive(Deserialize)]
struct Table {
    texts: HashMap<String, String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    rule: String,
    #[serde(default)]
    before: String,
    text: String,
    #[serde(default)]
    times: Option<usize>,
    #[serde(default)]
    then: String,
    #[serde(default)]
    max: usize,
    #[serde(default)]
    kept: Option<Kept>,
    #[serde(default)]
    problem: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    /// The text exactly as typed.
    Whole(bool),
    Text(String),
}

impl Case {
    fn typed(&self) -> String {
        let repeated = self.text.repeat(self.times.unwrap_or(1));
        format!("{}{repeated}{}", self.before, self.then)
    }
}

fn parse(rule: &str, text: &str, chars_max: usize) -> Result<String, Problem> {
    match rule {
        "email" => EmailAddress::parse(text).map(EmailAddress::into_string),
        "phone" => PhoneNumber::parse(text).map(PhoneNumber::into_string),
        "name" => PersonName::parse(text).map(PersonName::into_string),
        "line" => Line::parse(text, chars_max).map(Line::into_string),
        "paragraphs" => Paragraphs::parse(text, chars_max).map(Paragraphs::into_string),
        _ => panic!("no such rule: {rule}"),
    }
}

#[test]
fn every_case_of_the_table_holds() {
    let table: Table = serde_json::from_str(include_str!("../../vectors/input.json"))
        .expect("the table is readable");
    assert!(table.cases.len() >= 120, "{} cases", table.cases.len());
    let mut wrong = Vec::new();
    for case in &table.cases {
        let typed = case.typed();
        let found = parse(&case.rule, &typed, case.max).map_err(|problem| problem.to_string());
        let expected = match (&case.kept, &case.problem) {
            (Some(Kept::Whole(true)), None) => Ok(typed.clone()),
            (Some(Kept::Text(text)), None) => Ok(text.clone()),
            (None, Some(problem)) => {
                Err(table.texts[problem].replace("{max}", &case.max.to_string()))
            }
            _ => panic!("neither kept nor refused: {typed:?}"),
        };
        if found != expected {
            wrong.push(format!(
                "{} {typed:?}: {found:?}, not {expected:?}",
                case.rule
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_request_id_is_visible_ascii_of_bounded_length() {
    for (id, is_valid) in [
        ("x".repeat(15), false),
        ("x".repeat(16), true),
        ("x".repeat(128), true),
        ("x".repeat(129), false),
        ("sixteen_letters!".to_owned(), true),
        ("sixteen letters!".to_owned(), false),
        ("sixteen\0letters!".to_owned(), false),
        ("ಸ".repeat(16), false),
    ] {
        assert_eq!(RequestId::parse(&id).is_ok(), is_valid, "{id:?}");
    }
}

#[test]
fn validates_optional_values() {
    assert_eq!(optional(EmailAddress::parse(" \u{200b}")), Ok(None));
    assert_eq!(optional(Line::parse("\0", 9)), Err(Problem::Unseen));
    let some = optional(Line::parse("x", 9)).expect("a line");
    assert_eq!(some.expect("a line").as_str(), "x");
    let asked = PersonName::parse("").map_err(|problem| problem.if_empty("Enter the first name"));
    assert_eq!(asked, Err(Problem::Empty("Enter the first name")));
    let kept = PersonName::parse("1").map_err(|problem| problem.if_empty("Enter the first name"));
    assert_eq!(kept, Err(Problem::NoName));
}

#[test]
fn debug_output_withholds_values() {
    let texts = [
        format!("{:?}", EmailAddress::parse("kamala@visitor.example")),
        format!("{:?}", PhoneNumber::parse("080 0000 0199")),
        format!("{:?}", PersonName::parse("Kamala")),
        format!("{:?}", Line::parse("Kamala", 9)),
        format!("{:?}", Paragraphs::parse("Kamala", 9)),
        format!("{:?}", RequestId::parse("kamala-0123456789")),
    ];
    for text in texts {
        assert!(text.contains("withheld"), "{text}");
        assert!(!text.contains("amala") && !text.contains("0199"), "{text}");
    }
}

/// Letters, joiners, emoji, and invisible characters among them.
const MIXED: &str = "[a-zಕ-ಹ್ा-ूم-ي0-9 \n\u{0}\u{200b}-\u{200f}\u{202e}\u{feff}\u{fe0f}👨❤🏽]{0,12}";

proptest! {
    /// A parsed text parses again to itself: stored text is accepted wherever it is resubmitted.
    #[test]
    fn parsing_is_idempotent(typed in prop_oneof![Just(MIXED), Just(".{0,12}")].prop_flat_map(|texts| texts)) {
        for rule in ["email", "phone", "name", "line", "paragraphs"] {
            if let Ok(kept) = parse(rule, &typed, 10) {
                prop_assert_eq!(parse(rule, &kept, 10), Ok(kept.clone()));
                let is_refused = kept.contains(['\0', '\u{200b}', '\u{202e}', '\u{feff}']);
                prop_assert!(!is_refused, "{:?}", kept);
                prop_assert_eq!(kept.trim(), &kept);
            }
        }
    }
}

#[test]
fn lookup_ignores_the_spelling() {
    assert_eq!(
        email_to_look_up(" Ravi@Visitor.Example"),
        "ravi@visitor.example"
    );
}

/// B8: `+1` and `+91` numbers with the same last ten digits are two people.
#[test]
fn looks_up_phone_numbers_by_country_and_number() {
    for written in [
        "+91 80 0000 0199",
        "+91 (0)80 0000 0199",
        "(080) 0000-0199",
        "8000000199",
        "080-00000199",
        "91 80 0000 0199",
        "091 80 0000 0199",
        "0091 80 0000 0199",
        " +918000000199",
    ] {
        assert_eq!(phone_to_look_up(written), "+918000000199", "{written}");
    }
    // A national number may begin with the digits of the country code.
    assert_eq!(phone_to_look_up("91 80000 019"), "+919180000019");
    assert_eq!(phone_to_look_up("0 91 8000 0019"), "+919180000019");
    for written in ["+1 (800) 000-0199", "001 800 000 0199"] {
        assert_eq!(phone_to_look_up(written), "+18000000199", "{written}");
    }
    for (written, looked_up) in [
        ("+44 20 7946 0000", "+442079460000"),
        ("+65 6000 0199", "+6560000199"),
        // No country code and not Indian: stays unchanged.
        ("0000-199", "0000199"),
        ("1 800 000 0199", "18000000199"),
        ("080 000 0199", "0800000199"),
        ("call", ""),
    ] {
        assert_eq!(phone_to_look_up(written), looked_up, "{written}");
    }
}
