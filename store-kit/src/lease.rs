//! PostgreSQL connections that are closed when their caller gives up.

use sqlx::{PgConnection, PgPool, Postgres, pool::PoolConnection};

use crate::error::StoreError;

/// Interval in milliseconds at which PostgreSQL (14 or newer) checks, while a statement runs, that its client is still
/// connected.
pub(crate) const CONNECTION_CHECK_INTERVAL_MS: &str = "250";

/// A connection for one call. If the call is dropped early, by a timeout or a departed caller, the connection is closed
/// instead of returned. PostgreSQL notices within [`CONNECTION_CHECK_INTERVAL_MS`] and cancels the statement. Otherwise
/// the statement would block the connection until its timeout.
pub(crate) struct Lease {
    connection: PoolConnection<Postgres>,
    is_over: bool,
}

impl Lease {
    pub(crate) async fn of(pool: &PgPool) -> Result<Self, StoreError> {
        Ok(Self {
            connection: pool.acquire().await?,
            is_over: false,
        })
    }

    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Marks the call as ended, successfully or not, so the connection returns to the pool.
    pub(crate) fn over<T>(mut self, outcome: T) -> T {
        self.is_over = true;
        outcome
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if !self.is_over {
            self.connection.close_on_drop();
        }
    }
}
