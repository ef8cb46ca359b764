//! The form of the resources file. A file is used only if every value of it makes sense.

use std::collections::{BTreeMap, HashSet};

use chrono::{NaiveDate, NaiveTime, Weekday};
use serde::{Deserialize, Deserializer, de::Error as _};
use toml::Spanned;

use super::{Department, Doctor, Resources};
use crate::domain::{calendar::parse_time, slug};

const DEPARTMENTS_MAX: usize = 500;
const DOCTORS_MAX: usize = 2_000;
const CAPACITY_MAX: u32 = 1_000;

/// What is wrong with the file, and where: a byte offset and the path of the field.
pub(super) struct Flaw {
    pub(super) at: usize,
    pub(super) field: String,
    pub(super) message: String,
}

/// Reads and checks a whole file.
pub(super) fn parse(text: &str) -> Result<Resources, Flaw> {
    let deserializer = toml::Deserializer::parse(text).map_err(|error| Flaw::syntax(&error, ""))?;
    let file: ResourcesFile = serde_path_to_error::deserialize(deserializer)
        .map_err(|error| Flaw::syntax(error.inner(), &error.path().to_string()))?;
    file.check()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResourcesFile {
    capacity_per_slot: Spanned<u32>,
    departments: Vec<DepartmentEntry>,
    #[serde(default)]
    holidays: Vec<HolidayEntry>,
    #[serde(default)]
    doctors: Vec<DoctorEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DepartmentEntry {
    id: Spanned<String>,
    name: String,
    #[serde(default = "yes")]
    bookable: bool,
    capacity_per_slot: Option<Spanned<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HolidayEntry {
    date: NaiveDate,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoctorEntry {
    id: Spanned<String>,
    department: Spanned<String>,
    weekdays: Vec<Weekday>,
    #[serde(deserialize_with = "time_of_day")]
    from: NaiveTime,
    #[serde(deserialize_with = "time_of_day")]
    until: NaiveTime,
    #[serde(default)]
    leave: Vec<Spanned<LeaveEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaveEntry {
    from: NaiveDate,
    until: NaiveDate,
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
        // The parser keeps the place of a value in a field of its own, which is none of the file's.
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

impl ResourcesFile {
    fn check(self) -> Result<Resources, Flaw> {
        let default_capacity =
            check_capacity(&self.capacity_per_slot, "capacity_per_slot".to_owned())?;
        let mut departments = Vec::with_capacity(self.departments.len());
        let mut ids = HashSet::new();
        for (index, raw) in self.departments.into_iter().enumerate() {
            let field = |name: &str| format!("departments[{index}].{name}");
            if index == DEPARTMENTS_MAX {
                return Err(Flaw::of(
                    &raw.id,
                    field("id"),
                    format!("at most {DEPARTMENTS_MAX} departments"),
                ));
            }
            if raw.id.get_ref() != &slug(&raw.name) || raw.name.is_empty() {
                let message = format!("the id of '{}' is '{}'", raw.name, slug(&raw.name));
                return Err(Flaw::of(&raw.id, field("id"), message));
            }
            if !ids.insert(raw.id.get_ref().clone()) {
                return Err(Flaw::of(
                    &raw.id,
                    field("id"),
                    "this id is taken by a department above",
                ));
            }
            let capacity = match &raw.capacity_per_slot {
                Some(capacity) => check_capacity(capacity, field("capacity_per_slot"))?,
                None => default_capacity,
            };
            departments.push(Department {
                id: raw.id.into_inner(),
                name: raw.name,
                bookable: raw.bookable,
                capacity,
                doctor_ids: Vec::new(),
            });
        }
        let mut doctors = BTreeMap::new();
        for (index, raw) in self.doctors.into_iter().enumerate() {
            let doctor = raw.check(index, &mut departments, &doctors)?;
            doctors.insert(doctor.id.clone(), doctor);
        }
        Ok(Resources {
            departments,
            doctors,
            holidays: self
                .holidays
                .into_iter()
                .map(|day| (day.date, day.name))
                .collect(),
        })
    }
}

impl DoctorEntry {
    fn check(
        self,
        index: usize,
        departments: &mut [Department],
        above: &BTreeMap<String, Doctor>,
    ) -> Result<Doctor, Flaw> {
        let field = |name: &str| format!("doctors[{index}].{name}");
        if index == DOCTORS_MAX {
            return Err(Flaw::of(
                &self.id,
                field("id"),
                format!("at most {DOCTORS_MAX} doctors"),
            ));
        }
        if self.id.get_ref().is_empty() || above.contains_key(self.id.get_ref()) {
            return Err(Flaw::of(
                &self.id,
                field("id"),
                "empty, or taken by a doctor above",
            ));
        }
        if self.weekdays.is_empty() {
            return Err(Flaw::of(
                &self.id,
                field("weekdays"),
                "at least one day is expected",
            ));
        }
        if self.from >= self.until {
            return Err(Flaw::of(
                &self.id,
                field("until"),
                "must be later than `from`",
            ));
        }
        for (number, leave) in self.leave.iter().enumerate() {
            if leave.get_ref().from > leave.get_ref().until {
                let path = field(&format!("leave[{number}].until"));
                return Err(Flaw::of(leave, path, "is before `from`"));
            }
        }
        let department = departments
            .iter_mut()
            .find(|department| &department.id == self.department.get_ref() && department.bookable)
            .ok_or_else(|| {
                let message = format!(
                    "'{}' is no bookable department of this file",
                    self.department.get_ref()
                );
                Flaw::of(&self.department, field("department"), message)
            })?;
        department.doctor_ids.push(self.id.get_ref().clone());
        Ok(Doctor {
            id: self.id.into_inner(),
            department_id: self.department.into_inner(),
            weekdays: self.weekdays,
            from: self.from,
            until: self.until,
            leave: self
                .leave
                .into_iter()
                .map(Spanned::into_inner)
                .map(|leave| leave.from..=leave.until)
                .collect(),
        })
    }
}

fn check_capacity(capacity: &Spanned<u32>, field: String) -> Result<u32, Flaw> {
    let value = *capacity.get_ref();
    if (1..=CAPACITY_MAX).contains(&value) {
        return Ok(value);
    }
    Err(Flaw::of(
        capacity,
        field,
        format!("1 to {CAPACITY_MAX} is expected"),
    ))
}
