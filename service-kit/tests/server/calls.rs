//! Calls, their limits, and the drain.

use std::{io::Write, sync::Arc, time::Duration};

use parking_lot::Mutex;
use service_kit::server::{ServeError, ServerConfig};
use tonic::{Code, Request};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_prost::ProstCodec;

use crate::running::{Running, call, start};

#[tokio::test]
async fn health_and_readyz_report_readiness() {
    let running = start(ServerConfig::default()).await;
    assert!(running.get("/readyz").await.starts_with("HTTP/1.1 503"));
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200"));
    assert!(
        running
            .get("/metrics")
            .await
            .contains("\nprocess_ready 0\n")
    );
    running.readiness.set_ready(true);
    assert!(running.get("/readyz").await.starts_with("HTTP/1.1 200"));
    assert!(
        running
            .get("/metrics")
            .await
            .contains("\nprocess_ready 1\n")
    );
    let mut watch = HealthClient::new(running.channel().await)
        .watch(HealthCheckRequest {
            service: "test.v1.Test".into(),
        })
        .await
        .unwrap()
        .into_inner();
    while watch.message().await.unwrap().unwrap().status != 1 {}
    running.stop.send(()).unwrap();
    while watch.message().await.unwrap().unwrap().status != 2 {}
    drop(watch);
    running.server.await.unwrap().unwrap();
}

#[tokio::test]
async fn survives_a_panic_of_a_handler() {
    let running = start(ServerConfig::default()).await;
    for _ in 0..2 {
        let status = running.call("/test.v1.Test/Panic", None).await;
        assert_eq!(
            (status.code(), status.message()),
            (Code::Internal, "internal error")
        );
    }
    assert!(
        running.get("/metrics").await.contains(
            "rpc_server_duration_seconds_count{method=\"/test.v1.Test/Panic\",code=\"13\"}"
        )
    );
}

#[tokio::test]
async fn applies_the_shorter_of_deadline_and_limit() {
    let running = start(ServerConfig {
        rpc_timeout_ms_max: 60,
        ..ServerConfig::default()
    })
    .await;
    let status = running
        .call("/test.v1.Test/Remaining", Some(Duration::from_secs(5)))
        .await;
    assert!(status.message().parse::<u64>().unwrap() <= 60, "{status:?}");
    let refusals = "rpc_server_refused_total{reason=\"deadline\"}";
    let rpcs = "rpc_server_duration_seconds_count{method=\"/test.v1.Test/Hang\",code=\"4\"}";
    let before = (running.metric(rpcs).await, running.metric(refusals).await);
    let status = running.call("/test.v1.Test/Hang", None).await;
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(running.metric(rpcs).await > before.0);
    assert!(running.metric(refusals).await > before.1);
}

/// Starts a server whose only permit is taken; returns it with the call that holds the permit.
async fn full() -> (Arc<Running>, tokio::task::JoinHandle<tonic::Status>) {
    let config = ServerConfig {
        concurrency_max: 1,
        ..ServerConfig::default()
    };
    let running = Arc::new(start(config).await);
    let hanging = tokio::spawn({
        let running = Arc::clone(&running);
        async move {
            running
                .call("/test.v1.Test/Hang", Some(Duration::from_secs(4)))
                .await
        }
    });
    running.entered.notified().await;
    (running, hanging)
}

#[tokio::test]
async fn refuses_and_counts_excess_calls_but_serves_probes() {
    let (running, hanging) = full().await;
    let rpcs = "rpc_server_duration_seconds_count{method=\"/test.v1.Test/Remaining\",code=\"14\"}";
    let refusals = "rpc_server_refused_total{reason=\"shed\"}";
    let before = (running.metric(rpcs).await, running.metric(refusals).await);
    let status = running.call("/test.v1.Test/Remaining", None).await;
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(running.metric(rpcs).await, before.0 + 1);
    assert!(running.metric(refusals).await > before.1);
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200"));
    HealthClient::new(running.channel().await)
        .check(HealthCheckRequest::default())
        .await
        .expect("health needs no permit");
    hanging.abort();
}

#[tokio::test]
async fn unknown_paths_create_no_metric() {
    let (running, hanging) = full().await;
    let status = running.call("/test.v1.Test/Nothing", None).await;
    assert_eq!(status.code(), Code::Unavailable);
    let metrics = running.get("/metrics").await;
    assert!(metrics.contains("method=\"_OTHER\",code=\"14\""));
    assert!(!metrics.contains("/test.v1.Test/Nothing"));
    hanging.abort();
}

#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn logs_refusals_in_batches_with_their_count() {
    const CALLS: u64 = 200;
    let log = Log::default();
    let subscriber = {
        let log = log.clone();
        tracing_subscriber::fmt()
            .json()
            .with_writer(move || log.clone())
            .finish()
    };
    let logging = tracing::subscriber::set_default(subscriber);
    let (running, hanging) = full().await;
    let channel = running.channel().await;
    let started = tokio::time::Instant::now();
    for _ in 0..CALLS {
        let status = call(channel.clone(), "/test.v1.Test/Remaining", None).await;
        assert_eq!(status.code(), Code::Unavailable);
    }
    let seconds = started.elapsed().as_secs();
    let shed = || -> Vec<u64> {
        let text = String::from_utf8(log.0.lock().clone()).unwrap();
        let lines = text
            .lines()
            .map(|line| -> serde_json::Value { serde_json::from_str(line).unwrap() });
        lines
            .filter(|line| line["fields"]["message"] == "requests were refused")
            .map(|line| line["fields"]["shed"].as_u64().unwrap())
            .collect()
    };
    let complete = async {
        while shed().iter().sum::<u64>() < CALLS {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(crate::running::PATIENCE, complete)
        .await
        .expect("every refusal is in some line");
    assert_eq!(shed().iter().sum::<u64>(), CALLS);
    // One immediate line, one per second, and one for the remainder.
    assert!(shed().len() as u64 <= seconds + 2, "{:?}", shed());
    hanging.abort();
    drop(logging);
}

#[tokio::test]
async fn a_drain_is_bounded() {
    let running = start(ServerConfig {
        shutdown_drain_ms_max: 50,
        ..ServerConfig::default()
    })
    .await;
    let channel = running.channel().await;
    let hanging = tokio::spawn(async move {
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await?;
        client
            .unary::<(), (), _>(
                Request::new(()),
                http::uri::PathAndQuery::from_static("/test.v1.Test/Hang"),
                ProstCodec::default(),
            )
            .await
            .map_err(|status| -> Box<dyn std::error::Error + Send + Sync> { Box::new(status) })
    });
    running.entered.notified().await;
    running.stop.send(()).unwrap();
    assert!(matches!(
        running.server.await.unwrap(),
        Err(ServeError::Drain(50))
    ));
    assert!(hanging.await.unwrap().is_err());
}
