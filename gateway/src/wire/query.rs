//! Values from path and query string into fields of a request message.

use base64::{Engine, engine::general_purpose};
use prost_reflect::{
    DeserializeOptions, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use crate::problem::Field;

/// Fields that a query string must not set, because path or body do.
pub(crate) type Taken<'a> = &'a dyn Fn(&[FieldDescriptor]) -> bool;

/// Sets fields from a query string; names may be camelCase or snake_case and dotted, list fields may repeat.
///
/// Returns what is wrong, all at once.
pub(crate) fn apply(message: &mut DynamicMessage, query: &str, taken: Taken<'_>) -> Vec<Field> {
    let Ok(pairs) = serde_urlencoded::from_str::<Vec<(String, String)>>(query) else {
        return vec![violation("", "is not a query string")];
    };
    let mut violations = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (name, text) in pairs {
        let fields = match resolve(&message_descriptor(message), &name) {
            Some(fields) if !taken(&fields) => fields,
            _ => {
                violations.push(violation(&name, "is not a parameter of this call"));
                continue;
            }
        };
        let path = json_path(&fields);
        let single = fields.last().is_some_and(|field| !field.is_list());
        if single && seen.contains(&path) {
            violations.push(violation(&path, "is given more than once"));
            continue;
        }
        match parse_last(&fields, &text) {
            Ok(value) => set(message, &fields, value),
            Err(expected) => violations.push(violation(&path, &format!("must be {expected}"))),
        }
        seen.push(path);
    }
    violations
}

/// Sets one field from a path segment.
pub(crate) fn set_from_path(
    message: &mut DynamicMessage,
    fields: &[FieldDescriptor],
    text: &str,
) -> Result<(), Field> {
    match parse_last(fields, text) {
        Ok(value) => {
            set(message, fields, value);
            Ok(())
        }
        Err(expected) => Err(violation(
            &json_path(fields),
            &format!("must be {expected}"),
        )),
    }
}

/// The dotted camelCase path of a field.
pub(crate) fn json_path(fields: &[FieldDescriptor]) -> String {
    let names: Vec<&str> = fields.iter().map(FieldDescriptor::json_name).collect();
    names.join(".")
}

/// Whether a message type has a JSON form that is one string or number, so that a parameter can carry it.
pub(crate) fn is_scalar_message(message: &MessageDescriptor) -> bool {
    matches!(
        message.full_name(),
        "google.protobuf.Timestamp"
            | "google.protobuf.Duration"
            | "google.protobuf.FieldMask"
            | "google.protobuf.DoubleValue"
            | "google.protobuf.FloatValue"
            | "google.protobuf.Int64Value"
            | "google.protobuf.UInt64Value"
            | "google.protobuf.Int32Value"
            | "google.protobuf.UInt32Value"
            | "google.protobuf.BoolValue"
            | "google.protobuf.StringValue"
            | "google.protobuf.BytesValue"
    )
}

fn message_descriptor(message: &DynamicMessage) -> MessageDescriptor {
    prost_reflect::ReflectMessage::descriptor(message)
}

fn violation(field: &str, message: &str) -> Field {
    Field {
        field: field.to_owned(),
        message: message.to_owned(),
    }
}

fn resolve(message: &MessageDescriptor, name: &str) -> Option<Vec<FieldDescriptor>> {
    let mut message = Some(message.clone());
    let mut fields: Vec<FieldDescriptor> = Vec::new();
    for part in name.split('.') {
        if fields.last().is_some_and(FieldDescriptor::is_list) {
            return None;
        }
        let parent = message?;
        let field = parent
            .get_field_by_json_name(part)
            .or_else(|| parent.get_field_by_name(part))?;
        message = field.kind().as_message().cloned();
        fields.push(field);
    }
    let last = fields.last()?;
    let scalar = message.as_ref().is_none_or(is_scalar_message);
    (scalar && !last.is_map()).then_some(fields)
}

fn set(message: &mut DynamicMessage, fields: &[FieldDescriptor], value: Value) {
    match fields {
        [] => {}
        [last] if last.is_list() => {
            if let Some(list) = message.get_field_mut(last).as_list_mut() {
                list.push(value);
            }
        }
        [last] => message.set_field(last, value),
        [first, rest @ ..] => {
            if let Some(inner) = message.get_field_mut(first).as_message_mut() {
                set(inner, rest, value);
            }
        }
    }
}

fn parse_last(fields: &[FieldDescriptor], text: &str) -> Result<Value, String> {
    let kind = fields.last().map(FieldDescriptor::kind);
    kind.map_or_else(|| Err("a field".to_owned()), |kind| parse(&kind, text))
}

/// Reads the text as a value of `kind`; the error says what was expected.
fn parse(kind: &Kind, text: &str) -> Result<Value, String> {
    fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
        text.parse().map_err(|_| what.to_owned())
    }
    const INTEGER: &str = "a whole number";
    const POSITIVE: &str = "a whole number that is not negative";
    Ok(match kind {
        Kind::Double => Value::F64(number(text, "a number")?),
        Kind::Float => Value::F32(number(text, "a number")?),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(number(text, INTEGER)?),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(number(text, INTEGER)?),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(number(text, POSITIVE)?),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(number(text, POSITIVE)?),
        Kind::Bool => Value::Bool(number(text, "true or false")?),
        Kind::String => Value::String(text.to_owned()),
        Kind::Bytes => {
            let bytes = general_purpose::STANDARD
                .decode(text)
                .or_else(|_| general_purpose::URL_SAFE_NO_PAD.decode(text));
            Value::Bytes(bytes.map_err(|_| "base64")?.into())
        }
        Kind::Enum(values) => {
            let number = values
                .get_value_by_name(text)
                .or_else(|| values.get_value(text.parse().ok()?))
                .map(|value| value.number());
            Value::EnumNumber(number.ok_or_else(|| {
                let names: Vec<String> = values.values().map(|v| v.name().to_owned()).collect();
                format!("one of {}", names.join(", "))
            })?)
        }
        Kind::Message(message) => {
            let json = text
                .parse::<bool>()
                .map_or_else(|_| text.into(), serde_json::Value::Bool);
            let options = DeserializeOptions::new();
            DynamicMessage::deserialize_with_options(message.clone(), json, &options)
                .map(Value::Message)
                .map_err(|_| format!("a {}", message.name()))?
        }
    })
}

#[cfg(test)]
mod tests {
    use prost_reflect::DescriptorPool;

    use super::*;

    fn message(name: &str) -> DynamicMessage {
        let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
        DynamicMessage::new(pool.get_message_by_name(name).unwrap())
    }

    #[test]
    fn both_spellings_reach_the_field() {
        for query in ["pageSize=5", "page_size=5"] {
            let mut request = message("hospital.content.v1.ListDoctorsRequest");
            assert_eq!(apply(&mut request, query, &|_| false), []);
            let value = request.get_field_by_name("page_size").unwrap();
            assert_eq!(value.as_i32(), Some(5));
        }
    }

    #[test]
    fn dotted_names_lists_and_times_are_read() {
        let mut request = message("hospital.messaging.v1.CreateMessageRequest");
        let query = "message.meta.threadId=a%20b&message.meta.createdAt=2026-11-21T09:30:00Z";
        assert_eq!(apply(&mut request, query, &|_| false), []);
        let json = serde_json::to_value(&request).unwrap();
        assert_eq!(json["message"]["meta"]["threadId"], "a b");
        assert_eq!(json["message"]["meta"]["createdAt"], "2026-11-21T09:30:00Z");

        let mut department = message("hospital.booking.v1.Department");
        assert_eq!(
            apply(&mut department, "doctorIds=1&doctor_ids=2", &|_| false),
            []
        );
        let ids = department.get_field_by_name("doctor_ids").unwrap();
        assert_eq!(ids.as_list().unwrap().len(), 2);
    }

    #[test]
    fn every_violation_is_named() {
        let mut request = message("hospital.content.v1.ListDoctorsRequest");
        let query = "pageSize=many&colour=red&q=a&q=b";
        let fields: Vec<String> = apply(&mut request, query, &|_| false)
            .into_iter()
            .map(|violation| violation.field)
            .collect();
        assert_eq!(fields, ["pageSize", "colour", "q"]);
    }
}
