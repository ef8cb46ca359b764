//! Example of a call with `curl`: everything that is required, and the key that makes a create safe to repeat.

use serde_json::{Map, Value, json};

use crate::openapi::KEY;

/// Maximum depth of an example body.
const DEPTH_MAX: usize = 4;

/// Returns one command. `$SITE` is the address of the website, `$TOKEN` a token of its issuer.
pub(super) fn curl(path: &str, method: &str, operation: &Value, document: &Value) -> String {
    let mut address = path.to_owned();
    let mut query = Vec::new();
    let mut lines = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let value = || text_of(name, &parameter["schema"]);
        match parameter["in"].as_str() {
            Some("path") => address = address.replace(&format!("{{{name}}}"), &value()),
            Some("query") if parameter["required"] == true => {
                query.push(format!("{name}={}", value()));
            }
            Some("header") if parameter["required"] == true || name == KEY => {
                lines.push(format!("-H '{name}: {}'", value()));
            }
            _ => {}
        }
    }
    if operation
        .pointer("/security/0/bearer")
        .is_some_and(Value::is_array)
    {
        lines.push("-H \"Authorization: Bearer $TOKEN\"".to_owned());
    }
    if let Some(schema) = operation.pointer("/requestBody/content/application~1json/schema") {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        let body = value_of("", schema, document, DEPTH_MAX);
        lines.push(format!("-d '{body}'"));
    }
    let query = match query.as_slice() {
        [] => String::new(),
        query => format!("?{}", query.join("&")),
    };
    let method = match method {
        "get" => String::new(),
        other => format!("-X {} ", other.to_uppercase()),
    };
    let first = format!("curl {method}\"$SITE/api{address}{query}\"");
    let all: Vec<String> = [first].into_iter().chain(lines).collect();
    all.join(" \\\n  ")
}

/// Returns a value as text for an address or a header.
fn text_of(name: &str, schema: &Value) -> String {
    match name {
        KEY => return "one-key-per-create-0001".to_owned(),
        "If-Match" => return "\"the-etag-that-was-read\"".to_owned(),
        "X-Requested-With" => return "curl".to_owned(),
        _ => {}
    }
    match value_of(name, schema, &Value::Null, 1) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn value_of(name: &str, schema: &Value, document: &Value, depth: usize) -> Value {
    if let Some(found) = schema["$ref"].as_str() {
        let meant = document.pointer(found.trim_start_matches('#'));
        return meant.map_or(Value::Null, |meant| value_of(name, meant, document, depth));
    }
    if let Some(ways) = schema["anyOf"].as_array() {
        let first = ways.first().unwrap_or(&Value::Null);
        return value_of(name, first, document, depth);
    }
    if let Some(values) = schema["enum"].as_array() {
        // The first value of an enum is its UNSPECIFIED.
        let chosen = values.iter().find(|value| {
            let text = value.as_str().unwrap_or_default();
            !text.is_empty() && !text.ends_with("_UNSPECIFIED")
        });
        return chosen.cloned().unwrap_or_default();
    }
    let kind = &schema["type"];
    match kind.as_str().or_else(|| kind[0].as_str()) {
        Some("object") => object_of(schema, document, depth),
        Some("array") => match depth {
            0 => json!([]),
            depth => json!([value_of(name, &schema["items"], document, depth - 1)]),
        },
        Some("integer" | "number") => {
            let least = schema["minimum"].as_i64().filter(|least| *least > 0);
            least.unwrap_or(1).into()
        }
        Some("boolean") => true.into(),
        _ => match schema["format"].as_str() {
            Some("date") => "2026-12-01".into(),
            Some("date-time") => "2026-12-01T09:00:00Z".into(),
            Some("email") => "asha@example.com".into(),
            _ => name.into(),
        },
    }
}

/// Builds an object with the required fields; if none is required, with all that can be sent.
fn object_of(schema: &Value, document: &Value, depth: usize) -> Value {
    if depth == 0 {
        return json!({});
    }
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema["properties"].as_object();
    let wanted = properties.into_iter().flatten().filter(|(name, value)| {
        let is_wanted = required.is_empty() || required.contains(&name.as_str());
        is_wanted && value["readOnly"] != true
    });
    let fields: Map<String, Value> = wanted
        .map(|(name, value)| (name.clone(), value_of(name, value, document, depth - 1)))
        .collect();
    fields.into()
}
