//! Responses of Jaeger's v1 query API, serialised as JSON straight from the stored spans.

use std::collections::HashMap;
use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::span::{Kind, Log, Process, Span, Tag, TraceId, Value};
use crate::store::{Dependency, Trace};

/// Largest integer sent as a JSON number: beyond it JavaScript's numbers skip values. Like Jaeger, larger ones are sent
/// as text.
const INTEGER_EXACT_MAX: u64 = 1 << 53;

/// Envelope of every response. `limit` and `offset` are always 0, as in Jaeger.
#[derive(Debug, Serialize)]
pub struct Answer<T> {
    data: Option<Vec<T>>,
    total: usize,
    limit: usize,
    offset: usize,
    errors: Option<Vec<Failure>>,
}

impl<T> Answer<T> {
    pub fn new(data: Vec<T>, failures: Vec<Failure>) -> Self {
        let errors = (!failures.is_empty()).then_some(failures);
        Self {
            total: data.len(),
            data: Some(data),
            limit: 0,
            offset: 0,
            errors,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Failure {
    code: u16,
    msg: String,
    #[serde(rename = "traceID", skip_serializing_if = "Option::is_none")]
    trace_id: Option<String>,
}

impl Failure {
    pub fn new(status: StatusCode, message: &str) -> Self {
        Self {
            code: status.as_u16(),
            msg: message.to_owned(),
            trace_id: None,
        }
    }

    pub fn trace_not_found(id: TraceId) -> Self {
        Self {
            trace_id: Some(id.to_string()),
            ..Self::new(StatusCode::NOT_FOUND, "trace not found")
        }
    }
}

pub fn list<T: Serialize>(data: &[T]) -> Response {
    json(
        StatusCode::OK,
        &Answer::new(data.iter().collect(), Vec::new()),
    )
}

pub fn failure(status: StatusCode, failure: Failure) -> Response {
    let answer = Answer::<()> {
        data: None,
        total: 0,
        limit: 0,
        offset: 0,
        errors: Some(vec![failure]),
    };
    json(status, &answer)
}

pub fn json<T: Serialize>(status: StatusCode, answer: &T) -> Response {
    match serde_json::to_vec(answer) {
        Ok(body) => (status, [(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written as JSON");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationJson<'a> {
    name: &'a str,
    span_kind: &'static str,
}

impl<'a> OperationJson<'a> {
    pub fn new(name: &'a str, kind: Option<Kind>) -> Self {
        Self {
            name,
            span_kind: kind.map_or("", Kind::as_str),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DependencyJson<'a> {
    parent: &'a str,
    child: &'a str,
    call_count: usize,
}

impl<'a> DependencyJson<'a> {
    pub fn new(dependency: &'a Dependency) -> Self {
        Self {
            parent: &dependency.parent,
            child: &dependency.child,
            call_count: dependency.calls,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct TraceJson<'a> {
    #[serde(rename = "traceID")]
    trace_id: String,
    spans: Vec<SpanJson<'a>>,
    processes: HashMap<String, ProcessJson<'a>>,
    warnings: Option<Vec<String>>,
}

impl<'a> TraceJson<'a> {
    pub fn new(trace: &'a Trace) -> Self {
        let mut names: HashMap<&[u8], String> = HashMap::new();
        let mut processes = HashMap::new();
        let mut spans = Vec::with_capacity(trace.spans.len());
        for span in &trace.spans {
            let next = names.len() + 1;
            let name = names.entry(&span.process.identity).or_insert_with(|| {
                let name = format!("p{next}");
                processes.insert(name.clone(), ProcessJson::new(&span.process));
                name
            });
            spans.push(SpanJson::new(span, name.clone()));
        }
        let refused = (trace.spans_refused > 0).then(|| {
            vec![format!(
                "{} more spans were refused by the limit per trace",
                trace.spans_refused
            )]
        });
        Self {
            trace_id: trace.id.to_string(),
            spans,
            processes,
            warnings: refused,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ProcessJson<'a> {
    service_name: &'a str,
    tags: Vec<TagJson<'a>>,
}

impl<'a> ProcessJson<'a> {
    fn new(process: &'a Arc<Process>) -> Self {
        Self {
            service_name: &process.service,
            tags: process.tags.iter().map(TagJson).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SpanJson<'a> {
    #[serde(rename = "traceID")]
    trace_id: String,
    #[serde(rename = "spanID")]
    span_id: String,
    operation_name: &'a str,
    references: Vec<ReferenceJson>,
    /// Microseconds since 1970.
    start_time: u64,
    /// Microseconds.
    duration: u64,
    tags: Vec<TagJson<'a>>,
    logs: Vec<LogJson<'a>>,
    #[serde(rename = "processID")]
    process_id: String,
    warnings: Option<&'a [&'static str]>,
}

impl<'a> SpanJson<'a> {
    fn new(span: &'a Span, process_id: String) -> Self {
        // The UI takes the first CHILD_OF as the parent.
        let parent = span.parent.iter().map(|parent| ReferenceJson {
            ref_type: "CHILD_OF",
            trace_id: span.trace.to_string(),
            span_id: parent.to_string(),
        });
        let links = span.links.iter().map(|link| ReferenceJson {
            ref_type: "FOLLOWS_FROM",
            trace_id: link.trace.to_string(),
            span_id: link.span.to_string(),
        });
        Self {
            trace_id: span.trace.to_string(),
            span_id: span.id.to_string(),
            operation_name: &span.operation,
            references: parent.chain(links).collect(),
            start_time: span.start_micros(),
            duration: span.duration_nanos / 1_000,
            tags: span.tags.iter().map(TagJson).collect(),
            logs: span.logs.iter().map(LogJson::new).collect(),
            process_id,
            warnings: (!span.warnings.is_empty()).then_some(&span.warnings),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceJson {
    ref_type: &'static str,
    #[serde(rename = "traceID")]
    trace_id: String,
    #[serde(rename = "spanID")]
    span_id: String,
}

#[derive(Debug, Serialize)]
struct LogJson<'a> {
    /// Microseconds since 1970.
    timestamp: u64,
    fields: Vec<TagJson<'a>>,
}

impl<'a> LogJson<'a> {
    fn new(log: &'a Log) -> Self {
        Self {
            timestamp: log.time_micros,
            fields: log.fields.iter().map(TagJson).collect(),
        }
    }
}

#[derive(Debug)]
struct TagJson<'a>(&'a Tag);

impl Serialize for TagJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = &self.0.value;
        let mut tag = serializer.serialize_struct("Tag", 3)?;
        tag.serialize_field("key", &self.0.key)?;
        let kind = match value {
            Value::String(_) => "string",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int64",
            Value::Float(_) => "float64",
        };
        tag.serialize_field("type", kind)?;
        match value {
            Value::Bool(value) => tag.serialize_field("value", value),
            Value::Int(value) if value.unsigned_abs() <= INTEGER_EXACT_MAX => {
                tag.serialize_field("value", value)
            }
            Value::Float(value) if value.is_finite() => tag.serialize_field("value", value),
            // JSON has no NaN and no infinity.
            Value::String(_) | Value::Int(_) | Value::Float(_) => {
                tag.serialize_field("value", &value.text())
            }
        }?;
        tag.end()
    }
}
