//! Clock and randomness as parameters, so that rules that depend on them can be tested. The real ones exist only here.

use std::{fmt::Debug, sync::Mutex};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Source of the current time.
pub trait Clock: Debug + Send + Sync {
    /// Returns the current time.
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

/// A clock that does not advance until set; for tests.
#[derive(Debug)]
pub struct FixedClock(Mutex<DateTime<Utc>>);

impl FixedClock {
    /// Creates a clock fixed at `at`.
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

/// Generator of identifiers.
pub trait Ids: Debug + Send + Sync {
    /// Returns a new unique identifier. It does not reveal its creation time.
    fn uuid(&self) -> Uuid;

    /// Returns a new identifier that sorts by its millisecond of creation (version 7). Rows written together are
    /// adjacent in every index that begins with it, so a database writes fewer pages. The identifier reveals its
    /// creation time.
    fn uuid_at(&self, now: DateTime<Utc>) -> Uuid {
        let millis = u64::try_from(now.timestamp_millis()).unwrap_or_default();
        let random = self.uuid().into_bytes();
        let mut rest = [0; 10];
        // In a version 4 UUID, the first six and the last seven bytes are fully random.
        rest[..3].copy_from_slice(&random[..3]);
        rest[3..].copy_from_slice(&random[9..]);
        uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
    }
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_sort_by_time_and_are_unique() {
        let at = |millis| RandomIds.uuid_at(DateTime::from_timestamp_millis(millis).unwrap());
        assert!(at(1_795_000_000_000) < at(1_795_000_000_001));
        assert_eq!(at(1_795_000_000_000).get_version_num(), 7);
        let given: HashSet<_> = (0..1000).map(|_| at(1_795_000_000_000)).collect();
        assert_eq!(given.len(), 1000);
    }
}
