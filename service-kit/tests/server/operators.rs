//! The operators' listener: its responses, availability and time limits.

use std::time::Duration;

use service_kit::server::{ServeError, ServerConfig};
use tokio::net::{TcpListener, TcpStream};

use crate::running::{call, exchange, start};

fn request(method: &str, path: &str, header: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{header}\r\n")
}

#[tokio::test]
async fn serves_get_and_head_of_three_paths() {
    let running = start(ServerConfig::default()).await;
    for (method, path, header, status) in [
        ("GET", "/healthz", "", 200),
        ("HEAD", "/healthz", "", 200),
        ("GET", "/metrics", "Sec-Fetch-Site: none\r\n", 200),
        ("GET", "/readyz", "", 503),
        ("POST", "/metrics", "Content-Length: 0\r\n", 405),
        ("DELETE", "/readyz", "", 405),
        ("GET", "/", "", 404),
        ("GET", "/test.v1.Test/Remaining", "", 404),
        ("GET", "/metrics", "Origin: http://evil.example\r\n", 403),
        ("GET", "/metrics", "Sec-Fetch-Site: cross-site\r\n", 403),
    ] {
        let answer = exchange(running.operators, &request(method, path, header)).await;
        let start = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&start), "{method} {path}: {answer}");
        if method == "HEAD" {
            assert!(answer.ends_with("\r\n\r\n"), "no body: {answer}");
        }
    }
}

#[tokio::test]
async fn responds_while_the_server_drains() {
    let running = start(ServerConfig::default()).await;
    running.readiness.set_ready(true);
    let hanging = tokio::spawn({
        let channel = running.channel().await;
        let limit = Some(Duration::from_secs(5));
        async move { call(channel, "/test.v1.Test/Hang", limit).await }
    });
    running.entered.notified().await;
    let (operators, address) = (running.operators, running.address);
    running.stop.send(()).unwrap();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!running.server.is_finished());
    let probe = exchange(operators, &request("GET", "/readyz", "")).await;
    assert!(probe.starts_with("HTTP/1.1 503"), "{probe}");
    let metrics = exchange(operators, &request("GET", "/metrics", "")).await;
    assert!(metrics.starts_with("HTTP/1.1 200"), "{metrics}");
    hanging.abort();
    assert!(hanging.await.unwrap_err().is_cancelled());
    running.server.await.unwrap().unwrap();
}

#[tokio::test]
async fn closes_silent_connections_and_serves_the_next() {
    let running = start(ServerConfig::default()).await;
    let mut silent = Vec::new();
    for _ in 0..64 {
        silent.push(TcpStream::connect(running.operators).await.unwrap());
    }
    // Waits in the backlog until the connections above have timed out.
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn names_a_taken_address_before_serving() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let config = ServerConfig {
        operators_listen: Some(address),
        ..ServerConfig::default()
    };
    let service = service_kit::server::Service {
        listener,
        routes: tonic::service::Routes::default(),
        readiness: service_kit::health::Readiness::new(),
        descriptor_set: tonic_health::pb::FILE_DESCRIPTOR_SET,
        names: &[],
    };
    let ended = service_kit::server::serve(service, &config, std::future::pending()).await;
    let error = ended.unwrap_err();
    assert!(matches!(error, ServeError::Operators(_)));
    let text = error.to_string();
    assert!(
        text.contains("OPERATORS_LISTEN") && text.contains(&address.to_string()),
        "{text}"
    );
}
