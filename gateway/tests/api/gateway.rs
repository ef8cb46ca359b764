//! A gateway on a free port, and a client that shows its responses.

use std::{net::SocketAddr, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use clap::Parser;
use gateway::{Gateway, ServeError, config::Config};
use gateway_listen::Listeners;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use prost_reflect::DescriptorPool;
use serde_json::Value;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use crate::library::Library;

/// Listens on free ports and skips the lame-duck delay, as no balancer is in front.
pub(crate) const LISTEN: [&str; 3] = [
    "--listen=127.0.0.1:0",
    "--operators-listen=127.0.0.1:0",
    "--lame-duck-ms=0",
];

const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    config: Config,
}

pub(crate) struct GatewayUnderTest {
    pub(crate) address: SocketAddr,
    operators: SocketAddr,
    client: Client<HttpConnector, Body>,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), ServeError>>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {:?}", self.status, self.body))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// Checks that the response is a problem document of this status and of the common shape; returns the document.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{:?}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let body = self.json();
        assert_eq!(body["status"], status);
        for member in ["type", "title", "detail", "reason"] {
            assert!(body[member].is_string(), "{member} in {body}");
        }
        assert!(body["fields"].is_array());
        assert_eq!(body["traceId"].as_str().unwrap().len(), 32);
        body
    }

    /// Returns the names of the fields in a problem's violations.
    pub(crate) fn fields(&self) -> Vec<String> {
        let body = self.json();
        let fields = body["fields"].as_array().unwrap();
        fields
            .iter()
            .map(|f| f["field"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Request builder.
pub(crate) struct Ask<'a> {
    gateway: &'a GatewayUnderTest,
    request: http::request::Builder,
    body: Body,
}

impl Ask<'_> {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    /// Adds the headers that a write needs.
    pub(crate) fn write(self) -> Self {
        self.header("x-requested-with", "fetch")
            .header("content-type", "application/json")
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) async fn send(self) -> Answer {
        let request = self.request.body(self.body).unwrap();
        let answered = async {
            let response = self.gateway.client.request(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            Answer {
                status: parts.status,
                headers: parts.headers,
                body,
            }
        };
        tokio::time::timeout(PATIENCE, answered).await.unwrap()
    }
}

impl GatewayUnderTest {
    /// Starts a gateway in front of `library`, with limits too high to matter unless `flags` set them.
    pub(crate) async fn start(pool: DescriptorPool, library: SocketAddr, flags: &[&str]) -> Self {
        let upstream = format!("library.v1=http://{library}");
        Self::start_before(pool, &upstream, flags).await
    }

    /// Starts a gateway in front of the services in `upstreams`.
    pub(crate) async fn start_before(
        pool: DescriptorPool,
        upstreams: &str,
        flags: &[&str],
    ) -> Self {
        let mut arguments = vec![
            "gateway".to_owned(),
            format!("--upstream={upstreams}"),
            "--api-only".to_owned(),
        ];
        arguments.extend(LISTEN.map(str::to_owned));
        arguments.extend(flags.iter().map(|flag| (*flag).to_owned()));
        for limit in [
            "--visitor-calls-max",
            "--address-calls-max",
            "--address-connections-max",
            "--address-requests-in-flight-max",
        ] {
            if !flags.iter().any(|flag| flag.starts_with(limit)) {
                arguments.push(format!("{limit}=100000"));
            }
        }
        let config = Program::try_parse_from(arguments).unwrap().config;
        Self::serve(config, pool).await
    }

    /// Serves in the background until `stop` or the end of the test.
    pub(crate) async fn serve(config: Config, pool: DescriptorPool) -> Self {
        let listeners = Listeners::bind(&config.listen).await.unwrap();
        let address = listeners.public.local_addr().unwrap();
        let operators = listeners.operators.as_ref().unwrap().address();
        let gateway = Gateway {
            config,
            pool,
            listeners,
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(gateway::serve(gateway, async {
            // An error means that the test has ended.
            stopped.await.ok();
        }));
        Self {
            address,
            operators,
            client: Client::builder(TokioExecutor::new()).build_http(),
            stop: Some(stop),
            served,
        }
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> Ask<'_> {
        Ask {
            gateway: self,
            request: Request::builder()
                .method(method)
                .uri(format!("http://{}{path}", self.address)),
            body: Body::empty(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path).send().await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        let ask = self.ask(Method::POST, path).write();
        ask.body(body.to_owned()).send().await
    }

    /// Returns a counter or gauge of the operators' `/metrics`, summed over the series whose labels contain `labels`.
    pub(crate) async fn metric(&self, name: &str, labels: &str) -> f64 {
        let uri = format!("http://{}/metrics", self.operators);
        let answer = self.client.get(uri.parse().unwrap()).await.unwrap();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(body.to_vec()).unwrap();
        text.lines()
            .filter(|line| line.starts_with(name) && line.contains(labels))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .sum()
    }

    /// Stops the gateway and waits until it has ended.
    pub(crate) async fn stop(mut self) -> Result<(), ServeError> {
        self.begin_stop();
        tokio::time::timeout(PATIENCE, self.served)
            .await
            .unwrap()
            .unwrap()
    }

    /// Sends the stop signal.
    pub(crate) fn begin_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).ok();
        }
    }
}

/// Starts a gateway and the service behind it.
pub(crate) async fn start(flags: &[&str]) -> (GatewayUnderTest, Library) {
    let pool = crate::contract::pool();
    let library = Library::start(&pool).await;
    let gateway = GatewayUnderTest::start(pool, library.address, flags).await;
    (gateway, library)
}

/// Returns an address without a listener.
pub(crate) async fn nobody() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap()
}

/// Polls until `done` returns true.
pub(crate) async fn eventually(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let polled = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let result = tokio::time::timeout(PATIENCE, polled).await;
    assert!(result.is_ok(), "still waiting for: {what}");
}
