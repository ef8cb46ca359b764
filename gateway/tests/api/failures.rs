//! Refusals and failures: each is a problem document and reveals nothing about the systems behind the gateway.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures::future::join_all;
use http::Method;
use http_body_util::StreamBody;
use tonic::Code;

use crate::gateway_under_test::{GatewayUnderTest, eventually, nobody, start};

#[tokio::test]
async fn passes_violations_of_the_service_with_their_fields() {
    let (gateway, _library) = start(&[]).await;
    let answer = gateway.post("/api/books", "{}").await;
    let problem = answer.problem(400);
    assert_eq!(problem["reason"], "INVALID_ARGUMENT");
    assert_eq!(answer.fields(), ["title"], "a key was derived");
    for (title, status, reason) in [
        ("Taken", 409, "TITLE_TAKEN"),
        ("Reused", 422, "REQUEST_ID_REUSED"),
    ] {
        let ask = gateway.ask(Method::POST, "/api/books").write();
        let ask = ask.header("idempotency-key", "k");
        let answer = ask.body(format!("{{\"title\":\"{title}\"}}")).send().await;
        let problem = answer.problem(status);
        assert_eq!(problem["reason"], reason);
        assert_eq!(problem["detail"], "There is one already.");
    }
}

#[tokio::test]
async fn hides_details_of_service_failures() {
    let (gateway, _library) = start(&[]).await;
    for (code, status) in [
        (Code::Unknown, 500),
        (Code::Internal, 500),
        (Code::DataLoss, 500),
        (Code::Unimplemented, 500),
        (Code::Unavailable, 503),
        (Code::DeadlineExceeded, 504),
        (Code::ResourceExhausted, 429),
    ] {
        let path = format!("/api/failing?code={}", code as i32);
        let answer = gateway.get(&path).await;
        answer.problem(status);
        let text = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(
            !text.contains("10.0.0.7") && !text.contains("secret"),
            "{text}"
        );
        let retry = answer.header("retry-after");
        assert_eq!(retry.is_empty(), ![429, 503].contains(&status), "{status}");
    }
}

#[tokio::test]
async fn service_outage_is_an_immediate_503_and_the_gateway_stays_ready() {
    let gateway = GatewayUnderTest::start(crate::contract::pool(), nobody().await, &[]).await;
    let asked = Instant::now();
    let answer = gateway.get("/api/books").await;
    assert_eq!(answer.problem(503)["reason"], "UNAVAILABLE");
    assert!(!answer.header("retry-after").is_empty());
    assert!(asked.elapsed() < Duration::from_secs(2));
    assert_eq!(gateway.get("/readyz").await.status, 200);
    assert_eq!(gateway.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn retries_reads_and_keyed_creates_only() {
    let (gateway, library) = start(&[]).await;
    library.seen.unavailable.store(2, Ordering::SeqCst);
    assert_eq!(gateway.get("/api/shelves/a/books/1").await.status, 200);
    assert_eq!(library.calls(), 3);
    library.seen.unavailable.store(1, Ordering::SeqCst);
    gateway.post("/api/loans", "{}").await.problem(503);
    assert_eq!(library.calls(), 4);
    library.seen.unavailable.store(2, Ordering::SeqCst);
    let keyed = gateway.ask(Method::POST, "/api/books").write();
    let keyed = keyed.header("idempotency-key", "k");
    let answer = keyed.body(r#"{"title":"Emma"}"#).send().await;
    assert_eq!(answer.status, 201);
    assert_eq!(library.calls(), 7);
}

#[tokio::test]
async fn limits_retries_by_a_budget() {
    let (gateway, library) = start(&[]).await;
    library.seen.unavailable.store(usize::MAX, Ordering::SeqCst);
    let calls = 60;
    for answer in join_all((0..calls).map(|_| gateway.get("/api/shelves/a/books/1"))).await {
        answer.problem(503);
    }
    let made = library.calls();
    // Without a budget each call would make three attempts. The budget allows a fifth of the calls, plus a hundred for
    // its ten-second window.
    assert!(made <= calls + calls / 5 + 101, "{made} calls for {calls}");
    assert!(made > calls, "nothing was tried again");
}

#[tokio::test]
async fn forwards_the_deadline_and_ends_the_call() {
    let (gateway, library) = start(&[]).await;
    gateway.get("/api/shelves/a/books/1").await;
    let millis = timeout_ms(&library.last("grpc-timeout"));
    assert!((4_000..=4_900).contains(&millis), "{millis} ms");

    let asked = Instant::now();
    let answer = gateway.get("/api/slow").await;
    assert_eq!(answer.problem(504)["reason"], "DEADLINE_EXCEEDED");
    let millis = timeout_ms(&library.last("grpc-timeout"));
    assert!((1..=300).contains(&millis), "{millis} ms of 400");
    assert!(asked.elapsed() < Duration::from_secs(3));
    let abandoned = || library.seen.abandoned.load(Ordering::SeqCst);
    eventually("the service to give up", async || abandoned() == 1).await;
}

/// Parses a `grpc-timeout` such as `4899912u` to milliseconds.
fn timeout_ms(text: &str) -> u64 {
    let (number, unit) = text.split_at(text.len() - 1);
    let number: u64 = number.parse().unwrap();
    match unit {
        "n" => number / 1_000_000,
        "u" => number / 1_000,
        "m" => number,
        "S" => number * 1_000,
        other => panic!("unit {other}"),
    }
}

#[tokio::test]
async fn refuses_writes_without_header_json_or_own_origin() {
    let (gateway, library) = start(&[]).await;
    let post = || gateway.ask(Method::POST, "/api/books");
    let body = r#"{"title":"Emma"}"#;
    let json = ("content-type", "application/json");
    let bare = post().header(json.0, json.1).body(body).send().await;
    assert_eq!(bare.problem(403)["reason"], "REQUESTED_WITH_REQUIRED");
    let form = post().header("x-requested-with", "fetch");
    let form = form.header("content-type", "text/plain").body(body);
    form.send().await.problem(415);
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let answer = post().write().header(name, value).body(body).send().await;
        assert_eq!(answer.problem(403)["reason"], "CROSS_SITE");
    }
    assert_eq!(library.calls(), 0);
    // X9: an origin with another scheme is another origin.
    let own = |scheme: &str| ("origin", format!("{scheme}://{}", gateway.address));
    for (scheme, proxy, status) in [
        ("https", "", 403),
        ("http", "", 201),
        // No proxy is trusted here.
        ("https", "https", 403),
    ] {
        let (name, value) = own(scheme);
        let ask = post().write().header(name, &value);
        let ask = ask.header("x-forwarded-proto", proxy).body(body);
        assert_eq!(ask.send().await.status, status, "{scheme} {proxy}");
    }
    assert_eq!(library.calls(), 1);
    let (proxied, _library) = start(&["--trusted-hops=1"]).await;
    for (scheme, status) in [("https", 201), ("http", 403)] {
        let origin = format!("{scheme}://{}", proxied.address);
        let ask = proxied.ask(Method::POST, "/api/books").write();
        let ask = ask.header("origin", &origin);
        let ask = ask.header("x-forwarded-proto", "https").body(body);
        assert_eq!(ask.send().await.status, status, "{scheme}");
    }
}

/// G6: tonic rejects such a reply with its own message and OUT_OF_RANGE, which is not the caller's fault.
#[tokio::test]
async fn too_large_reply_is_an_internal_error() {
    let (gateway, library) = start(&[]).await;
    for path in ["/api/openings?day=huge", "/api/shelves/huge/books/1"] {
        let answer = gateway.get(path).await;
        assert_eq!(answer.problem(502)["reason"], "BAD_REPLY", "{path}");
        let text = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(
            !text.contains("bytes") && !text.contains("length"),
            "{text}"
        );
    }
    assert_eq!(library.calls(), 2, "it is not tried again");
    assert_eq!(gateway.get("/api/books").await.status, 200);
}

#[tokio::test]
async fn limits_bodies_with_and_without_content_length() {
    let (gateway, library) = start(&[]).await;
    let large = "x".repeat(70_000);
    let answer = gateway.post("/api/books", &large).await;
    assert_eq!(answer.problem(413)["reason"], "BODY_TOO_LARGE");
    let chunk =
        || Ok::<_, std::io::Error>(http_body::Frame::data(Bytes::from_static(&[b'x'; 10_000])));
    let chunks = futures::stream::iter((0..20).map(move |_| chunk()));
    let undeclared = axum::body::Body::new(StreamBody::new(chunks));
    let ask = gateway.ask(Method::POST, "/api/books").write();
    ask.body(undeclared).send().await.problem(413);
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn sends_security_headers_with_every_answer() {
    let (gateway, _library) = start(&["--hsts-seconds=63072000"]).await;
    for path in ["/api/books", "/api/nothing", "/healthz", "/elsewhere"] {
        let answer = gateway.get(path).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            (
                "content-security-policy",
                "default-src 'none'; frame-ancestors 'none'",
            ),
        ] {
            assert_eq!(answer.header(name), value, "{name} of {path}");
        }
        assert_eq!(
            answer.header("strict-transport-security"),
            "max-age=63072000"
        );
        assert!(answer.header("permissions-policy").contains("camera=()"));
    }
}
