//! Decides changes of an existing appointment.

use chrono::{DateTime, SubsecRound as _, Utc};

use super::{
    ADDRESS_CHANGED, Appointment, BOOKED, CANCELLED, CHANGED, Change, Contact, DAY_BEFORE,
    HOURS_BEFORE, MOVED, MessageIds, Notice, OpenAppointment, PATIENT, Refused, Replaced,
    UNCOVERED, notices,
};
use crate::domain::{
    contact::DeskNote,
    proof::{Caller, Proof},
    seats::{HeldSeat, SeatsAt, Wanted},
    status::Status,
};

/// A requested change of an existing appointment.
#[derive(Clone, Debug)]
pub enum Action {
    /// Moves the appointment to another seat.
    Move(Wanted),
    /// Replaces the contact data; moves the appointment if `wanted` is given.
    Update {
        contact: Contact,
        wanted: Option<Wanted>,
        status: Option<Status>,
    },
    Cancel {
        /// Whether the patient is notified.
        notify: bool,
    },
    SetStatus(Status),
    /// Undoes the last change of status; decided by [`super::undo`].
    Undo,
    SetNote(DeskNote),
    /// Deletes the appointment and everything that identifies the person.
    Delete,
}

impl Action {
    /// Returns the visit whose seats the decision needs.
    pub fn wanted(&self) -> Option<&Wanted> {
        match self {
            Self::Move(wanted) => Some(wanted),
            Self::Update { wanted, .. } => wanted.as_ref(),
            Self::Cancel { .. }
            | Self::SetStatus(_)
            | Self::Undo
            | Self::SetNote(_)
            | Self::Delete => None,
        }
    }

    /// Returns whether the person who asked can undo the action. A cancellation is announced at once and frees the seat.
    pub fn can_be_undone(&self) -> bool {
        matches!(self, Self::SetStatus(status) if *status != Status::Cancelled)
    }

    /// Returns whether the action changes the e-mail address or the phone number.
    pub fn changes_address(&self, present: &Appointment) -> bool {
        match (self, &present.contact) {
            (Self::Update { contact, .. }, Some(before)) => {
                contact.email != before.email || contact.phone != before.phone
            }
            _ => false,
        }
    }
}

/// A requested change, its actor and the ids for its notifications.
#[derive(Clone, Debug)]
pub struct Asked {
    pub action: Action,
    /// `patient`, or the subject of a staff token.
    pub actor: String,
    pub message_ids: MessageIds,
}

/// Decides a change of an appointment. `seats` are those at the wanted time and the appointment's own. Returns
/// `Ok(None)` if there is nothing to change.
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
    // A patient changes open appointments only.
    let may_change = asked.actor != PATIENT || present.is_open(now);
    let own: Vec<HeldSeat> = seats.of_holder(present.id).cloned().collect();
    match &asked.action {
        Action::Move(wanted) => moved(next, asked, wanted, seats, own, now).map(Some),
        Action::Update {
            contact,
            wanted,
            status,
        } => {
            let is_readdressed = asked.action.changes_address(present);
            // Revokes links that were mailed to the old address.
            let generation = next.secret_generation + i64::from(is_readdressed);
            let next = Appointment {
                contact: Some(contact.clone()),
                secret_generation: generation,
                ..next
            };
            let mut change = if let Some(wanted) = wanted {
                if status.is_some() {
                    return Err(Refused::StatusNotAllowed);
                }
                moved(next, asked, wanted, seats, own, now)?
            } else if let Some(status) = status.filter(|status| {
                // A consultation is read as arrived, and may be sent back as such.
                ![present.status, present.status.public()].contains(status)
            }) {
                with_status(next, asked, status, own, now)?
            } else if may_change {
                let event = if is_readdressed {
                    ADDRESS_CHANGED
                } else {
                    CHANGED
                };
                Change::of(next, event, &asked.actor)
            } else {
                return Err(Refused::NotOpen);
            };
            change.rewrites_contact = true;
            if is_readdressed {
                readdress(&mut change, asked, now);
            }
            Ok(Some(change))
        }
        Action::Cancel { notify } => {
            if present.status == Status::Cancelled {
                return Ok(None);
            }
            if !may_change {
                return Err(Refused::NotOpen);
            }
            let mut change = with_status(next, asked, Status::Cancelled, own, now)?;
            if !notify {
                change.messages.clear();
            }
            Ok(Some(change))
        }
        Action::SetStatus(status) if *status == present.status => Ok(None),
        Action::SetStatus(status) => {
            let change = with_status(next, asked, *status, own, now)?;
            let replaced = Replaced {
                status: present.status,
                proof: present.proof,
            };
            Ok(Some(Change {
                replaced: asked.action.can_be_undone().then_some(replaced),
                ..change
            }))
        }
        Action::Undo => Err(Refused::NothingToUndo),
        Action::SetNote(note) => noted(present, next, note, asked),
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
                    desk_note: DeskNote::default(),
                    ..next
                },
                "appointment.deleted",
                &asked.actor,
            )
        })),
    }
}

fn noted(
    present: &Appointment,
    next: Appointment,
    note: &DeskNote,
    asked: &Asked,
) -> Result<Option<Change>, Refused> {
    if *note == present.desk_note {
        return Ok(None);
    }
    if present.contact.is_none() {
        return Err(Refused::Erased);
    }
    let next = Appointment {
        desk_note: note.clone(),
        ..next
    };
    Ok(Some(Change {
        rewrites_note: true,
        ..Change::of(next, "appointment.note_changed", &asked.actor)
    }))
}

/// Frees the old seat and takes a new one, atomically. Also replaces the patient's link: holders of the old link may
/// not be meant to see the new time.
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

/// Resets the proof after a change of address, because the old proof does not cover the new address. The owner of the
/// new address gets the new link.
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
        Status::InConsultation => "appointment.in_consultation",
        Status::Completed => "appointment.completed",
        Status::Cancelled => CANCELLED,
        Status::NoShow => "appointment.no_show",
    };
    let is_cancelled = status == Status::Cancelled;
    let begins = (status == Status::InConsultation).then_some(next.update_time);
    let next = Appointment {
        status,
        consultation_time: begins.or(next.consultation_time),
        ..next
    };
    let mut change = Change::of(next, event, &asked.actor);
    if status.is_at_desk() && !change.appointment.proof.is_proven() {
        change.set_proof(Proof::Desk);
    }
    if is_cancelled {
        change.freed = own;
        // Other changes can be undone: their pending notices stay, and delivery drops them unless it is booked again.
        change.withdrawn = vec![UNCOVERED, DAY_BEFORE, HOURS_BEFORE];
        change.appointment.resource = None;
        change.messages = vec![Notice {
            id: asked.message_ids.0[0],
            kind: CANCELLED,
            not_before: now,
        }];
    }
    Ok(change)
}

/// Number of changes of one appointment by its patient that send mail: moves and changes of the address.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PatientChanges {
    /// Changes in the last 24 hours.
    pub of_day: i64,
    pub all: i64,
}

/// Maximum [`PatientChanges`] of an appointment, in 24 hours and in total.
const CHANGES_MAX: PatientChanges = PatientChanges { of_day: 6, all: 20 };

/// Returns the limit that a patient's change would exceed. `open` are the other open appointments of the address. They
/// count only for a caller who has proven that address: to other callers, a refusal would reveal the person's
/// appointments. Staff are never refused, because patients call them for exceptions.
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
    // A changed address is one that the caller has not proven.
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
