//! Reasons why a conversion fails.

use super::{json::Unreadable, protobuf::Broken, to_json::Halt};

/// A field that cannot be converted, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// JSON path, for example `days[0].opensAt`; empty if the value as a whole is wrong.
    pub field: String,
    /// Human-readable predicate, for example `must be text`.
    pub message: String,
}

impl Violation {
    pub(super) fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

/// Reason why a conversion failed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum WireError {
    /// The bytes are not a message of the contract.
    #[error("{0}")]
    Broken(&'static str),
    /// The text cannot be read to its end.
    #[error("{0}")]
    Unreadable(#[from] Unreadable),
    /// These fields are wrong; at most 50.
    #[error("{} fields are invalid", .0.len())]
    Fields(Vec<Violation>),
}

impl From<Broken> for WireError {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken.0)
    }
}

impl From<Halt> for WireError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Broken(broken) => broken.into(),
            Halt::Disorder => Self::Broken("the fields cannot be ordered"),
        }
    }
}
