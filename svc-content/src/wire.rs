//! Between the types of the contracts and those of the program.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use prost_types::Timestamp;

pub(crate) fn timestamp(time: DateTime<Utc>) -> Timestamp {
    SystemTime::from(time).into()
}

/// `None` for what is no time.
pub(crate) fn time(timestamp: &Timestamp) -> Option<DateTime<Utc>> {
    let nanos = u32::try_from(timestamp.nanos).ok()?;
    DateTime::from_timestamp(timestamp.seconds, nanos)
}
