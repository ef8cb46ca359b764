//! Team messaging: takes the messages of visitors (enquiries, notifications of blog comments) and keeps them.
//!
//! `domain` knows the rules and nothing else; `store` knows SQL and nothing of the rules; `service` is the gRPC face of both, and
//! `wire` stands between the contract and the domain.

pub mod delivery;
pub mod domain;
pub mod mail;
mod notice;
mod service;
pub mod site;
pub mod store;
pub mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use hospital_proto::messaging::v1::{
    messaging_service_server::{self, MessagingServiceServer},
    notice_service_server::{self, NoticeServiceServer},
};
use store_kit::{
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};
use tonic::service::Routes;

use delivery::{config::Delivery, sources::Stored};
use site::Site;

/// Configuration of this service alone.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// What mails say of the hospital.
    #[command(flatten)]
    pub site: Site,

    /// How mails leave the house.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// The process.
#[derive(Clone, Copy, Debug)]
pub struct Messaging;

#[async_trait]
impl Service for Messaging {
    type Arguments = Arguments;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-messaging",
        version: service_kit::version!(),
        about: "Takes the messages of visitors, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start(arguments: &Arguments, context: &Context) -> Result<Served, StartError> {
        let site = Arc::new(arguments.site.clone());
        let rpcs = MessagingServiceServer::new(service::MessagingRpcs::new(context));
        let has_sms = arguments.delivery.has_sms();
        let notices = notice::NoticeRpcs::new(context, Arc::clone(&site), has_sms);
        let notices =
            NoticeServiceServer::new(notices).max_decoding_message_size(notice::REQUEST_BYTES_MAX);
        let sources = Stored {
            database: context.database.clone(),
            keys: context.keys.clone(),
        };
        let courier = arguments
            .delivery
            .courier(site, Arc::new(sources), context)?;
        Ok(Served {
            routes: Routes::new(rpcs).add_service(notices),
            names: vec![
                messaging_service_server::SERVICE_NAME,
                notice_service_server::SERVICE_NAME,
            ],
            descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
            background: None,
            outlives_database: false,
            receiver: Some(Arc::new(courier)),
        })
    }
}
