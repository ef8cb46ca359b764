//! JSON to protobuf.

use proptest::{collection::vec, prelude::*};
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::{
    contract::{Subject, decoded, encoded, is_alike, json_of, subject, subjects, value},
    dice::Dice,
};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn short(bytes: &[u8], entries_max: usize) -> Dice<'_> {
    let mut dice = Dice::new(bytes);
    dice.short_floats = true;
    dice.entries_max = entries_max;
    dice
}

/// Checks that both messages have the same JSON.
fn same(ours: &DynamicMessage, theirs: &DynamicMessage, text: &str) -> Result<(), TestCaseError> {
    let [ours, theirs] = [ours, theirs].map(|message| json_of(message).as_deref().map(value));
    let is_same = match (&ours, &theirs) {
        (Some(ours), Some(theirs)) => is_alike(ours, theirs),
        (ours, theirs) => ours == theirs,
    };
    prop_assert!(is_same, "{text}: {ours:?} and {theirs:?}");
    Ok(())
}

/// Checks that both implementations read the text to the same message, or both refuse it.
fn agree(subject: &Subject, text: &str) -> Result<(), TestCaseError> {
    let ours = subject.bytes(text);
    match (&ours, subject.expected_message(text)) {
        (Ok(bytes), Ok(expected)) => {
            same(&decoded(subject, bytes), &expected, text)?;
        }
        (Err(_), Err(_)) => {}
        (ours, theirs) => {
            let name = subject.name();
            prop_assert!(false, "{name}: {text}: {ours:?} and {theirs:?}");
        }
    }
    Ok(())
}

#[test]
fn reads_written_messages_back_canonically() {
    for subject in subjects() {
        proptest!(config(), |(bytes in vec(any::<u8>(), 0..600))| {
            let message = short(&bytes, 1).message(&subject.descriptor, 0);
            let Some(json) = json_of(&message) else {
                return Ok(());
            };
            let name = subject.name();
            let ours = subject.bytes(&json);
            // A wrapper with NaN or infinity is written as null.
            let Ok(expected) = subject.expected_message(&json) else {
                prop_assert!(ours.is_err(), "{}: {}", name, json);
                return Ok(());
            };
            let ours = ours.map_err(|error| TestCaseError::fail(format!("{name}: {json}: {error:?}")))?;
            let shown = json_of(&decoded(subject, &ours));
            prop_assert_eq!(shown, json_of(&expected), "{}: {}", name, json);
            if !json.contains("\"@type\"") {
                prop_assert_eq!(&ours, &encoded(&expected), "{}: {}", name, json);
            }
        });
    }
}

/// Returns the same JSON with the members of each object in reverse order.
fn turned(json: &Value) -> String {
    match json {
        Value::Object(members) => {
            let members = members.iter().rev();
            let members =
                members.map(|(key, value)| format!("{}:{}", Value::from(&**key), turned(value)));
            format!(" {{ {} }} ", members.collect::<Vec<_>>().join(" ,\n"))
        }
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(turned).collect();
            format!("[\t{}]", elements.join(","))
        }
        other => other.to_string(),
    }
}

#[test]
fn order_of_members_does_not_matter() {
    for subject in subjects() {
        proptest!(config(), |(bytes in vec(any::<u8>(), 0..600))| {
            // The output of `prost-reflect` has no stable order.
            let is_dynamic = subject.name().starts_with("legacy.v1.Grouped");
            let entries_max = if is_dynamic { 1 } else { 4 };
            let message = short(&bytes, entries_max).message(&subject.descriptor, 0);
            let Some(json) = json_of(&message).filter(|json| !json.contains("\"@type\"")) else {
                return Ok(());
            };
            prop_assume!(subject.expected_message(&json).is_ok());
            let other = turned(&value(&json));
            let ours = subject.bytes(&json);
            prop_assert!(ours.is_ok(), "{}", json);
            prop_assert_eq!(ours, subject.bytes(&other), "{}", other);
        });
    }
}

/// Returns a value that a caller may send, valid or not.
fn anything(dice: &mut Dice<'_>, depth: usize) -> Value {
    match dice.roll(if depth > 3 { 22 } else { 24 }) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(0),
        4 => json!(-1),
        5 => json!(1.5),
        6 => json!(3.0),
        7 => json!(4_294_967_296_u64),
        8 => json!(i64::MIN),
        9 => json!(u64::MAX),
        10 => json!("5"),
        11 => json!("-5"),
        12 => json!("7.5"),
        13 => json!("1e2"),
        14 => json!("2026-11-21T09:30:00.5Z"),
        15 => json!("1.5s"),
        16 => json!("a.bC,d"),
        17 => json!("YWJj-_8"),
        18 => json!("YWJj+/8="),
        19 => json!("COLOUR_SCARLET"),
        20 => json!("true"),
        21 => json!("NaN"),
        22 => Value::Array(
            (0..dice.roll(3))
                .map(|_| anything(dice, depth + 1))
                .collect(),
        ),
        _ => (0..dice.roll(3))
            .map(|at| (["a", "1", "true"][at].to_owned(), anything(dice, depth + 1)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// Returns an object with fields of the message, and values that may fit.
fn body(dice: &mut Dice<'_>, message: &MessageDescriptor, depth: usize) -> Value {
    if message.full_name().starts_with("google.protobuf.") {
        return anything(dice, depth);
    }
    let fields: Vec<_> = message.fields().collect();
    let mut members = Map::new();
    for _ in 0..dice.roll(4) {
        if fields.is_empty() || dice.roll(12) == 11 {
            members.insert("unknown".to_owned(), anything(dice, depth));
            continue;
        }
        let field = &fields[dice.roll(fields.len())];
        let single = |dice: &mut Dice<'_>| match field.kind() {
            Kind::Message(inner) if depth < 4 && dice.roll(4) > 0 && !field.is_map() => {
                body(dice, &inner, depth + 1)
            }
            _ => anything(dice, depth),
        };
        let value = if field.is_list() && dice.roll(4) > 0 {
            Value::Array((0..dice.roll(3)).map(|_| single(dice)).collect())
        } else if field.is_map() && dice.roll(4) > 0 {
            let key = ["1", "-1", "true", "x", "01"][dice.roll(5)];
            json!({key: anything(dice, depth)})
        } else {
            single(dice)
        };
        members.insert(field.json_name().to_owned(), value);
    }
    Value::Object(members)
}

#[test]
fn accepts_the_same_values_as_prost_reflect() {
    for subject in subjects() {
        let config = ProptestConfig {
            cases: 64,
            ..config()
        };
        proptest!(config, |(bytes in vec(any::<u8>(), 0..60))| {
            let body = body(&mut Dice::new(&bytes), &subject.descriptor, 0);
            agree(subject, &body.to_string())?;
        });
    }
}

#[test]
fn damaged_text_never_panics_and_is_read_correctly_or_refused() {
    for subject in subjects() {
        proptest!(config(), |(bytes in vec(any::<u8>(), 0..200), damage in vec((any::<u16>(), any::<char>()), 1..4))| {
            let message = short(&bytes, 1).message(&subject.descriptor, 0);
            let Some(json) = json_of(&message) else {
                return Ok(());
            };
            let mut text: Vec<char> = json.chars().collect();
            for (at, character) in damage {
                let at = usize::from(at) % text.len();
                match at % 4 {
                    0 => text[at] = character,
                    1 => text.insert(at, character),
                    2 => drop(text.remove(at)),
                    _ => text[at] = ['"', '{', '}', ',', '0', '-', '\\', 'e'][at % 8],
                }
                if text.is_empty() {
                    break;
                }
            }
            let text: String = text.into_iter().collect();
            if let Ok(ours) = subject.bytes(&text) {
                let expected = subject.expected_message(&text);
                prop_assert!(expected.is_ok(), "{}: {}", text, expected.unwrap_err());
                same(&decoded(subject, &ours), &expected.unwrap(), &text)?;
            }
        });
    }
}

#[test]
fn arbitrary_text_never_panics() {
    let subjects = [
        "everything.v1.WellKnown",
        "everything.v1.Maps",
        "google.protobuf.Value",
    ];
    for subject in subjects.map(subject) {
        proptest!(|(text in r#"[\[\]{}:,"a0-9eE.+\\u -]{0,40}"#)| {
            if let Ok(bytes) = subject.bytes(&text) {
                prop_assert!(subject.expected_message(&text).is_ok(), "{}", text);
                decoded(subject, &bytes);
            }
        });
    }
}

#[test]
fn accepts_both_spellings_of_names() {
    let scalars = subject("everything.v1.Scalars");
    let camel = scalars.bytes(r#"{"anInt32":5,"other\"name":"x"}"#).unwrap();
    let snake = scalars.bytes(r#"{"renamed":"x","an_int32":"5"}"#).unwrap();
    assert_eq!(camel, snake);
}

#[test]
fn reads_numbers_exactly() {
    let scalars = subject("everything.v1.Scalars");
    let config = ProptestConfig {
        cases: 500,
        ..config()
    };
    proptest!(config, |(bytes in vec(any::<u8>(), 0..200))| {
        let message = Dice::new(&bytes).message(&scalars.descriptor, 0);
        let json = json_of(&message).unwrap();
        prop_assert_eq!(scalars.bytes(&json), Ok(encoded(&message)), "{}", json);
    });
    let plus = scalars.bytes(r#"{"anInt32":"007","aSfixed64":"+7"}"#);
    assert_eq!(plus, scalars.bytes(r#"{"anInt32":7.0,"aSfixed64":70e-1}"#));
    for (text, expected) in [
        (r#"{"aDouble":0.30000000000000004}"#, 0.1 + 0.2),
        (r#"{"aDouble":5e-324}"#, 5e-324),
        (r#"{"aDouble":"1.7976931348623157e308"}"#, f64::MAX),
        (r#"{"aDouble":9007199254740993}"#, 9_007_199_254_740_992.0),
    ] {
        let bytes = scalars.bytes(text).unwrap();
        let message = decoded(scalars, &bytes);
        let read = message.get_field_by_name("a_double").unwrap().as_f64();
        assert_eq!(
            read.map(f64::to_bits),
            Some(f64::to_bits(expected)),
            "{text}"
        );
    }
}
