//! The server as a process sees it: real connections, real signals of readiness, faults on purpose.

use std::{sync::Arc, time::Duration};

use axum::{Router, routing::post};
use service_kit::{
    deadline,
    health::Readiness,
    server::{ServeError, ServerConfig, Service, serve},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, oneshot},
    task::JoinHandle,
};
use tonic::{
    Code, Request, Status,
    service::Routes,
    transport::{Channel, Endpoint},
};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_prost::ProstCodec;

struct Running {
    address: std::net::SocketAddr,
    readiness: Readiness,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Result<(), ServeError>>,
    entered: Arc<Notify>,
}

async fn start(config: ServerConfig) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let readiness = Readiness::new();
    let entered = Arc::new(Notify::new());
    let (stop, stopped) = oneshot::channel::<()>();
    let hang = {
        let entered = Arc::clone(&entered);
        move || {
            let entered = Arc::clone(&entered);
            async move {
                entered.notify_one();
                std::future::pending::<()>().await;
            }
        }
    };
    let routes = Routes::from(
        Router::<()>::new()
            .route("/test.v1.Test/Panic", post(fail))
            .route("/test.v1.Test/Hang", post(hang))
            .route(
                "/test.v1.Test/Remaining",
                post(|| async {
                    let left = deadline::remaining().unwrap_or_default().as_millis();
                    Status::failed_precondition(left.to_string()).into_http::<tonic::body::Body>()
                }),
            ),
    );
    let server = tokio::spawn({
        let readiness = readiness.clone();
        async move {
            let service = Service {
                listener,
                routes,
                readiness,
                descriptor_set: tonic_health::pb::FILE_DESCRIPTOR_SET,
                names: &["test.v1.Test"],
            };
            serve(service, &config, async {
                // A dropped sender is a stop as well.
                stopped.await.unwrap_or(());
            })
            .await
        }
    });
    Running {
        address,
        readiness,
        stop,
        server,
        entered,
    }
}

async fn fail() {
    panic!("on purpose");
}

impl Running {
    async fn channel(&self) -> Channel {
        Endpoint::from_shared(format!("http://{}", self.address))
            .unwrap()
            .connect()
            .await
            .unwrap()
    }

    async fn call(&self, method: &'static str, timeout: Option<Duration>) -> Status {
        let mut client = tonic::client::Grpc::new(self.channel().await);
        client.ready().await.unwrap();
        let mut request = Request::new(());
        if let Some(timeout) = timeout {
            request.set_timeout(timeout);
        }
        client
            .unary::<(), (), _>(
                request,
                http::uri::PathAndQuery::from_static(method),
                ProstCodec::default(),
            )
            .await
            .unwrap_err()
    }

    async fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        text
    }
}

#[tokio::test]
async fn readiness_is_what_health_and_readyz_say() {
    let running = start(ServerConfig::default()).await;
    assert!(running.get("/readyz").await.starts_with("HTTP/1.1 503"));
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200"));
    running.readiness.set_ready(true);
    assert!(running.get("/readyz").await.starts_with("HTTP/1.1 200"));
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
async fn a_panic_is_an_answer_and_the_next_request_works() {
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
async fn the_shorter_of_the_callers_time_and_the_limit_wins() {
    let running = start(ServerConfig {
        rpc_timeout_ms_max: 60,
        ..ServerConfig::default()
    })
    .await;
    let status = running
        .call("/test.v1.Test/Remaining", Some(Duration::from_secs(5)))
        .await;
    assert!(status.message().parse::<u64>().unwrap() <= 60, "{status:?}");
    let status = running.call("/test.v1.Test/Hang", None).await;
    assert_eq!(status.code(), Code::DeadlineExceeded);
}

#[tokio::test]
async fn more_than_the_limit_at_once_is_refused_but_health_answers() {
    let running = Arc::new(
        start(ServerConfig {
            concurrency_max: 1,
            ..ServerConfig::default()
        })
        .await,
    );
    let hanging = tokio::spawn({
        let running = Arc::clone(&running);
        async move {
            running
                .call("/test.v1.Test/Hang", Some(Duration::from_secs(4)))
                .await
        }
    });
    running.entered.notified().await;
    let status = running.call("/test.v1.Test/Remaining", None).await;
    assert_eq!(status.code(), Code::Unavailable);
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200"));
    hanging.abort();
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
