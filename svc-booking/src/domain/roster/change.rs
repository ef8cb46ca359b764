//! Validates and evaluates changes of the roster by staff.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Timelike as _, Utc, Weekday};
use service_kit::input::{Line, Violation, Violations, optional};
use uuid::Uuid;

use super::{FEE_RUPEES_MAX, Leave, PLACE_CHARS_MAX, Roster, Session, Weekdays};
use crate::domain::{
    appointment::known_department,
    calendar::{IST, SLOT_MINUTES, SlotTime, minutes_of, parse_date, parse_time, start_of},
    change::Appointment,
    seats::Resource,
};

const NAME_CHARS_MAX: usize = 120;
const HOLIDAY_CHARS_MAX: usize = 80;
const REASON_CHARS_MAX: usize = 200;
const DOCTOR_ID_CHARS_MAX: usize = 64;
const SEATS_MAX: u32 = 100;
const LEAVE_DAYS_MAX: i64 = 1000;

/// Unvalidated session input of staff.
#[derive(Clone, Debug, Default)]
pub struct SessionForm {
    pub department: String,
    pub doctor_id: String,
    pub name: String,
    pub weekdays: Vec<String>,
    pub from: String,
    pub until: String,
    pub seats: i32,
    pub by_name_only: bool,
    pub valid_from: String,
    pub valid_until: String,
    pub fee_rupees: i32,
    pub place: String,
}

impl SessionForm {
    /// Parses the session, with a placeholder id and version.
    pub fn parse(&self, roster: &Roster) -> Result<Session, Vec<Violation>> {
        let mut violations = Violations::default();
        let department =
            violations.accept("department", known_department(&self.department, roster));
        let doctor_id = violations.take("doctorId", parse_doctor(&self.doctor_id));
        let doctor = doctor_id.as_ref().and_then(Option::as_deref);
        let name = optional(Line::parse(&self.name, NAME_CHARS_MAX))
            .map_err(|problem| problem.to_string())
            .and_then(|name| match (&doctor_id, &name) {
                (Some(None), None) => Err("Name the clinic, or give a doctor".to_owned()),
                (Some(Some(id)), None) if roster.is_new_doctor(id) => {
                    Err("Give the name of this doctor, which patients see".to_owned())
                }
                _ => Ok(name.map(Line::into_string).unwrap_or_default()),
            });
        let name = violations.take("name", name);
        let weekdays = violations.take("weekdays", parse_weekdays(&self.weekdays));
        let from = violations.take("from", parse_half_hour(&self.from));
        let until = parse_half_hour(&self.until).and_then(|until| match from {
            Some(from) if until <= from => Err("Give a time after `from`".to_owned()),
            _ => Ok(until),
        });
        let until = violations.take("until", until);
        let seats = violations.take("seats", parse_seats(self.seats));
        let valid_from = violations.take("validFrom", parse_optional_day(&self.valid_from));
        let valid_until = parse_optional_day(&self.valid_until).and_then(|until| {
            match (valid_from.flatten(), until) {
                (Some(from), Some(until)) if until < from => {
                    Err("Give a day that is not before `validFrom`".to_owned())
                }
                _ => Ok(until),
            }
        });
        let valid_until = violations.take("validUntil", valid_until);
        let fee_rupees = violations.take("feeRupees", parse_fee(self.fee_rupees));
        let place = optional(Line::parse(&self.place, PLACE_CHARS_MAX));
        let place = violations.take("place", place);
        // A doctor of the configuration has fee and place there.
        let has_own = doctor.is_none_or(|id| roster.doctor_entry(id).is_none());
        let all = || {
            let place = place?.map(Line::into_string).unwrap_or_default();
            Some(Session {
                id: String::new(),
                department_id: department?.id.clone(),
                doctor_id: doctor_id?,
                name: name?,
                weekdays: weekdays?,
                from_minutes: from?,
                until_minutes: until?,
                seats: seats?,
                by_name_only: self.by_name_only,
                valid_from: valid_from?,
                valid_until: valid_until?,
                fee_rupees: if has_own { fee_rupees? } else { 0 },
                place: if has_own { place } else { String::new() },
                version: 1,
            })
        };
        all().ok_or_else(|| violations.into_vec())
    }
}

impl Session {
    /// Keeps the present fee and place if an update gives none, as clients of release 0.1.0 do.
    #[must_use]
    pub fn or_as_in(mut self, present: &Self) -> Self {
        if self.doctor_id == present.doctor_id {
            if self.fee_rupees == 0 {
                self.fee_rupees = present.fee_rupees;
            }
            if self.place.is_empty() {
                self.place.clone_from(&present.place);
            }
        }
        self
    }
}

/// Unvalidated leave input of staff.
#[derive(Clone, Debug, Default)]
pub struct LeaveForm {
    pub resource: String,
    pub from: String,
    pub until: String,
    pub reason: String,
}

impl LeaveForm {
    /// Parses the leave, with a placeholder id.
    pub fn parse(&self, roster: &Roster) -> Result<Leave, Vec<Violation>> {
        let mut violations = Violations::default();
        let resource = Resource::named(self.resource.trim().to_owned());
        let is_known = roster
            .sessions
            .iter()
            .any(|session| session.resource() == resource);
        let resource = violations.take(
            "resource",
            is_known
                .then_some(resource)
                .ok_or("Name a resource with sessions: `doctor:ID` or `clinic:SESSION`"),
        );
        let from = violations.take("from", parse_required_day(&self.from));
        let until = parse_required_day(&self.until).and_then(|until| match from {
            Some(from) if until < from => Err("Give a day that is not before `from`".to_owned()),
            Some(from) if (until - from).num_days() > LEAVE_DAYS_MAX => {
                Err(format!("Give at most {LEAVE_DAYS_MAX} days"))
            }
            _ => Ok(until),
        });
        let until = violations.take("until", until);
        let reason = optional(Line::parse(&self.reason, REASON_CHARS_MAX));
        let reason = violations.take("reason", reason);
        let all = || {
            Some(Leave {
                id: Uuid::nil(),
                resource: resource?,
                from: from?,
                until: until?,
                reason: reason?.map(Line::into_string).unwrap_or_default(),
            })
        };
        all().ok_or_else(|| violations.into_vec())
    }
}

/// Parses a holiday: its day and the name that visitors see.
pub fn parse_holiday(date: &str, name: &str) -> Result<(NaiveDate, String), Vec<Violation>> {
    let mut violations = Violations::default();
    let date = violations.take("date", parse_required_day(date));
    let name = violations.take("name", Line::parse(name, HOLIDAY_CHARS_MAX));
    match (date, name) {
        (Some(date), Some(name)) => Ok((date, name.into_string())),
        _ => Err(violations.into_vec()),
    }
}

/// Parses a doctor's id. The doctor needs an entry, which provides the name for bookings.
fn parse_doctor(id: &str) -> Result<Option<String>, String> {
    let id = id.trim();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if id.is_empty() {
        return Ok(None);
    }
    if id.len() > DOCTOR_ID_CHARS_MAX || !id.chars().all(is_plain) {
        return Err(format!(
            "Give the id of a profile: at most {DOCTOR_ID_CHARS_MAX} letters, digits, hyphens or underscores"
        ));
    }
    Ok(Some(id.to_owned()))
}

fn parse_fee(rupees: i32) -> Result<u32, String> {
    u32::try_from(rupees)
        .ok()
        .filter(|rupees| *rupees <= FEE_RUPEES_MAX)
        .ok_or_else(|| format!("Give a fee of at most {FEE_RUPEES_MAX} rupees, or leave it out"))
}

fn parse_weekdays(names: &[String]) -> Result<Weekdays, String> {
    let days = names.iter().try_fold(Weekdays::default(), |days, name| {
        days.with(name.trim().parse::<Weekday>().ok()?)
    });
    days.filter(|days| days.bits() != 0)
        .ok_or_else(|| "Give at least one of Mon, Tue, Wed, Thu, Fri, Sat".to_owned())
}

fn parse_half_hour(text: &str) -> Result<u16, String> {
    parse_time(text)
        .filter(|time| minutes_of(*time).is_multiple_of(SLOT_MINUTES) && time.second() == 0)
        .map(minutes_of)
        .ok_or_else(|| "Give a time on the half hour, for example 9:00 AM".to_owned())
}

fn parse_seats(seats: i32) -> Result<u32, String> {
    match u32::try_from(seats) {
        Ok(0) => Ok(1),
        Ok(seats) if seats <= SEATS_MAX => Ok(seats),
        _ => Err(format!(
            "Give 1 to {SEATS_MAX} patients for a slot, or leave it out"
        )),
    }
}

fn parse_required_day(text: &str) -> Result<NaiveDate, String> {
    parse_date(text).ok_or_else(|| "Give the day as YYYY-MM-DD".to_owned())
}

fn parse_optional_day(text: &str) -> Result<Option<NaiveDate>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    parse_required_day(text).map(Some)
}

/// A roster change requested by staff.
#[derive(Clone, Debug)]
pub enum Edit {
    CreateSession(Session),
    UpdateSession {
        id: String,
        /// The version that the caller read.
        version: i64,
        session: Session,
    },
    DeleteSession {
        id: String,
        version: i64,
    },
    CreateLeave(Leave),
    DeleteLeave(Uuid),
    WriteHoliday(NaiveDate, String),
    DeleteHoliday(NaiveDate),
}

/// Outcome of an [`Edit`].
#[derive(Clone, Debug)]
pub enum Edited {
    /// Done now, or earlier by the same request.
    Done {
        /// Id of the session or leave.
        id: String,
        /// Booked appointments that are now uncovered, by time.
        affected: Vec<Uuid>,
        repeated: bool,
    },
    NotFound,
    EtagMismatch,
    RequestIdReused,
    /// The list has reached its maximum length.
    Full,
}

impl Edit {
    /// Returns the action name for the audit log.
    pub fn action(&self) -> &'static str {
        match self {
            Self::CreateSession(_) => "session.create",
            Self::UpdateSession { .. } => "session.update",
            Self::DeleteSession { .. } => "session.delete",
            Self::CreateLeave(_) => "leave.create",
            Self::DeleteLeave(_) => "leave.delete",
            Self::WriteHoliday(..) => "holiday.write",
            Self::DeleteHoliday(_) => "holiday.delete",
        }
    }

    /// Returns the resources and the time range whose appointments the edit may leave uncovered. Returns `None` if
    /// there are none.
    pub fn reach(
        &self,
        before: &Roster,
        now: DateTime<Utc>,
        until_max: DateTime<Utc>,
    ) -> Option<(Vec<Resource>, DateTime<Utc>, DateTime<Utc>)> {
        let of_session = |id: &str| {
            let session = before.sessions.iter().find(|session| session.id == id)?;
            Some((vec![session.resource()], now, until_max))
        };
        match self {
            Self::CreateSession(_) | Self::DeleteLeave(_) | Self::DeleteHoliday(_) => None,
            Self::UpdateSession { id, .. } | Self::DeleteSession { id, .. } => of_session(id),
            Self::CreateLeave(leave) => Some((
                vec![leave.resource.clone()],
                start_of(leave.from).max(now),
                start_of(leave.until.succ_opt()?).min(until_max),
            )),
            Self::WriteHoliday(date, _) => {
                let departments = before.departments.iter();
                let all: BTreeSet<Resource> = departments
                    .flat_map(|department| before.resources(&department.id))
                    .collect();
                let next = start_of(date.succ_opt()?);
                Some((all.into_iter().collect(), start_of(*date).max(now), next))
            }
        }
    }
}

/// A booked appointment without personal data; enough to decide whether it is covered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Booked {
    pub id: Uuid,
    pub reference: String,
    pub department_id: String,
    pub doctor_id: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub version: i64,
    pub create_time: DateTime<Utc>,
    pub resource: Option<Resource>,
}

impl From<&Appointment> for Booked {
    fn from(appointment: &Appointment) -> Self {
        Self {
            id: appointment.id,
            reference: appointment.reference.clone(),
            department_id: appointment.department_id.clone(),
            doctor_id: appointment.doctor_id.clone(),
            starts_at: appointment.starts_at,
            version: appointment.version,
            create_time: appointment.create_time,
            resource: appointment.resource.clone(),
        }
    }
}

/// Returns the uncovered appointments, by time. An appointment is uncovered if its resource does not work then or has
/// fewer seats than bookings. The earliest bookings keep the seats.
pub fn uncovered(booked: Vec<Booked>, roster: &Roster) -> Vec<Booked> {
    let mut slots: BTreeMap<(DateTime<Utc>, Option<Resource>), Vec<Booked>> = BTreeMap::new();
    for appointment in booked {
        let key = (appointment.starts_at, appointment.resource.clone());
        slots.entry(key).or_default().push(appointment);
    }
    let mut uncovered = Vec::new();
    for ((_, resource), mut group) in slots {
        group.sort_by_key(|appointment| (appointment.create_time, appointment.id));
        let seats = group
            .first()
            .map_or(0, |first| seats_of(first, resource.as_ref(), roster));
        uncovered.extend(group.into_iter().skip(seats));
    }
    uncovered.sort_by_key(|appointment| (appointment.starts_at, appointment.id));
    uncovered
}

/// Returns the number of seats of a resource at the time of an appointment.
fn seats_of(booked: &Booked, resource: Option<&Resource>, roster: &Roster) -> usize {
    let local = booked.starts_at.with_timezone(&IST);
    let (Some(resource), Some(slot)) = (resource, SlotTime::at(local.time())) else {
        return 0;
    };
    let duties = roster.on_duty(&booked.department_id, local.date_naive(), slot);
    if *resource == Resource::department(&booked.department_id) {
        return duties.iter().map(|duty| duty.seats as usize).sum();
    }
    let duty = duties.iter().find(|duty| duty.resource == *resource);
    duty.map_or(0, |duty| duty.seats as usize)
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
