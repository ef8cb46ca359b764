//! The waitlist of full days: entries and the offers made to them.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use service_kit::{
    input::{EmailAddress, PersonName, PhoneNumber, RequestId, Violation, Violations},
    language::Language,
};
use uuid::Uuid;

use super::{
    appointment::{known_department, parse_open_day},
    calendar::{leaves_notice, today},
    contact::Contact,
    proof::Proof,
    roster::Roster,
    seats::Resource,
};

/// Lifetime of an offer. The seat is then offered to the next entry.
pub const OFFER_TIME: TimeDelta = TimeDelta::minutes(20);
/// Maximum offers that an entry may let expire before it ends.
pub const OFFERS_MAX: i64 = 3;
/// Maximum waitlist entries per proven e-mail address.
pub const ENTRIES_MAX: usize = 4;
/// Maximum entries per network on the waitlist of a department and day. Proven entries count too, because mailboxes
/// cost nothing.
pub const ENTRIES_OF_NETWORK_MAX: i64 = 4;
/// Maximum new entries per network in 24 hours.
pub const JOINS_OF_NETWORK_MAX: i64 = 12;

/// Kind of the notification with the link that proves a new entry.
pub const JOINED: &str = "waitlist.joined";
/// Kind of the notification of an offer.
pub const OFFERED: &str = "waitlist.offered";
/// Kind of the notification that staff took an entry off the list.
pub const REMOVED: &str = "waitlist.removed";

/// Returns whether a slot may still be offered. An acceptance at the last moment must leave the desk its minimum
/// notice.
pub fn may_be_offered(starts_at: DateTime<Utc>, roster: &Roster, now: DateTime<Utc>) -> bool {
    leaves_notice(starts_at, now + OFFER_TIME)
        && roster.closed(today(starts_at), None, None, now).is_none()
}

/// State of an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EntryState {
    Waiting,
    /// A seat is reserved for this entry.
    Offered,
    Booked,
    /// The person left, the day has passed, or too many offers expired.
    Ended,
}

impl EntryState {
    const ALL: [Self; 4] = [Self::Waiting, Self::Offered, Self::Booked, Self::Ended];

    /// Returns the word that the database stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Offered => "offered",
            Self::Booked => "booked",
            Self::Ended => "ended",
        }
    }

    /// Parses a word of the database; returns `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// Why an entry ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EndReason {
    /// The person left the list.
    Left,
    DayPast,
    /// [`OFFERS_MAX`] offers expired.
    OffersExpired,
    /// Taken off by staff.
    Removed(Removal),
}

/// Why staff took an entry off the list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Removal {
    /// The person asked for it.
    Asked,
    OtherAppointment,
    Unreachable,
    /// No time of the day will become free.
    NoTimes,
}

impl EndReason {
    const ALL: [Self; 7] = [
        Self::Left,
        Self::DayPast,
        Self::OffersExpired,
        Self::Removed(Removal::Asked),
        Self::Removed(Removal::OtherAppointment),
        Self::Removed(Removal::Unreachable),
        Self::Removed(Removal::NoTimes),
    ];

    /// Returns the word that the database stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::DayPast => "day_past",
            Self::OffersExpired => "offers_expired",
            Self::Removed(Removal::Asked) => "asked",
            Self::Removed(Removal::OtherAppointment) => "other_appointment",
            Self::Removed(Removal::Unreachable) => "unreachable",
            Self::Removed(Removal::NoTimes) => "no_times",
        }
    }

    /// Parses a word of the database. Returns `None` for any other word, which a newer build may have stored.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// An entry as stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Entry {
    pub id: Uuid,
    /// For example `WL-7K3M-9QXD`.
    pub reference: String,
    pub department_id: String,
    pub doctor_id: Option<String>,
    pub date: NaiveDate,
    pub state: EntryState,
    pub offer_starts_at: Option<DateTime<Utc>>,
    pub offer_expire_time: Option<DateTime<Utc>>,
    /// `None` for entries of older builds, which required no proof. Only `Unproven` entries get no offers.
    pub proof: Option<Proof>,
    /// The resource whose seat is reserved for the offer.
    pub offer_resource: Option<Resource>,
    /// Number of offers so far.
    pub offers: i64,
    /// Place in the queue. An expired offer moves the entry to the end.
    pub queue_time: DateTime<Utc>,
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    /// `None` for entries that have not ended, or ended with a build that stored no reason.
    pub end_reason: Option<EndReason>,
    /// `None` once the personal data has been erased. Reason and notes are empty.
    pub contact: Option<Contact>,
    /// Language of the person, in which notices are sent.
    pub language: Option<Language>,
}

impl Entry {
    /// Returns the version that a change by staff must name. A state never recurs with the same number of offers.
    pub fn etag(&self) -> String {
        let proof = self.proof.map_or("none", Proof::as_str);
        format!("{}-{}-{proof}", self.state.as_str(), self.offers)
    }

    /// Returns the state at a moment. An expired offer counts as waiting even before the sweep updates the row.
    pub fn state(&self, now: DateTime<Utc>) -> EntryState {
        let is_over = self.offer_expire_time.is_some_and(|until| until <= now);
        match self.state {
            EntryState::Offered if is_over => EntryState::Waiting,
            state => state,
        }
    }
}

/// Unvalidated waitlist input of a visitor. `Debug` withholds every field.
#[derive(Clone, Default)]
pub struct EntryForm {
    pub patient_name: String,
    pub email: String,
    pub phone: String,
    pub department: String,
    pub doctor_id: String,
    pub date: String,
    pub request_id: String,
}

impl std::fmt::Debug for EntryForm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("EntryForm(withheld)")
    }
}

/// A valid entry. Whether the day is full is checked later.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub contact: Contact,
    pub department_id: String,
    pub doctor_id: Option<String>,
    pub date: NaiveDate,
}

impl EntryForm {
    /// Applies every rule and reports all violations.
    pub fn parse(
        &self,
        roster: &Roster,
        now: DateTime<Utc>,
    ) -> Result<(RequestId, NewEntry), Vec<Violation>> {
        let mut violations = Violations::default();
        let name = PersonName::parse(&self.patient_name)
            .map_err(|problem| problem.if_empty("Enter the patient's first and last name"));
        let name = violations.take("patientName", name);
        let email = violations.take("email", EmailAddress::parse(&self.email));
        let phone = violations.take("phone", PhoneNumber::parse(&self.phone));
        let department = known_department(&self.department, roster);
        let known = department.as_ref().ok().copied();
        let doctor = roster.doctor_of(&self.doctor_id, known.map(|found| found.id.as_str()));
        let known_doctor = doctor.as_ref().ok().copied().flatten();
        let date = parse_open_day(&self.date, known, known_doctor, roster, now);
        let date = violations.accept("date", date);
        let doctor = violations.accept("doctorId", doctor);
        let department = violations.accept("department", department);
        let request_id = violations.take("requestId", RequestId::parse(&self.request_id));
        let all = || {
            let contact = Contact {
                patient_name: name?.into_string(),
                email: email?.into_string(),
                phone: phone?.into_string(),
                ..Contact::default()
            };
            let entry = NewEntry {
                contact,
                department_id: department?.id.clone(),
                doctor_id: doctor?.map(|doctor| doctor.id.to_owned()),
                date: date?,
            };
            Some((request_id?, entry))
        };
        all().ok_or_else(|| violations.into_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::roster::Seed;

    fn now() -> DateTime<Utc> {
        "2026-11-21T09:30:00Z".parse().expect("a moment")
    }

    fn form() -> EntryForm {
        EntryForm {
            patient_name: "Asha Rao".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0000".to_owned(),
            department: "Cardiology".to_owned(),
            doctor_id: "doc-06".to_owned(),
            date: "2026-11-23".to_owned(),
            request_id: "0123456789abcdef".to_owned(),
        }
    }

    fn fields(form: &EntryForm) -> Vec<String> {
        let violations = form
            .parse(&Seed::embedded().roster(), now())
            .expect_err("refused");
        violations.into_iter().map(|found| found.field).collect()
    }

    #[test]
    fn every_violation_is_reported_at_once() {
        let (_, entry) = form()
            .parse(&Seed::embedded().roster(), now())
            .expect("valid");
        assert_eq!(
            (entry.department_id.as_str(), entry.doctor_id.as_deref()),
            ("cardiology", Some("doc-06"))
        );
        let all = [
            "patientName",
            "email",
            "phone",
            "date",
            "department",
            "requestId",
        ];
        assert_eq!(fields(&EntryForm::default()), all);
        for date in ["2026-11-22", "2026-11-20", "2027-01-21"] {
            let form = EntryForm {
                date: date.to_owned(),
                ..form()
            };
            assert_eq!(fields(&form), ["date"], "{date}");
        }
        let form = EntryForm {
            doctor_id: "doc-07".to_owned(),
            ..form()
        };
        assert_eq!(fields(&form), ["doctorId"]);
        assert_eq!(format!("{form:?}"), "EntryForm(withheld)");
    }

    #[test]
    fn an_expired_offer_counts_as_waiting_before_the_sweep() {
        let entry = |state| Entry {
            id: Uuid::nil(),
            reference: String::new(),
            department_id: String::new(),
            doctor_id: None,
            date: "2026-11-23".parse().expect("a date"),
            state,
            offer_starts_at: Some(now()),
            offer_expire_time: Some(now() + OFFER_TIME),
            proof: Some(Proof::Link),
            offer_resource: None,
            offers: 1,
            queue_time: now(),
            create_time: now(),
            update_time: now(),
            end_reason: None,
            contact: None,
            language: None,
        };
        let end = now() + OFFER_TIME;
        let nearly = end - TimeDelta::microseconds(1);
        assert_eq!(
            entry(EntryState::Offered).state(nearly),
            EntryState::Offered
        );
        assert_eq!(entry(EntryState::Offered).state(end), EntryState::Waiting);
        for state in [EntryState::Waiting, EntryState::Booked, EntryState::Ended] {
            assert_eq!(entry(state).state(end), state);
        }
        for state in EntryState::ALL {
            assert_eq!(EntryState::parse(state.as_str()), Some(state));
        }
        assert_eq!(EntryState::parse("Waiting"), None);
        for reason in EndReason::ALL {
            assert_eq!(EndReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(EndReason::parse("Left"), None);
    }
}
