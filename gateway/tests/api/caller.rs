//! Caller data that an upstream receives: the secret of a resource, the client's network and the client id.

use std::{
    io::{self, Write},
    sync::Arc,
};

use http::Method;
use parking_lot::Mutex;
use tracing::level_filters::LevelFilter;

use crate::{
    gateway_under_test::{Answer, GatewayUnderTest, start},
    issuer::{AUDIENCE, Issuer},
};

const DIARY: &str = "/api/diaries/SH-1";
const SECRET: &str = "mZ4uQ9vN0bT7cY2xK5wR8sL1dF6gH3jP-_qAaEeIiOo";

async fn read_with(gateway: &GatewayUnderTest, headers: &[(&str, &str)]) -> Answer {
    let ask = gateway.ask(Method::GET, DIARY);
    let ask = headers
        .iter()
        .fold(ask, |ask, (name, value)| ask.header(name, value));
    ask.send().await
}

#[tokio::test]
async fn forwards_a_secret_to_its_service_and_stores_it_nowhere() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    for _ in 0..2 {
        let answer = read_with(&gateway, &[("X-Diary-Secret", SECRET)]).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(library.last("x-diary-secret"), SECRET);
        assert_eq!(library.last("authorization"), "");
    }
    assert_eq!(library.calls(), 2, "what is personal was cached");
    let burn = gateway.ask(Method::POST, "/api/diaries/SH-1:burn").write();
    let burnt = burn.header("x-diary-secret", SECRET).send().await;
    assert_eq!(burnt.status, 200, "{:?}", burnt.body);
    assert_eq!(burnt.header("cache-control"), "no-store");
    assert_eq!(library.last("x-diary-secret"), SECRET);
}

#[tokio::test]
async fn prefers_a_token_and_withholds_the_secret() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    let token = issuer.bearer("diaries.read", "hospital-api", 60);
    let both = [
        ("authorization", token.as_str()),
        ("x-diary-secret", SECRET),
    ];
    assert_eq!(read_with(&gateway, &both).await.status, 200);
    assert_eq!(library.last("authorization"), token);
    assert_eq!(library.last("x-diary-secret"), "");
    // A secret does not make a bad token good.
    let other = issuer.bearer("books.read", "hospital-api", 60);
    let both = [
        ("authorization", other.as_str()),
        ("x-diary-secret", SECRET),
    ];
    read_with(&gateway, &both).await.problem(403);
    let both = [("authorization", "Bearer x"), ("x-diary-secret", SECRET)];
    read_with(&gateway, &both).await.problem(401);
    assert_eq!(library.calls(), 1);
}

#[tokio::test]
async fn ignores_malformed_secrets() {
    let issuer = Issuer::new();
    let (gateway, library) = start(&issuer.flags(AUDIENCE).each_ref().map(String::as_str)).await;
    let without = read_with(&gateway, &[]).await;
    let expected = without.problem(401);
    let longest = "s".repeat(128);
    let long = "s".repeat(129);
    for value in ["", "a b", "a\tb", "caf\u{e9}", &long] {
        let answer = read_with(&gateway, &[("x-diary-secret", value)]).await;
        let problem = answer.problem(401);
        assert_eq!(problem["reason"], expected["reason"], "{value}");
        assert_eq!(problem["detail"], expected["detail"], "{value}");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let twice = [("x-diary-secret", "one"), ("x-diary-secret", "two")];
    read_with(&gateway, &twice).await.problem(401);
    assert_eq!(library.calls(), 0);
    let answer = read_with(&gateway, &[("x-diary-secret", &longest)]).await;
    assert_eq!(answer.status, 200);
    // An RPC that declares no secret header receives none.
    let ask = gateway.ask(Method::GET, "/api/emergency-number");
    ask.header("x-diary-secret", SECRET).send().await;
    assert_eq!(library.last("x-diary-secret"), "");
}

#[tokio::test]
async fn sends_client_network_and_id_only_if_declared() {
    let (gateway, library) = start(&["--trusted-hops=1"]).await;
    let lend = |headers: &[(&'static str, &str)]| {
        let ask = gateway.ask(Method::POST, "/api/loans").write();
        let ask = headers
            .iter()
            .fold(ask, |ask, (name, value)| ask.header(name, value));
        ask.body("{}").send()
    };
    // The client can forge the left entry of the list.
    let forged = "198.51.100.1, 203.0.113.77";
    let answer = lend(&[
        ("x-forwarded-for", forged),
        ("x-client-id", "tab 1"),
        ("client-network", "192.0.2.0/24"),
        ("client-id", "somebody"),
    ])
    .await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    assert_eq!(library.last("client-network"), "203.0.113.0/24");
    assert_eq!(library.last("client-id"), "tab 1");
    lend(&[("x-forwarded-for", "2001:db8:1:2::9")]).await;
    assert_eq!(library.last("client-network"), "2001:db8:1::/48");
    assert_eq!(library.last("client-id"), "");
    for id in ["s".repeat(129), "caf\u{e9}".to_owned()] {
        lend(&[("x-client-id", &id), ("client-id", "somebody")]).await;
        assert_eq!(library.last("client-network"), "127.0.0.0/24");
        assert_eq!(library.last("client-id"), "", "{id}");
    }
    // An RPC that does not declare `client` receives neither.
    let ask = gateway.ask(Method::GET, "/api/emergency-number");
    let ask = ask.header("x-client-id", "tab 1");
    ask.header("client-network", "192.0.2.0/24").send().await;
    assert_eq!(library.last("client-network"), "");
    assert_eq!(library.last("client-id"), "");
}

/// All log lines and spans, at the most verbose level.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn logs_and_spans_contain_no_secret_or_address() {
    use tracing_subscriber::fmt::format::FmtSpan;

    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_span_events(FmtSpan::FULL)
        .with_writer(move || writer.clone())
        .finish();
    // Gateway and service run on this thread, so they write here.
    let _here = tracing::subscriber::set_default(subscriber);
    // With a single dispatcher, a callsite first hit by another test's thread would be disabled for all threads.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let (gateway, library) = start(&["--trusted-hops=1"]).await;
    let headers = [
        ("x-diary-secret", SECRET),
        ("x-forwarded-for", "203.0.113.77"),
    ];
    assert_eq!(read_with(&gateway, &headers).await.status, 200);
    library
        .seen
        .unavailable
        .store(1, std::sync::atomic::Ordering::SeqCst);
    let burn = gateway.ask(Method::POST, "/api/diaries/SH-1:burn").write();
    burn.header("x-diary-secret", SECRET)
        .send()
        .await
        .problem(503);
    let lend = gateway.ask(Method::POST, "/api/loans").write();
    lend.header("x-forwarded-for", "203.0.113.77").send().await;
    let text = String::from_utf8(written.0.lock().clone()).unwrap();
    assert!(text.contains("GET /api/diaries/{diary_id}"), "no span");
    assert!(text.contains("upstream call failed"), "no log");
    for line in text.lines() {
        for private in [SECRET, "203.0.113"] {
            assert!(!line.contains(private), "{line}");
        }
    }
}
