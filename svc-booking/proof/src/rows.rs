//! Reads the database's rows directly, bypassing the service.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions,
};
use uuid::Uuid;

use crate::Result;

/// A seat row, whose holder may have expired.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct SeatRow {
    pub resource: String,
    pub starts_at: DateTime<Utc>,
    pub seat: i64,
    pub holder_kind: String,
    pub holder_id: Uuid,
    pub expire_time: Option<DateTime<Utc>>,
}

impl SeatRow {
    pub fn is_held(&self, now: DateTime<Utc>) -> bool {
        self.expire_time.is_none_or(|until| now < until)
    }
}

/// An appointment without personal data.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct AppointmentRow {
    pub id: Uuid,
    pub department_id: String,
    pub starts_at: DateTime<Utc>,
    pub status: String,
    pub version: i64,
    pub delete_time: Option<DateTime<Utc>>,
    /// Keyed hash of the e-mail address.
    pub email_index: Option<Vec<u8>>,
    /// Keyed hash of the network of the booking.
    pub network: Option<Vec<u8>>,
    pub proof: String,
}

impl AppointmentRow {
    /// Returns whether it must have a seat.
    pub fn is_live(&self) -> bool {
        self.status != "cancelled" && self.delete_time.is_none()
    }

    /// Returns whether it is booked and has not started.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        self.status == "booked" && self.delete_time.is_none() && self.starts_at > now
    }

    pub fn is_proven(&self) -> bool {
        self.proof != "unproven"
    }
}

/// A waitlist entry.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct EntryRow {
    pub id: Uuid,
    pub state: String,
    pub proof: Option<String>,
    pub offer_starts_at: Option<DateTime<Utc>>,
    pub offer_expire_time: Option<DateTime<Utc>>,
    pub appointment_id: Option<Uuid>,
}

/// One version of an appointment.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct EventRow {
    pub appointment_id: Uuid,
    pub version: i64,
    pub kind: String,
}

/// A snapshot of the tables.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub seats: Vec<SeatRow>,
    pub appointments: Vec<AppointmentRow>,
    pub entries: Vec<EntryRow>,
    /// Read only at the end of a trial.
    pub events: Vec<EventRow>,
}

const SEATS: &str =
    "SELECT resource, starts_at, seat, holder_kind, holder_id, expire_time FROM seats";
const APPOINTMENTS: &str = "\
SELECT appointments.id, department_id, starts_at, status, version, delete_time, email_index, network, proof
FROM appointments LEFT JOIN contacts ON contacts.id = appointments.id";
const ENTRIES: &str = "\
SELECT id, state, proof, offer_starts_at, offer_expire_time, appointment_id FROM waitlist_entries";
const EVENTS: &str = "SELECT appointment_id, version, kind FROM events";

/// Maximum time that the observer waits for the service's write lock.
const BUSY_MAX: Duration = Duration::from_secs(30);

/// The observer's database connection.
#[derive(Debug)]
pub enum Observer {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

macro_rules! read {
    ($connection:ident, $begin:literal, $with_events:ident) => {{
        sqlx::raw_sql($begin).execute(&mut *$connection).await?;
        let rows = Rows {
            seats: sqlx::query_as(SEATS).fetch_all(&mut *$connection).await?,
            appointments: sqlx::query_as(APPOINTMENTS)
                .fetch_all(&mut *$connection)
                .await?,
            entries: sqlx::query_as(ENTRIES).fetch_all(&mut *$connection).await?,
            events: if $with_events {
                sqlx::query_as(EVENTS).fetch_all(&mut *$connection).await?
            } else {
                Vec::new()
            },
        };
        sqlx::raw_sql("COMMIT").execute(&mut *$connection).await?;
        rows
    }};
}

impl Observer {
    pub async fn connect(url: &str) -> Result<Self> {
        Ok(if url.starts_with("sqlite:") {
            let options: SqliteConnectOptions = url.parse()?;
            let options = options.busy_timeout(BUSY_MAX);
            Self::Sqlite(SqliteConnection::connect_with(&options).await?)
        } else {
            Self::Postgres(PgConnection::connect(url).await?)
        })
    }

    /// Reads a consistent snapshot of all tables.
    pub async fn read(&mut self, with_events: bool) -> Result<Rows> {
        Ok(match self {
            Self::Sqlite(connection) => read!(connection, "BEGIN", with_events),
            Self::Postgres(connection) => {
                read!(
                    connection,
                    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                    with_events
                )
            }
        })
    }

    /// Executes statements of the proof, such as a sabotage.
    pub async fn execute(&mut self, sql: &str) -> Result<()> {
        let sql = AssertSqlSafe(sql.to_owned());
        match self {
            Self::Sqlite(connection) => sqlx::raw_sql(sql).execute(connection).await.map(drop),
            Self::Postgres(connection) => sqlx::raw_sql(sql).execute(connection).await.map(drop),
        }?;
        Ok(())
    }
}
