//! No request takes longer than its limit, whatever it waits for.

use std::time::Duration;

use crate::problem::Problem;

/// Gives `work` this long; beyond it is dropped (and with it the RPC it waits for) and answered with a problem 504.
pub async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, Problem> {
    tokio::time::timeout(limit, work)
        .await
        .map_err(|_| Problem::deadline_exceeded())
}
