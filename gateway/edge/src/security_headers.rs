//! Security headers of every response, for all surfaces.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{
        CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    },
};

const EVERYWHERE: [(HeaderName, HeaderValue); 5] = [
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

/// For responses that are not documents: they may load nothing, and nothing may frame them.
const NO_DOCUMENT: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The headers of every response.
#[derive(Clone, Debug, Default)]
pub(crate) struct SecurityHeaders {
    /// Only if the operator declares that the host, or also all its subdomains, will always use TLS.
    transport: Option<HeaderValue>,
}

impl SecurityHeaders {
    /// If `hsts_seconds` is 0, browsers are not told to insist on TLS.
    pub(crate) fn new(hsts_seconds: u32, hsts_subdomains: bool) -> Self {
        let subdomains = if hsts_subdomains {
            "; includeSubDomains"
        } else {
            ""
        };
        let value = HeaderValue::try_from(format!("max-age={hsts_seconds}{subdomains}"));
        Self {
            transport: value.ok().filter(|_| hsts_seconds > 0),
        }
    }

    /// Adds the headers that the response lacks; a document brings its own content security policy.
    pub(crate) fn apply(&self, headers: &mut HeaderMap) {
        if let Some(value) = &self.transport {
            headers.insert(STRICT_TRANSPORT_SECURITY, value.clone());
        }
        for (name, value) in EVERYWHERE {
            headers.entry(name).or_insert(value);
        }
        headers
            .entry(CONTENT_SECURITY_POLICY)
            .or_insert(NO_DOCUMENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_hsts_only_if_configured() {
        let sent = |seconds, subdomains| {
            let mut headers = HeaderMap::new();
            SecurityHeaders::new(seconds, subdomains).apply(&mut headers);
            headers.get(STRICT_TRANSPORT_SECURITY).cloned()
        };
        assert_eq!(sent(0, true), None);
        assert_eq!(sent(60, false).unwrap(), "max-age=60");
        assert_eq!(sent(60, true).unwrap(), "max-age=60; includeSubDomains");
    }
}
