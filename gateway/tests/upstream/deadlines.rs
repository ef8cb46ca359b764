//! The deadline that a service receives.

use std::time::Duration;

use crate::{
    contract::pool,
    fault_proxy::{Fault, FaultProxy},
    gateway_under_test::{GatewayUnderTest, eventually},
    replica::{Replica, upstream},
};

const READ: &str = "/api/shelves/a/books/1";

/// Returns the `grpc-timeout` of the last call, such as `4899912u`, in milliseconds.
fn timeout_ms(replica: &Replica) -> u64 {
    let metadata = replica.seen.metadata.lock();
    let last = metadata.last().expect("a call");
    let text = last.get("grpc-timeout").expect("a time-out");
    let text = text.to_str().unwrap();
    let (number, unit) = text.split_at(text.len() - 1);
    let number: u64 = number.parse().unwrap();
    match unit {
        "u" => number / 1_000,
        "m" => number,
        other => panic!("unit {other}"),
    }
}

#[tokio::test]
async fn reserves_time_for_a_retry_only_if_another_address_is_left() {
    let pool = pool();
    let (one, other) = (Replica::start(&pool).await, Replica::start(&pool).await);
    let alone = GatewayUnderTest::start(pool.clone(), one.address, &[]).await;
    assert_eq!(alone.get(READ).await.status, 200);
    let millis = timeout_ms(&one);
    assert!((4_000..=4_900).contains(&millis), "{millis} ms");

    let upstream = upstream("tries", &[one.address, other.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    eventually("a read at the other address", async || {
        gateway.get(READ).await;
        other.calls() > 0
    })
    .await;
    let millis = timeout_ms(&other);
    assert!((1_500..=2_450).contains(&millis), "{millis} ms");
    // A call that must not be retried gets the whole time.
    let before = other.calls();
    eventually("a write at the other address", async || {
        gateway
            .post("/api/books/1:archive", r#"{"reason":"old"}"#)
            .await;
        other.calls() > before
    })
    .await;
    let millis = timeout_ms(&other);
    assert!((3_000..=4_900).contains(&millis), "{millis} ms");
}

#[tokio::test]
async fn deadline_includes_network_latency() {
    let pool = pool();
    let replica = Replica::start(&pool).await;
    let proxy = FaultProxy::start(replica.address).await;
    let gateway = GatewayUnderTest::start(pool, proxy.address, &[]).await;
    assert_eq!(gateway.get(READ).await.status, 200);
    proxy.set(Fault::Latency(Duration::from_millis(300)));
    assert_eq!(gateway.get(READ).await.status, 200);
    // The contract gives this call 400 ms, and the service never responds.
    gateway.get("/api/slow").await.problem(504);
}
