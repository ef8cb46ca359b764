//! Units of work: changes that are committed whole or not at all.

use std::panic::AssertUnwindSafe;

use async_trait::async_trait;
use futures::FutureExt as _;

use crate::{error::StoreError, sql::Transaction};

/// What to do with the transaction of a unit of work.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision<T> {
    /// Keep the writes.
    Commit(T),
    /// Undo the writes; the outcome needs none of them.
    Rollback(T),
}

/// A change. It reads, decides and writes on one connection within one transaction.
///
/// PostgreSQL runs it again after a conflict: a serialization failure, a deadlock, or a unique index filled
/// concurrently. It must therefore change nothing but the database.
#[async_trait]
pub trait UnitOfWork: Send + Sync + 'static {
    /// Result of the change. Losing a race is an outcome, not an error.
    type Outcome: Send + 'static;

    /// Runs once per attempt.
    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError>;
}

/// Turns a panic into an error, so the unit of work is rolled back on both databases. Other units are not affected.
pub(crate) async fn catch_panic<T>(
    run: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    AssertUnwindSafe(run)
        .catch_unwind()
        .await
        .unwrap_or_else(|_| {
            tracing::error!("a unit of work panicked");
            Err(StoreError::Panicked)
        })
}
