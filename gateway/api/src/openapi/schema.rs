//! JSON Schemas (2020-12) of messages in canonical proto3 JSON.

use std::collections::BTreeMap;

use prost_reflect::{EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::field::{is_input_only, is_output_only, is_required, limit};

/// Direction of a message. A request needs only the fields that the contract requires, but an answer has every field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Direction {
    Request,
    Answer,
}

/// Descriptions of fields with the same meaning everywhere (AIP-158), used where a contract has no comment.
const PAGING: [(&str, &str); 3] = [
    ("page_size", "Entries of a page at most."),
    (
        "page_token",
        "`nextPageToken` of the page before, with the same parameters. Empty: the first page.",
    ),
    (
        "next_page_token",
        "`pageToken` of the next page. Empty: this is the last one.",
    ),
];

/// Schemas that the description refers to, by name.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// Short name, mapped to full name and schema.
    named: BTreeMap<String, (String, Value)>,
}

impl Schemas {
    pub(super) fn insert(&mut self, name: &str, schema: Value) {
        self.named.insert(name.to_owned(), (String::new(), schema));
    }

    pub(super) fn into_value(self) -> Value {
        let schemas = self.named.into_iter();
        Value::Object(schemas.map(|(name, (_, schema))| (name, schema)).collect())
    }

    /// Returns a reference to the schema of a message, which is added if it is new.
    pub(super) fn message(&mut self, message: &MessageDescriptor, direction: Direction) -> Value {
        if let Some(known) = well_known(message.full_name()) {
            return known;
        }
        let suffix = match direction {
            Direction::Request => "Input",
            Direction::Answer => "",
        };
        let short = format!("{}{suffix}", message.name());
        let full = format!("{}{suffix}", message.full_name());
        let (name, new) = self.claim(&short, &full);
        if new {
            let schema = self.object(message, direction, &|_| true);
            self.fill(&name, schema);
        }
        reference(&name)
    }

    /// Returns a reference to the schema of those fields of a request that its body carries.
    pub(super) fn body(
        &mut self,
        message: &MessageDescriptor,
        carries: &dyn Fn(&FieldDescriptor) -> bool,
    ) -> Value {
        let name = format!("{}Input", message.name());
        let full = format!("{}Input", message.full_name());
        let (name, new) = self.claim(&name, &full);
        if new {
            let schema = self.object(message, Direction::Request, carries);
            self.fill(&name, schema);
        }
        reference(&name)
    }

    fn object(
        &mut self,
        message: &MessageDescriptor,
        direction: Direction,
        carries: &dyn Fn(&FieldDescriptor) -> bool,
    ) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in message.fields().filter(carries) {
            if is_present(&field, direction) {
                required.push(field.json_name().to_owned());
            }
            let mut value = self.field(&field, direction);
            if direction == Direction::Request && !is_required(&field) {
                or_null(&mut value);
            }
            properties.insert(field.json_name().to_owned(), value);
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if direction == Direction::Request {
            schema["additionalProperties"] = false.into();
        }
        let text = comment(&message.parent_file(), message.path());
        describe(&mut schema, &text);
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }

    /// Returns the schema of a field, described by its comment.
    pub(super) fn field(&mut self, field: &FieldDescriptor, direction: Direction) -> Value {
        let mut schema = self.bare_field(field, direction);
        if is_output_only(field) {
            schema["readOnly"] = true.into();
        }
        // Answers contain the field, too, but empty.
        if direction == Direction::Request && is_input_only(field) {
            schema["writeOnly"] = true.into();
        }
        describe(&mut schema, &comment_of_field(field));
        schema
    }

    /// Returns the schema of a field's values. Answers are exempt from the limits of requests, because stored values
    /// may be older.
    pub(super) fn bare_field(&mut self, field: &FieldDescriptor, direction: Direction) -> Value {
        if field.is_map() {
            let value = field
                .kind()
                .as_message()
                .map(|entry| self.bare_field(&entry.map_entry_value_field(), direction));
            return json!({"type": "object", "additionalProperties": value});
        }
        let mut schema = self.kind(&field.kind(), direction);
        if field.is_list() {
            schema = json!({"type": "array", "items": schema});
        }
        if direction == Direction::Request {
            limit(&mut schema, field);
        }
        schema
    }

    fn kind(&mut self, kind: &Kind, direction: Direction) -> Value {
        match kind {
            Kind::Double => json!({"type": "number", "format": "double"}),
            Kind::Float => json!({"type": "number", "format": "float"}),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                json!({"type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX})
            }
            Kind::Uint32 | Kind::Fixed32 => {
                json!({"type": "integer", "format": "uint32", "minimum": 0, "maximum": u32::MAX})
            }
            // 64-bit integers do not fit a JavaScript number; canonical JSON writes them as strings.
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                json!({"type": "string", "format": "int64"})
            }
            Kind::Uint64 | Kind::Fixed64 => json!({"type": "string", "format": "uint64"}),
            Kind::Bool => json!({"type": "boolean"}),
            Kind::String => json!({"type": "string"}),
            Kind::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
            Kind::Enum(values) => self.enumeration(values),
            Kind::Message(message) => self.message(message, direction),
        }
    }

    fn enumeration(&mut self, values: &EnumDescriptor) -> Value {
        let (name, new) = self.claim(values.name(), values.full_name());
        if new {
            let names: Vec<String> = values.values().map(|v| v.name().to_owned()).collect();
            let mut schema = json!({"type": "string", "enum": names});
            describe(&mut schema, &comment(&values.parent_file(), values.path()));
            self.fill(&name, schema);
        }
        reference(&name)
    }

    /// Claims the short name if no other type has it, else the full one. Also returns whether the name is new.
    fn claim(&mut self, short: &str, full: &str) -> (String, bool) {
        let name = match self.named.get(short) {
            Some((owner, _)) if owner != full => full.to_owned(),
            _ => short.to_owned(),
        };
        let new = !self.named.contains_key(&name);
        if new {
            // Claimed before it is filled, so that recursion ends at a message that contains itself.
            self.named
                .insert(name.clone(), (full.to_owned(), Value::Null));
        }
        (name, new)
    }

    fn fill(&mut self, name: &str, schema: Value) {
        if let Some((_, slot)) = self.named.get_mut(name) {
            *slot = schema;
        }
    }
}

/// Returns the comment before a declaration, without the indentation of its lines.
pub(super) fn comment(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|l| l.path == path));
    let text = location.map_or("", |location| location.leading_comments());
    // Directives for the linter of the contracts mean nothing to callers.
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.starts_with("buf:lint:"))
        .collect();
    lines.join("\n").trim().to_owned()
}

/// Returns the comment before a field, or the standard description of a paging field.
pub(super) fn comment_of_field(field: &FieldDescriptor) -> String {
    let said = comment(&field.parent_file(), field.path());
    if !said.is_empty() {
        return said;
    }
    let known = PAGING.iter().find(|(name, _)| *name == field.name());
    known.map_or(said, |(_, text)| (*text).to_owned())
}

/// Whether a field is always present: in a request if the contract requires it, in an answer if canonical JSON shows
/// its default.
fn is_present(field: &FieldDescriptor, direction: Direction) -> bool {
    match direction {
        Direction::Request => is_required(field),
        Direction::Answer => !field.supports_presence(),
    }
}

/// Allows `null`, which means in canonical proto3 JSON that a field is absent.
fn or_null(schema: &mut Value) {
    let absent = json!({"type": "null"});
    if let Some(ways) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        ways.push(absent);
        return;
    }
    if let Some(reference) = schema.as_object_mut().and_then(|all| all.remove("$ref")) {
        schema["anyOf"] = json!([{"$ref": reference}, absent]);
        return;
    }
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    }
    match schema.get_mut("type") {
        Some(Value::Array(kinds)) => kinds.push("null".into()),
        Some(kind) => *kind = json!([kind.take(), "null"]),
        None => {}
    }
}

fn describe(schema: &mut Value, text: &str) {
    if !text.is_empty() {
        schema["description"] = text.into();
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn well_known(name: &str) -> Option<Value> {
    Some(match name {
        "google.protobuf.Timestamp" => json!({"type": "string", "format": "date-time"}),
        "google.protobuf.Duration" => json!({"type": "string", "pattern": r"^-?\d+(\.\d{1,9})?s$"}),
        "google.protobuf.FieldMask" => json!({"type": "string"}),
        "google.protobuf.DoubleValue" | "google.protobuf.FloatValue" => {
            json!({"type": ["number", "null"]})
        }
        "google.protobuf.Int32Value" | "google.protobuf.UInt32Value" => {
            json!({"type": ["integer", "null"]})
        }
        "google.protobuf.Int64Value"
        | "google.protobuf.UInt64Value"
        | "google.protobuf.StringValue"
        | "google.protobuf.BytesValue" => json!({"type": ["string", "null"]}),
        "google.protobuf.BoolValue" => json!({"type": ["boolean", "null"]}),
        "google.protobuf.Empty" => json!({"type": "object", "additionalProperties": false}),
        "google.protobuf.Struct" => json!({"type": "object"}),
        "google.protobuf.ListValue" => json!({"type": "array", "items": {}}),
        "google.protobuf.Value" => json!({}),
        "google.protobuf.Any" => {
            json!({"type": "object", "properties": {"@type": {"type": "string"}}})
        }
        _ => return None,
    })
}
