//! Admission of gRPC calls. Requests that a browser can send are refused before any handler runs.

use http::{
    HeaderMap, Method, Request, StatusCode,
    header::{CONTENT_TYPE, ORIGIN},
};

use super::refusals::Refusal;

/// Content types of an RPC with protobuf messages (gRPC over HTTP/2, `Content-Type`).
const CONTENT_TYPES: [&str; 2] = ["application/grpc", "application/grpc+proto"];

/// Returns why `request` is not an RPC from a program, and the response status.
///
/// A page in a browser cannot omit these headers. It may set gRPC's content type only after a preflight, which is
/// refused here as well.
pub(super) fn refusal<B>(request: &Request<B>) -> Option<(StatusCode, Refusal)> {
    if is_from_a_browser(request.headers()) {
        return Some((StatusCode::FORBIDDEN, Refusal::Browser));
    }
    if request.method() != Method::POST {
        return Some((StatusCode::METHOD_NOT_ALLOWED, Refusal::NotGrpc));
    }
    if !is_grpc(request.headers()) {
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, Refusal::NotGrpc));
    }
    None
}

fn is_from_a_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN)
        || headers
            .keys()
            .any(|name| name.as_str().starts_with("sec-fetch-"))
}

fn is_grpc(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return false;
    };
    CONTENT_TYPES
        .iter()
        .any(|known| value.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: Method, headers: &[(&'static str, &'static str)]) -> Option<u16> {
        let mut request = Request::new(());
        *request.method_mut() = method;
        for (name, value) in headers {
            let value = http::HeaderValue::from_static(value);
            request.headers_mut().append(*name, value);
        }
        refusal(&request).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn accepts_only_grpc_posts_that_no_browser_sent() {
        let grpc = ("content-type", "application/grpc");
        assert_eq!(status(Method::POST, &[grpc]), None);
        let proto = ("content-type", "Application/gRPC+proto");
        assert_eq!(status(Method::POST, &[proto]), None);
        assert_eq!(status(Method::GET, &[grpc]), Some(405));
        assert_eq!(status(Method::POST, &[]), Some(415));
        assert_eq!(status(Method::POST, &[grpc, grpc]), Some(415));
        for other in [
            "text/plain",
            "application/grpc-web",
            "application/grpc-web+proto",
            "application/grpc+json",
            "application/grpcx",
        ] {
            let header = ("content-type", other);
            assert_eq!(status(Method::POST, &[header]), Some(415), "{other}");
        }
        for browser in ["origin", "sec-fetch-site", "sec-fetch-mode"] {
            assert_eq!(status(Method::POST, &[grpc, (browser, "none")]), Some(403));
        }
        let preflight = [("origin", "http://evil.example")];
        assert_eq!(status(Method::OPTIONS, &preflight), Some(403));
    }
}
