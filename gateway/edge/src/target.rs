//! The surface that a request is for, determined from its head alone.

use std::sync::{Arc, LazyLock};

use axum::http::{header, request::Parts, uri::Authority};
use gateway_api::{Api, Endpoint, MOUNT};

/// The surface that a request is for.
pub(super) enum Surface {
    Probe(&'static str),
    Telemetry,
    /// The API, and the prefix of its paths on this host.
    Api(Endpoint, &'static str),
    Document,
}

impl Surface {
    /// `api_host` is the host under which the API is also mounted at the root.
    pub(super) fn of(parts: &Parts, api: &Api, api_host: Option<&str>) -> Self {
        let path = parts.uri.path();
        match path {
            "/healthz" => return Self::Probe("/healthz"),
            "/readyz" => return Self::Probe("/readyz"),
            "/telemetry" => return Self::Telemetry,
            _ => {}
        }
        if let Some(rest) = path.strip_prefix(MOUNT)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Self::Api(api.endpoint(&parts.method, rest), MOUNT);
        }
        if api_host.is_some_and(|host| is_host(parts, host)) {
            return Self::Api(api.endpoint(&parts.method, path), "");
        }
        Self::Document
    }

    /// Returns the template for telemetry, never the path.
    pub(super) fn route(&self) -> Arc<str> {
        static TELEMETRY: LazyLock<Arc<str>> = LazyLock::new(|| "/telemetry".into());
        static DOCUMENT: LazyLock<Arc<str>> = LazyLock::new(|| "document".into());
        match self {
            Self::Probe(path) => (*path).into(),
            Self::Telemetry => Arc::clone(&TELEMETRY),
            Self::Api(endpoint, _) => gateway_api::route(endpoint),
            Self::Document => Arc::clone(&DOCUMENT),
        }
    }
}

/// Whether the request was sent to `host`, on any port.
fn is_host(parts: &Parts, host: &str) -> bool {
    let from_header = parts.headers.get(header::HOST);
    let called = from_header
        .and_then(|value| value.to_str().ok())
        .or_else(|| parts.uri.authority().map(Authority::as_str));
    called.is_some_and(|called| {
        let name = called.rsplit_once(':').map_or(called, |(name, _)| name);
        called.eq_ignore_ascii_case(host) || name.eq_ignore_ascii_case(host)
    })
}
