//! Retention periods of personal data.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};

use super::calendar::{start_of, today};

/// Actor name of the retention job in the audit log and in the history of appointments.
pub const ACTOR: &str = "retention";

/// Retention periods, in days. A person's row is deleted after its period. The remaining data, such as an appointment
/// without a person, identifies nobody.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::Args)]
pub struct Retention {
    /// Days to keep an appointment's contact data and seat after the day of the visit, 1 to 3650.
    #[arg(long = "contact-days-max", env = "CONTACT_DAYS_MAX", default_value_t = Retention::DEFAULT.contact_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub contact_days: u16,

    /// Days to keep a consultation after its day, 1 to 3650.
    #[arg(long = "consultation-days-max", env = "CONSULTATION_DAYS_MAX", default_value_t = Retention::DEFAULT.consultation_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub consultation_days: u16,

    /// Days to keep a waitlist entry after its day, 1 to 3650.
    #[arg(long = "waitlist-days-max", env = "WAITLIST_DAYS_MAX", default_value_t = Retention::DEFAULT.waitlist_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub waitlist_days: u16,

    /// Days to keep a doctor's request for leave after its last day, 1 to 3650.
    #[arg(long = "leave-request-days-max", env = "LEAVE_REQUEST_DAYS_MAX", default_value_t = Retention::DEFAULT.leave_request_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub leave_request_days: u16,

    /// Days to keep the keyed hash of the network that an appointment was booked from, 1 to 3650.
    #[arg(long = "network-days-max", env = "NETWORK_DAYS_MAX", default_value_t = Retention::DEFAULT.network_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub network_days: u16,

    /// Days to keep the history of an appointment (the actions of patient and staff) after the day of the visit, 1 to
    /// 3650.
    #[arg(long = "history-days-max", env = "HISTORY_DAYS_MAX", default_value_t = Retention::DEFAULT.history_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub history_days: u16,

    /// Days to keep entries of the audit log, 1 to 3650.
    #[arg(long = "audit-days-max", env = "AUDIT_DAYS_MAX", default_value_t = Retention::DEFAULT.audit_days,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub audit_days: u16,
}

impl Retention {
    const DEFAULT: Self = Self {
        contact_days: 180,
        consultation_days: 180,
        waitlist_days: 7,
        leave_request_days: 180,
        network_days: 30,
        history_days: 730,
        audit_days: 730,
    };

    /// Returns the limits before which data has expired at a moment.
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
            leave_requests: day(self.leave_request_days),
            networks: now - TimeDelta::days(self.network_days.into()),
            audit_entries: now - TimeDelta::days(self.audit_days.into()),
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Exclusive limits: earlier data has expired.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Start of the visit, for contact data and seats.
    pub visits: DateTime<Utc>,
    /// Start of the visit, for the history.
    pub histories: DateTime<Utc>,
    pub consultations: NaiveDate,
    pub waitlist_entries: NaiveDate,
    pub leave_requests: NaiveDate,
    /// Time of the booking.
    pub networks: DateTime<Utc>,
    pub audit_entries: DateTime<Utc>,
}

/// Number of expired rows of each kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Over {
    pub contacts: u64,
    pub consultations: u64,
    pub waitlist_entries: u64,
    pub leave_requests: u64,
    pub networks: u64,
    pub seats: u64,
    pub events: u64,
    pub audit_entries: u64,
}

impl Over {
    /// Returns a line for each kind. `done` is the verb, for example `removed`.
    pub fn report(&self, done: &str) -> Vec<String> {
        let line = |(kind, rows): (&str, u64)| format!("{kind}: {rows} {done}");
        [
            ("contacts of appointments", self.contacts),
            ("consultations", self.consultations),
            ("waitlist entries", self.waitlist_entries),
            ("leave requests", self.leave_requests),
            ("networks of bookings", self.networks),
            ("seats of past visits", self.seats),
            ("events of past visits", self.events),
            ("audit entries", self.audit_entries),
        ]
        .map(line)
        .into()
    }

    /// Returns the lines for the log; empty if nothing was removed.
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
    fn a_period_ends_with_a_day_in_the_hospitals_time_zone() {
        // 24 November 2026, 12:30 AM in Asia/Kolkata: still the 23rd in UTC.
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
