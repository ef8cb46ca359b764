//! Parses the body of a request into a booking that obeys every rule.

use chrono::{DateTime, NaiveDate, Utc};
use service_kit::input::{
    EmailAddress, Line, Paragraphs, PersonName, PhoneNumber, Problem, RequestId, Violation,
    Violations, optional,
};

use super::{
    calendar::{SlotTime, closed_reason, leaves_notice, parse_date, time_label},
    change::Contact,
    resources::{Department, Doctor, EMERGENCY_REASON, Resources},
    seats::{SeatClaim, claims},
};

const REASON_CHARS_MAX: usize = 2_000;
const NOTES_CHARS_MAX: usize = 300;
/// Between the department and a typed doctor's name in `notes` (specification, section 3).
const PREFERRED: &str = " | Preferred: ";

/// Unvalidated input of the form. Its `Debug` shows nothing, so that no log line can.
#[derive(Clone, Default)]
pub struct AppointmentForm {
    pub patient_name: String,
    pub email: String,
    pub phone: String,
    pub date: String,
    pub time: String,
    pub reason: String,
    pub doctor_id: String,
    pub notes: String,
    pub department: String,
}

impl std::fmt::Debug for AppointmentForm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("AppointmentForm(withheld)")
    }
}

/// A form, and the id under which it may be sent again.
#[derive(Clone, Debug, Default)]
pub struct BookingRequest {
    pub appointment: AppointmentForm,
    /// AIP-155.
    pub request_id: String,
}

/// An appointment that obeys every rule at the time it was parsed. Whether a seat is free is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAppointment {
    contact: Contact,
    starts_at: DateTime<Utc>,
    doctor_id: Option<String>,
    department_id: String,
    claims: Vec<SeatClaim>,
}

/// A request that cannot be booked: everything that is wrong with it, and its key if that is right.
#[derive(Debug)]
pub struct Refusal {
    pub violations: Vec<Violation>,
    /// Allows an idempotent replay: a request that was booked before keeps its answer, even when the rules would refuse it now.
    pub request_id: Option<RequestId>,
}

impl NewAppointment {
    /// Applies every rule and reports all violations.
    pub fn parse(
        request: &BookingRequest,
        resources: &Resources,
        now: DateTime<Utc>,
    ) -> Result<(RequestId, Self), Refusal> {
        let body = &request.appointment;
        let mut violations = Violations::default();
        let patient_name = violations.take("patientName", parse_name(&body.patient_name));
        let email = violations.take("email", EmailAddress::parse(&body.email));
        let phone = violations.take("phone", PhoneNumber::parse(&body.phone));
        let department = parse_department(body, resources);
        let department_id = department.as_ref().ok().map(|found| found.id.as_str());
        let doctor = resources.doctor_of(&body.doctor_id, department_id);
        let known_doctor = doctor.as_ref().ok().copied().flatten();
        let date = violations.take(
            "date",
            parse_open_day(&body.date, known_doctor, resources, now),
        );
        let time = violations.take("time", parse_slot(&body.time, date, known_doctor, now));
        let reason = violations.take(
            "reason",
            optional(Paragraphs::parse(&body.reason, REASON_CHARS_MAX)),
        );
        let doctor = violations.take("doctorId", doctor);
        let notes = violations.take("notes", parse_notes(&body.notes, department_id, resources));
        let department = violations.take("department", department);
        let request_id = violations.take("requestId", RequestId::parse(&request.request_id));
        match (
            patient_name,
            email,
            phone,
            date,
            time,
            reason,
            doctor,
            notes,
            department,
            request_id,
        ) {
            (
                Some(patient_name),
                Some(email),
                Some(phone),
                Some(date),
                Some(time),
                Some(reason),
                Some(doctor),
                Some(notes),
                Some(department),
                Some(request_id),
            ) => Ok((
                request_id,
                Self {
                    contact: Contact {
                        patient_name: patient_name.into_string(),
                        email: email.into_string(),
                        phone: phone.into_string(),
                        reason: reason.map(Paragraphs::into_string).unwrap_or_default(),
                        notes: notes.map(Line::into_string).unwrap_or_default(),
                    },
                    starts_at: time.on(date),
                    doctor_id: doctor.map(|doctor| doctor.id.clone()),
                    department_id: department.id.clone(),
                    claims: claims(department, doctor),
                },
            )),
            (.., request_id) => Err(Refusal {
                violations: violations.into_vec(),
                request_id,
            }),
        }
    }

    pub fn contact(&self) -> &Contact {
        &self.contact
    }

    pub fn starts_at(&self) -> DateTime<Utc> {
        self.starts_at
    }

    pub fn doctor_id(&self) -> Option<&str> {
        self.doctor_id.as_deref()
    }

    pub fn department_id(&self) -> &str {
        &self.department_id
    }

    /// In the order in which the store takes them.
    pub fn claims(&self) -> &[SeatClaim] {
        &self.claims
    }
}

fn parse_name(text: &str) -> Result<PersonName, Problem> {
    PersonName::parse(text)
        .map_err(|problem| problem.if_empty("Enter the patient's first and last name"))
}

/// One line, which no other department than the booked one begins: staff reads both.
fn parse_notes(
    text: &str,
    department_id: Option<&str>,
    resources: &Resources,
) -> Result<Option<Line>, String> {
    let notes =
        optional(Line::parse(text, NOTES_CHARS_MAX)).map_err(|problem| problem.to_string())?;
    let named = notes
        .as_ref()
        .and_then(|notes| resources.department_beginning(notes.as_str()));
    match (named, department_id) {
        (Some(named), Some(booked)) if named.id != booked => Err(format!(
            "Name the department that is booked, or leave it out: these notes are for {}",
            named.name
        )),
        _ => Ok(notes),
    }
}

/// The department of the form, or the one that `notes` starts with.
fn parse_department<'a>(
    body: &AppointmentForm,
    resources: &'a Resources,
) -> Result<&'a Department, String> {
    let named = body.department.trim();
    let noted = || {
        body.notes
            .split(PREFERRED)
            .next()
            .unwrap_or_default()
            .trim()
    };
    let wanted = if named.is_empty() { noted() } else { named };
    if wanted.is_empty() {
        return Err("Choose a department".to_owned());
    }
    match resources.department(wanted) {
        Some(department) if department.bookable => Ok(department),
        Some(_) => Err(EMERGENCY_REASON.to_owned()),
        None => Err("Choose a department of the list".to_owned()),
    }
}

fn parse_open_day(
    text: &str,
    doctor: Option<&Doctor>,
    resources: &Resources,
    now: DateTime<Utc>,
) -> Result<NaiveDate, String> {
    if text.trim().is_empty() {
        return Err("Choose a day from Monday to Saturday".to_owned());
    }
    let date = parse_date(text).ok_or_else(|| "Give the day as YYYY-MM-DD".to_owned())?;
    match closed_reason(date, doctor, resources, now) {
        Some(reason) => Err(reason),
        None => Ok(date),
    }
}

fn parse_slot(
    text: &str,
    date: Option<NaiveDate>,
    doctor: Option<&Doctor>,
    now: DateTime<Utc>,
) -> Result<SlotTime, String> {
    let slot = SlotTime::parse(text).ok_or_else(|| {
        "Choose a time from 9:00 AM to 12:30 PM or from 2:00 PM to 6:30 PM".to_owned()
    })?;
    if doctor.is_some_and(|doctor| !doctor.sees_patients_at(slot.time())) {
        let time = time_label(slot.time());
        return Err(format!(
            "This doctor does not see patients at {time}. Choose another time."
        ));
    }
    if date.is_some_and(|date| !leaves_notice(slot.on(date), now)) {
        return Err("Choose a time at least 60 minutes from now (IST)".to_owned());
    }
    Ok(slot)
}

#[cfg(test)]
#[path = "appointment_tests.rs"]
mod tests;
