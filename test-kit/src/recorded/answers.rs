//! Comparison of two responses to one call, as canonical JSON.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::{DynamicMessage, MapKey, MessageDescriptor, SerializeOptions, Value as Field};
use serde_json::Value;

/// Recorded values, mapped to their values in this run.
pub(super) type Names = BTreeMap<String, String>;

/// Fields whose values differ between any two runs, files that contain such values, and sentences for people, whose
/// wording is no part of the contract. Such a field is set in both responses or in neither.
const MASKED: [&str; 12] = [
    "calendar",
    "closedReason",
    "createTime",
    "data",
    "etag",
    "expireTime",
    "id",
    "offerExpireTime",
    "reference",
    "secret",
    "token",
    "updateTime",
];

/// Fields that the release lacked: lists, enums and texts without presence. Canonical JSON of the release's responses
/// therefore shows them empty. This list becomes empty once `released.toml` moves and the calls are recorded again.
const ADDED: [&str; 5] = [
    "attendants",
    "freeResources",
    "preferredDoctor",
    "proof",
    "resources",
];

/// Decodes a message to JSON with all its fields. Panics on fields unknown to this tree, because the JSON would lose
/// them.
pub(super) fn json(descriptor: MessageDescriptor, bytes: &[u8], method: &str) -> Value {
    let message = DynamicMessage::decode(descriptor, bytes)
        .unwrap_or_else(|error| panic!("{method} does not decode: {error}"));
    assert!(
        is_known(&message),
        "{method}: a field of the release is unknown here"
    );
    let options = SerializeOptions::new().skip_default_fields(false);
    let json = message.serialize_with_options(serde_json::value::Serializer, &options);
    json.expect("canonical JSON")
}

fn is_known(message: &DynamicMessage) -> bool {
    message.unknown_fields().next().is_none()
        && message.fields().all(|(_, field)| is_field_known(field))
}

fn is_field_known(field: &Field) -> bool {
    match field {
        Field::Message(message) => is_known(message),
        Field::List(items) => items.iter().all(is_field_known),
        Field::Map(entries) => entries
            .iter()
            .all(|(_, value): (&MapKey, &Field)| is_field_known(value)),
        _ => true,
    }
}

/// Checks that every non-empty recorded field is still non-empty and of the same kind.
pub(super) fn keeps_shape(recorded: &Value, actual: &Value, method: &str) {
    let (mut before, mut now) = (BTreeSet::new(), BTreeSet::new());
    shape(recorded, "", &mut before);
    shape(actual, "", &mut now);
    let gone: Vec<_> = before.difference(&now).collect();
    assert!(gone.is_empty(), "{method} says no more: {gone:?}");
}

/// Collects the paths of non-empty fields with the kind of their value. All entries of a list share one path.
fn shape(json: &Value, path: &str, found: &mut BTreeSet<String>) {
    let mut note = |kind: &str| {
        found.insert(format!("{path}: {kind}"));
    };
    match json {
        Value::Bool(is_set) if *is_set => note("true"),
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) if number.as_f64() == Some(0.0) => {}
        Value::Number(_) => note("number"),
        Value::String(text) if text.is_empty() => {}
        Value::String(_) => note("text"),
        Value::Array(items) => {
            for item in items {
                shape(item, &format!("{path}[]"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                shape(field, &format!("{path}.{name}"), found);
            }
        }
    }
}

/// Checks that every recorded field has the same value. Masked fields may differ; `names` records their new values.
pub(super) fn keeps_values(recorded: &Value, actual: &Value, names: &mut Names, path: &str) {
    match (recorded, actual) {
        (Value::Object(before), Value::Object(now)) => {
            let released = before
                .iter()
                .filter(|(name, _)| !ADDED.contains(&name.as_str()));
            for (name, field) in released {
                let path = format!("{path}.{name}");
                let other = now.get(name).unwrap_or_else(|| panic!("{path} is missing"));
                match (field, other) {
                    (Value::String(field), Value::String(other))
                        if MASKED.contains(&name.as_str()) =>
                    {
                        assert_eq!(field.is_empty(), other.is_empty(), "{path}");
                        names.insert(field.clone(), other.clone());
                    }
                    _ => keeps_values(field, other, names, &path),
                }
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            assert_eq!(before.len(), now.len(), "{path}: {actual}");
            for (field, other) in before.iter().zip(now) {
                keeps_values(field, other, names, &format!("{path}[]"));
            }
        }
        _ => assert_eq!(recorded, actual, "{path}"),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use serde_json::json;

    use super::*;

    fn is_same(recorded: &Value, actual: &Value) -> bool {
        catch_unwind(|| keeps_values(recorded, actual, &mut Names::new(), "")).is_ok()
    }

    fn has_shape(recorded: &Value, actual: &Value) -> bool {
        catch_unwind(|| keeps_shape(recorded, actual, "")).is_ok()
    }

    #[test]
    fn detects_changed_values_and_records_masked_ones() {
        let recorded = json!({"seat": {"id": "a1", "floor": 2}, "rows": [1, 2]});
        let good = json!({"seat": {"id": "b7", "floor": 2, "more": ""}, "rows": [1, 2]});
        let mut names = Names::new();
        keeps_values(&recorded, &good, &mut names, "");
        assert_eq!(names, Names::from([("a1".to_owned(), "b7".to_owned())]));
        for wrong in [
            json!({"seat": {"id": "", "floor": 2}, "rows": [1, 2]}),
            json!({"seat": {"id": "b7", "floor": 3}, "rows": [1, 2]}),
            json!({"seat": {"id": "b7", "floor": "2"}, "rows": [1, 2]}),
            json!({"seat": {"id": "b7"}, "rows": [1, 2]}),
            json!({"seat": {"id": "b7", "floor": 2}, "rows": [1]}),
            json!({"seat": null, "rows": [1, 2]}),
        ] {
            assert!(!is_same(&recorded, &wrong), "{wrong}");
        }
    }

    #[test]
    fn compares_shapes_but_not_texts() {
        let recorded = json!({"doctors": [{"name": "A", "room": 0}, {"name": "B", "room": 4}]});
        let edited = json!({"doctors": [{"name": "C", "room": 7, "floor": 1}]});
        assert!(has_shape(&recorded, &edited));
        for wrong in [
            json!({"doctors": []}),
            json!({"doctors": [{"name": "A", "room": 0}]}),
            json!({"doctors": [{"name": 1, "room": 4}]}),
        ] {
            assert!(!has_shape(&recorded, &wrong), "{wrong}");
        }
    }
}
