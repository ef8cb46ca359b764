//! Databases of their own, a server on a free port, and requests.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, booking_service_client::BookingServiceClient,
};
use service_kit::{
    auth::{AuthConfig, Verifier},
    server::ServerConfig,
    source::{FixedClock, Ids as _, RandomIds},
};
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use store_kit::{
    database::Limits,
    error::StoreError,
    migrate,
    process::{self, Context},
    requests::RequestKey,
};
use svc_booking::{
    domain::{
        appointment::NewAppointment,
        change::{Appointment as Kept, Booking, Command},
        resources::Resources,
    },
    site::Site,
    store::{BookOutcome, CREATE, SCHEMA, Store},
    wire,
};
use test_kit::{database::TestDatabase, keys::keys};
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
    task::JoinHandle,
};
use tonic::transport::Channel;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(crate) const NOW: &str = "2026-11-21T09:30:00Z";
/// The Monday after.
pub(crate) const MONDAY: &str = "2026-11-23";
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// A database that belongs to one test.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) kind: Kind,
    pub(crate) url: String,
    pub(crate) own: TestDatabase,
}

/// Runs a case on a database of its own.
pub(crate) async fn run<F, Fut>(kind: Kind, case: F)
where
    F: FnOnce(Arc<Database>) -> Fut,
    Fut: Future<Output = ()>,
{
    let database = match kind {
        Kind::Sqlite => TestDatabase::sqlite(),
        Kind::Postgres => TestDatabase::postgres().await,
    };
    let database = Arc::new(Database::of(kind, database));
    case(Arc::clone(&database)).await;
    database.own.drop_if_exists().await;
}

impl Database {
    pub(crate) fn of(kind: Kind, database: TestDatabase) -> Self {
        Self {
            kind,
            url: database.url.clone(),
            own: database,
        }
    }

    /// The database with the schema of this build.
    pub(crate) async fn migrated(&self) -> store_kit::database::Database {
        let url = self.own.parsed_url();
        migrate::migrate(&url, &SCHEMA, &keys())
            .await
            .expect("migrated");
        store_kit::database::Database::open(&url, Limits::default(), SCHEMA, &keys())
            .await
            .expect("opened")
    }

    /// A store with the schema of this build.
    pub(crate) async fn open(&self) -> Store {
        Store::new(self.migrated().await, keys())
    }

    /// Runs a statement past the store. The text is the same on both databases.
    pub(crate) async fn execute(&self, sql: &'static str) -> Result<u64, sqlx::Error> {
        Ok(match self.kind {
            Kind::Sqlite => {
                let mut connection = SqliteConnection::connect(&self.url).await?;
                sqlx::query(sql)
                    .execute(&mut connection)
                    .await?
                    .rows_affected()
            }
            Kind::Postgres => {
                let mut connection = PgConnection::connect(&self.url).await?;
                sqlx::query(sql)
                    .execute(&mut connection)
                    .await?
                    .rows_affected()
            }
        })
    }

    /// Asks for one number past the store.
    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        match self.kind {
            Kind::Sqlite => {
                let mut connection = SqliteConnection::connect(&self.url)
                    .await
                    .expect("a connection");
                sqlx::query_scalar(sql).fetch_one(&mut connection).await
            }
            Kind::Postgres => {
                let mut connection = PgConnection::connect(&self.url)
                    .await
                    .expect("a connection");
                sqlx::query_scalar(sql).fetch_one(&mut connection).await
            }
        }
        .expect("a number")
    }
}

pub(crate) fn now() -> DateTime<Utc> {
    NOW.parse().expect("a moment")
}

/// Two departments: `ent` with four seats and doctors d1, d2, d3, and `urology` with a single seat.
pub(crate) fn resources() -> Resources {
    let mut text = String::from(
        "capacity_per_slot = 4\n\
         [[departments]]\nid = \"ent\"\nname = \"ENT\"\n\
         [[departments]]\nid = \"urology\"\nname = \"Urology\"\ncapacity_per_slot = 1\n",
    );
    for id in ["d1", "d2", "d3"] {
        let doctor = format!(
            "[[doctors]]\nid = \"{id}\"\ndepartment = \"ent\"\nweekdays = [\"Mon\", \"Tue\"]\n\
             from = \"9:00 AM\"\nuntil = \"12:00 PM\"\n"
        );
        text.push_str(&doctor);
    }
    Resources::parse("test.toml", &text).expect("valid")
}

/// A request that is right in every respect, with a new request id.
pub(crate) fn request(department: &str, doctor: &str, time: &str) -> CreateAppointmentRequest {
    CreateAppointmentRequest {
        appointment: Some(Appointment {
            patient_name: "Asha Rao".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0000".to_owned(),
            date: MONDAY.to_owned(),
            time: time.to_owned(),
            doctor_id: doctor.to_owned(),
            notes: department.to_owned(),
            ..Appointment::default()
        }),
        request_id: RandomIds.uuid().to_string(),
    }
}

/// The booking that such a request becomes.
pub(crate) fn booking(request: &CreateAppointmentRequest) -> Booking {
    let asked = wire::booking_request(request.clone());
    let (_, appointment) = NewAppointment::parse(&asked, &resources(), now()).expect("valid");
    Booking::new(appointment, &RandomIds, now())
}

pub(crate) fn key(request: &CreateAppointmentRequest) -> RequestKey {
    let body = wire::fingerprinted(request);
    RequestKey::new(&keys(), CREATE, &request.request_id, &body)
}

pub(crate) async fn book(
    store: &Store,
    request: &CreateAppointmentRequest,
) -> Result<BookOutcome, StoreError> {
    let command = Command::Book(booking(request));
    store.book(command, key(request), now()).await
}

pub(crate) fn is_booked(outcome: &BookOutcome) -> bool {
    matches!(outcome, BookOutcome::Created(_))
}

/// The appointment of a booking that must have gone well.
pub(crate) fn created(outcome: BookOutcome) -> Kept {
    match outcome {
        BookOutcome::Created(appointment) => *appointment,
        other => panic!("{other:?}"),
    }
}

/// A real server on a free port, with a clock that the test sets.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) client: BookingServiceClient<Channel>,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) store: store_kit::database::Database,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(database: &Database, resources: Resources) -> Self {
        Self::start_at(database, resources, now()).await
    }

    pub(crate) async fn start_at(
        database: &Database,
        resources: Resources,
        at: DateTime<Utc>,
    ) -> Self {
        let store = database.migrated().await;
        let clock = Arc::new(FixedClock::new(at));
        let (stopping_sender, stopping) = watch::channel(false);
        let context = Context {
            database: store.clone(),
            keys: keys(),
            clock: Arc::clone(&clock) as _,
            ids: Arc::new(RandomIds),
            stopping,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(async move {
            let shutdown = async move { drop(stopped.await) };
            let verifier = Verifier::from_config(&AuthConfig::default()).expect("a verifier");
            let served = svc_booking::served(resources, verifier, Site::default(), &context);
            let config = ServerConfig::default();
            process::serve(
                served,
                &context,
                stopping_sender,
                &config,
                listener,
                shutdown,
            )
            .await
            .expect("served");
        });
        let client = BookingServiceClient::connect(format!("http://{address}"))
            .await
            .expect("the server listens");
        Self {
            client,
            clock,
            store,
            stop,
            served,
        }
    }

    /// Stops gracefully; a server that cannot is a failed test.
    pub(crate) async fn stop(self) {
        drop(self.client);
        self.stop.send(()).expect("the server runs");
        self.served.await.expect("stopped");
    }
}
