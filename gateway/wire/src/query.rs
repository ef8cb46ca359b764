//! Values from path and query string, for fields of a request message.

use std::borrow::Cow;

use prost_reflect::MessageDescriptor;

use super::{
    error::Violation,
    from_json::VIOLATIONS_MAX,
    join::Setting,
    plan::{FieldPlan, Form, Kind, MessageId, Plans, Shape},
    scalar::{Scalar, expected},
};

/// Reads a query string. Names may be camelCase or snake_case and dotted, and list fields may repeat. `is_taken`
/// returns whether path or body set a field. A field other than text that is empty is not given.
///
/// Adds all errors to `violations` at once, up to [`VIOLATIONS_MAX`].
pub(super) fn read<'q>(
    plans: &Plans,
    message: MessageId,
    query: &'q str,
    is_taken: &dyn Fn(&[usize]) -> bool,
    settings: &mut Vec<Setting<'q>>,
    violations: &mut Vec<Violation>,
) {
    let Ok(pairs) = serde_urlencoded::from_str::<Vec<(Cow<'q, str>, Cow<'q, str>)>>(query) else {
        violations.push(violation("", "is not a query string"));
        return;
    };
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for (name, text) in pairs {
        if violations.len() >= VIOLATIONS_MAX {
            return;
        }
        let way = match resolve(plans, message, &name) {
            Some(way) if !is_taken(&way) => way,
            _ => {
                violations.push(violation(&name, "is not a parameter of this call"));
                continue;
            }
        };
        let Some(field) = last(plans, message, &way) else {
            continue;
        };
        if matches!(field.form, Form::Single) {
            if seen.contains(&way) {
                let path = path(plans, message, &way);
                violations.push(violation(&path, "is given more than once"));
                continue;
            }
            if seen
                .iter()
                .any(|other| exclude(plans, message, other, &way))
            {
                let path = path(plans, message, &way);
                let said = "excludes another parameter that is given";
                violations.push(violation(&path, said));
                continue;
            }
            seen.push(way.clone());
        }
        // HTML forms send empty fields too.
        if text.is_empty() && !matches!(field.kind, Kind::String | Kind::Bytes) {
            continue;
        }
        match Scalar::from_parameter(plans, field.kind, text) {
            Some(value) => settings.push(Setting { way, value }),
            None => violations.push(unfit(plans, message, &way, field)),
        }
    }
}

/// Reads the value of one field from a path segment.
pub(super) fn read_segment(
    plans: &Plans,
    message: MessageId,
    way: &[usize],
    text: String,
) -> Result<Setting<'static>, Violation> {
    let last_field = last(plans, message, way);
    let field = last_field.ok_or_else(|| violation("", "is not a parameter of this call"))?;
    let value = Scalar::from_parameter(plans, field.kind, text.into());
    match value {
        Some(value) => Ok(Setting {
            way: way.to_vec(),
            value,
        }),
        None => Err(unfit(plans, message, way, field)),
    }
}

/// Resolves a name to the positions of a field that a parameter can carry.
pub(super) fn resolve(plans: &Plans, message: MessageId, name: &str) -> Option<Vec<usize>> {
    let mut way = Vec::new();
    let mut inside = Some(message);
    let mut names = name.split('.').peekable();
    while let Some(name) = names.next() {
        let plan = plans.message(inside?);
        let at = *plan.by_name.get(name)?;
        let field = &plan.fields[at];
        way.push(at);
        let shape = match field.kind {
            Kind::Message(id) => Some((id, plans.message(id).shape)),
            _ => None,
        };
        if names.peek().is_none() {
            let is_scalar = shape.is_none_or(|(_, shape)| is_text(shape));
            return (is_scalar && !matches!(field.form, Form::Map(_))).then_some(way);
        }
        // Descends only into single messages that are objects.
        inside = match (shape, &field.form) {
            (Some((id, Shape::Object | Shape::Dynamic)), Form::Single) => Some(id),
            _ => None,
        };
    }
    None
}

fn is_text(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Timestamp | Shape::Duration | Shape::FieldMask | Shape::Wrapper(_)
    )
}

fn fields<'p>(
    plans: &'p Plans,
    message: MessageId,
    way: &[usize],
) -> impl Iterator<Item = &'p FieldPlan> {
    let mut inside = Some(message);
    way.iter().map_while(move |at| {
        let field = plans.message(inside?).fields.get(*at)?;
        inside = match field.kind {
            Kind::Message(id) => Some(id),
            _ => None,
        };
        Some(field)
    })
}

fn last<'p>(plans: &'p Plans, message: MessageId, way: &[usize]) -> Option<&'p FieldPlan> {
    fields(plans, message, way).last()
}

/// Returns the dotted camelCase path of a field.
fn path(plans: &Plans, message: MessageId, way: &[usize]) -> String {
    let names: Vec<&str> = fields(plans, message, way).map(|f| &*f.name).collect();
    names.join(".")
}

/// Whether two ways diverge at members of one oneof.
fn exclude(plans: &Plans, message: MessageId, one: &[usize], other: &[usize]) -> bool {
    let ways = fields(plans, message, one).zip(fields(plans, message, other));
    let parting = ways.into_iter().find(|(a, b)| a.number != b.number);
    parting.is_some_and(|(a, b)| a.oneof & b.oneof != 0)
}

fn unfit(plans: &Plans, message: MessageId, way: &[usize], field: &FieldPlan) -> Violation {
    let said = format!("must be {}", expected(plans, field.kind));
    violation(&path(plans, message, way), &said)
}

fn violation(field: &str, message: &str) -> Violation {
    Violation::new(field, message)
}

/// Whether the JSON form of a message type is a single scalar, so that a parameter can carry it.
pub fn is_scalar_message(message: &MessageDescriptor) -> bool {
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

#[cfg(test)]
mod tests {
    use prost_reflect::{DescriptorPool, DynamicMessage};

    use super::{super::join::join, *};

    /// Returns the message that a query makes, or the wrong fields.
    fn apply(name: &str, query: &str) -> Result<DynamicMessage, Vec<String>> {
        let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
        let message = pool.get_message_by_name(name).unwrap();
        let mut plans = Plans::default();
        let id = plans.add(&message);
        let (mut settings, mut violations) = (Vec::new(), Vec::new());
        read(
            &plans,
            id,
            query,
            &|_| false,
            &mut settings,
            &mut violations,
        );
        if !violations.is_empty() {
            return Err(violations.into_iter().map(|v| v.field).collect());
        }
        let mut out = Vec::new();
        join(&plans, id, &[], &mut settings, &mut out).unwrap();
        Ok(DynamicMessage::decode(message, out.as_slice()).unwrap())
    }

    #[test]
    fn accepts_both_spellings_of_a_field() {
        for query in ["pageSize=5", "page_size=5"] {
            let request = apply("hospital.content.v1.ListDoctorsRequest", query).unwrap();
            let value = request.get_field_by_name("page_size").unwrap();
            assert_eq!(value.as_i32(), Some(5));
        }
    }

    #[test]
    fn reads_dotted_names_lists_and_times() {
        let query = "message.meta.threadId=a%20b&message.meta.createdAt=2026-11-21T09:30:00Z";
        let request = apply("hospital.messaging.v1.CreateMessageRequest", query).unwrap();
        let json = serde_json::to_value(&request).unwrap();
        assert_eq!(json["message"]["meta"]["threadId"], "a b");
        assert_eq!(json["message"]["meta"]["createdAt"], "2026-11-21T09:30:00Z");

        let query = "doctorIds=2&doctor_ids=1";
        let department = apply("hospital.booking.v1.Department", query).unwrap();
        let json = serde_json::to_value(&department).unwrap();
        assert_eq!(json["doctorIds"], serde_json::json!(["2", "1"]));
    }

    #[test]
    fn empty_field_of_a_form_is_not_given() {
        let query = "since=&bookingsMin=";
        let request = apply("hospital.booking.v1.ListBurstsRequest", query).unwrap();
        assert!(!request.has_field_by_name("since"));
        assert!(!request.has_field_by_name("bookings_min"));
    }

    #[test]
    fn names_every_violation() {
        let query = "pageSize=many&colour=red&q=a&q=b";
        let refused = apply("hospital.content.v1.ListDoctorsRequest", query);
        assert_eq!(refused.unwrap_err(), ["pageSize", "colour", "q"]);
    }

    #[test]
    fn bounds_the_reported_violations() {
        let query = "x=1&".repeat(10_000);
        let refused = apply("hospital.content.v1.ListDoctorsRequest", &query);
        assert_eq!(refused.unwrap_err().len(), VIOLATIONS_MAX);
    }
}
