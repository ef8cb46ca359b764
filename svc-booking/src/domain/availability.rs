//! Free times of a span of days.

use std::collections::HashMap;

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use service_kit::input::{Violation, Violations};

use super::{
    calendar::{SlotTime, closed_reason, leaves_notice, parse_date, start_of, today},
    resources::{Department, Doctor, EMERGENCY_REASON, Resources},
    seats::{SeatClaim, claims},
};

/// The longest span of days one call answers.
pub const SPAN_DAYS_MAX: i64 = 62;

/// How many seats of one resource are booked, by the start of the slot.
pub type BookedSeats = HashMap<DateTime<Utc>, u32>;

/// Whose times are asked for, and of which days; nothing of it is checked.
#[derive(Clone, Debug, Default)]
pub struct AvailabilityRequest {
    pub department: String,
    pub doctor: String,
    pub from: String,
    pub to: String,
}

/// A question that can be answered: whose times, and of which days.
#[derive(Debug)]
pub struct AvailabilityQuery<'a> {
    department: &'a Department,
    doctor: Option<&'a Doctor>,
    from: NaiveDate,
    to: NaiveDate,
}

/// The answer for one day. `closed_reason` is empty when something can be booked.
#[derive(Debug, PartialEq, Eq)]
pub struct Day {
    pub date: NaiveDate,
    pub closed_reason: String,
    pub slots: Vec<Slot>,
}

/// One time of a day. `available` is true when a booking would be accepted now.
#[derive(Debug, PartialEq, Eq)]
pub struct Slot {
    pub time: SlotTime,
    pub starts_at: DateTime<Utc>,
    pub available: bool,
}

impl<'a> AvailabilityQuery<'a> {
    pub fn parse(
        request: &AvailabilityRequest,
        resources: &'a Resources,
        now: DateTime<Utc>,
    ) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let department = violations.take(
            "department",
            resources
                .department(&request.department)
                .ok_or_else(|| "Choose a department of the list".to_owned()),
        );
        let doctor = violations.take(
            "doctor",
            resources.doctor_of(&request.doctor, department.map(|found| found.id.as_str())),
        );
        let from = violations.take("from", parse_day(&request.from, || today(now)));
        let to = from.and_then(|from| violations.take("to", parse_last_day(&request.to, from)));
        if from.is_none() && !request.to.is_empty() {
            // Without a first day only the notation of the last can be judged.
            violations.take("to", parse_day(&request.to, || today(now)));
        }
        match (department, doctor, from, to) {
            (Some(department), Some(doctor), Some(from), Some(to)) => Ok(Self {
                department,
                doctor,
                from,
                to,
            }),
            _ => Err(violations.into_vec()),
        }
    }

    /// The resources whose seats decide, the same that a booking would claim.
    pub fn claims(&self) -> Vec<SeatClaim> {
        claims(self.department, self.doctor)
    }

    /// The moments between which booked seats matter; the end is not included.
    pub fn span(&self) -> (DateTime<Utc>, DateTime<Utc>) {
        (start_of(self.from), start_of(self.to) + TimeDelta::days(1))
    }

    /// Every day of the span. `booked` belongs to [`Self::claims`], in the same order.
    pub fn days(
        &self,
        booked: &[BookedSeats],
        resources: &Resources,
        now: DateTime<Utc>,
    ) -> Vec<Day> {
        self.from
            .iter_days()
            .take_while(|date| *date <= self.to)
            .map(|date| self.day(date, booked, resources, now))
            .collect()
    }

    fn day(
        &self,
        date: NaiveDate,
        booked: &[BookedSeats],
        resources: &Resources,
        now: DateTime<Utc>,
    ) -> Day {
        let closed = if self.department.bookable {
            closed_reason(date, self.doctor, resources, now)
        } else {
            Some(EMERGENCY_REASON.to_owned())
        };
        if let Some(closed_reason) = closed {
            return Day {
                date,
                closed_reason,
                slots: Vec::new(),
            };
        }
        let claims = self.claims();
        let slots: Vec<Slot> = SlotTime::all()
            .filter(|time| {
                self.doctor
                    .is_none_or(|doctor| doctor.sees_patients_at(time.time()))
            })
            .map(|time| {
                let starts_at = time.on(date);
                let has_seats = claims.iter().zip(booked).all(|(claim, booked)| {
                    booked.get(&starts_at).copied().unwrap_or(0) < claim.capacity
                });
                Slot {
                    time,
                    starts_at,
                    available: has_seats && leaves_notice(starts_at, now),
                }
            })
            .collect();
        Day {
            date,
            closed_reason: nothing_left(&slots, now).unwrap_or_default(),
            slots,
        }
    }
}

/// Why an open day has no free time, if it has none.
fn nothing_left(slots: &[Slot], now: DateTime<Utc>) -> Option<String> {
    if slots.iter().any(|slot| slot.available) {
        return None;
    }
    let reason = if slots.iter().any(|slot| leaves_notice(slot.starts_at, now)) {
        "Every time of this day is taken. Choose another day."
    } else {
        "Online booking for this day has ended. Choose a later day."
    };
    Some(reason.to_owned())
}

fn parse_day(text: &str, default: impl FnOnce() -> NaiveDate) -> Result<NaiveDate, String> {
    if text.trim().is_empty() {
        return Ok(default());
    }
    parse_date(text).ok_or_else(|| "Give the day as YYYY-MM-DD".to_owned())
}

fn parse_last_day(text: &str, from: NaiveDate) -> Result<NaiveDate, String> {
    let to = parse_day(text, || from)?;
    let days = (to - from).num_days();
    if days < 0 {
        return Err("The last day is before the first".to_owned());
    }
    // The day after must exist too: it is where the span ends.
    if days > SPAN_DAYS_MAX || to.checked_add_days(Days::new(1)).is_none() {
        return Err(format!(
            "Ask for at most {SPAN_DAYS_MAX} days after the first"
        ));
    }
    Ok(to)
}
