//! Traces of a development machine: two OTLP receivers, a bounded store in memory, Jaeger's v1 query API and the Jaeger
//! UI. Nothing is written to disk, and all listeners are on loopback.

pub mod actions;
pub mod answer;
pub mod cards;
pub mod chart;
pub mod config;
pub mod convert;
pub mod exposition;
pub mod figures;
pub mod heat;
pub mod history;
pub mod hour;
pub mod jaeger;
pub mod loopback;
pub mod modules;
pub mod page;
pub mod problems;
pub mod process;
pub mod receive;
pub mod runbooks;
pub mod scrape;
pub mod search;
pub mod site;
pub mod span;
pub mod store;
pub mod ui;

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::{Router, middleware};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::TraceServiceServer;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tonic::codec::CompressionEncoding;
use tonic::transport::server::TcpIncoming;

use crate::config::Config;
use crate::jaeger::Api;
use crate::receive::GrpcReceiver;
use crate::scrape::Targets;
use crate::store::Store;

/// Maximum concurrent exports of one connection; a tracing SDK sends one at a time.
const EXPORTS_PER_CONNECTION_MAX: usize = 16;
/// Time limit of an export. An export takes milliseconds; the limit frees the slot of a stalled sender.
const EXPORT_TIMEOUT_MAX: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address} (--{flag})")]
    Bind {
        flag: &'static str,
        address: SocketAddr,
        source: io::Error,
    },
    #[error("the address of a listener is not known")]
    Address(#[source] io::Error),
    #[error(transparent)]
    Ui(#[from] ui::UiError),
    #[error("the HTTP server failed")]
    Http(#[source] io::Error),
    #[error("the gRPC server failed")]
    Grpc(#[from] tonic::transport::Error),
}

#[derive(Debug)]
pub struct Listeners {
    ui: TcpListener,
    otlp_grpc: TcpListener,
    otlp_http: TcpListener,
}

/// Addresses as bound, with port 0 resolved.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    pub ui: SocketAddr,
    pub otlp_grpc: SocketAddr,
    pub otlp_http: SocketAddr,
}

impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ui={} otlp-grpc={} otlp-http={}",
            self.ui, self.otlp_grpc, self.otlp_http
        )
    }
}

impl Listeners {
    pub async fn bind(config: &Config) -> Result<Self, ServeError> {
        Ok(Self {
            ui: bind("listen", config.listen).await?,
            otlp_grpc: bind("otlp-grpc-listen", config.otlp_grpc_listen).await?,
            otlp_http: bind("otlp-http-listen", config.otlp_http_listen).await?,
        })
    }

    pub fn addresses(&self) -> Result<Addresses, ServeError> {
        Ok(Addresses {
            ui: self.ui.local_addr().map_err(ServeError::Address)?,
            otlp_grpc: self.otlp_grpc.local_addr().map_err(ServeError::Address)?,
            otlp_http: self.otlp_http.local_addr().map_err(ServeError::Address)?,
        })
    }
}

async fn bind(flag: &'static str, address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| ServeError::Bind {
            flag,
            address,
            source,
        })
}

/// Serves until `shutdown` completes, then gives open requests at most the configured time to finish.
pub async fn serve(
    config: &Config,
    listeners: Listeners,
    now: fn() -> SystemTime,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let store = Arc::new(Store::new(config.limits()));
    let ui = jaeger::router(Api {
        store: Arc::clone(&store),
        now,
    })
    .merge(site::router(Targets::start(&config.metrics_urls), now))
    .merge(ui::router().await?);
    let otlp_http = receive::http_router(Arc::clone(&store), config.body_bytes_max());
    let (stop, stopping) = watch::channel(false);

    let servers = async {
        tokio::try_join!(
            serve_http(listeners.ui, ui, stopping.clone()),
            serve_http(listeners.otlp_http, otlp_http, stopping.clone()),
            serve_grpc(
                listeners.otlp_grpc,
                store,
                config.body_bytes_max(),
                stopping.clone()
            ),
        )
    };
    tokio::pin!(servers);
    tokio::select! {
        result = &mut servers => return result.map(|_| ()),
        () = shutdown => tracing::info!("stopping"),
    }
    stop.send_replace(true);
    let Ok(result) = tokio::time::timeout(config.shutdown_drain_max(), servers).await else {
        tracing::warn!("requests that were still open are cut off");
        return Ok(());
    };
    result.map(|_| ())
}

async fn serve_http(
    listener: TcpListener,
    router: Router,
    stopping: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    // Outermost: a foreign page whose name resolves to 127.0.0.1 must not read traces.
    let router = router.layer(middleware::from_fn(loopback::require));
    axum::serve(listener, router)
        .with_graceful_shutdown(stopped(stopping))
        .await
        .map_err(ServeError::Http)
}

async fn serve_grpc(
    listener: TcpListener,
    store: Arc<Store>,
    body_bytes_max: usize,
    stopping: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    let receiver = TraceServiceServer::new(GrpcReceiver { store })
        .accept_compressed(CompressionEncoding::Gzip)
        .max_decoding_message_size(body_bytes_max);
    tonic::transport::Server::builder()
        .concurrency_limit_per_connection(EXPORTS_PER_CONNECTION_MAX)
        .timeout(EXPORT_TIMEOUT_MAX)
        .add_service(receiver)
        .serve_with_incoming_shutdown(TcpIncoming::from(listener), stopped(stopping))
        .await?;
    Ok(())
}

/// Waits for the stop signal. A dropped sender counts as a stop signal, too.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    while !*stopping.borrow_and_update() && stopping.changed().await.is_ok() {}
}
