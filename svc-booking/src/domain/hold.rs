//! Holds: a time is kept while a form is filled in, for a few minutes and no longer.

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use super::{
    appointment::{VisitForm, known_department, take_visit},
    roster::Roster,
    seats::Wanted,
};

/// How long a time is kept.
pub const HOLD_TIME: TimeDelta = TimeDelta::minutes(5);
/// Holds that a network has at once. Mobile networks share addresses among many.
pub const HOLDS_OF_NETWORK_MAX: i64 = 20;

/// A hold as it was asked for; nothing of it is checked.
#[derive(Clone, Debug, Default)]
pub struct HoldForm {
    pub department: String,
    pub doctor_id: String,
    pub date: String,
    pub time: String,
    pub replaces: String,
}

/// When a hold that is made now is over: a whole second, as every time of a seat.
pub fn expire_time(now: DateTime<Utc>) -> DateTime<Utc> {
    now + HOLD_TIME
}

impl HoldForm {
    /// What is wanted, and the hold before. One that is no id was never given out: it is as if it were none.
    pub fn parse(
        &self,
        roster: &Roster,
        now: DateTime<Utc>,
    ) -> Result<(Wanted, Option<Uuid>), Vec<Violation>> {
        let mut violations = Violations::default();
        let department = known_department(&self.department, roster);
        let visit = VisitForm {
            doctor_id: &self.doctor_id,
            date: &self.date,
            time: &self.time,
        };
        let wanted = take_visit(&visit, department, roster, now, &mut violations);
        wanted
            .map(|wanted| (wanted, self.replaces.trim().parse().ok()))
            .ok_or_else(|| violations.into_vec())
    }
}
