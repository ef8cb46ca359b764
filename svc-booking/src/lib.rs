//! Team booking: departments, free times and appointments.
//!
//! `domain` knows the rules and nothing else; `store` knows SQL and nothing of the rules; `service` is
//! the gRPC face of both.

pub mod config;
pub mod domain;
pub mod error;
mod metrics;
pub mod service;
pub mod store;

use std::{path::Path, sync::Arc, time::Duration};

use hospital_proto::booking::v1::booking_service_server::{BookingServiceServer, SERVICE_NAME};
use service_kit::{
    health::Readiness,
    server::{ServeError, ServerConfig, Service},
    source::{Clock, Ids},
};
use tokio::{net::TcpListener, time::MissedTickBehavior};

use domain::resources::{Resources, ResourcesError};
use store::Store;

/// Largest request that is read, in bytes: the longest valid one in four-byte characters, and some air.
const REQUEST_BYTES_MAX: usize = 64 * 1024;
/// How often the database is asked whether it is there, and how long it may take to say so.
const PING_INTERVAL: Duration = Duration::from_secs(5);
const PING_TIMEOUT: Duration = Duration::from_secs(2);

/// What a booking service is made of.
#[derive(Debug, Clone)]
pub struct Parts {
    pub store: Arc<dyn Store>,
    pub resources: Arc<Resources>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

/// A resources file that cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot read {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error(transparent)]
    Parse(#[from] ResourcesError),
}

/// The resources of a file, or the hospital's own.
pub fn load_resources(path: Option<&Path>) -> Result<Resources, LoadError> {
    let Some(path) = path else {
        return Ok(Resources::embedded());
    };
    let text = std::fs::read_to_string(path).map_err(|source| LoadError::Read {
        path: path.display().to_string(),
        source,
    })?;
    Ok(Resources::parse(&path.display().to_string(), &text)?)
}

/// Serves until `shutdown`, then finishes what was accepted and closes the store.
pub async fn serve(
    parts: Parts,
    config: &ServerConfig,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let store = Arc::clone(&parts.store);
    let readiness = Readiness::new();
    readiness.set_ready(store.ping().await.is_ok());
    let (stopped, stopping) = tokio::sync::watch::channel(false);
    let watcher = tokio::spawn(watch_store(Arc::clone(&store), readiness.clone(), stopping));
    let booking = BookingServiceServer::new(service::Booking::new(parts))
        .max_decoding_message_size(REQUEST_BYTES_MAX);
    let served = service_kit::server::serve(
        Service {
            listener,
            routes: tonic::service::Routes::new(booking),
            readiness,
            descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
            names: &[SERVICE_NAME],
        },
        config,
        async move {
            shutdown.await;
            // First the watcher: it must not call a stopping process ready again.
            stopped.send_replace(true);
            drop(watcher.await);
        },
    )
    .await;
    store.close().await;
    served
}

/// Keeps readiness true to the store; it depends on nothing else.
async fn watch_store(
    store: Arc<dyn Store>,
    readiness: Readiness,
    mut stopping: tokio::sync::watch::Receiver<bool>,
) {
    let mut ticks = tokio::time::interval(PING_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = stopping.changed() => return,
            _ = ticks.tick() => {}
        }
        let ready = tokio::select! {
            _ = stopping.changed() => return,
            pinged = tokio::time::timeout(PING_TIMEOUT, store.ping()) => matches!(pinged, Ok(Ok(()))),
        };
        if readiness.is_ready() != ready {
            tracing::warn!(ready, "readiness of the store changed");
            readiness.set_ready(ready);
        }
    }
}
