//! Days and times of the content files, as people write them in India.

use std::fmt;

use chrono::{DateTime, Datelike, Days, FixedOffset, NaiveDate, NaiveTime, Utc};
use serde::Deserialize;

/// Indian Standard Time; it has no daylight saving.
pub(crate) const IST: FixedOffset = FixedOffset::east_opt(5 * 3600 + 1800).expect("an offset");

/// A calendar day, `2025-01-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Day(NaiveDate);

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        NaiveDate::parse_from_str(&text, "%Y-%m-%d")
            .ok()
            .filter(|day| day.to_string() == text && (1979..=2100).contains(&day.year()))
            .map(Self)
            .ok_or_else(|| "must be a day from 1979 to 2100 such as 2025-01-15".to_owned())
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.0.to_string()
    }
}

impl Day {
    /// The day in India at a moment.
    pub(crate) fn in_india(now: DateTime<Utc>) -> Self {
        Self(now.with_timezone(&IST).date_naive())
    }

    /// `days` later, then on to the next `weekday` unless it is one.
    pub(crate) fn after(self, days: u16, weekday: Option<Weekday>) -> Self {
        let day = self.0 + Days::new(days.into());
        let ahead = weekday.map_or(0, |weekday| {
            (7 + weekday.0.num_days_from_monday() - day.weekday().num_days_from_monday()) % 7
        });
        Self(day + Days::new(ahead.into()))
    }

    /// The moment in India.
    pub(crate) fn at(self, time: NaiveTime) -> DateTime<Utc> {
        // An offset without daylight saving has every local time exactly once.
        (self.0.and_time(time) - IST).and_utc()
    }

    /// Ten in the morning in India: when a post of that day is said to have appeared.
    pub(crate) fn morning(self) -> DateTime<Utc> {
        self.at(NaiveTime::from_hms_opt(10, 0, 0).unwrap_or_default())
    }
}

/// `Mon` to `Sun`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Weekday(chrono::Weekday);

impl TryFrom<String> for Weekday {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse::<chrono::Weekday>() {
            Ok(day) if day.to_string() == text => Ok(Self(day)),
            _ => Err("must be Mon, Tue, Wed, Thu, Fri, Sat or Sun".to_owned()),
        }
    }
}

/// From one time of a day to a later one, `9:00 AM - 4:00 PM`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeRange {
    text: String,
    pub(crate) end: NaiveTime,
}

impl TryFrom<String> for TimeRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let time = |text: &str| NaiveTime::parse_from_str(text, "%I:%M %p").ok();
        text.split_once(" - ")
            .and_then(|(start, end)| Some((time(start)?, time(end)?)))
            .filter(|(start, end)| start < end)
            .map(|(_, end)| Self {
                text: text.clone(),
                end,
            })
            .ok_or_else(|| "must be two times such as 9:00 AM - 4:00 PM".to_owned())
    }
}

impl fmt::Display for TimeRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// A moment with its offset, `2026-10-22T10:00:00+05:30` (RFC 3339).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Instant(pub(crate) DateTime<Utc>);

impl TryFrom<String> for Instant {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        DateTime::parse_from_rfc3339(&text)
            .map(|time| Self(time.to_utc()))
            .map_err(|_| "must be a time such as 2026-10-22T10:00:00+05:30".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::try_from(text.to_owned()).expect("a day")
    }

    #[test]
    fn days_and_times_are_read_strictly() {
        for bad in ["2025-1-15", "2025-02-30", "15.01.2025", "1900-01-01", ""] {
            assert!(Day::try_from(bad.to_owned()).is_err(), "{bad}");
        }
        for bad in [
            "9:00 AM",
            "9 - 10",
            "4:00 PM - 9:00 AM",
            "25:00 AM - 1:00 PM",
        ] {
            assert!(TimeRange::try_from(bad.to_owned()).is_err(), "{bad}");
        }
        for bad in ["Saturday", "sat", "", "Sa"] {
            assert!(Weekday::try_from(bad.to_owned()).is_err(), "{bad}");
        }
        assert!(Instant::try_from("2026-10-22 10:00".to_owned()).is_err());
        let range = TimeRange::try_from("9:00 AM - 4:00 PM".to_owned()).expect("a range");
        assert_eq!(range.end.to_string(), "16:00:00");
        assert_eq!(range.to_string(), "9:00 AM - 4:00 PM");
    }

    #[test]
    fn a_day_begins_at_midnight_in_india() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        assert_eq!(Day::in_india(at("2026-11-21T18:29:59Z")), day("2026-11-21"));
        assert_eq!(Day::in_india(at("2026-11-21T18:30:00Z")), day("2026-11-22"));
        assert_eq!(day("2026-11-21").morning(), at("2026-11-21T04:30:00Z"));
    }

    #[test]
    fn days_ahead_move_on_to_their_weekday() {
        // A Saturday.
        let today = day("2026-11-21");
        let on = |days, weekday: &str| {
            let weekday = Weekday::try_from(weekday.to_owned()).expect("a weekday");
            String::from(today.after(days, Some(weekday)))
        };
        assert_eq!(on(0, "Sat"), "2026-11-21");
        assert_eq!(on(1, "Sat"), "2026-11-28");
        assert_eq!(on(5, "Sat"), "2026-11-28");
        assert_eq!(on(9, "Wed"), "2026-12-02");
        assert_eq!(String::from(today.after(10, None)), "2026-12-01");
    }
}
