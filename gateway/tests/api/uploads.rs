//! Bodies that are sent to the upstream verbatim: their limits, and what is checked before they are read.

use axum::body::Body;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use bytes::Bytes;
use futures::{StreamExt as _, stream};
use http::Method;
use serde_json::Value;

use crate::{
    gateway_under_test::{Answer, GatewayUnderTest, eventually, start},
    issuer::{AUDIENCE, Issuer},
};

const SCANS: &str = "/api/scans";
const SCOPE: &str = "scans.write";
const BYTES_MAX: usize = 200_000;
const UPLOADS_MAX: usize = 4;

async fn put(gateway: &GatewayUnderTest, token: &str, body: impl Into<Body>) -> Answer {
    let ask = gateway.ask(Method::PUT, SCANS);
    let ask = ask
        .header("x-requested-with", "fetch")
        .header("content-type", "text/html");
    let ask = if token.is_empty() {
        ask
    } else {
        ask.header("authorization", token)
    };
    ask.body(body).send().await
}

/// A body whose first bytes arrive, and never its end.
fn endless() -> Body {
    let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"first"))]);
    Body::from_stream(first.chain(stream::pending()))
}

#[tokio::test]
async fn sends_bytes_unchanged_up_to_the_limit_of_the_contract() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    let token = issuer.bearer(SCOPE, AUDIENCE, 60);
    for bytes in [
        b"\xff\0{\"a\"".to_vec(),
        vec![b' '; 3],
        vec![0x91; BYTES_MAX],
    ] {
        let answer = put(&gateway, &token, bytes.clone()).await;
        assert_eq!(answer.status, 201, "{:?}", answer.body);
        let id = answer.json()["id"].clone();
        assert_eq!(id, Value::from(BASE64_STANDARD.encode(&bytes)));
    }
    assert_eq!(library.calls(), 3);
    let declared = put(&gateway, &token, vec![0x91; BYTES_MAX + 1]).await;
    let chunks = stream::iter((0..3).map(|_| Ok::<_, std::io::Error>(vec![1_u8; BYTES_MAX / 2])));
    let undeclared = put(&gateway, &token, Body::from_stream(chunks)).await;
    for answer in [declared, undeclared] {
        let problem = answer.problem(413);
        assert_eq!(problem["reason"], "BODY_TOO_LARGE");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(&BYTES_MAX.to_string()), "{detail}");
    }
    assert_eq!(library.calls(), 3);
    // Other fields are in the query, never in the body.
    let ask = gateway.ask(Method::PUT, "/api/scans?scan.data=AA");
    let ask = ask.write().header("authorization", &token).body("x");
    assert_eq!(ask.send().await.fields(), ["scan.data"]);
}

#[tokio::test]
async fn refuses_a_caller_before_reading_the_body() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    let other = issuer.bearer("scans.read", AUDIENCE, 60);
    let expired = issuer.bearer(SCOPE, AUDIENCE, -60);
    put(&gateway, "", endless()).await.problem(401);
    put(&gateway, &expired, endless()).await.problem(401);
    put(&gateway, &other, endless()).await.problem(403);
    let ask = gateway.ask(Method::PUT, SCANS);
    let token = issuer.bearer(SCOPE, AUDIENCE, 60);
    let ask = ask.header("authorization", &token).body(endless());
    assert_eq!(
        ask.send().await.problem(403)["reason"],
        "REQUESTED_WITH_REQUIRED"
    );
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn limits_uploads_at_once() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    let token = issuer.bearer(SCOPE, AUDIENCE, 60);
    let mut waiting = (0..UPLOADS_MAX)
        .map(|_| Box::pin(put(&gateway, &token, endless())))
        .collect::<Vec<_>>();
    eventually("a refusal", async || {
        for upload in &mut waiting {
            assert!(futures::poll!(upload).is_pending());
        }
        let answer = put(&gateway, &token, "one more").await;
        if answer.status == 201 {
            return false;
        }
        answer.problem(503);
        assert!(!answer.header("retry-after").is_empty());
        true
    })
    .await;
    // Concurrent uploads do not block other requests.
    assert_eq!(gateway.get("/api/books").await.status, 200);
    drop(waiting);
    eventually("a place", async || {
        put(&gateway, &token, "one more").await.status == 201
    })
    .await;
    assert!(library.calls() >= 2);
}
