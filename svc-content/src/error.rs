//! Why a question could not be answered, and what the caller is told about it.

use service_kit::{status, violation::Violation};
use tonic::Status;

/// The content is in memory, so only the question itself can be wrong.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error("{} fields are not valid", .0.len())]
    Invalid(Vec<Violation>),
}

impl From<QueryError> for Status {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Invalid(violations) => status::invalid_argument(&violations),
        }
    }
}
