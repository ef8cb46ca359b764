//! Proof of an address: whether the person of an appointment or waitlist entry has shown that its e-mail address is
//! theirs.
//!
//! Anyone can type someone else's address. Limits per person therefore count proven rows only, and apply only to
//! callers who have proven the address. Other callers get the same response whether or not the person is known. They
//! are limited per network instead.

/// How an address was proven.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Proof {
    #[default]
    Unproven,
    /// The link of a mail to this address was opened.
    Link,
    /// The code of a mail to this address was entered.
    Code,
    /// Staff saw or spoke to the person.
    Desk,
}

impl Proof {
    const ALL: [Self; 4] = [Self::Unproven, Self::Link, Self::Code, Self::Desk];

    /// Returns the word that the database stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unproven => "unproven",
            Self::Link => "link",
            Self::Code => "code",
            Self::Desk => "desk",
        }
    }

    /// Parses a word of the database; returns `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proof| proof.as_str() == word)
    }

    pub fn is_proven(self) -> bool {
        self != Self::Unproven
    }
}

/// Authentication of the caller of a request about one person's row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Caller {
    Staff,
    /// Holds a secret that was only ever mailed to the row's address.
    Proven,
    /// Holds a secret that proves nothing: it was returned to a browser, regardless of the address typed there.
    Unproven,
}

/// Default limit of proven open appointments per e-mail address.
pub const OPEN_OF_ADDRESS: u8 = 4;
/// Default limit of unproven open appointments per network.
pub const OPEN_OF_NETWORK: u32 = 60;

/// Limits of open appointments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OpenLimits {
    /// Proven appointments per e-mail address.
    pub of_address: usize,
    /// Unproven appointments booked per network. Mobile carriers put many people behind one network.
    pub of_network: u32,
}

impl Default for OpenLimits {
    fn default() -> Self {
        Self {
            of_address: OPEN_OF_ADDRESS.into(),
            of_network: OPEN_OF_NETWORK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proof_has_a_distinct_word() {
        for proof in Proof::ALL {
            assert_eq!(Proof::parse(proof.as_str()), Some(proof));
            assert_eq!(proof.is_proven(), proof != Proof::default());
        }
        assert_eq!(Proof::parse("Link"), None);
    }
}
