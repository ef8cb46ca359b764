//! Free times in a span of days.

use std::collections::HashMap;

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use service_kit::input::{Violation, Violations};

use super::{
    calendar::{DAYS_AHEAD_MAX, Lead, SlotTime, parse_date, start_of, today},
    closed::Closed,
    roster::{Department, Doctor, Roster},
    seats::{Resource, Taken, with_free_seat},
};

/// Maximum span of an availability request, in days, for one department or for all.
pub const SPAN_DAYS_MAX: i64 = 62;
pub const FREE_TIMES_DAYS_MAX: i64 = 20;
/// Maximum number of doctors per request for the next free times.
pub const DOCTORS_MAX: usize = 50;
/// Maximum number of days listed with a next free time.
pub const NEXT_DAYS_MAX: usize = 5;
/// Maximum number of alternatives offered for a taken time.
pub const ALTERNATIVES_MAX: usize = 3;
/// Search radius for alternatives to a taken time, in days.
const ALTERNATIVES_DAYS: u64 = 14;

/// Number of taken seats by resource and slot start.
#[derive(Clone, Debug, Default)]
pub struct TakenSeats(HashMap<(Resource, DateTime<Utc>), usize>);

impl FromIterator<(Resource, DateTime<Utc>, usize)> for TakenSeats {
    fn from_iter<T: IntoIterator<Item = (Resource, DateTime<Utc>, usize)>>(rows: T) -> Self {
        let rows = rows.into_iter();
        Self(
            rows.map(|(resource, at, seats)| ((resource, at), seats))
                .collect(),
        )
    }
}

impl TakenSeats {
    /// Returns the taken seats of one resource at one slot start.
    pub fn count(&self, resource: &Resource, starts_at: DateTime<Utc>) -> usize {
        let key = (resource.clone(), starts_at);
        self.0.get(&key).copied().unwrap_or_default()
    }
}

struct TakenAt<'a> {
    seats: &'a TakenSeats,
    starts_at: DateTime<Utc>,
}

impl Taken for TakenAt<'_> {
    fn of(&self, resource: &Resource) -> usize {
        self.seats.count(resource, self.starts_at)
    }
}

/// A span of days; both ends are inclusive.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Span {
    pub from: NaiveDate,
    pub to: NaiveDate,
}

impl Span {
    /// Returns the days that can be booked from `now` on.
    pub fn bookable(now: DateTime<Utc>) -> Self {
        let from = today(now);
        Self {
            from,
            to: from
                .checked_add_days(Days::new(DAYS_AHEAD_MAX))
                .unwrap_or(from),
        }
    }

    /// Returns the bookable days around a date, within [`ALTERNATIVES_DAYS`].
    fn around(date: NaiveDate, now: DateTime<Utc>) -> Self {
        let all = Self::bookable(now);
        let days = Days::new(ALTERNATIVES_DAYS);
        Self {
            from: date.checked_sub_days(days).unwrap_or(date).max(all.from),
            to: date.checked_add_days(days).unwrap_or(date).min(all.to),
        }
    }

    /// Returns the start (inclusive) and end (exclusive) of the span as moments.
    pub fn moments(self) -> (DateTime<Utc>, DateTime<Utc>) {
        (start_of(self.from), start_of(self.to) + TimeDelta::days(1))
    }

    /// Iterates over the days.
    pub fn days(self) -> impl Iterator<Item = NaiveDate> {
        self.from
            .iter_days()
            .take_while(move |date| *date <= self.to)
    }

    /// Parses the fields `from` and `to`. An empty `from` means today, and an empty `to` means `from`.
    pub fn take(
        from: &str,
        to: &str,
        days_max: i64,
        now: DateTime<Utc>,
        violations: &mut Violations,
    ) -> Option<Self> {
        let first = violations.take("from", parse_day(from, || today(now)));
        let Some(from) = first else {
            // Without `from`, only the format of `to` can be checked.
            violations.take("to", parse_day(to, || today(now)));
            return None;
        };
        let to = violations.take("to", parse_last_day(to, from, days_max))?;
        Some(Self { from, to })
    }
}

/// Unvalidated department, doctor and span of days.
#[derive(Clone, Debug, Default)]
pub struct AvailabilityRequest {
    pub department: String,
    pub doctor: String,
    pub from: String,
    pub to: String,
}

/// A valid availability query for a department, an optional doctor and a span of days.
#[derive(Debug)]
pub struct AvailabilityQuery<'a> {
    roster: &'a Roster,
    department: &'a Department,
    doctor: Option<Doctor<'a>>,
    span: Span,
    lead: Lead,
}

/// The times of one day.
#[derive(Debug, PartialEq, Eq)]
pub struct Day {
    pub date: NaiveDate,
    /// Why the day cannot be booked; `None` if it can.
    pub closed: Option<Closed>,
    /// All 18 times of a day; empty for a department that cannot be booked online.
    pub slots: Vec<Slot>,
}

/// One time of a day.
#[derive(Debug, PartialEq, Eq)]
pub struct Slot {
    pub time: SlotTime,
    pub starts_at: DateTime<Utc>,
    /// The resource whose seat a booking would get now; `None` if no seat can be booked.
    pub free: Option<Resource>,
    /// Whether any wanted resource works at this time on an open day.
    pub staffed: bool,
}

impl<'a> AvailabilityQuery<'a> {
    pub fn parse(
        request: &AvailabilityRequest,
        roster: &'a Roster,
        now: DateTime<Utc>,
    ) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let department = violations.take(
            "department",
            roster
                .department(&request.department)
                .ok_or_else(|| "Choose a department from the list".to_owned()),
        );
        let doctor = violations.accept(
            "doctor",
            roster.doctor_of(&request.doctor, department.map(|found| found.id.as_str())),
        );
        let span = Span::take(
            &request.from,
            &request.to,
            SPAN_DAYS_MAX,
            now,
            &mut violations,
        );
        match (department, doctor, span) {
            (Some(department), Some(doctor), Some(span)) => {
                Ok(Self::of(roster, department, doctor, span))
            }
            _ => Err(violations.into_vec()),
        }
    }

    /// Queries a department, or one of its doctors, over a span of days.
    pub fn of(
        roster: &'a Roster,
        department: &'a Department,
        doctor: Option<Doctor<'a>>,
        span: Span,
    ) -> Self {
        Self {
            roster,
            department,
            doctor,
            span,
            lead: Lead::Online,
        }
    }

    /// Returns the query for times that can be booked with this lead.
    #[must_use]
    pub fn with_lead(self, lead: Lead) -> Self {
        Self { lead, ..self }
    }

    /// Queries the bookable days around a taken time, for the same department and doctor.
    pub fn around(
        roster: &'a Roster,
        department: &'a Department,
        doctor: Option<Doctor<'a>>,
        date: NaiveDate,
        now: DateTime<Utc>,
    ) -> Self {
        Self::of(roster, department, doctor, Span::around(date, now))
    }

    /// Returns the resources whose taken seats the query needs.
    pub fn resources(&self) -> Vec<Resource> {
        self.roster.resources(&self.department.id)
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn department(&self) -> &'a Department {
        self.department
    }

    /// Returns every day of the span.
    pub fn days(&self, taken: &TakenSeats, now: DateTime<Utc>) -> Vec<Day> {
        self.span
            .days()
            .map(|date| self.day(date, taken, now))
            .collect()
    }

    /// Returns the first free slot.
    pub fn first_free(&self, taken: &TakenSeats, now: DateTime<Utc>) -> Option<Slot> {
        self.span
            .days()
            .flat_map(|date| self.day(date, taken, now).slots)
            .find(|slot| slot.free.is_some())
    }

    /// Returns the first `count` days with a free slot.
    pub fn free_days(&self, taken: &TakenSeats, now: DateTime<Utc>, count: usize) -> Vec<Day> {
        self.span
            .days()
            .map(|date| self.day(date, taken, now))
            .filter(|day| day.slots.iter().any(|slot| slot.free.is_some()))
            .take(count)
            .collect()
    }

    /// Returns the free times nearest to a moment, the nearest first; at most [`ALTERNATIVES_MAX`].
    pub fn nearest(
        &self,
        taken: &TakenSeats,
        to: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Vec<DateTime<Utc>> {
        let days = self.days(taken, now).into_iter();
        let mut free: Vec<DateTime<Utc>> = days
            .flat_map(|day| day.slots)
            .filter(|slot| slot.free.is_some() && slot.starts_at != to)
            .map(|slot| slot.starts_at)
            .collect();
        free.sort_unstable_by_key(|at| ((*at - to).abs(), *at));
        free.truncate(ALTERNATIVES_MAX);
        free
    }

    fn day(&self, date: NaiveDate, taken: &TakenSeats, now: DateTime<Utc>) -> Day {
        if !self.department.bookable {
            return Day {
                date,
                closed: Some(Closed::CallInstead),
                slots: Vec::new(),
            };
        }
        let closed = self
            .roster
            .closed(date, Some(self.department), self.doctor, now);
        let doctor_id = self.doctor.map(|doctor| doctor.id);
        let slots: Vec<Slot> = SlotTime::all()
            .map(|time| {
                let starts_at = time.on(date);
                let wanted = self
                    .roster
                    .wanted(&self.department.id, doctor_id, date, time);
                let staffed = closed.is_none() && wanted.is_covered();
                let taken = TakenAt {
                    seats: taken,
                    starts_at,
                };
                let first = || with_free_seat(&wanted, &taken).next();
                let free = (staffed && self.lead.allows(starts_at, now)).then(first);
                Slot {
                    time,
                    starts_at,
                    free: free.flatten().map(|duty| duty.resource.clone()),
                    staffed,
                }
            })
            .collect();
        let closed = closed.or_else(|| nothing_left(&slots, self.lead, now));
        Day {
            date,
            closed,
            slots,
        }
    }
}

/// Returns why an open day has no free time; `None` if it has one.
fn nothing_left(slots: &[Slot], lead: Lead, now: DateTime<Utc>) -> Option<Closed> {
    if slots.iter().any(|slot| slot.free.is_some()) {
        return None;
    }
    let is_coming = |slot: &Slot| slot.staffed && lead.allows(slot.starts_at, now);
    Some(if slots.iter().any(is_coming) {
        Closed::Full
    } else {
        Closed::Ended
    })
}

fn parse_day(text: &str, default: impl FnOnce() -> NaiveDate) -> Result<NaiveDate, String> {
    if text.trim().is_empty() {
        return Ok(default());
    }
    parse_date(text).ok_or_else(|| "Give the day as YYYY-MM-DD".to_owned())
}

fn parse_last_day(text: &str, from: NaiveDate, days_max: i64) -> Result<NaiveDate, String> {
    let to = parse_day(text, || from)?;
    let days = (to - from).num_days();
    if days < 0 {
        return Err("The last day is before the first".to_owned());
    }
    // The day after `to` must exist too: it is the exclusive end.
    if days > days_max || to.checked_add_days(Days::new(1)).is_none() {
        return Err(format!("Ask for at most {days_max} days after the first"));
    }
    Ok(to)
}

#[cfg(test)]
#[path = "availability_tests.rs"]
mod tests;
