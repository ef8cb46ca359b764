//! Rate limits, concurrency limits and shutdown.

use futures::future::join_all;
use http::Method;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::gateway_under_test::{GatewayUnderTest, eventually, start};

async fn get_as(gateway: &GatewayUnderTest, tab: &str, from: &str) -> u16 {
    let ask = gateway.ask(Method::GET, "/api/books");
    let ask = ask
        .header("x-client-id", tab)
        .header("x-forwarded-for", from);
    ask.send().await.status.as_u16()
}

#[tokio::test]
async fn refuses_the_eleventh_call_of_a_visitor() {
    let (gateway, library) = start(&["--visitor-calls-max=10"]).await;
    for left in (0..10).rev() {
        let answer = gateway.get("/api/shelves/a/books/1").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-policy"), "\"visitor\";q=10;w=60");
        let rate = answer.header("ratelimit");
        assert!(
            rate.starts_with(&format!("\"visitor\";r={left};t=")),
            "{rate}"
        );
    }
    let answer = gateway.get("/api/shelves/a/books/1").await;
    let problem = answer.problem(429);
    assert_eq!(
        problem["detail"],
        "Rate limit exceeded. Please try again later."
    );
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert!(answer.header("ratelimit").starts_with("\"visitor\";r=0;t="));
    assert_eq!(library.calls(), 10);
    // Other tabs, exempt calls, the description and probes still succeed.
    assert_eq!(get_as(&gateway, "another-tab", "").await, 200);
    assert_eq!(gateway.get("/api/emergency-number").await.status, 200);
    assert_eq!(gateway.get("/api/openapi.json").await.status, 200);
    assert_eq!(gateway.get("/healthz").await.status, 200);
    assert!(gateway.metric("http_server_rate_limited_total", "").await >= 1.0);
}

#[tokio::test]
async fn new_tabs_do_not_evade_the_limit_of_an_address() {
    let (gateway, _library) = start(&["--address-calls-max=20"]).await;
    let mut taken = 0;
    for n in 0..30 {
        let tab = format!("tab-{n}");
        taken += u32::from(get_as(&gateway, &tab, "").await == 200);
    }
    assert_eq!(taken, 20);
}

#[tokio::test]
async fn trusts_forwarded_addresses_only_from_trusted_proxies() {
    let flags = ["--visitor-calls-max=3", "--address-calls-max=3"];
    let (direct, _library) = start(&flags).await;
    let mut statuses = Vec::new();
    for n in 0..4 {
        statuses.push(get_as(&direct, "tab", &format!("203.0.113.{n}")).await);
    }
    assert_eq!(statuses, [200, 200, 200, 429], "made-up addresses counted");

    let flags = [flags[0], flags[1], "--trusted-hops=1"];
    let (proxied, _library) = start(&flags).await;
    for n in 0..4 {
        // The client's own entries are to the left of the proxy's.
        let forwarded = format!("192.0.2.1, 203.0.113.{n}");
        assert_eq!(get_as(&proxied, "tab", &forwarded).await, 200);
    }
    for expected in [200, 200, 429] {
        assert_eq!(
            get_as(&proxied, "tab", "198.51.100.1, 203.0.113.0").await,
            expected
        );
    }
    // Addresses of one IPv6 network share one limit.
    for (n, expected) in [(1, 200), (2, 200), (3, 200), (4, 429)] {
        let address = format!("2001:db8:0:1::{n}");
        assert_eq!(get_as(&proxied, "tab", &address).await, expected);
    }
}

#[tokio::test]
async fn documents_have_their_own_limit() {
    let (gateway, _library) = start(&["--address-documents-max=2"]).await;
    gateway.get("/a").await.problem(404);
    gateway.get("/b").await.problem(404);
    gateway.get("/c").await.problem(429);
    assert_eq!(gateway.get("/api/books").await.status, 200);
}

#[tokio::test]
async fn sheds_excess_requests_but_answers_probes() {
    let (gateway, _library) = start(&["--requests-in-flight-max=2"]).await;
    let answers = join_all((0..6).map(|_| gateway.get("/api/slow"))).await;
    let shed: Vec<_> = answers.iter().filter(|a| a.status == 503).collect();
    assert_eq!(shed.len(), 4);
    for answer in shed {
        assert_eq!(answer.problem(503)["reason"], "OVERLOADED");
        assert_eq!(answer.header("retry-after"), "1");
    }
    let slow = join_all((0..2).map(|_| gateway.get("/api/slow")));
    let (slow, probe) = tokio::join!(slow, gateway.get("/readyz"));
    assert_eq!(probe.status, 200);
    assert!(slow.iter().all(|answer| answer.status == 504));
    let shed = |limit| gateway.metric("http_server_shed_total", limit);
    assert!(shed(r#"limit="reads""#).await >= 4.0);
    assert!(shed(r#"limit="writes""#).await < 1.0, "writes had room");
}

#[tokio::test]
async fn finishes_requests_in_flight_after_the_stop_signal() {
    let (mut gateway, library) = start(&[]).await;
    let address = gateway.address;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = b"GET /api/slow HTTP/1.1\r\nhost: a\r\n\r\n";
    stream.write_all(request).await.unwrap();
    eventually("the call to arrive", async || library.calls() == 1).await;
    gateway.begin_stop();
    let refused = async || TcpStream::connect(address).await.is_err();
    eventually("new connections to be refused", refused).await;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
    assert!(gateway.stop().await.is_ok());
}
