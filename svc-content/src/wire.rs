//! Between the types of the contracts and those of the program.

use chrono::{DateTime, Utc};
use prost_types::Timestamp;

pub(crate) fn timestamp(time: DateTime<Utc>) -> Timestamp {
    Timestamp {
        seconds: time.timestamp(),
        // Below a thousand million, but chrono counts a leap second beyond it.
        nanos: time.timestamp_subsec_nanos().min(999_999_999).cast_signed(),
    }
}

/// `None` for what is no time.
pub(crate) fn time(timestamp: &Timestamp) -> Option<DateTime<Utc>> {
    let nanos = u32::try_from(timestamp.nanos).ok()?;
    DateTime::from_timestamp(timestamp.seconds, nanos)
}
