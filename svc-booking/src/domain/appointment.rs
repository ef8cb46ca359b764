//! Parses a request body into a booking that obeys every rule.

use chrono::{DateTime, NaiveDate, Utc};
use service_kit::input::{
    EmailAddress, Line, Paragraphs, PersonName, PhoneNumber, Problem, Rejection, RequestId,
    Violation, Violations, optional,
};
use uuid::Uuid;

use super::{
    calendar::{Lead, SlotTime, parse_date, time_label},
    closed::Closed,
    contact::Contact,
    roster::{Department, Doctor, Roster},
    seats::Wanted,
};

const REASON_CHARS_MAX: usize = 2_000;
const NOTES_CHARS_MAX: usize = 300;
/// Separates the department from a typed doctor's name in `notes` (specification, section 3).
const PREFERRED: &str = " | Preferred: ";

/// Unvalidated input of the form. `Debug` withholds every field to keep personal data out of logs.
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
    pub hold_id: String,
}

impl std::fmt::Debug for AppointmentForm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("AppointmentForm(withheld)")
    }
}

/// A form and its idempotency key.
#[derive(Clone, Debug, Default)]
pub struct BookingRequest {
    pub appointment: AppointmentForm,
    /// Idempotency key (AIP-155).
    pub request_id: String,
}

/// An appointment that obeyed every rule when it was parsed. Seat availability is checked later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAppointment {
    pub contact: Contact,
    pub wanted: Wanted,
    /// The hold that this booking consumes.
    pub hold_id: Option<Uuid>,
}

/// A request that cannot be booked, with all violations and, if valid, its idempotency key.
#[derive(Debug)]
pub struct Refusal {
    pub violations: Vec<Violation>,
    /// Allows an idempotent replay: a retry of a booked request gets the same response, even if the rules would now
    /// refuse it.
    pub request_id: Option<RequestId>,
}

impl NewAppointment {
    /// Applies every rule and reports all violations.
    pub fn parse(
        request: &BookingRequest,
        roster: &Roster,
        now: DateTime<Utc>,
    ) -> Result<(RequestId, Self), Refusal> {
        let body = &request.appointment;
        let mut violations = Violations::default();
        let contact = take_contact(body, &mut violations);
        let department = parse_department(body, roster);
        let notes = parse_notes(&body.notes, department.as_deref_ok(), roster);
        let visit = body.visit();
        let wanted = take_visit(
            &visit,
            department,
            roster,
            Lead::Online,
            now,
            &mut violations,
        );
        let notes = violations.take("notes", notes);
        let hold_id = violations.take("holdId", parse_hold(&body.hold_id));
        let request_id = violations.take("requestId", RequestId::parse(&request.request_id));
        match (contact, wanted, notes, hold_id, request_id) {
            (Some(contact), Some(wanted), Some(notes), Some(hold_id), Some(request_id)) => Ok((
                request_id,
                Self {
                    contact: Contact {
                        notes: notes.map(Line::into_string).unwrap_or_default(),
                        ..contact
                    },
                    wanted,
                    hold_id,
                },
            )),
            (.., request_id) => Err(Refusal {
                violations: violations.into_vec(),
                request_id,
            }),
        }
    }
}

/// A change of an appointment by its patient or by staff; every contact field is sent again.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ChangedAppointment {
    pub contact: Contact,
    /// The time, department or doctor to move to; `None` keeps the present ones.
    pub wanted: Option<Wanted>,
}

impl ChangedAppointment {
    /// Applies every rule. Empty fields of the visit keep their present value.
    pub fn parse(
        body: &AppointmentForm,
        present: &Visit,
        roster: &Roster,
        lead: Lead,
        now: DateTime<Utc>,
    ) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let contact = take_contact(body, &mut violations);
        let department = if body.department.trim().is_empty() && body.notes.trim().is_empty() {
            known_department(&present.department_id, roster)
        } else {
            parse_department(body, roster)
        };
        let notes = parse_notes(&body.notes, department.as_deref_ok(), roster);
        let asked = body.visit();
        let same_department = department
            .as_ref()
            .is_ok_and(|department| department.id == present.department_id);
        let wanted = if same_department && present.is_meant_by(&asked) {
            Some(None)
        } else {
            take_visit(&asked, department, roster, lead, now, &mut violations).map(Some)
        };
        let notes = violations.take("notes", notes);
        match (contact, wanted, notes) {
            (Some(contact), Some(wanted), Some(notes)) => Ok(Self {
                contact: Contact {
                    notes: notes.map(Line::into_string).unwrap_or_default(),
                    ..contact
                },
                wanted,
            }),
            _ => Err(violations.into_vec()),
        }
    }
}

/// Time, department and doctor of an appointment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Visit {
    pub department_id: String,
    pub doctor_id: Option<String>,
    pub date: NaiveDate,
    pub slot: SlotTime,
}

impl Visit {
    /// Returns whether a form has the same day and time and names no other doctor.
    fn is_meant_by(&self, form: &VisitForm<'_>) -> bool {
        let doctor = form.doctor_id.trim();
        parse_date(form.date) == Some(self.date)
            && SlotTime::parse(form.time) == Some(self.slot)
            && (doctor.is_empty() || Some(doctor) == self.doctor_id.as_deref())
    }
}

/// The date, time and doctor fields of a form.
#[derive(Clone, Copy, Debug)]
pub struct VisitForm<'a> {
    pub doctor_id: &'a str,
    pub date: &'a str,
    pub time: &'a str,
}

impl AppointmentForm {
    fn visit(&self) -> VisitForm<'_> {
        VisitForm {
            doctor_id: &self.doctor_id,
            date: &self.date,
            time: &self.time,
        }
    }
}

trait OkRef<T> {
    fn as_deref_ok(&self) -> Option<&T>;
}

impl<T> OkRef<T> for Result<&T, Rejection> {
    fn as_deref_ok(&self) -> Option<&T> {
        self.as_ref().ok().copied()
    }
}

/// Checks a visit against the roster and the calendar. Adds violations of `date`, `time`, `doctorId` and `department`.
pub fn take_visit(
    form: &VisitForm<'_>,
    department: Result<&Department, Rejection>,
    roster: &Roster,
    lead: Lead,
    now: DateTime<Utc>,
    violations: &mut Violations,
) -> Option<Wanted> {
    let known = department.as_deref_ok();
    let doctor = roster.doctor_of(form.doctor_id, known.map(|found| found.id.as_str()));
    let known_doctor = doctor.as_ref().ok().copied().flatten();
    let date = parse_open_day(form.date, known, known_doctor, roster, now);
    let date = violations.accept("date", date);
    let time = parse_slot(form.time, date, known, known_doctor, roster);
    let time = time.and_then(|slot| in_time(slot, date, lead, now));
    let time = violations.accept("time", time);
    let doctor = violations.accept("doctorId", doctor);
    let department = violations.accept("department", department);
    let (date, time, doctor, department) = (date?, time?, doctor?, department?);
    let doctor_id = doctor.map(|doctor| doctor.id);
    Some(roster.wanted(&department.id, doctor_id, date, time))
}

/// Parses the patient's contact fields and the reason; leaves the notes empty. Adds violations of `patientName`,
/// `email`, `phone` and `reason`.
fn take_contact(body: &AppointmentForm, violations: &mut Violations) -> Option<Contact> {
    let patient_name = violations.take("patientName", parse_name(&body.patient_name));
    let email = violations.take("email", EmailAddress::parse(&body.email));
    let phone = violations.take("phone", PhoneNumber::parse(&body.phone));
    let reason = optional(Paragraphs::parse(&body.reason, REASON_CHARS_MAX));
    let reason = violations.take("reason", reason);
    Some(Contact {
        patient_name: patient_name?.into_string(),
        email: email?.into_string(),
        phone: phone?.into_string(),
        reason: reason?.map(Paragraphs::into_string).unwrap_or_default(),
        notes: String::new(),
    })
}

/// Finds a bookable department by id or label.
pub fn known_department<'a>(wanted: &str, roster: &'a Roster) -> Result<&'a Department, Rejection> {
    if wanted.trim().is_empty() {
        return Err(Rejection::new("REQUIRED", "Choose a department"));
    }
    match roster.department(wanted) {
        Some(department) if department.bookable => Ok(department),
        Some(_) => Err(Closed::CallInstead.into()),
        None => Err(Rejection::new(
            "UNKNOWN",
            "Choose a department from the list",
        )),
    }
}

fn parse_hold(text: &str) -> Result<Option<Uuid>, String> {
    match text.trim() {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|_| "Give the id of a hold, or leave it out".to_owned()),
    }
}

pub(super) fn parse_name(text: &str) -> Result<PersonName, Problem> {
    PersonName::parse(text)
        .map_err(|problem| problem.if_empty("Enter the patient's first and last name"))
}

/// Parses the notes: one line, which must not begin with a department other than the booked one. Staff read both the
/// notes and the department.
fn parse_notes(
    text: &str,
    department: Option<&Department>,
    roster: &Roster,
) -> Result<Option<Line>, String> {
    let notes =
        optional(Line::parse(text, NOTES_CHARS_MAX)).map_err(|problem| problem.to_string())?;
    let named = notes
        .as_ref()
        .and_then(|notes| roster.department_beginning(notes.as_str()));
    match (named, department) {
        (Some(named), Some(booked)) if named.id != booked.id => Err(format!(
            "Name the department that is booked, or leave it out: these notes are for {}",
            named.name
        )),
        _ => Ok(notes),
    }
}

/// Returns the department of the form, or the one that `notes` begins with.
fn parse_department<'a>(
    body: &AppointmentForm,
    roster: &'a Roster,
) -> Result<&'a Department, Rejection> {
    let named = body.department.trim();
    let noted = || {
        body.notes
            .split(PREFERRED)
            .next()
            .unwrap_or_default()
            .trim()
    };
    known_department(if named.is_empty() { noted() } else { named }, roster)
}

/// Returns the doctor's name that the patient typed into `notes`; empty if there is none.
pub fn preferred_doctor(notes: &str) -> &str {
    notes
        .split_once(PREFERRED)
        .map_or("", |(_, doctor)| doctor.trim())
}

/// Parses a day on which the department or doctor can be booked.
pub fn parse_open_day(
    text: &str,
    department: Option<&Department>,
    doctor: Option<Doctor<'_>>,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Result<NaiveDate, Rejection> {
    if text.trim().is_empty() {
        let words = "Choose a day from Monday to Saturday";
        return Err(Rejection::new("REQUIRED", words));
    }
    let date =
        parse_date(text).ok_or_else(|| Rejection::new("INVALID", "Give the day as YYYY-MM-DD"))?;
    match roster.closed(date, department, doctor, now) {
        Some(closed) => Err(closed.into()),
        None => Ok(date),
    }
}

fn parse_slot(
    text: &str,
    date: Option<NaiveDate>,
    department: Option<&Department>,
    doctor: Option<Doctor<'_>>,
    roster: &Roster,
) -> Result<SlotTime, Rejection> {
    let slot = SlotTime::parse(text).ok_or_else(|| {
        let words = "Choose a time from 9:00 AM to 12:30 PM or from 2:00 PM to 6:30 PM";
        Rejection::new("INVALID", words)
    })?;
    if let (Some(date), Some(department)) = (date, department) {
        let doctor_id = doctor.map(|doctor| doctor.id);
        let wanted = roster.wanted(&department.id, doctor_id, date, slot);
        if !wanted.is_covered() {
            let time = time_label(slot.time());
            let words = match doctor {
                Some(_) => {
                    format!("This doctor does not see patients at {time}. Choose another time.")
                }
                None => format!(
                    "No one sees patients in {} at {time}. Choose another time.",
                    department.name
                ),
            };
            return Err(Rejection::new("NOT_STAFFED", words));
        }
    }
    Ok(slot)
}

fn in_time(
    slot: SlotTime,
    date: Option<NaiveDate>,
    lead: Lead,
    now: DateTime<Utc>,
) -> Result<SlotTime, Rejection> {
    if date.is_none_or(|date| lead.allows(slot.on(date), now)) {
        return Ok(slot);
    }
    Err(match lead {
        Lead::Online => Rejection::new(
            "TOO_NEAR",
            "Choose a time at least 60 minutes from now (IST)",
        ),
        Lead::Desk => Rejection::new("PAST", "This time is over. Choose a later one"),
    })
}

#[cfg(test)]
#[path = "appointment_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "appointment_any_tests.rs"]
mod any_tests;
