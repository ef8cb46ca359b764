//! JSON to protobuf and back, in canonical proto3 JSON: camelCase, defaults shown, unknown fields refused by name.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header::IF_MATCH};
use bytes::Bytes;
use prost::Message as _;
use prost_reflect::{
    DeserializeOptions, DynamicMessage, FieldDescriptor, MessageDescriptor, SerializeOptions, Value,
};
use serde_json::error::Category;

use super::query;
use crate::{
    contract::{BodyRule, Operation},
    problem::{Field, Problem},
    request::etag,
};

/// Header that makes a create safe to repeat.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A request in protobuf.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) message: Bytes,
    /// It carries an idempotency key, so that a service makes nothing twice of it.
    pub(crate) is_keyed: bool,
}

/// Builds the request message of an operation.
///
/// # Errors
/// 400 naming the fields that are wrong.
pub(crate) fn request(
    operation: &Operation,
    path: &str,
    query_string: Option<&str>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Request, Problem> {
    let mut message = from_body(operation, body)?;
    let mut violations = Vec::new();
    let values = operation
        .template
        .capture(path)
        .ok_or_else(Problem::not_found)?;
    for (fields, text) in operation.path_fields.iter().zip(&values) {
        violations.extend(query::set_from_path(&mut message, fields, text).err());
    }
    if let Some(text) = query_string.filter(|text| !text.is_empty()) {
        let taken = |fields: &[FieldDescriptor]| {
            let by_path = operation.path_fields.iter().any(|path| path == fields);
            by_path
                || match &operation.body {
                    BodyRule::None => false,
                    BodyRule::Whole => true,
                    BodyRule::Field(field) => fields.first() == Some(field),
                }
        };
        violations.extend(query::apply(&mut message, text, &taken));
    }
    if let (Some(field), Some(key)) = (&operation.request_id, headers.get(IDEMPOTENCY_KEY)) {
        match key.to_str() {
            Ok(key) => message.set_field(field, Value::String(key.to_owned())),
            Err(_) => violations.push(Field {
                field: field.json_name().to_owned(),
                message: "must be visible ASCII characters".to_owned(),
            }),
        }
    }
    if let (Some(field), Some(condition)) = (&operation.etag, headers.get(IF_MATCH)) {
        match etag::from_if_match(condition) {
            Ok(version) => message.set_field(field, Value::String(version)),
            Err(expected) => violations.push(Field {
                field: field.json_name().to_owned(),
                message: format!("If-Match must be {expected}"),
            }),
        }
    }
    if !violations.is_empty() {
        return Err(Problem::invalid_fields(violations));
    }
    let is_keyed = operation.request_id.as_ref().is_some_and(|field| {
        let key = message.get_field(field);
        key.as_str().is_some_and(|key| !key.is_empty())
    });
    Ok(Request {
        message: message.encode_to_vec().into(),
        is_keyed,
    })
}

/// An answer in its public form.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) body: Bytes,
    /// Of the body, if it is no JSON.
    pub(crate) media_type: Option<HeaderValue>,
    /// Id of the resource that the body is, if it has one.
    pub(crate) id: Option<String>,
    /// What names the version of that resource (AIP-154), if anything does.
    pub(crate) etag: Option<String>,
}

/// The public form of an upstream's answer.
///
/// # Errors
/// 500 when it is no message of the contract.
pub(crate) fn response(operation: &Operation, message: Bytes) -> Result<Answer, Problem> {
    let message = &DynamicMessage::decode(operation.rpc.output(), message).map_err(|error| {
        tracing::error!(%error, rpc = %operation.rpc_name, "the answer is no message of the contract");
        Problem::internal()
    })?;
    let internal = |error: serde_json::Error| {
        tracing::error!(%error, rpc = %operation.rpc_name, "the answer has no JSON form");
        Problem::internal()
    };
    let value = operation
        .response_body
        .as_ref()
        .map(|field| message.get_field(field));
    let resource = match (&operation.response_body, value.as_deref()) {
        (None, _) => message,
        (Some(field), Some(Value::Message(resource))) if !field.is_list() => resource,
        (Some(field), _) => {
            // A scalar or a list has no form of its own outside of its message.
            let json = to_json(message).map_err(internal)?;
            let whole: serde_json::Value = serde_json::from_slice(&json).map_err(internal)?;
            let part = whole
                .get(field.json_name())
                .unwrap_or(&serde_json::Value::Null);
            return Ok(Answer {
                body: part.to_string().into(),
                ..Answer::default()
            });
        }
    };
    if let Some(raw) = &operation.raw {
        let Some((media_type, body)) = raw.read(resource) else {
            tracing::error!(rpc = %operation.rpc_name, "the answer names no media type");
            return Err(Problem::internal());
        };
        return Ok(Answer {
            body,
            media_type: Some(media_type),
            ..Answer::default()
        });
    }
    let text = |name| {
        resource
            .get_field_by_name(name)
            .and_then(|value| value.as_str().map(str::to_owned))
            .filter(|text| !text.is_empty())
    };
    Ok(Answer {
        body: to_json(resource).map_err(internal)?.into(),
        id: text("id"),
        etag: text("etag"),
        ..Answer::default()
    })
}

fn to_json(message: &DynamicMessage) -> Result<Vec<u8>, serde_json::Error> {
    let mut out = Vec::with_capacity(1024);
    let mut serializer = serde_json::Serializer::new(&mut out);
    let options = SerializeOptions::new().skip_default_fields(false);
    message.serialize_with_options(&mut serializer, &options)?;
    Ok(out)
}

fn from_body(operation: &Operation, body: &[u8]) -> Result<DynamicMessage, Problem> {
    let empty = body.iter().all(u8::is_ascii_whitespace);
    let input = operation.input();
    match &operation.body {
        BodyRule::None => Ok(DynamicMessage::new(input)),
        BodyRule::Whole | BodyRule::Field(_) if empty => Ok(DynamicMessage::new(input)),
        BodyRule::Whole => from_json(input, body),
        BodyRule::Field(field) => {
            let mut message = DynamicMessage::new(input.clone());
            match field.kind().as_message() {
                Some(kind) if !field.is_list() && !field.is_map() => {
                    message.set_field(field, Value::Message(from_json(kind.clone(), body)?));
                }
                _ => {
                    // Wrapped in its message, because only a message can be read. First made sure that it is one
                    // value, so that it cannot reach beyond its field.
                    if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_err() {
                        return Err(malformed());
                    }
                    let mut whole = format!("{{\"{}\":", field.json_name()).into_bytes();
                    whole.extend_from_slice(body);
                    whole.push(b'}');
                    message = from_json(input, &whole)?;
                }
            }
            Ok(message)
        }
    }
}

fn from_json(kind: MessageDescriptor, body: &[u8]) -> Result<DynamicMessage, Problem> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let mut track = serde_path_to_error::Track::new();
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let result = DynamicMessage::deserialize_with_options(kind, tracked, &options)
        .and_then(|message| json.end().map(|()| message));
    result.map_err(|error| match error.classify() {
        Category::Data => wrong_field(&track.path(), &error),
        Category::Syntax | Category::Eof | Category::Io => malformed(),
    })
}

fn malformed() -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        "MALFORMED_JSON",
        "The body is not valid JSON.",
    )
}

fn wrong_field(path: &serde_path_to_error::Path, error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or_default();
    let parent = if path.iter().next().is_none() {
        String::new()
    } else {
        path.to_string()
    };
    let unknown = message
        .strip_prefix("unrecognized field name '")
        .and_then(|rest| rest.strip_suffix('\''));
    match unknown {
        Some(name) if parent.is_empty() => Problem::invalid_field(name, "is not a known field"),
        Some(name) => Problem::invalid_field(format!("{parent}.{name}"), "is not a known field"),
        None if parent.is_empty() => Problem::new(
            StatusCode::BAD_REQUEST,
            "INVALID_ARGUMENT",
            format!("The body is not what this call takes: {message}."),
        ),
        None => Problem::invalid_field(parent, message),
    }
}
