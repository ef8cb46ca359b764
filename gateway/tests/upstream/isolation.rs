//! A hanging service affects only its own calls, and its hanging reads do not block its writes.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use futures::future::join_all;
use http::Method;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

use crate::{
    contract::{pool, pool_with},
    fault_proxy::{Fault, FaultProxy},
    gateway_under_test::{GatewayUnderTest, eventually, nobody},
    library::Library,
    replica::{Replica, upstream},
};

const READ: &str = "/api/shelves/a/books/1";

/// `grpc.health.v1` with an added route.
const HEALTH: &str = r#"
syntax = "proto3";
package grpc.health.v1;
import "google/api/annotations.proto";
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse {
  enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
  ServingStatus status = 1;
}
service Health {
  rpc Check(HealthCheckRequest) returns (HealthCheckResponse) {
    option (google.api.http) = {get: "/health-check"};
  }
}
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blackholed_service_affects_only_its_own_part() {
    let pool = pool_with(&[HEALTH]);
    let replica = Replica::start(&pool).await;
    let proxy = FaultProxy::start(replica.address).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let health = listener.local_addr().unwrap();
    let (_reporter, service) = tonic_health::server::health_reporter();
    tokio::spawn(
        Server::builder()
            .add_service(service)
            .serve_with_incoming(TcpListenerStream::new(listener)),
    );
    let library = upstream("blackholed", &[proxy.address]);
    let upstreams = format!("{library},grpc.health.v1=http://{health}");
    let gateway = GatewayUnderTest::start_before(pool, &upstreams, &[]).await;
    assert_eq!(gateway.get(READ).await.status, 200);
    assert_eq!(gateway.get("/api/health-check").await.status, 200);
    let metric = async |name| gateway.metric(name, "\"blackholed\"").await;
    proxy.set(Fault::Blackhole);
    let hanging = join_all((0..200).map(|_| gateway.get(READ)));
    let others = async {
        eventually("the places to be taken", async || {
            metric("upstream_refused_total").await >= 104.0
        })
        .await;
        let began = Instant::now();
        for _ in 0..20 {
            assert_eq!(gateway.get("/api/health-check").await.status, 200);
        }
        began.elapsed()
    };
    let began = Instant::now();
    let (hanging, others) = tokio::join!(hanging, others);
    // The first hanging call ends after some four seconds, when its connection is detected as dead.
    assert!(others < Duration::from_secs(3), "{others:?}");
    assert!(began.elapsed() < Duration::from_secs(12));
    let shed = hanging.iter().filter(|answer| answer.status == 503).count();
    // 128 slots, 32 of which are not for reads.
    assert!(shed >= 104, "{shed} of 200 were refused");
    assert!(hanging.iter().all(|answer| answer.status != 200));
    // With the breaker open, calls no longer wait for the service.
    let refused = metric("upstream_refused_total").await;
    eventually("calls to be refused", async || {
        gateway.get(READ).await;
        metric("upstream_refused_total").await > refused
    })
    .await;
    assert!(metric("upstream_breaker_state").await >= 1.0);
    proxy.set(Fault::None);
    eventually("the service to be back", async || {
        gateway.get(READ).await.status == 200
    })
    .await;
    assert!(metric("upstream_breaker_state").await < 1.0);
    assert!(metric("upstream_calls_in_flight").await < 1.0);
}

/// X8: a service that cannot write is alive and still serves reads.
#[tokio::test]
async fn writes_refused_for_a_full_disk_block_no_reads() {
    let pool = pool();
    let library = Library::start(&pool).await;
    let upstream = upstream("full", &[library.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    library.seen.is_full.store(true, Ordering::SeqCst);
    let write = || {
        let ask = gateway.ask(Method::PUT, "/api/books/1/tags").write();
        ask.body(r#"["a"]"#).send()
    };
    for answer in join_all((0..40).map(|_| write())).await {
        answer.problem(503);
    }
    for n in 0..20 {
        let path = format!("/api/shelves/a/books/{n}");
        assert_eq!(gateway.get(&path).await.status, 200);
    }
    assert!(gateway.metric("upstream_breaker_state", "\"full\"").await < 1.0);
    library.seen.is_full.store(false, Ordering::SeqCst);
    assert_eq!(write().await.status, 200);
    // Reads with the same failure do open the breaker.
    library.seen.unavailable.store(usize::MAX, Ordering::SeqCst);
    for _ in 0..30 {
        gateway.get(READ).await.problem(503);
    }
    assert!(gateway.metric("upstream_breaker_state", "\"full\"").await >= 1.0);
}

#[tokio::test]
async fn hanging_reads_leave_permits_for_creates() {
    let pool = pool();
    let replica = Replica::start(&pool).await;
    let flags = ["--upstream-calls-max=8", "--upstream-writes-reserved=2"];
    let gateway = GatewayUnderTest::start(pool, replica.address, &flags).await;
    let reads = join_all((0..20).map(|_| gateway.get("/api/slow")));
    let create = async {
        eventually("the reads to hang", async || replica.calls() == 6).await;
        let ask = gateway.ask(Method::POST, "/api/books").write();
        let ask = ask.header("idempotency-key", "k");
        ask.body(r#"{"title":"Emma"}"#).send().await
    };
    let (reads, created) = tokio::join!(reads, create);
    assert_eq!(created.status, 201);
    let refused: Vec<_> = reads.iter().filter(|read| read.status == 503).collect();
    assert_eq!(refused.len(), 14);
    for answer in refused {
        assert_eq!(answer.problem(503)["reason"], "UNAVAILABLE");
        assert!(!answer.header("retry-after").is_empty());
    }
}

#[tokio::test]
async fn probes_an_unresponsive_service_rarely_and_detects_its_recovery() {
    let pool = pool();
    let address = nobody().await;
    let upstream = upstream("away", &[address]);
    let gateway = GatewayUnderTest::start_before(pool.clone(), &upstream, &[]).await;
    let metric = async |name| gateway.metric(name, "\"away\"").await;
    for answer in join_all((0..40).map(|_| gateway.get(READ))).await {
        answer.problem(503);
    }
    assert!(metric("upstream_breaker_state").await >= 1.0);
    let failed = metric("upstream_connect_failures_total").await;
    for _ in 0..200 {
        gateway.get(READ).await.problem(503);
    }
    assert!(metric("upstream_refused_total").await > 100.0);
    let attempts = metric("upstream_connect_failures_total").await - failed;
    assert!(attempts < 100.0, "{attempts} attempts to connect");
    let replica = Replica::start_at(&pool, address).await;
    eventually("it to be found", async || {
        gateway.get(READ).await.status == 200
    })
    .await;
    assert!(replica.calls() >= 1);
    for _ in 0..40 {
        assert_eq!(gateway.get(READ).await.status, 200);
    }
}
