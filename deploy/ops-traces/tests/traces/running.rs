//! ops-traces in this process on free ports, and its clients.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Parser as _;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use ops_traces::config::Config;
use ops_traces::{Addresses, Listeners};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

/// Time on the clock of every test, in seconds since 1970.
pub(crate) const NOW_SECONDS: u64 = 1_800_000_000;

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NOW_SECONDS)
}

pub(crate) struct Running {
    pub(crate) addresses: Addresses,
    http: Client<HttpConnector, Full<bytes::Bytes>>,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), ops_traces::ServeError>>,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn content_type(&self) -> &str {
        self.headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

impl Running {
    pub(crate) async fn start(flags: &[&str]) -> Self {
        let free = "127.0.0.1:0";
        let listen = [
            "ops-traces",
            "--listen",
            free,
            "--otlp-grpc-listen",
            free,
            "--otlp-http-listen",
            free,
        ];
        let config = Config::try_parse_from(listen.iter().chain(flags)).expect("flags");
        let listeners = Listeners::bind(&config).await.expect("free ports");
        let addresses = listeners.addresses().expect("addresses");
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(async move {
            let shutdown = async { stopped.await.unwrap_or_default() };
            ops_traces::serve(&config, listeners, now, shutdown).await
        });
        let http = Client::builder(TokioExecutor::new()).build_http();
        Self {
            addresses,
            http,
            stop: Some(stop),
            served,
        }
    }

    pub(crate) async fn grpc(&self) -> TraceServiceClient<Channel> {
        TraceServiceClient::connect(format!("http://{}", self.addresses.otlp_grpc))
            .await
            .expect("gRPC connection")
    }

    pub(crate) async fn send(
        &self,
        request: ExportTraceServiceRequest,
    ) -> ExportTraceServiceResponse {
        self.grpc()
            .await
            .export(request)
            .await
            .expect("export")
            .into_inner()
    }

    pub(crate) async fn request(&self, request: Request<Full<bytes::Bytes>>) -> Reply {
        let response = self.http.request(request).await.expect("response");
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("body").to_bytes().to_vec();
        Reply {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    /// Sends POST /v1/traces with the given headers.
    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: Vec<u8>) -> Reply {
        let mut request = Request::post(format!("http://{}/v1/traces", self.addresses.otlp_http));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.request(request.body(Full::from(body)).expect("request"))
            .await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        let uri = format!("http://{}{path}", self.addresses.ui);
        self.request(Request::get(uri).body(Full::default()).expect("request"))
            .await
    }

    pub(crate) async fn query(&self, path: &str, parameters: &[(&str, &str)]) -> Reply {
        let query = serde_urlencoded::to_string(parameters).expect("parameters");
        self.get(&format!("{path}?{query}")).await
    }

    /// Returns the trace ids that `/api/traces` finds, in the order of the response.
    pub(crate) async fn search(&self, parameters: &[(&str, &str)]) -> Vec<String> {
        let reply = self.query("/api/traces", parameters).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        let answer = reply.json();
        let traces = answer["data"].as_array().expect("list");
        assert_eq!(answer["total"], traces.len());
        traces
            .iter()
            .map(|trace| trace["traceID"].as_str().expect("trace id").to_owned())
            .collect()
    }

    /// Returns the names in `/api/services`.
    pub(crate) async fn services(&self) -> Value {
        self.get("/api/services").await.json()["data"].take()
    }

    pub(crate) async fn stop(mut self) {
        self.stop
            .take()
            .expect("first stop")
            .send(())
            .expect("still serving");
        let ended = tokio::time::timeout(Duration::from_secs(10), self.served)
            .await
            .expect("stops in time");
        ended.expect("no panic").expect("no error");
    }
}
