//! JSON Schemas (2020-12) of messages, as canonical proto3 JSON writes them.

use std::collections::BTreeMap;

use prost_reflect::{EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

/// The schemas that the description refers to, by name.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// Short name to full name and schema.
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

    /// A reference to the schema of a message, which is added if it is new.
    pub(super) fn message(&mut self, message: &MessageDescriptor) -> Value {
        if let Some(known) = well_known(message.full_name()) {
            return known;
        }
        let (name, new) = self.claim(message.name(), message.full_name());
        if new {
            let mut properties = Map::new();
            let mut required = Vec::new();
            for field in message.fields() {
                if comment_of_field(&field).starts_with("Required.") {
                    required.push(field.json_name().to_owned());
                }
                properties.insert(field.json_name().to_owned(), self.field(&field));
            }
            let mut schema = json!({"type": "object", "properties": properties});
            describe(
                &mut schema,
                &comment(&message.parent_file(), message.path()),
            );
            if !required.is_empty() {
                schema["required"] = required.into();
            }
            self.fill(&name, schema);
        }
        reference(&name)
    }

    /// The schema of a field with what its comment says.
    pub(super) fn field(&mut self, field: &FieldDescriptor) -> Value {
        let mut schema = self.bare_field(field);
        let text = comment_of_field(field);
        if text.starts_with("Output only.") {
            schema["readOnly"] = true.into();
        }
        describe(&mut schema, &text);
        schema
    }

    /// The schema of a field's values.
    pub(super) fn bare_field(&mut self, field: &FieldDescriptor) -> Value {
        if field.is_map() {
            let value = field
                .kind()
                .as_message()
                .map(|entry| self.bare_field(&entry.map_entry_value_field()));
            return json!({"type": "object", "additionalProperties": value});
        }
        let schema = self.kind(&field.kind());
        if field.is_list() {
            return json!({"type": "array", "items": schema});
        }
        schema
    }

    fn kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Double => json!({"type": "number", "format": "double"}),
            Kind::Float => json!({"type": "number", "format": "float"}),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                json!({"type": "integer", "format": "int32"})
            }
            Kind::Uint32 | Kind::Fixed32 => {
                json!({"type": "integer", "format": "uint32", "minimum": 0})
            }
            // 64 bits do not fit a number of JavaScript; canonical JSON writes them as strings.
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                json!({"type": "string", "format": "int64"})
            }
            Kind::Uint64 | Kind::Fixed64 => json!({"type": "string", "format": "uint64"}),
            Kind::Bool => json!({"type": "boolean"}),
            Kind::String => json!({"type": "string"}),
            Kind::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
            Kind::Enum(values) => self.enumeration(values),
            Kind::Message(message) => self.message(message),
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

    /// The short name if no other type has it, else the full one; and whether it is new.
    fn claim(&mut self, short: &str, full: &str) -> (String, bool) {
        let name = match self.named.get(short) {
            Some((owner, _)) if owner != full => full.to_owned(),
            _ => short.to_owned(),
        };
        let new = !self.named.contains_key(&name);
        if new {
            // Claimed before it is filled, so that a message that contains itself ends.
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

/// The comment before a declaration, without the indentation of its lines.
pub(super) fn comment(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|l| l.path == path));
    let text = location.map_or("", |location| location.leading_comments());
    // What is meant for the linter of the contracts says nothing to callers.
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.starts_with("buf:lint:"))
        .collect();
    lines.join("\n").trim().to_owned()
}

/// The comment before a field.
pub(super) fn comment_of_field(field: &FieldDescriptor) -> String {
    comment(&field.parent_file(), field.path())
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
