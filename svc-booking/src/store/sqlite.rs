//! Appointments in an SQLite file. SQLite has one writer, so one task writes: it takes every booking that
//! waits and commits them together, because the `fsync` of a commit costs more than all the rest.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::database::{DatabaseKind, DatabaseUrl, SqlitePools, open_sqlite, span};
use sqlx::{Connection as _, SqliteConnection, SqlitePool};
use tokio::{
    sync::{Mutex, mpsc, oneshot},
    task::JoinHandle,
};
use tracing::Instrument as _;

use super::{AppointmentRow, BookOutcome, Store, StoreLimits};
use crate::{
    domain::{
        availability::BookedSeats,
        booking::{Booking, RequestKey, SeatClaim},
    },
    error::StoreError,
};

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");

const INSERT_APPOINTMENT: &str = "\
INSERT INTO appointments (id, request_id, request_fingerprint, reference, patient_name, email, phone, starts_at,
                          reason, doctor_id, notes, department_id, status, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'booked', $13)
ON CONFLICT DO NOTHING
RETURNING id, request_fingerprint, reference, patient_name, email, phone, starts_at, reason, doctor_id, notes,
          department_id, status, created_at";

const SELECT_BY_REQUEST_ID: &str = "\
SELECT id, request_fingerprint, reference, patient_name, email, phone, starts_at, reason, doctor_id, notes,
       department_id, status, created_at
FROM appointments
WHERE request_id = $1";

/// Takes the first free seat; no row when every seat is booked.
const CLAIM_SEAT: &str = "\
WITH RECURSIVE number (seat) AS (
    SELECT 1 UNION ALL SELECT seat + 1 FROM number WHERE seat < $4
)
INSERT INTO seats (appointment_id, resource, starts_at, seat, status)
SELECT $1, $2, $3, seat, 'booked'
FROM number
WHERE NOT EXISTS (
    SELECT 1 FROM seats
    WHERE resource = $2 AND starts_at = $3 AND seats.seat = number.seat AND status = 'booked'
)
LIMIT 1
ON CONFLICT (resource, starts_at, seat) WHERE status = 'booked' DO NOTHING";

const INSERT_OUTBOX: &str = "\
INSERT INTO outbox (appointment_id, kind, created_at) VALUES ($1, 'appointment.booked', $2)";

const COUNT_BOOKED: &str = "\
SELECT starts_at, count(*)
FROM seats
WHERE resource = $1 AND starts_at >= $2 AND starts_at < $3 AND seat <= $4 AND status = 'booked'
GROUP BY starts_at";

/// Brings the schema up to date.
pub(super) async fn migrate(url: &DatabaseUrl) -> Result<(), StoreError> {
    let pools = open_sqlite(url).await?;
    MIGRATIONS.run(&pools.write).await?;
    pools.write.close().await;
    pools.read.close().await;
    Ok(())
}

/// The store on an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    pools: SqlitePools,
    queue: Mutex<Option<mpsc::Sender<Waiting>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// A booking that waits for the writer, and where its outcome goes.
struct Waiting {
    booking: Booking,
    reply: oneshot::Sender<Result<BookOutcome, StoreError>>,
}

impl SqliteStore {
    /// Opens the file, makes it if need be, brings its schema up to date and starts the writer.
    pub async fn open(url: &DatabaseUrl, limits: StoreLimits) -> Result<Self, StoreError> {
        let pools = open_sqlite(url).await?;
        MIGRATIONS.run(&pools.write).await?;
        let (queue, waiting) = mpsc::channel(limits.write_queue_max);
        let writer = tokio::spawn(write_until_closed(
            pools.write.clone(),
            waiting,
            limits.write_batch_max,
        ));
        Ok(Self {
            pools,
            queue: Mutex::new(Some(queue)),
            writer: Mutex::new(Some(writer)),
        })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn book(&self, booking: Booking) -> Result<BookOutcome, StoreError> {
        let work = async {
            let (reply, outcome) = oneshot::channel();
            let waiting = Waiting { booking, reply };
            let queue = self.queue.lock().await.clone().ok_or(StoreError::Stopped)?;
            queue.try_send(waiting).map_err(|refused| match refused {
                mpsc::error::TrySendError::Full(_) => StoreError::Busy,
                mpsc::error::TrySendError::Closed(_) => StoreError::Stopped,
            })?;
            drop(queue);
            outcome.await.map_err(|_| StoreError::Stopped)?
        };
        work.instrument(span("INSERT appointments", DatabaseKind::Sqlite))
            .await
    }

    async fn recall(&self, request: &RequestKey) -> Result<Option<AppointmentRow>, StoreError> {
        let row: Option<AppointmentRow> = sqlx::query_as(SELECT_BY_REQUEST_ID)
            .bind(request.request_id())
            .fetch_optional(&self.pools.read)
            .instrument(span("SELECT appointments", DatabaseKind::Sqlite))
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
            .fetch_all(&self.pools.read)
            .instrument(span("SELECT seats", DatabaseKind::Sqlite))
            .await?;
        Ok(super::counted(rows))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let writes = self
            .queue
            .lock()
            .await
            .as_ref()
            .is_some_and(|queue| !queue.is_closed());
        if !writes {
            return Err(StoreError::Stopped);
        }
        sqlx::query("SELECT 1").execute(&self.pools.read).await?;
        Ok(())
    }

    async fn close(&self) {
        // Without a sender the writer ends once the queue is empty.
        self.queue.lock().await.take();
        if let Some(writer) = self.writer.lock().await.take()
            && let Err(error) = writer.await
        {
            tracing::error!(%error, "the writer of the database failed");
        }
        self.pools.write.close().await;
        self.pools.read.close().await;
    }
}

async fn write_until_closed(
    pool: SqlitePool,
    mut waiting: mpsc::Receiver<Waiting>,
    batch_max: usize,
) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, batch_max).await > 0 {
        // Whose deadline has passed has gone; without this an overload would be worked off for nobody.
        batch.retain(|waiting| !waiting.reply.is_closed());
        write(&pool, &mut batch).await;
    }
}

/// Commits a batch, and only then tells anybody: who shares a transaction shares its fate.
async fn write(pool: &SqlitePool, batch: &mut Vec<Waiting>) {
    let mut outcomes = Vec::with_capacity(batch.len());
    let committed = write_transaction(pool, batch, &mut outcomes).await;
    outcomes.resize(batch.len(), Err(StoreError::Stopped));
    for (waiting, outcome) in batch.drain(..).zip(outcomes) {
        let outcome = match &committed {
            Ok(()) => outcome,
            Err(error) => Err(error.clone()),
        };
        // An error here means that the caller has gone meanwhile; its request id finds the booking later.
        drop(waiting.reply.send(outcome));
    }
}

async fn write_transaction(
    pool: &SqlitePool,
    batch: &[Waiting],
    outcomes: &mut Vec<Result<BookOutcome, StoreError>>,
) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
    for waiting in batch {
        // A booking that is refused or fails is undone alone.
        let mut savepoint = transaction.begin().await?;
        match book_within(&mut savepoint, &waiting.booking).await {
            Ok((outcome, true)) => {
                savepoint.commit().await?;
                outcomes.push(Ok(outcome));
            }
            Ok((outcome, false)) => {
                savepoint.rollback().await?;
                outcomes.push(Ok(outcome));
            }
            Err(error) => {
                savepoint.rollback().await?;
                outcomes.push(Err(error));
            }
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// The outcome, and whether there is something to keep.
async fn book_within(
    connection: &mut SqliteConnection,
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
    sqlx::query(INSERT_OUTBOX)
        .bind(booking.id)
        .bind(booking.created_at)
        .execute(connection)
        .await?;
    Ok((BookOutcome::Booked(Box::new(row)), true))
}

async fn insert_appointment(
    connection: &mut SqliteConnection,
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

/// Whether a seat was found. There is no other writer who could take it in between.
async fn claim_seat(
    connection: &mut SqliteConnection,
    booking: &Booking,
    claim: &SeatClaim,
) -> Result<bool, StoreError> {
    let done = sqlx::query(CLAIM_SEAT)
        .bind(booking.id)
        .bind(&claim.resource)
        .bind(booking.appointment.starts_at())
        .bind(i64::from(claim.capacity))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
