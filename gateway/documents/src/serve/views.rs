//! Counts page views by route and status class, without any visitor data.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, request::Parts};

use crate::metrics;

const SEC_PURPOSE: &str = "sec-purpose";

/// Route of a document, stored in the response's extensions. Telemetry uses it because it must not see paths.
#[derive(Clone, Debug)]
pub struct DocumentRoute(pub Arc<str>);

/// Counts the response to `request` if it is a document that a visitor sees.
pub(crate) fn count(
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

/// Returns whether the request is a prefetch or prerender.
fn is_speculative(headers: &HeaderMap) -> bool {
    let purposes = headers.get_all(SEC_PURPOSE).iter();
    let mut purposes = purposes.filter_map(|purpose| purpose.to_str().ok());
    purposes.any(|purpose| purpose.to_ascii_lowercase().contains("prefetch"))
}

/// Returns the status class of a view. A redirect is not a view. A 304 is, because the visitor sees the cached page.
fn class(status: StatusCode) -> Option<&'static str> {
    match status.as_u16() {
        200..=299 | 304 => Some("2xx"),
        400..=499 => Some("4xx"),
        500..=599 => Some("5xx"),
        _ => None,
    }
}
