//! Services with several addresses.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures::future::join_all;
use http::Method;
use prost_reflect::DescriptorPool;

use crate::{
    contract::pool,
    fault_proxy::{Fault, FaultProxy, Unreachable},
    gateway_under_test::{GatewayUnderTest, eventually},
    replica::{Replica, upstream},
};

const READ: &str = "/api/shelves/a/books/1";

async fn pair(pool: &DescriptorPool) -> (Replica, Replica, Arc<GatewayUnderTest>) {
    let (one, other) = (Replica::start(pool).await, Replica::start(pool).await);
    let upstream = upstream("pair", &[one.address, other.address]);
    let no_quota = [
        "--address-writes-max=100000",
        "--creates-ipv4-32-max=100000",
        "--creates-ipv4-24-max=100000",
    ];
    let gateway = GatewayUnderTest::start_before(pool.clone(), &upstream, &no_quota).await;
    (one, other, Arc::new(gateway))
}

/// Visitors that alternate reads and creates until `leave`.
struct Visitors {
    is_over: Arc<AtomicBool>,
    served: Arc<AtomicUsize>,
    visits: Vec<tokio::task::JoinHandle<()>>,
}

impl Visitors {
    fn come(gateway: &Arc<GatewayUnderTest>, count: usize) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let served = Arc::new(AtomicUsize::new(0));
        let visit = |number| {
            let (gateway, is_over, served) = (
                Arc::clone(gateway),
                Arc::clone(&is_over),
                Arc::clone(&served),
            );
            tokio::spawn(async move {
                for turn in 0.. {
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    let answer = gateway.get(READ).await;
                    assert_eq!(answer.status, 200, "{:?}", answer.body);
                    let key = format!("{number}-{turn}");
                    let create = gateway.ask(Method::POST, "/api/books").write();
                    let create = create.header("idempotency-key", &key);
                    let answer = create.body(r#"{"title":"Emma"}"#).send().await;
                    assert_eq!(answer.status, 201, "{:?}", answer.body);
                    served.fetch_add(2, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            })
        };
        let visits = (0..count).map(visit).collect();
        Self {
            is_over,
            served,
            visits,
        }
    }

    /// Waits until `times` more requests have been served.
    async fn served_more(&self, times: usize) {
        let before = self.served.load(Ordering::SeqCst);
        eventually("visitors to be served", async || {
            self.visits.iter().any(tokio::task::JoinHandle::is_finished)
                || self.served.load(Ordering::SeqCst) >= before + times
        })
        .await;
    }

    /// Stops the visitors and checks that none of their requests failed. Returns the number of requests served.
    async fn leave(self) -> usize {
        self.is_over.store(true, Ordering::SeqCst);
        for visit in self.visits {
            visit.await.expect("no request fails");
        }
        self.served.load(Ordering::SeqCst)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restarts_under_load_fail_no_request() {
    let (mut one, mut other, gateway) = pair(&pool()).await;
    let visitors = Visitors::come(&gateway, 8);
    for _ in 0..3 {
        for replica in [&mut one, &mut other] {
            visitors.served_more(60).await;
            replica.stop().await;
            visitors.served_more(60).await;
            let before = replica.calls();
            replica.start_again().await;
            eventually("it to be used again", async || {
                replica.calls() > before + 10
            })
            .await;
        }
    }
    assert!(visitors.leave().await >= 720);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_kills_under_load_fail_no_request() {
    let (mut one, mut other, gateway) = pair(&pool()).await;
    let visitors = Visitors::come(&gateway, 8);
    for _ in 0..3 {
        for replica in [&mut one, &mut other] {
            visitors.served_more(60).await;
            replica.kill();
            visitors.served_more(60).await;
            let before = replica.calls();
            replica.start_again().await;
            eventually("it to be used again", async || {
                replica.calls() > before + 10
            })
            .await;
        }
    }
    assert!(visitors.leave().await >= 720);
}

#[tokio::test]
async fn spreads_calls() {
    let (one, other, gateway) = pair(&pool()).await;
    eventually("both to be connected", async || {
        gateway.get(READ).await;
        one.calls() > 0 && other.calls() > 0
    })
    .await;
    let before = (one.calls(), other.calls());
    join_all((0..60).map(|_| gateway.get(READ))).await;
    assert!(one.calls() > before.0 + 10 && other.calls() > before.1 + 10);
}

#[tokio::test]
async fn address_dropping_connection_attempts_delays_no_call() {
    let pool = pool();
    let (unreachable, replica) = (Unreachable::new().await, Replica::start(&pool).await);
    let upstream = upstream("unreachable", &[unreachable.address, replica.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    let began = Instant::now();
    for _ in 0..40 {
        assert_eq!(gateway.get(READ).await.status, 200);
    }
    // One connection attempt takes a second.
    assert!(began.elapsed() < Duration::from_secs(10), "{began:?}");
    assert_eq!(replica.calls(), 40);
}

#[tokio::test]
async fn silent_address_gets_no_call() {
    let pool = pool();
    let (silent, healthy) = (Replica::start(&pool).await, Replica::start(&pool).await);
    let proxy = FaultProxy::start(silent.address).await;
    proxy.set(Fault::Blackhole);
    let upstream = upstream("mute", &[proxy.address, healthy.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    for _ in 0..40 {
        assert_eq!(gateway.get(READ).await.status, 200);
    }
    assert_eq!(healthy.calls(), 40);
    let tried = gateway.metric("upstream_retries_total", "\"mute\"").await;
    assert!(tried < 1.0, "{tried} calls went there first");
}

#[tokio::test]
async fn ejects_and_readmits_an_unresponsive_address() {
    let pool = pool();
    let (silent, healthy) = (Replica::start(&pool).await, Replica::start(&pool).await);
    let proxy = FaultProxy::start(silent.address).await;
    let upstream = upstream("silent", &[proxy.address, healthy.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    eventually("both to be connected", async || {
        gateway.get(READ).await;
        silent.calls() > 0 && healthy.calls() > 0
    })
    .await;
    proxy.set(Fault::Blackhole);
    let answers = join_all((0..40).map(|_| gateway.get(READ))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let metric = async |name| gateway.metric(name, "\"silent\"").await;
    assert!(metric("upstream_ejections_total").await >= 1.0);
    assert!(metric("upstream_try_timeouts_total").await >= 5.0);
    assert!(metric("upstream_retries_total").await >= 5.0);
    let (began, before) = (Instant::now(), silent.calls());
    for _ in 0..40 {
        assert_eq!(gateway.get(READ).await.status, 200);
    }
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "calls still go there"
    );
    proxy.set(Fault::None);
    eventually("it to be used again", async || {
        assert_eq!(gateway.get(READ).await.status, 200);
        silent.calls() > before + 20
    })
    .await;
}
