//! Spans, failures and Web Vitals reported by browsers. Spans are rate limited, validated and forwarded as service
//! `browser`.
//!
//! Anybody can post here, so everything is bounded: size, number, age, attribute keys and value lengths. Reports wait
//! for the collector in a bounded queue. When the queue is full, spans are dropped and counted.

pub(crate) mod client_failures;
mod vitals;

use std::{sync::Arc, time::Duration};

use axum::http::{Response, StatusCode, Uri};
use bytes::Bytes;
use gateway_http::{metrics::Metrics, problem::Problem, request::budget::Budget};
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
use service_kit::{
    semconv,
    source::{Clock, Ids, RandomIds, SystemClock},
};
use tokio::sync::mpsc;
use tonic::transport::{Channel, Endpoint};

use self::{
    client_failures::{Failure, Published, ReportedFailure},
    vitals::{ReportedVitals, Vitals},
};

/// Maximum size of one report in bytes.
pub(crate) const REPORT_BYTES_MAX: usize = 8 * 1024;
const SPANS_PER_REPORT_MAX: usize = 16;
const NAME_BYTES_MAX: usize = 120;
const ATTRIBUTE_BYTES_MAX: usize = 200;
/// Allowlist of attributes, none of which identifies a visitor; others are dropped.
const ATTRIBUTES: [&str; 6] = [
    semconv::HTTP_REQUEST_METHOD,
    semconv::URL_TEMPLATE,
    semconv::HTTP_RESPONSE_STATUS_CODE,
    semconv::HTTP_REQUEST_RESEND_COUNT,
    semconv::ERROR_TYPE,
    semconv::NETWORK_PROTOCOL_NAME,
];
/// Span names accepted from browsers besides `METHOD /route` of the API. Other names have no meaning here, and anybody
/// could flood the traces with them.
const NAMES: [&str; 1] = ["page load"];
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const UNKNOWN_NAME: &str = "unknown";
/// Maximum spans forwarded per second from all browsers; further ones are dropped and counted.
const SPANS_PER_SECOND_MAX: usize = 200;
/// Maximum difference between a span's times and the current time. A report follows its spans closely, and visitors'
/// clocks are off by minutes, not hours.
const AGE_MAX: Duration = Duration::from_hours(1);
/// Maximum reports queued for the collector.
const QUEUE_MAX: usize = 256;
/// Number of spans at which a batch takes no further reports. The last report may exceed it.
const BATCH_MAX: usize = 256;
const EXPORT_TIMEOUT: Duration = Duration::from_secs(3);

/// Each part may be missing, but not all of them.
#[derive(Debug, Deserialize)]
struct Report {
    spans: Option<Vec<ReportedSpan>>,
    failures: Option<Vec<ReportedFailure>>,
    /// Token of the document in which `failures` happened.
    #[serde(default)]
    token: String,
    vitals: Option<ReportedVitals>,
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

/// Sink for reports from browsers.
#[derive(Clone, Debug)]
pub(crate) struct BrowserSpans {
    queue: Option<mpsc::Sender<Vec<Span>>>,
    budget: Arc<Budget>,
    metrics: &'static Metrics,
}

impl BrowserSpans {
    /// Starts the exporter. Without an endpoint, spans are checked and discarded.
    pub(crate) fn start(endpoint: Option<&Uri>, metrics: &'static Metrics) -> Self {
        vitals::register();
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

    /// Accepts one report as a whole or rejects it.
    pub(crate) fn accept(&self, body: &[u8], published: &dyn Published) -> Response<Bytes> {
        let now_ns = SystemClock.now().timestamp_nanos_opt().unwrap_or(0);
        let checked = read(body, now_ns.unsigned_abs(), published).and_then(|checked| {
            let Checked {
                failures, token, ..
            } = &checked;
            client_failures::record(failures, token, self.metrics, published)?;
            Ok(checked)
        });
        let Checked { spans, vitals, .. } = match checked {
            Ok(report) => report,
            Err(problem) => {
                self.metrics.browser_spans("refused", 1);
                return problem.into_response();
            }
        };
        if let Some(vitals) = vitals {
            vitals.record();
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

/// A fully validated report.
#[derive(Debug)]
struct Checked {
    spans: Vec<Span>,
    failures: Vec<Failure>,
    token: String,
    vitals: Option<Vitals>,
}

fn read(body: &[u8], now_ns: u64, published: &dyn Published) -> Result<Checked, Problem> {
    let report: Report = serde_json::from_slice(body).map_err(|_| client_failures::malformed())?;
    if report.spans.is_none() && report.failures.is_none() && report.vitals.is_none() {
        return Err(client_failures::malformed());
    }
    let vitals = report.vitals;
    Ok(Checked {
        token: report.token,
        failures: client_failures::read(report.failures.unwrap_or_default(), published)?,
        vitals: vitals
            .map(|vitals| vitals::read(vitals, published))
            .transpose()?,
        spans: read_spans(report.spans.unwrap_or_default(), now_ns, published)?,
    })
}

fn read_spans(
    spans: Vec<ReportedSpan>,
    now_ns: u64,
    published: &dyn Published,
) -> Result<Vec<Span>, Problem> {
    if spans.len() > SPANS_PER_REPORT_MAX {
        let message = format!("has more than {SPANS_PER_REPORT_MAX} entries");
        return Err(Problem::invalid_field("spans", message));
    }
    spans
        .into_iter()
        .enumerate()
        .map(|(n, span)| {
            convert(span, now_ns, published).map_err(|field| {
                Problem::invalid_field(format!("spans[{n}].{field}"), "is not valid")
            })
        })
        .collect()
}

fn convert(
    span: ReportedSpan,
    now_ns: u64,
    published: &dyn Published,
) -> Result<Span, &'static str> {
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
        name: known_name(span.name, published),
        kind: SpanKind::Client.into(),
        start_time_unix_nano: start,
        end_time_unix_nano: end,
        attributes: attributes(span.attributes, published),
        status: Some(Status {
            code: code.into(),
            ..Status::default()
        }),
        ..Span::default()
    })
}

fn known_name(name: String, published: &dyn Published) -> String {
    let is_call = name
        .split_once(' ')
        .is_some_and(|(method, route)| METHODS.contains(&method) && published.is_route(route));
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

/// Accepts printable ASCII without `?`, `@` and `%`. This keeps queries and visitor input out of the traces.
fn is_plain(text: &str, bytes_max: usize) -> bool {
    text.len() <= bytes_max
        && text
            .bytes()
            .all(|b| (b' '..=b'~').contains(&b) && !matches!(b, b'?' | b'@' | b'%'))
}

fn attributes(
    reported: serde_json::Map<String, serde_json::Value>,
    published: &dyn Published,
) -> Vec<KeyValue> {
    // A path may contain more than published names, so a document is identified by its route.
    let path = reported
        .get(semconv::URL_PATH)
        .and_then(serde_json::Value::as_str);
    let route = path.and_then(|path| published.page_route(path));
    let route = route.map(|route| {
        key_value(
            semconv::HTTP_ROUTE,
            any_value::Value::StringValue(route.to_string()),
        )
    });
    let reported = reported
        .into_iter()
        .filter(|(key, _)| ATTRIBUTES.contains(&key.as_str()))
        .filter_map(|(key, value)| {
            let value = match value {
                // A template that is not a route of this API could contain anything.
                serde_json::Value::String(text)
                    if key == semconv::URL_TEMPLATE && !published.is_route(&text) =>
                {
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
        });
    reported.chain(route).collect()
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
            key_value(semconv::SERVICE_NAME, text("browser")),
            key_value(semconv::SERVICE_NAMESPACE, text(semconv::NAMESPACE)),
            key_value(
                semconv::SERVICE_INSTANCE_ID,
                text(&RandomIds.uuid().to_string()),
            ),
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
                tracing::debug!(code = ?status.code(), "browser spans were not exported");
                metrics.browser_spans("failed", count);
            }
        }
    }
}

#[cfg(test)]
mod tests;
