//! Gateways that share a Redis, and their behaviour when it is absent, dead, frozen or broken.

use std::time::{Duration, Instant};

use futures::future::join_all;
use redis::Commands as _;

use crate::{
    gateway_under_test::eventually,
    program::Program,
    redis_server::{self, RedisServer},
};

/// Redis timeout long enough for a loaded machine.
const PATIENT: &str = "--redis-timeout-ms-max=10000";

async fn connected(gateways: &[&Program]) {
    for gateway in gateways {
        eventually("a connection to Redis", async || {
            gateway.is_connected().await
        })
        .await;
    }
}

#[tokio::test]
async fn gateways_share_counts_through_redis() {
    let redis = RedisServer::start().await;
    let flags = [redis.flag(), PATIENT.to_owned()];
    let flags = flags.each_ref().map(String::as_str);
    let (one, other) = (Program::start(&flags), Program::start(&flags));
    connected(&[&one, &other]).await;
    for _ in 0..5 {
        assert_eq!(one.call("tab").await, 404);
        assert_eq!(other.call("tab").await, 404);
    }
    assert_eq!(one.call("tab").await, 429);
    assert_eq!(other.call("tab").await, 429);
    assert_eq!(other.call("another").await, 404);
    assert!(one.metric("rate_limit_redis_calls_total", "decided").await >= 5.0);
    // Concurrent calls count too.
    let calls = (0..60).map(|n| if n % 2 == 0 { &one } else { &other }.call("crowd"));
    let taken = join_all(calls)
        .await
        .into_iter()
        .filter(|status| *status == 404);
    assert_eq!(taken.count(), 10);
}

#[tokio::test]
async fn redis_entries_expire_and_identify_no_caller() {
    let redis = RedisServer::start().await;
    let gateway = Program::start(&[&redis.flag(), PATIENT]);
    connected(&[&gateway]).await;
    for _ in 0..3 {
        gateway.call("a-tab-with-a-name").await;
    }
    let mut connection = redis.client().get_connection().unwrap();
    let keys: Vec<Vec<u8>> = connection.keys("*").unwrap();
    assert_eq!(keys.len(), 2, "visitor and network");
    for key in &keys {
        let name = String::from_utf8_lossy(key);
        let limit = name.split(':').nth(1).unwrap_or_default();
        assert!(["visitor", "network"].contains(&limit), "{name}");
        assert!(
            !name.contains("tab") && !name.contains("127.0.0.1"),
            "{name}"
        );
        assert!(
            !key.windows(4).any(|bytes| bytes == [127, 0, 0, 1]),
            "{key:?}"
        );
        let left: i64 = connection.pttl(key).unwrap();
        assert!((1..=61_000).contains(&left), "{left} ms");
        let log: Vec<u8> = connection.get(key).unwrap();
        assert!(log.len() <= 30, "three calls take {} bytes", log.len());
    }
}

#[tokio::test]
async fn starts_without_redis_and_connects_later() {
    let port = redis_server::free_port();
    let gateway = Program::start(&[&redis_server::flag(port), PATIENT]);
    assert_eq!(gateway.taken("tab", 12).await, 10, "it counts for itself");
    assert!(
        gateway
            .metric("rate_limit_redis_calls_total", "skipped")
            .await
            >= 10.0
    );
    assert!(!gateway.is_connected().await);
    let _redis = RedisServer::start_at(port, &[]).await;
    connected(&[&gateway]).await;
    // Calls counted locally still count.
    assert_eq!(gateway.taken("tab", 2).await, 0);
    assert_eq!(gateway.taken("another", 12).await, 10);
    assert!(
        gateway
            .metric("rate_limit_redis_calls_total", "decided")
            .await
            >= 10.0
    );
}

#[tokio::test]
async fn killed_redis_fails_no_request() {
    let mut redis = RedisServer::start().await;
    let gateway = Program::start(&[&redis.flag(), PATIENT]);
    connected(&[&gateway]).await;
    assert_eq!(gateway.taken("before", 10).await, 10);
    assert_eq!(gateway.taken("half", 5).await, 5);
    redis.kill();
    assert_eq!(
        gateway.taken("before", 2).await,
        0,
        "nobody gets more by it"
    );
    assert_eq!(gateway.taken("half", 12).await, 5);
    assert_eq!(gateway.taken("during", 12).await, 10);
    eventually("the loss to be seen", async || {
        !gateway.is_connected().await
    })
    .await;
    // A new Redis, which has neither the counts nor the script.
    let _redis = RedisServer::start_at(redis.port(), &[]).await;
    connected(&[&gateway]).await;
    assert_eq!(gateway.taken("during", 2).await, 0);
    assert_eq!(gateway.taken("after", 12).await, 10);
}

#[tokio::test]
async fn frozen_redis_delays_no_request() {
    let redis = RedisServer::start().await;
    // The default timeout of 25 ms: calls that a loaded machine delays are decided locally, with the same result.
    let gateway = Program::start(&[&redis.flag()]);
    connected(&[&gateway]).await;
    assert_eq!(gateway.taken("before", 10).await, 10);
    redis.freeze();
    let started = Instant::now();
    let calls = (0..200).map(|n| {
        let (gateway, tab) = (&gateway, format!("during-{}", n % 40));
        async move { gateway.call(&tab).await }
    });
    let statuses = join_all(calls).await;
    let taken = statuses.iter().filter(|status| **status == 404).count();
    // If each call waited, 200 timeouts in sequence would take 5 s; without a timeout the first would wait for ever.
    assert!(
        started.elapsed() < Duration::from_secs(15),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(taken, 120 - 10, "the network has 120 calls in all");
    assert_eq!(gateway.taken("before", 2).await, 0);
    eventually("the loss to be seen", async || {
        gateway.metric("rate_limit_redis_calls_total", "late").await >= 1.0
    })
    .await;
    redis.thaw();
    connected(&[&gateway]).await;
}

#[tokio::test]
async fn ignores_malformed_redis_replies() {
    let redis = RedisServer::start().await;
    let gateway = Program::start(&[&redis.flag(), PATIENT]);
    connected(&[&gateway]).await;
    assert_eq!(gateway.taken("tab", 3).await, 3);
    let mut connection = redis.client().get_connection().unwrap();
    let keys: Vec<Vec<u8>> = connection.keys("*").unwrap();
    for key in &keys {
        let _: () = connection.del(key).unwrap();
        let _: () = connection.rpush(key, "not a log").unwrap();
    }
    assert_eq!(gateway.taken("tab", 12).await, 7);
    assert!(
        gateway
            .metric("rate_limit_redis_calls_total", "error")
            .await
            >= 1.0
    );
    // A truncated log.
    for key in &keys {
        let _: () = connection.set(key, "cut").unwrap();
    }
    connected(&[&gateway]).await;
    assert_eq!(gateway.taken("tab", 2).await, 0);
    assert_eq!(gateway.taken("another", 12).await, 10);
}

#[tokio::test]
async fn authenticates_at_redis() {
    let redis = RedisServer::start_at(redis_server::free_port(), &["--requirepass", "right"]).await;
    let flag = |password: &str| {
        format!(
            "--redis-url=redis://:{password}@127.0.0.1:{}/",
            redis.port()
        )
    };
    let refused = Program::start(&[&flag("wrong"), PATIENT]);
    let taken = Program::start(&[&flag("right"), PATIENT]);
    connected(&[&taken]).await;
    assert_eq!(taken.taken("tab", 12).await, 10);
    assert_eq!(refused.taken("tab", 12).await, 10);
    assert!(!refused.is_connected().await);
}
