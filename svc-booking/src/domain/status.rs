//! The status of an appointment.

/// Status of an appointment; staff advance it. See the specification's table of states.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    Booked,
    Arrived,
    Completed,
    Cancelled,
    NoShow,
}

impl Status {
    pub const ALL: [Self; 5] = [
        Self::Booked,
        Self::Arrived,
        Self::Completed,
        Self::Cancelled,
        Self::NoShow,
    ];

    /// Returns the word that the database stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Arrived => "arrived",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::NoShow => "no_show",
        }
    }

    /// Returns whether staff have seen the patient.
    pub fn is_at_desk(self) -> bool {
        matches!(self, Self::Arrived | Self::Completed)
    }

    /// Returns whether `next` is allowed: booked → arrived → completed; booked → cancelled or no show.
    pub fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Booked, Self::Arrived | Self::Cancelled | Self::NoShow)
                | (Self::Arrived, Self::Completed)
        )
    }

    /// Parses a word of the database; returns `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}
