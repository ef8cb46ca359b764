//! The working hours: sessions of doctors and clinics, leave and holidays. Only seats of working resources are
//! bookable.

mod attendant;
pub mod change;
mod file;

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Datelike as _, NaiveDate, TimeDelta, Utc, Weekday};
use service_kit::input::Rejection;
use uuid::Uuid;

use super::{
    calendar::{IST, SLOT_MINUTES, SlotTime, last_day, minutes_of, today},
    closed::Closed,
    seats::{OnDuty, Resource, Wanted},
};

pub use attendant::{
    Attendant, DoctorEntry, FEE_RUPEES_MAX, ListedAttendant, PLACE_CHARS_MAX, Sitting, VideoClinic,
};
pub use file::{Seed, SeedError};

/// Remaining days of the holiday list below which a warning is logged.
const HOLIDAYS_DAYS_LEFT_MIN: i64 = 365;

/// A department of the booking form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Department {
    /// Stable key: the slug of the name.
    pub id: String,
    pub name: String,
    /// False for departments that must be called instead (Emergency).
    pub bookable: bool,
    /// Consultations by video, if there are any.
    pub video: Option<VideoClinic>,
}

/// Days of the week, Monday to Saturday.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Weekdays(u8);

impl Weekdays {
    const ALL: u8 = 0b11_1111;

    /// Parses a bit set whose bit 0 is Monday. Returns `None` for an empty set or an unknown day.
    pub fn of_bits(bits: i64) -> Option<Self> {
        let bits = u8::try_from(bits).ok()?;
        (bits != 0 && bits & !Self::ALL == 0).then_some(Self(bits))
    }

    pub fn bits(self) -> i64 {
        i64::from(self.0)
    }

    /// Adds a day; returns `None` for a Sunday.
    pub fn with(self, day: Weekday) -> Option<Self> {
        (day != Weekday::Sun).then(|| Self(self.0 | 1 << day.num_days_from_monday()))
    }

    pub fn contains(self, day: Weekday) -> bool {
        self.0 >> day.num_days_from_monday() & 1 == 1
    }

    /// Iterates over the days, Monday first.
    pub fn iter(self) -> impl Iterator<Item = Weekday> {
        [
            Weekday::Mon,
            Weekday::Tue,
            Weekday::Wed,
            Weekday::Thu,
            Weekday::Fri,
            Weekday::Sat,
        ]
        .into_iter()
        .filter(move |day| self.contains(*day))
    }
}

/// Weekly working hours of a doctor or a clinic.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Session {
    pub id: String,
    pub department_id: String,
    /// `None` for a clinic.
    pub doctor_id: Option<String>,
    /// Name of a clinic; may be empty for a doctor.
    pub name: String,
    pub weekdays: Weekdays,
    /// Start, in minutes after midnight in Asia/Kolkata.
    pub from_minutes: u16,
    /// Exclusive end, in minutes after midnight in Asia/Kolkata.
    pub until_minutes: u16,
    /// Seats per slot.
    pub seats: u32,
    pub by_name_only: bool,
    /// First and last day, both inclusive; `None` means unbounded.
    pub valid_from: Option<NaiveDate>,
    pub valid_until: Option<NaiveDate>,
    /// Consultation fee of a clinic; 0 if unknown. A doctor's fee is in the configuration.
    pub fee_rupees: u32,
    /// Location of a clinic; empty if unknown. A doctor's location is in the configuration.
    pub place: String,
    /// Starts at 1 and grows with each change.
    pub version: i64,
}

impl Session {
    pub fn resource(&self) -> Resource {
        match &self.doctor_id {
            Some(id) => Resource::doctor(id),
            None => Resource::clinic(&self.id),
        }
    }

    /// Returns whether the session takes place on a day.
    fn is_on(&self, date: NaiveDate) -> bool {
        self.weekdays.contains(date.weekday())
            && self.valid_from.is_none_or(|from| from <= date)
            && self.valid_until.is_none_or(|until| date <= until)
    }

    /// Returns whether the session contains the whole slot.
    fn covers(&self, slot: SlotTime) -> bool {
        let minutes = minutes_of(slot.time());
        self.from_minutes <= minutes && minutes + SLOT_MINUTES <= self.until_minutes
    }
}

/// Absence of a doctor or a clinic.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Leave {
    pub id: Uuid,
    pub resource: Resource,
    /// First and last day, both inclusive.
    pub from: NaiveDate,
    pub until: NaiveDate,
    /// Reason, visible to staff only.
    pub reason: String,
}

/// A snapshot of the roster. Departments and doctors come from the configuration, the rest from the database.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// Revision of the database rows in this snapshot.
    pub revision: i64,
    pub departments: Arc<[Department]>,
    pub doctor_entries: Arc<[DoctorEntry]>,
    pub sessions: Vec<Session>,
    pub leaves: Vec<Leave>,
    pub holidays: BTreeMap<NaiveDate, String>,
}

/// A doctor with sessions in a department.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Doctor<'a> {
    pub id: &'a str,
    pub department_id: &'a str,
}

impl Roster {
    /// Finds a department by its id or label.
    pub fn department(&self, id_or_label: &str) -> Option<&Department> {
        let wanted = id_or_label.trim();
        self.departments.iter().find(|department| {
            department.id == wanted || department.name.eq_ignore_ascii_case(wanted)
        })
    }

    /// Returns the department whose id or label the text begins with; the longest match wins.
    pub(crate) fn department_beginning(&self, text: &str) -> Option<&Department> {
        self.departments
            .iter()
            .filter_map(|department| {
                let names = [department.id.as_str(), department.name.as_str()];
                let matched = names
                    .into_iter()
                    .filter(|name| begins_with_words(text, name))
                    .map(str::len)
                    .max()?;
                Some((matched, department))
            })
            .max_by_key(|(matched, _)| *matched)
            .map(|(_, department)| department)
    }

    /// Returns the doctors with sessions, ordered by id and department.
    pub fn doctors(&self) -> impl Iterator<Item = Doctor<'_>> {
        let mut doctors: Vec<Doctor<'_>> = self
            .sessions
            .iter()
            .filter_map(|session| {
                Some(Doctor {
                    id: session.doctor_id.as_deref()?,
                    department_id: &session.department_id,
                })
            })
            .collect();
        doctors.sort_unstable_by_key(|doctor| (doctor.id, doctor.department_id));
        doctors.dedup();
        doctors.into_iter()
    }

    /// Returns the doctor with an id. If a department is given, the doctor must have sessions in it. An empty id gives
    /// `None`.
    pub(crate) fn doctor_of(
        &self,
        id: &str,
        department_id: Option<&str>,
    ) -> Result<Option<Doctor<'_>>, Rejection> {
        let id = id.trim();
        if id.is_empty() {
            return Ok(None);
        }
        let mut theirs = self.doctors().filter(|doctor| doctor.id == id);
        let first = theirs.next().ok_or_else(|| {
            Rejection::new("UNKNOWN", "Choose a doctor from the list, or leave it open")
        })?;
        let is_in = |doctor: &Doctor<'_>| {
            department_id.is_none_or(|department_id| department_id == doctor.department_id)
        };
        [first]
            .into_iter()
            .chain(theirs)
            .find(is_in)
            .map(Some)
            .ok_or_else(|| {
                let words = "This doctor belongs to another department. Choose a doctor of this department, or leave it open";
                Rejection::new("OTHER_DEPARTMENT", words)
            })
    }

    /// Returns the working resources of a department at a time, clinics first. Does not check whether the day can be
    /// booked.
    pub fn on_duty(&self, department_id: &str, date: NaiveDate, slot: SlotTime) -> Vec<OnDuty> {
        if self.holidays.contains_key(&date) {
            return Vec::new();
        }
        let mut duties: Vec<OnDuty> = Vec::new();
        for session in &self.sessions {
            if session.department_id != department_id
                || !session.is_on(date)
                || !session.covers(slot)
            {
                continue;
            }
            let resource = session.resource();
            if self.is_away(&resource, date) {
                continue;
            }
            // Two simultaneous sessions of one doctor count as one resource.
            match duties.iter_mut().find(|duty| duty.resource == resource) {
                Some(duty) => {
                    duty.seats = duty.seats.max(session.seats);
                    duty.by_name_only &= session.by_name_only;
                }
                None => duties.push(OnDuty {
                    resource,
                    seats: session.seats,
                    by_name_only: session.by_name_only,
                }),
            }
        }
        duties.sort_by(|one, other| one.resource.preference().cmp(&other.resource.preference()));
        duties
    }

    /// Returns the wanted visit with the resources on duty at that time.
    pub fn wanted(
        &self,
        department_id: &str,
        doctor_id: Option<&str>,
        date: NaiveDate,
        slot: SlotTime,
    ) -> Wanted {
        Wanted {
            department_id: department_id.to_owned(),
            doctor_id: doctor_id.map(str::to_owned),
            starts_at: slot.on(date),
            on_duty: self.on_duty(department_id, date, slot),
        }
    }

    /// Returns whether a resource has a session at a time, even if it is on leave.
    pub fn has_session(&self, resource: &Resource, date: NaiveDate, slot: SlotTime) -> bool {
        self.sessions.iter().any(|session| {
            session.is_on(date) && session.covers(slot) && session.resource() == *resource
        })
    }

    /// Returns whether a resource works at a time. Appointments at other times are uncovered.
    pub fn covers(
        &self,
        department_id: &str,
        resource: &Resource,
        starts_at: DateTime<Utc>,
    ) -> bool {
        let local = starts_at.with_timezone(&IST);
        let Some(slot) = SlotTime::at(local.time()) else {
            return false;
        };
        let duties = self.on_duty(department_id, local.date_naive(), slot);
        let legacy = Resource::department(department_id);
        if *resource == legacy {
            return !duties.is_empty();
        }
        duties.iter().any(|duty| duty.resource == *resource)
    }

    fn is_away(&self, resource: &Resource, date: NaiveDate) -> bool {
        self.leaves
            .iter()
            .any(|leave| leave.resource == *resource && leave.from <= date && date <= leave.until)
    }

    /// Returns every resource of a department whose seats may be taken, including the department itself, which builds
    /// before rosters sold.
    pub fn resources(&self, department_id: &str) -> Vec<Resource> {
        let own = self
            .sessions
            .iter()
            .filter(|session| session.department_id == department_id);
        let mut resources: Vec<Resource> = own.map(Session::resource).collect();
        resources.sort_unstable();
        resources.dedup();
        resources.push(Resource::department(department_id));
        resources
    }

    /// Returns the resources of every department.
    pub fn all_resources(&self) -> Vec<Resource> {
        let departments = self.departments.iter();
        departments
            .flat_map(|department| self.resources(&department.id))
            .collect()
    }

    /// Returns the departments in which a resource has sessions.
    pub fn departments_of(&self, resource: &Resource) -> impl Iterator<Item = &Department> {
        self.departments
            .iter()
            .filter(|department| self.resources(&department.id).contains(resource))
    }

    /// Returns why a day cannot be booked; `None` if the day is open.
    pub fn closed(
        &self,
        date: NaiveDate,
        department: Option<&Department>,
        doctor: Option<Doctor<'_>>,
        now: DateTime<Utc>,
    ) -> Option<Closed> {
        if date < today(now) {
            return Some(Closed::Past);
        }
        let last = last_day(now);
        if date > last {
            return Some(Closed::TooFar { last });
        }
        if date.weekday() == Weekday::Sun {
            return Some(Closed::Sunday);
        }
        if let Some(holiday) = self.holidays.get(&date) {
            return Some(Closed::Holiday(holiday.clone()));
        }
        if let Some(doctor) = doctor {
            return self.doctor_away(doctor, date);
        }
        let department = department?;
        let is_worked = SlotTime::all().any(|slot| {
            let duties = self.on_duty(&department.id, date, slot);
            duties.iter().any(|duty| !duty.by_name_only)
        });
        (!is_worked).then(|| Closed::NobodyOnDuty {
            department: department.name.clone(),
        })
    }

    fn doctor_away(&self, doctor: Doctor<'_>, date: NaiveDate) -> Option<Closed> {
        let mut sessions = self.sessions.iter().filter(|session| {
            session.doctor_id.as_deref() == Some(doctor.id)
                && session.department_id == doctor.department_id
        });
        if !sessions.any(|session| session.is_on(date)) {
            return Some(Closed::NoSitting(date.weekday()));
        }
        self.is_away(&Resource::doctor(doctor.id), date)
            .then_some(Closed::DoctorAway)
    }

    /// Logs a warning if the holiday list ends within a year. After its end, every day would be sold as open.
    pub fn warn_of_ending_holidays(&self, now: DateTime<Utc>) {
        if let Some(last) = self.ending_holidays(now) {
            tracing::warn!(%last, "the list of holidays ends within a year: enter the next ones");
        }
    }

    /// Returns the last holiday if the list ends within a year.
    fn ending_holidays(&self, now: DateTime<Utc>) -> Option<NaiveDate> {
        let last = *self.holidays.keys().next_back()?;
        (last - today(now) < TimeDelta::days(HOLIDAYS_DAYS_LEFT_MIN)).then_some(last)
    }
}

/// Returns whether the text begins with these whole words, ignoring ASCII case.
fn begins_with_words(text: &str, words: &str) -> bool {
    let (Some(begin), Some(rest)) = (text.get(..words.len()), text.get(words.len()..)) else {
        return false;
    };
    begin.eq_ignore_ascii_case(words) && !rest.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
#[path = "roster_tests.rs"]
mod tests;
