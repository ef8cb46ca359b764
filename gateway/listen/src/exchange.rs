//! One request and its answer on a connection. Refuses what HTTP does not allow, and marks the connection as busy
//! meanwhile.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, Version,
        header::{CONNECTION, HOST, TRANSFER_ENCODING},
        uri::Authority,
    },
};
use gateway_http::problem::Problem;
use http_body::Body as _;
use hyper::body::Incoming;

use super::{
    answer_body::{AnswerBody, UnderWay},
    body::PacedBody,
    metrics::ListenMetrics,
};

/// Handles the requests of a listener.
pub trait Handler: Send + Sync + 'static {
    /// Answers a request. Never fails: failures are responses too.
    fn answer(
        self: Arc<Self>,
        request: Request<Body>,
        peer: SocketAddr,
    ) -> impl Future<Output = Response<Body>> + Send;

    /// Builds the response to a malformed request.
    fn refuse(&self, problem: Problem) -> Response<Body>;
}

/// State that all exchanges of a listener share.
#[derive(Debug)]
pub(super) struct Exchanges<A> {
    pub(super) answerer: Arc<A>,
    pub(super) body_idle: Duration,
    /// The process is about to stop, so HTTP/1.1 connections close after their current answer.
    pub(super) is_lame: AtomicBool,
}

impl<A: Handler> Exchanges<A> {
    pub(super) async fn exchange(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
        under_way: UnderWay,
    ) -> Response<AnswerBody> {
        let is_http2 = request.version() == Version::HTTP_2;
        // HTTP/1.1 has two ways to mark the end of a body, and request smuggling uses both at once. The parser leaves
        // no trace of the second one. So no bytes that follow on such a connection are taken as a request (RFC 9112,
        // 6.1).
        let is_last = self.is_lame.load(Relaxed)
            || !is_http2 && request.headers().contains_key(TRANSFER_ENCODING);
        let (mut response, is_last) = match check(&request) {
            Ok(()) => (self.admit(request, peer).await, is_last),
            Err(detail) => (self.malformed(detail), true),
        };
        if is_last && !is_http2 {
            let headers = response.headers_mut();
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response.map(|body| AnswerBody::new(body, under_way))
    }

    async fn admit(&self, request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        let body_idle = self.body_idle;
        let request = request.map(|body| {
            if body.is_end_stream() {
                Body::empty()
            } else {
                Body::new(PacedBody::new(body, body_idle))
            }
        });
        Arc::clone(&self.answerer).answer(request, peer).await
    }

    fn malformed(&self, detail: &'static str) -> Response<Body> {
        ListenMetrics::global().malformed.inc();
        let problem = Problem::new(StatusCode::BAD_REQUEST, "MALFORMED_REQUEST", detail);
        self.answerer.refuse(problem)
    }
}

/// Refuses requests that the parser accepts although HTTP forbids them. Returns the detail of the client's problem.
fn check<B>(request: &Request<B>) -> Result<(), &'static str> {
    let (method, uri) = (request.method(), request.uri());
    if method == Method::CONNECT {
        return Err("This server is not a proxy.");
    }
    if uri.path() == "*" && method != Method::OPTIONS {
        return Err("Only OPTIONS may address the server as a whole.");
    }
    let hosts = Hosts::of(request.headers(), uri)?;
    let needs_host = !matches!(request.version(), Version::HTTP_09 | Version::HTTP_10);
    if needs_host && hosts.header.is_none() && hosts.target.is_none() {
        return Err("The request needs a Host header.");
    }
    if request.version() == Version::HTTP_11 && hosts.header.is_none() {
        return Err("An HTTP/1.1 request needs a Host header.");
    }
    match (hosts.header, hosts.target) {
        (Some(header), Some(target)) if !header.as_str().eq_ignore_ascii_case(target.as_str()) => {
            Err("The request's target and its Host header differ.")
        }
        _ => Ok(()),
    }
}

/// Host of a request, in the two places that may contain it.
struct Hosts<'a> {
    header: Option<Authority>,
    target: Option<&'a Authority>,
}

impl<'a> Hosts<'a> {
    fn of(headers: &HeaderMap, uri: &'a Uri) -> Result<Self, &'static str> {
        let mut values = headers.get_all(HOST).iter();
        let header = match (values.next(), values.next()) {
            (None, _) => None,
            (Some(_), Some(_)) => return Err("The request has more than one Host header."),
            (Some(value), None) => {
                let host = Authority::try_from(value.as_bytes());
                let host = host.ok().filter(|host| !host.as_str().contains('@'));
                Some(host.ok_or("The Host header is not a valid host name.")?)
            }
        };
        let target = uri.authority();
        if target.is_some_and(|target| target.as_str().contains('@')) {
            return Err("The request's address must not contain user information.");
        }
        Ok(Self { header, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(version: Version, method: &str, uri: &str, hosts: &[&str]) -> bool {
        let mut request = Request::builder()
            .version(version)
            .method(method)
            .uri(uri)
            .body(())
            .unwrap();
        for host in hosts {
            let host = HeaderValue::from_str(host).unwrap();
            request.headers_mut().append(HOST, host);
        }
        check(&request).is_ok()
    }

    #[test]
    fn requires_exactly_one_host() {
        let (one, two) = (Version::HTTP_11, Version::HTTP_2);
        assert!(checked(one, "GET", "/", &["a"]));
        assert!(checked(one, "GET", "/", &["a:80"]));
        assert!(checked(one, "GET", "/", &["[::1]:80"]));
        assert!(checked(one, "GET", "http://A/", &["a"]));
        assert!(checked(one, "OPTIONS", "*", &["a"]));
        assert!(checked(Version::HTTP_10, "GET", "/", &[]));
        assert!(checked(two, "GET", "https://a/", &[]));
        assert!(checked(two, "GET", "https://a/", &["a"]));
        assert!(checked(two, "GET", "/", &["a"]));

        for hosts in [&[][..], &["a", "a"], &["a b"], &["user@a"], &["a/b"], &[""]] {
            assert!(!checked(one, "GET", "/", hosts), "{hosts:?}");
        }
        assert!(!checked(one, "GET", "http://a/", &[]));
        assert!(!checked(one, "GET", "http://a/", &["b"]));
        assert!(!checked(one, "GET", "http://user@a/", &["a"]));
        assert!(!checked(one, "GET", "*", &["a"]));
        assert!(!checked(one, "CONNECT", "a:80", &["a:80"]));
        assert!(!checked(two, "GET", "/", &[]));
        assert!(!checked(two, "GET", "https://a/", &["b"]));
        assert!(!checked(two, "GET", "https://a/", &["a", "a"]));
    }
}
