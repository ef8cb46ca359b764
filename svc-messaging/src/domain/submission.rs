//! Input of the domain, independent of the gRPC contract.

use std::fmt;

/// A visitor's request before validation.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Submission {
    pub request_id: String,
    pub message: Option<SubmittedMessage>,
}

impl fmt::Debug for Submission {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Submission(withheld)")
    }
}

/// Message of a [`Submission`]; omitted fields are empty.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SubmittedMessage {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub subject: String,
    pub message: String,
    /// Any value in here makes the message a comment.
    pub meta: SubmittedMeta,
    /// Makes the message a registration.
    pub registration: Option<SubmittedRegistration>,
}

impl fmt::Debug for SubmittedMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SubmittedMessage(withheld)")
    }
}

/// Fields that only a registration has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedRegistration {
    pub event_id: String,
    pub people: i32,
}

/// Fields that only a comment has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedMeta {
    pub thread_id: String,
    pub write_time: Option<UnixTime>,
}

/// A time as in the contract; may be out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnixTime {
    pub seconds: i64,
    /// 0 to 999,999,999 if valid.
    pub nanos: i32,
}
