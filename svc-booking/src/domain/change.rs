//! Decides changes of appointments against the current state. Pure: the store reads the state, calls the decision and
//! writes the [`Change`].

mod action;
mod undo;

use std::collections::BTreeSet;

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use service_kit::{language::Language, reference::reference, source::Ids};
use uuid::Uuid;

use super::{
    appointment::{NewAppointment, Visit},
    calendar::{IST, Lead, SlotTime, today},
    contact::{Contact, DeskNote},
    proof::Proof,
    seats::{HeldSeat, Resource, Seat, SeatsAt},
    status::Status,
};

pub use action::{Action, Asked, PatientChanges, change, change_is_too_much};
pub use undo::{LastChange, Replaced, UNDO_TIME, undo};

/// Number of references proposed per booking. The chance that all of them are taken is negligible.
pub const REFERENCES: usize = 4;
/// Ids per change: at most 3 notifications of the appointment, and 1 offer of its freed seat.
const MESSAGES_MAX: usize = 4;
/// Actor name of changes by a patient.
pub const PATIENT: &str = "patient";

/// Kinds of notifications.
pub const BOOKED: &str = "appointment.booked";
pub const CHANGED: &str = "appointment.changed";
pub const MOVED: &str = "appointment.moved";
pub const CANCELLED: &str = "appointment.cancelled";
pub const UNCOVERED: &str = "appointment.uncovered";
pub const DAY_BEFORE: &str = "appointment.reminder_24h";
pub const HOURS_BEFORE: &str = "appointment.reminder_2h";
/// Event of an update that changes the e-mail address or the phone number; its notification is of kind [`CHANGED`].
pub const ADDRESS_CHANGED: &str = "appointment.address_changed";
/// Kinds of reminders and their lead time before the visit.
const REMINDERS: [(&str, TimeDelta); 2] = [
    (DAY_BEFORE, TimeDelta::hours(24)),
    (HOURS_BEFORE, TimeDelta::hours(2)),
];

/// An appointment as stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Appointment {
    pub id: Uuid,
    /// Human-readable reference, which the patient gives at the desk; not a secret.
    pub reference: String,
    pub department_id: String,
    /// The doctor who sees the patient; `None` for a clinic.
    pub doctor_id: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub status: Status,
    /// When the patient went in to the doctor; kept once completed.
    pub consultation_time: Option<DateTime<Utc>>,
    /// Starts at 1 and grows with each change.
    pub version: i64,
    /// Number of secrets issued to the patient; only the last one is valid. 0 means none.
    pub secret_generation: i64,
    /// Truncated to microseconds, the precision of both databases, to make a replayed response equal the first.
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    /// The resource whose seat it occupies; `None` if it has no seat.
    pub resource: Option<Resource>,
    /// Proof of the e-mail address in `contact`.
    pub proof: Proof,
    /// `None` once the personal data has been erased.
    pub contact: Option<Contact>,
    pub desk_note: DeskNote,
    /// Language of the person, in which notices are sent.
    pub language: Option<Language>,
}

impl Appointment {
    /// Returns time, department and doctor; `None` if the start is not one of the 18 times.
    pub fn visit(&self) -> Option<Visit> {
        let local = self.starts_at.with_timezone(&IST);
        Some(Visit {
            department_id: self.department_id.clone(),
            doctor_id: self.doctor_id.clone(),
            date: local.date_naive(),
            slot: SlotTime::at(local.time())?,
        })
    }

    /// Returns whether the appointment is booked and has not started.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        self.status == Status::Booked && now < self.starts_at
    }
}

/// The person who books.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Booker {
    #[default]
    Patient,
    Staff {
        /// Subject of the token.
        actor: String,
        /// Whether the patient is at the desk: the appointment is created as arrived.
        arrived: bool,
    },
}

impl Booker {
    fn actor(&self) -> &str {
        match self {
            Self::Patient => PATIENT,
            Self::Staff { actor, .. } => actor,
        }
    }

    /// Returns how late a slot can be booked.
    pub fn lead(&self) -> Lead {
        match self {
            Self::Patient => Lead::Online,
            Self::Staff { .. } => Lead::Desk,
        }
    }
}

/// A booking that obeys every rule, with pre-generated ids: decisions use no randomness.
#[derive(Clone, Debug)]
pub struct Booking {
    pub id: Uuid,
    pub message_ids: MessageIds,
    /// Tried in order: references are unique, and random ones may collide.
    pub references: Vec<String>,
    pub appointment: NewAppointment,
    pub booker: Booker,
    /// Language of the person.
    pub language: Option<Language>,
}

impl Booking {
    /// Adds the id, the message ids and a few candidate references, which begin with `prefix`, to a patient's new
    /// appointment.
    ///
    /// The ids sort by `now`, which the appointment reveals anyway. Rows that are written together are therefore
    /// adjacent in the indexes.
    pub fn new(
        appointment: NewAppointment,
        prefix: &str,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id: ids.uuid_at(now),
            message_ids: MessageIds::new(ids, now),
            references: references(prefix, ids),
            appointment,
            booker: Booker::Patient,
            language: None,
        }
    }
}

/// Pre-generated ids for the notifications of one change.
#[derive(Clone, Copy, Debug)]
pub struct MessageIds([Uuid; MESSAGES_MAX]);

impl MessageIds {
    pub fn new(ids: &dyn Ids, now: DateTime<Utc>) -> Self {
        Self(std::array::from_fn(|_| ids.uuid_at(now)))
    }

    /// Returns the id for the offer of the freed seat.
    pub fn of_offer(self) -> Uuid {
        self.0[MESSAGES_MAX - 1]
    }
}

/// A proven, open appointment of one person.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OpenAppointment {
    pub department_id: String,
    pub starts_at: DateTime<Utc>,
}

impl OpenAppointment {
    fn is_same_day(&self, other: &Self) -> bool {
        self.department_id == other.department_id && today(self.starts_at) == today(other.starts_at)
    }
}

/// The state that a booking decision depends on.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Appointment of an earlier request with the same request id.
    pub repeated: Option<Appointment>,
    /// Proposed references that are already taken.
    pub references_taken: BTreeSet<String>,
    /// Seats of the wanted resources at the wanted time.
    pub seats: SeatsAt,
    /// Number of unproven open appointments that were booked from the caller's network.
    pub unproven_of_network: i64,
}

/// All effects of one command, stored atomically.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// The appointment after the change; the version is 1 for a new one, else one more than before.
    pub appointment: Appointment,
    /// Seat rows to delete before the new seat is taken. Each row includes its holder, and a seat with another holder
    /// by then is kept.
    pub freed: Vec<HeldSeat>,
    /// The seat that the appointment takes.
    pub taken: Option<Seat>,
    /// Whether the contact data is rewritten.
    pub rewrites_contact: bool,
    /// Whether the desk's note is rewritten.
    pub rewrites_note: bool,
    /// What the change of a status, or a booking as arrived, replaced, if it can be undone.
    pub replaced: Option<Replaced>,
    /// Whether the appointment is deleted entirely.
    pub deletes: bool,
    /// Event type for the history.
    pub event: &'static str,
    /// `patient`, or the subject of a staff token.
    pub actor: String,
    /// New proof status of the address; `None` keeps the present one.
    pub proof: Option<Proof>,
    /// Kinds of pending notifications to withdraw.
    pub withdrawn: Vec<&'static str>,
    /// Notifications for the outbox.
    pub messages: Vec<Notice>,
}

impl Change {
    /// Returns a change that keeps the seat.
    pub fn of(appointment: Appointment, event: &'static str, actor: &str) -> Self {
        Self {
            appointment,
            freed: Vec::new(),
            taken: None,
            rewrites_contact: false,
            rewrites_note: false,
            replaced: None,
            deletes: false,
            event,
            actor: actor.to_owned(),
            proof: None,
            withdrawn: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// Sets the proof status of the address, which may revoke a proof.
    pub fn set_proof(&mut self, proof: Proof) {
        self.proof = Some(proof);
        self.appointment.proof = proof;
    }
}

/// A notification about an appointment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    pub id: Uuid,
    pub kind: &'static str,
    pub not_before: DateTime<Utc>,
}

/// Why a change is refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refused {
    /// No seat is left.
    SlotTaken,
    /// The network has reached its limit of unproven open appointments.
    NetworkAppointmentsMax,
    /// The proven address has reached its limit of open appointments.
    AppointmentsMax,
    /// The proven address has another appointment of this department on this day.
    SameDay,
    /// The patient has reached the limit of moves and address changes of this appointment.
    MovesMax,
    /// The appointment is over or was cancelled.
    NotOpen,
    /// The present status does not allow this one.
    StatusNotAllowed,
    /// The change was made more than [`UNDO_TIME`] ago.
    UndoTooLate,
    /// Another person made the change.
    UndoNotYours,
    /// The last change cannot be undone.
    NothingToUndo,
    /// The person was erased.
    Erased,
    /// The appointment has another version by now.
    EtagMismatch,
    /// All proposed references are taken.
    ReferencesTaken,
}

/// Outcome of a booking.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decided {
    /// The change to store.
    Change(Box<Change>),
    /// An idempotent replay, with the present state of the earlier appointment.
    Repeated(Box<Appointment>),
    Refused(Refused),
}

/// Decides a booking. Pure: the same state, booking and moment give the same decision. `unproven_max` is the maximum
/// number of unproven open appointments per network.
///
/// The state excludes other appointments of the person, because the caller has not proven to be that person.
pub fn book(state: &State, booking: &Booking, unproven_max: u32, now: DateTime<Utc>) -> Decided {
    // A cancelled appointment is no replay: the same form may book again.
    if let Some(earlier) = &state.repeated
        && earlier.status != Status::Cancelled
    {
        return Decided::Repeated(Box::new(earlier.clone()));
    }
    let new = &booking.appointment;
    let Some((seat, before)) = state.seats.free(&new.wanted) else {
        return Decided::Refused(Refused::SlotTaken);
    };
    let is_patient = booking.booker == Booker::Patient;
    if is_patient && state.unproven_of_network >= i64::from(unproven_max) {
        return Decided::Refused(Refused::NetworkAppointmentsMax);
    }
    let unused = |reference: &&String| !state.references_taken.contains(*reference);
    let Some(reference) = booking.references.iter().find(unused) else {
        return Decided::Refused(Refused::ReferencesTaken);
    };
    let now = now.trunc_subsecs(6);
    let (status, proof) = match &booking.booker {
        Booker::Patient => (Status::Booked, Proof::Unproven),
        Booker::Staff { arrived: false, .. } => (Status::Booked, Proof::Desk),
        Booker::Staff { arrived: true, .. } => (Status::Arrived, Proof::Desk),
    };
    // Staff never see the secret, so without an e-mail address there is nobody to send it to.
    let has_secret = is_patient || !new.contact.email.is_empty();
    let appointment = Appointment {
        id: booking.id,
        reference: reference.clone(),
        department_id: new.wanted.department_id.clone(),
        doctor_id: seat.resource.doctor_id().map(str::to_owned),
        starts_at: new.wanted.starts_at,
        status,
        consultation_time: None,
        version: 1,
        secret_generation: i64::from(has_secret),
        create_time: now,
        update_time: now,
        resource: Some(seat.resource.clone()),
        proof,
        contact: Some(new.contact.clone()),
        desk_note: DeskNote::default(),
        language: booking.language,
    };
    let mut freed: Vec<HeldSeat> = before.into_iter().collect();
    if let Some(hold) = new.hold_id {
        freed.extend(state.seats.of_holder(hold).cloned());
        freed.sort_unstable();
        freed.dedup();
    }
    let messages = if status == Status::Booked {
        notices(BOOKED, appointment.starts_at, booking.message_ids, now)
    } else {
        Vec::new()
    };
    let replaced = (status == Status::Arrived).then_some(Replaced {
        status: Status::Booked,
        proof,
    });
    Decided::Change(Box::new(Change {
        freed,
        replaced,
        taken: Some(seat),
        rewrites_contact: true,
        messages,
        ..Change::of(appointment, BOOKED, booking.booker.actor())
    }))
}

/// Returns the limit that one more appointment would exceed for a person with the appointments `open`. `open_max` is
/// the maximum per proven address.
pub fn one_too_many(
    open: &[OpenAppointment],
    more: &OpenAppointment,
    open_max: usize,
) -> Option<Refused> {
    let has_that_day = open.iter().any(|other| other.is_same_day(more));
    if has_that_day {
        return Some(Refused::SameDay);
    }
    (open.len() >= open_max).then_some(Refused::AppointmentsMax)
}

/// Returns the notification of a booking or move, and the reminders that are not yet due.
pub fn notices(
    kind: &'static str,
    starts_at: DateTime<Utc>,
    ids: MessageIds,
    now: DateTime<Utc>,
) -> Vec<Notice> {
    let reminders = REMINDERS
        .into_iter()
        .map(|(kind, before)| (kind, starts_at - before))
        .filter(|(_, not_before)| *not_before > now);
    [(kind, now)]
        .into_iter()
        .chain(reminders)
        .zip(ids.0)
        .map(|((kind, not_before), id)| Notice {
            id,
            kind,
            not_before,
        })
        .collect()
}

/// Generates [`REFERENCES`] candidate references.
pub fn references(prefix: &str, ids: &dyn Ids) -> Vec<String> {
    (0..REFERENCES)
        .map(|_| reference(prefix, ids.uuid()))
        .collect()
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "change_of_present_tests.rs"]
mod tests_of_present;
