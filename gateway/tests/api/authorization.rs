//! Calls that need a token.

use std::sync::atomic::Ordering;

use crate::{
    gateway_under_test::{Answer, GatewayUnderTest, start},
    issuer::{AUDIENCE, Issuer},
};

const SCOPE: &str = "books.read";

async fn read_as(gateway: &GatewayUnderTest, authorization: &str) -> Answer {
    let ask = gateway.ask(http::Method::GET, "/api/secret");
    ask.header("authorization", authorization).send().await
}

#[tokio::test]
async fn without_keys_refuses_every_token() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&[]).await;
    for token in [issuer.bearer(SCOPE, AUDIENCE, 60), "Bearer x".to_owned()] {
        read_as(&gateway, &token).await.problem(403);
    }
    gateway.get("/api/secret").await.problem(403);
    assert_eq!(library.calls(), 0);
}

#[tokio::test]
async fn accepts_and_forwards_a_valid_token() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    let token = issuer.bearer("profile books.read", AUDIENCE, 60);
    let answer = read_as(&gateway, &token).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(library.last("authorization"), token);
    // A public call needs no token, and a token sent with it must not reach the upstream.
    let ask = gateway.ask(http::Method::GET, "/api/shelves/a/books/1");
    ask.header("authorization", &token).send().await;
    assert_eq!(library.calls(), 2);
    assert_eq!(library.last("authorization"), "");
}

#[tokio::test]
async fn refuses_invalid_tokens_before_the_upstream_call() {
    let (issuer, unknown_issuer) = (Issuer::new(), Issuer::new());
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    for token in [
        issuer.bearer(SCOPE, AUDIENCE, -60),
        issuer.bearer(SCOPE, "somebody-else", 60),
        unknown_issuer.bearer(SCOPE, AUDIENCE, 60),
        "Bearer x.y.z".to_owned(),
        "Basic dTpw".to_owned(),
    ] {
        let answer = read_as(&gateway, &token).await;
        assert_eq!(answer.problem(401)["reason"], "TOKEN_INVALID", "{token}");
        let challenge = answer.header("www-authenticate");
        assert_eq!(challenge, "Bearer error=\"invalid_token\"");
    }
    let answer = gateway.get("/api/secret").await;
    answer.problem(401);
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    let answer = read_as(&gateway, &issuer.bearer("books.write", AUDIENCE, 60)).await;
    assert_eq!(answer.problem(403)["reason"], "SCOPE_MISSING");
    let challenge = answer.header("www-authenticate");
    assert_eq!(
        challenge,
        "Bearer error=\"insufficient_scope\", scope=\"books.read\""
    );
    assert_eq!(library.calls(), 0);
}

/// G7: signature checks are limited per network; each call causes one check.
#[tokio::test]
async fn invalid_tokens_use_up_their_networks_attempts() {
    let (issuer, unknown_issuer) = (Issuer::new(), Issuer::new());
    let [keys, by, audience] = issuer.flags(AUDIENCE);
    let flags = [
        &keys,
        &by,
        &audience,
        "--staff-address-calls-max=3",
        "--trusted-hops=1",
    ];
    let (gateway, library) = start(&flags).await;
    let good = issuer.bearer(SCOPE, AUDIENCE, 60);
    let forged = unknown_issuer.bearer(SCOPE, AUDIENCE, 60);
    let read = async |token: &str, address: &str| {
        let ask = gateway.ask(http::Method::GET, "/api/secret");
        let ask = ask.header("authorization", token);
        ask.header("x-forwarded-for", address).send().await
    };
    assert_eq!(read(&good, "203.0.113.1").await.status, 200);
    for _ in 0..2 {
        read(&forged, "203.0.113.1").await.problem(401);
    }
    for token in [&forged, &good] {
        let answer = read(token, "203.0.113.1").await;
        answer.problem(429);
        let wait: u64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
    }
    assert_eq!(read(&good, "203.0.113.2").await.status, 200);
    assert_eq!(library.calls(), 2);
}

/// G6: a write that timed out may have taken effect.
#[tokio::test]
async fn timed_out_write_invalidates_cached_answers() {
    let issuer = Issuer::new();
    let [keys, by, audience] = issuer.flags(AUDIENCE);
    let flags = [&keys, &by, &audience, "--request-timeout-ms-max=1000"];
    let (gateway, library) = start(&flags).await;
    let token = issuer.bearer("volumes.write", AUDIENCE, 60);
    let text = async || gateway.get("/api/volumes/1").await.json()["text"].take();
    library.write("1", "old");
    assert_eq!(text().await, "old");
    library.seen.pause_ms.store(30_000, Ordering::SeqCst);
    let ask = gateway.ask(http::Method::PUT, "/api/volumes/1").write();
    let ask = ask.header("authorization", &token);
    ask.body(r#"{"text":"new"}"#).send().await.problem(504);
    // The service completed the write, but late.
    library.write("1", "new");
    library.seen.pause_ms.store(0, Ordering::SeqCst);
    assert_eq!(text().await, "new");
    // A rejected write had no effect.
    library.write("1", "newer");
    let ask = gateway.ask(http::Method::PUT, "/api/volumes/1").write();
    let ask = ask.header("authorization", &token);
    let ask = ask.header("if-match", "\"v1\"");
    ask.body(r#"{"text":"x"}"#).send().await.problem(412);
    assert_eq!(text().await, "new", "it is kept for an hour");
}

#[tokio::test]
async fn audience_is_configurable() {
    let issuer = Issuer::new();
    let flags = issuer.flags("the-library");
    let (gateway, _library) = start(&flags.each_ref().map(String::as_str)).await;
    let own = issuer.bearer(SCOPE, "the-library", 60);
    assert_eq!(read_as(&gateway, &own).await.status, 200);
    let other = issuer.bearer(SCOPE, AUDIENCE, 60);
    read_as(&gateway, &other).await.problem(401);
}

#[tokio::test]
async fn description_lists_required_scopes() {
    let (gateway, _library) = start(&[]).await;
    let description = gateway.get("/api/openapi.json").await.json();
    let scheme = &description["components"]["securitySchemes"]["bearer"];
    assert_eq!(scheme["scheme"], "bearer");
    let secret = &description["paths"]["/secret"]["get"];
    assert_eq!(secret["security"][0]["bearer"][0], SCOPE);
    assert!(secret["responses"]["401"].is_object());
    assert!(description["paths"]["/books"]["get"]["security"].is_null());
}
