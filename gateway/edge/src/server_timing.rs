//! Sends the trace context to the browser, because a first navigation carries no `traceparent`.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use gateway_http::request::trace::RequestTrace;

/// Adds `Server-Timing: traceparent;desc="00-…"`, which scripts read as `PerformanceServerTiming`.
pub(crate) fn apply(headers: &mut HeaderMap, trace: &RequestTrace) {
    let value = format!("traceparent;desc=\"{}\"", trace.traceparent());
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.append(HeaderName::from_static("server-timing"), value);
    }
}
