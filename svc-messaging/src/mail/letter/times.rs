//! Dates and times as shown to people, in the hospital's time zone.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};

const INDIA_SECONDS: i32 = 5 * 3600 + 30 * 60;

fn india(time: DateTime<Utc>) -> DateTime<FixedOffset> {
    // India has had a single UTC offset since 1945.
    match FixedOffset::east_opt(INDIA_SECONDS) {
        Some(offset) => time.with_timezone(&offset),
        None => time.fixed_offset(),
    }
}

/// Formats a time, for example `Monday 24 November 2026, 10:30 AM IST`.
pub fn date_time(time: DateTime<Utc>) -> String {
    india(time)
        .format("%A %-d %B %Y, %-I:%M %p IST")
        .to_string()
}

/// Formats a time, for example `Mon 24 Nov, 10:30 AM IST`.
pub fn short_date_time(time: DateTime<Utc>) -> String {
    india(time).format("%a %-d %b, %-I:%M %p IST").to_string()
}

/// Formats a time, for example `10:30 AM IST`.
pub(super) fn clock_time(time: DateTime<Utc>) -> String {
    india(time).format("%-I:%M %p IST").to_string()
}

/// Formats a date, for example `Monday 24 November 2026`.
pub(super) fn date(date: NaiveDate) -> String {
    date.format("%A %-d %B %Y").to_string()
}
