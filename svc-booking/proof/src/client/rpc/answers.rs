//! Converts responses into outcomes of the history.

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{self as proto, Appointment, AppointmentStatus, WaitlistState};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::history::{Outcome, Shown};

/// Converts an error status. Only refusals of the contract guarantee that nothing was changed.
pub(super) fn failed(status: &Status) -> Outcome {
    let is_refusal = matches!(
        status.code(),
        Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::FailedPrecondition
            | Code::Aborted
            | Code::ResourceExhausted
            | Code::PermissionDenied
            | Code::Unauthenticated
    );
    if is_refusal {
        let info = status.get_details_error_info();
        return Outcome::Refused {
            reason: info.map_or_else(|| format!("{:?}", status.code()), |info| info.reason),
        };
    }
    Outcome::Unknown {
        why: format!("{:?}: {}", status.code(), status.message()),
    }
}

fn unreadable() -> Status {
    Status::internal("the answer cannot be read")
}

pub(super) fn id(text: &str) -> Result<Uuid, Status> {
    text.parse().map_err(|_| unreadable())
}

pub(super) fn moment(timestamp: Option<prost_types::Timestamp>) -> Result<DateTime<Utc>, Status> {
    let timestamp = timestamp.ok_or_else(unreadable)?;
    let nanos = u32::try_from(timestamp.nanos).unwrap_or_default();
    DateTime::from_timestamp(timestamp.seconds, nanos).ok_or_else(unreadable)
}

pub(super) fn shown(appointment: Option<Appointment>) -> Result<Outcome, Status> {
    let appointment = appointment.ok_or_else(unreadable)?;
    Ok(Outcome::Appointment(Shown {
        id: id(&appointment.id)?,
        reference: appointment.reference.clone(),
        version: appointment.etag.parse().map_err(|_| unreadable())?,
        is_booked: appointment.status() == AppointmentStatus::Booked,
        starts_at: moment(appointment.starts_at)?,
        department: appointment.department,
        secret: appointment.secret,
    }))
}

pub(super) fn entry(entry: &proto::WaitlistEntry) -> Result<Outcome, Status> {
    Ok(Outcome::Entry {
        entry: id(&entry.id)?,
        is_offered: entry.state() == WaitlistState::Offered,
    })
}
