//! Format of the resources file. A file with any invalid value is rejected.

mod attendants;

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use chrono::{NaiveDate, NaiveTime, Weekday};
use serde::{Deserialize, Deserializer, de::Error as _};
use toml::Spanned;

use uuid::Uuid;

use attendants::{RawDoctor, RawVideo, clinic};

use super::{Department, DoctorEntry, Leave, Roster, Session, Weekdays};
use crate::domain::{
    calendar::{minutes_of, parse_time},
    seats::Resource,
    slug,
};

const EMBEDDED_NAME: &str = "svc-booking/config/resources.toml";
const EMBEDDED: &str = include_str!("../../../config/resources.toml");
const DEPARTMENTS_MAX: usize = 500;
const DOCTORS_MAX: usize = 1_000;
const SESSIONS_MAX: usize = 5_000;
const HOLIDAYS_MAX: usize = 1_000;
const LEAVES_MAX: usize = 5_000;
const SEATS_MAX: u32 = 100;

/// The configuration: departments, doctors, and the initial roster of an empty database.
#[derive(Clone, Debug)]
pub struct Seed {
    pub departments: Arc<[Department]>,
    pub doctors: Arc<[DoctorEntry]>,
    pub sessions: Vec<Session>,
    pub leaves: Vec<SeedLeave>,
    pub holidays: BTreeMap<NaiveDate, String>,
}

/// Leave in the initial roster of an empty database.
#[derive(Clone, Debug)]
pub struct SeedLeave {
    pub resource: Resource,
    /// First and last day, both inclusive.
    pub from: NaiveDate,
    pub until: NaiveDate,
    pub reason: String,
}

/// Why a resources file is invalid, and at which line and field.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {field}: {message}")]
pub struct SeedError {
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Path of the field, for example `sessions[3].department`.
    pub field: String,
    pub message: String,
}

impl Seed {
    /// Returns the hospital's own seed, which is embedded in the program.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the same embedded file.
    pub fn embedded() -> Self {
        Self::parse(EMBEDDED_NAME, EMBEDDED).expect("the embedded resources file is tested")
    }

    /// Parses a resources file; `file` is only used in messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, SeedError> {
        parse(text).map_err(|flaw| {
            let before = text.get(..flaw.at).unwrap_or_default();
            SeedError {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                field: flaw.field,
                message: flaw.message,
            }
        })
    }
}

impl Seed {
    /// Returns the initial roster of an empty database.
    pub fn roster(&self) -> Roster {
        Roster {
            revision: 1,
            departments: Arc::clone(&self.departments),
            doctor_entries: Arc::clone(&self.doctors),
            sessions: self.sessions.clone(),
            leaves: self.leaves().collect(),
            holidays: self.holidays.clone(),
        }
    }

    /// Returns the leaves, with ids that are the same on every database.
    pub fn leaves(&self) -> impl Iterator<Item = Leave> {
        self.leaves.iter().zip(1..).map(|(leave, number)| Leave {
            id: Uuid::from_u128(number),
            resource: leave.resource.clone(),
            from: leave.from,
            until: leave.until,
            reason: leave.reason.clone(),
        })
    }
}

/// An error in the file: its byte offset, the path of the field and a message.
struct Flaw {
    at: usize,
    field: String,
    message: String,
}

/// Parses and validates a whole file.
fn parse(text: &str) -> Result<Seed, Flaw> {
    let deserializer = toml::Deserializer::parse(text).map_err(|error| Flaw::syntax(&error, ""))?;
    let file: ResourcesFile = serde_path_to_error::deserialize(deserializer)
        .map_err(|error| Flaw::syntax(error.inner(), &error.path().to_string()))?;
    file.check()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResourcesFile {
    departments: Vec<DepartmentEntry>,
    #[serde(default)]
    doctors: Vec<RawDoctor>,
    #[serde(default)]
    holidays: Vec<Spanned<HolidayEntry>>,
    #[serde(default)]
    sessions: Vec<SessionEntry>,
    #[serde(default)]
    leaves: Vec<LeaveEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DepartmentEntry {
    id: Spanned<String>,
    name: String,
    #[serde(default = "yes")]
    bookable: bool,
    video: Option<RawVideo>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HolidayEntry {
    date: NaiveDate,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionEntry {
    id: Spanned<String>,
    department: Spanned<String>,
    doctor: Option<Spanned<String>>,
    #[serde(default)]
    name: String,
    weekdays: Spanned<Vec<Weekday>>,
    #[serde(deserialize_with = "time_of_day")]
    from: NaiveTime,
    #[serde(deserialize_with = "time_of_day")]
    until: NaiveTime,
    #[serde(default)]
    seats: Option<Spanned<u32>>,
    #[serde(default)]
    by_name_only: bool,
    valid_from: Option<NaiveDate>,
    valid_until: Option<NaiveDate>,
    /// Fee and place; allowed for clinics only.
    fee_rupees: Option<Spanned<u32>>,
    place: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaveEntry {
    resource: Spanned<String>,
    from: NaiveDate,
    until: NaiveDate,
    #[serde(default)]
    reason: String,
}

impl Flaw {
    fn of<T>(at: &Spanned<T>, field: String, message: impl Into<String>) -> Self {
        Self {
            at: at.span().start,
            field,
            message: message.into(),
        }
    }

    fn syntax(error: &toml::de::Error, path: &str) -> Self {
        // The parser wraps a spanned value in an internal field, which is not part of the file.
        let field = path
            .split_once(".$__")
            .map_or(path, |(field, _)| field)
            .to_owned();
        Self {
            at: error.span().map_or(0, |span| span.start),
            field: if field.is_empty() || field == "." {
                "(file)".to_owned()
            } else {
                field
            },
            message: error.message().to_owned(),
        }
    }
}

fn yes() -> bool {
    true
}

fn time_of_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_time(&text).ok_or_else(|| D::Error::custom("a time such as \"9:00 AM\" is expected"))
}

fn working_days(
    days: &Spanned<Vec<Weekday>>,
    field: impl FnOnce() -> String,
) -> Result<Weekdays, Flaw> {
    days.get_ref()
        .iter()
        .try_fold(Weekdays::default(), |all, day| all.with(*day))
        .filter(|all| all.bits() != 0)
        .ok_or_else(|| {
            let message = "at least one day from Monday to Saturday is expected";
            Flaw::of(days, field(), message)
        })
}

/// Refuses entries beyond a list's maximum length.
fn bounded<T>(at: &Spanned<T>, index: usize, max: usize, list: &str) -> Result<(), Flaw> {
    if index < max {
        return Ok(());
    }
    Err(Flaw::of(
        at,
        format!("{list}[{index}]"),
        format!("at most {max} {list}"),
    ))
}

impl ResourcesFile {
    fn check(self) -> Result<Seed, Flaw> {
        let mut departments: Vec<Department> = Vec::with_capacity(self.departments.len());
        for (index, raw) in self.departments.into_iter().enumerate() {
            let field = || format!("departments[{index}].id");
            bounded(&raw.id, index, DEPARTMENTS_MAX, "departments")?;
            if raw.id.get_ref() != &slug(&raw.name) || raw.name.is_empty() {
                let message = format!("the id of '{}' is '{}'", raw.name, slug(&raw.name));
                return Err(Flaw::of(&raw.id, field(), message));
            }
            if departments
                .iter()
                .any(|above| &above.id == raw.id.get_ref())
            {
                let message = "this id is taken by a department above";
                return Err(Flaw::of(&raw.id, field(), message));
            }
            let video = raw.video.map(|video| video.check(index));
            departments.push(Department {
                id: raw.id.into_inner(),
                name: raw.name,
                bookable: raw.bookable,
                video: video.transpose()?,
            });
        }
        let mut doctors: Vec<DoctorEntry> = Vec::with_capacity(self.doctors.len());
        for (index, raw) in self.doctors.into_iter().enumerate() {
            bounded(&raw.id, index, DOCTORS_MAX, "doctors")?;
            let doctor = raw.check(index, &doctors)?;
            doctors.push(doctor);
        }
        let mut sessions: Vec<Session> = Vec::with_capacity(self.sessions.len());
        let mut ids = HashSet::new();
        for (index, raw) in self.sessions.into_iter().enumerate() {
            bounded(&raw.id, index, SESSIONS_MAX, "sessions")?;
            let session = raw.check(index, &departments, &doctors, &mut ids)?;
            sessions.push(session);
        }
        let known: HashSet<Resource> = sessions.iter().map(Session::resource).collect();
        let mut leaves = Vec::with_capacity(self.leaves.len());
        for (index, raw) in self.leaves.into_iter().enumerate() {
            bounded(&raw.resource, index, LEAVES_MAX, "leaves")?;
            leaves.push(raw.check(index, &known)?);
        }
        let mut holidays = BTreeMap::new();
        for (index, raw) in self.holidays.into_iter().enumerate() {
            bounded(&raw, index, HOLIDAYS_MAX, "holidays")?;
            let HolidayEntry { date, name } = raw.into_inner();
            holidays.insert(date, name);
        }
        Ok(Seed {
            departments: departments.into(),
            doctors: doctors.into(),
            sessions,
            leaves,
            holidays,
        })
    }
}

impl SessionEntry {
    fn check(
        self,
        index: usize,
        departments: &[Department],
        doctors: &[DoctorEntry],
        ids: &mut HashSet<String>,
    ) -> Result<Session, Flaw> {
        let field = |name: &str| format!("sessions[{index}].{name}");
        let id = self.id.get_ref();
        if id.is_empty() || id.contains([',', ':']) || !ids.insert(id.clone()) {
            let message = "empty, with a comma or colon, or taken by a session above";
            return Err(Flaw::of(&self.id, field("id"), message));
        }
        if self.doctor.is_none() && self.name.is_empty() {
            let message = "a session without a doctor is a clinic and has a name";
            return Err(Flaw::of(&self.id, field("name"), message));
        }
        let (fee_rupees, place) = clinic(&self, index, doctors)?;
        let weekdays = working_days(&self.weekdays, || field("weekdays"))?;
        if self.from >= self.until {
            return Err(Flaw::of(
                &self.id,
                field("until"),
                "must be later than `from`",
            ));
        }
        let seats = match &self.seats {
            None => 1,
            Some(seats) if (1..=SEATS_MAX).contains(seats.get_ref()) => *seats.get_ref(),
            Some(seats) => {
                let message = format!("1 to {SEATS_MAX} is expected");
                return Err(Flaw::of(seats, field("seats"), message));
            }
        };
        let is_known = departments
            .iter()
            .any(|department| &department.id == self.department.get_ref() && department.bookable);
        if !is_known {
            let message = format!(
                "'{}' is no bookable department of this file",
                self.department.get_ref()
            );
            return Err(Flaw::of(&self.department, field("department"), message));
        }
        Ok(Session {
            id: self.id.into_inner(),
            department_id: self.department.into_inner(),
            doctor_id: self.doctor.map(Spanned::into_inner),
            name: self.name,
            weekdays,
            from_minutes: minutes_of(self.from),
            until_minutes: minutes_of(self.until),
            seats,
            by_name_only: self.by_name_only,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
            fee_rupees,
            place,
            version: 1,
        })
    }
}

impl LeaveEntry {
    fn check(self, index: usize, known: &HashSet<Resource>) -> Result<SeedLeave, Flaw> {
        let field = |name: &str| format!("leaves[{index}].{name}");
        let resource = Resource::named(self.resource.get_ref().clone());
        if !known.contains(&resource) {
            let message =
                "no session of this file has this resource (`doctor:ID` or `clinic:SESSION`)";
            return Err(Flaw::of(&self.resource, field("resource"), message));
        }
        if self.from > self.until {
            return Err(Flaw::of(&self.resource, field("until"), "is before `from`"));
        }
        Ok(SeedLeave {
            resource,
            from: self.from,
            until: self.until,
            reason: self.reason,
        })
    }
}

#[cfg(test)]
mod tests;
