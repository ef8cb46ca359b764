//! Creates that a native form means. The form was counted when it came, but only here is known what it is.

use std::fmt::Debug;

use futures::future::BoxFuture;

use crate::{problem::Problem, request::client_address::ClientNetwork};

/// Counts creates for the network that they come from.
pub(crate) trait CreateQuota: Debug + Send + Sync {
    /// Counts one.
    ///
    /// # Errors
    /// The refusal, when the network has made too many.
    fn count(&self, network: ClientNetwork) -> BoxFuture<'_, Result<(), Problem>>;
}
