//! svc-messaging: takes the messages of visitors (enquiries, notifications of blog comments) and stores them.

pub mod config;
pub mod domain;
pub mod error;
mod service;
pub mod store;

use std::sync::Arc;

use hospital_proto::messaging::v1::messaging_service_server::{
    MessagingServiceServer, SERVICE_NAME,
};
use service_kit::{
    health::Readiness,
    server::{self, ServeError, ServerConfig},
    source::{RandomIds, SystemClock},
};
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::store::Store;

/// Serves until `shutdown` ends. The store is open, so the process is ready from the start.
pub async fn serve(
    config: &ServerConfig,
    store: Arc<dyn Store>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let readiness = Readiness::new();
    readiness.set_ready(true);
    let service = service::Messaging {
        store,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
    };
    let service = server::Service {
        listener,
        routes: Routes::new(MessagingServiceServer::new(service)),
        readiness,
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        names: &[SERVICE_NAME],
    };
    server::serve(service, config, shutdown).await
}
