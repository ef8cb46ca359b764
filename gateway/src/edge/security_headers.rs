//! Security headers: what a browser must not do with our answers.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{
        CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    },
};

/// Headers of every answer. Browsers ignore HSTS over plain HTTP, so it can be sent always.
const EVERYWHERE: [(HeaderName, HeaderValue); 6] = [
    (
        STRICT_TRANSPORT_SECURITY,
        HeaderValue::from_static("max-age=63072000; includeSubDomains"),
    ),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (
        REFERRER_POLICY,
        HeaderValue::from_static("strict-origin-when-cross-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
        ),
    ),
];

/// For what is no document: it may load nothing and be framed by nobody.
const NO_DOCUMENT: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Adds what the answer does not say itself; a document brings its own content security policy.
pub fn apply(headers: &mut HeaderMap) {
    for (name, value) in EVERYWHERE {
        headers.entry(name).or_insert(value);
    }
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(NO_DOCUMENT);
}
