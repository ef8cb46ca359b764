//! Decides changes of an appointment that exists.

use chrono::{DateTime, SubsecRound as _, Utc};

use super::{
    ADDRESS_CHANGED, Appointment, BOOKED, CANCELLED, CHANGED, Change, Contact, DAY_BEFORE,
    HOURS_BEFORE, MOVED, MessageIds, Notice, OpenAppointment, PATIENT, Refused, UNCOVERED, notices,
};
use crate::domain::{
    proof::{Caller, Proof},
    seats::{HeldSeat, SeatsAt, Wanted},
    status::Status,
};

/// A requested change of an existing appointment.
#[derive(Clone, Debug)]
pub enum Action {
    /// Moves it to another seat.
    Move(Wanted),
    /// Replaces the person's data, and moves it if that is asked for.
    Update {
        contact: Contact,
        wanted: Option<Wanted>,
        status: Option<Status>,
    },
    Cancel {
        /// Whether the patient gets a notice.
        notify: bool,
    },
    SetStatus(Status),
    /// Removes it with everything that names the person.
    Delete,
}

impl Action {
    /// The time of which the decision needs the seats.
    pub fn wanted(&self) -> Option<&Wanted> {
        match self {
            Self::Move(wanted) => Some(wanted),
            Self::Update { wanted, .. } => wanted.as_ref(),
            Self::Cancel { .. } | Self::SetStatus(_) | Self::Delete => None,
        }
    }

    /// Whether the e-mail address or the phone number is another one afterwards.
    pub fn changes_address(&self, present: &Appointment) -> bool {
        match (self, &present.contact) {
            (Self::Update { contact, .. }, Some(before)) => {
                contact.email != before.email || contact.phone != before.phone
            }
            _ => false,
        }
    }
}

/// Who asks for a change, and with which ids it is made.
#[derive(Clone, Debug)]
pub struct Asked {
    pub action: Action,
    /// `patient`, or the subject of a staff token.
    pub actor: String,
    pub message_ids: MessageIds,
}

/// Decides a change of an appointment. `seats` are those of the time that is wanted and the appointment's own. `Ok(None)`: it is as asked
/// for already.
///
/// # Errors
/// See [`Refused`].
pub fn change(
    present: &Appointment,
    asked: &Asked,
    seats: &SeatsAt,
    now: DateTime<Utc>,
) -> Result<Option<Change>, Refused> {
    let now = now.trunc_subsecs(6);
    let next = Appointment {
        version: present.version + 1,
        update_time: now,
        ..present.clone()
    };
    let own: Vec<HeldSeat> = seats.of_holder(present.id).cloned().collect();
    match &asked.action {
        Action::Move(wanted) => moved(next, asked, wanted, seats, own, now).map(Some),
        Action::Update {
            contact,
            wanted,
            status,
        } => {
            let is_readdressed = asked.action.changes_address(present);
            // Links that are out there went to the address of before.
            let generation = next.secret_generation + i64::from(is_readdressed);
            let next = Appointment {
                contact: Some(contact.clone()),
                secret_generation: generation,
                ..next
            };
            let mut change = match (wanted, status) {
                (Some(wanted), None) => moved(next, asked, wanted, seats, own, now)?,
                (Some(_), Some(_)) => return Err(Refused::StatusNotAllowed),
                (None, Some(status)) if *status != present.status => {
                    with_status(next, asked, *status, own, now)?
                }
                (None, _) if present.is_open(now) || asked.actor != PATIENT => {
                    let event = if is_readdressed {
                        ADDRESS_CHANGED
                    } else {
                        CHANGED
                    };
                    Change::of(next, event, &asked.actor)
                }
                (None, _) => return Err(Refused::NotOpen),
            };
            change.rewrites_contact = true;
            if is_readdressed {
                readdress(&mut change, asked, now);
            }
            Ok(Some(change))
        }
        Action::Cancel { .. } if present.status == Status::Cancelled => Ok(None),
        Action::Cancel { .. } if asked.actor == PATIENT && !present.is_open(now) => {
            Err(Refused::NotOpen)
        }
        Action::Cancel { notify } => {
            let mut change = with_status(next, asked, Status::Cancelled, own, now)?;
            if !notify {
                change.messages.clear();
            }
            Ok(Some(change))
        }
        Action::SetStatus(status) if *status == present.status => Ok(None),
        Action::SetStatus(status) => with_status(next, asked, *status, own, now).map(Some),
        Action::Delete => Ok(Some(Change {
            freed: own,
            deletes: true,
            withdrawn: vec![
                BOOKED,
                MOVED,
                CHANGED,
                CANCELLED,
                UNCOVERED,
                DAY_BEFORE,
                HOURS_BEFORE,
            ],
            ..Change::of(
                Appointment {
                    status: Status::Cancelled,
                    resource: None,
                    contact: None,
                    ..next
                },
                "appointment.deleted",
                &asked.actor,
            )
        })),
    }
}

/// Frees the old seat and takes a new one, or does neither. Replaces the patient's link: a holder of the old one may not be meant to know
/// the new time.
fn moved(
    next: Appointment,
    asked: &Asked,
    wanted: &Wanted,
    seats: &SeatsAt,
    own: Vec<HeldSeat>,
    now: DateTime<Utc>,
) -> Result<Change, Refused> {
    if next.status != Status::Booked || (asked.actor == PATIENT && now >= next.starts_at) {
        return Err(Refused::NotOpen);
    }
    let (seat, before) = seats.free(wanted).ok_or(Refused::SlotTaken)?;
    let mut freed = own;
    freed.extend(before);
    freed.sort_unstable();
    freed.dedup();
    let appointment = Appointment {
        department_id: wanted.department_id.clone(),
        doctor_id: seat.resource.doctor_id().map(str::to_owned),
        starts_at: wanted.starts_at,
        resource: Some(seat.resource.clone()),
        secret_generation: next.secret_generation + 1,
        ..next
    };
    let messages = notices(MOVED, appointment.starts_at, asked.message_ids, now);
    Ok(Change {
        freed,
        taken: Some(seat),
        withdrawn: vec![BOOKED, MOVED, CHANGED, UNCOVERED, DAY_BEFORE, HOURS_BEFORE],
        messages,
        ..Change::of(appointment, MOVED, &asked.actor)
    })
}

/// The address is another one: what proved the old one proves nothing of it, and its owner gets the new link.
fn readdress(change: &mut Change, asked: &Asked, now: DateTime<Utc>) {
    let is_by_patient = asked.actor == PATIENT;
    change.set_proof(if is_by_patient {
        Proof::Unproven
    } else {
        Proof::Desk
    });
    if change.messages.is_empty() && change.appointment.is_open(now) {
        change.withdrawn.push(CHANGED);
        change.messages.push(Notice {
            id: asked.message_ids.0[0],
            kind: CHANGED,
            not_before: now,
        });
    }
}

fn with_status(
    next: Appointment,
    asked: &Asked,
    status: Status,
    own: Vec<HeldSeat>,
    now: DateTime<Utc>,
) -> Result<Change, Refused> {
    if !next.status.may_become(status) {
        return Err(Refused::StatusNotAllowed);
    }
    let event = match status {
        Status::Booked => return Err(Refused::StatusNotAllowed),
        Status::Arrived => "appointment.arrived",
        Status::Completed => "appointment.completed",
        Status::Cancelled => CANCELLED,
        Status::NoShow => "appointment.no_show",
    };
    let is_cancelled = status == Status::Cancelled;
    let mut change = Change {
        withdrawn: vec![UNCOVERED, DAY_BEFORE, HOURS_BEFORE],
        ..Change::of(Appointment { status, ..next }, event, &asked.actor)
    };
    if status.is_at_desk() && !change.appointment.proof.is_proven() {
        change.set_proof(Proof::Desk);
    }
    if is_cancelled {
        change.freed = own;
        change.appointment.resource = None;
        change.messages = vec![Notice {
            id: asked.message_ids.0[0],
            kind: CANCELLED,
            not_before: now,
        }];
    }
    Ok(change)
}

/// Changes of one appointment by its patient that are announced by mail: moves and changes of the address.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PatientChanges {
    /// In the last 24 hours.
    pub of_day: i64,
    pub all: i64,
}

/// Most [`PatientChanges`] of an appointment, in 24 hours and in all.
const CHANGES_MAX: PatientChanges = PatientChanges { of_day: 6, all: 20 };

/// Whether a patient's change is one too many. `open` are the other open appointments of the address, which matter only to a caller who
/// has proven that address: to anybody else the answer would tell where its person goes. Staff are never refused: patients ask them for
/// an exception.
pub fn change_is_too_much(
    present: &Appointment,
    action: &Action,
    caller: Caller,
    changes: PatientChanges,
    open: &[OpenAppointment],
) -> Option<Refused> {
    if caller == Caller::Staff {
        return None;
    }
    let wanted = action.wanted();
    let is_announced = wanted.is_some() || action.changes_address(present);
    if is_announced && (changes.of_day >= CHANGES_MAX.of_day || changes.all >= CHANGES_MAX.all) {
        return Some(Refused::MovesMax);
    }
    // Moved to an address that the caller has not proven.
    if caller != Caller::Proven || action.changes_address(present) {
        return None;
    }
    let place = OpenAppointment {
        department_id: wanted?.department_id.clone(),
        starts_at: wanted?.starts_at,
    };
    let has_that_day = open.iter().any(|other| other.is_same_day(&place));
    has_that_day.then_some(Refused::SameDay)
}
