//! Bodies that are sent to an upstream verbatim, such as pictures: larger than others, and few at once.

use std::time::Duration;

use axum::http::request::Parts;
use gateway_api::Endpoint;
use gateway_contract::Operation;
use gateway_documents::{FILE_READ_TIME_MAX, FILE_TIME_MAX, FORM_TIME_MAX, is_multipart};
use gateway_http::{problem::Problem, request::client_address::ClientNetwork};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    Edge,
    body::{self, BodyLimits},
    desk,
    target::{DeskAddress, Surface},
};

/// Maximum uploads at once, from the first byte of the body to the answer. Each takes up to three times its size in
/// memory; more get 503.
const UPLOADS_MAX: usize = 4;

/// Permits of uploads.
#[derive(Debug)]
pub(super) struct Uploads(Semaphore);

impl Default for Uploads {
    fn default() -> Self {
        Self(Semaphore::new(UPLOADS_MAX))
    }
}

/// Returns the limits of an upload; `bytes_max` is the limit of a contract without one.
pub(super) fn limits(operation: &Operation, bytes_max: usize) -> BodyLimits {
    BodyLimits {
        bytes_max: operation.policy.body_bytes_max.unwrap_or(bytes_max),
        time_max: FILE_READ_TIME_MAX,
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
}

/// Returns the operation if it takes bytes.
pub(super) fn upload_of(endpoint: &Endpoint) -> Option<&Operation> {
    match endpoint {
        Endpoint::Operation(operation) if operation.takes_bytes() => Some(operation),
        _ => None,
    }
}

impl Edge {
    /// Returns the time limit of a request.
    pub(super) fn time_limit(&self, surface: &Surface, parts: &Parts) -> Duration {
        match surface {
            Surface::Api(endpoint, _) => {
                let reading = upload_of(endpoint).map_or(Duration::ZERO, |_| FILE_READ_TIME_MAX);
                reading + self.api.timeout(endpoint)
            }
            Surface::Desk(DeskAddress::Page)
                if !parts.method.is_safe() && is_multipart(&parts.headers) =>
            {
                FORM_TIME_MAX + FILE_TIME_MAX
            }
            Surface::Document | Surface::Desk(DeskAddress::Page) if !parts.method.is_safe() => {
                FORM_TIME_MAX
            }
            Surface::Desk(DeskAddress::SignIn | DeskAddress::Callback) => desk::SIGN_IN_TIME_MAX,
            _ => self.timeout,
        }
    }

    /// Runs `reading`, which takes a form with a file as it arrives, within its time limit.
    ///
    /// # Errors
    /// 408 after the time limit; 429 or 503 if too many bodies are arriving.
    pub(super) async fn receive<T>(
        &self,
        network: ClientNetwork,
        reading: impl Future<Output = T>,
    ) -> Result<T, Problem> {
        let _permit = self.body_permit(network)?;
        let read = tokio::time::timeout(FILE_READ_TIME_MAX, reading).await;
        read.map_err(|_| body::too_late(FILE_READ_TIME_MAX))
    }
}
