//! Converts between the contract's messages and the domain's types.

mod attendant;
pub mod consultation;
mod desk;
mod leave_request;
mod roster;
mod times;
mod waitlist;

use hospital_proto::booking::v1 as proto;
use prost::Message as _;
use prost_types::Timestamp;

use chrono::{DateTime, Utc};
use service_kit::language::Language;

use crate::{
    calendar_file::CalendarEntry,
    domain::{
        appointment::{AppointmentForm, BookingRequest, preferred_doctor},
        availability::AvailabilityRequest,
        calendar::{IST, time_label},
        change::Appointment,
        departments::PageRequest,
        hold::HoldForm,
        proof::Proof,
        roster::{Attendant, Roster, change::uncovered},
        seats::Resource,
        status::Status,
    },
    store::NewHold,
};

pub use attendant::{department, shown_attendant};
pub use desk::{
    STATUSES, burst, desk_form, desk_times, list_filter, network_of, page_token, position,
};
pub use leave_request::{
    leave_request, leave_request_fingerprint, leave_request_form, leave_request_page,
};
pub use roster::{holiday, leave, leave_form, session, session_form};
pub use times::{availability, free_times, next_available, next_available_request};
pub use waitlist::{entry, entry_filter, entry_fingerprint, entry_form, entry_token, removal};

pub fn form(body: proto::Appointment) -> AppointmentForm {
    AppointmentForm {
        patient_name: body.patient_name,
        email: body.email,
        phone: body.phone,
        date: body.date,
        time: body.time,
        reason: body.reason,
        doctor_id: body.doctor_id,
        notes: body.notes,
        department: body.department,
        hold_id: body.hold_id,
    }
}

pub fn booking_request(request: proto::CreateAppointmentRequest) -> BookingRequest {
    BookingRequest {
        appointment: form(request.appointment.unwrap_or_default()),
        request_id: request.request_id,
    }
}

/// Returns the canonical bytes of a request, whose hash identifies retries. Earlier builds hashed the same bytes.
pub fn fingerprinted(request: &proto::CreateAppointmentRequest) -> Vec<u8> {
    let body = proto::Appointment {
        id: String::new(),
        reference: String::new(),
        status: 0,
        starts_at: None,
        create_time: None,
        etag: String::new(),
        // The hold does not distinguish bookings: a retry may have a new hold in place of an expired one.
        hold_id: String::new(),
        secret: String::new(),
        calendar: String::new(),
        resource: String::new(),
        uncovered: false,
        attendant: None,
        preferred_doctor: String::new(),
        proof: 0,
        undo_expire_time: None,
        desk_note: String::new(),
        consultation_time: None,
        language: String::new(),
        ..request.appointment.clone().unwrap_or_default()
    };
    body.encode_to_vec()
}

pub fn availability_request(request: proto::ListAvailabilityRequest) -> AvailabilityRequest {
    AvailabilityRequest {
        department: request.department,
        doctor: request.doctor,
        from: request.from,
        to: request.to,
    }
}

pub fn page_request(request: proto::ListDepartmentsRequest) -> PageRequest {
    PageRequest {
        page_size: request.page_size,
        page_token: request.page_token,
    }
}

pub fn hold_form(hold: proto::Hold) -> HoldForm {
    HoldForm {
        department: hold.department,
        doctor_id: hold.doctor_id,
        date: hold.date,
        time: hold.time,
        replaces: hold.replaces,
    }
}

/// Converts a hold and the resource of its seat.
pub fn hold(hold: &NewHold, resource: &Resource, roster: &Roster) -> proto::Hold {
    let local = hold.wanted.starts_at.with_timezone(&IST);
    proto::Hold {
        id: hold.id.to_string(),
        department: hold.wanted.department_id.clone(),
        doctor_id: hold.wanted.doctor_id.clone().unwrap_or_default(),
        date: local.date_naive().to_string(),
        time: time_label(local.time()),
        expire_time: Some(timestamp(hold.expire_time)),
        replaces: String::new(),
        attendant: shown_attendant(roster.attendant(resource, &hold.wanted.department_id)),
    }
}

/// Returns the etag of a version; clients send it back in If-Match.
pub fn etag(version: i64) -> String {
    version.to_string()
}

/// Converts an appointment; an erased person's fields are empty.
pub fn appointment(appointment: Appointment, roster: &Roster) -> proto::Appointment {
    let local = appointment.starts_at.with_timezone(&IST);
    let attendant = attendant_of(&appointment, roster);
    let contact = appointment.contact.unwrap_or_default();
    proto::Appointment {
        id: appointment.id.to_string(),
        reference: appointment.reference,
        patient_name: contact.patient_name,
        email: contact.email,
        phone: contact.phone,
        date: local.date_naive().to_string(),
        time: time_label(local.time()),
        reason: contact.reason,
        doctor_id: appointment.doctor_id.unwrap_or_default(),
        preferred_doctor: preferred_doctor(&contact.notes).to_owned(),
        notes: contact.notes,
        department: appointment.department_id,
        status: status(appointment.status).into(),
        starts_at: Some(timestamp(appointment.starts_at)),
        create_time: Some(timestamp(appointment.create_time)),
        etag: etag(appointment.version),
        proof: proof(appointment.proof).into(),
        attendant: shown_attendant(attendant),
        language: code(appointment.language),
        ..proto::Appointment::default()
    }
}

/// Returns the code of a language; empty for English.
fn code(language: Option<Language>) -> String {
    language.map_or_else(String::new, |language| language.code().to_owned())
}

fn proof(proof: Proof) -> proto::Proof {
    match proof {
        Proof::Unproven => proto::Proof::Unproven,
        Proof::Link => proto::Proof::Link,
        Proof::Code => proto::Proof::Code,
        Proof::Desk => proto::Proof::Desk,
    }
}

/// Converts an appointment for its person's export: everything that is stored about them.
pub fn exported(stored: Appointment, roster: &Roster) -> proto::Appointment {
    proto::Appointment {
        desk_note: stored.desk_note.0.clone(),
        consultation_time: stored.consultation_time.map(timestamp),
        ..appointment(stored, roster)
    }
}

/// Returns the attendant of the appointment's seat, if it has one.
pub fn attendant_of(appointment: &Appointment, roster: &Roster) -> Option<Attendant> {
    let resource = appointment.resource.as_ref()?;
    roster.attendant(resource, &appointment.department_id)
}

/// Converts an appointment for staff, with its resource and whether it is uncovered.
pub fn appointment_at_desk(
    stored: Appointment,
    roster: &Roster,
    now: DateTime<Utc>,
) -> proto::Appointment {
    let resource = stored.resource.as_ref().map(ToString::to_string);
    let is_open = stored.is_open(now);
    let is_uncovered = is_open && !uncovered(vec![(&stored).into()], roster).is_empty();
    proto::Appointment {
        resource: resource.unwrap_or_default(),
        uncovered: is_uncovered,
        desk_note: stored.desk_note.0.clone(),
        consultation_time: stored.consultation_time.map(timestamp),
        ..appointment(stored, roster)
    }
}

/// Returns the facts of a calendar file. `language` is that of the call; `None` is that of the person.
pub fn calendar_entry(
    appointment: &Appointment,
    roster: &Roster,
    language: Option<Language>,
) -> CalendarEntry {
    CalendarEntry {
        id: appointment.id,
        reference: appointment.reference.clone(),
        starts_at: appointment.starts_at,
        version: appointment.version,
        cancelled: appointment.status == Status::Cancelled,
        update_time: appointment.update_time,
        attendant: attendant_of(appointment, roster),
        language: language.or(appointment.language),
    }
}

fn status(status: Status) -> proto::AppointmentStatus {
    match status {
        Status::Booked => proto::AppointmentStatus::Booked,
        Status::Arrived | Status::InConsultation => proto::AppointmentStatus::Arrived,
        Status::Completed => proto::AppointmentStatus::Completed,
        Status::Cancelled => proto::AppointmentStatus::Cancelled,
        Status::NoShow => proto::AppointmentStatus::NoShow,
    }
}

/// Returns `None` for an unspecified status.
pub fn status_of(status: proto::AppointmentStatus) -> Option<Status> {
    match status {
        proto::AppointmentStatus::Unspecified => None,
        proto::AppointmentStatus::Booked => Some(Status::Booked),
        proto::AppointmentStatus::Arrived => Some(Status::Arrived),
        proto::AppointmentStatus::InConsultation => Some(Status::InConsultation),
        proto::AppointmentStatus::Completed => Some(Status::Completed),
        proto::AppointmentStatus::Cancelled => Some(Status::Cancelled),
        proto::AppointmentStatus::NoShow => Some(Status::NoShow),
    }
}

/// Returns `None` for a moment out of range.
pub fn moment(stamp: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(stamp.seconds, u32::try_from(stamp.nanos).ok()?)
}

pub fn timestamp(at: chrono::DateTime<chrono::Utc>) -> Timestamp {
    Timestamp::from(std::time::SystemTime::from(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_covers_the_callers_fields() {
        let request = |change: fn(&mut proto::Appointment)| {
            let mut body = proto::Appointment {
                patient_name: "Asha Rao".to_owned(),
                ..proto::Appointment::default()
            };
            change(&mut body);
            fingerprinted(&proto::CreateAppointmentRequest {
                appointment: Some(body),
                request_id: String::new(),
            })
        };
        let first = request(|_| {});
        assert_eq!(request(|body| body.id = "x".to_owned()), first);
        assert_eq!(request(|body| body.status = 3), first);
        assert_eq!(request(|body| body.language = "kn".to_owned()), first);
        assert_ne!(request(|body| body.reason = "x".to_owned()), first);
        assert_ne!(request(|body| body.department = "x".to_owned()), first);
    }

    #[test]
    fn timestamps_keep_their_fractions() {
        let at: chrono::DateTime<chrono::Utc> = "2026-11-23T03:30:00.123456Z".parse().unwrap();
        let stamp = timestamp(at);
        assert_eq!((stamp.seconds, stamp.nanos), (1_795_404_600, 123_456_000));
    }
}
