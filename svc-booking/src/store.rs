//! Stores appointments. One unit of work reads the state that a decision needs and writes the decided change.

mod access;
mod backfill;
mod book;
mod causes;
mod change;
mod codes;
pub mod consultations;
pub mod day;
mod desk;
mod events;
mod holds;
mod links;
mod lists;
mod locks;
mod notes;
pub mod privacy;
mod prove;
mod references;
mod retention;
mod rosters;
mod rows;
mod tries;
mod uncovered;
mod waitlist;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
pub use service_kit::reference::Name;
use sha2::{Digest as _, Sha256};
use store_kit::{
    audit,
    database::Database,
    error::StoreError,
    keys::Keys,
    migrate::Schema,
    requests::{self, Found, RequestKey},
    sealed::{Digest, Redigest, SealedTable},
    sql::{Sql, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use crate::{
    domain::{
        availability::{Span, TakenSeats},
        change::Appointment,
        proof::{Caller, OpenLimits, Proof},
        roster::Seed,
        seats::Resource,
    },
    secret::{self, Given, Shown, Subject},
};
use lists::{joined, text_in};
use prove::ProveAppointment;
use rows::AppointmentRow;

pub use access::{Access, By};
pub use book::{BookOutcome, NewBooking};
pub use causes::hex;
pub use change::{ChangeOutcome, ChangeRequest, Moved};
pub use codes::{Claim, CodeOutcome, MailedCode};
pub use desk::{Burst, BurstCancelled, BurstSpan, ListFilter};
pub use holds::{HoldOutcome, NewHold};
pub use rosters::{LEAVE_REQUESTS, REQUEST_LEAVE, Requested, Rosters};
pub use waitlist::{
    EntryAction, EntryFilter, EntryOutcome, EntryPosition, EntryStates, GivenTime, JOIN,
    JoinOutcome, NewEntry, Offered, Wish,
};

static SQLITE: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: sqlx::migrate::Migrator = sqlx::migrate!("migrations/postgres");

/// The schema that this build expects.
pub const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[
        &backfill::AppointmentsV1,
        &Redigest {
            name: "contacts-phone-e164",
            table: CONTACTS,
        },
        &Redigest {
            name: "waitlist-phone-e164",
            table: WAITLIST,
        },
        &Redigest {
            name: "consultations-phone-e164",
            table: consultations::CONSULTATIONS,
        },
    ],
    sealed: &[
        CONTACTS,
        DESK_NOTES,
        WAITLIST,
        consultations::CONSULTATIONS,
        LEAVE_REQUESTS,
    ],
};

/// Contact data of appointments.
pub const CONTACTS: SealedTable = SealedTable {
    table: "contacts",
    columns: &["patient_name", "email", "phone", "reason", "notes"],
    digests: PERSONS,
};

/// The desk's notes on appointments.
pub const DESK_NOTES: SealedTable = SealedTable {
    table: "desk_notes",
    columns: &["note"],
    digests: &[],
};

/// Contact data of waitlist entries.
pub const WAITLIST: SealedTable = SealedTable {
    table: "waitlist_entries",
    columns: &["patient_name", "email", "phone"],
    digests: PERSONS,
};

/// Digests by which a person's rows are found.
const PERSONS: &[Digest] = &[
    Digest {
        column: "email_index",
        of: "email",
        make: rows::email_index,
    },
    Digest {
        column: "phone_index",
        of: "phone",
        make: rows::phone_index,
    },
];

/// Kind of the request keys of creates.
pub const CREATE: &str = "appointments.create";
/// Kind of the request keys of bookings by the desk.
pub const DESK: &str = "appointments.book";
/// Kind of the request keys of moves.
pub const MOVE: &str = "appointments.move";

/// Appointments in a database.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    keys: Keys,
    limits: OpenLimits,
    pub rosters: Rosters,
}

/// Result of a lookup by name. A wrong secret and an unknown name give the same result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reached<T> {
    Found(T),
    Unknown,
    /// The secret was valid until a newer one replaced it.
    LinkReplaced,
}

impl Store {
    /// Wraps an open database. `seed` is the initial roster.
    pub fn new(database: Database, keys: Keys, seed: Seed, limits: OpenLimits) -> Self {
        Self {
            rosters: Rosters::new(database.clone(), keys.clone(), seed),
            database,
            keys,
            limits,
        }
    }

    pub fn limits(&self) -> OpenLimits {
        self.limits
    }

    /// Looks up an idempotent replay: returns the present state of the appointment that an earlier request with the
    /// same body created.
    pub async fn recall(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Option<Appointment>, StoreError> {
        let Found::Repeated { subject } = requests::recall(&self.database, request, now).await?
        else {
            return Ok(None);
        };
        let earlier = self.appointment(requests::subject_id(&subject)?).await?;
        // Once the person is erased, there is no response to replay.
        Ok(earlier.filter(|earlier| earlier.contact.is_some()))
    }

    /// Reads the appointment with this name if the caller may. `action` is the audit log's action.
    pub async fn read(
        &self,
        name: &Name,
        access: &Access,
        action: &'static str,
        now: DateTime<Utc>,
    ) -> Result<Reached<Appointment>, StoreError> {
        let Some(row) = self.row_named(name).await? else {
            return Ok(Reached::Unknown);
        };
        let hashed = row.secret_hash.clone();
        let appointment = row.open(&self.keys)?;
        match access {
            Access::Staff(_) => {
                let subject = appointment.id.to_string();
                self.note(access.entry(action, &subject, ""), now).await?;
                Ok(Reached::Found(appointment))
            }
            Access::Secret(shown) => {
                let (id, generation) = (appointment.id, appointment.secret_generation);
                let kind = Subject::Appointment;
                match secret::check(&self.keys, kind, id, generation, hashed.as_deref(), shown) {
                    Shown::Valid(Given::InAnswer) => Ok(Reached::Found(appointment)),
                    Shown::Valid(Given::ByMail) => {
                        let proven = self.prove(appointment, Proof::Link, now).await;
                        Ok(Reached::Found(proven))
                    }
                    Shown::Replaced(_) => Ok(Reached::LinkReplaced),
                    Shown::Wrong => Ok(Reached::Unknown),
                }
            }
        }
    }

    async fn row_named(&self, name: &Name) -> Result<Option<AppointmentRow>, StoreError> {
        let (sql, value) = match name {
            Name::Id(id) => (rows::BY_ID, values![*id]),
            Name::Reference(reference) => (rows::BY_REFERENCE, values![reference]),
        };
        self.database
            .fetch_optional("SELECT appointments", sql, value)
            .await
    }

    /// Proves the address of an open appointment, unless its person has reached the limit of open appointments. If the
    /// proof cannot be stored, returns the appointment unchanged; the next opening tries again.
    async fn prove(
        &self,
        appointment: Appointment,
        proof: Proof,
        now: DateTime<Utc>,
    ) -> Appointment {
        if appointment.proof.is_proven() || !appointment.is_open(now) {
            return appointment;
        }
        let work = ProveAppointment {
            id: appointment.id,
            generation: appointment.secret_generation,
            proof,
            limits: self.limits,
            now,
        };
        match self.database.write("UPDATE appointments", work).await {
            Ok(proof) => Appointment {
                proof,
                ..appointment
            },
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a proof of an address was not stored"
                );
                appointment
            }
        }
    }

    /// Returns how the caller's secret of a generation was issued; the secret must be checked before.
    pub(crate) fn given(&self, id: Uuid, generation: i64, access: &Access) -> Given {
        match access.caller(&self.keys, Subject::Appointment, id, generation) {
            Caller::Proven => Given::ByMail,
            Caller::Staff | Caller::Unproven => Given::InAnswer,
        }
    }

    /// Returns the secret for responses about an appointment, if it has one.
    pub fn secret(&self, appointment: &Appointment) -> Option<String> {
        self.secret_given(appointment, Given::InAnswer)
    }

    /// Returns the secret for mails about an appointment, which proves the address; `None` if there is none.
    pub fn mailed_secret(&self, appointment: &Appointment) -> Option<String> {
        self.secret_given(appointment, Given::ByMail)
    }

    pub(crate) fn secret_given(&self, appointment: &Appointment, given: Given) -> Option<String> {
        let generation = appointment.secret_generation;
        let kind = Subject::Appointment;
        (generation > 0)
            .then(|| secret::derive(&self.keys, kind, given, appointment.id, generation))
    }

    /// Returns the appointment with an id, for internal use: performs no access check.
    pub async fn appointment(&self, id: Uuid) -> Result<Option<Appointment>, StoreError> {
        let row: Option<AppointmentRow> = self
            .database
            .fetch_optional("SELECT appointments", rows::BY_ID, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }

    /// Returns the taken seats of some resources in a span of days, and the roster's revision at that moment. One
    /// query.
    pub async fn taken(
        &self,
        resources: &[Resource],
        span: Span,
        now: DateTime<Utc>,
    ) -> Result<(TakenSeats, i64), StoreError> {
        const TAKEN: Sql = text_in!(
            "SELECT resource, starts_at, count(*) FROM seats WHERE resource",
            1,
            " AND starts_at >= $2 AND starts_at < $3 AND (expire_time IS NULL OR expire_time > $4) \
             GROUP BY resource, starts_at UNION ALL SELECT '', NULL, revision FROM roster_head"
        );
        let (from, until) = span.moments();
        let rows: Vec<(String, Option<DateTime<Utc>>, i64)> = self
            .database
            .fetch_all(
                "SELECT seats",
                TAKEN,
                values![joined(resources), from, until, now],
            )
            .await?;
        let mut revision = 0;
        let mut seats = Vec::with_capacity(rows.len());
        for (resource, starts_at, count) in rows {
            match starts_at {
                None => revision = count,
                Some(starts_at) => {
                    // A count cannot be negative.
                    let count = usize::try_from(count).unwrap_or(usize::MAX);
                    seats.push((Resource::named(resource), starts_at, count));
                }
            }
        }
        Ok((seats.into_iter().collect(), revision))
    }

    /// Appends entries to the audit log, if any.
    pub async fn note(
        &self,
        entries: impl IntoIterator<Item = audit::Entry>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let entries: Vec<_> = entries.into_iter().collect();
        if entries.is_empty() {
            return Ok(());
        }
        let work = Note {
            entries,
            keys: self.keys.clone(),
            now,
        };
        self.database.write("INSERT audit_entries", work).await
    }
}

struct Note {
    entries: Vec<audit::Entry>,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Note {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        audit::append_all(transaction, &self.keys, &self.entries, self.now).await?;
        Ok(Decision::Commit(()))
    }
}

/// SHA-256 of a request id, as older builds stored it.
fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
