//! Appointments in PostgreSQL. One request uses one connection and never asks the pool a second time.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::database::{DatabaseKind, DatabaseUrl, open_postgres, span};
use sqlx::{PgConnection, PgPool};
use tracing::Instrument as _;

use super::{AppointmentRow, BookOutcome, Store, StoreLimits};
use crate::{
    domain::{
        availability::BookedSeats,
        booking::{Booking, RequestKey, SeatClaim},
    },
    error::StoreError,
};

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("migrations/postgres");
/// A transaction that the database gave up for another's sake is repeated this often at most.
const ATTEMPTS_MAX: u32 = 3;

/// The appointment, and what is to be told about it: one statement, so one journey to the server.
const INSERT_APPOINTMENT: &str = "\
WITH appointment AS (
    INSERT INTO appointments (id, request_id, request_fingerprint, reference, patient_name, email, phone,
                              starts_at, reason, doctor_id, notes, department_id, status, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'booked', $13)
    ON CONFLICT DO NOTHING
    RETURNING id, request_fingerprint, reference, patient_name, email, phone, starts_at, reason, doctor_id, notes,
              department_id, status, created_at
), told AS (
    INSERT INTO outbox (appointment_id, kind, created_at)
    SELECT id, 'appointment.booked', created_at FROM appointment
)
SELECT * FROM appointment";

const SELECT_BY_REQUEST_ID: &str = "\
SELECT id, request_fingerprint, reference, patient_name, email, phone, starts_at, reason, doctor_id, notes,
       department_id, status, created_at
FROM appointments
WHERE request_id = $1";

/// Takes the first free seat, counted from seat $5 round. `wanted` is that seat; `claimed` stays NULL when
/// another transaction took it in the meantime. Both are NULL when every seat is booked.
const CLAIM_SEAT: &str = "\
WITH free AS (
    SELECT number AS seat
    FROM generate_series(1, $4::bigint) AS number
    WHERE NOT EXISTS (
        SELECT FROM seats
        WHERE resource = $2 AND starts_at = $3 AND seats.seat = number AND status = 'booked'
    )
    ORDER BY (number + $5) % $4
    LIMIT 1
), claimed AS (
    INSERT INTO seats (appointment_id, resource, starts_at, seat, status)
    SELECT $1, $2, $3, seat, 'booked' FROM free
    ON CONFLICT (resource, starts_at, seat) WHERE status = 'booked' DO NOTHING
    RETURNING seat
)
SELECT (SELECT seat FROM free) AS wanted, (SELECT seat FROM claimed) AS claimed";

const COUNT_BOOKED: &str = "\
SELECT starts_at, count(*)
FROM seats
WHERE resource = $1 AND starts_at >= $2 AND starts_at < $3 AND seat <= $4 AND status = 'booked'
GROUP BY starts_at";

/// Brings the schema up to date; concurrent calls wait for each other.
pub(super) async fn migrate(url: &DatabaseUrl) -> Result<(), StoreError> {
    let pool = open_postgres(url, 1).await?;
    MIGRATIONS.run(&pool).await?;
    pool.close().await;
    Ok(())
}

/// The store on PostgreSQL.
#[derive(Debug)]
pub struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    /// Opens a database that has the schema of this build.
    pub async fn open(url: &DatabaseUrl, limits: StoreLimits) -> Result<Self, StoreError> {
        let pool = open_postgres(url, limits.connections_max).await?;
        let store = Self { pool };
        store.check_schema().await?;
        Ok(store)
    }

    async fn check_schema(&self) -> Result<(), StoreError> {
        let newest = MIGRATIONS
            .iter()
            .map(|migration| migration.version)
            .max()
            .unwrap_or(0);
        let has_any: bool =
            sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
                .fetch_one(&self.pool)
                .await?;
        let present = has_any
            && sqlx::query_scalar(
                "SELECT EXISTS (SELECT FROM _sqlx_migrations WHERE version = $1 AND success)",
            )
            .bind(newest)
            .fetch_one(&self.pool)
            .await?;
        if present {
            Ok(())
        } else {
            Err(StoreError::NotMigrated { version: newest })
        }
    }

    async fn book_once(&self, booking: &Booking) -> Result<BookOutcome, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let (outcome, is_new) = book_within(&mut transaction, booking).await?;
        if is_new {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        Ok(outcome)
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn book(&self, booking: Booking) -> Result<BookOutcome, StoreError> {
        let work = async {
            let mut attempt = 1;
            loop {
                match self.book_once(&booking).await {
                    Err(error) if error.is_transient_conflict() && attempt < ATTEMPTS_MAX => {
                        attempt += 1;
                    }
                    outcome => return outcome,
                }
            }
        };
        work.instrument(span("INSERT appointments", DatabaseKind::Postgres))
            .await
    }

    async fn recall(&self, request: &RequestKey) -> Result<Option<AppointmentRow>, StoreError> {
        let row: Option<AppointmentRow> = sqlx::query_as(SELECT_BY_REQUEST_ID)
            .bind(request.request_id())
            .fetch_optional(&self.pool)
            .instrument(span("SELECT appointments", DatabaseKind::Postgres))
            .await?;
        Ok(row.filter(|row| row.request_fingerprint == request.fingerprint()))
    }

    async fn booked_seats(
        &self,
        claim: &SeatClaim,
        (from, until): (DateTime<Utc>, DateTime<Utc>),
    ) -> Result<BookedSeats, StoreError> {
        let rows: Vec<(DateTime<Utc>, i64)> = sqlx::query_as(COUNT_BOOKED)
            .bind(&claim.resource)
            .bind(from)
            .bind(until)
            .bind(i64::from(claim.capacity))
            .fetch_all(&self.pool)
            .instrument(span("SELECT seats", DatabaseKind::Postgres))
            .await?;
        Ok(super::counted(rows))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// The outcome, and whether there is something to commit.
async fn book_within(
    connection: &mut PgConnection,
    booking: &Booking,
) -> Result<(BookOutcome, bool), StoreError> {
    let mut inserted = None;
    for reference in &booking.references {
        inserted = insert_appointment(connection, booking, reference).await?;
        if inserted.is_some() {
            break;
        }
        // Another appointment has the request id or the reference; only the former is an answer.
        let earlier: Option<AppointmentRow> = sqlx::query_as(SELECT_BY_REQUEST_ID)
            .bind(booking.request.request_id())
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(earlier) = earlier {
            return Ok((earlier.answer_to(&booking.request), false));
        }
    }
    let row = inserted.ok_or(StoreError::ReferencesTaken)?;
    for claim in booking.appointment.claims() {
        if !claim_seat(connection, booking, claim).await? {
            return Ok((BookOutcome::SlotTaken, false));
        }
    }
    Ok((BookOutcome::Booked(Box::new(row)), true))
}

async fn insert_appointment(
    connection: &mut PgConnection,
    booking: &Booking,
    reference: &str,
) -> Result<Option<AppointmentRow>, StoreError> {
    let appointment = &booking.appointment;
    Ok(sqlx::query_as(INSERT_APPOINTMENT)
        .bind(booking.id)
        .bind(booking.request.request_id())
        .bind(booking.request.fingerprint())
        .bind(reference)
        .bind(appointment.patient_name())
        .bind(appointment.email())
        .bind(appointment.phone())
        .bind(appointment.starts_at())
        .bind(appointment.reason())
        .bind(appointment.doctor_id())
        .bind(appointment.notes())
        .bind(appointment.department_id())
        .bind(booking.created_at)
        .fetch_optional(connection)
        .await?)
}

/// Whether a seat was found. Each lost try means that another booking got a seat, so after as many tries
/// as there are seats all of them were taken.
async fn claim_seat(
    connection: &mut PgConnection,
    booking: &Booking,
    claim: &SeatClaim,
) -> Result<bool, StoreError> {
    let capacity = i64::from(claim.capacity);
    let mut start = capacity - 1; // seat 1 first
    for _ in 0..=claim.capacity {
        let (wanted, claimed): (Option<i64>, Option<i64>) = sqlx::query_as(CLAIM_SEAT)
            .bind(booking.id)
            .bind(&claim.resource)
            .bind(booking.appointment.starts_at())
            .bind(capacity)
            .bind(start)
            .fetch_one(&mut *connection)
            .await?;
        if claimed.is_some() {
            return Ok(true);
        }
        if wanted.is_none() {
            return Ok(false);
        }
        // Those who lost start at different seats, so that they do not meet again.
        start = i64::from(booking.id.as_fields().0) % capacity;
    }
    Ok(false)
}
