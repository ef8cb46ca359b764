//! The operators' listener: `/metrics`, `/healthz`, `/readyz` and JSON reports, separate from the port of the callers.
//!
//! It has its own small connection limit and short timeouts, so it answers while the other port is full or draining.

pub mod probe;

use std::{convert::Infallible, fmt, io, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{
    Method, Request, Response, StatusCode,
    header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, ORIGIN, X_CONTENT_TYPE_OPTIONS},
};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    task::{JoinError, JoinSet},
};

use crate::{health::Readiness, metrics};

/// Maximum open connections; further ones wait in the listener's backlog.
const CONNECTIONS_MAX: usize = 64;
/// Maximum size of a request's head, in bytes.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// Time limit for receiving the request's head.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit for a connection's only request, from reading to writing the response, so a slow reader cannot hold it.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after a failed accept: file descriptors have run out and return when connections end.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

const TEXT: &str = "text/plain; charset=utf-8";

/// The address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("OPERATORS_LISTEN: cannot listen on {address}: {source}")]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

/// A bound listener for probes and metrics.
pub struct Operators {
    listener: TcpListener,
    address: SocketAddr,
    reports: Reports,
}

/// Path of a report, and the function that returns its JSON.
type Reports = Vec<(&'static str, Arc<dyn Fn() -> String + Send + Sync>)>;

impl fmt::Debug for Operators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<_> = self.reports.iter().map(|(path, _)| path).collect();
        let mut debug = f.debug_struct("Operators");
        debug
            .field("address", &self.address)
            .field("reports", &paths);
        debug.finish_non_exhaustive()
    }
}

impl Operators {
    /// Binds the port; port 0 picks a free one. Nothing is answered before [`Self::serve`].
    pub async fn bind(address: SocketAddr) -> Result<Self, BindError> {
        let bind = async {
            let listener = TcpListener::bind(address).await?;
            let address = listener.local_addr()?;
            Ok(Self {
                listener,
                address,
                reports: Vec::new(),
            })
        };
        bind.await.map_err(|source| BindError { address, source })
    }

    /// Adds a report: `path` returns the JSON of `report`, which must not block.
    #[must_use]
    pub fn with_report(
        mut self,
        path: &'static str,
        report: impl Fn() -> String + Send + Sync + 'static,
    ) -> Self {
        self.reports.push((path, Arc::new(report)));
        self
    }

    /// Returns the bound address, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves HTTP/1.1 for as long as the future is polled, also during the drain. Each connection serves one request.
    /// At most 64 connections are open, each for at most 10 s.
    pub async fn serve(self, readiness: Readiness) {
        self.serve_with(readiness, String::new).await;
    }

    /// As [`Self::serve`]; `/readyz` appends `detail`, whose lines must end with a line break, after its first line.
    pub async fn serve_with(
        self,
        readiness: Readiness,
        detail: impl Fn() -> String + Clone + Send + Sync + 'static,
    ) {
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                Some(ended) = connections.join_next() => {
                    log_end(ended);
                    continue;
                }
                accepted = self.listener.accept(), if connections.len() < CONNECTIONS_MAX => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let reports = self.reports.clone();
                    connections.spawn(exchange(stream, readiness.clone(), detail.clone(), reports));
                }
                Err(error) => {
                    tracing::warn!(%error, "an operators' connection could not be accepted");
                    tokio::time::sleep(ACCEPT_RETRY).await;
                }
            }
        }
    }
}

async fn exchange(
    stream: TcpStream,
    readiness: Readiness,
    detail: impl Fn() -> String,
    reports: Reports,
) -> Result<(), String> {
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let response = answer(&request, &readiness, &detail, &reports);
        async { Ok::<_, Infallible>(response) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        .max_buf_size(HEAD_BYTES_MAX)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    match tokio::time::timeout(EXCHANGE_TIMEOUT, connection).await {
        Ok(served) => served.map_err(|error| error.to_string()),
        Err(_) => Err(format!("not done after {} s", EXCHANGE_TIMEOUT.as_secs())),
    }
}

fn log_end(ended: Result<Result<(), String>, JoinError>) {
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "an operators' connection ended early"),
        Err(error) => tracing::error!(%error, "an operators' request panicked"),
    }
}

fn answer<B>(
    request: &Request<B>,
    readiness: &Readiness,
    detail: impl Fn() -> String,
    reports: &Reports,
) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    let report = reports.iter().find(|(known, _)| *known == path);
    let is_known = report.is_some() || ["/metrics", "/healthz", "/readyz"].contains(&path);
    let (status, content_type, body) = match path {
        _ if is_from_a_page(request) => (
            StatusCode::FORBIDDEN,
            TEXT,
            "not for web pages\n".to_owned(),
        ),
        _ if is_known && !matches!(*request.method(), Method::GET | Method::HEAD) => (
            StatusCode::METHOD_NOT_ALLOWED,
            TEXT,
            "GET or HEAD\n".to_owned(),
        ),
        "/metrics" => (
            StatusCode::OK,
            metrics::CONTENT_TYPE,
            metrics::encode_ready(readiness.is_ready()),
        ),
        "/healthz" => (StatusCode::OK, TEXT, "ok\n".to_owned()),
        "/readyz" if readiness.is_ready() => (StatusCode::OK, TEXT, format!("ready\n{}", detail())),
        "/readyz" => (
            StatusCode::SERVICE_UNAVAILABLE,
            TEXT,
            format!("not ready\n{}", detail()),
        ),
        _ => match report {
            Some((_, report)) => (StatusCode::OK, "application/json", report()),
            None => (StatusCode::NOT_FOUND, TEXT, "not found\n".to_owned()),
        },
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}

/// Returns whether a web page sent the request: any site's page can reach the operator's machine. A typed address sends
/// `Sec-Fetch-Site: none`.
fn is_from_a_page<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    headers.contains_key(ORIGIN)
        || headers
            .get("sec-fetch-site")
            .is_some_and(|site| site != "none")
}
