//! Spans and failures of browsers. Spans are taken in small numbers, checked, and passed on as service `browser`.
//!
//! Anybody can post here, so everything is bounded: size, number, age, attribute keys and value lengths. Reports wait for
//! the collector in a bounded queue; when it is full, spans are dropped and counted.

pub(crate) mod client_failures;

use std::{sync::Arc, time::Duration};

use axum::http::{Response, StatusCode, Uri};
use bytes::Bytes;
use opentelemetry::trace::{SpanId, TraceId};
use opentelemetry_proto::tonic::{
    collector::trace::v1::{ExportTraceServiceRequest, trace_service_client::TraceServiceClient},
    common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value},
    resource::v1::Resource,
    trace::v1::{
        ResourceSpans, ScopeSpans, Span, Status, span::SpanKind, status::StatusCode as SpanStatus,
    },
};
use serde::Deserialize;
use service_kit::source::{Clock, Ids, RandomIds, SystemClock};
use tokio::sync::mpsc;
use tonic::transport::{Channel, Endpoint};

use self::client_failures::{Failure, Known, ReportedFailure};
use crate::{metrics::Metrics, problem::Problem, request::budget::Budget};

/// Bytes of one report at most.
pub(crate) const REPORT_BYTES_MAX: usize = 8 * 1024;
const SPANS_PER_REPORT_MAX: usize = 16;
const NAME_BYTES_MAX: usize = 120;
const ATTRIBUTE_BYTES_MAX: usize = 200;
/// Allowlist of attributes, none of which identifies a visitor; others are dropped.
const TEMPLATE: &str = "url.template";
const ATTRIBUTES: [&str; 6] = [
    "http.request.method",
    TEMPLATE,
    "http.response.status_code",
    "http.request.resend_count",
    "error.type",
    "network.protocol.name",
];
/// What a span of a browser may be named beside `METHOD /route` of the API: others tell us nothing, and anybody could fill the
/// traces with them.
const NAMES: [&str; 1] = ["page load"];
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const UNKNOWN_NAME: &str = "unknown";
/// Spans of all browsers that are passed on in a second at most; more are dropped and counted.
const SPANS_PER_SECOND_MAX: usize = 200;
/// A report comes soon after its spans; clocks of visitors are off by minutes, not hours.
const AGE_MAX: Duration = Duration::from_hours(1);
/// Reports that wait for the collector at most.
const QUEUE_MAX: usize = 256;
/// Spans in one export at most.
const BATCH_MAX: usize = 256;
const EXPORT_TIMEOUT: Duration = Duration::from_secs(3);

/// Either list may be missing, but not both.
#[derive(Debug, Deserialize)]
struct Report {
    spans: Option<Vec<ReportedSpan>>,
    failures: Option<Vec<ReportedFailure>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReportedSpan {
    trace_id: String,
    span_id: String,
    #[serde(default)]
    parent_span_id: String,
    name: String,
    start_unix_nano: String,
    end_unix_nano: String,
    #[serde(default)]
    error: bool,
    #[serde(default)]
    attributes: serde_json::Map<String, serde_json::Value>,
}

/// Where reports of browsers go.
#[derive(Clone, Debug)]
pub(crate) struct BrowserSpans {
    queue: Option<mpsc::Sender<Vec<Span>>>,
    budget: Arc<Budget>,
    metrics: &'static Metrics,
}

impl BrowserSpans {
    /// Starts the exporter; without an endpoint reports are checked and discarded.
    pub(crate) fn start(endpoint: Option<&Uri>, metrics: &'static Metrics) -> Self {
        let queue = endpoint.map(|endpoint| {
            let (sender, receiver) = mpsc::channel(QUEUE_MAX);
            let channel = Endpoint::from(endpoint.clone())
                .connect_timeout(EXPORT_TIMEOUT)
                .timeout(EXPORT_TIMEOUT)
                .connect_lazy();
            tokio::spawn(export(channel, receiver, metrics));
            sender
        });
        Self {
            queue,
            budget: Arc::new(Budget::per_second(SPANS_PER_SECOND_MAX)),
            metrics,
        }
    }

    /// Takes one report: all of it or nothing.
    pub(crate) fn accept(&self, body: &[u8], published: &dyn Known) -> Response<Bytes> {
        let now_ns = SystemClock.now().timestamp_nanos_opt().unwrap_or(0);
        let (spans, failures) = match read(body, now_ns.unsigned_abs(), published) {
            Ok(report) => report,
            Err(problem) => {
                self.metrics.browser_spans("refused", 1);
                return problem.into_response();
            }
        };
        for failure in failures {
            failure.record(self.metrics, published);
        }
        let count = spans.len();
        if let Some(queue) = self.queue.as_ref().filter(|_| count > 0) {
            let outcome = if self.budget.take(count) && queue.try_send(spans).is_ok() {
                "accepted"
            } else {
                "dropped"
            };
            self.metrics.browser_spans(outcome, count);
        }
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = StatusCode::ACCEPTED;
        response
    }
}

fn read(
    body: &[u8],
    now_ns: u64,
    published: &dyn Known,
) -> Result<(Vec<Span>, Vec<Failure>), Problem> {
    let report: Report = serde_json::from_slice(body).map_err(|_| client_failures::malformed())?;
    if report.spans.is_none() && report.failures.is_none() {
        return Err(client_failures::malformed());
    }
    let failures = client_failures::read(report.failures.unwrap_or_default(), published)?;
    let spans = read_spans(report.spans.unwrap_or_default(), now_ns, published)?;
    Ok((spans, failures))
}

fn read_spans(
    spans: Vec<ReportedSpan>,
    now_ns: u64,
    known: &dyn Known,
) -> Result<Vec<Span>, Problem> {
    if spans.len() > SPANS_PER_REPORT_MAX {
        let message = format!("has more than {SPANS_PER_REPORT_MAX} entries");
        return Err(Problem::invalid_field("spans", message));
    }
    spans
        .into_iter()
        .enumerate()
        .map(|(n, span)| {
            convert(span, now_ns, known).map_err(|field| {
                Problem::invalid_field(format!("spans[{n}].{field}"), "is not valid")
            })
        })
        .collect()
}

fn convert(span: ReportedSpan, now_ns: u64, known: &dyn Known) -> Result<Span, &'static str> {
    let trace_id = hex_id(&span.trace_id, 32, |hex| {
        TraceId::from_hex(hex)
            .ok()
            .filter(|id| *id != TraceId::INVALID)
    });
    let span_id = |text: &str| {
        hex_id(text, 16, |hex| {
            SpanId::from_hex(hex)
                .ok()
                .filter(|id| *id != SpanId::INVALID)
        })
    };
    let parent = match span.parent_span_id.as_str() {
        "" => Vec::new(),
        text => span_id(text).ok_or("parentSpanId")?.to_bytes().to_vec(),
    };
    let start: u64 = span.start_unix_nano.parse().map_err(|_| "startUnixNano")?;
    let end: u64 = span.end_unix_nano.parse().map_err(|_| "endUnixNano")?;
    let age_max = u64::try_from(AGE_MAX.as_nanos()).unwrap_or(u64::MAX);
    if start.abs_diff(now_ns) > age_max {
        return Err("startUnixNano");
    }
    if end < start || end.abs_diff(now_ns) > age_max {
        return Err("endUnixNano");
    }
    if span.name.is_empty() || !is_plain(&span.name, NAME_BYTES_MAX) {
        return Err("name");
    }
    let code = if span.error {
        SpanStatus::Error
    } else {
        SpanStatus::Unset
    };
    Ok(Span {
        trace_id: trace_id.ok_or("traceId")?.to_bytes().to_vec(),
        span_id: span_id(&span.span_id).ok_or("spanId")?.to_bytes().to_vec(),
        parent_span_id: parent,
        name: known_name(span.name, known),
        kind: SpanKind::Client.into(),
        start_time_unix_nano: start,
        end_time_unix_nano: end,
        attributes: attributes(span.attributes, known),
        status: Some(Status {
            code: code.into(),
            ..Status::default()
        }),
        ..Span::default()
    })
}

fn known_name(name: String, known: &dyn Known) -> String {
    let is_call = name
        .split_once(' ')
        .is_some_and(|(method, route)| METHODS.contains(&method) && known.is_route(route));
    if is_call || NAMES.contains(&name.as_str()) {
        name
    } else {
        UNKNOWN_NAME.to_owned()
    }
}

fn hex_id<T>(text: &str, digits: usize, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    let hex = text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| parse(text)).flatten()
}

/// Printable ASCII without a query, so that nothing typed by a visitor travels in it.
fn is_plain(text: &str, bytes_max: usize) -> bool {
    text.len() <= bytes_max
        && text
            .bytes()
            .all(|b| (b' '..=b'~').contains(&b) && !matches!(b, b'?' | b'@' | b'%'))
}

fn attributes(
    reported: serde_json::Map<String, serde_json::Value>,
    known: &dyn Known,
) -> Vec<KeyValue> {
    reported
        .into_iter()
        .filter(|(key, _)| ATTRIBUTES.contains(&key.as_str()))
        .filter_map(|(key, value)| {
            let value = match value {
                // A template that is none of ours could say anything.
                serde_json::Value::String(text) if key == TEMPLATE && !known.is_route(&text) => {
                    return None;
                }
                serde_json::Value::String(text) if is_plain(&text, ATTRIBUTE_BYTES_MAX) => {
                    any_value::Value::StringValue(text)
                }
                serde_json::Value::Number(number) => any_value::Value::IntValue(number.as_i64()?),
                serde_json::Value::Bool(flag) => any_value::Value::BoolValue(flag),
                _ => return None,
            };
            Some(key_value(&key, value))
        })
        .collect()
}

fn key_value(key: &str, value: any_value::Value) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}

async fn export(channel: Channel, mut queue: mpsc::Receiver<Vec<Span>>, metrics: &'static Metrics) {
    let text = |text: &str| any_value::Value::StringValue(text.to_owned());
    let resource = Resource {
        attributes: vec![
            key_value("service.name", text("browser")),
            key_value("service.namespace", text("hospital")),
            key_value("service.instance.id", text(&RandomIds.uuid().to_string())),
        ],
        ..Resource::default()
    };
    let mut client = TraceServiceClient::new(channel);
    while let Some(mut spans) = queue.recv().await {
        while spans.len() < BATCH_MAX {
            match queue.try_recv() {
                Ok(more) => spans.extend(more),
                Err(_) => break,
            }
        }
        let count = spans.len();
        let request = ExportTraceServiceRequest {
            resource_spans: vec![ResourceSpans {
                resource: Some(resource.clone()),
                scope_spans: vec![ScopeSpans {
                    scope: Some(InstrumentationScope {
                        name: "browser".to_owned(),
                        ..InstrumentationScope::default()
                    }),
                    spans,
                    ..ScopeSpans::default()
                }],
                ..ResourceSpans::default()
            }],
        };
        match client.export(request).await {
            Ok(_) => metrics.browser_spans("exported", count),
            Err(status) => {
                tracing::debug!(code = ?status.code(), "spans of browsers were not taken");
                metrics.browser_spans("failed", count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Known for Nothing {
        fn has(&self, _: &str, _: &str, _: Option<&str>) -> bool {
            false
        }

        fn failed(&self, _: &str, _: &str) {}

        fn is_route(&self, route: &str) -> bool {
            route == "/api/appointments"
        }
    }

    const NOW_NS: u64 = 1_800_000_000_000_000_000;

    fn report(change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
        let mut span = serde_json::json!({
            "traceId": "0af7651916cd43dd8448eb211c80319c",
            "spanId": "b7ad6b7169203331",
            "parentSpanId": "",
            "name": "POST /api/appointments",
            "startUnixNano": (NOW_NS - 2_000_000).to_string(),
            "endUnixNano": (NOW_NS - 1_000_000).to_string(),
            "error": false,
            "attributes": {"url.template": "/api/appointments", "http.response.status_code": 201},
        });
        change(&mut span);
        serde_json::to_vec(&serde_json::json!({ "spans": [span] })).unwrap()
    }

    #[test]
    fn attributes_outside_of_the_list_are_left_out() {
        let body = report(|span| {
            span["attributes"]["patient.name"] = "Asha".into();
            span["attributes"]["error.type"] = "a@b.example".into();
        });
        let (spans, _) = read(&body, NOW_NS, &Nothing).unwrap();
        let keys: Vec<&str> = spans[0].attributes.iter().map(|a| a.key.as_str()).collect();
        assert_eq!(keys, ["http.response.status_code", "url.template"]);
    }

    #[test]
    fn names_and_templates_are_ours() {
        for (name, expected) in [
            ("POST /api/appointments", "POST /api/appointments"),
            ("page load", "page load"),
            ("POST /api/other", UNKNOWN_NAME),
            ("BREW /api/appointments", UNKNOWN_NAME),
            ("call +91 1234 now", UNKNOWN_NAME),
        ] {
            let body = report(|span| span["name"] = name.into());
            let (spans, _) = read(&body, NOW_NS, &Nothing).unwrap();
            assert_eq!(spans[0].name, expected);
        }
        let body = report(|span| span["attributes"][TEMPLATE] = "/call/me".into());
        let (spans, _) = read(&body, NOW_NS, &Nothing).unwrap();
        assert!(spans[0].attributes.iter().all(|pair| pair.key != TEMPLATE));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases: [(&str, serde_json::Value); 6] = [
            ("traceId", "00000000000000000000000000000000".into()),
            ("spanId", "xyz".into()),
            ("parentSpanId", "1".into()),
            ("name", "GET /doctors?q=asha".into()),
            ("startUnixNano", "5".into()),
            ("endUnixNano", "1".into()),
        ];
        for (field, value) in cases {
            let body = report(|span| span[field] = value.clone());
            let problem = read(&body, NOW_NS, &Nothing).unwrap_err();
            let body = problem.into_response().into_body();
            let text = String::from_utf8(body.to_vec()).unwrap();
            assert!(
                text.contains(&format!("spans[0].{field}")),
                "{field}: {text}"
            );
        }
    }

    #[test]
    fn too_many_spans_are_refused() {
        let span: serde_json::Value = serde_json::from_slice(&report(|_| {})).unwrap();
        let many = vec![span["spans"][0].clone(); SPANS_PER_REPORT_MAX + 1];
        let body = serde_json::to_vec(&serde_json::json!({ "spans": many })).unwrap();
        assert!(read(&body, NOW_NS, &Nothing).is_err());
    }
}
