//! Caching of API responses: cache keys, callers, and behaviour when a service fails.

use std::{sync::atomic::Ordering, time::Duration};

use futures::future::join_all;
use http::Method;

use crate::gateway_under_test::{Answer, GatewayUnderTest, eventually, start};

const OPENINGS: &str = "/api/openings?day=2026-11-24";

async fn reads(gateway: &GatewayUnderTest, path: &str, header: (&str, &str)) -> Answer {
    let ask = gateway.ask(Method::GET, path).header(header.0, header.1);
    ask.send().await
}

#[tokio::test]
async fn serves_stale_while_the_service_fails() {
    let (gateway, library) = start(&[]).await;
    let good = gateway.get(OPENINGS).await;
    assert_eq!((good.status.as_u16(), good.header("age")), (200, ""));
    library.seen.unavailable.store(usize::MAX, Ordering::SeqCst);
    // The response is fresh for one second. A read that was never cached fails throughout.
    eventually("a stale answer", async || {
        let answer = gateway.get(OPENINGS).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, good.body);
        let age = answer.header("age");
        assert!(age.is_empty() || answer.header("cache-control") == "public, max-age=0");
        !age.is_empty()
    })
    .await;
    gateway.get("/api/openings?day=never").await.problem(503);
    let failed = gateway
        .metric("api_cache_reads_total", "outcome=\"stale_on_error\"")
        .await;
    assert!(failed >= 1.0);
    // Only a few readers reach a service that has just failed.
    let before = library.calls();
    join_all((0..100).map(|_| gateway.get(OPENINGS))).await;
    assert!(library.calls() - before < 20, "{}", library.calls());
    library.seen.unavailable.store(0, Ordering::SeqCst);
    eventually("a fresh answer", async || {
        gateway.get(OPENINGS).await.header("age").is_empty()
    })
    .await;
}

#[tokio::test]
async fn passes_failures_without_stale_answers() {
    let (gateway, library) = start(&["--cache-stale-on-error-s-max=0"]).await;
    assert_eq!(gateway.get(OPENINGS).await.status, 200);
    library.seen.unavailable.store(usize::MAX, Ordering::SeqCst);
    eventually("the failure", async || {
        gateway.get(OPENINGS).await.status == 503
    })
    .await;
}

#[tokio::test]
async fn waits_for_a_slow_service_at_most_half_the_deadline() {
    let (gateway, library) = start(&["--request-timeout-ms-max=2000"]).await;
    let good = gateway.get(OPENINGS).await;
    library.seen.pause_ms.store(30_000, Ordering::SeqCst);
    eventually("a stale answer", async || {
        let answer = gateway.get(OPENINGS).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        assert_eq!(answer.body, good.body);
        !answer.header("age").is_empty()
    })
    .await;
}

#[tokio::test]
async fn leaving_caller_does_not_cancel_the_shared_call() {
    let (gateway, library) = start(&[]).await;
    library.seen.pause_ms.store(700, Ordering::SeqCst);
    let first = async {
        let first = gateway.get("/api/books");
        let gone = tokio::time::timeout(Duration::from_millis(200), first).await;
        assert!(gone.is_err(), "it was to leave before the answer");
    };
    let second = async {
        eventually("the call of the first", async || library.calls() == 1).await;
        gateway.get("/api/books").await
    };
    let ((), second) = tokio::join!(first, second);
    assert_eq!(second.status, 200);
    assert_eq!(library.calls(), 1, "one call for both");
    assert_eq!(library.seen.abandoned.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn caches_negative_answers_briefly() {
    let (gateway, library) = start(&[]).await;
    let first = gateway.get("/api/volumes/none").await;
    let again = join_all((0..50).map(|_| gateway.get("/api/volumes/none"))).await;
    assert_eq!(library.calls(), 1);
    let id = |answer: &Answer| answer.problem(404)["traceId"].as_str().unwrap().to_owned();
    assert!(again.iter().all(|answer| id(answer) != id(&first)));
    assert!(
        again
            .iter()
            .all(|a| a.header("cache-control") == "no-store")
    );
    // Nothing announces the volume, yet it is found within seconds.
    library.write("none", "here");
    eventually("the volume", async || {
        gateway.get("/api/volumes/none").await.status == 200
    })
    .await;
}

#[tokio::test]
async fn normalises_reads_to_one_key() {
    let (gateway, library) = start(&[]).await;
    for path in [
        "/api/books?pageSize=5&lent=true",
        "/api/books?lent=true&pageSize=5",
        "/api/books?page_size=5&lent=true",
        "/api/books?pageSize=0000000005&lent=true",
        "/api/books?pageSize=%35&lent=true&",
    ] {
        assert_eq!(gateway.get(path).await.status, 200, "{path}");
        assert_eq!(library.calls(), 1, "{path}");
    }
    for path in ["/api/books", "/api/books?", "/api/books?pageSize=0"] {
        assert_eq!(gateway.get(path).await.status, 200, "{path}");
        assert_eq!(library.calls(), 2, "{path}");
    }
    // The order of a list matters for the key.
    let one = gateway.get("/api/books?tags=a&tags=b").await;
    let other = gateway.get("/api/books?tags=b&tags=a").await;
    assert_ne!(one.json()["heard"], other.json()["heard"]);
    assert_eq!(library.calls(), 4);
}

#[tokio::test]
async fn refuses_too_long_addresses() {
    let (gateway, library) = start(&[]).await;
    let long = |bytes: usize| format!("/api/books?subject={}", "a".repeat(bytes));
    assert_eq!(gateway.get(&long(2040)).await.status, 200);
    let refused = gateway.get(&long(2041)).await;
    assert_eq!(refused.problem(414)["reason"], "ADDRESS_TOO_LONG");
    assert_eq!(refused.fields(), ["query"]);
    assert!(refused.json().to_string().contains("2048"));
    let path = format!("/api/volumes/{}", "a".repeat(1100));
    let refused = gateway.get(&path).await;
    refused.problem(414);
    assert_eq!(refused.fields(), ["path"]);
    assert_eq!(library.calls(), 1);
}

#[tokio::test]
async fn token_does_not_affect_a_public_read() {
    let (gateway, library) = start(&[]).await;
    let token = ("authorization", "Bearer somebody's");
    let with = reads(&gateway, "/api/books", token).await;
    assert_eq!(with.status, 200);
    assert_eq!(library.last("authorization"), "", "it goes no further");
    let without = gateway.get("/api/books").await;
    assert_eq!(with.body, without.body);
    assert_eq!(with.header("vary"), without.header("vary"));
    assert_eq!(library.calls(), 1, "and it is kept like any other");
    // A response that needs a token is never cached.
    for _ in 0..2 {
        let diary = reads(&gateway, "/api/diaries/1", ("x-diary-secret", "s")).await;
        assert_eq!(diary.header("cache-control"), "no-store");
    }
    assert_eq!(library.calls(), 3);
}

#[tokio::test]
async fn shared_answers_contain_nothing_of_one_caller() {
    let (gateway, _library) = start(&[]).await;
    let shared = gateway.get("/api/books").await;
    let own = gateway.get("/api/shelves/a/books/1").await;
    for header in ["ratelimit", "ratelimit-policy", "server-timing"] {
        assert_eq!(shared.header(header), "", "{header}");
        assert_ne!(own.header(header), "", "{header}");
    }
}

#[tokio::test]
async fn compresses_uncached_answers() {
    let (gateway, _library) = start(&[]).await;
    let path = format!("/api/shelves/{}/books/{}", "s".repeat(850), "1".repeat(150));
    let plain = gateway.get(&path).await;
    assert!(plain.body.len() > 1024);
    assert_eq!(plain.header("vary"), "accept-encoding");
    for coding in ["br", "gzip"] {
        let packed = reads(&gateway, &path, ("accept-encoding", coding)).await;
        assert_eq!(packed.header("content-encoding"), coding);
        assert_eq!(packed.header("vary"), "accept-encoding");
        assert!(packed.body.len() < 300, "{coding}: {}", packed.body.len());
        assert_eq!(unpacked(&packed), plain.body);
    }
    let refused = reads(&gateway, &path, ("accept-encoding", "br;Q=0, gzip;q=0.000")).await;
    assert_eq!(refused.header("content-encoding"), "");
    let small = reads(
        &gateway,
        "/api/shelves/a/books/1",
        ("accept-encoding", "br"),
    )
    .await;
    assert_eq!(small.header("content-encoding"), "");
    assert_eq!(small.header("vary"), "accept-encoding");
}

fn unpacked(answer: &Answer) -> Vec<u8> {
    let (body, mut plain) = (&answer.body[..], Vec::new());
    let mut brotli = brotli::Decompressor::new(body, 4096);
    let mut gzip = flate2::read::GzDecoder::new(body);
    let reader: &mut dyn std::io::Read = match answer.header("content-encoding") {
        "br" => &mut brotli,
        "gzip" => &mut gzip,
        other => panic!("not compressed: `{other}`"),
    };
    reader.read_to_end(&mut plain).unwrap();
    plain
}

#[tokio::test]
async fn sends_the_headers_of_the_200_with_a_304() {
    let (gateway, library) = start(&[]).await;
    library.write("1", "text");
    for (path, accepted) in [("/api/books", "br"), ("/api/volumes/1", "gzip")] {
        let ask = || {
            gateway
                .ask(Method::GET, path)
                .header("accept-encoding", accepted)
        };
        let full = ask().send().await;
        let known = ask()
            .header("if-none-match", full.header("etag"))
            .send()
            .await;
        assert_eq!(known.status, 304);
        assert!(known.body.is_empty());
        for header in ["etag", "vary", "content-security-policy"] {
            assert_eq!(known.header(header), full.header(header), "{header}");
        }
        assert!(
            known
                .header("cache-control")
                .starts_with("public, max-age=")
        );
        assert_eq!(known.header("content-encoding"), "");
    }
}
