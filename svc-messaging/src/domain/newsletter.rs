//! The newsletter: subscriptions and issues.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::input::{Line, Paragraphs, RequestId, Violation, Violations};
use uuid::Uuid;

use super::markdown;

/// Validity of a confirmation link.
pub const CONFIRM_WITHIN: TimeDelta = TimeDelta::days(7);
/// Maximum time that an issue may wait to be sent.
pub const ISSUE_WITHIN: TimeDelta = TimeDelta::days(7);
pub const SUBJECT_CHARS_MAX: usize = 200;
pub const TEXT_CHARS_MAX: usize = 20_000;
/// Maximum number of drafts.
pub const DRAFTS_MAX: i64 = 100;
/// Maximum test mails of a person per hour.
pub const TESTS_PER_HOUR_MAX: i64 = 10;
/// Maximum time that a test mail may wait to be sent.
pub const TEST_WITHIN: TimeDelta = TimeDelta::hours(1);

/// Maximum confirmation mails to one address per day. A second limit is one per hour.
const ASKED_PER_DAY_MAX: usize = 3;

/// State of a subscription.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum State {
    /// The address was entered but not yet confirmed by its owner.
    Pending,
    Confirmed,
    Unsubscribed,
}

impl State {
    const ALL: [Self; 3] = [Self::Pending, Self::Confirmed, Self::Unsubscribed];

    /// Returns the state's name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Unsubscribed => "unsubscribed",
        }
    }

    /// Parses a state name; `None` if it is unknown.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// Times of the latest confirmation mails to an address, in Unix seconds.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Asked(Vec<i64>);

impl Asked {
    /// Parses the stored form: Unix seconds separated by commas. `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let times = text.split(',').map(|time| time.parse().ok());
        times.collect::<Option<_>>().map(Self)
    }

    /// Adds `now`, dropping times older than a day; `None` if a limit is exceeded.
    pub fn once_more(&self, now: DateTime<Utc>) -> Option<Self> {
        let since = |time: TimeDelta| {
            let from = (now - time).timestamp();
            self.0.iter().filter(move |asked| **asked > from)
        };
        let is_allowed = since(TimeDelta::hours(1)).count() == 0
            && since(TimeDelta::days(1)).count() < ASKED_PER_DAY_MAX;
        is_allowed.then(|| {
            let mut times: Vec<i64> = since(TimeDelta::days(1)).copied().collect();
            times.push(now.timestamp());
            Self(times)
        })
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, time) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(formatter, "{comma}{time}")?;
        }
        Ok(())
    }
}

/// Content of an issue.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Issue {
    pub subject: String,
    /// Markdown. See [`super::markdown`].
    pub text: String,
}

impl Issue {
    /// Validates an issue. The error holds every violation.
    ///
    /// # Errors
    /// When the subject is not one line of 1 to 200 characters, the text not 1 to 20000 characters, or the request id
    /// invalid.
    pub fn parse(
        request_id: &str,
        subject: &str,
        text: &str,
    ) -> Result<(RequestId, Self), Vec<Violation>> {
        let mut violations = Violations::default();
        let request_id = violations.take("requestId", RequestId::parse(request_id));
        let issue = Self::taken(&mut violations, subject, text);
        violations.into_result(request_id.zip(issue))
    }

    /// Validates the content of an existing draft, as [`Self::parse`] does.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn parse_content(subject: &str, text: &str) -> Result<Self, Vec<Violation>> {
        let mut violations = Violations::default();
        let issue = Self::taken(&mut violations, subject, text);
        violations.into_result(issue)
    }

    fn taken(violations: &mut Violations, subject: &str, text: &str) -> Option<Self> {
        let subject = violations.take("subject", Line::parse(subject, SUBJECT_CHARS_MAX));
        let text = violations.take("text", Paragraphs::parse(text, TEXT_CHARS_MAX));
        // A longer text is not parsed.
        if let Some(text) = &text {
            for problem in markdown::check(text.as_str()) {
                violations.add("text", problem);
            }
        }
        Some(Self {
            subject: subject?.into_string(),
            text: text?.into_string(),
        })
    }
}

/// A newsletter that is not sent yet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Draft {
    pub id: Uuid,
    pub issue: Issue,
    /// 1 for a new draft; each change adds one.
    pub version: i64,
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
}

/// An issue and the progress of its mails.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Newsletter {
    pub id: Uuid,
    pub issue: Issue,
    /// Number of mails created so far.
    pub mails: i64,
    pub create_time: DateTime<Utc>,
    /// When the last mail was created.
    pub complete_time: Option<DateTime<Utc>>,
    /// When sending was stopped.
    pub stop_time: Option<DateTime<Utc>>,
    /// Number of subscriptions that were ended through the link in this issue.
    pub unsubscribes: i64,
    pub outcomes: Outcomes,
}

impl Newsletter {
    /// Creates a newsletter without mails.
    pub fn new(id: Uuid, issue: Issue, create_time: DateTime<Utc>) -> Self {
        Self {
            id,
            issue,
            mails: 0,
            create_time,
            complete_time: None,
            stop_time: None,
            unsubscribes: 0,
            outcomes: Outcomes::default(),
        }
    }
}

/// Numbers of a newsletter's mails by outcome, for as long as the mails are kept.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Outcomes {
    pub waiting: i64,
    pub sent: i64,
    /// Refused, bounced or expired.
    pub failed: i64,
    /// The subscription had ended, or sending was stopped.
    pub withheld: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_a_confirmation_once_an_hour_and_three_times_a_day() {
        let at = |minutes: i64| {
            DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::minutes(minutes)
        };
        let mut asked = Asked::default();
        let mut times = Vec::new();
        for minute in 0..3 * 24 * 60 {
            if let Some(more) = asked.once_more(at(minute)) {
                times.push(minute);
                assert_eq!(Asked::parse(&more.to_string()), Some(more.clone()));
                asked = more;
            }
        }
        let day = 24 * 60;
        assert_eq!(
            times,
            [
                0,
                60,
                120,
                day,
                day + 60,
                day + 120,
                2 * day,
                2 * day + 60,
                2 * day + 120
            ]
        );
        assert_eq!(Asked::parse("7,x"), None);
    }
}
