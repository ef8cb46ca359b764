//! The proof's small hospital: few enough seats that clients constantly compete for them.

use std::{collections::BTreeSet, fmt::Write as _};

use chrono::{DateTime, Datelike as _, Days, FixedOffset, NaiveDate, TimeDelta, Utc, Weekday};

/// Asia/Kolkata.
pub const IST: FixedOffset = FixedOffset::east_opt(5 * 3600 + 30 * 60).unwrap();
/// Times per day in the clients' departments.
const TIMES: usize = 2;
/// Maximum proven open appointments per e-mail address.
pub const OPEN_MAX: usize = 4;
/// Maximum unproven open appointments per network. Each client has its own network.
pub const NETWORK_MAX: usize = 4;
/// Number of days on which the clients book.
const DAYS: usize = 3;
/// Days from today to the first bookable day. Far enough ahead that no slot falls below the minimum notice during the
/// proof.
const FIRST_DAY: u64 = 3;
/// Days of the races' department.
const RACE_DAYS: usize = 20;

/// A doctor or clinic that sees patients.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Name as stored in the tables: `doctor:d1`, `clinic:ent-1`.
    pub name: String,
    pub department: &'static str,
    pub seats: usize,
    pub by_name_only: bool,
}

impl Resource {
    /// Returns the doctor's id; `None` for a clinic.
    pub fn doctor(&self) -> Option<&str> {
        self.name.strip_prefix("doctor:")
    }
}

/// A slot of a department or of one of its doctors.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Place {
    pub department: String,
    pub doctor: Option<String>,
    pub starts_at: DateTime<Utc>,
}

impl Place {
    /// Returns `YYYY-MM-DD` and `9:00 AM`, the notation of the API.
    pub fn date_and_time(&self) -> (String, String) {
        let local = self.starts_at.with_timezone(&IST);
        let time = local.format("%-I:%M %p").to_string();
        (local.date_naive().to_string(), time)
    }

    /// Returns the day in Asia/Kolkata.
    pub fn day(&self) -> NaiveDate {
        day(self.starts_at)
    }
}

/// Returns the day of a moment in Asia/Kolkata.
pub fn day(moment: DateTime<Utc>) -> NaiveDate {
    moment.with_timezone(&IST).date_naive()
}

/// The departments, their resources and the days in use.
#[derive(Clone, Debug)]
pub struct World {
    pub resources: Vec<Resource>,
    /// Days of the clients' departments; the races have other days.
    pub days: Vec<NaiveDate>,
    race_days: Vec<NaiveDate>,
    /// Lifetime of a hold, in seconds.
    pub hold_seconds: u16,
}

/// Departments that the clients book.
pub const DEPARTMENTS: [(&str, &str); 4] = [
    ("ent", "ENT"),
    ("urology", "Urology"),
    ("cardiology", "Cardiology"),
    ("neurology", "Neurology"),
];
/// Department of the races: one seat at each time.
pub const RACE: (&str, &str) = ("dermatology", "Dermatology");

impl World {
    /// Builds the world with the open days that follow `today`, skipping Sundays.
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

    /// Returns the contents of the `--resources` file.
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

    /// Maps any number to a slot of the clients' departments.
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

    /// Returns the slot with a single seat of the race with this number.
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

    /// Returns the resources whose seats satisfy a booking of this place.
    pub fn candidates(&self, place: &Place) -> impl Iterator<Item = &Resource> {
        self.resources
            .iter()
            .filter(move |resource| match &place.doctor {
                Some(doctor) => resource.doctor() == Some(doctor),
                None => resource.department == place.department && !resource.by_name_only,
            })
    }

    /// Returns the number of seats of a resource at one time; 0 for an unknown resource.
    pub fn seats_of(&self, resource: &str) -> usize {
        let known = self.resources.iter().find(|known| known.name == resource);
        known.map_or(0, |known| known.seats)
    }

    /// Returns the total seats of a department at one time.
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
