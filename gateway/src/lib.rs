//! The edge of the site: REST in, gRPC out, documents in between.
//!
//! Nothing in this crate knows an RPC by name, a database, or a word of the domain. Routes come from a descriptor
//! pool that is passed in; documents come from page modules.

pub mod api;
pub mod beacon;
pub mod config;
pub mod contract;
pub mod documents;
pub mod edge;
pub mod listen;
pub mod metrics;
pub mod problem;
pub mod request;
pub mod store;
pub mod upstream;
pub mod wire;

use std::{io, sync::Arc, time::Duration};

use prost_reflect::DescriptorPool;
use service_kit::{
    auth::{KeysError, Verifier},
    health::Readiness,
    server::announce,
};
use tokio::net::TcpListener;

use self::{
    api::{Api, LocalApi},
    config::Config,
    contract::ContractError,
    documents::{Documents, PagesError},
    edge::{Edge, RateLimit},
    listen::connections,
};

/// How often visitors who have been quiet are forgotten.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// What is served.
#[derive(Debug)]
pub struct Gateway {
    /// What an operator can set.
    pub config: Config,
    /// The contracts: every annotated RPC in it is offered.
    pub pool: DescriptorPool,
    /// Where; port 0 takes a free one.
    pub listener: TcpListener,
}

/// Why serving could not start or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener has no address.
    #[error("listener: {0}")]
    Listener(#[from] io::Error),
    /// The contracts cannot be offered over HTTP.
    #[error("contracts: {0}")]
    Contract(#[from] ContractError),
    /// The keys of the token issuer cannot be used.
    #[error("keys: {0}")]
    Keys(#[from] KeysError),
    /// There are no documents.
    #[error("pages: {0}")]
    Pages(#[from] PagesError),
    /// Requests under way did not finish in time after the stop signal.
    #[error("requests were still under way {0} ms after the stop signal")]
    Drain(u64),
}

/// Serves until `shutdown` ends: then not ready, no new connections, requests under way finish, bounded.
///
/// No upstream needs to be up. Prints `listening on ADDRESS` to standard output once connections are taken.
pub async fn serve(
    gateway: Gateway,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let Gateway {
        config,
        pool,
        listener,
    } = gateway;
    let address = listener.local_addr()?;
    let verifier = Verifier::from_config(&config.auth)?;
    let api = Arc::new(Api::new(&config, &pool, verifier).await?);
    let rate_limit = Arc::new(RateLimit::start(&config.edge.rate));
    let documents = if config.api_only {
        None
    } else {
        let local = LocalApi::new(Arc::clone(&api), Arc::clone(&rate_limit) as Arc<_>);
        Some(Documents::load(&config.pages, local).await?)
    };
    let readiness = Readiness::new();
    let edge = Edge::new(&config, api, documents, readiness.clone(), rate_limit);
    let edge = Arc::new(edge);
    let limits = connections::Limits {
        connections_max: config.listen.connections_max,
        header_read_timeout: Duration::from_millis(config.listen.header_read_timeout_ms_max),
        drain: Duration::from_millis(config.listen.shutdown_drain_ms_max),
    };
    readiness.set_ready(true);
    announce(&address.to_string());
    tracing::info!(%address, "listening");
    let stop = async {
        shutdown.await;
        readiness.set_ready(false);
        tracing::info!("stopping: not ready, finishing what is under way");
    };
    let sweep = async {
        let mut ticks = tokio::time::interval(SWEEP_INTERVAL);
        loop {
            ticks.tick().await;
            edge.sweep();
        }
    };
    let drained = tokio::select! {
        drained = connections::serve(listener, Arc::clone(&edge), limits, stop) => drained,
        () = sweep => true,
    };
    if drained {
        Ok(())
    } else {
        Err(ServeError::Drain(config.listen.shutdown_drain_ms_max))
    }
}
