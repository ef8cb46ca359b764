//! Connections to PostgreSQL, which end with whoever waits for their answer.

use sqlx::{PgConnection, PgPool, Postgres, pool::PoolConnection};

use crate::error::StoreError;

/// PostgreSQL (14 or newer) looks so often, while a statement runs, whether whoever asked for it is still there.
pub(crate) const CONNECTION_CHECK_INTERVAL_MS: &str = "250";

/// A connection for one call. Where the call is dropped half-way, because its time is over or its caller has gone, the
/// connection is closed instead of returned: PostgreSQL notices that within [`CONNECTION_CHECK_INTERVAL_MS`] and stops the
/// statement, which would else go on until its time-out and keep the connection from others.
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

    /// Gives the connection back: the call has ended, well or not.
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
