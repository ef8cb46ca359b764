//! The input of the domain, independent of the contract.

use std::fmt;

/// What a visitor sent, before any check.
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

/// The message of a [`Submission`]; empty where nothing was sent.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SubmittedMessage {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub subject: String,
    pub message: String,
    /// Anything in here makes it a comment.
    pub meta: SubmittedMeta,
}

impl fmt::Debug for SubmittedMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SubmittedMessage(withheld)")
    }
}

/// What only a comment has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedMeta {
    pub thread_id: String,
    pub write_time: Option<UnixTime>,
}

/// A time as the contract carries it; may be out of any calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnixTime {
    pub seconds: i64,
    /// 0 to 999,999,999 in a valid one.
    pub nanos: i32,
}
