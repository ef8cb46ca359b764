//! Signs of spam.

/// One sign of spam.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sign {
    /// Name shown to staff, for example `links`.
    pub name: &'static str,
    pub weight: u32,
}

pub(super) fn sign(name: &'static str, weight: u32) -> Sign {
    Sign { name, weight }
}
