//! The small hospital of the proof: so few seats that everybody is in everybody's way.

use std::{collections::BTreeSet, fmt::Write as _};

use chrono::{DateTime, Datelike as _, Days, FixedOffset, NaiveDate, TimeDelta, Utc, Weekday};

/// Asia/Kolkata.
pub const IST: FixedOffset = FixedOffset::east_opt(5 * 3600 + 30 * 60).unwrap();
/// The times of the clients' departments.
const TIMES: usize = 2;
/// Open appointments that one person may have.
pub const OPEN_MAX: usize = 4;
/// Days that the clients want.
const DAYS: usize = 3;
/// Days until the first of them: far enough that no time comes too near while the proof runs.
const FIRST_DAY: u64 = 3;
/// Days of the race's department.
const RACE_DAYS: usize = 20;

/// Somebody who sees patients.
#[derive(Clone, Debug)]
pub struct Resource {
    /// As in the tables: `doctor:d1`, `clinic:ent-1`.
    pub name: String,
    pub department: &'static str,
    pub seats: usize,
    pub by_name_only: bool,
}

impl Resource {
    /// The doctor's id; `None`: a clinic.
    pub fn doctor(&self) -> Option<&str> {
        self.name.strip_prefix("doctor:")
    }
}

/// A time of a department, or of one of its doctors.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Place {
    pub department: String,
    pub doctor: Option<String>,
    pub starts_at: DateTime<Utc>,
}

impl Place {
    /// `YYYY-MM-DD` and `9:00 AM`, as the contract has them.
    pub fn date_and_time(&self) -> (String, String) {
        let local = self.starts_at.with_timezone(&IST);
        let time = local.format("%-I:%M %p").to_string();
        (local.date_naive().to_string(), time)
    }

    /// The day in Asia/Kolkata.
    pub fn day(&self) -> NaiveDate {
        day(self.starts_at)
    }
}

/// The day of a moment in Asia/Kolkata.
pub fn day(moment: DateTime<Utc>) -> NaiveDate {
    moment.with_timezone(&IST).date_naive()
}

/// Departments, who works in them, and the days that matter.
#[derive(Clone, Debug)]
pub struct World {
    pub resources: Vec<Resource>,
    /// Of the clients; the race has days of its own.
    pub days: Vec<NaiveDate>,
    race_days: Vec<NaiveDate>,
    /// How long a hold is kept.
    pub hold_seconds: u16,
}

/// The departments that the clients want.
pub const DEPARTMENTS: [(&str, &str); 4] = [
    ("ent", "ENT"),
    ("urology", "Urology"),
    ("cardiology", "Cardiology"),
    ("neurology", "Neurology"),
];
/// The department of the races: one seat at each time.
pub const RACE: (&str, &str) = ("dermatology", "Dermatology");

impl World {
    /// Days follow on `today`, none of them a Sunday.
    pub fn new(today: NaiveDate, hold_seconds: u16) -> Self {
        let resource = |name: &str, department, seats, by_name_only| Resource {
            name: name.to_owned(),
            department,
            seats,
            by_name_only,
        };
        let open: Vec<NaiveDate> = (FIRST_DAY..60)
            .filter_map(|ahead| today.checked_add_days(Days::new(ahead)))
            .filter(|day| day.weekday() != Weekday::Sun)
            .collect();
        Self {
            resources: vec![
                resource("doctor:d1", "ent", 1, false),
                resource("clinic:ent-1", "ent", 1, false),
                resource("clinic:urology-1", "urology", 1, false),
                resource("doctor:d2", "cardiology", 1, true),
                resource("doctor:d3", "cardiology", 1, false),
                resource("clinic:neurology-1", "neurology", 3, false),
                resource("clinic:dermatology-1", RACE.0, 1, false),
            ],
            days: open.iter().copied().take(DAYS).collect(),
            race_days: open.iter().copied().skip(DAYS).take(RACE_DAYS).collect(),
            hold_seconds,
        }
    }

    /// The file for `--resources`.
    pub fn resources_file(&self) -> String {
        let mut text = String::new();
        for (id, name) in DEPARTMENTS.iter().chain([&RACE]) {
            let _ = writeln!(text, "[[departments]]\nid = \"{id}\"\nname = \"{name}\"");
        }
        let doctors: BTreeSet<_> = self.resources.iter().filter_map(Resource::doctor).collect();
        for doctor in doctors {
            let _ = writeln!(
                text,
                "[[doctors]]\nid = \"{doctor}\"\nname = \"Dr. {doctor}\"\nfee_rupees = 500\nplace = \"First floor\""
            );
        }
        for (number, resource) in self.resources.iter().enumerate() {
            let clinic = resource.name.trim_start_matches("clinic:");
            let (id, who) = resource.doctor().map_or_else(
                || (clinic.to_owned(), format!("name = \"Clinic {number}\"")),
                |doctor| {
                    (
                        format!("session-{number}"),
                        format!("doctor = \"{doctor}\""),
                    )
                },
            );
            let until = if resource.department == RACE.0 {
                "1:00 PM"
            } else {
                "10:00 AM"
            };
            let _ = writeln!(
                text,
                "[[sessions]]\nid = \"{id}\"\ndepartment = \"{}\"\n{who}\n\
                 weekdays = [\"Mon\", \"Tue\", \"Wed\", \"Thu\", \"Fri\", \"Sat\"]\nfrom = \"9:00 AM\"\nuntil = \"{until}\"\n\
                 seats = {}\nby_name_only = {}",
                resource.department, resource.seats, resource.by_name_only
            );
        }
        text
    }

    /// A time of the clients, from any number.
    pub fn place(&self, number: usize) -> Place {
        let (department, _) = DEPARTMENTS[number % DEPARTMENTS.len()];
        let rest = number / DEPARTMENTS.len();
        let day = self.days[rest % self.days.len()];
        let rest = rest / self.days.len();
        let doctors: Vec<_> = self
            .resources
            .iter()
            .filter(|resource| resource.department == department)
            .filter_map(Resource::doctor)
            .collect();
        let who = rest / TIMES % (doctors.len() + 1);
        Place {
            department: department.to_owned(),
            doctor: who.checked_sub(1).map(|number| doctors[number].to_owned()),
            starts_at: starts_at(day, rest % TIMES),
        }
    }

    /// The single seat of a race.
    pub fn race(&self, number: usize) -> Place {
        Place {
            department: RACE.0.to_owned(),
            doctor: None,
            starts_at: starts_at(
                self.race_days[number / 8 % self.race_days.len()],
                number % 8,
            ),
        }
    }

    /// Those of whom a seat will do.
    pub fn candidates(&self, place: &Place) -> impl Iterator<Item = &Resource> {
        self.resources
            .iter()
            .filter(move |resource| match &place.doctor {
                Some(doctor) => resource.doctor() == Some(doctor),
                None => resource.department == place.department && !resource.by_name_only,
            })
    }

    /// Seats of a resource at one time; 0 when it is none of this hospital.
    pub fn seats_of(&self, resource: &str) -> usize {
        let known = self.resources.iter().find(|known| known.name == resource);
        known.map_or(0, |known| known.seats)
    }

    /// Seats of everybody in a department at one time.
    pub fn seats_in(&self, department: &str) -> usize {
        let own = self
            .resources
            .iter()
            .filter(|known| known.department == department);
        own.map(|known| known.seats).sum()
    }
}

fn starts_at(day: NaiveDate, time: usize) -> DateTime<Utc> {
    let minutes = 9 * 60 + 30 * i64::try_from(time).unwrap_or_default();
    let midnight = day.and_hms_opt(0, 0, 0).unwrap_or_default().and_utc();
    midnight + TimeDelta::minutes(minutes) - TimeDelta::seconds(IST.local_minus_utc().into())
}
