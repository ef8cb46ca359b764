//! Decides a command against the current state. Pure: the store reads the state, calls [`decide`], and writes the [`Change`].

use std::{collections::BTreeSet, fmt};

use chrono::{DateTime, SubsecRound as _, Utc};
use service_kit::source::Ids;
use uuid::Uuid;

use super::{
    appointment::NewAppointment,
    seats::{Resource, Seat, SeatClaim},
    status::Status,
};

/// Letters and digits that are not confused when read aloud: no 0, 1, I, L, O or U.
const REFERENCE_ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
/// References proposed for one booking; that all of them are taken does not happen by chance.
pub const REFERENCES: usize = 4;
/// Who acts when a patient books.
const PATIENT: &str = "patient";

/// Who comes, and what they wrote. Its `Debug` shows nothing, so that no log line can.
#[derive(Clone, Eq, PartialEq)]
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
    pub doctor_id: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub status: Status,
    /// Counts the changes, from 1.
    pub version: i64,
    /// Whole microseconds, the precision of both databases: a replayed answer equals the first.
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    /// `None`: the personal data has been erased.
    pub contact: Option<Contact>,
}

/// A requested change, with the ids it needs: a decision draws none itself.
#[derive(Clone, Debug)]
pub enum Command {
    Book(Booking),
}

/// A booking that obeys every rule.
#[derive(Clone, Debug)]
pub struct Booking {
    pub id: Uuid,
    pub message_id: Uuid,
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
            message_id: ids.uuid_at(now),
            references: (0..REFERENCES).map(|_| reference(ids.uuid())).collect(),
            appointment,
        }
    }
}

/// What a decision depends on, as it is at the moment of the decision.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// What an earlier request with the same id made.
    pub repeated: Option<Appointment>,
    /// Proposed references that belong to other appointments.
    pub references_taken: BTreeSet<String>,
    /// Seats at the time in question, of the resources in question.
    pub seats: Vec<HeldSeat>,
}

/// A seat that has a holder, or had one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HeldSeat {
    pub seat: Seat,
    /// From then on nobody holds it.
    pub expire_time: Option<DateTime<Utc>>,
}

impl HeldSeat {
    fn is_held(&self, now: DateTime<Utc>) -> bool {
        self.expire_time.is_none_or(|until| now < until)
    }
}

/// Everything that one command changes. It is stored atomically.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// The appointment as it is afterwards; its version is 1 when it is new, else one more than before.
    pub appointment: Appointment,
    /// Seats that are given back, before others are taken.
    pub freed: Vec<Seat>,
    /// Seats that the appointment takes.
    pub taken: Vec<Seat>,
    /// What happened, for the history.
    pub event: &'static str,
    /// Who did it.
    pub actor: String,
    /// Notifications for the outbox, which delivers them.
    pub messages: Vec<Notice>,
}

/// A notification about an appointment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    pub id: Uuid,
    pub kind: &'static str,
    pub not_before: DateTime<Utc>,
}

/// Outcome of a command.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decided {
    /// To be stored.
    Change(Box<Change>),
    /// An idempotent replay: the present state of the earlier appointment.
    Repeated(Box<Appointment>),
    /// No seat is left.
    SlotTaken,
    /// Every proposed reference belongs to another appointment.
    ReferencesTaken,
}

/// Decides. Pure: the same state, command and moment give the same decision.
pub fn decide(state: &State, command: &Command, now: DateTime<Utc>) -> Decided {
    match command {
        Command::Book(booking) => book(state, booking, now),
    }
}

fn book(state: &State, booking: &Booking, now: DateTime<Utc>) -> Decided {
    // A cancelled appointment is no replay: the same form may book again.
    if let Some(earlier) = &state.repeated
        && earlier.status != Status::Cancelled
    {
        return Decided::Repeated(Box::new(earlier.clone()));
    }
    let new = &booking.appointment;
    let mut taken = Vec::new();
    let mut freed = Vec::new();
    for claim in new.claims() {
        let Some(seat) = free_seat(state, claim, new.starts_at(), now) else {
            return Decided::SlotTaken;
        };
        let expired = state.seats.iter().any(|held| held.seat == seat);
        if expired {
            freed.push(seat.clone());
        }
        taken.push(seat);
    }
    let unused = |reference: &&String| !state.references_taken.contains(*reference);
    let Some(reference) = booking.references.iter().find(unused) else {
        return Decided::ReferencesTaken;
    };
    let now = now.trunc_subsecs(6);
    Decided::Change(Box::new(Change {
        appointment: Appointment {
            id: booking.id,
            reference: reference.clone(),
            department_id: new.department_id().to_owned(),
            doctor_id: new.doctor_id().map(str::to_owned),
            starts_at: new.starts_at(),
            status: Status::Booked,
            version: 1,
            create_time: now,
            update_time: now,
            contact: Some(new.contact().clone()),
        },
        freed,
        taken,
        event: "appointment.booked",
        actor: PATIENT.to_owned(),
        messages: vec![Notice {
            id: booking.message_id,
            kind: "appointment.booked",
            not_before: now,
        }],
    }))
}

/// The lowest seat of a resource that nobody holds; `None` when as many are held as there are, whatever their numbers: capacity may have
/// been lowered since.
fn free_seat(
    state: &State,
    claim: &SeatClaim,
    starts_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Option<Seat> {
    let held: BTreeSet<u32> = state
        .seats
        .iter()
        .filter(|held| held.seat.resource == claim.resource && held.seat.starts_at == starts_at)
        .filter(|held| held.is_held(now))
        .map(|held| held.seat.number)
        .collect();
    if held.len() >= claim.capacity as usize {
        return None;
    }
    let number = (1..=claim.capacity).find(|number| !held.contains(number))?;
    Some(Seat {
        resource: Resource::clone(&claim.resource),
        starts_at,
        number,
    })
}

/// A reference such as `SH-7K3M-9QXD`, made of a random id.
pub fn reference(id: Uuid) -> String {
    // The low 62 bits of a UUID are free of its version and variant.
    let mut rest = id.as_u128() & ((1 << 62) - 1);
    let mut letters = String::with_capacity(12);
    letters.push_str("SH-");
    for place in 0..8 {
        if place == 4 {
            letters.push('-');
        }
        let letter = usize::try_from(rest % 30).unwrap_or_default();
        letters.push(char::from(REFERENCE_ALPHABET[letter]));
        rest /= 30;
    }
    letters
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
