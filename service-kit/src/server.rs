//! Serves gRPC, with `/metrics`, `/healthz` and `/readyz` on the same port, until asked to stop.

use std::{io::Write, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
    routing::get,
};
use futures::FutureExt;
use http::{StatusCode, header::CONTENT_TYPE};
use tokio::{net::TcpListener, sync::Semaphore, time::Instant};
use tonic::{Code, Status, body::Body, service::Routes, transport::server::TcpIncoming};
use tracing::{Instrument, Span};

use crate::{
    clap_values, deadline,
    health::Readiness,
    metrics::{self, RpcLabels, RpcMetrics},
    trace,
};

/// Streams that one connection may have open at once.
const STREAMS_PER_CONNECTION_MAX: u32 = 1024;

/// Limits of a gRPC server.
#[derive(Clone, Debug, clap::Args)]
pub struct ServerConfig {
    /// Longest time for an RPC in milliseconds; a shorter `grpc-timeout` of the caller wins.
    #[arg(long, env = "RPC_TIMEOUT_MS_MAX", default_value = "5000", value_parser = clap_values::milliseconds)]
    pub rpc_timeout_ms_max: u64,
    /// RPCs at work at once; more are refused with UNAVAILABLE.
    #[arg(long, env = "CONCURRENCY_MAX", default_value = "512", value_parser = clap_values::count)]
    pub concurrency_max: usize,
    /// Milliseconds that RPCs under way have to finish after a stop signal.
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "10000", value_parser = clap_values::milliseconds)]
    pub shutdown_drain_ms_max: u64,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            rpc_timeout_ms_max: 5000,
            concurrency_max: 512,
            shutdown_drain_ms_max: 10_000,
        }
    }
}

/// What is served.
#[derive(Debug)]
pub struct Service<'a> {
    /// Where; port 0 takes a free one.
    pub listener: TcpListener,
    /// The gRPC services.
    pub routes: Routes,
    /// Whether traffic is wanted; set by the process.
    pub readiness: Readiness,
    /// Encoded `FileDescriptorSet`, for reflection.
    pub descriptor_set: &'static [u8],
    /// Full names of the gRPC services, for `grpc.health.v1`.
    pub names: &'a [&'static str],
}

/// Why serving ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener has no address.
    #[error("listener: {0}")]
    Listener(#[from] std::io::Error),
    /// The descriptor set is broken.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The server failed.
    #[error("server: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// Requests under way did not finish in time after the stop signal.
    #[error("requests were still under way {0} ms after the stop signal")]
    Drain(u64),
}

/// Serves until `shutdown` ends: then not ready, no new connections, requests under way finish, bounded.
///
/// Prints `listening on ADDRESS` to standard output once connections are taken.
///
/// # Errors
/// When the server cannot start, or the drain took too long.
pub async fn serve(
    service: Service<'_>,
    config: &ServerConfig,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let address = service.listener.local_addr()?;
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(service.descriptor_set)
        .build_v1()?;
    let (reporter, health) = tonic_health::server::health_reporter();
    let names: Vec<&'static str> = service.names.to_vec();
    let follow = follow_readiness(service.readiness.clone(), reporter, names);
    let router = routes(
        service.routes.add_service(health).add_service(reflection),
        &service.readiness,
        config,
    );

    let stopping = Arc::new(tokio::sync::Notify::new());
    let stop = {
        let (readiness, stopping) = (service.readiness.clone(), Arc::clone(&stopping));
        async move {
            shutdown.await;
            readiness.set_ready(false);
            tracing::info!("stopping: not ready, finishing what is under way");
            stopping.notify_one();
        }
    };
    // Here, as the server's own setting does not reach connections of a listener that it did not open. Without it, most answers
    // wait some 40 ms for an acknowledgement.
    let incoming = TcpIncoming::from(service.listener).with_nodelay(Some(true));
    let server = tonic::transport::Server::builder()
        .accept_http1(true)
        .max_concurrent_streams(STREAMS_PER_CONNECTION_MAX)
        .add_routes(Routes::from(router))
        .serve_with_incoming_shutdown(incoming, stop);
    announce(&address.to_string());
    tracing::info!(%address, "listening");
    let drain_ms = config.shutdown_drain_ms_max;
    let overdue = async {
        stopping.notified().await;
        tokio::time::sleep(Duration::from_millis(drain_ms)).await;
    };
    tokio::select! {
        result = server => Ok(result?),
        () = overdue => Err(ServeError::Drain(drain_ms)),
        () = follow => Ok(()),
    }
}

/// Tells whoever started the process where it listens: one line on standard output.
pub fn announce(address: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "listening on {address}").and_then(|()| out.flush()) {
        tracing::debug!(%error, "nobody reads standard output");
    }
}

async fn follow_readiness(
    readiness: Readiness,
    reporter: tonic_health::server::HealthReporter,
    names: Vec<&'static str>,
) {
    let mut changes = readiness.subscribe();
    loop {
        let status = if *changes.borrow_and_update() {
            tonic_health::ServingStatus::Serving
        } else {
            tonic_health::ServingStatus::NotServing
        };
        for name in names.iter().copied().chain([""]) {
            reporter.set_service_status(name, status).await;
        }
        if changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[derive(Clone, Debug)]
struct Guard {
    permits: Arc<Semaphore>,
    timeout: Duration,
    metrics: RpcMetrics,
}

fn routes(routes: Routes, readiness: &Readiness, config: &ServerConfig) -> Router {
    let guard = Guard {
        permits: Arc::new(Semaphore::new(config.concurrency_max)),
        timeout: Duration::from_millis(config.rpc_timeout_ms_max),
        metrics: RpcMetrics::global(),
    };
    let readiness = readiness.clone();
    routes
        .into_axum_router()
        // Inside of the plain routes below, which must answer even when every permit is taken.
        .layer(axum::middleware::from_fn_with_state(guard, rpc))
        .route("/healthz", get(|| async { "ok\n" }))
        .route(
            "/readyz",
            get(move || async move {
                if readiness.is_ready() {
                    (StatusCode::OK, "ready\n")
                } else {
                    (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
                }
            }),
        )
        .route(
            "/metrics",
            get(|| async { ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::encode()) }),
        )
}

/// Around every RPC: span, deadline, limit, panic containment, count.
async fn rpc(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let infrastructure = path.starts_with("/grpc.");
    let parent = trace::remote_parent(request.headers());
    let limit = deadline::from_headers(request.headers())
        .map_or(guard.timeout, |asked| asked.min(guard.timeout));
    let started = Instant::now();
    // An unsampled caller gets no span object at all: that is what makes not sampling cheap.
    let unsampled = parent.as_ref().is_some_and(|p| !p.is_sampled());
    let trace_id = parent.as_ref().map(|p| p.trace_id().to_string());
    let span = if infrastructure || unsampled {
        Span::none()
    } else {
        trace::server_span(&path, parent)
    };
    let permit = if infrastructure {
        None
    } else {
        match Arc::clone(&guard.permits).try_acquire_owned() {
            Ok(permit) => Some(permit),
            Err(_) => {
                return refuse(Status::unavailable(
                    "too many requests at once, please try again",
                ));
            }
        }
    };
    // Health watches stay open for as long as somebody watches.
    let response = if infrastructure {
        next.run(request).await
    } else {
        let work = AssertUnwindSafe(deadline::scope(limit, next.run(request))).catch_unwind();
        match tokio::time::timeout(limit, work)
            .instrument(span.clone())
            .await
        {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => {
                span.in_scope(|| tracing::error!(method = %path, "a request panicked"));
                refuse(Status::internal("internal error"))
            }
            Err(_) => refuse(Status::deadline_exceeded("the deadline passed")),
        }
    };
    drop(permit);
    let code = status_code(&response);
    span.record("rpc.response.status_code", code as i32);
    if is_server_error(code) {
        span.record("otel.status_code", "ERROR");
        span.in_scope(|| {
            tracing::warn!(method = %path, code = ?code, caller_trace_id = trace_id, "request failed");
        });
    }
    if code != Code::Unimplemented && !infrastructure {
        let labels = RpcLabels {
            method: path,
            code: code as i32,
        };
        guard
            .metrics
            .duration_seconds
            .get_or_create(&labels)
            .observe(started.elapsed().as_secs_f64());
    }
    response
}

fn refuse(status: Status) -> Response {
    let response: http::Response<Body> = status.into_http();
    response.into_response()
}

/// Errors of a unary RPC travel in the headers; without one there it went well.
fn status_code(response: &Response) -> Code {
    response
        .headers()
        .get("grpc-status")
        .map_or(Code::Ok, |value| Code::from_bytes(value.as_bytes()))
}

/// What a caller asked wrongly is no error of the server; nor is what only other services offer, for which a gateway asks
/// them all.
fn is_server_error(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}
