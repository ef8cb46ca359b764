//! Overload: cached responses need no concurrency slot, and one network cannot use up the slots of others.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use futures::future::join_all;

use crate::gateway_under_test::{eventually, start};

/// G6: the cache lookup precedes the concurrency limit.
#[tokio::test]
async fn hanging_reads_do_not_delay_cached_answers() {
    let (gateway, library) = start(&["--requests-in-flight-max=8"]).await;
    library.write("1", "kept");
    assert_eq!(gateway.get("/api/books").await.status, 200);
    assert_eq!(gateway.get("/api/volumes/1").await.status, 200);
    library.seen.pause_ms.store(3000, Ordering::SeqCst);
    // Uncached reads take all slots; further ones are refused.
    let hanging = join_all((0..30).map(|_| gateway.get("/api/shelves/a/books/1")));
    let kept = async {
        eventually("the places to be taken", async || {
            let shed = gateway.metric("http_server_shed_total", "reads").await;
            shed >= 1.0 && library.calls() >= 2 + 7
        })
        .await;
        let began = Instant::now();
        for path in ["/api/books", "/api/volumes/1", "/api/openapi.json", "/api"] {
            assert_eq!(gateway.get(path).await.status, 200, "{path}");
        }
        assert!(began.elapsed() < Duration::from_secs(2));
    };
    let (hanging, ()) = tokio::join!(hanging, kept);
    let shed: Vec<_> = hanging
        .iter()
        .filter(|answer| answer.status == 503)
        .collect();
    assert_eq!(shed.len(), 30 - 7, "a place is left to writes");
    assert_eq!(shed[0].problem(503)["reason"], "OVERLOADED");
}

/// G6: concurrent callers of one hanging read share one call and leave the other slots free.
#[tokio::test]
async fn hanging_cacheable_read_takes_one_permit() {
    let (gateway, library) = start(&["--requests-in-flight-max=8"]).await;
    assert_eq!(gateway.get("/api/books").await.status, 200);
    library.seen.pause_ms.store(3000, Ordering::SeqCst);
    let hanging = join_all((0..100).map(|_| gateway.get("/api/books?subject=hangs")));
    let others = async {
        eventually("the call", async || library.calls() == 2).await;
        let began = Instant::now();
        assert_eq!(gateway.get("/api/books").await.status, 200);
        assert!(began.elapsed() < Duration::from_secs(2));
        join_all((0..5).map(|n| {
            let path = format!("/api/shelves/a/books/{n}");
            let gateway = &gateway;
            async move { gateway.get(&path).await.status }
        }))
        .await
    };
    let (hanging, others) = tokio::join!(hanging, others);
    assert!(hanging.iter().all(|answer| answer.status == 200));
    assert!(others.iter().all(|status| *status == 200), "{others:?}");
    assert_eq!(library.calls(), 2 + 5);
}

/// G6: refusals for one network's concurrency are counted separately, not as overload of the site.
#[tokio::test]
async fn refuses_a_network_with_too_many_requests_in_flight() {
    let (gateway, _library) = start(&["--address-requests-in-flight-max=2"]).await;
    let before = gateway
        .metric("http_server_shed_total", "\"network\"")
        .await;
    let answers = join_all((0..6).map(|_| gateway.get("/api/slow"))).await;
    let refused: Vec<_> = answers.iter().filter(|a| a.status == 429).collect();
    assert_eq!(refused.len(), 4);
    for answer in refused {
        assert_eq!(answer.problem(429)["reason"], "RATE_LIMITED");
        assert_eq!(answer.header("retry-after"), "1");
    }
    let shed = gateway
        .metric("http_server_shed_total", "\"network\"")
        .await;
    assert!(shed >= before + 4.0);
}
