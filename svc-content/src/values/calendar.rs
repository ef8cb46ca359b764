//! Dates and times of the content files, in Indian time and notation.

use std::fmt;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, Utc, Weekday};
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
    /// Returns the instant of this time of day in India.
    pub(crate) fn at(self, time: NaiveTime) -> DateTime<Utc> {
        // Without daylight saving, every local time occurs exactly once.
        (self.0.and_time(time) - IST).and_utc()
    }

    /// Returns 10 AM in India, the assumed publication time of a post of that day.
    pub(crate) fn morning(self) -> DateTime<Utc> {
        self.at(NaiveTime::from_hms_opt(10, 0, 0).unwrap_or_default())
    }
}

/// Distinct weekdays, in order from `Mon` to `Sun`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct Weekdays(Vec<String>);

impl TryFrom<Vec<String>> for Weekdays {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Self, String> {
        const ORDER: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let numbers = names
            .iter()
            .map(|name| ORDER.iter().position(|known| known == name));
        let numbers: Option<Vec<usize>> = numbers.collect();
        let is_right = |numbers: &Vec<usize>| numbers.is_sorted_by(|one, next| one < next);
        match numbers.filter(is_right) {
            Some(numbers) if !numbers.is_empty() => Ok(Self(names)),
            _ => Err("must be days from Mon to Sun, each once and in this order".to_owned()),
        }
    }
}

impl From<Weekdays> for Vec<String> {
    fn from(days: Weekdays) -> Self {
        days.0
    }
}

/// A month of a year, `2026-12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Month {
    year: i32,
    /// 1 to 12.
    number: u32,
}

impl TryFrom<String> for Month {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
            .ok_or_else(|| "must be a month from 1979 to 2100 such as 2026-12".to_owned())
    }
}

impl fmt::Display for Month {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{:02}", self.year, self.number)
    }
}

impl Month {
    /// Parses a month; `None` if the text is invalid.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let day = Day::try_from(format!("{text}-01")).ok()?;
        Some(Self::of(day.0))
    }

    /// Returns the current month in India.
    pub(crate) fn in_india(now: DateTime<Utc>) -> Self {
        Self::of(now.with_timezone(&IST).date_naive())
    }

    fn of(day: NaiveDate) -> Self {
        Self {
            year: day.year(),
            number: day.month(),
        }
    }

    /// Adds months; negative values subtract.
    pub(crate) fn plus(self, months: i32) -> Self {
        let months = self.year * 12 + self.number.cast_signed() - 1 + months;
        Self {
            year: months.div_euclid(12),
            number: months.rem_euclid(12).cast_unsigned() + 1,
        }
    }
}

/// A monthly weekday, `first Sat` to `fourth Sat` or `last Sat`. Not every month has a fifth, so that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct MonthlyRule {
    week: Week,
    weekday: Weekday,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Week {
    /// 1 to 4.
    Nth(u8),
    Last,
}

impl TryFrom<String> for MonthlyRule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let week = |word: &str| match word {
            "first" => Some(Week::Nth(1)),
            "second" => Some(Week::Nth(2)),
            "third" => Some(Week::Nth(3)),
            "fourth" => Some(Week::Nth(4)),
            "last" => Some(Week::Last),
            _ => None,
        };
        // Only `Sat`; chrono would also accept `saturday`.
        let weekday = |word: &str| {
            word.parse::<Weekday>()
                .ok()
                .filter(|day| day.to_string() == word)
        };
        text.split_once(' ')
            .and_then(|(one, other)| Some(Self { week: week(one)?, weekday: weekday(other)? }))
            .ok_or_else(|| {
                "must be first, second, third, fourth or last and a day from Mon to Sun, such as first Sat".to_owned()
            })
    }
}

impl MonthlyRule {
    /// Returns the rule's day in a month; `None` outside the supported calendar range.
    pub(crate) fn day_in(self, month: Month) -> Option<Day> {
        let nth = |number| {
            NaiveDate::from_weekday_of_month_opt(month.year, month.number, self.weekday, number)
        };
        match self.week {
            Week::Nth(number) => nth(number),
            Week::Last => nth(5).or_else(|| nth(4)),
        }
        .map(Day)
    }
}

/// A time range within a day, `9:00 AM - 4:00 PM`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeRange {
    text: String,
    pub(crate) start: NaiveTime,
    pub(crate) end: NaiveTime,
}

impl TryFrom<String> for TimeRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let time = |text: &str| NaiveTime::parse_from_str(text, "%I:%M %p").ok();
        text.split_once(" - ")
            .and_then(|(start, end)| Some((time(start)?, time(end)?)))
            .filter(|(start, end)| start < end)
            .map(|(start, end)| Self {
                text: text.clone(),
                start,
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

/// An instant with its offset, `2026-10-22T10:00:00+05:30` (RFC 3339).
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
    fn parses_days_and_times_strictly() {
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
        for bad in [
            "Sat",
            "first Saturday",
            "first sat",
            "fifth Sat",
            "First Sat",
            "first  Sat",
            "",
        ] {
            assert!(MonthlyRule::try_from(bad.to_owned()).is_err(), "{bad}");
        }
        for bad in [
            "2026-13",
            "2026-1",
            "2026-00",
            "2026-12-01",
            "26-12",
            "+2026-1",
            "",
        ] {
            assert!(Month::parse(bad).is_none(), "{bad}");
        }
        for bad in [&["Sunday"][..], &[], &["Tue", "Mon"], &["Mon", "Mon"]] {
            let names = bad
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>();
            assert!(Weekdays::try_from(names).is_err(), "{bad:?}");
        }
        for bad in ["9:00", "24:01", "25:00", "9:00 AM", ""] {
            assert!(bad.parse::<crate::values::ClockTime>().is_err(), "{bad}");
        }
        for good in ["00:00", "09:30", "23:59", "24:00"] {
            assert!(good.parse::<crate::values::ClockTime>().is_ok(), "{good}");
        }
        assert!(Instant::try_from("2026-10-22 10:00".to_owned()).is_err());
        let range = TimeRange::try_from("9:00 AM - 4:00 PM".to_owned()).expect("a range");
        assert_eq!(range.end.to_string(), "16:00:00");
        assert_eq!(range.to_string(), "9:00 AM - 4:00 PM");
    }

    #[test]
    fn a_month_begins_at_midnight_in_india() {
        let month = |text: &str| Month::in_india(text.parse().expect("a time")).to_string();
        assert_eq!(month("2026-11-30T18:29:59Z"), "2026-11");
        assert_eq!(month("2026-11-30T18:30:00Z"), "2026-12");
        assert_eq!(month("2026-12-31T18:30:00Z"), "2027-01");
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        assert_eq!(day("2026-11-21").morning(), at("2026-11-21T04:30:00Z"));
    }

    #[test]
    fn adds_months_across_the_new_year() {
        let month = Month::parse("2026-11").expect("a month");
        let counted = [-11, -10, 0, 1, 2, 14].map(|months| month.plus(months).to_string());
        assert_eq!(
            counted,
            [
                "2025-12", "2026-01", "2026-11", "2026-12", "2027-01", "2028-01"
            ]
        );
    }

    #[test]
    fn a_rule_has_one_day_in_each_month() {
        let on = |rule: &str, month: &str| {
            let rule = MonthlyRule::try_from(rule.to_owned()).expect("a rule");
            let day = rule.day_in(Month::parse(month).expect("a month"));
            String::from(day.expect("a day"))
        };
        assert_eq!(on("first Sat", "2026-11"), "2026-11-07");
        assert_eq!(on("first Sat", "2026-08"), "2026-08-01");
        assert_eq!(on("fourth Sat", "2026-08"), "2026-08-22");
        assert_eq!(on("last Sat", "2026-08"), "2026-08-29");
        assert_eq!(on("last Sun", "2027-02"), "2027-02-28");
        assert_eq!(on("last Fri", "2026-12"), "2026-12-25");
    }
}
