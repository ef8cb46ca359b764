//! Days and times: the hospital's time zone, its 18 slots, and the limits on bookable days and slots.

use chrono::{DateTime, Days, FixedOffset, NaiveDate, NaiveTime, TimeDelta, Timelike as _, Utc};

/// Time zone name in every response; visitors see 'IST'.
pub const TIME_ZONE: &str = "Asia/Kolkata";
/// Asia/Kolkata: +05:30 without daylight saving since 1945, so no time zone database is needed.
pub const IST: FixedOffset = FixedOffset::east_opt(5 * 3600 + 30 * 60).unwrap();
/// Number of days after today that can be booked.
pub const DAYS_AHEAD_MAX: u64 = 60;
/// Minimum notice, in minutes. The desk needs this time to prepare, so a nearer slot cannot be booked.
pub const NOTICE_MINUTES_MIN: i64 = 60;
/// Number of slots per day.
pub const SLOTS_PER_DAY: u16 = 18;
/// Length of a slot, in minutes.
pub const SLOT_MINUTES: u16 = 30;
const MORNING_START_MINUTES: u16 = 9 * 60;
const MORNING_SLOTS: u16 = 8;
const AFTERNOON_START_MINUTES: u16 = 14 * 60;

/// One of the 18 times of a day: 9:00 AM to 12:30 PM and 2:00 PM to 6:30 PM, every 30 minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotTime(u16);

impl SlotTime {
    /// All times of a day, earliest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SLOTS_PER_DAY).map(Self)
    }

    /// Parses `9:00 AM` or `09:00`; returns `None` for any other time than the 18.
    pub fn parse(text: &str) -> Option<Self> {
        Self::at(parse_time(text)?)
    }

    /// Returns the slot that starts at a time.
    pub fn at(time: NaiveTime) -> Option<Self> {
        Self::all().find(|slot| slot.time() == time)
    }

    /// Returns the local time at which the slot starts.
    pub fn time(self) -> NaiveTime {
        let minutes = if self.0 < MORNING_SLOTS {
            MORNING_START_MINUTES + self.0 * SLOT_MINUTES
        } else {
            AFTERNOON_START_MINUTES + (self.0 - MORNING_SLOTS) * SLOT_MINUTES
        };
        time_of(minutes)
    }

    /// Returns the label of the specification, for example `9:00 AM`.
    pub fn label(self) -> String {
        time_label(self.time())
    }

    /// Returns the moment at which the slot starts on a day.
    pub fn on(self, date: NaiveDate) -> DateTime<Utc> {
        start_of(date) + (self.time() - NaiveTime::MIN)
    }
}

/// Parses `9:00 AM`, `9:00am` or `09:00`.
pub(crate) fn parse_time(text: &str) -> Option<NaiveTime> {
    let text = text.trim().to_ascii_uppercase();
    ["%I:%M %p", "%I:%M%p", "%H:%M"]
        .iter()
        .find_map(|format| NaiveTime::parse_from_str(&text, format).ok())
}

/// Returns the whole minutes after midnight.
pub fn minutes_of(time: NaiveTime) -> u16 {
    // A day has 1440 minutes, which fit.
    u16::try_from(time.num_seconds_from_midnight() / 60).unwrap_or(u16::MAX)
}

/// Returns the time this many minutes after midnight.
pub fn time_of(minutes: u16) -> NaiveTime {
    NaiveTime::MIN + TimeDelta::minutes(i64::from(minutes))
}

/// Formats a time, for example `2:30 PM`.
pub fn time_label(time: NaiveTime) -> String {
    time.format("%-I:%M %p").to_string()
}

/// Formats a date, for example `26 January 2027`.
pub fn date_label(date: NaiveDate) -> String {
    date.format("%-d %B %Y").to_string()
}

/// Parses `YYYY-MM-DD` strictly.
pub(crate) fn parse_date(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    // Four digits of year only: arithmetic on later years could overflow.
    (text.len() == 10 && date.to_string() == text).then_some(date)
}

/// Returns the moment at which a day starts in Asia/Kolkata.
pub fn start_of(date: NaiveDate) -> DateTime<Utc> {
    date.and_time(NaiveTime::MIN).and_utc() - TimeDelta::seconds(i64::from(IST.local_minus_utc()))
}

/// Returns the current day in Asia/Kolkata.
pub fn today(now: DateTime<Utc>) -> NaiveDate {
    now.with_timezone(&IST).date_naive()
}

/// Returns the last bookable day.
pub fn last_day(now: DateTime<Utc>) -> NaiveDate {
    today(now)
        .checked_add_days(Days::new(DAYS_AHEAD_MAX))
        .unwrap_or(NaiveDate::MAX)
}

/// How late a slot can be booked.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Lead {
    /// Online: with the minimum notice.
    #[default]
    Online,
    /// At the desk: until the slot ends. A person at the desk takes the running slot.
    Desk,
}

impl Lead {
    /// Returns whether a slot can still be booked.
    pub fn allows(self, starts_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        match self {
            Self::Online => leaves_notice(starts_at, now),
            Self::Desk => now < starts_at + TimeDelta::minutes(SLOT_MINUTES.into()),
        }
    }
}

/// Returns whether the slot leaves the minimum notice.
pub fn leaves_notice(starts_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    starts_at - now >= TimeDelta::minutes(NOTICE_MINUTES_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_the_eighteen_times_of_the_specification() {
        let labels: Vec<String> = SlotTime::all().map(SlotTime::label).collect();
        assert_eq!(
            labels.join(", "),
            "9:00 AM, 9:30 AM, 10:00 AM, 10:30 AM, 11:00 AM, 11:30 AM, 12:00 PM, 12:30 PM, \
             2:00 PM, 2:30 PM, 3:00 PM, 3:30 PM, 4:00 PM, 4:30 PM, 5:00 PM, 5:30 PM, 6:00 PM, 6:30 PM"
        );
    }

    #[test]
    fn times_are_parsed_in_both_notations_and_must_be_slots() {
        for slot in SlotTime::all() {
            assert_eq!(SlotTime::parse(&slot.label()), Some(slot));
            let clock = slot.time().format("%H:%M").to_string();
            assert_eq!(SlotTime::parse(&clock), Some(slot));
        }
        assert_eq!(SlotTime::parse(" 9:00 am "), SlotTime::parse("09:00"));
        for refused in [
            "", "1:00 PM", "8:30 AM", "7:00 PM", "9:15 AM", "25:00", "noon",
        ] {
            assert_eq!(SlotTime::parse(refused), None, "{refused}");
        }
    }

    #[test]
    fn slots_start_in_indian_standard_time() {
        let date = NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date");
        let slot = SlotTime::parse("9:00 AM").expect("a slot");
        assert_eq!(slot.on(date).to_rfc3339(), "2026-11-23T03:30:00+00:00");
        assert_eq!(today(start_of(date)), date);
        assert_eq!(
            today(start_of(date) - TimeDelta::seconds(1)),
            date.pred_opt().expect("a date")
        );
    }

    #[test]
    fn the_desk_books_until_a_slot_ends() {
        let date = NaiveDate::from_ymd_opt(2026, 11, 23).expect("a date");
        let starts_at = SlotTime::parse("9:00 AM").expect("a slot").on(date);
        for (minutes, online, desk) in [
            (-60, true, true),
            (-59, false, true),
            (0, false, true),
            (29, false, true),
            (30, false, false),
        ] {
            let now = starts_at + TimeDelta::minutes(minutes);
            let allowed = [Lead::Online, Lead::Desk].map(|lead| lead.allows(starts_at, now));
            assert_eq!(allowed, [online, desk], "{minutes} minutes after the start");
        }
    }

    #[test]
    fn dates_are_parsed_in_one_notation() {
        assert!(parse_date("2026-11-23").is_some());
        for refused in ["2026-1-3", "23-11-2026", "2026-02-30", "", "+2026-11-23"] {
            assert_eq!(parse_date(refused), None, "{refused}");
        }
    }
}
