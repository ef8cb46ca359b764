//! Undoes a change of status, or a booking as arrived, that was a slip.

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};

use super::{Appointment, Asked, BOOKED, Change, Notice, REMINDERS, Refused, notices};
use crate::domain::{proof::Proof, status::Status};

/// Time in which the person who made a change can undo it. Pages offer it for 10 s; the rest is for slow phones.
pub const UNDO_TIME: TimeDelta = TimeDelta::seconds(30);

/// What a change of status replaced.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Replaced {
    pub status: Status,
    pub proof: Proof,
}

/// The change that made the present version of an appointment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LastChange {
    /// `patient`, or the subject of a staff token.
    pub actor: String,
    pub create_time: DateTime<Utc>,
    /// `None`: a change that cannot be undone, or one of an older build.
    pub replaced: Option<Replaced>,
}

/// Decides whether the last change of an appointment is undone. The seat was kept, so that it needs none.
///
/// # Errors
/// See [`Refused`].
pub fn undo(
    present: &Appointment,
    last: Option<&LastChange>,
    asked: &Asked,
    now: DateTime<Utc>,
) -> Result<Change, Refused> {
    let last = last.ok_or(Refused::NothingToUndo)?;
    let replaced = last.replaced.ok_or(Refused::NothingToUndo)?;
    if last.actor != asked.actor {
        return Err(Refused::UndoNotYours);
    }
    if now - last.create_time > UNDO_TIME {
        return Err(Refused::UndoTooLate);
    }
    let now = now.trunc_subsecs(6);
    let appointment = Appointment {
        status: replaced.status,
        consultation_time: present
            .consultation_time
            .filter(|_| replaced.status == Status::InConsultation),
        version: present.version + 1,
        update_time: now,
        ..present.clone()
    };
    let mut change = Change::of(appointment, "appointment.status_undone", &asked.actor);
    change.set_proof(replaced.proof);
    if replaced.status == Status::Booked && present.version == 1 {
        // Booked as arrived: nothing was announced.
        change.messages = notices(BOOKED, present.starts_at, asked.message_ids, now);
    } else if replaced.status == Status::Booked {
        // A reminder that fell due in between was dropped.
        change.messages = due_between(present.starts_at, asked, last.create_time, now);
        change.withdrawn = change.messages.iter().map(|notice| notice.kind).collect();
    }
    Ok(change)
}

/// Returns the reminders that fell due after one moment and up to another.
fn due_between(
    starts_at: DateTime<Utc>,
    asked: &Asked,
    after: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Vec<Notice> {
    let reminders = REMINDERS
        .into_iter()
        .map(|(kind, before)| (kind, starts_at - before))
        .filter(|(_, due)| after < *due && *due <= until);
    reminders
        .zip(asked.message_ids.0)
        .map(|((kind, not_before), id)| Notice {
            id,
            kind,
            not_before,
        })
        .collect()
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;
