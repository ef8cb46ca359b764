//! What can be booked: departments, doctors and holidays, read from one TOML file.
//!
//! The file is this team's own: profiles of doctors belong to another service, only the id is the same.

mod file;

use std::{collections::BTreeMap, ops::RangeInclusive};

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc, Weekday};

use super::calendar::today;

/// Why Emergency has no times: such a visitor must not fill in a form.
pub const EMERGENCY_REASON: &str = "Emergency care is not booked online. Call the 24/7 emergency number now \
     or come straight to the hospital.";
/// Seats of a doctor in one slot.
pub const DOCTOR_CAPACITY: u32 = 1;
const EMBEDDED_NAME: &str = "svc-booking/config/resources.toml";
const EMBEDDED: &str = include_str!("../../config/resources.toml");

/// Everything that can be booked, checked as a whole.
#[derive(Debug)]
pub struct Resources {
    departments: Vec<Department>,
    doctors: BTreeMap<String, Doctor>,
    holidays: BTreeMap<NaiveDate, String>,
}

/// A department of the form. `capacity` is how many patients it sees per slot.
#[derive(Debug)]
pub struct Department {
    pub id: String,
    pub name: String,
    pub bookable: bool,
    pub capacity: u32,
    pub doctor_ids: Vec<String>,
}

/// When a doctor sees patients. Nothing else about the doctor is known here.
#[derive(Debug)]
pub struct Doctor {
    pub id: String,
    pub department_id: String,
    weekdays: Vec<Weekday>,
    from: NaiveTime,
    until: NaiveTime,
    leave: Vec<RangeInclusive<NaiveDate>>,
}

/// A resources file that cannot be used: where, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {field}: {message}")]
pub struct ResourcesError {
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Path of the field, for example `doctors[3].department`.
    pub field: String,
    pub message: String,
}

impl Resources {
    /// The hospital's own resources, part of the program.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the same embedded file.
    pub fn embedded() -> Self {
        Self::parse(EMBEDDED_NAME, EMBEDDED).expect("the embedded resources file is tested")
    }

    /// Reads a resources file; `file` is only for messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, ResourcesError> {
        file::parse(text).map_err(|flaw| {
            let before = text.get(..flaw.at).unwrap_or_default();
            ResourcesError {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                field: flaw.field,
                message: flaw.message,
            }
        })
    }

    pub fn departments(&self) -> &[Department] {
        &self.departments
    }

    /// Finds a department by its id or its label.
    pub fn department(&self, id_or_label: &str) -> Option<&Department> {
        let wanted = id_or_label.trim();
        self.departments.iter().find(|department| {
            department.id == wanted || department.name.eq_ignore_ascii_case(wanted)
        })
    }

    /// The department whose id or label the text begins with: of several, the one with the longest.
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

    /// The doctor with that id, who must belong to the department if one is known; an empty id is no doctor.
    pub(crate) fn doctor_of(
        &self,
        id: &str,
        department_id: Option<&str>,
    ) -> Result<Option<&Doctor>, String> {
        let id = id.trim();
        if id.is_empty() {
            return Ok(None);
        }
        let doctor = self
            .doctors
            .get(id)
            .ok_or_else(|| "Choose a doctor of the list, or leave it open".to_owned())?;
        if department_id.is_some_and(|department_id| department_id != doctor.department_id) {
            return Err(
                "This doctor belongs to another department. Choose a doctor of this department, \
                        or leave it open"
                    .to_owned(),
            );
        }
        Ok(Some(doctor))
    }

    /// The holiday's name, if bookings are closed for one on that day.
    pub(crate) fn holiday(&self, date: NaiveDate) -> Option<&str> {
        self.holidays.get(&date).map(String::as_str)
    }
}

/// How long before its last holiday the list is reported as too short.
const HOLIDAYS_DAYS_LEFT_MIN: i64 = 365;

impl Resources {
    /// Says in the log when the list of holidays ends within a year: after its end every day would be sold as open.
    pub(crate) fn warn_of_ending_holidays(&self, now: DateTime<Utc>) {
        if let Some(last) = self.ending_holidays(now) {
            tracing::warn!(%last, "the list of holidays ends within a year: add the next ones to the resources file");
        }
    }

    /// The last holiday, if the list ends within a year.
    fn ending_holidays(&self, now: DateTime<Utc>) -> Option<NaiveDate> {
        let last = *self.holidays.keys().next_back()?;
        (last - today(now) < TimeDelta::days(HOLIDAYS_DAYS_LEFT_MIN)).then_some(last)
    }
}

impl Doctor {
    pub(crate) fn works_on(&self, weekday: Weekday) -> bool {
        self.weekdays.contains(&weekday)
    }

    pub(crate) fn is_on_leave(&self, date: NaiveDate) -> bool {
        self.leave.iter().any(|days| days.contains(&date))
    }

    /// Whether a slot that starts then is within the doctor's hours.
    pub(crate) fn sees_patients_at(&self, time: NaiveTime) -> bool {
        self.from <= time && time < self.until
    }
}

/// Whether the text begins with these words, in whichever case, and not with a longer word.
fn begins_with_words(text: &str, words: &str) -> bool {
    let (Some(begin), Some(rest)) = (text.get(..words.len()), text.get(words.len()..)) else {
        return false;
    };
    begin.eq_ignore_ascii_case(words) && !rest.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_has_the_departments_of_the_specification() {
        let resources = Resources::embedded();
        let names: Vec<&str> = resources
            .departments()
            .iter()
            .map(|found| found.name.as_str())
            .collect();
        assert_eq!(
            names,
            [
                "General Medicine",
                "Cardiology",
                "Orthopedics",
                "Gynecology",
                "Pediatrics",
                "Dermatology",
                "ENT",
                "Ophthalmology",
                "Neurology",
                "Urology",
                "Psychiatry",
                "Emergency",
            ]
        );
        for department in resources.departments() {
            assert_eq!(department.bookable, department.id != "emergency");
            assert_eq!(department.capacity, 4);
        }
    }

    #[test]
    fn a_list_of_holidays_that_ends_is_reported_a_year_before() {
        let text = "capacity_per_slot = 4\ndepartments = []\n\
                    [[holidays]]\ndate = \"2028-10-02\"\nname = \"Gandhi Jayanti\"\n";
        let resources = Resources::parse("r.toml", text).expect("valid");
        let ending = |at: &str| resources.ending_holidays(at.parse().expect("a moment"));
        assert_eq!(ending("2027-10-01T00:00:00Z"), None);
        assert!(ending("2027-10-04T00:00:00Z").is_some());
        let embedded = Resources::embedded();
        let soon: DateTime<Utc> = "2030-01-01T00:00:00Z".parse().expect("a moment");
        assert_eq!(
            embedded.ending_holidays(soon),
            None,
            "the own list is long enough"
        );
    }

    #[test]
    fn the_embedded_file_has_sixteen_doctors() {
        let resources = Resources::embedded();
        let expected: Vec<String> = (1..=16).map(|number| format!("doc-{number:02}")).collect();
        assert_eq!(
            resources.doctors.keys().cloned().collect::<Vec<_>>(),
            expected
        );
        let listed: usize = resources
            .departments()
            .iter()
            .map(|found| found.doctor_ids.len())
            .sum();
        assert_eq!(listed, 16);
    }

    #[test]
    fn departments_are_found_by_id_and_by_label() {
        let resources = Resources::embedded();
        for name in ["general-medicine", "General Medicine", " general medicine "] {
            assert_eq!(
                resources.department(name).map(|found| found.id.as_str()),
                Some("general-medicine")
            );
        }
        assert!(resources.department("Astrology").is_none());
        assert!(resources.department("").is_none());
    }

    #[test]
    fn a_bad_file_names_file_line_and_field() {
        let good = "capacity_per_slot = 4\n\n[[departments]]\nid = \"ent\"\nname = \"ENT\"\n";
        let doctor = "[[doctors]]\nid = \"d\"\ndepartment = \"ent\"\nweekdays = [\"Mon\"]\nfrom = \"9:00 AM\"\nuntil = \"1:00 PM\"\n";
        let fine = format!("{good}{doctor}");
        Resources::parse("r.toml", &fine).expect("the file to spoil is fine");
        for (from, to, expected) in [
            (
                "= 4",
                "= 0",
                "r.toml:1: capacity_per_slot: 1 to 1000 is expected",
            ),
            (
                "= 4",
                "= \"four\"",
                "r.toml:1: capacity_per_slot: invalid type",
            ),
            ("= 4", "= ", "r.toml:1: (file): "),
            (
                "name = \"ENT\"",
                "name = \"Ear\"",
                "r.toml:4: departments[0].id: the id of 'Ear' is 'ear'",
            ),
            (
                "name = \"ENT\"",
                "label = \"ENT\"",
                "r.toml:5: departments[0].label: unknown field",
            ),
            (
                "department = \"ent\"",
                "department = \"eye\"",
                "r.toml:8: doctors[0].department: 'eye' is no",
            ),
            (
                "\"Mon\"",
                "\"Moonday\"",
                "r.toml:9: doctors[0].weekdays[0]: ",
            ),
            (
                "\"9:00 AM\"",
                "\"nine\"",
                "r.toml:10: doctors[0].from: a time such as",
            ),
            (
                "\"1:00 PM\"",
                "\"8:00 AM\"",
                "r.toml:7: doctors[0].until: must be later",
            ),
        ] {
            let text = fine.replacen(from, to, 1);
            let message = Resources::parse("r.toml", &text)
                .expect_err(expected)
                .to_string();
            assert!(
                message.starts_with(expected),
                "{message:?} should start with {expected:?}"
            );
        }
    }
}
