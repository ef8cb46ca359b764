//! How long what people gave is kept.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};

use super::calendar::{start_of, today};

/// Who removes what is over, in the audit log and in the history of appointments.
pub const ACTOR: &str = "retention";

/// Periods, in days. The row of a person goes after its period; what remains (an appointment without a person) names nobody.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::Args)]
pub struct Retention {
    /// Days that who came, and whose seat it was, is kept after the day of the visit, 1 to 3650.
    #[arg(long = "contact-days-max", env = "CONTACT_DAYS_MAX", default_value_t = Retention::CONTACT_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub contact_days: u16,

    /// Days that a consultation is kept after its day, 1 to 3650.
    #[arg(long = "consultation-days-max", env = "CONSULTATION_DAYS_MAX", default_value_t = Retention::CONSULTATION_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub consultation_days: u16,

    /// Days that an entry of the waitlist is kept after its day, 1 to 3650.
    #[arg(long = "waitlist-days-max", env = "WAITLIST_DAYS_MAX", default_value_t = Retention::WAITLIST_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub waitlist_days: u16,

    /// Days that the keyed hash of the network is kept from which an appointment was booked, 1 to 3650.
    #[arg(long = "network-days-max", env = "NETWORK_DAYS_MAX", default_value_t = Retention::NETWORK_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub network_days: u16,

    /// Days that the history of an appointment is kept after the day of the visit: what was done when, by patient or staff; 1 to 3650.
    #[arg(long = "history-days-max", env = "HISTORY_DAYS_MAX", default_value_t = Retention::HISTORY_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub history_days: u16,

    /// Days that the audit log reaches back, 1 to 3650.
    #[arg(long = "audit-days-max", env = "AUDIT_DAYS_MAX", default_value_t = Retention::AUDIT_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub audit_days: u16,
}

impl Retention {
    pub const CONTACT_DAYS: u16 = 180;
    pub const CONSULTATION_DAYS: u16 = 180;
    pub const WAITLIST_DAYS: u16 = 7;
    pub const NETWORK_DAYS: u16 = 30;
    pub const HISTORY_DAYS: u16 = 730;
    pub const AUDIT_DAYS: u16 = 730;

    /// What is over at a moment.
    pub fn limits(&self, now: DateTime<Utc>) -> Limits {
        let day = |days: u16| {
            let before = today(now).checked_sub_days(Days::new(days.into()));
            before.unwrap_or(NaiveDate::MIN)
        };
        Limits {
            visits: start_of(day(self.contact_days)),
            histories: start_of(day(self.history_days)),
            consultations: day(self.consultation_days),
            waitlist_entries: day(self.waitlist_days),
            networks: now - TimeDelta::days(self.network_days.into()),
            audit_entries: now - TimeDelta::days(self.audit_days.into()),
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            contact_days: Self::CONTACT_DAYS,
            consultation_days: Self::CONSULTATION_DAYS,
            waitlist_days: Self::WAITLIST_DAYS,
            network_days: Self::NETWORK_DAYS,
            history_days: Self::HISTORY_DAYS,
            audit_days: Self::AUDIT_DAYS,
        }
    }
}

/// What was before these moments and days is over.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Start of the visit, for its person and its seat.
    pub visits: DateTime<Utc>,
    /// Start of the visit, for its history.
    pub histories: DateTime<Utc>,
    pub consultations: NaiveDate,
    pub waitlist_entries: NaiveDate,
    /// When it was booked.
    pub networks: DateTime<Utc>,
    pub audit_entries: DateTime<Utc>,
}

/// How many rows of each kind are over.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Over {
    pub contacts: u64,
    pub consultations: u64,
    pub waitlist_entries: u64,
    pub networks: u64,
    pub seats: u64,
    pub events: u64,
    pub audit_entries: u64,
}

impl Over {
    /// A line for each kind. `done` says what became of them.
    pub fn report(&self, done: &str) -> Vec<String> {
        let line = |(kind, rows): (&str, u64)| format!("{kind}: {rows} {done}");
        [
            ("contacts of appointments", self.contacts),
            ("consultations", self.consultations),
            ("waitlist entries", self.waitlist_entries),
            ("networks of bookings", self.networks),
            ("seats of past visits", self.seats),
            ("events of past visits", self.events),
            ("audit entries", self.audit_entries),
        ]
        .map(line)
        .into()
    }

    /// What was removed, for the log; empty when nothing was.
    pub fn removed(&self) -> Vec<String> {
        if *self == Self::default() {
            return Vec::new();
        }
        self.report("removed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_with_its_last_day_in_the_hospital() {
        // 24 November 2026, 12:30 AM in Asia/Kolkata: the 23rd in UTC.
        let now = "2026-11-23T19:00:00Z".parse().expect("a moment");
        let limits = Retention::default().limits(now);
        assert_eq!(limits.waitlist_entries.to_string(), "2026-11-17");
        assert_eq!(limits.consultations.to_string(), "2026-05-28");
        assert_eq!(limits.visits.to_rfc3339(), "2026-05-27T18:30:00+00:00");
        assert_eq!(limits.histories.to_rfc3339(), "2024-11-23T18:30:00+00:00");
        assert_eq!(limits.networks.to_rfc3339(), "2026-10-24T19:00:00+00:00");
        assert_eq!(
            limits.audit_entries.to_rfc3339(),
            "2024-11-23T19:00:00+00:00"
        );
    }
}
