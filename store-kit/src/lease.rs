//! PostgreSQL connections that are closed when their caller gives up, or when their server is gone.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection, PgPool, Postgres, pool::PoolConnection};

use crate::error::StoreError;

/// Maximum wait for the answer of a connection, before a call uses it and after.
const PING_TIMEOUT: Duration = Duration::from_millis(500);

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
        if self.is_over {
            // The pool pings a returned connection, without a time limit of its own.
            let returned = self.connection.return_to_pool();
            tokio::spawn(tokio::time::timeout(PING_TIMEOUT, returned));
        } else {
            self.connection.close_on_drop();
        }
    }
}

/// Recognises idle connections whose server is gone without closing them, as when its host loses power or its network.
/// A pool may hold many of them: if one does not answer, all that were last used before are closed too.
#[derive(Debug, Default)]
pub(crate) struct Liveness {
    /// When the last connection was asked that did not answer.
    silent: Mutex<Option<Instant>>,
}

impl Liveness {
    /// Returns whether a connection that was not used for `idle` can be used. Waits for [`PING_TIMEOUT`] at most.
    pub(crate) async fn of(&self, connection: &mut PgConnection, idle: Duration) -> bool {
        let asked = Instant::now();
        let used = asked.checked_sub(idle);
        let silent = *self.lock();
        if silent.is_some_and(|silent| used.is_none_or(|used| used <= silent)) {
            return false;
        }
        let Ok(answer) = tokio::time::timeout(PING_TIMEOUT, connection.ping()).await else {
            tracing::warn!("an idle connection to the database does not answer");
            *self.lock() = Some(asked);
            return false;
        };
        answer.is_ok()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        // A copied time cannot be half-written.
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
