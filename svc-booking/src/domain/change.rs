//! Decides changes of appointments against the current state. Pure: the store reads the state, asks for the decision, and writes the
//! [`Change`].

mod action;

use std::{collections::BTreeSet, fmt};

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use service_kit::{reference::reference, source::Ids};
use uuid::Uuid;

use super::{
    appointment::{NewAppointment, Visit},
    calendar::{IST, SlotTime, today},
    proof::Proof,
    seats::{HeldSeat, Resource, Seat, SeatsAt},
    status::Status,
};

pub use action::{Action, Asked, PatientChanges, change, change_is_too_much};

/// References proposed for one booking; that all of them are taken does not happen by chance.
pub const REFERENCES: usize = 4;
/// Notifications that one change makes at most, and one more to whom its old seat is offered.
const MESSAGES_MAX: usize = 4;
/// Who acts when a patient does.
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
/// Reminders, and how long before the visit they are due.
const REMINDERS: [(&str, TimeDelta); 2] = [
    (DAY_BEFORE, TimeDelta::hours(24)),
    (HOURS_BEFORE, TimeDelta::hours(2)),
];

/// Who comes, and what they wrote. Its `Debug` shows nothing, so that no log line can.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Contact {
    pub patient_name: String,
    pub email: String,
    pub phone: String,
    pub reason: String,
    pub notes: String,
}

impl fmt::Debug for Contact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Contact(withheld)")
    }
}

/// An appointment as stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Appointment {
    pub id: Uuid,
    /// Human-readable reference, which the patient says at the desk; no secret.
    pub reference: String,
    pub department_id: String,
    /// Who sees the patient, if it is a doctor.
    pub doctor_id: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub status: Status,
    /// Counts the changes, from 1.
    pub version: i64,
    /// How many secrets the patient was given; the last one is valid. 0: none.
    pub secret_generation: i64,
    /// Whole microseconds, the precision of both databases: a replayed answer equals the first.
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    /// Whose seat it has; `None` when it has none.
    pub resource: Option<Resource>,
    /// Of the e-mail address of `contact`.
    pub proof: Proof,
    /// `None`: the personal data has been erased.
    pub contact: Option<Contact>,
}

impl Appointment {
    /// When and where it is; `None` for a time that is none of the 18.
    pub fn visit(&self) -> Option<Visit> {
        let local = self.starts_at.with_timezone(&IST);
        Some(Visit {
            department_id: self.department_id.clone(),
            doctor_id: self.doctor_id.clone(),
            date: local.date_naive(),
            slot: SlotTime::at(local.time())?,
        })
    }

    /// Whether it is still to come.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        self.status == Status::Booked && now < self.starts_at
    }
}

/// A booking that obeys every rule, with the ids it needs: a decision draws none itself.
#[derive(Clone, Debug)]
pub struct Booking {
    pub id: Uuid,
    pub message_ids: MessageIds,
    /// Tried in order: references are unique, and two may meet by chance.
    pub references: Vec<String>,
    pub appointment: NewAppointment,
}

impl Booking {
    /// Gives a new appointment its id and a few references to choose from.
    ///
    /// The ids sort by `now`, which the appointment says anyway: rows that are written together stand together in the indexes.
    pub fn new(appointment: NewAppointment, ids: &dyn Ids, now: DateTime<Utc>) -> Self {
        Self {
            id: ids.uuid_at(now),
            message_ids: MessageIds::new(ids, now),
            references: references("SH", ids),
            appointment,
        }
    }
}

/// Ids for the notifications of one change.
#[derive(Clone, Copy, Debug)]
pub struct MessageIds([Uuid; MESSAGES_MAX]);

impl MessageIds {
    pub fn new(ids: &dyn Ids, now: DateTime<Utc>) -> Self {
        Self(std::array::from_fn(|_| ids.uuid_at(now)))
    }

    /// Of the offer of the seat that comes free.
    pub fn of_offer(self) -> Uuid {
        self.0[MESSAGES_MAX - 1]
    }
}

/// A proven appointment of one person that is still to come.
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

/// What a booking depends on, as it is at the moment of the decision.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// What an earlier request with the same id made.
    pub repeated: Option<Appointment>,
    /// Proposed references that belong to other appointments.
    pub references_taken: BTreeSet<String>,
    /// Seats at the time in question, of the resources in question.
    pub seats: SeatsAt,
    /// Unproven appointments of the caller's network that are still to come.
    pub unproven_of_network: i64,
}

/// Everything that one command changes. It is stored atomically.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// The appointment as it is afterwards; its version is 1 when it is new, else one more than before.
    pub appointment: Appointment,
    /// Rows of seats to delete before others are taken. Each names its holder: a seat that has another holder by then is kept.
    pub freed: Vec<HeldSeat>,
    /// The seat that the appointment takes.
    pub taken: Option<Seat>,
    /// Whether the person's data is written again.
    pub rewrites_contact: bool,
    /// The appointment goes as if it had never been.
    pub deletes: bool,
    /// What happened, for the history.
    pub event: &'static str,
    /// Who did it.
    pub actor: String,
    /// What the change proves of the address, or takes back; `None`: nothing.
    pub proof: Option<Proof>,
    /// Notifications that must not go out any more.
    pub withdrawn: Vec<&'static str>,
    /// Notifications for the outbox, which delivers them.
    pub messages: Vec<Notice>,
}

impl Change {
    /// One that leaves the seat as it is.
    pub fn of(appointment: Appointment, event: &'static str, actor: &str) -> Self {
        Self {
            appointment,
            freed: Vec::new(),
            taken: None,
            rewrites_contact: false,
            deletes: false,
            event,
            actor: actor.to_owned(),
            proof: None,
            withdrawn: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// Has the change prove the address, or take a proof back.
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

/// Why a change is not made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refused {
    /// No seat is left.
    SlotTaken,
    /// The network has as many unproven open appointments as it may have.
    NetworkAppointmentsMax,
    /// The proven address has as many open appointments as it may have.
    AppointmentsMax,
    /// The proven address has another appointment of this department on this day.
    SameDay,
    /// The patient has moved the appointment, or changed its address, as often as allowed.
    MovesMax,
    /// The appointment is over or was cancelled.
    NotOpen,
    /// This status cannot follow on the present one.
    StatusNotAllowed,
    /// The appointment is another version by now.
    EtagMismatch,
    /// Every proposed reference belongs to another appointment.
    ReferencesTaken,
}

/// Outcome of a booking.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decided {
    /// To be stored.
    Change(Box<Change>),
    /// An idempotent replay: the present state of the earlier appointment.
    Repeated(Box<Appointment>),
    Refused(Refused),
}

/// Decides a booking. Pure: the same state, booking and moment give the same decision. `unproven_max` is how many unproven open
/// appointments a network may have.
///
/// Whatever is known of the person is no part of the state: the caller has not shown to be that person.
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
    if state.unproven_of_network >= i64::from(unproven_max) {
        return Decided::Refused(Refused::NetworkAppointmentsMax);
    }
    let unused = |reference: &&String| !state.references_taken.contains(*reference);
    let Some(reference) = booking.references.iter().find(unused) else {
        return Decided::Refused(Refused::ReferencesTaken);
    };
    let now = now.trunc_subsecs(6);
    let appointment = Appointment {
        id: booking.id,
        reference: reference.clone(),
        department_id: new.wanted.department_id.clone(),
        doctor_id: seat.resource.doctor_id().map(str::to_owned),
        starts_at: new.wanted.starts_at,
        status: Status::Booked,
        version: 1,
        secret_generation: 1,
        create_time: now,
        update_time: now,
        resource: Some(seat.resource.clone()),
        proof: Proof::Unproven,
        contact: Some(new.contact.clone()),
    };
    let mut freed: Vec<HeldSeat> = before.into_iter().collect();
    if let Some(hold) = new.hold_id {
        freed.extend(state.seats.of_holder(hold).cloned());
        freed.sort_unstable();
        freed.dedup();
    }
    let messages = notices(BOOKED, appointment.starts_at, booking.message_ids, now);
    Decided::Change(Box::new(Change {
        freed,
        taken: Some(seat),
        rewrites_contact: true,
        messages,
        ..Change::of(appointment, BOOKED, PATIENT)
    }))
}

/// Whether a person who has `open` may not have one more. `open_max` is how many a proven address may have.
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

/// The notification of a booking or move, and the reminders that are still to come.
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

/// A few references to choose from.
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
