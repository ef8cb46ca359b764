//! Rejects requests under a host name that is not this machine's own.

use std::net::IpAddr;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::uri::Authority;
use http::{HeaderValue, StatusCode, header};

/// Rejects foreign host names with 421. Listening on loopback alone does not keep a web page out. After DNS rebinding
/// the requests come from this machine's browser, but carry the page's host name.
pub async fn require(request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(header::HOST)
        .map(|value| value.to_str().ok().and_then(|host| host.parse().ok()));
    let own = match (host, request.uri().authority()) {
        (Some(host), _) => host.as_ref().is_some_and(is_own),
        (None, Some(authority)) => is_own(authority),
        (None, None) => true,
    };
    let mut response = if own {
        next.run(request).await
    } else {
        (
            StatusCode::MISDIRECTED_REQUEST,
            "only localhost, 127.0.0.1 and [::1] are answered here\n",
        )
            .into_response()
    };
    // A foreign page must neither frame the traces nor load them as another content type.
    response.headers_mut().extend([
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("frame-ancestors 'none'"),
        ),
    ]);
    response
}

fn is_own(authority: &Authority) -> bool {
    let host = authority.host();
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
