//! Changes an existing appointment: its seat, contact data and notifications in one unit of work.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    row,
    sql::{Lock, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    By, Store, events,
    lists::joined,
    locks::{address_lock, slot},
    prove::open_of,
    rosters::{ROSTER, is_current},
    rows::{self, AppointmentRow, SeatRow},
    waitlist,
};
use crate::{
    domain::{
        change::{
            ADDRESS_CHANGED, Action, Appointment, Asked, Change, LastChange, MOVED, PATIENT,
            PatientChanges, Refused, change, change_is_too_much, undo,
        },
        proof::Caller,
        roster::Roster,
        seats::SeatsAt,
        status::Status,
    },
    secret::Subject,
};

/// A requested change of an appointment; access has been checked.
#[derive(Clone, Debug)]
pub struct ChangeRequest {
    pub id: Uuid,
    /// The version that was read during the check.
    pub version: i64,
    pub asked: Asked,
    pub by: By,
    /// Idempotency key, if the client sent one.
    pub request: Option<RequestKey>,
}

/// Result of looking up an earlier move request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Moved {
    /// Not done before, or superseded by another move.
    New,
    /// Done before; contains the present appointment.
    Before(Box<Appointment>),
    /// The request id belongs to another request.
    RequestIdReused,
}

/// Returns the subject of a move's request key: the appointment, and the secret generation that the move issued.
fn moved_subject(appointment: &Appointment) -> String {
    format!("{}/{}", appointment.id, appointment.secret_generation)
}

/// Outcome of a [`ChangeRequest`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ChangeOutcome {
    Changed {
        appointment: Box<Appointment>,
        before: Box<Appointment>,
    },
    /// The appointment already was in the requested state.
    Unchanged(Box<Appointment>),
    Refused(Refused),
    Unknown,
    /// The roster has changed since the request was checked; the request must be checked again.
    RosterChanged,
}

impl Store {
    /// Returns the appointment moved by an earlier request with the same body, while the secret issued then is still
    /// the latest.
    pub async fn recall_move(
        &self,
        request: &RequestKey,
        now: DateTime<Utc>,
    ) -> Result<Moved, StoreError> {
        let subject = match requests::recall(&self.database, request, now).await? {
            Found::New => return Ok(Moved::New),
            Found::Reused => return Ok(Moved::RequestIdReused),
            Found::Repeated { subject } => subject,
        };
        let (id, _) = subject.split_once('/').unwrap_or_default();
        let row: Option<AppointmentRow> = self
            .database
            .fetch_optional(
                "SELECT appointments",
                rows::BY_ID,
                values![requests::subject_id(id)?],
            )
            .await?;
        let present = row.map(|row| row.open(&self.keys)).transpose()?;
        Ok(match present {
            Some(present) if moved_subject(&present) == subject => Moved::Before(Box::new(present)),
            _ => Moved::New,
        })
    }

    /// Changes an appointment if its version is still the one that was read.
    pub async fn change(
        &self,
        request: ChangeRequest,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<ChangeOutcome, StoreError> {
        let work = ChangeAppointment {
            request,
            roster,
            now,
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE appointments", work).await
    }
}

struct ChangeAppointment {
    request: ChangeRequest,
    roster: Arc<Roster>,
    now: DateTime<Utc>,
    keys: Keys,
}

row! {
    struct Place {
        department_id: String,
        starts_at: DateTime<Utc>,
        secret_generation: i64,
        email_index: Option<Vec<u8>>,
    }
}

/// Reads what the locks depend on: the appointment's slot and address.
const PLACE: &str = "\
SELECT department_id, starts_at, secret_generation, email_index
FROM appointments LEFT JOIN contacts ON contacts.id = appointments.id WHERE appointments.id = $1";

#[async_trait]
impl UnitOfWork for ChangeAppointment {
    type Outcome = ChangeOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<ChangeOutcome>, StoreError> {
        let undone = |outcome| Ok(Decision::Rollback(outcome));
        let ChangeRequest { id, asked, by, .. } = &self.request;
        let place: Option<Place> = transaction.fetch_optional(PLACE, values![*id]).await?;
        let Some(place) = place else {
            return undone(ChangeOutcome::Unknown);
        };
        let wanted = asked.action.wanted();
        let old = slot(&place.department_id, place.starts_at);
        let new = wanted.map(|wanted| slot(&wanted.department_id, wanted.starts_at));
        let generation = place.secret_generation;
        let caller = (by.access).caller(&self.keys, Subject::Appointment, *id, generation);
        // Limits of a person apply only to callers who have proven the address: to others, a refusal would reveal
        // appointments.
        let counted = place
            .email_index
            .filter(|_| caller == Caller::Proven && wanted.is_some());
        let address = counted.as_deref().map(address_lock);
        let mut locks = vec![Lock::Shared(ROSTER), Lock::Exclusive(&old)];
        locks.extend(new.as_deref().map(Lock::Exclusive));
        locks.extend(address.as_deref().map(Lock::Exclusive));
        transaction.lock_all(&locks).await?;
        if !is_current(transaction, &self.roster).await? {
            return undone(ChangeOutcome::RosterChanged);
        }
        let row: Option<AppointmentRow> = transaction
            .fetch_optional(rows::BY_ID, values![*id])
            .await?;
        let Some(row) = row else {
            return undone(ChangeOutcome::Unknown);
        };
        let present = row.open(&self.keys)?;
        if present.version != self.request.version {
            let is_cancel = matches!(asked.action, Action::Cancel { .. });
            return undone(if is_cancel && present.status == Status::Cancelled {
                ChangeOutcome::Unchanged(Box::new(present))
            } else {
                ChangeOutcome::Refused(Refused::EtagMismatch)
            });
        }
        let open = match &counted {
            Some(email_index) => open_of(transaction, email_index, *id, self.now).await?,
            None => Vec::new(),
        };
        let changes = self.changes(transaction, caller).await?;
        if let Some(refused) = change_is_too_much(&present, &asked.action, caller, changes, &open) {
            return undone(ChangeOutcome::Refused(refused));
        }
        let seats = self.seats(transaction, &present).await?;
        let decided = match asked.action {
            Action::Undo => {
                let last = self.last_change(transaction).await?;
                undo(&present, last.as_ref(), asked, self.now).map(Some)
            }
            _ => change(&present, asked, &seats, self.now),
        };
        let mut change = match decided {
            Ok(Some(change)) => change,
            Ok(None) => return undone(ChangeOutcome::Unchanged(Box::new(present))),
            Err(refused) => return undone(ChangeOutcome::Refused(refused)),
        };
        change.appointment.language = self.request.by.language_after(present.language);
        if !self.write(transaction, &change).await? {
            return undone(ChangeOutcome::Refused(Refused::EtagMismatch));
        }
        if !change.freed.is_empty() {
            let offer = waitlist::Offer {
                department_id: &present.department_id,
                starts_at: present.starts_at,
                message_id: asked.message_ids.of_offer(),
            };
            waitlist::offer(transaction, &offer, &self.roster, self.now).await?;
        }
        if let Some(request) = &self.request.request {
            let subject = moved_subject(&change.appointment);
            let note = requests::insert(request, &subject, self.now);
            transaction.run([note].into_iter().collect()).await?;
        }
        self.note(transaction, &change).await?;
        Ok(Decision::Commit(ChangeOutcome::Changed {
            appointment: Box::new(change.appointment),
            before: Box::new(present),
        }))
    }
}

impl ChangeAppointment {
    /// Counts the patient's changes that sent mail.
    async fn changes(
        &self,
        transaction: &mut Transaction<'_>,
        caller: Caller,
    ) -> Result<PatientChanges, StoreError> {
        const CHANGES: &str = "\
SELECT count(CASE WHEN create_time > $5 THEN 1 END), count(*) FROM events
WHERE appointment_id = $1 AND actor = $2 AND kind IN ($3, $4)";
        if caller == Caller::Staff {
            return Ok(PatientChanges::default());
        }
        let since = self.now - TimeDelta::days(1);
        let find = values![self.request.id, PATIENT, MOVED, ADDRESS_CHANGED, since];
        let (of_day, all): (i64, i64) = transaction.fetch_one(CHANGES, find).await?;
        Ok(PatientChanges { of_day, all })
    }

    /// Reads the change that made the present version.
    async fn last_change(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Option<LastChange>, StoreError> {
        const LAST: &str = "\
SELECT actor, create_time, detail FROM events WHERE appointment_id = $1 AND version = $2";
        let find = values![self.request.id, self.request.version];
        let row: Option<(String, DateTime<Utc>, String)> =
            transaction.fetch_optional(LAST, find).await?;
        Ok(row.map(|(actor, create_time, detail)| LastChange {
            actor,
            create_time,
            replaced: events::replaced(&detail),
        }))
    }

    /// Reads the seats at the wanted time, and the appointment's own.
    async fn seats(
        &self,
        transaction: &mut Transaction<'_>,
        present: &Appointment,
    ) -> Result<SeatsAt, StoreError> {
        let wanted = self.request.asked.action.wanted();
        let resources: Vec<_> = wanted
            .iter()
            .flat_map(|wanted| wanted.resources())
            .collect();
        let starts_at = wanted.map_or(present.starts_at, |wanted| wanted.starts_at);
        let rows: Vec<SeatRow> = transaction
            .fetch_all(
                rows::SEATS_AT,
                values![joined(&resources), starts_at, present.id],
            )
            .await?;
        let seats = rows
            .into_iter()
            .map(SeatRow::held)
            .collect::<Result<_, _>>()?;
        // The appointment's own seat counts as free, and is kept if it satisfies the request.
        Ok(SeatsAt::new(seats, vec![present.id], self.now))
    }

    /// Writes the change. Returns `false` if the appointment has another version by now.
    async fn write(
        &self,
        transaction: &mut Transaction<'_>,
        change: &Change,
    ) -> Result<bool, StoreError> {
        let (sql, values) = rows::update(&self.keys, change, self.request.by.stored_language());
        if transaction.execute(sql, values).await? == 0 {
            return Ok(false);
        }
        transaction.run(rows::clearing(change)).await?;
        let network = self.request.by.network;
        let script = rows::writing(&self.keys, change, network)?;
        transaction.run(script).await?;
        Ok(true)
    }

    async fn note(
        &self,
        transaction: &mut Transaction<'_>,
        change: &Change,
    ) -> Result<(), StoreError> {
        let subject = change.appointment.id.to_string();
        let entry = self.request.by.access.entry(change.event, &subject, "");
        match entry {
            Some(entry) => audit::append(transaction, &self.keys, &entry, self.now).await,
            None => Ok(()),
        }
    }
}
