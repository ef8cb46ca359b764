//! HEAD over HTTP/2, where sending a body breaks the stream.

use axum::http::{Method, Request, StatusCode, Version};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::{client::legacy::Client, rt::TokioExecutor};

use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn head_has_the_length_without_a_body() {
    let site = Site::start().await;
    let client = Client::builder(TokioExecutor::new())
        .http2_only(true)
        .build_http::<Empty<Bytes>>();
    for path in [
        "/list",
        "/feed.xml",
        "/items/gone",
        "/api/openapi.json",
        "/urgent",
        "/remotes/clinic/1.0.0/book.0001.js",
        "/robots.txt",
        "/nowhere",
        "/api/health-check",
        "/api/nowhere",
        "/healthz",
    ] {
        let ask = async |method: Method| {
            let uri = format!("http://{}{path}", site.address());
            let request = Request::builder().method(method).uri(uri);
            let answer = client.request(request.body(Empty::new()).expect("valid"));
            let (head, body) = answer.await.expect("an answer").into_parts();
            let body = body.collect().await.expect("a whole body").to_bytes();
            (head, body)
        };
        let (get, whole) = ask(Method::GET).await;
        let (head, nothing) = ask(Method::HEAD).await;
        assert_eq!(
            (get.version, head.version),
            (Version::HTTP_2, Version::HTTP_2)
        );
        assert!(nothing.is_empty(), "{path}: {} bytes", nothing.len());
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(
            head.headers["content-length"],
            whole.len().to_string(),
            "{path}"
        );
        assert_eq!(
            head.headers["content-type"], get.headers["content-type"],
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_304_with_its_policy_and_no_body() {
    let site = Site::start().await;
    for path in ["/urgent", "/plain", "/robots.txt"] {
        let get = site.get(path).await;
        let condition = [("if-none-match", get.header("etag"))];
        for method in [Method::GET, Method::HEAD] {
            let known = site.send(method, path, &condition, "").await;
            assert_eq!(known.status, StatusCode::NOT_MODIFIED, "{path}");
            assert!(known.body.is_empty());
            for name in ["etag", "vary", "cache-control", "content-security-policy"] {
                assert_eq!(known.header(name), get.header(name), "{path}: {name}");
            }
            assert_eq!(known.header("content-type"), "", "{path}");
        }
    }
}
