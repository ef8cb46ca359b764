//! Why an assessment was not taken, and what the caller is told about it.

use service_kit::{status, violation::Violation};
use tonic::{Code, Status};

use crate::store::StoreError;

/// Why [`crate::service`] could not take an assessment.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    #[error("{} fields are not valid", .0.len())]
    Invalid(Vec<Violation>),
    #[error("the request id was used for other answers")]
    RequestIdReused,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<CreateError> for Status {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Invalid(violations) => status::invalid_argument(&violations),
            CreateError::RequestIdReused => status::with_reason(
                Code::InvalidArgument,
                "REQUEST_ID_REUSED",
                "this request id was used for other answers",
            ),
            CreateError::Store(error) if error.is_temporary() => status::unavailable(&error),
            CreateError::Store(error) => status::internal(&error),
        }
    }
}
