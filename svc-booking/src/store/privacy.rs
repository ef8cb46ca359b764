//! Export and erasure of one person's data.
//!
//! An erased appointment keeps its row without the person to keep the schedule complete. Consultations and waitlist
//! entries are deleted. Request keys remain, because they are keyed hashes. A retry of an old request is answered as
//! removed and restores nothing.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::{
    input::{email_to_look_up, phone_to_look_up},
    source::Ids,
};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox, row,
    sql::{Script, Sql, Statement, Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    consultations::rows::{self as consultations, ConsultationRow},
    lists::{id_in, joined_ids},
    rows::{self, AppointmentRow, select_appointments},
    waitlist::{EntryRow, select_entries},
};
use crate::domain::{
    change::Appointment, consultation::Consultation, contact::Contact, waitlist::Entry,
};

/// Maximum rows of each kind that one call exports or erases.
pub const ROWS_MAX: i64 = 1000;
/// Maximum events that one call exports.
pub const EVENTS_MAX: i64 = 10_000;
/// Kind of the message that makes the messaging service delete pending and sent notices of some subjects. Its payload
/// is `{"subjectIds": [...]}`.
pub const FORGET: &str = "notices.forget";

/// Rows erased per round trip.
const CHUNK: usize = 50;
/// Subjects per erasure message: 36 characters each, in a payload of 16 KiB.
const FORGOTTEN_MAX: usize = 400;
/// Maximum erasure messages of one call: [`ROWS_MAX`] rows of each of three kinds.
const MESSAGES_MAX: usize = 8;

/// The person: an e-mail address, a phone number, or both. With both, rows with either match.
#[derive(Clone, Debug)]
pub struct Whom {
    pub email: Option<String>,
    pub phone: Option<String>,
}

impl Whom {
    /// Returns whether a row found by its hashes belongs to this person. An older build running beside this one hashes
    /// only the last ten digits of a number, which may match a number of another country.
    fn is(&self, email: Option<&str>, phone: Option<&str>) -> bool {
        let is_email = (self.email.as_deref().zip(email))
            .is_some_and(|(wanted, stored)| email_to_look_up(wanted) == email_to_look_up(stored));
        let is_phone = (self.phone.as_deref().zip(phone))
            .is_some_and(|(wanted, stored)| phone_to_look_up(wanted) == phone_to_look_up(stored));
        is_email || is_phone
    }

    fn is_contact(&self, contact: Option<&Contact>) -> bool {
        // A row without a contact cannot contain another person's data.
        contact.is_none_or(|found| self.is(Some(&found.email), Some(&found.phone)))
    }
}

/// All stored data of a person, at most [`ROWS_MAX`] rows of each kind.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    pub appointments: Vec<Appointment>,
    pub consultations: Vec<Consultation>,
    pub entries: Vec<Entry>,
    /// Events of the appointments, by time, at most [`EVENTS_MAX`].
    pub events: Vec<Event>,
}

row! {
    /// An event in the history of an appointment.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct Event {
        pub reference: String,
        pub version: i64,
        pub kind: String,
        pub actor: String,
        pub create_time: DateTime<Utc>,
    }
}

/// Outcome of an erasure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EraseOutcome {
    /// Number of rows of each kind.
    Erased {
        appointments: usize,
        consultations: usize,
        entries: usize,
    },
    /// The person has open appointments. Nothing was erased.
    OpenAppointments,
}

const APPOINTMENTS: &str = select_appointments!(
    "WHERE appointments.id IN (SELECT id FROM contacts WHERE email_index IN ($1, $2) UNION SELECT id FROM contacts WHERE phone_index IN ($3, $4)) \
     ORDER BY appointments.starts_at, appointments.id LIMIT $5"
);
const CONSULTATIONS: &str = consultations::select!(
    "WHERE id IN (SELECT id FROM consultations WHERE email_index IN ($1, $2) UNION SELECT id FROM consultations WHERE phone_index IN ($3, $4)) \
     ORDER BY date, id LIMIT $5"
);
const ENTRIES: &str = select_entries!(
    "WHERE id IN (SELECT id FROM waitlist_entries WHERE email_index IN ($1, $2) UNION SELECT id FROM waitlist_entries WHERE phone_index IN ($3, $4)) \
     ORDER BY date, id LIMIT $5"
);

const EVENTS: Sql = id_in!(
    "SELECT reference, events.version, kind, actor, events.create_time FROM events JOIN appointments ON appointments.id = appointment_id \
     WHERE appointment_id",
    1,
    " ORDER BY events.create_time, reference, events.version LIMIT $2"
);

impl Store {
    /// Returns all stored data of a person. The export is recorded in the audit log.
    ///
    /// # Errors
    /// Fails if the database fails or a row cannot be decrypted with these keys.
    pub async fn export_patient(
        &self,
        whom: Whom,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Kept, StoreError> {
        let work = Export {
            whom,
            keys: self.keys.clone(),
            actor: actor.to_owned(),
            now,
        };
        self.database.write("SELECT patients", work).await
    }

    /// Erases a person from at most [`ROWS_MAX`] rows of each kind. A person with more rows needs another call.
    ///
    /// # Errors
    /// See [`Self::export_patient`].
    pub async fn erase_patient(
        &self,
        whom: Whom,
        actor: &str,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Result<EraseOutcome, StoreError> {
        let work = Erase {
            whom,
            message_ids: std::array::from_fn(|_| ids.uuid_at(now)),
            keys: self.keys.clone(),
            actor: actor.to_owned(),
            now,
        };
        self.database.write("DELETE patients", work).await
    }
}

/// Reads all stored data of a person, except events.
async fn kept(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    whom: &Whom,
) -> Result<Kept, StoreError> {
    let (email, phone) = (whom.email.as_deref(), whom.phone.as_deref());
    let limited = |mut values: Vec<Value>| {
        values.push(ROWS_MAX.into());
        values
    };
    let of_person = limited(rows::person(keys, email, phone));
    let appointments: Vec<AppointmentRow> = transaction
        .fetch_all(APPOINTMENTS, of_person.clone())
        .await?;
    let of_consultations = limited(rows::lookups(
        keys,
        (email, consultations::email_index),
        (phone, consultations::phone_index),
    ));
    let consultations: Vec<ConsultationRow> = transaction
        .fetch_all(CONSULTATIONS, of_consultations)
        .await?;
    // Waitlist entries use the same hashes as appointments.
    let entries: Vec<EntryRow> = transaction.fetch_all(ENTRIES, of_person).await?;
    let mut kept = Kept {
        appointments: opened(appointments, |row| row.open(keys))?,
        consultations: opened(consultations, |row| row.open(keys))?,
        entries: opened(entries, |row| row.open(keys))?,
        events: Vec::new(),
    };
    kept.appointments
        .retain(|found| whom.is_contact(found.contact.as_ref()));
    kept.consultations
        .retain(|found| whom.is(found.person.email.as_deref(), found.person.phone.as_deref()));
    kept.entries
        .retain(|found| whom.is_contact(found.contact.as_ref()));
    Ok(kept)
}

fn opened<R, T>(
    rows: Vec<R>,
    open: impl FnMut(R) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.into_iter().map(open).collect()
}

struct Export {
    whom: Whom,
    keys: Keys,
    actor: String,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Export {
    type Outcome = Kept;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Kept>, StoreError> {
        let mut kept = kept(transaction, &self.keys, &self.whom).await?;
        let ids = ids(&kept);
        let of_appointments = values![joined_ids(&ids.appointments), EVENTS_MAX];
        kept.events = transaction.fetch_all(EVENTS, of_appointments).await?;
        let entries = ids.entries(&self.actor, "patient.exported");
        audit::append_all(transaction, &self.keys, &entries, self.now).await?;
        Ok(Decision::Commit(kept))
    }
}

struct Erase {
    whom: Whom,
    message_ids: [Uuid; MESSAGES_MAX],
    keys: Keys,
    actor: String,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Erase {
    type Outcome = EraseOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<EraseOutcome>, StoreError> {
        let kept = kept(transaction, &self.keys, &self.whom).await?;
        let is_open = |appointment: &Appointment| appointment.is_open(self.now);
        if kept.appointments.iter().any(is_open) {
            return Ok(Decision::Rollback(EraseOutcome::OpenAppointments));
        }
        let ids = ids(&kept);
        ids.erase(transaction, &self.actor, self.now).await?;
        transaction.run(self.forget_notices(&ids)?).await?;
        let entries = ids.entries(&self.actor, "patient.erased");
        audit::append_all(transaction, &self.keys, &entries, self.now).await?;
        Ok(Decision::Commit(EraseOutcome::Erased {
            appointments: ids.appointments.len(),
            consultations: ids.consultations.len(),
            entries: ids.entries.len(),
        }))
    }
}

impl Erase {
    fn forget_notices(&self, rows: &PersonalRows) -> Result<Script, StoreError> {
        let ids: Vec<_> = rows.all().map(|(_, id)| id).collect();
        let message = |(chunk, id): (&[Uuid], &Uuid)| {
            let message = outbox::NewMessage {
                id: *id,
                kind: FORGET,
                // Not the id of an erased row: pending messages about those rows are deleted too.
                subject: id.to_string(),
                payload: serde_json::json!({"subjectIds": chunk}).to_string(),
                not_before: self.now,
            };
            outbox::insert(&message, self.now)
        };
        ids.chunks(FORGOTTEN_MAX)
            .zip(&self.message_ids)
            .map(message)
            .collect()
    }
}

fn ids(kept: &Kept) -> PersonalRows {
    PersonalRows {
        appointments: kept.appointments.iter().map(|found| found.id).collect(),
        consultations: kept.consultations.iter().map(|found| found.id).collect(),
        entries: kept.entries.iter().map(|found| found.id).collect(),
    }
}

/// Ids of the rows that contain a person's data.
#[derive(Debug, Default)]
pub(super) struct PersonalRows {
    pub(super) appointments: Vec<Uuid>,
    pub(super) consultations: Vec<Uuid>,
    pub(super) entries: Vec<Uuid>,
}

impl PersonalRows {
    /// Returns an audit entry for each row.
    fn entries(&self, actor: &str, action: &'static str) -> Vec<audit::Entry> {
        let entry = |(kind, id): (&str, Uuid)| audit::Entry {
            actor: actor.to_owned(),
            action,
            subject: id.to_string(),
            detail: kind.to_owned(),
        };
        self.all().map(entry).collect()
    }

    /// Iterates over kind and id of each row.
    fn all(&self) -> impl Iterator<Item = (&'static str, Uuid)> {
        let of = |kind: &'static str, ids: &[Uuid]| {
            let ids: Vec<_> = ids.iter().map(|id| (kind, *id)).collect();
            ids.into_iter()
        };
        of("appointment", &self.appointments)
            .chain(of("consultation", &self.consultations))
            .chain(of("waitlist_entry", &self.entries))
    }

    /// Erases personal data, secrets and pending messages of each row.
    pub(super) async fn erase(
        &self,
        transaction: &mut Transaction<'_>,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let appointment = |id: Uuid| erase_appointment(id, actor, now).to_vec();
        in_chunks(transaction, &self.appointments, appointment).await?;
        in_chunks(transaction, &self.consultations, |id| {
            const DELETE: &str = "DELETE FROM consultations WHERE id = $1";
            vec![Statement::new(DELETE, values![id])]
        })
        .await?;
        in_chunks(transaction, &self.entries, |id| {
            const DELETE: &str = "DELETE FROM waitlist_entries WHERE id = $1";
            // Frees the offered seat; the sweep offers it to the next entry.
            vec![Statement::new(DELETE, values![id]), rows::free_all(id)]
        })
        .await
    }
}

/// Returns the statements that erase an appointment. The event precedes the update: on SQLite a statement sees earlier
/// writes, and the event contains the next version.
fn erase_appointment(id: Uuid, actor: &str, now: DateTime<Utc>) -> [Statement; 4] {
    const EVENT: &str = "\
INSERT INTO events (appointment_id, version, kind, actor, detail, create_time)
SELECT id, version + 1, 'appointment.erased', $2, '{}', $3 FROM appointments WHERE id = $1";
    const UPDATE: &str = "\
UPDATE appointments SET version = version + 1, update_time = $2, secret_hash = NULL, secret_generation = 0, network = NULL,
                        language = 'en' WHERE id = $1";
    const NETWORKS: &str =
        "UPDATE events SET network = NULL WHERE appointment_id = $1 AND network IS NOT NULL";
    let actor: Value = actor.into();
    [
        Statement::new(NETWORKS, values![id]),
        Statement::new(EVENT, vec![id.into(), actor, now.into()]),
        Statement::new(UPDATE, values![id, now]),
        rows::forget_contact(id),
    ]
}

async fn in_chunks(
    transaction: &mut Transaction<'_>,
    ids: &[Uuid],
    erase: impl Fn(Uuid) -> Vec<Statement> + Send,
) -> Result<(), StoreError> {
    for chunk in ids.chunks(CHUNK) {
        let mut script = Script::new();
        for id in chunk {
            script.extend(erase(*id));
            script.extend(outbox::forget(&id.to_string()));
        }
        transaction.run(script).await?;
    }
    Ok(())
}
