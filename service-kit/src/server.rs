//! gRPC server for programs, with probes and metrics on a separate operators' listener, until a stop signal.

mod admission;
mod incoming;
mod refusals;
mod rpc;
pub mod tls;

use std::{io::Write, net::SocketAddr, sync::Arc, time::Duration};

use tokio::{
    net::TcpListener,
    sync::{Notify, Semaphore},
};
use tonic::service::Routes;

use crate::{
    clap_values,
    health::Readiness,
    metrics::RpcMetrics,
    operators::{self, Operators},
};
use incoming::Incoming;
use refusals::Refusals;
use rpc::{Guard, Methods};
use tls::{ServerTls, TlsConfig, TlsContents, TlsError};

/// Maximum concurrent streams per connection.
const STREAMS_PER_CONNECTION_MAX: u32 = 1024;
/// HTTP/2 keep-alive: a dead peer is detected after one interval and one timeout.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Limits of a gRPC server.
#[derive(Clone, Debug, clap::Args)]
pub struct ServerConfig {
    /// Maximum time of an RPC in milliseconds; a shorter `grpc-timeout` of the caller wins. The default is the longest
    /// deadline that a contract can declare.
    #[arg(long, env = "RPC_TIMEOUT_MS_MAX", default_value = "8000", value_parser = clap_values::milliseconds)]
    pub rpc_timeout_ms_max: u64,
    /// Maximum concurrent RPCs; further ones are refused with UNAVAILABLE.
    #[arg(long, env = "CONCURRENCY_MAX", default_value = "512", value_parser = clap_values::count)]
    pub concurrency_max: usize,
    /// Milliseconds that running RPCs have to finish after a stop signal.
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "10000", value_parser = clap_values::milliseconds)]
    pub shutdown_drain_ms_max: u64,
    /// Address for /metrics, /healthz and /readyz, over HTTP/1.1. Port 0 picks a free port. Default: they are not
    /// served.
    #[arg(long, env = "OPERATORS_LISTEN")]
    pub operators_listen: Option<SocketAddr>,
    /// Serve gRPC reflection, which reveals the whole contract to every caller.
    #[arg(long, env = "REFLECTION")]
    pub reflection: bool,
    /// TLS of the RPC port.
    #[command(flatten)]
    pub tls: TlsConfig,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            rpc_timeout_ms_max: 8000,
            concurrency_max: 512,
            shutdown_drain_ms_max: 10_000,
            operators_listen: None,
            reflection: false,
            tls: TlsConfig::default(),
        }
    }
}

/// Parts of a gRPC server.
#[derive(Debug)]
pub struct Service<'a> {
    /// Bound listener; may use port 0.
    pub listener: TcpListener,
    /// The gRPC services.
    pub routes: Routes,
    /// Readiness, set by the process.
    pub readiness: Readiness,
    /// Encoded `FileDescriptorSet` of the contracts. Its method names label metrics and spans, and reflection serves
    /// it.
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
    /// The operators' listener cannot be opened.
    #[error(transparent)]
    Operators(#[from] operators::BindError),
    /// TLS cannot be offered.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The descriptor set is broken.
    #[error("descriptor set: {0}")]
    Descriptors(#[from] prost::DecodeError),
    /// The descriptor set cannot be reflected.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The server failed.
    #[error("server: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// Running requests did not finish within the drain limit after the stop signal.
    #[error("requests were still in flight {0} ms after the stop signal")]
    Drain(u64),
}

/// Serves until `shutdown` completes. Then the process is not ready, new connections are refused, and running requests
/// may finish within the drain limit. The operators' listener answers until the end.
///
/// Accepts gRPC over HTTP/2 only. A request from a browser gets 403, a method other than POST 405, a content type other
/// than gRPC's 415. At most 1024 connections are open.
///
/// Prints `listening on ADDRESS` to standard output once connections are accepted, then `operators on ADDRESS` if that
/// listener is configured.
///
/// # Errors
/// When the server cannot start, or the drain exceeded its limit.
pub async fn serve(
    service: Service<'_>,
    config: &ServerConfig,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let address = service.listener.local_addr()?;
    let tls = config.tls.open(TlsContents::rpc_config)?;
    let operators = match config.operators_listen {
        Some(address) => Some(Operators::bind(address).await?),
        None => None,
    };
    let refusals = Arc::new(Refusals::new(RpcMetrics::global()));
    let (reporter, health) = tonic_health::server::health_reporter();
    let routes = service.routes.add_service(health);
    let routes = guarded(routes, service.descriptor_set, config, &refusals)?;
    let follow_readiness =
        follow_readiness(service.readiness.clone(), reporter, service.names.to_vec());

    let stopping = Notify::new();
    let stop = async {
        shutdown.await;
        service.readiness.set_ready(false);
        tracing::info!("stopping: not ready, finishing requests in flight");
        stopping.notify_one();
    };
    let incoming = Incoming {
        listener: service.listener,
        tls: tls.clone(),
        refusals: Arc::clone(&refusals),
    };
    let server = tonic::transport::Server::builder()
        .max_concurrent_streams(STREAMS_PER_CONNECTION_MAX)
        .http2_keepalive_interval(Some(KEEP_ALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEP_ALIVE_TIMEOUT))
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming.connections(), stop);
    // Boxed, because the server's future is large and would enlarge every enclosing future up to `main`.
    let server = Box::pin(server);
    announce(&address.to_string());
    if let Some(operators) = &operators {
        announce_operators(&operators.address().to_string());
    }
    tracing::info!(%address, is_tls = config.tls.is_on(), "listening");
    let operators = async {
        match operators {
            Some(operators) => operators.serve(service.readiness.clone()).await,
            None => std::future::pending().await,
        }
    };
    let drain_ms = config.shutdown_drain_ms_max;
    let overdue = async {
        stopping.notified().await;
        tokio::time::sleep(Duration::from_millis(drain_ms)).await;
    };
    let outcome = tokio::select! {
        result = server => result.map_err(ServeError::from),
        () = overdue => Err(ServeError::Drain(drain_ms)),
        // These never end; the server's end cancels them.
        _ = async { tokio::join!(operators, follow_readiness, refusals.follow(), ServerTls::follow(tls)) } => Ok(()),
    };
    refusals.log();
    outcome
}

/// Wraps the routes in the guard of every RPC; adds reflection, if configured.
fn guarded(
    routes: Routes,
    descriptor_set: &'static [u8],
    config: &ServerConfig,
    refusals: &Arc<Refusals>,
) -> Result<Routes, ServeError> {
    let routes = if config.reflection {
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(descriptor_set)
            .build_v1()?;
        routes.add_service(reflection)
    } else {
        routes
    };
    let guard = Arc::new(Guard {
        permits: Semaphore::new(config.concurrency_max),
        timeout: Duration::from_millis(config.rpc_timeout_ms_max),
        metrics: RpcMetrics::global(),
        methods: Methods::read(descriptor_set)?,
        refusals: Arc::clone(refusals),
    });
    // Outermost, so it covers the response to unknown methods too: a browser cannot find out which methods exist.
    let guard = axum::middleware::from_fn_with_state(guard, rpc::guard);
    Ok(Routes::from(routes.into_axum_router().layer(guard)))
}

/// Writes `listening on ADDRESS` to standard output, for a parent process that used port 0.
pub fn announce(address: &str) {
    announce_line(&format!("listening on {address}"));
}

/// Writes `operators on ADDRESS` to standard output, after [`announce`].
pub fn announce_operators(address: &str) {
    announce_line(&format!("operators on {address}"));
}

fn announce_line(line: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
        tracing::debug!(%error, "standard output is closed");
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
