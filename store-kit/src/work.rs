//! A change that is kept whole or not at all.

use std::panic::AssertUnwindSafe;

use async_trait::async_trait;
use futures::FutureExt as _;

use crate::{error::StoreError, sql::Transaction};

/// What to do with the transaction of a unit of work.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision<T> {
    /// Keep what was written.
    Commit(T),
    /// Undo what was written: the outcome needs nothing of it.
    Rollback(T),
}

/// Any change. It reads what it needs, decides and writes, on one connection within one transaction.
///
/// PostgreSQL runs it again when another transaction was in its way (serialization failure, deadlock, a unique index that
/// somebody else filled meanwhile), so it changes nothing but the database.
#[async_trait]
pub trait UnitOfWork: Send + Sync + 'static {
    /// What became of it; losing a race is an outcome, not an error.
    type Outcome: Send + 'static;

    /// Runs once for each try.
    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError>;
}

/// A unit of work that panics is undone like one that fails, on both databases. Others are not affected.
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
