//! The trace context of a request. Only the edge continues or starts it, and decides whether it is sampled.
//!
//! A caller's trace id is continued, but its sampled flag is ignored: otherwise callers would control the cost of
//! tracing. Writes are always sampled, reads by a ratio. An unsampled request gets ids but no span object.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState};
use service_kit::{semconv, trace as wire};
use tonic::metadata::MetadataMap;
use tracing::{Instrument, Span, field::Empty};

use super::log_budget;

tokio::task_local! {
    static CURRENT: RequestTrace;
}

/// Position of a request in its trace.
#[derive(Clone, Debug)]
pub struct RequestTrace {
    position: SpanContext,
    span: Option<Span>,
}

impl RequestTrace {
    /// Begins the trace of a request that came over the network, and decides whether it is sampled.
    ///
    /// `route` is the template of the path, never the path itself.
    pub fn begin(headers: &HeaderMap, method: &Method, route: &str, read_ratio: f64) -> Self {
        if method.is_safe() && !rand::random_bool(read_ratio) {
            return Self::quiet(headers);
        }
        let parent = wire::remote_parent(headers);
        let span = tracing::info_span!(
            "request",
            { semconv::OTEL_NAME } = format_args!("{method} {route}"),
            { semconv::OTEL_KIND } = "server",
            { semconv::OTEL_STATUS_CODE } = Empty,
            trace_id = Empty,
            { semconv::HTTP_REQUEST_METHOD } = %method,
            { semconv::HTTP_ROUTE } = Empty,
            { semconv::HTTP_RESPONSE_STATUS_CODE } = Empty,
            { semconv::ERROR_TYPE } = Empty,
        );
        let trace_id = parent
            .as_ref()
            .map_or_else(random_trace_id, SpanContext::trace_id);
        if let Some(parent) = parent {
            wire::set_parent(&span, with_flags(&parent, TraceFlags::SAMPLED));
        }
        Self::of_span(span, trace_id)
    }

    /// Creates ids without a span, for requests that would drown the visitors' traces: probes, telemetry reports and
    /// requests refused by a rate limit.
    pub fn quiet(headers: &HeaderMap) -> Self {
        let parent = wire::remote_parent(headers);
        Self::unsampled(parent.map_or_else(random_trace_id, |parent| parent.trace_id()))
    }

    /// Returns the trace of a call inside this process: a child of the request being served. Outside of a request,
    /// begins a separate trace for work that no visitor waits for.
    pub fn inside(method: &Method, route: &str, read_ratio: f64) -> Self {
        let Ok(current) = CURRENT.try_with(Clone::clone) else {
            return Self::begin(&HeaderMap::new(), method, route, read_ratio);
        };
        if current.span.is_none() {
            return current;
        }
        let span = tracing::info_span!(
            "call",
            { semconv::OTEL_NAME } = format_args!("{method} {route}"),
            { semconv::OTEL_KIND } = "internal",
            { semconv::OTEL_STATUS_CODE } = Empty,
            { semconv::HTTP_REQUEST_METHOD } = %method,
            { semconv::HTTP_ROUTE } = Empty,
            { semconv::HTTP_RESPONSE_STATUS_CODE } = Empty,
            { semconv::ERROR_TYPE } = Empty,
        );
        Self::of_span(span, current.position.trace_id())
    }

    fn of_span(span: Span, trace_id: TraceId) -> Self {
        // Without an OpenTelemetry layer (telemetry was not started), problems and logs still need the ids.
        let position =
            wire::position(&span).unwrap_or_else(|| position(trace_id, TraceFlags::SAMPLED));
        span.record("trace_id", tracing::field::display(position.trace_id()));
        Self {
            position,
            span: Some(span),
        }
    }

    fn unsampled(trace_id: TraceId) -> Self {
        Self {
            position: position(trace_id, TraceFlags::default()),
            span: None,
        }
    }

    /// Runs `work` with this trace as the current one.
    pub async fn scope<T>(&self, work: impl Future<Output = T>) -> T {
        match &self.span {
            Some(span) => {
                CURRENT
                    .scope(self.clone(), work.instrument(span.clone()))
                    .await
            }
            None => CURRENT.scope(self.clone(), work).await,
        }
    }

    /// Records the outcome and the route, which may be determined only on the way. The route is recorded once, because a
    /// second value does not replace the first. A server error is logged with its ids even if it is not sampled, within
    /// the budget for such lines.
    pub fn finish(&self, method: &Method, route: &str, status: StatusCode, elapsed: Duration) {
        if let Some(span) = &self.span {
            wire::rename(span, format!("{method} {route}"));
            span.record(semconv::HTTP_ROUTE, route);
            span.record(
                semconv::HTTP_RESPONSE_STATUS_CODE,
                i64::from(status.as_u16()),
            );
            if status.is_server_error() {
                span.record(semconv::OTEL_STATUS_CODE, semconv::ERROR);
                span.record(semconv::ERROR_TYPE, status.as_str());
            }
        }
        if status.is_server_error() && log_budget::take() {
            tracing::warn!(
                trace_id = %self.position.trace_id(),
                %method,
                route,
                status = status.as_u16(),
                elapsed_ms = elapsed.as_millis(),
                "request failed"
            );
        }
    }

    /// Returns the trace's id if this request is sampled, for exemplars.
    pub fn sampled(&self) -> Option<TraceId> {
        let position = &self.position;
        position.is_sampled().then(|| position.trace_id())
    }

    /// Returns the `traceparent` of this request, for the browser and for upstreams.
    pub fn traceparent(&self) -> String {
        wire::format(&self.position)
    }
}

/// Returns the trace id of the request being served, 32 hex digits; all zero outside of one.
pub fn current_trace_id() -> String {
    CURRENT
        .try_with(|current| current.position.trace_id())
        .unwrap_or(TraceId::INVALID)
        .to_string()
}

/// Returns the trace id of the request being served if it is sampled; `None` outside of one.
pub fn current_sampled() -> Option<TraceId> {
    CURRENT.try_with(RequestTrace::sampled).ok().flatten()
}

/// Returns the trace of the request being served, to pass it to a separate task; `None` outside of one.
pub fn current() -> Option<RequestTrace> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Returns the `traceparent` of the request being served; `None` outside of one.
pub fn current_traceparent() -> Option<String> {
    CURRENT.try_with(RequestTrace::traceparent).ok()
}

/// Begins the client span of one try of an RPC, and writes its position into the outgoing headers. `retry` counts the
/// earlier tries. Returns `None` if the request is not sampled.
pub fn rpc_span(rpc_name: &str, retry: u32, headers: &mut HeaderMap) -> Option<Span> {
    let current = CURRENT.try_with(Clone::clone).ok()?;
    let span = current.span.as_ref().map(|parent| {
        tracing::info_span!(
            parent: parent,
            "rpc",
            { semconv::OTEL_NAME } = rpc_name,
            { semconv::OTEL_KIND } = "client",
            { semconv::OTEL_STATUS_CODE } = Empty,
            { semconv::RPC_SYSTEM_NAME } = semconv::GRPC,
            { semconv::RPC_METHOD } = rpc_name,
            { semconv::RPC_RESPONSE_STATUS_CODE } = Empty,
            { semconv::ERROR_TYPE } = Empty,
            { semconv::RPC_RETRY } = retry,
        )
    });
    let position = span.as_ref().and_then(wire::position);
    let position = position.unwrap_or(current.position);
    if let Ok(mut value) = HeaderValue::try_from(wire::format(&position)) {
        // It differs in each call, so the header compression must not store it.
        value.set_sensitive(true);
        headers.insert(wire::TRACEPARENT, value);
    }
    span
}

/// Marks a call that no visitor waits for as not sampled, so that the upstream makes no span for it.
pub fn leave_out(metadata: &mut MetadataMap) {
    let quiet = RequestTrace::quiet(&HeaderMap::new());
    if let Ok(value) = quiet.traceparent().parse() {
        metadata.insert(wire::TRACEPARENT, value);
    }
}

fn position(trace_id: TraceId, flags: TraceFlags) -> SpanContext {
    let span_id = SpanId::from_bytes(rand::random::<[u8; 8]>());
    SpanContext::new(trace_id, span_id, flags, false, TraceState::NONE)
}

fn random_trace_id() -> TraceId {
    TraceId::from_bytes(rand::random::<[u8; 16]>())
}

fn with_flags(context: &SpanContext, flags: TraceFlags) -> SpanContext {
    SpanContext::new(
        context.trace_id(),
        context.span_id(),
        flags,
        true,
        TraceState::NONE,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNTRUSTED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn headers() -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", HeaderValue::from_static(UNTRUSTED));
        headers
    }

    #[test]
    fn continues_an_untrusted_trace_id_and_ignores_its_sampled_flag() {
        let trace = RequestTrace::begin(&headers(), &Method::GET, "/api/x", 0.0);
        let text = trace.traceparent();
        assert!(
            text.starts_with("00-0af7651916cd43dd8448eb211c80319c-"),
            "{text}"
        );
        assert!(text.ends_with("-00"), "{text}");
    }

    #[test]
    fn samples_writes_at_any_ratio() {
        let trace = RequestTrace::begin(&HeaderMap::new(), &Method::POST, "/api/x", 0.0);
        assert!(trace.traceparent().ends_with("-01"));
    }
}
