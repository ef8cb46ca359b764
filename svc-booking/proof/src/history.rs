//! Timed record of every client's requests and responses.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::{rows::Rows, world::Place};

/// Microseconds since the history began.
pub type Micros = u64;

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Holds a slot while a form is filled in. Each tab of a browser has one hold.
    Hold { place: Place, tab: usize },
    /// Releases a hold.
    Release { hold: Uuid },
    /// Books. Calls with the same `key` are retries of one booking.
    Create {
        key: usize,
        person: usize,
        place: Place,
        hold: Option<Uuid>,
    },
    /// Reads an appointment with its patient's secret.
    Read { appointment: Uuid, secret: String },
    /// Opens the link of a mail about an appointment, which proves its address.
    Prove { appointment: Uuid, secret: String },
    /// Moves an appointment. Calls with the same `key` are retries of one move.
    Move {
        key: usize,
        appointment: Uuid,
        secret: String,
        version: i64,
        place: Place,
    },
    /// Cancels an appointment; an empty `secret` means by staff.
    Cancel {
        appointment: Uuid,
        secret: String,
        version: i64,
    },
    /// Enters leave of a whole day, by staff.
    Leave { resource: String, day: NaiveDate },
    /// Deletes a leave, by staff.
    EndLeave { leave: Uuid },
    /// Joins the waitlist of a full day.
    Join {
        key: usize,
        person: usize,
        department: String,
        day: NaiveDate,
    },
    /// Checks for an offer. `by_mail`: with the link of a mail, which proves the address.
    Look { entry: Uuid, by_mail: bool },
    /// Accepts the offered time.
    Accept { entry: Uuid },
    /// Leaves the waitlist.
    Quit { entry: Uuid },
}

/// An appointment as returned in a response.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub id: Uuid,
    pub reference: String,
    pub version: i64,
    pub is_booked: bool,
    pub department: String,
    pub starts_at: DateTime<Utc>,
    /// Empty unless the response contains a new one.
    pub secret: String,
}

/// Result of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Acknowledged, with the present appointment.
    Appointment(Shown),
    Held {
        hold: Uuid,
        /// Wall clock.
        expire_time: DateTime<Utc>,
    },
    /// Leave was entered; these appointments are affected.
    Affected {
        leave: Uuid,
        appointments: Vec<Uuid>,
    },
    /// A waitlist entry, and whether it has an offer.
    Entry {
        entry: Uuid,
        is_offered: bool,
    },
    Done,
    /// Guarantees that nothing was changed.
    Refused {
        reason: String,
    },
    /// No response: the call may be executed now, later, or never.
    Unknown {
        why: String,
    },
}

impl Outcome {
    /// Returns whether the call may have changed anything.
    pub fn may_have_happened(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }

    /// Returns the appointment of an acknowledged call.
    pub fn appointment(&self) -> Option<&Shown> {
        match self {
            Self::Appointment(shown) => Some(shown),
            _ => None,
        }
    }
}

/// One call of one client.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub client: usize,
    pub invoked: Micros,
    pub completed: Micros,
    pub operation: Operation,
    pub outcome: Outcome,
}

/// A snapshot of the database's rows, taken at some moment between `from` and `until`.
#[derive(Clone, Debug)]
pub struct Sight {
    pub from: Micros,
    pub until: Micros,
    /// Wall clock.
    pub time: DateTime<Utc>,
    pub rows: Rows,
}

/// Everything recorded in a trial.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub calls: Vec<Call>,
    pub sights: Vec<Sight>,
    /// Wall clock at 0.
    pub began: DateTime<Utc>,
}

impl History {
    /// Converts a wall-clock time to history time; 0 if it is earlier than the start.
    pub fn micros(&self, moment: DateTime<Utc>) -> Micros {
        let since = (moment - self.began).num_microseconds().unwrap_or_default();
        Micros::try_from(since).unwrap_or_default()
    }
}

/// Collects the calls and snapshots of a trial.
#[derive(Debug)]
pub struct Recorder {
    began: Instant,
    history: Mutex<History>,
}

impl Recorder {
    pub fn new(began: DateTime<Utc>) -> Self {
        Self {
            began: Instant::now(),
            history: Mutex::new(History {
                began,
                ..History::default()
            }),
        }
    }

    /// Returns the time since the start.
    pub fn now(&self) -> Micros {
        Micros::try_from(self.began.elapsed().as_micros()).unwrap_or(Micros::MAX)
    }

    pub fn call(&self, call: Call) {
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.calls.push(call);
    }

    pub fn sight(&self, sight: Sight) {
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.sights.push(sight);
    }

    /// Returns a copy of the history so far.
    pub fn history(&self) -> History {
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.clone()
    }
}
