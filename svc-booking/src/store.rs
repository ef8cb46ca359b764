//! Stores appointments: one unit of work reads the state that a decision needs and writes the decided change.

mod backfill;
pub mod consultations;
mod rows;

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    migrate::Schema,
    outbox,
    requests::{self, Found, RequestKey},
    sealed::SealedTable,
    sql::{Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use crate::domain::{
    availability::BookedSeats,
    change::{Appointment, Change, Command, Decided, HeldSeat, State, decide},
    seats::{Resource, Seat, SeatClaim},
};
use rows::AppointmentRow;

static SQLITE: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: sqlx::migrate::Migrator = sqlx::migrate!("migrations/postgres");

/// What this build expects of its database.
pub const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[&backfill::AppointmentsV1],
    sealed: &[CONTACTS, consultations::CONSULTATIONS],
};

/// Who comes.
pub const CONTACTS: SealedTable = SealedTable {
    table: "contacts",
    columns: &["patient_name", "email", "phone", "reason", "notes"],
};

/// Kind of the request keys of creates.
pub const CREATE: &str = "appointments.create";

/// Outcome of a booking. Losing a race is an outcome, not an error.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum BookOutcome {
    /// Booked now.
    Created(Box<Appointment>),
    /// Booked by an earlier call with the same request id and body; this is what has become of it.
    Repeated(Box<Appointment>),
    /// No seat is left.
    SlotTaken,
    /// The request id belongs to a booking with another body.
    RequestIdReused,
}

/// Appointments in a database.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    keys: Keys,
}

impl Store {
    /// On an open database.
    pub fn new(database: Database, keys: Keys) -> Self {
        Self { database, keys }
    }

    /// Books all seats of an appointment or none, once per request.
    pub async fn book(
        &self,
        command: Command,
        request: RequestKey,
        now: DateTime<Utc>,
    ) -> Result<BookOutcome, StoreError> {
        let work = Book {
            command,
            request,
            now,
            keys: self.keys.clone(),
        };
        self.database.write("INSERT appointments", work).await
    }

    /// Idempotent replay: the present state of the appointment that an earlier request with the same body created.
    pub async fn recall(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Option<Appointment>, StoreError> {
        let Found::Repeated { subject } = requests::recall(&self.database, request, now).await?
        else {
            return Ok(None);
        };
        let row: Option<AppointmentRow> = self
            .database
            .fetch_optional(
                "SELECT appointments",
                rows::BY_ID,
                values![requests::subject_id(&subject)?],
            )
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }

    /// Held seats of each resource from `span.0` up to but without `span.1`, in the order of the claims.
    pub async fn booked_seats(
        &self,
        claims: &[SeatClaim],
        (from, until): (DateTime<Utc>, DateTime<Utc>),
        now: DateTime<Utc>,
    ) -> Result<Vec<BookedSeats>, StoreError> {
        const COUNT: &str = "\
SELECT starts_at, count(*) FROM seats
WHERE resource = $1 AND starts_at >= $2 AND starts_at < $3 AND (expire_time IS NULL OR expire_time > $4)
GROUP BY starts_at";
        let mut booked = Vec::with_capacity(claims.len());
        for claim in claims {
            let rows: Vec<(DateTime<Utc>, i64)> = self
                .database
                .fetch_all(
                    "SELECT seats",
                    COUNT,
                    values![claim.resource.as_str(), from, until, now],
                )
                .await?;
            // Counts of an aggregate cannot be negative.
            let counted = rows
                .into_iter()
                .map(|(starts_at, seats)| (starts_at, u32::try_from(seats).unwrap_or(u32::MAX)));
            booked.push(counted.collect());
        }
        Ok(booked)
    }

    /// Stores a change that was decided from an appointment read earlier (optimistic concurrency). `Ok(false)`, with nothing
    /// stored, when the appointment has another version by now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep(&self, change: Change) -> Result<bool, StoreError> {
        let work = WriteChange {
            change,
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE appointments", work).await
    }
}

struct Book {
    command: Command,
    request: RequestKey,
    now: DateTime<Utc>,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for Book {
    type Outcome = BookOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<BookOutcome>, StoreError> {
        let Command::Book(booking) = &self.command;
        transaction.lock(&slot(booking)).await?;
        let repeated = match requests::find(transaction, &self.request, self.now).await? {
            Found::New => None,
            Found::Reused => return Ok(Decision::Rollback(BookOutcome::RequestIdReused)),
            Found::Repeated { subject } => {
                let row: AppointmentRow = transaction
                    .fetch_one(rows::BY_ID, values![requests::subject_id(&subject)?])
                    .await?;
                Some(row.open(&self.keys)?)
            }
        };
        let is_known = repeated.is_some();
        let state = read(transaction, &self.command, repeated).await?;
        let change = match decide(&state, &self.command, self.now) {
            Decided::Change(change) => change,
            Decided::Repeated(earlier) => {
                return Ok(Decision::Rollback(BookOutcome::Repeated(earlier)));
            }
            Decided::SlotTaken => return Ok(Decision::Rollback(BookOutcome::SlotTaken)),
            Decided::ReferencesTaken => return Err(StoreError::IdentifiersTaken),
        };
        let subject = change.appointment.id.to_string();
        let note = if is_known {
            requests::replace(&self.request, &subject, self.now)
        } else {
            requests::insert(&self.request, &subject, self.now)
        };
        apply(transaction, &self.keys, &change, Some(note)).await?;
        Ok(Decision::Commit(BookOutcome::Created(Box::new(
            change.appointment,
        ))))
    }
}

struct WriteChange {
    change: Change,
    keys: Keys,
}

#[async_trait]
impl UnitOfWork for WriteChange {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        let is_written = apply(transaction, &self.keys, &self.change, None).await?;
        Ok(if is_written {
            Decision::Commit(true)
        } else {
            Decision::Rollback(false)
        })
    }
}

/// Name of the lock: bookings of one department and time are serialised, so that each decides on the latest state. A doctor belongs
/// to one department.
fn slot(booking: &crate::domain::change::Booking) -> String {
    let appointment = &booking.appointment;
    format!(
        "{} {}",
        appointment.department_id(),
        appointment.starts_at().timestamp()
    )
}

/// Reads the state that the decision depends on.
async fn read(
    transaction: &mut Transaction<'_>,
    command: &Command,
    repeated: Option<Appointment>,
) -> Result<State, StoreError> {
    /// Seats, and references that are taken (as seat 0).
    const STATE: &str = "\
SELECT resource AS name, seat, expire_time FROM seats WHERE starts_at = $1 AND resource IN ($2, $3)
UNION ALL
SELECT reference, 0, NULL FROM appointments WHERE reference IN ($4, $5, $6, $7)";
    let Command::Book(booking) = command;
    let starts_at = booking.appointment.starts_at();
    let resource = |number: usize| {
        let claim = booking.appointment.claims().get(number);
        claim.map(|claim| claim.resource.as_str())
    };
    let reference = |number: usize| booking.references.get(number).map(String::as_str);
    let rows: Vec<(String, i64, Option<DateTime<Utc>>)> = transaction
        .fetch_all(
            STATE,
            values![
                starts_at,
                resource(0),
                resource(1),
                reference(0),
                reference(1),
                reference(2),
                reference(3)
            ],
        )
        .await?;
    let mut state = State {
        repeated,
        references_taken: BTreeSet::new(),
        seats: Vec::new(),
    };
    for (name, seat, expire_time) in rows {
        match u32::try_from(seat) {
            Ok(0) => {
                state.references_taken.insert(name);
            }
            Ok(number) => state.seats.push(HeldSeat {
                seat: Seat {
                    resource: Resource::stored(name),
                    starts_at,
                    number,
                },
                expire_time,
            }),
            Err(_) => {
                return Err(StoreError::Corrupt {
                    column: "seats.seat",
                });
            }
        }
    }
    Ok(state)
}

/// Writes a change; `false`, and the caller rolls back, when the appointment has another version by now.
///
/// Seats are freed in a round trip of their own: on PostgreSQL the statements of a script do not see each other, and a freed seat may be
/// taken by the same change.
async fn apply(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    change: &Change,
    note: Option<Statement>,
) -> Result<bool, StoreError> {
    let appointment = &change.appointment;
    if appointment.version > 1 {
        let sql = rows::UPDATE;
        let updated = transaction
            .execute(sql, rows::update_values(appointment))
            .await?;
        if updated == 0 {
            return Ok(false);
        }
    }
    let freed: Script = change.freed.iter().map(rows::free).collect();
    transaction.run(freed).await?;
    let mut script: Script = note.into_iter().collect();
    if appointment.version == 1 {
        script.push(rows::insert(appointment));
        if let Some(contact) = &appointment.contact {
            let row = rows::insert_contact(keys, appointment.id, contact, appointment.create_time)?;
            script.push(row);
        }
    }
    script.extend(
        change
            .taken
            .iter()
            .map(|seat| rows::take(seat, appointment.id)),
    );
    script.push(rows::event(change));
    for notice in &change.messages {
        let message = outbox::NewMessage {
            id: notice.id,
            kind: notice.kind,
            subject: appointment.id.to_string(),
            payload: format!(r#"{{"appointmentId":"{}"}}"#, appointment.id),
            not_before: notice.not_before,
        };
        script.push(outbox::insert(&message, appointment.update_time)?);
    }
    transaction.run(script).await?;
    Ok(true)
}

/// SHA-256, as builds before this one made it of a request id.
fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
