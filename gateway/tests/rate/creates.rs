//! Creates cost the hospital something: whoever sends them cannot get more of them by calling itself another.

use crate::gateway_under_test::{Answer, GatewayUnderTest, start};

/// A create by a tab that was never seen before, as if from this address.
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
async fn new_tabs_get_no_more_creates_from_one_address() {
    let (gateway, library) = start(&[]).await;
    assert_eq!(taken(&gateway, |n| format!("192.0.2.{n}"), 60).await, 40);
    assert_eq!(library.calls(), 40);
}
