//! HEAD is answered with the head of GET and nothing else, by every surface and in both protocols.

use axum::http::{Method, StatusCode};

use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn head_never_has_a_body() {
    let site = Site::start().await;
    for (path, status) in [
        ("/urgent", 200),
        ("/plain", 200),
        ("/long", 200),
        ("/feed.xml", 200),
        ("/nothing/at/all", 404),
        ("/items/gone", 410),
        ("/short", 301),
        ("/remotes/clinic/1.0.0/book.0001.js", 200),
        ("/robots.txt", 200),
        ("/api/health-check", 200),
        ("/api/nothing", 404),
        ("/api/openapi.json", 200),
        ("/healthz", 200),
    ] {
        let get = site.get(path).await;
        assert_eq!(get.status.as_u16(), status, "{path}");
        let plain = site.send(Method::HEAD, path, &[], "").await;
        let over_h2 = site.send_over_h2(Method::HEAD, path).await;
        let over_h2 = over_h2.unwrap_or_else(|error| panic!("{path}: {error}"));
        for head in [plain, over_h2] {
            assert_eq!(head.status, get.status, "{path}");
            assert!(head.body.is_empty(), "{path}");
            for name in ["content-type", "etag", "vary", "cache-control", "location"] {
                assert_eq!(head.header(name), get.header(name), "{path}: {name}");
            }
            // A problem names its trace, so only its length is the same.
            let length = get.body.len().to_string();
            assert_eq!(head.header("content-length"), length, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_needs_no_body_and_keeps_its_policy() {
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
