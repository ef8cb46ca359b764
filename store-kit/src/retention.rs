//! What every retention does: rows go in steps that are short transactions, at start and every day.

use std::time::Duration;

use crate::{database::Database, error::StoreError, work::UnitOfWork};

const EVERY: Duration = Duration::from_hours(24);
const RETRY_AFTER: Duration = Duration::from_mins(10);

/// Runs units of work that each remove a bounded number of rows and say how many, until one finds none; gives how many they were
/// together. `summary` names the span of each.
///
/// # Errors
/// When the database fails; what was removed before stays removed.
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

/// Removes what is kept beyond its time, at start and every day, for ever; after a failure again in ten minutes. `remove` gives a line
/// for each kind of row, without personal data, and none when there was nothing to remove.
pub async fn daily<F>(mut remove: impl FnMut() -> F)
where
    F: Future<Output = Result<Vec<String>, StoreError>>,
{
    loop {
        let pause = match remove().await {
            Ok(lines) => {
                if !lines.is_empty() {
                    let rows = lines.join("; ");
                    tracing::info!(rows, "what was kept beyond its time was removed");
                }
                EVERY
            }
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "what is kept beyond its time could not be removed; it is tried again"
                );
                RETRY_AFTER
            }
        };
        tokio::time::sleep(pause).await;
    }
}
