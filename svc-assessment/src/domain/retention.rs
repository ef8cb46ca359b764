//! Retention periods of stored data.

use chrono::{DateTime, TimeDelta, Utc};

use super::day;

/// Days for which a repeated create is recognised: the day of the create and one more full day. It is short, because
/// the key links a row to anyone with the visitor's request id and the key file.
pub const REQUEST_DAYS: u16 = 2;

/// Retention periods, in days.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::Args)]
pub struct Retention {
    /// Days that an assessment is kept after its day, 1 to 3650.
    #[arg(long = "assessment-retention-days", env = "ASSESSMENT_RETENTION_DAYS", default_value_t = Retention::ASSESSMENT_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub assessment_days: u16,

    /// Days of audit log to keep, 1 to 3650.
    #[arg(long = "audit-days-max", env = "AUDIT_DAYS_MAX", default_value_t = Retention::AUDIT_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub audit_days: u16,
}

impl Retention {
    pub const ASSESSMENT_DAYS: u16 = 730;
    pub const AUDIT_DAYS: u16 = 730;

    /// Returns the limits before which data is expired at `now`.
    pub fn limits(&self, now: DateTime<Utc>) -> Limits {
        let today = day(now);
        Limits {
            assessments: today - TimeDelta::days(self.assessment_days.into()),
            requests: today - TimeDelta::days(i64::from(REQUEST_DAYS) - 1),
            audit_entries: now - TimeDelta::days(self.audit_days.into()),
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            assessment_days: Self::ASSESSMENT_DAYS,
            audit_days: Self::AUDIT_DAYS,
        }
    }
}

/// Expiry limits: rows from before these days and times are expired.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    pub assessments: DateTime<Utc>,
    pub requests: DateTime<Utc>,
    pub audit_entries: DateTime<Utc>,
}

/// Number of expired rows of each kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Over {
    pub assessments: u64,
    pub request_keys: u64,
    pub audit_entries: u64,
}

impl Over {
    /// Returns a line for each kind. `done` names what happened to the rows.
    pub fn report(&self, done: &str) -> Vec<String> {
        [
            ("assessments", self.assessments),
            ("request keys", self.request_keys),
            ("audit entries", self.audit_entries),
        ]
        .map(|(kind, rows)| format!("{kind}: {rows} {done}"))
        .into()
    }

    /// Returns the numbers of removed rows, for the log; empty when none were removed.
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
    fn a_period_ends_with_its_last_day_in_india() {
        // 24 November 2026, 12:30 AM in Asia/Kolkata: the 23rd in UTC.
        let now = "2026-11-23T19:00:00Z".parse().expect("a moment");
        let limits = Retention::default().limits(now);
        let Limits {
            assessments,
            requests,
            audit_entries,
        } = limits;
        assert_eq!(assessments.to_rfc3339(), "2024-11-24T00:00:00+00:00");
        assert_eq!(requests.to_rfc3339(), "2026-11-23T00:00:00+00:00");
        assert_eq!(audit_entries.to_rfc3339(), "2024-11-23T19:00:00+00:00");
    }
}
