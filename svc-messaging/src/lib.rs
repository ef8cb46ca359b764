//! Team messaging: takes the messages of visitors (enquiries, notifications of blog comments) and keeps them.
//!
//! `domain` knows the rules and nothing else; `store` knows SQL and nothing of the rules; `service` is the gRPC face of both, and
//! `wire` stands between the contract and the domain.

pub mod delivery;
pub mod domain;
pub mod mail;
mod service;
pub mod site;
pub mod store;
pub mod wire;

use async_trait::async_trait;
use hospital_proto::messaging::v1::messaging_service_server::{
    MessagingServiceServer, SERVICE_NAME,
};
use store_kit::{
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};
use tonic::service::Routes;

/// The process.
#[derive(Clone, Copy, Debug)]
pub struct Messaging;

#[async_trait]
impl Service for Messaging {
    type Arguments = ();

    const DEFAULTS: Defaults = Defaults {
        name: "svc-messaging",
        version: service_kit::version!(),
        about: "Takes the messages of visitors, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start((): &(), context: &Context) -> Result<Served, StartError> {
        let rpcs = MessagingServiceServer::new(service::MessagingRpcs::new(context));
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
