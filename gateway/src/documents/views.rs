//! Counts page views: by route and kind of status, and by nothing that tells who looked.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, request::Parts};

use super::metrics;

const SEC_PURPOSE: &str = "sec-purpose";

/// Counts the answer to `request`, if it is a document that somebody looks at.
pub(super) fn count(
    route: &Arc<str>,
    request: &Parts,
    status: StatusCode,
    content_type: Option<&HeaderValue>,
) {
    let is_document = content_type.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if request.method == Method::GET
        && is_document
        && !is_speculative(&request.headers)
        && let Some(class) = class(status)
    {
        metrics::get().view(route, class);
    }
}

/// Fetched before anybody has asked for it.
fn is_speculative(headers: &HeaderMap) -> bool {
    let purposes = headers.get_all(SEC_PURPOSE).iter();
    let mut purposes = purposes.filter_map(|purpose| purpose.to_str().ok());
    purposes.any(|purpose| purpose.to_ascii_lowercase().contains("prefetch"))
}

/// A redirect shows nothing; what the browser has already is a view like any other.
fn class(status: StatusCode) -> Option<&'static str> {
    match status.as_u16() {
        200..=299 | 304 => Some("2xx"),
        400..=499 => Some("4xx"),
        500..=599 => Some("5xx"),
        _ => None,
    }
}
