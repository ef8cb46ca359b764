//! Browser spans, through the gateway into an OTLP collector.

use std::{net::SocketAddr, sync::Arc};

use clap::Parser;
use gateway::config::Config;
use http::Method;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
    trace_service_server::{TraceService, TraceServiceServer},
};
use parking_lot::Mutex;
use serde_json::json;
use service_kit::source::{Clock, SystemClock};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

use crate::gateway_under_test::{GatewayUnderTest, LISTEN, eventually, nobody, start};

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().push(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start() -> (Self, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let collector = Self::default();
        let service = TraceServiceServer::new(collector.clone());
        tokio::spawn(async move {
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
                .unwrap();
        });
        (collector, address)
    }
}

fn report() -> String {
    let now_ns = SystemClock.now().timestamp_nanos_opt().unwrap();
    json!({"spans": [{
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": "b7ad6b7169203331",
        "parentSpanId": "",
        "name": "POST /api/books",
        "startUnixNano": (now_ns - 5_000_000).to_string(),
        "endUnixNano": now_ns.to_string(),
        "error": true,
        "attributes": {"http.request.method": "POST", "visitor.name": "Asha"},
    }]})
    .to_string()
}

#[tokio::test]
async fn exports_browser_spans_as_their_own_service() {
    let (collector, address) = Collector::start().await;
    let gateway = with_collector(address).await;
    let answer = gateway.post("/telemetry", &report()).await;
    assert_eq!(answer.status, 202, "{:?}", answer.body);
    eventually("the span", async || !collector.0.lock().is_empty()).await;
    let exported = collector.0.lock();
    let spans = &exported[0].resource_spans[0];
    let resource = format!("{:?}", spans.resource);
    assert!(
        resource.contains("service.name") && resource.contains("browser"),
        "{resource}"
    );
    let span = &spans.scope_spans[0].spans[0];
    assert_eq!(span.name, "POST /api/books");
    assert_eq!(
        span.span_id,
        [0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31]
    );
    assert_eq!(span.status.as_ref().unwrap().code, 2);
    let keys: Vec<&str> = span.attributes.iter().map(|a| a.key.as_str()).collect();
    assert_eq!(keys, ["http.request.method"]);
}

#[tokio::test]
async fn collector_outage_costs_nothing() {
    let gateway = with_collector(nobody().await).await;
    let body = report();
    for _ in 0..20 {
        assert_eq!(gateway.post("/telemetry", &body).await.status, 202);
    }
}

#[tokio::test]
async fn validates_reports() {
    let (gateway, _library) = start(&[]).await;
    gateway.post("/telemetry", "{}").await.problem(400);
    let large = format!("{{\"spans\":[],\"more\":\"{}\"}}", "x".repeat(9_000));
    gateway.post("/telemetry", &large).await.problem(413);
    let answer = gateway.get("/telemetry").await;
    answer.problem(405);
    assert_eq!(answer.header("allow"), "POST");
    let foreign = gateway.ask(Method::POST, "/telemetry").write();
    let foreign = foreign
        .header("sec-fetch-site", "cross-site")
        .body(report());
    foreign.send().await.problem(403);
}

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    config: Config,
}

async fn with_collector(collector: SocketAddr) -> GatewayUnderTest {
    let arguments = ["gateway", "--api-only"].into_iter().chain(LISTEN);
    let mut config = Program::try_parse_from(arguments).unwrap().config;
    config.browser_spans_endpoint = Some(format!("http://{collector}").parse().unwrap());
    GatewayUnderTest::serve(config, crate::contract::pool()).await
}
