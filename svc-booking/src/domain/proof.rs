//! Proof of an address: whether the person of an appointment or a waitlist entry has shown that its e-mail address is theirs.
//!
//! Anybody can type anybody's address. So the limits of a person count proven rows only, and apply only to callers who have proven the
//! address themselves: everybody else gets the same answer whether or not the person is known, and is limited by network.

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

    /// The word in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unproven => "unproven",
            Self::Link => "link",
            Self::Code => "code",
            Self::Desk => "desk",
        }
    }

    /// The proof of a word; `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proof| proof.as_str() == word)
    }

    pub fn is_proven(self) -> bool {
        self != Self::Unproven
    }
}

/// What is known of the caller of a request about one person's row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Caller {
    Staff,
    /// Holds a secret that was only ever mailed to the row's address.
    Proven,
    /// Holds a secret that proves nothing: a browser got it, whatever address was typed there.
    Unproven,
}

/// Proven open appointments of an e-mail address, unless configured otherwise.
pub const OPEN_OF_ADDRESS: u8 = 4;
/// Unproven open appointments of a network, unless configured otherwise.
pub const OPEN_OF_NETWORK: u32 = 60;

/// How many open appointments there may be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OpenLimits {
    /// Proven ones of an e-mail address.
    pub of_address: usize,
    /// Unproven ones that were booked from a network. Mobile carriers put many people behind one.
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
    fn every_proof_has_a_word_of_its_own() {
        for proof in Proof::ALL {
            assert_eq!(Proof::parse(proof.as_str()), Some(proof));
            assert_eq!(proof.is_proven(), proof != Proof::default());
        }
        assert_eq!(Proof::parse("Link"), None);
    }
}
