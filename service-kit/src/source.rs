//! Time and randomness are passed in, so that rules that depend on them can be tested. The real ones live only here.

use std::{fmt::Debug, sync::Mutex};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Reads the time.
pub trait Clock: Debug + Send + Sync {
    /// The present moment.
    fn now(&self) -> DateTime<Utc>;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the machine's clock"
    )]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// A clock that stands still until it is set; for tests.
#[derive(Debug)]
pub struct FixedClock(Mutex<DateTime<Utc>>);

impl FixedClock {
    /// A clock that stands at `at`.
    pub fn new(at: DateTime<Utc>) -> Self {
        Self(Mutex::new(at))
    }

    /// Sets the clock to `at`.
    pub fn set(&self, at: DateTime<Utc>) {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = at;
    }
}

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Makes identifiers.
pub trait Ids: Debug + Send + Sync {
    /// A new identifier, never given before.
    fn uuid(&self) -> Uuid;
}

/// Random (version 4) identifiers from the operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that makes random ids"
    )]
    fn uuid(&self) -> Uuid {
        Uuid::new_v4()
    }
}
