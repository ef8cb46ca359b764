//! Retention periods of visitors' data.

use chrono::{DateTime, TimeDelta, Utc};

/// Retention periods, in days. An unconfirmed subscription is deleted when its 7-day confirmation period ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::Args)]
pub struct Retention {
    /// Days to keep a message after staff closed it, 1 to 3650.
    #[arg(long = "done-days-max", env = "DONE_DAYS_MAX", default_value_t = Retention::DONE_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub done_days: u16,

    /// Days to keep spam and quarantined messages, 1 to 3650.
    #[arg(long = "spam-days-max", env = "SPAM_DAYS_MAX", default_value_t = Retention::SPAM_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub spam_days: u16,

    /// Days to keep the notification of a comment or the registration for an event, 1 to 3650.
    #[arg(long = "comment-days-max", env = "COMMENT_DAYS_MAX", default_value_t = Retention::COMMENT_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub comment_days: u16,

    /// Days to keep any message after it arrived, 1 to 3650.
    #[arg(long = "message-days-max", env = "MESSAGE_DAYS_MAX", default_value_t = Retention::MESSAGE_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub message_days: u16,

    /// Days to keep the keyed hashes of a message's network and text, 1 to 3650.
    #[arg(long = "network-days-max", env = "NETWORK_DAYS_MAX", default_value_t = Retention::NETWORK_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub network_days: u16,

    /// Days to keep the address of an ended subscription, 1 to 3650.
    #[arg(long = "unsubscribed-days-max", env = "UNSUBSCRIBED_DAYS_MAX", default_value_t = Retention::UNSUBSCRIBED_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub unsubscribed_days: u16,

    /// Days to keep registrations after the event, 1 to 3650.
    #[arg(long = "registration-days-max", env = "REGISTRATION_DAYS_MAX", default_value_t = Retention::REGISTRATION_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub registration_days: u16,

    /// Days to keep audit log entries, 1 to 3650.
    #[arg(long = "audit-days-max", env = "AUDIT_DAYS_MAX", default_value_t = Retention::AUDIT_DAYS,
          value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub audit_days: u16,
}

impl Retention {
    pub const DONE_DAYS: u16 = 365;
    pub const SPAM_DAYS: u16 = 30;
    pub const COMMENT_DAYS: u16 = 365;
    pub const MESSAGE_DAYS: u16 = 730;
    pub const NETWORK_DAYS: u16 = 30;
    pub const UNSUBSCRIBED_DAYS: u16 = 30;
    pub const REGISTRATION_DAYS: u16 = 90;
    pub const AUDIT_DAYS: u16 = 730;

    /// Computes the cut-off times at `now`.
    pub fn limits(&self, now: DateTime<Utc>) -> Limits {
        let before = |days: u16| now - TimeDelta::days(days.into());
        Limits {
            done: before(self.done_days),
            spam: before(self.spam_days),
            comments: before(self.comment_days),
            messages: before(self.message_days),
            networks: before(self.network_days),
            pending: now - super::newsletter::CONFIRM_WITHIN,
            unsubscribed: before(self.unsubscribed_days),
            registrations: before(self.registration_days),
            audit_entries: before(self.audit_days),
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            done_days: Self::DONE_DAYS,
            spam_days: Self::SPAM_DAYS,
            comment_days: Self::COMMENT_DAYS,
            message_days: Self::MESSAGE_DAYS,
            network_days: Self::NETWORK_DAYS,
            unsubscribed_days: Self::UNSUBSCRIBED_DAYS,
            registration_days: Self::REGISTRATION_DAYS,
            audit_days: Self::AUDIT_DAYS,
        }
    }
}

/// Cut-off times. Rows older than these have expired.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Time of closing.
    pub done: DateTime<Utc>,
    /// Time when the message became spam or was quarantined.
    pub spam: DateTime<Utc>,
    /// Time of arrival.
    pub comments: DateTime<Utc>,
    pub messages: DateTime<Utc>,
    pub networks: DateTime<Utc>,
    /// Time of the last confirmation mail.
    pub pending: DateTime<Utc>,
    /// Time when the subscription ended.
    pub unsubscribed: DateTime<Utc>,
    /// End of the event.
    pub registrations: DateTime<Utc>,
    pub audit_entries: DateTime<Utc>,
}

/// Number of expired rows of each kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Over {
    pub messages: u64,
    pub networks: u64,
    pub registrations: u64,
    pub subscriptions: u64,
    pub mails: u64,
    pub suppressions: u64,
    pub audit_entries: u64,
}

impl Over {
    /// Returns one line per kind. `done` describes what was done with the rows.
    pub fn report(&self, done: &str) -> Vec<String> {
        let line = |(kind, rows): (&str, u64)| format!("{kind}: {rows} {done}");
        [
            ("messages", self.messages),
            ("networks of messages", self.networks),
            ("registrations", self.registrations),
            ("subscriptions", self.subscriptions),
            ("mails", self.mails),
            ("suppressions", self.suppressions),
            ("audit entries", self.audit_entries),
        ]
        .map(line)
        .into()
    }

    /// Returns the report of deleted rows for the log; empty if there were none.
    pub fn removed(&self) -> Vec<String> {
        if *self == Self::default() {
            return Vec::new();
        }
        self.report("removed")
    }
}
