//! What becomes of a create that carries a request id, and what its caller is told: in every service the same.

use service_kit::status;
use tonic::Status;

/// What became of a create.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Creation<T> {
    /// Made and committed now.
    Created(T),
    /// The same request made it before; this is what has become of it since.
    Repeated(T),
    /// The request id belongs to a request for something else. Nothing was written.
    RequestIdReused,
    /// The same request made it before, and it was removed since. Nothing was written: what somebody had erased does not come back
    /// because their browser asks again.
    Removed,
}

impl<T> Creation<T> {
    /// What was made, and whether it was there before.
    ///
    /// # Errors
    /// INVALID_ARGUMENT with reason `REQUEST_ID_REUSED`; NOT_FOUND with reason `REMOVED`.
    pub fn into_answer(self) -> Result<(T, bool), Status> {
        match self {
            Self::Created(subject) => Ok((subject, false)),
            Self::Repeated(subject) => Ok((subject, true)),
            Self::RequestIdReused => Err(status::request_id_reused()),
            Self::Removed => Err(status::removed()),
        }
    }
}
