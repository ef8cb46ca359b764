//! Errors of calls, and their gRPC statuses.

use service_kit::{auth::Refusal, status, violation::Violation};
use store_kit::error::StoreError;
use tonic::{Code, Status};

#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    #[error("{} fields are not valid", .0.len())]
    Invalid(Vec<Violation>),
    /// Not found; holds the name of the resource kind.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error("this has changed since the version that you named")]
    EtagMismatch,
    #[error("the request id belongs to another request")]
    RequestIdReused,
    #[error("too many watchers")]
    TooManyWatchers,
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The process has just started.
    #[error("the database has not been read yet")]
    Starting,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Vec<Violation>> for AnswerError {
    fn from(violations: Vec<Violation>) -> Self {
        Self::Invalid(violations)
    }
}

impl From<AnswerError> for Status {
    fn from(error: AnswerError) -> Self {
        let message = error.to_string();
        match error {
            AnswerError::Invalid(violations) => status::invalid_argument(&violations),
            AnswerError::NotFound(_) => status::with_reason(Code::NotFound, "NOT_FOUND", &message),
            AnswerError::EtagMismatch => {
                status::with_reason(Code::Aborted, "ETAG_MISMATCH", &message)
            }
            AnswerError::RequestIdReused => status::request_id_reused(),
            AnswerError::TooManyWatchers => Self::resource_exhausted(message),
            AnswerError::Refused(refusal) => refusal.into(),
            error @ AnswerError::Starting => status::unavailable(&error),
            AnswerError::Store(error) => error.into(),
        }
    }
}
