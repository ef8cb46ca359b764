//! Converts the roster between contract and domain.

use chrono::NaiveDate;
use hospital_proto::booking::v1 as proto;

use super::etag;
use crate::domain::{
    calendar::{time_label, time_of},
    roster::{
        Leave, Roster, Session,
        change::{LeaveForm, SessionForm},
    },
};

pub fn session_form(session: proto::Session) -> SessionForm {
    SessionForm {
        department: session.department,
        doctor_id: session.doctor_id,
        name: session.name,
        weekdays: session.weekdays,
        from: session.from,
        until: session.until,
        seats: session.seats,
        by_name_only: session.by_name_only,
        valid_from: session.valid_from,
        valid_until: session.valid_until,
        fee_rupees: session.fee_rupees,
        place: session.place,
    }
}

/// Converts a session. A doctor's session has the fee and place of the configuration.
pub fn session(session: &Session, roster: &Roster) -> proto::Session {
    let attendant = roster.attendant(&session.resource(), &session.department_id);
    let attendant = super::shown_attendant(attendant).unwrap_or_default();
    let day = |date: Option<NaiveDate>| date.map(|date| date.to_string()).unwrap_or_default();
    proto::Session {
        id: session.id.clone(),
        department: session.department_id.clone(),
        doctor_id: session.doctor_id.clone().unwrap_or_default(),
        name: session.name.clone(),
        weekdays: session.weekdays.iter().map(|day| day.to_string()).collect(),
        from: time_label(time_of(session.from_minutes)),
        until: time_label(time_of(session.until_minutes)),
        // At most 100.
        seats: i32::try_from(session.seats).unwrap_or(i32::MAX),
        by_name_only: session.by_name_only,
        valid_from: day(session.valid_from),
        valid_until: day(session.valid_until),
        etag: etag(session.version),
        fee_rupees: attendant.fee_rupees,
        place: attendant.place,
    }
}

pub fn leave_form(leave: proto::Leave) -> LeaveForm {
    LeaveForm {
        resource: leave.resource,
        from: leave.from,
        until: leave.until,
        reason: leave.reason,
    }
}

pub fn leave(leave: &Leave) -> proto::Leave {
    proto::Leave {
        id: leave.id.to_string(),
        resource: leave.resource.to_string(),
        from: leave.from.to_string(),
        until: leave.until.to_string(),
        reason: leave.reason.clone(),
    }
}

pub fn holiday(date: NaiveDate, name: &str) -> proto::Holiday {
    proto::Holiday {
        date: date.to_string(),
        name: name.to_owned(),
    }
}
