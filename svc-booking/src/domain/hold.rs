//! Holds: a time is kept while a form is filled in, for a few minutes and no longer.

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use super::{
    appointment::{VisitForm, known_department, take_visit},
    roster::Roster,
    seats::Wanted,
};

/// How long a time is kept, unless configured otherwise; never longer.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::roster::Seed;

    fn now() -> DateTime<Utc> {
        "2026-11-21T09:30:00Z".parse().expect("a moment")
    }

    fn form() -> HoldForm {
        HoldForm {
            department: "Cardiology".to_owned(),
            doctor_id: "doc-06".to_owned(),
            date: "2026-11-23".to_owned(),
            time: "10:00".to_owned(),
            replaces: String::new(),
        }
    }

    fn fields(form: &HoldForm) -> Vec<String> {
        let violations = form
            .parse(&Seed::embedded().roster(), now())
            .expect_err("refused");
        violations.into_iter().map(|found| found.field).collect()
    }

    #[test]
    fn a_hold_obeys_the_rules_of_a_booking() {
        let (wanted, replaces) = form()
            .parse(&Seed::embedded().roster(), now())
            .expect("valid");
        assert_eq!(wanted.doctor_id.as_deref(), Some("doc-06"));
        assert_eq!(wanted.starts_at.to_rfc3339(), "2026-11-23T04:30:00+00:00");
        assert_eq!(replaces, None);
        assert_eq!(fields(&HoldForm::default()), ["date", "time", "department"]);
        let evening = HoldForm {
            time: "6:30 PM".to_owned(),
            ..form()
        };
        assert_eq!(fields(&evening), ["time"]);
        let emergency = HoldForm {
            department: "Emergency".to_owned(),
            doctor_id: String::new(),
            ..form()
        };
        assert!(fields(&emergency).contains(&"department".to_owned()));
    }

    #[test]
    fn what_is_no_id_was_never_given_out() {
        for (text, expected) in [
            ("", None),
            ("mine", None),
            (
                "00000000-0000-0000-0000-000000000007",
                Some(Uuid::from_u128(7)),
            ),
        ] {
            let form = HoldForm {
                replaces: text.to_owned(),
                ..form()
            };
            let (_, replaces) = form
                .parse(&Seed::embedded().roster(), now())
                .expect("valid");
            assert_eq!(replaces, expected, "{text}");
        }
    }
}
