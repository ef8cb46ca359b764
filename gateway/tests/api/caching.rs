//! Cacheable reads: validators, encodings, and one call to the service for any number of readers.

use futures::future::join_all;
use http::Method;

use crate::gateway_under_test::{eventually, start};

#[tokio::test]
async fn sends_304_for_a_current_copy() {
    let (gateway, library) = start(&[]).await;
    let first = gateway.get("/api/books?pageSize=5&lent=true").await;
    assert_eq!(first.status, 200);
    let etag = first.header("etag").to_owned();
    assert!(etag.starts_with('"'), "{etag} is not strong");
    let age = first
        .header("cache-control")
        .strip_prefix("public, max-age=");
    assert!((55..=60).contains(&age.unwrap().parse::<u32>().unwrap()));
    // The order of parameters does not matter.
    let ask = gateway.ask(Method::GET, "/api/books?lent=true&pageSize=5");
    let again = ask.header("if-none-match", &etag).send().await;
    assert_eq!(again.status, 304);
    assert!(again.body.is_empty());
    assert_eq!(again.header("etag"), etag);
    assert_eq!(library.calls(), 1);
    let ask = gateway.ask(Method::GET, "/api/books?pageSize=6");
    assert_eq!(ask.header("if-none-match", &etag).send().await.status, 200);
    assert_eq!(library.calls(), 2);
}

#[tokio::test]
async fn sends_gzip_on_request_with_its_own_tag() {
    let (gateway, _library) = start(&[]).await;
    let plain = gateway.get("/api/books").await;
    assert_eq!(plain.header("content-encoding"), "");
    let ask = gateway.ask(Method::GET, "/api/books");
    let packed = ask.header("accept-encoding", "br;q=0.5, gzip").send().await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert!(packed.body.len() < plain.body.len() / 2);
    assert_ne!(packed.header("etag"), plain.header("etag"));
    let mut text = String::new();
    let mut unpacked = flate2::read::GzDecoder::new(packed.body.as_ref());
    std::io::Read::read_to_string(&mut unpacked, &mut text).unwrap();
    assert_eq!(text.as_bytes(), plain.body.as_ref());
}

#[tokio::test]
async fn coalesces_a_hundred_readers_into_one_call() {
    let (gateway, library) = start(&[]).await;
    let answers = join_all((0..100).map(|_| gateway.get("/api/books"))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!(library.calls(), 1);
    let hits = async || {
        gateway
            .metric("api_cache_reads_total", "outcome=\"hit\"")
            .await
    };
    let before = hits().await;
    gateway.get("/api/books").await;
    assert!(hits().await > before);
}

#[tokio::test]
async fn caches_an_answer_for_its_declared_second() {
    let (gateway, library) = start(&[]).await;
    let read = || {
        let ask = gateway.ask(Method::GET, "/api/openings?day=2026-11-24");
        ask.header("accept-encoding", "gzip")
    };
    let answers = join_all((0..100).map(|_| read().send())).await;
    let before = library.calls();
    assert!(before < 10, "{before} calls for a hundred readers");
    for answer in &answers {
        assert_eq!(answer.header("content-encoding"), "gzip");
        // `max-age` is 0: the browser must not cache the response beyond the gateway's second.
        assert_eq!(answer.header("cache-control"), "public, max-age=0");
    }
    let etag = answers[0].header("etag");
    let mut last = read().header("if-none-match", etag).send().await;
    eventually("another call", async || {
        last = read().header("if-none-match", etag).send().await;
        library.calls() > before
    })
    .await;
    assert_eq!(last.status, 304, "what has not changed is not sent again");
}

#[tokio::test]
async fn does_not_store_undeclared_answers() {
    let (gateway, library) = start(&[]).await;
    for _ in 0..3 {
        let answer = gateway.get("/api/shelves/a/books/1").await;
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("etag"), "");
    }
    assert_eq!(library.calls(), 3);
}

/// G7: an uncached response has an ETag too and can be answered with 304.
#[tokio::test]
async fn sends_304_for_a_current_uncached_answer() {
    let (gateway, library) = start(&[]).await;
    let read = |accepted: &str, known: &str| {
        let ask = gateway.ask(Method::GET, "/api/diaries/1");
        let ask = ask.header("x-diary-secret", "s");
        let ask = ask.header("accept-encoding", accepted);
        ask.header("if-none-match", known).send()
    };
    for accepted in ["identity", "gzip", "br"] {
        let first = read(accepted, "").await;
        assert_eq!(first.status, 200);
        let etag = first.header("etag").to_owned();
        assert!(etag.starts_with("\"d1"), "{etag}");
        let again = read(accepted, &etag).await;
        assert_eq!(again.status, 304);
        assert!(again.body.is_empty());
        for header in ["etag", "cache-control", "vary"] {
            assert_eq!(again.header(header), first.header(header), "{header}");
        }
        for header in ["content-type", "content-encoding"] {
            assert_eq!(again.header(header), "", "{header}");
        }
    }
    assert_eq!(read("gzip", "\"d0\"").await.status, 200);
    assert_eq!(library.calls(), 7, "the service is asked each time");
    let description = gateway.get("/api/openapi.json").await.json();
    let diary = &description["paths"]["/diaries/{diary_id}"]["get"];
    assert!(diary["responses"]["304"].is_object(), "{diary}");
}

#[tokio::test]
async fn does_not_store_failures() {
    let (gateway, library) = start(&[]).await;
    let failing = usize::MAX;
    library
        .seen
        .unavailable
        .store(failing, std::sync::atomic::Ordering::SeqCst);
    let answer = gateway.get("/api/books").await;
    let problem = answer.problem(503);
    assert_ne!(problem["traceId"], "0".repeat(32));
    library
        .seen
        .unavailable
        .store(0, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(gateway.get("/api/books").await.status, 200);
}
