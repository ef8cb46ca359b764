//! Holds: a slot is reserved for a few minutes while its visitor fills in the form.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use super::{
    appointment::{VisitForm, known_department, take_visit},
    calendar::{Lead, SlotTime, today},
    roster::Roster,
    seats::{Resource, Wanted},
};

/// Lifetime of a hold; both the default and the upper limit of the setting.
pub const HOLD_TIME: TimeDelta = TimeDelta::minutes(5);
/// Maximum concurrent holds per network. Mobile networks put many people behind one address.
pub const HOLDS_OF_NETWORK_MAX: usize = 20;
/// Lower bound for the limit of concurrent holds per network on a department's or doctor's day. Days with only one or
/// two seats allow one hold.
const HOLDS_OF_DAY_MIN: usize = 2;
/// Divisor of a day's seats: one network may hold a quarter of them at once.
const PART_OF_DAY: usize = 4;
/// Maximum time that one network may hold slots of a department's day without booking, per allowed concurrent hold. The
/// network is then refused until the end of [`HELD_WINDOW`].
const HELD_TIME_MAX: TimeDelta = TimeDelta::minutes(30);
/// Window in which held time adds up.
pub const HELD_WINDOW: TimeDelta = TimeDelta::hours(6);

/// The limit that a network has reached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HoldLimit {
    /// Concurrent holds of the network.
    Network,
    /// Concurrent holds on a department's or doctor's day.
    Day,
    /// Time held without a booking.
    Rest,
}

impl HoldLimit {
    /// Returns the metric's label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Day => "day",
            Self::Rest => "rest",
        }
    }
}

/// A live hold of a network.
#[derive(Clone, Debug)]
pub struct LiveHold {
    /// `None` for holds of older builds, which stored neither department nor day.
    pub day: Option<(String, NaiveDate)>,
    pub resource: Option<Resource>,
    pub expire_time: DateTime<Utc>,
}

/// The time that a network has held slots of a department's day without booking.
#[derive(Clone, Copy, Debug)]
pub struct HeldTime {
    pub since: DateTime<Utc>,
    pub held: TimeDelta,
}

/// A network's live holds, and its held time on the wanted day.
#[derive(Clone, Debug, Default)]
pub struct HeldByNetwork {
    pub live: Vec<LiveHold>,
    pub before: Option<HeldTime>,
}

impl HeldByNetwork {
    /// Returns the limit that another hold would exceed, and the latest end of the refusal.
    pub fn limit(&self, wanted: &Wanted, roster: &Roster) -> Option<(HoldLimit, DateTime<Utc>)> {
        let day = (wanted.department_id.clone(), today(wanted.starts_at));
        let of_day = |hold: &&LiveHold| hold.day.as_ref() == Some(&day);
        let own = wanted.doctor_id.as_deref().map(Resource::doctor);
        let of_doctor = |hold: &&LiveHold| of_day(hold) && hold.resource == own;
        let seats = |doctor: Option<&Resource>| seats_of_day(roster, &day.0, doctor, day.1);
        let department_max = holds_of_day_max(seats(None));
        let first_end = |holds: Vec<&LiveHold>, max: usize| {
            let end = holds.iter().map(|hold| hold.expire_time).min();
            end.filter(|_| holds.len() >= max)
        };
        if let Some(end) = first_end(self.live.iter().collect(), HOLDS_OF_NETWORK_MAX) {
            return Some((HoldLimit::Network, end));
        }
        let of_department = self.live.iter().filter(of_day).collect();
        let day_end = first_end(of_department, department_max).or_else(|| {
            let doctor_max = holds_of_day_max(seats(Some(own.as_ref()?)));
            first_end(self.live.iter().filter(of_doctor).collect(), doctor_max)
        });
        if let Some(end) = day_end {
            return Some((HoldLimit::Day, end));
        }
        let at_once = i32::try_from(department_max).unwrap_or(i32::MAX);
        let before = self
            .before
            .filter(|before| before.held >= HELD_TIME_MAX * at_once);
        before.map(|before| (HoldLimit::Rest, before.since + HELD_WINDOW))
    }
}

/// Returns the limit of concurrent holds per network on a day: a quarter of its seats, but never all seats of a small
/// day.
fn holds_of_day_max(seats: usize) -> usize {
    (seats / PART_OF_DAY)
        .max(HOLDS_OF_DAY_MIN)
        .min(seats.saturating_sub(1))
        .clamp(1, HOLDS_OF_NETWORK_MAX)
}

/// Counts the seats of a department, or of one of its doctors, on a day.
fn seats_of_day(
    roster: &Roster,
    department_id: &str,
    doctor: Option<&Resource>,
    date: NaiveDate,
) -> usize {
    SlotTime::all()
        .flat_map(|slot| roster.on_duty(department_id, date, slot))
        .filter(|duty| doctor.is_none_or(|doctor| duty.resource == *doctor))
        .map(|duty| duty.seats as usize)
        .sum()
}

/// Unvalidated request for a hold.
#[derive(Clone, Debug, Default)]
pub struct HoldForm {
    pub department: String,
    pub doctor_id: String,
    pub date: String,
    pub time: String,
    pub replaces: String,
}

impl HoldForm {
    /// Parses the wanted visit and the id of the previous hold. An invalid hold id was never issued, so it counts as
    /// absent.
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
        let wanted = take_visit(
            &visit,
            department,
            roster,
            Lead::Online,
            now,
            &mut violations,
        );
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

    fn held(count: usize, day: &str, resource: Option<&Resource>) -> Vec<LiveHold> {
        let end = |minutes: usize| now() + TimeDelta::minutes(i64::try_from(minutes).unwrap_or(0));
        (1..=count)
            .map(|number| LiveHold {
                day: Some(("cardiology".to_owned(), day.parse().expect("a day"))),
                resource: resource.cloned(),
                expire_time: end(number),
            })
            .collect()
    }

    // X4: a network may hold a quarter of a department's day at once, and a quarter of one doctor's day.
    #[test]
    fn a_network_holds_a_limited_part_of_a_day() {
        for (seats, holds) in [(0, 1), (1, 1), (2, 1), (3, 2), (8, 2), (12, 3), (400, 20)] {
            assert_eq!(holds_of_day_max(seats), holds, "{seats} seats");
        }
        let roster = Seed::embedded().roster();
        let (wanted, _) = form().parse(&roster, now()).expect("valid");
        let date = today(wanted.starts_at);
        let seats = seats_of_day(&roster, "cardiology", None, date);
        let doctor = Resource::doctor("doc-06");
        let of_doctor = seats_of_day(&roster, "cardiology", Some(&doctor), date);
        assert!(0 < of_doctor && of_doctor < seats, "{of_doctor} of {seats}");
        let limit = |live: Vec<LiveHold>| {
            let network = HeldByNetwork { live, before: None };
            network.limit(&wanted, &roster)
        };
        let first = now() + TimeDelta::minutes(1);
        let day = "2026-11-23";
        let max = holds_of_day_max(seats);
        assert_eq!(limit(held(max - 1, day, None)), None);
        assert_eq!(limit(held(max, day, None)), Some((HoldLimit::Day, first)));
        assert_eq!(limit(held(max, "2026-11-24", None)), None);
        let max = holds_of_day_max(of_doctor);
        let own = |count| held(count, day, Some(&doctor));
        assert_eq!(limit(own(max - 1)), None);
        assert_eq!(limit(own(max)), Some((HoldLimit::Day, first)));
        let anywhere = held(HOLDS_OF_NETWORK_MAX, "2026-11-24", None);
        assert_eq!(limit(anywhere), Some((HoldLimit::Network, first)));
    }

    // X4: repeated holds without a booking are refused in the end.
    #[test]
    fn a_network_that_never_books_must_pause() {
        let roster = Seed::embedded().roster();
        let (wanted, _) = form().parse(&roster, now()).expect("valid");
        let seats = seats_of_day(&roster, "cardiology", None, today(wanted.starts_at));
        let at_once = i32::try_from(holds_of_day_max(seats)).expect("few");
        let limit = |held| {
            let before = Some(HeldTime { since: now(), held });
            let network = HeldByNetwork {
                live: Vec::new(),
                before,
            };
            network.limit(&wanted, &roster)
        };
        let most = HELD_TIME_MAX * at_once;
        assert_eq!(limit(most - TimeDelta::seconds(1)), None);
        let end = now() + HELD_WINDOW;
        assert_eq!(limit(most), Some((HoldLimit::Rest, end)));
    }

    #[test]
    fn only_ids_are_accepted_as_holds() {
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
