//! Maps refusals to gRPC statuses and messages.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::status::{DOMAIN, with_reason};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::domain::{
    calendar::{IST, time_label},
    change::{Refused, UNDO_TIME},
    proof::OpenLimits,
};

/// Returns the status of a refusal that needs no further data.
pub(super) fn refused(refused: Refused, limits: OpenLimits) -> Status {
    let precondition =
        |reason, message: &str| with_reason(Code::FailedPrecondition, reason, message);
    match refused {
        Refused::SlotTaken => slot_taken(&[]),
        Refused::NetworkAppointmentsMax => precondition(
            "NETWORK_APPOINTMENTS_MAX",
            "Your network has too many appointments without a confirmed e-mail address. \
             If you have booked before, open the link in our e-mail and try again. Or call reception and we'll book for you.",
        ),
        Refused::AppointmentsMax => precondition(
            "APPOINTMENTS_MAX",
            &format!(
                "This e-mail address already has {} open appointments. \
                 Please call reception to book another one.",
                limits.of_address
            ),
        ),
        Refused::SameDay => precondition(
            "SAME_DAY",
            "This e-mail address already has an appointment in this department on this day. \
             Please call reception to book another one.",
        ),
        Refused::MovesMax => precondition(
            "MOVES_MAX",
            "This appointment has been changed too often. Please call reception to change it again.",
        ),
        Refused::NotOpen => precondition(
            "NOT_OPEN",
            "This appointment is over or has been cancelled. You can't change it any more.",
        ),
        Refused::StatusNotAllowed => precondition(
            "STATUS_NOT_ALLOWED",
            "The present status cannot change to this one.",
        ),
        Refused::UndoTooLate => precondition(
            "UNDO_TOO_LATE",
            &format!(
                "The change was made more than {} seconds ago, so it can't be undone.",
                UNDO_TIME.num_seconds()
            ),
        ),
        Refused::UndoNotYours => precondition(
            "UNDO_NOT_YOURS",
            "Only the person who made the change can undo it.",
        ),
        Refused::NothingToUndo => precondition(
            "NOTHING_TO_UNDO",
            "The last change of this appointment can't be undone.",
        ),
        Refused::Erased => precondition(
            "ERASED",
            "This person's data was erased, so no note can be kept.",
        ),
        Refused::EtagMismatch => etag_mismatch(),
        Refused::ReferencesTaken => Status::internal("internal error"),
    }
}

/// Returns the error for a change of an outdated version.
pub(super) fn etag_mismatch() -> Status {
    with_reason(
        Code::Aborted,
        "ETAG_MISMATCH",
        "It has changed since it was read. Read it again.",
    )
}

/// Returns the error for a link that a newer one replaced.
pub(super) fn link_replaced() -> Status {
    with_reason(
        Code::FailedPrecondition,
        "LINK_REPLACED",
        "This link was replaced by a newer one when the appointment was moved.",
    )
}

/// Returns the error for a taken time, with the free alternatives.
pub(super) fn slot_taken(alternatives: &[DateTime<Utc>]) -> Status {
    let times: Vec<String> = alternatives
        .iter()
        .map(|at| {
            let local = at.with_timezone(&IST);
            format!("{} {}", local.date_naive(), time_label(local.time()))
        })
        .collect();
    let mut metadata = HashMap::new();
    if !times.is_empty() {
        metadata.insert("alternatives".to_owned(), times.join(", "));
    }
    Status::with_error_details(
        Code::AlreadyExists,
        "This time has just been taken. Please choose another one.",
        ErrorDetails::with_error_info("SLOT_TAKEN", DOMAIN, metadata),
    )
}

/// Returns the error for a network that has reached a limit of holds; `wait` is the longest wait.
pub(super) fn too_many_holds(wait: TimeDelta) -> Status {
    let words = "Too many times are on hold for your network. You can still book.";
    exhausted("HOLDS_MAX", words, wait)
}

/// Returns the error for too many wrong codes; no code is checked until `wait` has passed.
pub(super) fn too_many_codes(wait: TimeDelta) -> Status {
    let words = "Too many wrong codes. Try again in an hour, or call reception.";
    exhausted("CODE_TRIES_MAX", words, wait)
}

fn exhausted(reason: &str, words: &str, wait: TimeDelta) -> Status {
    let mut details = ErrorDetails::with_error_info(reason, DOMAIN, HashMap::new());
    details.set_retry_info(Some(wait.to_std().unwrap_or_default()));
    Status::with_error_details(Code::ResourceExhausted, words, details)
}

/// Returns the error for a roster that changes faster than a request can be checked.
pub(super) fn roster_changes() -> Status {
    Status::unavailable("the roster is being changed, please try again")
}
