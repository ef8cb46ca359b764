//! Leave that a doctor asks for.

use chrono::{DateTime, NaiveDate, Utc};
use service_kit::input::{Line, Violation, Violations, optional};
use uuid::Uuid;

use super::{
    calendar::{parse_date, today},
    roster::{Leave, Roster},
    seats::Resource,
};

/// Maximum length of a doctor's reason and of the answer to it, in characters.
const TEXT_CHARS_MAX: usize = 300;
/// Maximum length of the leave, in days.
const DAYS_MAX: i64 = 366;
/// Maximum waiting requests of a doctor.
pub const WAITING_MAX: i64 = 20;
/// Reason of a granted leave in the roster. The doctor's own reason may be personal, and front desks read the roster.
const LEAVE_REASON: &str = "Requested by the doctor";

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LeaveRequestState {
    Waiting,
    Granted,
    Declined,
    Withdrawn,
}

impl LeaveRequestState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Granted => "granted",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Waiting,
            Self::Granted,
            Self::Declined,
            Self::Withdrawn,
        ]
        .into_iter()
        .find(|state| state.as_str() == text)
    }
}

/// A stored request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LeaveRequest {
    pub id: Uuid,
    pub doctor_id: String,
    /// First and last day, inclusive.
    pub from: NaiveDate,
    pub until: NaiveDate,
    pub reason: String,
    pub state: LeaveRequestState,
    /// Why it was declined; else empty.
    pub answer: String,
    pub version: i64,
    /// The entered leave of a granted request.
    pub leave_id: Option<Uuid>,
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
}

impl LeaveRequest {
    /// Returns the leave that granting the request enters, with a placeholder id.
    pub fn leave(&self) -> Leave {
        Leave {
            id: Uuid::nil(),
            resource: Resource::doctor(&self.doctor_id),
            from: self.from,
            until: self.until,
            reason: LEAVE_REASON.to_owned(),
        }
    }

    /// Returns whether the request was granted and its leave deleted later. Unknown for leave that is over, which the
    /// roster omits.
    pub fn lacks_leave(&self, roster: &Roster, now: DateTime<Utc>) -> bool {
        let has = |id| roster.leaves.iter().any(|leave| leave.id == id);
        self.until >= today(now) && self.leave_id.is_some_and(|id| !has(id))
    }
}

/// Unvalidated input of a doctor.
#[derive(Clone, Debug, Default)]
pub struct LeaveRequestForm {
    pub from: String,
    pub until: String,
    pub reason: String,
}

/// What a doctor asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wanted {
    pub from: NaiveDate,
    pub until: NaiveDate,
    pub reason: String,
}

impl LeaveRequestForm {
    /// Parses every field and reports all violations.
    pub fn parse(&self, now: DateTime<Utc>) -> Result<Wanted, Vec<Violation>> {
        let mut violations = Violations::default();
        let day =
            |text: &str| parse_date(text).ok_or_else(|| "Give the day as YYYY-MM-DD".to_owned());
        let from = day(&self.from).and_then(|from| {
            let is_past = from < today(now);
            (!is_past)
                .then_some(from)
                .ok_or_else(|| "Give a day from today on".to_owned())
        });
        let from = violations.take("from", from);
        let until = day(&self.until).and_then(|until| match from {
            Some(from) if until < from => Err("Give a day that is not before `from`".to_owned()),
            Some(from) if (until - from).num_days() >= DAYS_MAX => {
                Err(format!("Give at most {DAYS_MAX} days"))
            }
            _ => Ok(until),
        });
        let until = violations.take("until", until);
        let reason = optional(Line::parse(&self.reason, TEXT_CHARS_MAX));
        let reason = violations.take("reason", reason);
        match (from, until, reason) {
            (Some(from), Some(until), Some(reason)) => Ok(Wanted {
                from,
                until,
                reason: reason.map(Line::into_string).unwrap_or_default(),
            }),
            _ => Err(violations.into_vec()),
        }
    }
}

/// Parses the answer to a declined request.
pub fn parse_answer(text: &str) -> Result<String, Vec<Violation>> {
    let answer = Line::parse(text, TEXT_CHARS_MAX).map(Line::into_string);
    answer.map_err(|problem| vec![Violation::new("answer", problem.to_string())])
}

/// A decision on a waiting request.
#[derive(Clone, Debug)]
pub enum Ruling {
    /// By the doctor who asked. A request of another doctor is unknown.
    Withdraw {
        doctor_id: String,
    },
    Grant,
    Decline {
        answer: String,
    },
}

impl Ruling {
    /// Returns the action name for the audit log.
    pub fn action(&self) -> &'static str {
        match self {
            Self::Withdraw { .. } => "leave_request.withdraw",
            Self::Grant => "leave_request.grant",
            Self::Decline { .. } => "leave_request.decline",
        }
    }

    pub fn state(&self) -> LeaveRequestState {
        match self {
            Self::Withdraw { .. } => LeaveRequestState::Withdrawn,
            Self::Grant => LeaveRequestState::Granted,
            Self::Decline { .. } => LeaveRequestState::Declined,
        }
    }
}

/// Outcome of a [`Ruling`].
#[derive(Clone, Debug)]
pub enum Ruled {
    Done {
        request: Box<LeaveRequest>,
        /// Booked appointments that the granted leave leaves uncovered, by time.
        affected: Vec<Uuid>,
    },
    NotFound,
    /// Not waiting any more, or another version.
    Changed(LeaveRequestState),
    /// The last day is past.
    Over,
    /// The roster has the maximum number of leaves.
    Full,
}

/// What a request overlaps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Overlap {
    Leave,
    Request,
}

#[cfg(test)]
#[path = "leave_request_tests.rs"]
mod tests;
