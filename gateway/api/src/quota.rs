//! Counts creates that native forms make. A form was counted when it arrived, but only here is its operation known.

use std::fmt::Debug;

use futures::future::BoxFuture;
use gateway_http::{problem::Problem, request::client_address::ClientNetwork};

/// Counts creates against the network they come from.
pub trait CreateQuota: Debug + Send + Sync {
    /// Counts one create.
    ///
    /// # Errors
    /// The refusal, if the network has made too many.
    fn count(&self, network: ClientNetwork) -> BoxFuture<'_, Result<(), Problem>>;
}
