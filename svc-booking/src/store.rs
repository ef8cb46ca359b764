//! Stores appointments: one unit of work reads the state that a decision needs and writes the decided change.

mod backfill;
mod book;
mod change;
pub mod consultations;
mod desk;
mod holds;
pub mod privacy;
mod retention;
mod rosters;
mod rows;
mod uncovered;
mod waitlist;

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
    sql::Sql,
    values,
};
use uuid::Uuid;

use crate::{
    domain::{
        availability::{Span, TakenSeats},
        change::Appointment,
        roster::Seed,
        seats::Resource,
    },
    secret::{self, Shown, Subject},
};
use rows::AppointmentRow;

pub use book::{BookOutcome, NewBooking};
pub use change::{ChangeOutcome, ChangeRequest, Moved};
pub use desk::{Burst, BurstCancelled, BurstSpan, ListFilter};
pub use holds::{HoldOutcome, NewHold};
pub use rosters::Rosters;
pub use waitlist::{EntryAction, EntryOutcome, JOIN, JoinOutcome, NewEntry};

static SQLITE: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: sqlx::migrate::Migrator = sqlx::migrate!("migrations/postgres");

/// What this build expects of its database.
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
    sealed: &[CONTACTS, WAITLIST, consultations::CONSULTATIONS],
};

/// Who comes.
pub const CONTACTS: SealedTable = SealedTable {
    table: "contacts",
    columns: &["patient_name", "email", "phone", "reason", "notes"],
    digests: PERSONS,
};

/// Who waits.
pub const WAITLIST: SealedTable = SealedTable {
    table: "waitlist_entries",
    columns: &["patient_name", "email", "phone"],
    digests: PERSONS,
};

/// By which a person's appointments and entries of the waitlist are found.
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
/// Kind of the request keys of moves.
pub const MOVE: &str = "appointments.move";

/// Open appointments that a phone number or an e-mail address may have, unless configured otherwise.
pub const OPEN_MAX: usize = 4;

/// Appointments in a database.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    keys: Keys,
    /// See [`OPEN_MAX`].
    open_max: usize,
    pub rosters: Rosters,
}

/// Who asks for what belongs to a person.
#[derive(Clone, Debug)]
pub enum Access {
    /// Whoever shows the secret.
    Secret(String),
    /// Staff, by the subject of their token. What they read and change is in the audit log.
    Staff(String),
}

impl Access {
    /// For the history.
    pub fn actor(&self) -> &str {
        match self {
            Self::Secret(_) => crate::domain::change::PATIENT,
            Self::Staff(subject) => subject,
        }
    }

    /// Of what a list showed; none where a patient reads their own.
    fn page(&self, action: &'static str, detail: &str, ids: &[Uuid]) -> Vec<audit::Entry> {
        match self {
            Self::Secret(_) => Vec::new(),
            Self::Staff(actor) => audit::Entry::of_page(actor, action, detail, ids),
        }
    }

    fn entry(&self, action: &'static str, subject: &str, detail: &str) -> Option<audit::Entry> {
        let Self::Staff(actor) = self else {
            return None;
        };
        Some(audit::Entry {
            actor: actor.clone(),
            action,
            subject: subject.to_owned(),
            detail: detail.to_owned(),
        })
    }
}

/// What is found under a name. A wrong secret and an unknown name look alike.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Reached<T> {
    Found(T),
    Unknown,
    /// The secret was valid until a newer one replaced it.
    LinkReplaced,
}

/// Resources as one value: none has a comma.
fn joined<'a>(resources: impl IntoIterator<Item = &'a Resource>) -> String {
    let names: Vec<&str> = resources.into_iter().map(Resource::as_str).collect();
    names.join(",")
}

impl Store {
    /// On an open database. `seed` is what its roster begins with.
    pub fn new(database: Database, keys: Keys, seed: Seed, open_max: usize) -> Self {
        Self {
            rosters: Rosters::new(database.clone(), keys.clone(), seed),
            database,
            keys,
            open_max,
        }
    }

    /// Open appointments that a phone number or an e-mail address may have.
    pub fn open_max(&self) -> usize {
        self.open_max
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
        let earlier = self.appointment(requests::subject_id(&subject)?).await?;
        // Without its person there is nothing to say of it again.
        Ok(earlier.filter(|earlier| earlier.contact.is_some()))
    }

    /// The appointment of that name, for whoever may read it. `action` is for the audit log.
    pub async fn read(
        &self,
        name: &Name,
        access: &Access,
        action: &'static str,
        now: DateTime<Utc>,
    ) -> Result<Reached<Appointment>, StoreError> {
        let (sql, value) = match name {
            Name::Id(id) => (rows::BY_ID, values![*id]),
            Name::Reference(reference) => (rows::BY_REFERENCE, values![reference]),
        };
        let row: Option<AppointmentRow> = self
            .database
            .fetch_optional("SELECT appointments", sql, value)
            .await?;
        let Some(row) = row else {
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
                    Shown::Valid => Ok(Reached::Found(appointment)),
                    Shown::Replaced => Ok(Reached::LinkReplaced),
                    Shown::Wrong => Ok(Reached::Unknown),
                }
            }
        }
    }

    /// The secret by which its patient reaches an appointment, if there is one.
    pub fn secret(&self, appointment: &Appointment) -> Option<String> {
        let generation = appointment.secret_generation;
        let kind = Subject::Appointment;
        (generation > 0).then(|| secret::derive(&self.keys, kind, appointment.id, generation))
    }

    /// The appointment of that id, for the service itself: nobody's access is checked.
    pub async fn appointment(&self, id: Uuid) -> Result<Option<Appointment>, StoreError> {
        let row: Option<AppointmentRow> = self
            .database
            .fetch_optional("SELECT appointments", rows::BY_ID, values![id])
            .await?;
        row.map(|row| row.open(&self.keys)).transpose()
    }

    /// Taken seats of some resources in a span of days, and the revision of the roster at that moment. One query.
    pub async fn taken(
        &self,
        resources: &[Resource],
        span: Span,
        now: DateTime<Utc>,
    ) -> Result<(TakenSeats, i64), StoreError> {
        const TAKEN: Sql = Sql::differing(
            "\
SELECT resource, starts_at, count(*) FROM seats
WHERE resource IN (SELECT value FROM json_each('[\"' || replace($1, ',', '\",\"') || '\"]'))
  AND starts_at >= $2 AND starts_at < $3 AND (expire_time IS NULL OR expire_time > $4)
GROUP BY resource, starts_at
UNION ALL SELECT '', NULL, revision FROM roster_head",
            "\
SELECT resource, starts_at, count(*) FROM seats
WHERE resource = ANY(string_to_array($1, ','))
  AND starts_at >= $2 AND starts_at < $3 AND (expire_time IS NULL OR expire_time > $4)
GROUP BY resource, starts_at
UNION ALL SELECT '', NULL, revision FROM roster_head",
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
                    // Counts of an aggregate cannot be negative.
                    let count = usize::try_from(count).unwrap_or(usize::MAX);
                    seats.push((Resource::named(resource), starts_at, count));
                }
            }
        }
        Ok((seats.into_iter().collect(), revision))
    }

    /// Writes entries of the audit log, if there are any.
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

#[async_trait::async_trait]
impl store_kit::work::UnitOfWork for Note {
    type Outcome = ();

    async fn run(
        &self,
        transaction: &mut store_kit::sql::Transaction<'_>,
    ) -> Result<store_kit::work::Decision<()>, StoreError> {
        for entry in &self.entries {
            audit::append(transaction, &self.keys, entry, self.now).await?;
        }
        Ok(store_kit::work::Decision::Commit(()))
    }
}

/// SHA-256, as builds before this one made it of a request id.
fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
