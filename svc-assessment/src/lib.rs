//! Assessment service: scores self-assessments of health risk and stores them without any personal identifier.
//!
//! `domain` contains only the rules. `store` contains the SQL and no rules. `service` is the gRPC layer over both, and
//! `wire` converts between contract and domain.

pub mod domain;
pub mod scoring;
mod service;
pub mod store;
pub mod wire;

use async_trait::async_trait;
use hospital_proto::assessment::v1::assessment_service_server::{
    AssessmentServiceServer, SERVICE_NAME,
};
use service_kit::auth::{AuthConfig, Verifier};
use store_kit::{
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};
use tonic::service::Routes;

use domain::retention::Retention;
use store::Store;

/// Maximum size of a request, in bytes: the longest valid request, with headroom.
const REQUEST_BYTES_MAX: usize = 16 * 1024;

/// Configuration specific to this service.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// Verification of staff tokens.
    #[command(flatten)]
    pub auth: AuthConfig,

    /// Retention of answers stored with consent.
    #[command(flatten)]
    pub retention: Retention,
}

/// The service process.
#[derive(Clone, Copy, Debug)]
pub struct Assessments;

#[async_trait]
impl Service for Assessments {
    type Arguments = Arguments;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-assessment",
        version: service_kit::version!(),
        team: "assessment",
        about: "Scores and stores self-assessments, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start(arguments: &Arguments, context: &Context) -> Result<Served, StartError> {
        let verifier = Verifier::from_config(&arguments.auth)?;
        let rpcs = service::AssessmentRpcs::new(context, verifier.clone());
        let retention = arguments.retention;
        let retaining = rpcs.clone();
        let background: store_kit::process::Background = Box::new(move |ready| {
            Box::pin(async move {
                ready.send_replace(true);
                retaining.keep_retention(retention).await;
            })
        });
        let server =
            AssessmentServiceServer::new(rpcs).max_decoding_message_size(REQUEST_BYTES_MAX);
        Ok(Served {
            routes: Routes::new(server).add_service(audit_rpc::server(context, verifier)),
            names: vec![SERVICE_NAME, audit_rpc::SERVICE_NAME],
            descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
            background: Some(background),
            outlives_database: false,
            receiver: None,
        })
    }

    async fn retain(
        arguments: &Arguments,
        context: &Context,
        dry_run: bool,
    ) -> Result<Vec<String>, StartError> {
        let store = Store::new(context.database.clone(), context.keys.clone());
        let (retention, now) = (&arguments.retention, context.clock.now());
        Ok(if dry_run {
            store.over(retention, now).await?.report("expired")
        } else {
            store.retain(retention, now).await?.report("removed")
        })
    }
}
