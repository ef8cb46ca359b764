//! The status of an appointment.

/// Status of an appointment; staff advance it. See the specification's table of states.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    Booked,
    Arrived,
    /// With the doctor. Stored as arrived with a time, so that older builds can read it.
    InConsultation,
    Completed,
    Cancelled,
    NoShow,
}

impl Status {
    pub const ALL: [Self; 6] = [
        Self::Booked,
        Self::Arrived,
        Self::InConsultation,
        Self::Completed,
        Self::Cancelled,
        Self::NoShow,
    ];

    /// Returns the word for filters and for the history of appointments.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Arrived => "arrived",
            Self::InConsultation => "in_consultation",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::NoShow => "no_show",
        }
    }

    /// Returns the status that the database stores, and that everyone but staff gets.
    #[must_use]
    pub fn public(self) -> Self {
        match self {
            Self::InConsultation => Self::Arrived,
            other => other,
        }
    }

    /// Returns whether staff have seen the patient.
    pub fn is_at_desk(self) -> bool {
        matches!(self, Self::Arrived | Self::InConsultation | Self::Completed)
    }

    /// Returns whether `next` is allowed: booked → arrived → in consultation → completed; arrived → completed; booked →
    /// cancelled or no show.
    pub fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Booked, Self::Arrived | Self::Cancelled | Self::NoShow)
                | (Self::Arrived, Self::InConsultation | Self::Completed)
                | (Self::InConsultation, Self::Completed)
        )
    }

    /// Parses the word of a status; returns `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}
