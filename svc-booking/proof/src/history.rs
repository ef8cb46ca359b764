//! What every client asked for and was answered, and when.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::{rows::Rows, world::Place};

/// Microseconds since the history began.
pub type Micros = u64;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Keep a time while a form is filled in. Each tab of a browser has one hold.
    Hold { place: Place, tab: usize },
    /// Give a hold back.
    Release { hold: Uuid },
    /// Book. Calls with the same `key` are one intended booking, repeated.
    Create {
        key: usize,
        person: usize,
        place: Place,
        hold: Option<Uuid>,
    },
    /// Read an appointment by its patient's secret.
    Read { appointment: Uuid, secret: String },
    /// Open the link of a mail about an appointment, which proves its address.
    Prove { appointment: Uuid, secret: String },
    /// Calls with the same `key` are one intended move, repeated.
    Move {
        key: usize,
        appointment: Uuid,
        secret: String,
        version: i64,
        place: Place,
    },
    /// `secret` empty: by staff.
    Cancel {
        appointment: Uuid,
        secret: String,
        version: i64,
    },
    /// Staff enter leave of a whole day.
    Leave { resource: String, day: NaiveDate },
    /// Staff remove it.
    EndLeave { leave: Uuid },
    /// Wait for a time of a full day.
    Join {
        key: usize,
        person: usize,
        department: String,
        day: NaiveDate,
    },
    /// Look for an offer; `by_mail`: with the link of a mail, which proves the address.
    Look { entry: Uuid, by_mail: bool },
    /// Book the time that is offered.
    Accept { entry: Uuid },
    /// Leave the list.
    Quit { entry: Uuid },
}

/// An appointment as it was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub id: Uuid,
    pub reference: String,
    pub version: i64,
    pub is_booked: bool,
    pub department: String,
    pub starts_at: DateTime<Utc>,
    /// Empty unless the answer gives a new one.
    pub secret: String,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Acknowledged.
    Appointment(Shown),
    Held {
        hold: Uuid,
        /// Wall clock.
        expire_time: DateTime<Utc>,
    },
    /// Leave is entered; these appointments are at its time.
    Affected {
        leave: Uuid,
        appointments: Vec<Uuid>,
    },
    /// An entry of the waitlist, and whether it has an offer.
    Entry {
        entry: Uuid,
        is_offered: bool,
    },
    Done,
    /// A promise that nothing was changed.
    Refused {
        reason: String,
    },
    /// No answer came: it may have been done, now or later, or not.
    Unknown {
        why: String,
    },
}

impl Outcome {
    /// Whether it may have changed anything.
    pub fn may_have_happened(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }

    /// The appointment of an acknowledged call.
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

/// The rows of the database at some moment between two.
#[derive(Clone, Debug)]
pub struct Sight {
    pub from: Micros,
    pub until: Micros,
    /// Wall clock.
    pub time: DateTime<Utc>,
    pub rows: Rows,
}

/// Everything that was recorded.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub calls: Vec<Call>,
    pub sights: Vec<Sight>,
    /// Wall clock at 0.
    pub began: DateTime<Utc>,
}

impl History {
    /// Where a moment of the wall clock is in the history; 0 when it is before.
    pub fn micros(&self, moment: DateTime<Utc>) -> Micros {
        let since = (moment - self.began).num_microseconds().unwrap_or_default();
        Micros::try_from(since).unwrap_or_default()
    }
}

/// Where clients write down what they do.
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

    /// Time since the beginning.
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

    /// What was recorded until now.
    pub fn history(&self) -> History {
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.clone()
    }
}
