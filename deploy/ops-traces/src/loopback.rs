//! Refuses requests made under a name other than this machine's own.

use std::net::IpAddr;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::uri::Authority;
use http::{StatusCode, header};

/// Loopback alone does not keep a web page out: after DNS rebinding its requests come from this machine's
/// browser, but still carry the page's host name.
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
    if own {
        next.run(request).await
    } else {
        (
            StatusCode::MISDIRECTED_REQUEST,
            "only localhost, 127.0.0.1 and [::1] are answered here\n",
        )
            .into_response()
    }
}

fn is_own(authority: &Authority) -> bool {
    let host = authority.host();
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
