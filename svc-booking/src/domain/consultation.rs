//! Video consultations: requests by visitors and updates by staff.

mod doctor;
mod update;

use std::fmt;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, SubsecRound as _, Utc};
use service_kit::{
    input::{
        EmailAddress, Paragraphs, PersonName, PhoneNumber, RequestId, Violation, Violations,
        optional,
    },
    language::Language,
    source::Ids,
};
use uuid::Uuid;

use super::{
    calendar::{DAYS_AHEAD_MAX, date_label, last_day, parse_date, start_of, today},
    change::references,
    roster::{Department, Roster, VideoClinic},
};

use doctor::doctor_after;
pub use doctor::{Doctor, Doctors, doctor_ids};
use update::given;
pub use update::{Update, UpdateForm};

/// Maximum consultations per network, from today on, that staff have not handled yet. Mobile carriers put many people
/// behind one network.
pub const REQUESTED_OF_NETWORK_MAX: i64 = 12;
const DESCRIPTION_CHARS_MAX: usize = 2000;

/// Kinds of notifications.
pub const REQUESTED: &str = "consultation.requested";
pub const SCHEDULED: &str = "consultation.scheduled";
pub const CANCELLED: &str = "consultation.cancelled";

/// Status of a consultation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConsultationStatus {
    Requested,
    Scheduled,
    Completed,
    Cancelled,
    NoShow,
}

impl ConsultationStatus {
    pub const ALL: [Self; 5] = [
        Self::Requested,
        Self::Scheduled,
        Self::Completed,
        Self::Cancelled,
        Self::NoShow,
    ];

    /// Returns the word that the database stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Scheduled => "scheduled",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::NoShow => "no_show",
        }
    }

    /// Parses a word of the database; returns `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Returns whether staff may set `next`. A scheduled consultation may be rescheduled.
    fn allows(self, next: Self) -> bool {
        use ConsultationStatus::{Cancelled, Completed, NoShow, Requested, Scheduled};
        matches!(
            (self, next),
            (Requested | Scheduled, Scheduled | Cancelled) | (Scheduled, Completed | NoShow)
        )
    }
}

/// The requester's contact data, the description and the room's address. `Debug` withholds every field to keep personal
/// data out of logs.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Person {
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub description: Option<String>,
    /// Address of the video room; everyone with this link can enter.
    pub link: Option<String>,
}

impl fmt::Debug for Person {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Person(withheld)")
    }
}

/// A consultation as stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Consultation {
    pub id: Uuid,
    /// For example `VC-7K3M-9QXD`; no secret.
    pub reference: String,
    pub date: NaiveDate,
    /// Local time in Asia/Kolkata; `None` until it is scheduled.
    pub time: Option<NaiveTime>,
    pub status: ConsultationStatus,
    /// Starts at 1 and grows with each change.
    pub version: i64,
    /// Truncated to microseconds, the precision of both databases.
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    /// `None`: none was chosen, or created by a build without departments.
    pub department_id: Option<String>,
    /// `None`: not allotted yet, or scheduled by a build without doctors.
    pub doctor: Option<Doctor>,
    pub person: Person,
    /// Language of the person, in which notices are sent.
    pub language: Option<Language>,
}

/// Unvalidated input of the visitor's form. `Debug` withholds every field.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct ConsultationForm {
    pub patient_name: String,
    pub email: String,
    pub phone: String,
    pub description: String,
    pub date: String,
    /// Id or label; may be empty.
    pub department: String,
    /// Idempotency key (AIP-155).
    pub request_id: String,
}

impl fmt::Debug for ConsultationForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ConsultationForm(withheld)")
    }
}

/// A validated request of a visitor.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewConsultation {
    pub person: Person,
    pub date: NaiveDate,
    pub department_id: Option<String>,
}

impl NewConsultation {
    /// Applies every rule and reports all violations, in the order of the form.
    pub fn parse(
        form: &ConsultationForm,
        roster: &Roster,
        now: DateTime<Utc>,
    ) -> Result<(RequestId, Self), Vec<Violation>> {
        let mut violations = Violations::default();
        let name = PersonName::parse(&form.patient_name)
            .map_err(|problem| problem.if_empty("Enter the patient's first and last name"));
        let name = violations.take("patientName", name);
        let email = violations.take("patientEmail", optional(EmailAddress::parse(&form.email)));
        let phone = violations.take("phone", optional(PhoneNumber::parse(&form.phone)));
        if let (Some(None), Some(None)) = (&email, &phone) {
            let wanted = "Enter an e-mail address or a phone number so we can reach you";
            violations.add("patientEmail", wanted);
        }
        let description = optional(Paragraphs::parse(&form.description, DESCRIPTION_CHARS_MAX));
        let description = violations.take("description", description);
        let department = violations.take("department", parse_department(&form.department, roster));
        let chosen = department.flatten();
        let date = parse_day(&form.date, now).and_then(|date| sitting_on(date, chosen));
        let date = violations.take("date", date);
        let request_id = violations.take("requestId", RequestId::parse(&form.request_id));
        let whole = match (name, email, phone, description, date, request_id) {
            (
                Some(name),
                Some(email),
                Some(phone),
                Some(description),
                Some(date),
                Some(request_id),
            ) => {
                let person = Person {
                    name: name.into_string(),
                    email: email.map(EmailAddress::into_string),
                    phone: phone.map(PhoneNumber::into_string),
                    description: description.map(Paragraphs::into_string),
                    link: None,
                };
                let department_id = chosen.map(|(department, _)| department.id.clone());
                Some((
                    request_id,
                    Self {
                        person,
                        date,
                        department_id,
                    },
                ))
            }
            _ => None,
        };
        violations.into_result(whole)
    }
}

/// Parses a day from today to the last bookable day. Staff decide later whether a doctor has time on it.
fn parse_day(text: &str, now: DateTime<Utc>) -> Result<NaiveDate, String> {
    if text.trim().is_empty() {
        return Err("Choose a day".to_owned());
    }
    let date = parse_date(text).ok_or("Give the day as YYYY-MM-DD")?;
    if date < today(now) {
        Err("This day has passed. Choose today or a later day.".to_owned())
    } else if date > last_day(now) {
        Err(format!(
            "You can request a consultation up to {DAYS_AHEAD_MAX} days ahead. Choose a day up to {}.",
            date_label(last_day(now))
        ))
    } else {
        Ok(date)
    }
}

/// A department and its consultations by video.
type ByVideo<'a> = (&'a Department, &'a VideoClinic);

/// Returns `None` for an empty text.
fn parse_department<'a>(
    text: &str,
    roster: &'a Roster,
) -> Result<Option<ByVideo<'a>>, &'static str> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    let department = roster.department(text);
    department
        .and_then(|found| Some((found, found.video.as_ref()?)))
        .map(Some)
        .ok_or("Choose a department that sees patients by video, or leave it out")
}

/// Refuses days on which the chosen department has no consultations by video.
fn sitting_on(date: NaiveDate, chosen: Option<ByVideo<'_>>) -> Result<NaiveDate, String> {
    match chosen {
        Some((department, video)) if !video.hours.weekdays.contains(date.weekday()) => {
            let days: Vec<_> = video
                .hours
                .weekdays
                .iter()
                .map(|day| day.to_string())
                .collect();
            Err(format!(
                "{} sees patients by video on {}. Choose one of these days.",
                department.name,
                days.join(", ")
            ))
        }
        _ => Ok(date),
    }
}

/// A valid request with pre-generated ids.
#[derive(Clone, Debug)]
pub struct Asked {
    pub id: Uuid,
    pub message_id: Uuid,
    /// Tried in order: references are unique, and random ones may collide.
    pub references: Vec<String>,
    pub new: NewConsultation,
    /// Language of the person.
    pub language: Option<Language>,
    /// Truncated to microseconds.
    pub now: DateTime<Utc>,
}

impl Asked {
    pub fn new(new: NewConsultation, ids: &dyn Ids, now: DateTime<Utc>) -> Self {
        Self {
            id: ids.uuid_at(now),
            message_id: ids.uuid_at(now),
            references: references("VC", ids),
            new,
            language: None,
            now: now.trunc_subsecs(6),
        }
    }

    /// Returns the new consultation with a chosen reference.
    pub fn consultation(&self, reference: String) -> Consultation {
        Consultation {
            id: self.id,
            reference,
            date: self.new.date,
            time: None,
            status: ConsultationStatus::Requested,
            version: 1,
            create_time: self.now,
            update_time: self.now,
            department_id: self.new.department_id.clone(),
            doctor: None,
            person: self.new.person.clone(),
            language: self.language,
        }
    }
}

/// Why an update is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum UpdateRefused {
    /// The consultation has another version by now.
    EtagMismatch,
    /// The present status does not allow the new one.
    StatusNotAllowed,
    /// The doctor is not allowed, a field for the scheduled status is missing, or the time is past.
    Invalid(Vec<Violation>),
}

/// Result of an update.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Updated {
    pub consultation: Consultation,
    /// Kind of the notification to the patient.
    pub message: Option<&'static str>,
}

/// Decides an update. Pure. Returns `Ok(None)` if nothing changes.
pub fn decide(
    before: &Consultation,
    update: &Update,
    doctors: Doctors<'_>,
    now: DateTime<Utc>,
) -> Result<Option<Updated>, UpdateRefused> {
    if update.version != Some(before.version) {
        return Err(UpdateRefused::EtagMismatch);
    }
    let status = update.status.unwrap_or(before.status);
    let mut after = before.clone();
    after.date = update.date.unwrap_or(before.date);
    after.time = update.time.or(before.time);
    after.person.link.clone_from(match &update.link {
        Some(_) => &update.link,
        None => &before.person.link,
    });
    after.status = status;
    let doctor = doctor_after(before, update, doctors);
    if let Ok(doctor) = &doctor {
        after.doctor.clone_from(doctor);
    }
    if doctor.is_ok() && after == *before {
        return Ok(None);
    }
    if !before.status.allows(status) {
        let is_only_allotted = status == ConsultationStatus::Requested && update.status.is_none();
        return Err(if is_only_allotted {
            // Refused rather than stored silently: the patient would never be notified.
            let wanted =
                "Set the status to SCHEDULED to allot a time. The patient is then notified.";
            UpdateRefused::Invalid(vec![Violation::new("status", wanted)])
        } else {
            UpdateRefused::StatusNotAllowed
        });
    }
    let mut violations = match status {
        ConsultationStatus::Scheduled => unscheduled(before, &after, now),
        _ => Vec::new(),
    };
    violations.extend(doctor.err());
    if !violations.is_empty() {
        return Err(UpdateRefused::Invalid(violations));
    }
    after.version += 1;
    after.update_time = now.trunc_subsecs(6);
    let message = match status {
        ConsultationStatus::Scheduled => Some(SCHEDULED),
        ConsultationStatus::Cancelled => Some(CANCELLED),
        _ => None,
    };
    Ok(Some(Updated {
        consultation: after,
        message,
    }))
}

/// Returns the violations that prevent a consultation from being scheduled.
fn unscheduled(before: &Consultation, after: &Consultation, now: DateTime<Utc>) -> Vec<Violation> {
    let mut violations = Violations::default();
    let is_moved = (before.date, before.time) != (after.date, after.time);
    if is_moved && after.date > last_day(now) {
        violations.add(
            "date",
            format!("Choose a day up to {}", date_label(last_day(now))),
        );
    }
    match after.time {
        None => violations.add("time", "Give the time, such as 4:30 PM"),
        Some(time) if is_moved && start_of(after.date) + (time - NaiveTime::MIN) <= now => {
            violations.add("time", "Choose a future time");
        }
        Some(_) => {}
    }
    if after.person.link.is_none() {
        violations.add("link", "Give the https address of the video room");
    }
    violations.into_vec()
}

#[cfg(test)]
#[path = "consultation_tests.rs"]
mod tests;
