//! Databases of their own, a server on a free port, and requests.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, booking_service_client::BookingServiceClient,
};
use service_kit::{
    database::DatabaseUrl,
    server::ServerConfig,
    source::{FixedClock, Ids as _, RandomIds},
};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use svc_booking::{
    Parts,
    domain::{appointment::NewAppointment, booking::Booking, resources::Resources},
    serve,
    store::{self, BookOutcome, Store, StoreLimits},
};
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use tonic::transport::Channel;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(crate) const NOW: &str = "2026-11-21T09:30:00Z";
/// The Monday after.
pub(crate) const MONDAY: &str = "2026-11-23";
pub(crate) const LIMITS: StoreLimits = StoreLimits {
    connections_max: 8,
    write_queue_max: 1024,
    write_batch_max: 64,
};

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
    /// The file lives as long as the test.
    _folder: Option<tempfile::TempDir>,
}

/// Runs a case on a database of its own. One that fails leaves its PostgreSQL database for a look.
pub(crate) async fn run<F, Fut>(kind: Kind, case: F)
where
    F: FnOnce(Arc<Database>) -> Fut,
    Fut: Future<Output = ()>,
{
    match kind {
        Kind::Sqlite => {
            let folder = tempfile::tempdir().expect("a folder");
            let url = format!("sqlite:{}", folder.path().join("booking.db").display());
            case(Arc::new(Database {
                kind,
                url,
                _folder: Some(folder),
            }))
            .await;
        }
        Kind::Postgres => {
            let server = test_kit::database::postgres_server();
            let name = format!("booking_{}", RandomIds.uuid().simple());
            let mut admin = PgConnection::connect(&server)
                .await
                .expect("PostgreSQL listens");
            let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
            sqlx::query(create)
                .execute(&mut admin)
                .await
                .expect("a database");
            let (base, _) = server
                .rsplit_once('/')
                .expect("a URL that names a database");
            let url = format!("{base}/{name}");
            case(Arc::new(Database {
                kind,
                url,
                _folder: None,
            }))
            .await;
            let remove = AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"));
            sqlx::query(remove)
                .execute(&mut admin)
                .await
                .expect("removed");
        }
    }
}

impl Database {
    pub(crate) fn parsed_url(&self) -> DatabaseUrl {
        self.url.parse().expect("a URL")
    }

    /// A store with the schema of this build.
    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        store::migrate(&self.parsed_url()).await.expect("migrated");
        store::open(&self.parsed_url(), LIMITS)
            .await
            .expect("opened")
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
    let (key, appointment) = NewAppointment::parse(request, &resources(), now()).expect("valid");
    Booking::new(key, appointment, &RandomIds, now())
}

pub(crate) fn is_booked(outcome: &BookOutcome) -> bool {
    matches!(outcome, BookOutcome::Booked(_))
}

/// A real server on a free port, with a clock that the test sets.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) client: BookingServiceClient<Channel>,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) store: Arc<dyn Store>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(database: &Database, resources: Resources) -> Self {
        let store = database.open().await;
        let clock = Arc::new(FixedClock::new(now()));
        let parts = Parts {
            store: Arc::clone(&store),
            resources: Arc::new(resources),
            clock: Arc::clone(&clock) as _,
            ids: Arc::new(RandomIds),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(async move {
            let shutdown = async move { drop(stopped.await) };
            serve(parts, &ServerConfig::default(), listener, shutdown)
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
