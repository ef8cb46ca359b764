//! Common parts of retention: rows are deleted in short transactions, at start and daily.

use std::time::Duration;

use crate::{database::Database, error::StoreError, work::UnitOfWork};

const EVERY: Duration = Duration::from_hours(24);
const RETRY_AFTER: Duration = Duration::from_mins(10);

/// Runs units of work that each delete a bounded number of rows, until one deletes none. Returns the total number.
/// `summary` names the span of each.
///
/// # Errors
/// When the database fails; earlier deletions stay committed.
pub async fn in_steps<W>(
    database: &Database,
    summary: &'static str,
    step: impl Fn() -> W,
) -> Result<u64, StoreError>
where
    W: UnitOfWork<Outcome = u64>,
{
    let mut removed = 0;
    loop {
        let rows = database.write(summary, step()).await?;
        if rows == 0 {
            return Ok(removed);
        }
        removed += rows;
    }
}

/// Calls `remove` at start and every 24 hours, forever; after a failure, again in ten minutes. `remove` deletes expired
/// rows. It returns a line per kind of row, without personal data, and no line when nothing was deleted.
pub async fn daily<F>(mut remove: impl FnMut() -> F)
where
    F: Future<Output = Result<Vec<String>, StoreError>>,
{
    loop {
        let pause = match remove().await {
            Ok(lines) => {
                if !lines.is_empty() {
                    let rows = lines.join("; ");
                    tracing::info!(rows, "deleted expired rows");
                }
                EVERY
            }
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "expired rows were not deleted; retrying later"
                );
                RETRY_AFTER
            }
        };
        tokio::time::sleep(pause).await;
    }
}
