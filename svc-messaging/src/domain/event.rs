//! Events of the hospital, as the content service announces them.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, Utc};

use super::EVENT_ID_CHARS_MAX;

/// Asia/Kolkata has had one offset since 1945.
const INDIA: FixedOffset = FixedOffset::east_opt(5 * 3600 + 30 * 60).expect("an offset");
/// Longest title and location, in characters: above the limits of the content service.
const LINE_CHARS_MAX: usize = 200;
/// Longest reason of a cancellation, in characters.
const REASON_CHARS_MAX: usize = 300;
/// Maximum places of an event.
const PLACES_MAX: i32 = 10_000;

/// An event that people can register for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Event {
    pub id: String,
    pub title: String,
    pub location: String,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    /// 0: no limit.
    pub places: i32,
    /// Why it does not take place. Empty: it does.
    pub cancelled: String,
}

/// Texts of an event before they are checked.
#[derive(Clone, Copy, Debug)]
pub struct Announced<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub location: &'a str,
    /// YYYY-MM-DD.
    pub date: &'a str,
    /// `9:00 AM - 4:00 PM`, in India.
    pub time: &'a str,
    pub places: i32,
    pub cancelled: &'a str,
}

impl Event {
    /// Reads an event. `None` if a value is none that the content service allows.
    pub fn read(announced: Announced<'_>) -> Option<Self> {
        let date = NaiveDate::parse_from_str(announced.date, "%Y-%m-%d").ok()?;
        let (start, end) = announced.time.split_once(" - ")?;
        let at = |clock: &str| {
            let time = NaiveTime::parse_from_str(clock, "%I:%M %p").ok()?;
            Some((date.and_time(time) - INDIA).and_utc())
        };
        let (starts_at, ends_at) = (at(start)?, at(end)?);
        let is_line = |text: &str, most: usize| {
            text.chars().count() <= most && !text.chars().any(char::is_control)
        };
        let is_sound = (1..=EVENT_ID_CHARS_MAX).contains(&announced.id.len())
            && starts_at < ends_at
            && (0..=PLACES_MAX).contains(&announced.places)
            && is_line(announced.id, EVENT_ID_CHARS_MAX)
            && is_line(announced.title, LINE_CHARS_MAX)
            && is_line(announced.location, LINE_CHARS_MAX)
            && is_line(announced.cancelled, REASON_CHARS_MAX);
        is_sound.then(|| Self {
            id: announced.id.to_owned(),
            title: announced.title.to_owned(),
            location: announced.location.to_owned(),
            starts_at,
            ends_at,
            places: announced.places,
            cancelled: announced.cancelled.to_owned(),
        })
    }
}

/// Why a registration gets no place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum NoPlace {
    Full { left: i32 },
    Cancelled,
    Over,
}

impl NoPlace {
    /// Returns the reason of the API, and the text for the visitor.
    pub fn words(&self) -> (&'static str, String) {
        match self {
            Self::Full { left } if *left > 0 => {
                let places = if *left == 1 { "place is" } else { "places are" };
                let text = format!("Only {left} {places} left. Please choose fewer people.");
                ("EVENT_FULL", text)
            }
            Self::Full { .. } => (
                "EVENT_FULL",
                "This event is full: all places are taken.".to_owned(),
            ),
            Self::Cancelled => (
                "EVENT_CANCELLED",
                "This event is cancelled. Registration is closed.".to_owned(),
            ),
            Self::Over => (
                "EVENT_OVER",
                "This event is over. Registration is closed.".to_owned(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announced() -> Announced<'static> {
        Announced {
            id: "heart-day-2026-12",
            title: "Heart day",
            location: "Hall",
            date: "2026-12-05",
            time: "9:00 AM - 4:00 PM",
            places: 40,
            cancelled: "",
        }
    }

    #[test]
    fn reads_times_of_india_and_refuses_unsound_values() {
        let event = Event::read(announced()).expect("an event");
        assert_eq!(event.starts_at.to_rfc3339(), "2026-12-05T03:30:00+00:00");
        assert_eq!(event.ends_at.to_rfc3339(), "2026-12-05T10:30:00+00:00");
        let long = "x".repeat(301);
        for wrong in [
            Announced {
                id: "",
                ..announced()
            },
            Announced {
                date: "soon",
                ..announced()
            },
            Announced {
                time: "9:00 AM",
                ..announced()
            },
            Announced {
                time: "4:00 PM - 9:00 AM",
                ..announced()
            },
            Announced {
                places: -1,
                ..announced()
            },
            Announced {
                title: "a\r\nBcc: b",
                ..announced()
            },
            Announced {
                cancelled: &long,
                ..announced()
            },
        ] {
            assert_eq!(Event::read(wrong), None, "{wrong:?}");
        }
    }
}
