//! svc-assessment: scores self-assessments of health risk and stores them without any identifier of a person.

pub mod config;
pub mod domain;
pub mod error;
pub mod scoring;
mod service;
pub mod store;

use std::sync::Arc;

use hospital_proto::assessment::v1::assessment_service_server::{
    AssessmentServiceServer, SERVICE_NAME,
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
    let service = service::Assessments {
        store,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
    };
    let service = server::Service {
        listener,
        routes: Routes::new(AssessmentServiceServer::new(service)),
        readiness,
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        names: &[SERVICE_NAME],
    };
    server::serve(service, config, shutdown).await
}
