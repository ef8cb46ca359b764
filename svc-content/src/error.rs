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
    /// The page is gone; holds the page that it leads to.
    #[error("this has moved")]
    Moved(String),
    #[error("it has changed since the version that you named")]
    EtagMismatch,
    /// Holds the reason for programs and the text for people.
    #[error("{1}")]
    Unfit(&'static str, &'static str),
    #[error("a record of this kind has this id")]
    Exists,
    #[error("the request id belongs to another request")]
    RequestIdReused,
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
            AnswerError::Moved(location) => status::moved(&location),
            AnswerError::Unfit(reason, _) => {
                status::with_reason(Code::FailedPrecondition, reason, &message)
            }
            AnswerError::Exists => {
                status::with_reason(Code::AlreadyExists, "RECORD_EXISTS", &message)
            }
            AnswerError::EtagMismatch => {
                status::with_reason(Code::Aborted, "ETAG_MISMATCH", &message)
            }
            AnswerError::RequestIdReused => status::request_id_reused(),
            AnswerError::Refused(refusal) => refusal.into(),
            error @ AnswerError::Starting => status::unavailable(&error),
            AnswerError::Store(error) => error.into(),
        }
    }
}
