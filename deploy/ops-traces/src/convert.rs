//! OTLP to [`Span`], with the tag names that Jaeger's own OTLP receiver uses.

use std::fmt::Write as _;
use std::sync::Arc;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::span::{Event, SpanKind};
use opentelemetry_proto::tonic::trace::v1::{Span as OtlpSpan, status::StatusCode};
use prost::Message as _;

use crate::span::{Kind, Link, Log, Process, Span, SpanId, Tag, TraceId, Value};

/// OpenTelemetry's default name for a sender without a service name.
const SERVICE_UNKNOWN: &str = "unknown_service";

/// The spans of one export request.
#[derive(Debug, Default)]
pub struct Converted {
    pub spans: Vec<Span>,
    /// Spans without a usable trace id or span id.
    pub invalid: usize,
}

pub fn spans(request: ExportTraceServiceRequest) -> Converted {
    let mut converted = Converted::default();
    for resource_spans in request.resource_spans {
        let process = Arc::new(process(resource_spans.resource.unwrap_or_default()));
        for scope_spans in resource_spans.scope_spans {
            let scope = scope_spans.scope.unwrap_or_default();
            for otlp in scope_spans.spans {
                match span(otlp, &process, &scope) {
                    Some(span) => converted.spans.push(span),
                    None => converted.invalid += 1,
                }
            }
        }
    }
    converted
}

fn process(resource: Resource) -> Process {
    let identity = resource.encode_to_vec().into();
    let (names, attributes): (Vec<_>, Vec<_>) = resource
        .attributes
        .into_iter()
        .partition(|attribute| attribute.key == "service.name");
    let service = names
        .into_iter()
        .map(|name| tag(name).value.text().into_owned())
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| SERVICE_UNKNOWN.to_owned());
    Process {
        identity,
        service: service.into(),
        tags: attributes.into_iter().map(tag).collect(),
    }
}

fn span(otlp: OtlpSpan, process: &Arc<Process>, scope: &InstrumentationScope) -> Option<Span> {
    let trace = TraceId::from_bytes(&otlp.trace_id)?;
    let id = SpanId::from_bytes(&otlp.span_id)?;
    let kind = kind(otlp.kind());
    let tags = tags(&otlp, kind, scope);
    let warnings = if otlp.end_time_unix_nano < otlp.start_time_unix_nano {
        vec!["the span ends before it starts; its duration is shown as 0"]
    } else {
        Vec::new()
    };
    Some(Span {
        trace,
        id,
        parent: SpanId::from_bytes(&otlp.parent_span_id),
        process: Arc::clone(process),
        operation: otlp.name.into(),
        kind,
        start_nanos: otlp.start_time_unix_nano,
        duration_nanos: otlp
            .end_time_unix_nano
            .saturating_sub(otlp.start_time_unix_nano),
        tags,
        logs: otlp.events.into_iter().map(log).collect(),
        links: otlp
            .links
            .iter()
            .filter_map(|link| {
                Some(Link {
                    trace: TraceId::from_bytes(&link.trace_id)?,
                    span: SpanId::from_bytes(&link.span_id)?,
                })
            })
            .collect(),
        warnings,
    })
}

fn kind(kind: SpanKind) -> Option<Kind> {
    match kind {
        SpanKind::Unspecified => None,
        SpanKind::Internal => Some(Kind::Internal),
        SpanKind::Server => Some(Kind::Server),
        SpanKind::Client => Some(Kind::Client),
        SpanKind::Producer => Some(Kind::Producer),
        SpanKind::Consumer => Some(Kind::Consumer),
    }
}

fn tags(otlp: &OtlpSpan, kind: Option<Kind>, scope: &InstrumentationScope) -> Vec<Tag> {
    // A sender's own `error` or `span.kind` is dropped: the UI marks spans by the status and the kind.
    let mut tags: Vec<Tag> = Vec::with_capacity(otlp.attributes.len() + 4);
    if !scope.name.is_empty() {
        tags.push(Tag::text("otel.scope.name", &scope.name));
    }
    if !scope.version.is_empty() {
        tags.push(Tag::text("otel.scope.version", &scope.version));
    }
    if let Some(kind) = kind {
        tags.push(Tag::text("span.kind", kind.as_str()));
    }
    if let Some(status) = &otlp.status {
        match status.code() {
            StatusCode::Unset => {}
            StatusCode::Ok => tags.push(Tag::text("otel.status_code", "OK")),
            StatusCode::Error => {
                tags.push(Tag::new("error", Value::Bool(true)));
                tags.push(Tag::text("otel.status_code", "ERROR"));
            }
        }
        if !status.message.is_empty() {
            tags.push(Tag::text("otel.status_description", &status.message));
        }
    }
    if !otlp.trace_state.is_empty() {
        tags.push(Tag::text("w3c.tracestate", &otlp.trace_state));
    }
    let own = tags.len();
    for attribute in otlp.attributes.iter().cloned() {
        if !tags[..own].iter().any(|tag| *tag.key == *attribute.key) {
            tags.push(tag(attribute));
        }
    }
    tags.shrink_to_fit();
    tags
}

fn log(event: Event) -> Log {
    let mut fields = Vec::with_capacity(event.attributes.len() + 1);
    if !event.name.is_empty()
        && event
            .attributes
            .iter()
            .all(|attribute| attribute.key != "event")
    {
        fields.push(Tag::text("event", &event.name));
    }
    fields.extend(event.attributes.into_iter().map(tag));
    Log {
        time_micros: event.time_unix_nano / 1_000,
        fields,
    }
}

fn tag(attribute: KeyValue) -> Tag {
    let value = match attribute.value.and_then(|value| value.value) {
        None => Value::String("".into()),
        Some(any_value::Value::StringValue(text)) => Value::String(text.into()),
        Some(any_value::Value::BoolValue(value)) => Value::Bool(value),
        Some(any_value::Value::IntValue(value)) => Value::Int(value),
        Some(any_value::Value::DoubleValue(value)) => Value::Float(value),
        Some(nested) => match json(Some(nested)) {
            serde_json::Value::String(text) => Value::String(text.into()),
            other => Value::String(other.to_string().into()),
        },
    };
    Tag {
        key: attribute.key.into(),
        value,
    }
}

/// Converts lists and maps to JSON text, and bytes to hex. The decoders limit the depth to 100 levels.
fn json(value: Option<any_value::Value>) -> serde_json::Value {
    let unwrap = |value: AnyValue| json(value.value);
    match value {
        // The index into a string table exists only in profiles.
        None | Some(any_value::Value::StringValueStrindex(_)) => serde_json::Value::Null,
        Some(any_value::Value::StringValue(text)) => text.into(),
        Some(any_value::Value::BoolValue(value)) => value.into(),
        Some(any_value::Value::IntValue(value)) => value.into(),
        Some(any_value::Value::DoubleValue(value)) => value.into(),
        Some(any_value::Value::BytesValue(bytes)) => hex(&bytes).into(),
        Some(any_value::Value::ArrayValue(list)) => list.values.into_iter().map(unwrap).collect(),
        Some(any_value::Value::KvlistValue(map)) => map
            .values
            .into_iter()
            .map(|entry| {
                (
                    entry.key,
                    entry.value.map_or(serde_json::Value::Null, unwrap),
                )
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a String takes every write");
            text
        })
}
