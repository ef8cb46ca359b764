//! Team booking: departments, free times and appointments.
//!
//! `domain` knows the rules and nothing else; `store` knows SQL and nothing of the rules; `service` is the gRPC face of both, and
//! `wire` stands between the contract and the domain.

pub mod calendar_file;
pub mod domain;
pub mod fhir;
mod metrics;
pub mod service;
pub mod site;
pub mod store;
pub mod wire;

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use hospital_proto::booking::v1::{
    booking_service_server::{BookingServiceServer, SERVICE_NAME},
    consultation_service_server::{self, ConsultationServiceServer},
};
use service_kit::{
    auth::{AuthConfig, Verifier},
    source::{Clock, Ids},
};
use store_kit::{
    keys::Keys,
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};

use domain::resources::{Resources, ResourcesError};
use site::Site;
use store::Store;

/// Largest request that is read, in bytes: the longest valid one in four-byte characters, and some air.
const REQUEST_BYTES_MAX: usize = 64 * 1024;

/// Configuration of this service alone.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// TOML file of departments, doctors and holidays, instead of the one that is part of the program.
    #[arg(long, env = "RESOURCES", value_name = "PATH")]
    pub resources: Option<PathBuf>,

    /// Whose tokens staff have.
    #[command(flatten)]
    pub auth: AuthConfig,

    /// What files that leave the site say of the hospital.
    #[command(flatten)]
    pub site: Site,
}

/// The state of the booking service.
#[derive(Clone, Debug)]
pub struct Parts {
    pub store: Store,
    pub keys: Keys,
    /// Who of the staff may read and change what patients gave.
    pub verifier: Verifier,
    pub resources: Arc<Resources>,
    /// What calendar files say of the hospital.
    pub site: Arc<Site>,
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

/// The process.
#[derive(Clone, Copy, Debug)]
pub struct Booking;

#[async_trait]
impl Service for Booking {
    type Arguments = Arguments;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-booking",
        version: service_kit::version!(),
        about: "Departments, free times and appointments, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start(arguments: &Arguments, context: &Context) -> Result<Served, StartError> {
        let resources = load_resources(arguments.resources.as_deref())?;
        let verifier = Verifier::from_config(&arguments.auth)?;
        Ok(served(resources, verifier, arguments.site.clone(), context))
    }
}

/// The RPCs on a database.
pub fn served(resources: Resources, verifier: Verifier, site: Site, context: &Context) -> Served {
    resources.warn_of_ending_holidays(context.clock.now());
    let parts = Parts {
        store: Store::new(context.database.clone(), context.keys.clone()),
        keys: context.keys.clone(),
        verifier,
        resources: Arc::new(resources),
        site: Arc::new(site),
        clock: Arc::clone(&context.clock),
        ids: Arc::clone(&context.ids),
    };
    let consultations = service::consultations::ConsultationRpcs::new(parts.clone());
    let consultations =
        ConsultationServiceServer::new(consultations).max_decoding_message_size(REQUEST_BYTES_MAX);
    let rpcs = BookingServiceServer::new(service::BookingRpcs::new(parts))
        .max_decoding_message_size(REQUEST_BYTES_MAX);
    Served {
        routes: tonic::service::Routes::new(rpcs).add_service(consultations),
        names: vec![SERVICE_NAME, consultation_service_server::SERVICE_NAME],
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        background: None,
        outlives_database: false,
        receiver: None,
    }
}

/// The resources of a file, or the hospital's own.
fn load_resources(path: Option<&std::path::Path>) -> Result<Resources, LoadError> {
    let Some(path) = path else {
        return Ok(Resources::embedded());
    };
    let text = std::fs::read_to_string(path).map_err(|source| LoadError::Read {
        path: path.display().to_string(),
        source,
    })?;
    Ok(Resources::parse(&path.display().to_string(), &text)?)
}
