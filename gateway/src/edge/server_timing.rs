//! Sends the trace context to the browser: a first navigation carries no `traceparent` of its own.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::rate::may_be_shared;
use crate::request::trace::RequestTrace;

/// Adds `Server-Timing: traceparent;desc="00-…"`, which scripts read as `PerformanceServerTiming`; not into an
/// answer that a shared cache may give to others, whose traces would join.
pub fn apply(headers: &mut HeaderMap, trace: &RequestTrace) {
    if may_be_shared(headers) {
        return;
    }
    let value = format!("traceparent;desc=\"{}\"", trace.traceparent());
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.append(HeaderName::from_static("server-timing"), value);
    }
}
