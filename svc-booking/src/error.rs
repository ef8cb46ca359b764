//! One error enum per boundary, mapped outward in one exhaustive match.

use std::sync::Arc;

use service_kit::{
    database::OpenError,
    status::{internal, unavailable},
};
use tonic::Status;

/// A surprise of a store. A taken seat or a repeated request is an outcome instead.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be opened.
    #[error("the database cannot be opened")]
    Open(#[source] Arc<OpenError>),
    /// The schema cannot be brought up to date.
    #[error("the schema cannot be brought up to date")]
    Migrate(#[source] Arc<sqlx::migrate::MigrateError>),
    /// The schema lacks a migration of this build.
    #[error("the database lacks migration {version}: run `svc-booking migrate`")]
    NotMigrated { version: i64 },
    /// The database refused or failed.
    #[error("the database failed")]
    Database(#[source] Arc<sqlx::Error>),
    /// More bookings wait than may wait.
    #[error("too many bookings wait for the database")]
    Busy,
    /// The writer has stopped; the process is shutting down.
    #[error("the writer of the database has stopped")]
    Stopped,
    /// Every proposed reference belongs to another appointment.
    #[error("every proposed reference is taken")]
    ReferencesTaken,
}

impl StoreError {
    /// Whether the same unit of work may succeed when it is tried again at once.
    pub(crate) fn is_transient_conflict(&self) -> bool {
        // https://www.postgresql.org/docs/current/errcodes-appendix.html
        const SERIALIZATION_FAILURE: &str = "40001";
        const DEADLOCK_DETECTED: &str = "40P01";
        self.database_code()
            .is_some_and(|code| code == SERIALIZATION_FAILURE || code == DEADLOCK_DETECTED)
    }

    /// Whether the database gave up for lack of time, not for a fault.
    fn is_timeout(&self) -> bool {
        const QUERY_CANCELED: &str = "57014";
        const LOCK_NOT_AVAILABLE: &str = "55P03";
        self.database_code()
            .is_some_and(|code| code == QUERY_CANCELED || code == LOCK_NOT_AVAILABLE)
    }

    /// Whether the database is away or overloaded, so that another try later is right.
    fn is_unavailable(&self) -> bool {
        const CLASSES: [&str; 4] = [
            "08", // connection exception
            "53", // insufficient resources
            "57", // operator intervention, such as a shutdown
            "58", // system error
        ];
        // https://www.sqlite.org/rescode.html: primary codes of BUSY, LOCKED, IOERR, FULL, CANTOPEN.
        const SQLITE: [i64; 5] = [5, 6, 10, 13, 14];
        let Self::Database(error) = self else {
            return matches!(self, Self::Busy | Self::Stopped);
        };
        match error.as_ref() {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::BeginFailed
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| {
                CLASSES
                    .iter()
                    .any(|class| code.len() == 5 && code.starts_with(class))
                    || code
                        .parse::<i64>()
                        .is_ok_and(|code| SQLITE.contains(&(code & 0xff)) && code < 10_000)
            }),
            _ => false,
        }
    }

    fn database_code(&self) -> Option<String> {
        let Self::Database(error) = self else {
            return None;
        };
        Some(error.as_database_error()?.code()?.into_owned())
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(Arc::new(error))
    }
}

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        Self::Open(Arc::new(error))
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        Self::Migrate(Arc::new(error))
    }
}

impl From<StoreError> for Status {
    fn from(error: StoreError) -> Self {
        match &error {
            _ if error.is_timeout() => Self::deadline_exceeded("the database took too long"),
            _ if error.is_unavailable() || error.is_transient_conflict() => unavailable(&error),
            StoreError::Busy | StoreError::Stopped => unavailable(&error),
            StoreError::Open(_)
            | StoreError::Migrate(_)
            | StoreError::NotMigrated { .. }
            | StoreError::Database(_)
            | StoreError::ReferencesTaken => internal(&error),
        }
    }
}
