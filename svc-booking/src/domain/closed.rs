//! Reasons why a day cannot be booked: a code for programs and a text in English.

use std::fmt;

use chrono::{NaiveDate, Weekday};
use service_kit::input::Rejection;

use super::calendar::{DAYS_AHEAD_MAX, date_label};

/// Why a day cannot be booked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Closed {
    /// Before today.
    Past,
    /// After `last`, the last day that can be booked.
    TooFar {
        last: NaiveDate,
    },
    Sunday,
    /// A holiday with this name.
    Holiday(String),
    /// No session of this department takes place.
    NobodyOnDuty {
        department: String,
    },
    /// The doctor has no session on this weekday.
    NoSitting(Weekday),
    /// The doctor is on leave.
    DoctorAway,
    /// The department takes no online bookings (Emergency): its visitors must not fill in a form.
    CallInstead,
    /// Every time is taken.
    Full,
    /// The remaining times of today are below the minimum notice.
    Ended,
}

impl Closed {
    /// Returns the last day or the holiday's name, for codes that have one.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::TooFar { last } => Some(last.to_string()),
            Self::Holiday(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// Returns the code's name without its prefix.
    fn reason(&self) -> &'static str {
        match self {
            Self::Past => "PAST",
            Self::TooFar { .. } => "TOO_FAR",
            Self::Sunday => "SUNDAY",
            Self::Holiday(_) => "HOLIDAY",
            Self::NobodyOnDuty { .. } => "NOBODY_ON_DUTY",
            Self::NoSitting(_) => "NO_SITTING",
            Self::DoctorAway => "DOCTOR_AWAY",
            Self::CallInstead => "CALL_INSTEAD",
            Self::Full => "FULL",
            Self::Ended => "ENDED",
        }
    }
}

impl From<Closed> for Rejection {
    fn from(closed: Closed) -> Self {
        Self::new(closed.reason(), closed.to_string())
    }
}

/// The text for visitors.
impl fmt::Display for Closed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Past => formatter.write_str("This day has passed. Choose today or a later day."),
            Self::TooFar { last } => write!(
                formatter,
                "Booking opens {DAYS_AHEAD_MAX} days ahead. Choose a day up to {}.",
                date_label(*last)
            ),
            Self::Sunday => {
                formatter.write_str("Closed on Sundays. Choose a day from Monday to Saturday.")
            }
            Self::Holiday(name) => write!(formatter, "Closed for {name}. Choose another day."),
            Self::NobodyOnDuty { department } => write!(
                formatter,
                "No one sees patients in {department} on this day. Choose another day or a doctor."
            ),
            Self::NoSitting(weekday) => write!(
                formatter,
                "This doctor does not see patients on {}s. Choose another day or another doctor.",
                weekday_name(*weekday)
            ),
            Self::DoctorAway => formatter.write_str(
                "This doctor is on leave on this day. Choose another day or another doctor.",
            ),
            Self::CallInstead => formatter.write_str(
                "You can't book emergency care online. Call the 24/7 emergency number now \
                 or come straight to the hospital.",
            ),
            Self::Full => {
                formatter.write_str("All times on this day are taken. Choose another day.")
            }
            Self::Ended => {
                formatter.write_str("Online booking for this day has ended. Choose a later day.")
            }
        }
    }
}

fn weekday_name(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "Monday",
        Weekday::Tue => "Tuesday",
        Weekday::Wed => "Wednesday",
        Weekday::Thu => "Thursday",
        Weekday::Fri => "Friday",
        Weekday::Sat => "Saturday",
        Weekday::Sun => "Sunday",
    }
}
