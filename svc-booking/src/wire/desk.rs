//! Converts the staff's requests and responses between contract and domain.

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1 as proto;
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use super::timestamp;
use crate::{
    domain::{
        calendar::parse_date, change::Appointment, desk::DeskForm, roster::Roster, status::Status,
    },
    store::{Burst, ListFilter, hex},
};

/// Advice on an unknown status.
pub const STATUSES: &str = "Give booked, arrived, in_consultation, completed, cancelled or no_show";

/// Parses the filter of the staff's list.
pub fn list_filter(
    request: &proto::ListAppointmentsRequest,
    size: u32,
    roster: &Roster,
) -> Result<ListFilter, Vec<Violation>> {
    const DAY: &str = "Give the day as YYYY-MM-DD";
    let mut violations = Violations::default();
    let mut day = |field, text: &str| match text.trim() {
        "" => None,
        text => violations.take(field, parse_date(text).ok_or(DAY)),
    };
    let date = day("date", &request.date);
    let from = day("from", &request.from);
    let to = day("to", &request.to);
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let department_id = given(&request.department).and_then(|name| {
        let department = roster.department(&name).map(|found| found.id.clone());
        violations.take(
            "department",
            department.ok_or("Choose a department from the list"),
        )
    });
    let status = given(&request.status).and_then(|word| {
        let word = word.to_ascii_lowercase();
        let word = word.strip_prefix("appointment_status_").unwrap_or(&word);
        let words = STATUSES;
        violations.take("status", Status::parse(word).ok_or(words))
    });
    let after = given(&request.page_token).and_then(|token| {
        let words = "Use the nextPageToken of the page before, unchanged";
        violations.take("pageToken", parse_page_token(&token).ok_or(words))
    });
    if !violations.is_empty() {
        return Err(violations.into_vec());
    }
    Ok(ListFilter {
        from: date.or(from),
        to: date.or(to),
        department_id,
        doctor_id: given(&request.doctor),
        status,
        email: given(&request.email),
        phone: given(&request.phone),
        after,
        size,
    })
}

pub fn desk_form(request: proto::BookAppointmentRequest) -> DeskForm {
    let body = request.booking.unwrap_or_default();
    DeskForm {
        patient_name: body.patient_name,
        phone: body.phone,
        email: body.email,
        date: body.date,
        time: body.time,
        department: body.department,
        doctor_id: body.doctor_id,
        arrived: body.arrived,
        request_id: request.request_id,
    }
}

/// Converts the desk's request for free times into the public one, which has the same fields.
pub fn desk_times(request: proto::ListDeskAvailabilityRequest) -> proto::ListAvailabilityRequest {
    proto::ListAvailabilityRequest {
        department: request.department,
        doctor: request.doctor,
        from: request.from,
        to: request.to,
    }
}

/// Returns the token for an appointment's position in a list.
pub fn page_token(appointment: &Appointment) -> String {
    format!("{}_{}", appointment.starts_at.timestamp(), appointment.id)
}

/// Parses a page token; empty means the beginning.
pub fn position(token: &str) -> Result<Option<(DateTime<Utc>, Uuid)>, &'static str> {
    let wanted = "Use the nextPageToken of the page before, unchanged";
    if token.is_empty() {
        return Ok(None);
    }
    parse_page_token(token).map(Some).ok_or(wanted)
}

fn parse_page_token(token: &str) -> Option<(DateTime<Utc>, Uuid)> {
    let (seconds, id) = token.split_once('_')?;
    let starts_at = DateTime::from_timestamp(seconds.parse().ok()?, 0)?;
    Some((starts_at, id.parse().ok()?))
}

pub fn burst(burst: &Burst) -> proto::Burst {
    // Counts cover at most 30 days, so they fit.
    let count = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    proto::Burst {
        network: hex(&burst.network),
        bookings: count(burst.bookings),
        open: count(burst.open),
        first_time: Some(timestamp(burst.first_time)),
        last_time: Some(timestamp(burst.last_time)),
    }
}

/// Parses 16 hexadecimal digits into bytes.
pub fn network_of(digits: &str) -> Option<[u8; 8]> {
    let is_right = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_right)?;
    Some(number.to_be_bytes())
}
