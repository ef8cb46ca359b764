//! Team booking: departments, free times and appointments.
//!
//! `domain` contains the rules and depends on nothing else. `store` contains the SQL and no rules. `service` exposes
//! both over gRPC, and `wire` converts between the contract and the domain.

pub mod calendar_file;
pub mod day_list;
pub mod domain;
pub mod fhir;
mod metrics;
pub mod notices;
mod secret;
pub mod service;
pub mod site;
pub mod store;
mod translations;
pub mod wire;

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use chrono::TimeDelta;
use domain::{
    hold::HOLD_TIME,
    proof::{OPEN_OF_ADDRESS, OPEN_OF_NETWORK, OpenLimits},
    retention::Retention,
    roster::{Seed, SeedError},
};
use hospital_proto::booking::v1::{
    access_service_server::{self, AccessServiceServer},
    booking_service_server::{self, BookingServiceServer},
    consultation_service_server::{self, ConsultationServiceServer},
    desk_service_server::{self, DeskServiceServer},
    fhir_service_server::{self, FhirServiceServer},
    leave_request_service_server::{self, LeaveRequestServiceServer},
    privacy_service_server::{self, PrivacyServiceServer},
    roster_service_server::{self, RosterServiceServer},
    waitlist_service_server::{self, WaitlistServiceServer},
};
use notices::{
    Notifier,
    connection::{Messaging, MessagingConfig},
};
use service::{
    AccessRpcs, BookingRpcs, ConsultationRpcs, DeskRpcs, FhirRpcs, LeaveRequestRpcs, PrivacyRpcs,
    RosterRpcs, Seen, WaitlistRpcs,
};
use service_kit::{
    auth::{AuthConfig, Verifier},
    source::{Clock, Ids},
};
use site::Site;
use store::Store;
use store_kit::{
    keys::Keys,
    migrate::Schema,
    process::{Context, Defaults, Served, Service, StartError},
};

/// Maximum request size in bytes: the longest valid request in four-byte characters, plus a margin.
const REQUEST_BYTES_MAX: usize = 64 * 1024;

/// [`HOLD_TIME`] in seconds.
const HOLD_SECONDS: u16 = 300;

/// Settings specific to this service.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// TOML file with the departments and doctors, and the initial sessions, leaves and holidays of an empty database.
    /// Default: the file embedded in the program.
    #[arg(long, env = "RESOURCES", value_name = "PATH")]
    pub resources: Option<PathBuf>,

    /// Maximum proven open appointments per e-mail address, 1 to 100.
    #[arg(long, env = "OPEN_APPOINTMENTS_MAX", value_name = "COUNT", default_value_t = OPEN_OF_ADDRESS,
          value_parser = clap::value_parser!(u8).range(1..=100))]
    pub open_appointments_max: u8,

    /// Maximum open appointments with unproven e-mail addresses that are booked from one network (IPv4 /24 or IPv6
    /// /48), 1 to 1,000,000. Mobile carriers put many people behind one network.
    #[arg(long, env = "NETWORK_APPOINTMENTS_MAX", value_name = "COUNT", default_value_t = OPEN_OF_NETWORK,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub network_appointments_max: u32,

    /// Seconds that a slot is held while its visitor fills in the form, 1 to 300.
    #[arg(long, env = "HOLD_SECONDS", value_name = "SECONDS", default_value_t = HOLD_SECONDS,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(HOLD_SECONDS)))]
    pub hold_seconds: u16,

    /// Folder of the day lists: one HTML file for each of today and tomorrow, with patients' names, for printing when
    /// everything is down. Made with mode 0700. Default: none are written.
    #[arg(long, env = "DAY_LIST_DIR", value_name = "FOLDER")]
    pub day_list_dir: Option<PathBuf>,

    /// Connection to the messaging service.
    #[command(flatten)]
    pub messaging: MessagingConfig,

    /// Verification of staff tokens.
    #[command(flatten)]
    pub auth: AuthConfig,

    /// Details of the hospital in calendar files and mails.
    #[command(flatten)]
    pub site: Site,

    /// Retention periods.
    #[command(flatten)]
    pub retention: Retention,
}

impl Arguments {
    fn open_limits(&self) -> OpenLimits {
        OpenLimits {
            of_address: self.open_appointments_max.into(),
            of_network: self.network_appointments_max,
        }
    }
}

/// Shared state of the booking service.
#[derive(Clone, Debug)]
pub struct Parts {
    pub store: Store,
    pub keys: Keys,
    /// Verifies staff tokens and their scopes.
    pub verifier: Verifier,
    /// Publishes visible changes to watchers.
    pub seen: Seen,
    /// Details of the hospital in calendar files and mails.
    pub site: Arc<Site>,
    /// See [`Limits::hold_time`].
    pub hold_time: TimeDelta,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

/// The resources file cannot be read or is invalid.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot read {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error(transparent)]
    Parse(#[from] SeedError),
}

/// The booking service process.
#[derive(Clone, Copy, Debug)]
pub struct Booking;

#[async_trait]
impl Service for Booking {
    type Arguments = Arguments;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-booking",
        version: service_kit::version!(),
        team: "booking",
        about: "Departments, free times and appointments, over gRPC. Without a command it serves.",
        listen: env!("SERVICE_LISTEN"),
        operators_listen: env!("SERVICE_OPERATORS_LISTEN"),
        database_url: env!("SERVICE_DATABASE_URL"),
    };

    const SCHEMA: Schema = store::SCHEMA;

    async fn start(arguments: &Arguments, context: &Context) -> Result<Served, StartError> {
        metrics::register();
        let seed = load_seed(arguments.resources.as_deref())?;
        let verifier = Verifier::from_config(&arguments.auth)?;
        let limits = Limits {
            open: arguments.open_limits(),
            hold_time: TimeDelta::seconds(arguments.hold_seconds.into()),
            retention: arguments.retention,
        };
        let messaging = arguments.messaging.messaging()?;
        if messaging.is_none() {
            tracing::warn!("MESSAGING_URL is not set: notices to patients wait in the outbox");
        }
        let site = arguments.site.clone().complete(context.is_development)?;
        let day_list_dir = arguments.day_list_dir.clone();
        Ok(served(
            seed,
            limits,
            verifier,
            site,
            messaging,
            day_list_dir,
            context,
        ))
    }

    async fn retain(
        arguments: &Arguments,
        context: &Context,
        dry_run: bool,
    ) -> Result<Vec<String>, StartError> {
        let seed = load_seed(arguments.resources.as_deref())?;
        let (database, keys) = (context.database.clone(), context.keys.clone());
        let store = Store::new(database, keys, seed, arguments.open_limits());
        let now = context.clock.now();
        Ok(if dry_run {
            store
                .over(&arguments.retention, now)
                .await?
                .report("expired")
        } else {
            store
                .retain(&arguments.retention, now)
                .await?
                .report("removed")
        })
    }
}

/// Configured limits.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Limits of open appointments.
    pub open: OpenLimits,
    /// Lifetime of a hold.
    pub hold_time: TimeDelta,
    /// Retention periods.
    pub retention: Retention,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            open: OpenLimits::default(),
            hold_time: HOLD_TIME,
            retention: Retention::default(),
        }
    }
}

/// Assembles the RPCs, the background tasks and the outbox's receiver on a database.
pub fn served(
    seed: Seed,
    limits: Limits,
    verifier: Verifier,
    site: Site,
    messaging: Option<Messaging>,
    day_list_dir: Option<PathBuf>,
    context: &Context,
) -> Served {
    let (database, keys) = (context.database.clone(), context.keys.clone());
    let parts = Arc::new(Parts {
        store: Store::new(database, keys.clone(), seed, limits.open),
        keys,
        verifier,
        seen: Seen::new(context.ids.uuid()),
        site: Arc::new(site),
        hold_time: limits.hold_time,
        clock: Arc::clone(&context.clock),
        ids: Arc::clone(&context.ids),
    });
    macro_rules! server {
        ($server:ident, $rpcs:ident) => {
            $server::new($rpcs(Arc::clone(&parts))).max_decoding_message_size(REQUEST_BYTES_MAX)
        };
    }
    let changes = change_rpc::server(Arc::clone(&parts.seen.0), context.stopping.clone());
    let routes = tonic::service::Routes::new(server!(BookingServiceServer, BookingRpcs))
        .add_service(server!(AccessServiceServer, AccessRpcs))
        .add_service(server!(ConsultationServiceServer, ConsultationRpcs))
        .add_service(server!(DeskServiceServer, DeskRpcs))
        .add_service(server!(FhirServiceServer, FhirRpcs))
        .add_service(server!(LeaveRequestServiceServer, LeaveRequestRpcs))
        .add_service(server!(PrivacyServiceServer, PrivacyRpcs))
        .add_service(server!(RosterServiceServer, RosterRpcs))
        .add_service(server!(WaitlistServiceServer, WaitlistRpcs))
        .add_service(changes)
        .add_service(audit_rpc::server(context, parts.verifier.clone()));
    let receiver = messaging.map(|messaging| {
        let notifier = Notifier::new(Arc::clone(&parts), messaging);
        Arc::new(notifier) as Arc<dyn store_kit::outbox::Deliver>
    });
    let background: store_kit::process::Background = Box::new(move |ready| {
        Box::pin(async move {
            ready.send_replace(true);
            let offers = service::pass_offers_on(Arc::clone(&parts));
            let bursts = service::watch_bursts(Arc::clone(&parts));
            let holidays = service::watch_holidays(Arc::clone(&parts));
            let day_lists = day_list::keep_day_lists(Arc::clone(&parts), day_list_dir);
            let retention = service::keep_retention(parts, limits.retention);
            tokio::join!(offers, bursts, holidays, day_lists, retention);
        })
    });
    Served {
        routes,
        names: vec![
            access_service_server::SERVICE_NAME,
            booking_service_server::SERVICE_NAME,
            consultation_service_server::SERVICE_NAME,
            desk_service_server::SERVICE_NAME,
            fhir_service_server::SERVICE_NAME,
            leave_request_service_server::SERVICE_NAME,
            privacy_service_server::SERVICE_NAME,
            roster_service_server::SERVICE_NAME,
            waitlist_service_server::SERVICE_NAME,
            change_rpc::SERVICE_NAME,
            audit_rpc::SERVICE_NAME,
        ],
        descriptor_set: hospital_proto::FILE_DESCRIPTOR_SET,
        background: Some(background),
        outlives_database: false,
        receiver,
    }
}

/// Loads the seed from a file, or the embedded one.
fn load_seed(path: Option<&std::path::Path>) -> Result<Seed, LoadError> {
    let Some(path) = path else {
        return Ok(Seed::embedded());
    };
    let text = std::fs::read_to_string(path).map_err(|source| LoadError::Read {
        path: path.display().to_string(),
        source,
    })?;
    Ok(Seed::parse(&path.display().to_string(), &text)?)
}
