//! One unary call and its answer.

use std::time::Instant;

use axum::http::{HeaderMap, uri::PathAndQuery};
use bytes::Bytes;
use tonic::{Code, metadata::MetadataMap};

/// One unary call.
#[derive(Debug)]
pub struct Call<'a> {
    /// `package.Service/Method`, the name of its span.
    pub name: &'a str,
    /// `/package.Service/Method`.
    pub path: &'a PathAndQuery,
    /// Package of the contract; identifies the upstream.
    pub package: &'a str,
    /// Request message, in protobuf.
    pub message: Bytes,
    /// Metadata without the trace and the deadline.
    pub metadata: MetadataMap,
    /// Deadline of the request that makes the call.
    pub deadline: Instant,
    /// Decides whether the call may be retried.
    pub effect: Effect,
}

/// Lasting effect of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// Nothing.
    Read,
    /// Repeating the call with the same key has no further effect.
    KeyedWrite,
    /// Repeating the call may have a further effect.
    Write,
}

impl Effect {
    pub(super) fn is_repeatable(self) -> bool {
        matches!(self, Self::Read | Self::KeyedWrite)
    }
}

/// An upstream's answer.
#[derive(Debug)]
pub struct Reply {
    /// Reply message, in protobuf.
    pub message: Bytes,
    /// Metadata of the reply.
    pub metadata: HeaderMap,
}

/// Whether the upstream failed, as opposed to refusing the call.
pub(super) fn is_failure(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::Internal
            | Code::DataLoss
            | Code::Unimplemented
            | Code::Unavailable
            | Code::DeadlineExceeded
            | Code::Cancelled
    )
}
