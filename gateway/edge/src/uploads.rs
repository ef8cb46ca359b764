//! Bodies that are sent to an upstream verbatim, such as pictures: larger than others, and few at once.

use std::time::Duration;

use gateway_api::Endpoint;
use gateway_contract::Operation;
use gateway_http::problem::Problem;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::body::BodyLimits;

/// Maximum uploads at once, from the first byte of the body to the answer. Each takes up to three times its size in
/// memory; more get 503.
const UPLOADS_MAX: usize = 4;
/// Maximum time in which an upload must arrive. 20 MiB take 60 s at 2.8 Mbit/s.
const READ_TIME_MAX: Duration = Duration::from_secs(60);

/// Permits of uploads.
#[derive(Debug)]
pub(super) struct Uploads(Semaphore);

impl Default for Uploads {
    fn default() -> Self {
        Self(Semaphore::new(UPLOADS_MAX))
    }
}

impl Uploads {
    /// Takes a permit, held until the answer.
    ///
    /// # Errors
    /// 503 if there is none.
    pub(super) fn enter(&self) -> Result<SemaphorePermit<'_>, Problem> {
        self.0.try_acquire().map_err(|_| Problem::overloaded())
    }

    /// Returns the limits of an upload; `bytes_max` is the limit of a contract without one.
    pub(super) fn limits(&self, operation: &Operation, bytes_max: usize) -> BodyLimits {
        BodyLimits {
            bytes_max: operation.policy.body_bytes_max.unwrap_or(bytes_max),
            time_max: READ_TIME_MAX,
        }
    }
}

/// Returns the operation if it takes bytes.
pub(super) fn upload_of(endpoint: &Endpoint) -> Option<&Operation> {
    match endpoint {
        Endpoint::Operation(operation) if operation.takes_bytes() => Some(operation),
        _ => None,
    }
}

/// Returns the time that an endpoint has for reading a body, in addition to its call.
pub(super) fn time_max(endpoint: &Endpoint) -> Duration {
    upload_of(endpoint).map_or(Duration::ZERO, |_| READ_TIME_MAX)
}
