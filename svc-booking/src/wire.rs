//! Converts between the messages of the contract and the types of the domain.

pub mod consultation;

use hospital_proto::booking::v1 as proto;
use prost::Message as _;
use prost_types::Timestamp;

use crate::domain::{
    appointment::{AppointmentForm, BookingRequest},
    availability::{AvailabilityRequest, Day},
    calendar::{IST, time_label},
    change::{Appointment, Contact},
    departments::PageRequest,
    resources::Department,
    status::Status,
};

pub fn booking_request(request: proto::CreateAppointmentRequest) -> BookingRequest {
    let body = request.appointment.unwrap_or_default();
    BookingRequest {
        appointment: AppointmentForm {
            patient_name: body.patient_name,
            email: body.email,
            phone: body.phone,
            date: body.date,
            time: body.time,
            reason: body.reason,
            doctor_id: body.doctor_id,
            notes: body.notes,
            department: body.department,
        },
        request_id: request.request_id,
    }
}

/// Canonical bytes of the request, whose hash recognises a repetition. Earlier builds hashed the same bytes.
pub fn fingerprinted(request: &proto::CreateAppointmentRequest) -> Vec<u8> {
    let body = proto::Appointment {
        id: String::new(),
        reference: String::new(),
        status: 0,
        starts_at: None,
        create_time: None,
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

pub fn department(department: &Department) -> proto::Department {
    proto::Department {
        id: department.id.clone(),
        name: department.name.clone(),
        bookable: department.bookable,
        doctor_ids: department.doctor_ids.clone(),
    }
}

pub fn availability_day(day: Day) -> proto::AvailabilityDay {
    proto::AvailabilityDay {
        date: day.date.to_string(),
        closed_reason: day.closed_reason,
        slots: day
            .slots
            .into_iter()
            .map(|slot| proto::AvailabilitySlot {
                time: slot.time.label(),
                starts_at: Some(timestamp(slot.starts_at)),
                available: slot.available,
            })
            .collect(),
    }
}

/// An erased person's fields are empty.
pub fn appointment(appointment: Appointment) -> proto::Appointment {
    let local = appointment.starts_at.with_timezone(&IST);
    let contact = appointment.contact.unwrap_or(Contact {
        patient_name: String::new(),
        email: String::new(),
        phone: String::new(),
        reason: String::new(),
        notes: String::new(),
    });
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
        notes: contact.notes,
        department: appointment.department_id,
        status: status(appointment.status).into(),
        starts_at: Some(timestamp(appointment.starts_at)),
        create_time: Some(timestamp(appointment.create_time)),
    }
}

fn status(status: Status) -> proto::AppointmentStatus {
    match status {
        Status::Booked => proto::AppointmentStatus::Booked,
        Status::Arrived => proto::AppointmentStatus::Arrived,
        Status::Completed => proto::AppointmentStatus::Completed,
        Status::Cancelled => proto::AppointmentStatus::Cancelled,
        Status::NoShow => proto::AppointmentStatus::NoShow,
    }
}

fn timestamp(at: chrono::DateTime<chrono::Utc>) -> Timestamp {
    Timestamp::from(std::time::SystemTime::from(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_covers_what_the_caller_fills_in() {
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
        assert_ne!(request(|body| body.reason = "x".to_owned()), first);
        assert_ne!(request(|body| body.department = "x".to_owned()), first);
    }

    #[test]
    fn times_keep_their_fractions() {
        let at: chrono::DateTime<chrono::Utc> = "2026-11-23T03:30:00.123456Z".parse().unwrap();
        let stamp = timestamp(at);
        assert_eq!((stamp.seconds, stamp.nanos), (1_795_404_600, 123_456_000));
    }
}
