//! Where appointments are kept. SQL lives in the two modules below and nowhere else.

pub mod postgres;
pub mod sqlite;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::database::{DatabaseKind, DatabaseUrl};
use uuid::Uuid;

use crate::{
    domain::{
        availability::BookedSeats,
        booking::{Booking, RequestKey, SeatClaim},
    },
    error::StoreError,
};

/// The unit of work of every method is whole: it begins and commits inside.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Books all seats of an appointment or none, once per request id.
    async fn book(&self, booking: Booking) -> Result<BookOutcome, StoreError>;

    /// The answer that the request id got before, if it got one for the same body.
    async fn recall(&self, request: &RequestKey) -> Result<Option<AppointmentRow>, StoreError>;

    /// Booked seats of one resource from `span.0` up to but without `span.1`. Only seats that a booking
    /// of today could take count, so that a lowered capacity is told right.
    async fn booked_seats(
        &self,
        claim: &SeatClaim,
        span: (DateTime<Utc>, DateTime<Utc>),
    ) -> Result<BookedSeats, StoreError>;

    /// Whether a booking could be written now, as far as that is cheap to tell.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Finishes what was accepted and closes the connections.
    async fn close(&self);
}

/// What became of a booking. Losing a race is an outcome, not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookOutcome {
    /// Booked now, or by an earlier call with the same request id and body.
    Booked(Box<AppointmentRow>),
    /// No seat is left.
    SlotTaken,
    /// The request id belongs to a booking with another body.
    RequestIdReused,
}

/// An appointment as stored.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct AppointmentRow {
    pub id: Uuid,
    pub request_fingerprint: Vec<u8>,
    pub reference: String,
    pub patient_name: String,
    pub email: String,
    pub phone: String,
    pub starts_at: DateTime<Utc>,
    pub reason: String,
    pub doctor_id: Option<String>,
    pub notes: String,
    pub department_id: String,
    pub status: String,
    pub created_at: DateTime<Utc>,
}

impl AppointmentRow {
    /// What a repeated request id gets.
    fn answer_to(self, request: &RequestKey) -> BookOutcome {
        if self.request_fingerprint == request.fingerprint() {
            BookOutcome::Booked(Box::new(self))
        } else {
            BookOutcome::RequestIdReused
        }
    }
}

/// Bounds of a store.
#[derive(Debug, Clone, Copy)]
pub struct StoreLimits {
    /// Connections to PostgreSQL.
    pub connections_max: u32,
    /// Bookings that wait for the writer of SQLite; one more is refused as busy.
    pub write_queue_max: usize,
    /// Bookings that the writer of SQLite commits together.
    pub write_batch_max: usize,
}

/// Opens the store that the URL names. SQLite brings its schema up to date; PostgreSQL must have it.
pub async fn open(url: &DatabaseUrl, limits: StoreLimits) -> Result<Arc<dyn Store>, StoreError> {
    Ok(match url.kind() {
        DatabaseKind::Sqlite => Arc::new(sqlite::SqliteStore::open(url, limits).await?),
        DatabaseKind::Postgres => Arc::new(postgres::PostgresStore::open(url, limits).await?),
    })
}

/// Brings the schema up to date; harmless when it is.
pub async fn migrate(url: &DatabaseUrl) -> Result<(), StoreError> {
    match url.kind() {
        DatabaseKind::Sqlite => sqlite::migrate(url).await,
        DatabaseKind::Postgres => postgres::migrate(url).await,
    }
}

/// Counts of an aggregate, which cannot be negative.
fn counted(rows: Vec<(DateTime<Utc>, i64)>) -> BookedSeats {
    rows.into_iter()
        .map(|(starts_at, seats)| (starts_at, u32::try_from(seats).unwrap_or(u32::MAX)))
        .collect()
}
