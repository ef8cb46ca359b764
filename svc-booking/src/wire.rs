//! Converts between the messages of the contract and the types of the domain.

pub mod consultation;

use hospital_proto::booking::v1 as proto;
use prost::Message as _;
use prost_types::Timestamp;

use chrono::{DateTime, NaiveDate, Utc};
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use crate::{
    calendar_file::CalendarEntry,
    domain::{
        appointment::{AppointmentForm, BookingRequest},
        availability::{AvailabilityRequest, Day, Slot},
        calendar::{IST, parse_date, time_label, time_of},
        change::Appointment,
        departments::PageRequest,
        hold::HoldForm,
        roster::{
            Department, Doctor, Leave, Roster, Session,
            change::{LeaveForm, SessionForm, uncovered},
        },
        status::Status,
        waitlist::{Entry, EntryForm, EntryState},
    },
    store::{Burst, ListFilter, NewHold},
};

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

/// Canonical bytes of the request, whose hash recognises a repetition. Earlier builds hashed the same bytes.
pub fn fingerprinted(request: &proto::CreateAppointmentRequest) -> Vec<u8> {
    let body = proto::Appointment {
        id: String::new(),
        reference: String::new(),
        status: 0,
        starts_at: None,
        create_time: None,
        etag: String::new(),
        // The same booking by whichever hold: one that was over meanwhile is replaced.
        hold_id: String::new(),
        secret: String::new(),
        calendar: String::new(),
        resource: String::new(),
        uncovered: false,
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

pub fn department(department: &Department, roster: &Roster) -> proto::Department {
    proto::Department {
        id: department.id.clone(),
        name: department.name.clone(),
        bookable: department.bookable,
        doctor_ids: roster
            .doctors()
            .filter(|doctor| doctor.department_id == department.id)
            .map(|doctor| doctor.id.to_owned())
            .collect(),
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
                staffed: slot.staffed,
            })
            .collect(),
    }
}

pub fn free_times(department: &Department, days: Vec<Day>) -> proto::DepartmentFreeTimes {
    let day = |day: Day| {
        let labels = |of: fn(&Slot) -> bool| {
            let slots = day.slots.iter().filter(|slot| of(slot));
            slots.map(|slot| slot.time.label()).collect()
        };
        proto::FreeDay {
            date: day.date.to_string(),
            free: labels(|slot| slot.available),
            full: labels(|slot| slot.staffed && !slot.available),
            closed_reason: day.closed_reason,
        }
    };
    proto::DepartmentFreeTimes {
        department: department.id.clone(),
        days: days.into_iter().map(day).collect(),
    }
}

/// Whose next free time is asked for.
#[derive(Debug)]
pub enum NextAvailable {
    Doctors(Vec<String>),
    /// Every doctor of the roster.
    EveryDoctor,
    Department(String),
}

/// Reads a list of ids that may be separated by commas.
pub fn next_available_request(
    request: &proto::ListNextAvailableRequest,
    doctors_max: usize,
) -> Result<NextAvailable, Vec<Violation>> {
    let mut violations = Violations::default();
    let ids: Vec<String> = request
        .doctors
        .iter()
        .flat_map(|ids| ids.split(','))
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    let department = request.department.trim();
    if ids.is_empty() == department.is_empty() {
        violations.add("doctors", "Name doctors or a department, and not both");
    } else if ids.len() > doctors_max {
        violations.add("doctors", format!("Name at most {doctors_max} doctors"));
    }
    if !violations.is_empty() {
        return Err(violations.into_vec());
    }
    Ok(match ids.as_slice() {
        [] => NextAvailable::Department(department.to_owned()),
        [all] if all == "*" => NextAvailable::EveryDoctor,
        _ => NextAvailable::Doctors(ids),
    })
}

/// A department, and a doctor unless any will do.
pub type Question<'a> = (&'a Department, Option<Doctor<'a>>);

impl NextAvailable {
    /// What is asked for, of what the roster knows: unknown doctors are left out.
    pub fn questions<'a>(
        &self,
        roster: &'a Roster,
        doctors_max: usize,
    ) -> Result<Vec<Question<'a>>, Vec<Violation>> {
        let of_doctor =
            |doctor: Doctor<'a>| Some((roster.department(doctor.department_id)?, Some(doctor)));
        Ok(match self {
            Self::Department(name) => {
                let department = roster.department(name).ok_or_else(|| {
                    vec![Violation::new(
                        "department",
                        "Choose a department of the list",
                    )]
                })?;
                vec![(department, None)]
            }
            Self::EveryDoctor => roster
                .doctors()
                .filter_map(of_doctor)
                .take(doctors_max)
                .collect(),
            Self::Doctors(ids) => ids
                .iter()
                .filter_map(|id| roster.doctors().find(|doctor| doctor.id == id))
                .filter_map(of_doctor)
                .collect(),
        })
    }
}

pub fn next_available(
    department: &Department,
    doctor: Option<Doctor<'_>>,
    slot: Option<Slot>,
) -> proto::NextAvailable {
    let local = slot.as_ref().map(|slot| slot.starts_at.with_timezone(&IST));
    proto::NextAvailable {
        doctor: doctor
            .map(|doctor| doctor.id.to_owned())
            .unwrap_or_default(),
        department: department.id.clone(),
        date: local
            .map(|local| local.date_naive().to_string())
            .unwrap_or_default(),
        time: slot
            .as_ref()
            .map(|slot| slot.time.label())
            .unwrap_or_default(),
        starts_at: slot.map(|slot| timestamp(slot.starts_at)),
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

pub fn hold(hold: &NewHold) -> proto::Hold {
    let local = hold.wanted.starts_at.with_timezone(&IST);
    proto::Hold {
        id: hold.id.to_string(),
        department: hold.wanted.department_id.clone(),
        doctor_id: hold.wanted.doctor_id.clone().unwrap_or_default(),
        date: local.date_naive().to_string(),
        time: time_label(local.time()),
        expire_time: Some(timestamp(hold.expire_time)),
        replaces: String::new(),
    }
}

/// What names a version; sent back in If-Match.
pub fn etag(version: i64) -> String {
    version.to_string()
}

/// An erased person's fields are empty.
pub fn appointment(appointment: Appointment) -> proto::Appointment {
    let local = appointment.starts_at.with_timezone(&IST);
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
        notes: contact.notes,
        department: appointment.department_id,
        status: status(appointment.status).into(),
        starts_at: Some(timestamp(appointment.starts_at)),
        create_time: Some(timestamp(appointment.create_time)),
        etag: etag(appointment.version),
        ..proto::Appointment::default()
    }
}

/// As staff see it: who sees the patient, and whether anybody does.
pub fn appointment_at_desk(
    stored: Appointment,
    roster: &Roster,
    now: DateTime<Utc>,
) -> proto::Appointment {
    let resource = stored.resource.as_ref().map(ToString::to_string);
    let is_open = stored.is_open(now);
    let is_uncovered = is_open && !uncovered(vec![stored.clone()], roster).is_empty();
    proto::Appointment {
        resource: resource.unwrap_or_default(),
        uncovered: is_uncovered,
        ..appointment(stored)
    }
}

pub fn calendar_entry(appointment: &Appointment) -> CalendarEntry {
    CalendarEntry {
        id: appointment.id,
        reference: appointment.reference.clone(),
        starts_at: appointment.starts_at,
        version: appointment.version,
        cancelled: appointment.status == Status::Cancelled,
        update_time: appointment.update_time,
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

/// `None`: none is named.
pub fn status_of(status: proto::AppointmentStatus) -> Option<Status> {
    match status {
        proto::AppointmentStatus::Unspecified => None,
        proto::AppointmentStatus::Booked => Some(Status::Booked),
        proto::AppointmentStatus::Arrived => Some(Status::Arrived),
        proto::AppointmentStatus::Completed => Some(Status::Completed),
        proto::AppointmentStatus::Cancelled => Some(Status::Cancelled),
        proto::AppointmentStatus::NoShow => Some(Status::NoShow),
    }
}

/// Which appointments staff list.
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
            department.ok_or("Choose a department of the list"),
        )
    });
    let status = given(&request.status).and_then(|word| {
        let word = word.to_ascii_lowercase();
        let word = word.strip_prefix("appointment_status_").unwrap_or(&word);
        let words = "Give booked, arrived, completed, cancelled or no_show";
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

/// The place of an appointment in a list.
pub fn page_token(appointment: &Appointment) -> String {
    format!("{}_{}", appointment.starts_at.timestamp(), appointment.id)
}

/// The place that a page token names; empty: the beginning.
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
    use std::fmt::Write as _;

    let mut network = String::with_capacity(16);
    for byte in burst.network.iter().take(8) {
        // Writing to a String cannot fail.
        let _ = write!(network, "{byte:02x}");
    }
    // Counts of bookings of 30 days.
    let count = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    proto::Burst {
        network,
        bookings: count(burst.bookings),
        open: count(burst.open),
        first_time: Some(timestamp(burst.first_time)),
        last_time: Some(timestamp(burst.last_time)),
    }
}

/// The bytes of 16 hex digits.
pub fn network_of(digits: &str) -> Option<[u8; 8]> {
    let is_right = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_right)?;
    Some(number.to_be_bytes())
}

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
    }
}

pub fn session(session: &Session) -> proto::Session {
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

/// Canonical bytes of the request, whose hash recognises a repetition.
pub fn entry_fingerprint(request: &proto::CreateWaitlistEntryRequest) -> Vec<u8> {
    let entry = request.entry.clone().unwrap_or_default();
    let body = proto::WaitlistEntry {
        patient_name: entry.patient_name,
        email: entry.email,
        phone: entry.phone,
        department: entry.department,
        doctor_id: entry.doctor_id,
        date: entry.date,
        ..proto::WaitlistEntry::default()
    };
    body.encode_to_vec()
}

pub fn entry_form(request: proto::CreateWaitlistEntryRequest) -> EntryForm {
    let entry = request.entry.unwrap_or_default();
    EntryForm {
        patient_name: entry.patient_name,
        email: entry.email,
        phone: entry.phone,
        department: entry.department,
        doctor_id: entry.doctor_id,
        date: entry.date,
        request_id: request.request_id,
    }
}

pub fn entry(entry: Entry, now: DateTime<Utc>) -> proto::WaitlistEntry {
    let state = entry.state(now);
    let offer = entry
        .offer_starts_at
        .filter(|_| state == EntryState::Offered);
    let contact = entry.contact.unwrap_or_default();
    proto::WaitlistEntry {
        id: entry.id.to_string(),
        reference: entry.reference,
        patient_name: contact.patient_name,
        email: contact.email,
        phone: contact.phone,
        department: entry.department_id,
        doctor_id: entry.doctor_id.unwrap_or_default(),
        date: entry.date.to_string(),
        state: match state {
            EntryState::Waiting => proto::WaitlistState::Waiting,
            EntryState::Offered => proto::WaitlistState::Offered,
            EntryState::Booked => proto::WaitlistState::Booked,
            EntryState::Ended => proto::WaitlistState::Ended,
        }
        .into(),
        offer_time: offer
            .map(|at| time_label(at.with_timezone(&IST).time()))
            .unwrap_or_default(),
        offer_expire_time: offer.and(entry.offer_expire_time).map(timestamp),
        secret: String::new(),
    }
}

/// `None` for a moment that does not exist.
pub fn moment(stamp: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(stamp.seconds, u32::try_from(stamp.nanos).ok()?)
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
