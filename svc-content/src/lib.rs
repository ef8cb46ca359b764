//! svc-content: what visitors read. The content of record is files; the database remembers which of it was served.

pub mod config;
pub mod domain;
pub mod error;
pub mod files;
mod hex;
mod paging;
mod service;
pub mod slug;
pub mod store;
pub mod values;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hospital_proto::content::v1::content_service_server::{ContentServiceServer, SERVICE_NAME};
use service_kit::{
    health::Readiness,
    server::{self, ServeError},
    source::{Clock, SystemClock},
};
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::{
    config::Config,
    domain::Content,
    store::{Revision, StoreError},
};

const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_MAX: Duration = Duration::from_secs(5);

/// Serves until `shutdown` ends.
///
/// The content is in memory, so RPCs are answered from the start; but the process is not ready before the database has
/// been reached and knows the content's revision.
pub async fn serve(
    config: &Config,
    content: Content,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let readiness = Readiness::new();
    let content = Arc::new(content);
    let service = server::Service {
        listener,
        routes: Routes::new(ContentServiceServer::new(service::ContentOfRecord(
            Arc::clone(&content),
        ))),
        readiness: readiness.clone(),
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        names: &[SERVICE_NAME],
    };
    let stopping = Arc::new(AtomicBool::new(false));
    let shutdown = {
        let stopping = Arc::clone(&stopping);
        async move {
            shutdown.await;
            stopping.store(true, Ordering::Relaxed);
        }
    };
    let serving = server::serve(service, &config.server, shutdown);
    let becoming_ready = async {
        record_until_done(config, &content.revision).await;
        // A database that comes back during the drain must not call new traffic in.
        readiness.set_ready(!stopping.load(Ordering::Relaxed));
        std::future::pending::<()>().await;
    };
    tokio::select! {
        outcome = serving => outcome,
        () = becoming_ready => Ok(()),
    }
}

/// Tries until the database has the revision, with growing pauses.
async fn record_until_done(config: &Config, revision: &str) {
    let mut pause = RETRY_FIRST;
    while let Err(error) = record(config, revision).await {
        tracing::error!(
            error = &error as &(dyn std::error::Error + 'static),
            retry_in_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            "not ready: the database cannot be used"
        );
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(RETRY_MAX);
    }
}

async fn record(config: &Config, revision: &str) -> Result<(), StoreError> {
    let store = store::open(&config.database_url, config.database_connections_max).await?;
    let earlier = store.latest().await?;
    store
        .record(&Revision::new(revision, SystemClock.now()))
        .await?;
    let is_new = earlier.is_none_or(|earlier| earlier.revision != revision);
    tracing::info!(
        content.revision = revision,
        content.is_new = is_new,
        "ready"
    );
    Ok(())
}
