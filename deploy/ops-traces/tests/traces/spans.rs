//! Spans as an exporter sends them.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, InstrumentationScope, KeyValue, any_value::Value,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span, Status};

use crate::running::NOW_SECONDS;

pub(crate) fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}

pub(crate) fn text(key: &str, value: &str) -> KeyValue {
    attribute(key, Value::StringValue(value.to_owned()))
}

/// Returns the 32 hex digits of the trace id that [`span`] derives from a number.
pub(crate) fn trace_id(trace: u128) -> String {
    format!("{trace:032x}")
}

/// Returns a server span that starts `trace` seconds before the test's now and takes 10 ms. Parent 0 means no parent.
pub(crate) fn span(trace: u128, id: u64, parent: u64, name: &str) -> Span {
    let ago = u64::try_from(trace % 1_000_000).expect("small");
    let start = (NOW_SECONDS - ago) * 1_000_000_000;
    Span {
        trace_id: trace.to_be_bytes().to_vec(),
        span_id: id.to_be_bytes().to_vec(),
        parent_span_id: if parent == 0 {
            Vec::new()
        } else {
            parent.to_be_bytes().to_vec()
        },
        name: name.to_owned(),
        kind: SpanKind::Server.into(),
        start_time_unix_nano: start,
        end_time_unix_nano: start + 10_000_000,
        ..Span::default()
    }
}

pub(crate) fn lasting(mut span: Span, milliseconds: u64) -> Span {
    span.end_time_unix_nano = span.start_time_unix_nano + milliseconds * 1_000_000;
    span
}

pub(crate) fn failed(mut span: Span, description: &str) -> Span {
    span.status = Some(Status {
        message: description.to_owned(),
        code: StatusCode::Error.into(),
    });
    span
}

pub(crate) fn with(mut span: Span, attributes: &[KeyValue]) -> Span {
    span.attributes.extend_from_slice(attributes);
    span
}

/// Returns one export request of one process.
pub(crate) fn export(service: &str, spans: Vec<Span>) -> ExportTraceServiceRequest {
    let attributes = vec![
        text("service.name", service),
        text("service.instance.id", &format!("{service}-1")),
    ];
    let scope = InstrumentationScope {
        name: "test".to_owned(),
        ..InstrumentationScope::default()
    };
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(Resource {
                attributes,
                ..Resource::default()
            }),
            scope_spans: vec![ScopeSpans {
                scope: Some(scope),
                spans,
                ..ScopeSpans::default()
            }],
            ..ResourceSpans::default()
        }],
    }
}
