//! Team assessment: scores self-assessments of health risk and keeps them without any identifier of a person.
//!
//! `domain` knows the rules and nothing else; `store` knows SQL and nothing of the rules; `service` is the gRPC face of both, and
//! `wire` stands between the contract and the domain.

pub mod domain;
pub mod scoring;
mod service;
pub mod store;
pub mod wire;

use async_trait::async_trait;
use hospital_proto::assessment::v1::assessment_service_server::{
    AssessmentServiceServer, SERVICE_NAME,
};
use store_kit::{
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};
use tonic::service::Routes;

/// The process.
#[derive(Clone, Copy, Debug)]
pub struct Assessments;

#[async_trait]
impl Service for Assessments {
    type Arguments = ();

    const DEFAULTS: Defaults = Defaults {
        name: "svc-assessment",
        version: service_kit::version!(),
        about: "Scores and keeps self-assessments, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start((): &(), context: &Context) -> Result<Served, StartError> {
        let rpcs = AssessmentServiceServer::new(service::AssessmentRpcs::new(context));
        Ok(Served {
            routes: Routes::new(rpcs),
            names: vec![SERVICE_NAME],
            descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
            background: None,
            outlives_database: false,
            receiver: None,
        })
    }
}
