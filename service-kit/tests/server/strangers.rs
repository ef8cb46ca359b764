//! Requests to the RPC port from web pages or other clients that do not use gRPC: none reaches a handler.

use std::sync::atomic::Ordering;

use http::{HeaderName, Method, Request, header};
use service_kit::server::ServerConfig;
use tonic::{Code, body::Body};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest,
};

use crate::running::{Running, exchange, start};

const METHOD: &str = "/test.v1.Test/Remaining";

async fn status(running: &Running, method: Method, headers: &[(HeaderName, &str)]) -> u16 {
    let uri = format!("http://{}{METHOD}", running.address);
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let request = request.body(Body::empty()).unwrap();
    running.request(request).await.status().as_u16()
}

#[tokio::test]
async fn refuses_http_1_posts_of_pages() {
    let running = start(ServerConfig::default()).await;
    let refusals = "rpc_server_refused_total{reason=\"handshake\"}";
    let before = running.metric(refusals).await;
    for content_type in ["text/plain;charset=UTF-8", "application/grpc"] {
        // As a browser sends `fetch(address, {method: 'POST', mode: 'no-cors', body})`.
        let request = format!(
            "POST {METHOD} HTTP/1.1\r\nHost: {}\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\
             Content-Type: {content_type}\r\nOrigin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\n\
             Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: empty\r\n\r\n\0\0\0\0\0",
            running.address
        );
        let answer = exchange(running.address, &request).await;
        assert_eq!(answer, "");
    }
    assert_eq!(running.handled.load(Ordering::SeqCst), 0);
    assert!(running.metric(refusals).await >= before + 2);
}

#[tokio::test]
async fn serves_only_grpc_of_programs_over_http_2() {
    let running = start(ServerConfig::default()).await;
    let plain = (header::CONTENT_TYPE, "text/plain");
    let grpc = (header::CONTENT_TYPE, "application/grpc");
    let origin = (header::ORIGIN, "http://evil.example");
    let fetch = (HeaderName::from_static("sec-fetch-mode"), "no-cors");
    for (method, headers, expected) in [
        (Method::POST, vec![plain], 415),
        (Method::POST, vec![], 415),
        (Method::POST, vec![grpc.clone(), origin.clone()], 403),
        (Method::POST, vec![grpc.clone(), fetch], 403),
        (Method::OPTIONS, vec![origin], 403),
        (Method::GET, vec![grpc.clone()], 405),
    ] {
        let answer = status(&running, method.clone(), &headers).await;
        assert_eq!(answer, expected, "{method} {headers:?}");
    }
    assert_eq!(running.handled.load(Ordering::SeqCst), 0);
    assert!(
        running
            .metric("rpc_server_refused_total{reason=\"browser\"}")
            .await
            >= 3
    );
    assert!(
        running
            .metric("rpc_server_refused_total{reason=\"not_grpc\"}")
            .await
            >= 3
    );
    assert_eq!(status(&running, Method::POST, &[grpc]).await, 200);
    assert_eq!(running.handled.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_rpc_port_serves_neither_probes_nor_metrics() {
    let running = start(ServerConfig::default()).await;
    running.readiness.set_ready(true);
    for path in ["/metrics", "/healthz", "/readyz"] {
        assert!(
            running.get(path).await.starts_with("HTTP/1.1 200"),
            "{path}"
        );
        let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        let answer = exchange(running.address, &request).await;
        assert!(!answer.contains("HTTP/1"), "{path}: {answer}");
        let uri = format!("http://{}{path}", running.address);
        let request = Request::get(&uri).body(Body::empty()).unwrap();
        assert_eq!(running.request(request).await.status(), 405, "{path}");
        let request = Request::post(&uri).header(header::CONTENT_TYPE, "application/grpc");
        let answer = running.request(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.headers()["grpc-status"], "12", "{path}");
    }
}

async fn services(running: &Running) -> Result<String, Code> {
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut client = ServerReflectionClient::new(running.channel().await);
    let answers = client.server_reflection_info(futures::stream::iter([request]));
    let mut answers = answers.await.map_err(|status| status.code())?.into_inner();
    let answer = answers.message().await.map_err(|status| status.code())?;
    Ok(format!("{answer:?}"))
}

#[tokio::test]
async fn serves_reflection_only_if_enabled() {
    let running = start(ServerConfig::default()).await;
    assert_eq!(services(&running).await, Err(Code::Unimplemented));
    let running = start(ServerConfig {
        reflection: true,
        ..ServerConfig::default()
    })
    .await;
    assert!(services(&running).await.unwrap().contains("test.v1.Test"));
}
