//! Enforces the time limit of a request, whatever it waits for.

use std::time::Duration;

use crate::problem::Problem;

/// Runs `work` for at most `limit`. After that it is dropped, with the RPC it waits for, and the result is a problem
/// 504.
pub async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, Problem> {
    tokio::time::timeout(limit, work)
        .await
        .map_err(|_| Problem::deadline_exceeded())
}
