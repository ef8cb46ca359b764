//! Creates cost the hospital something. A client must not get more of them by changing its identity.

use futures::{StreamExt, stream};

use crate::gateway_under_test::{Answer, GatewayUnderTest, eventually, start};

/// Sends a create from a new tab, as if from this address.
async fn create(gateway: &GatewayUnderTest, n: usize, from: &str) -> Answer {
    let ask = gateway.ask(http::Method::POST, "/api/books").write();
    ask.header("x-client-id", &format!("tab-{n}"))
        .header("idempotency-key", &format!("key-of-sixteen-bytes-{n}"))
        .header("x-forwarded-for", from)
        .body(r#"{"title":"Emma"}"#)
        .send()
        .await
}

async fn taken(gateway: &GatewayUnderTest, from: impl Fn(usize) -> String, asked: usize) -> usize {
    let mut taken = 0;
    for n in 0..asked {
        let answer = create(gateway, n, &from(n)).await;
        if answer.status.is_success() {
            taken += 1;
        } else {
            answer.problem(429);
        }
    }
    taken
}

#[tokio::test]
async fn new_tabs_get_no_more_creates_for_one_address() {
    let (gateway, library) = start(&[]).await;
    assert_eq!(taken(&gateway, |n| format!("192.0.2.{n}"), 60).await, 40);
    assert_eq!(library.calls(), 40);
}

#[tokio::test]
async fn other_addresses_of_a_network_get_no_more_creates() {
    let (gateway, library) = start(&["--trusted-hops=1", "--address-writes-max=100000"]).await;
    let in_one_48 = |n: usize| format!("2001:db8:7:{:x}::1", n * 256 % 65_536);
    assert_eq!(taken(&gateway, in_one_48, 200).await, 160);
    let in_one_64 = |n: usize| format!("2001:db8:8:1::{n:x}");
    assert_eq!(taken(&gateway, in_one_64, 30).await, 20);
    let in_one_24 = |n: usize| format!("203.0.113.{}", n % 256);
    assert_eq!(taken(&gateway, in_one_24, 200).await, 160);
    assert_eq!(library.calls(), 160 + 20 + 160);
    let refused = gateway.metric("http_server_rate_limited_total", "creates_ipv6_48");
    assert!(refused.await >= 40.0);
    // An alert can fire on the gauge, which is updated within seconds by the sweep.
    eventually("the gauge of the burst", async || {
        let bursts = gateway.metric("rate_limit_exhausted_keys", "creates_ipv4_24");
        bursts.await >= 1.0
    })
    .await;
}

#[tokio::test]
async fn refused_create_reports_limit_and_retry_time() {
    let (gateway, library) = start(&["--creates-ipv4-32-max=2"]).await;
    let first = create(&gateway, 0, "").await;
    assert_eq!(
        first.header("ratelimit-policy"),
        "\"visitor\";q=100000;w=60, \"creates\";q=2;w=600"
    );
    assert!(first.header("ratelimit").contains("\"creates\";r=1;t="));
    create(&gateway, 1, "").await;
    let refused = create(&gateway, 2, "").await;
    assert_eq!(refused.problem(429)["reason"], "RATE_LIMITED");
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((500..=600).contains(&wait), "{wait}");
    // Other calls still succeed, as do other callers.
    assert_eq!(gateway.get("/api/books").await.status, 200);
    assert_eq!(library.calls(), 3);
}

/// G6: a single table for reads and creates was full after this many, and further creates went uncounted.
#[tokio::test]
async fn counts_creates_among_5300_active_networks() {
    const NETWORKS: usize = 5300;
    let flags = ["--trusted-hops=1", "--creates-ipv6-64-max=2"];
    let (gateway, library) = start(&flags).await;
    let address = |n: usize| format!("2001:db8:{n:x}:1::1");
    let both = stream::iter(0..NETWORKS).map(|n| {
        let (gateway, from) = (&gateway, address(n));
        async move {
            let ask = gateway.ask(http::Method::GET, "/api/nothing");
            let read = ask.header("x-forwarded-for", &from).send().await;
            let created = create(gateway, n, &from).await;
            (read.status.as_u16(), created.status.as_u16())
        }
    });
    let answers: Vec<_> = both.buffer_unordered(64).collect().await;
    assert!(answers.iter().all(|answer| *answer == (404, 201)));
    assert_eq!(library.calls(), NETWORKS);
    // A new network, and every hundredth of the others.
    assert_eq!(taken(&gateway, |_| address(NETWORKS), 5).await, 2);
    for n in (0..NETWORKS).step_by(100) {
        assert_eq!(taken(&gateway, |_| address(n), 2).await, 1, "{n}");
    }
    let uncounted = gateway.metric("rate_limit_uncounted", "").await;
    assert!(uncounted < 1.0, "{uncounted}");
}
