//! Errors of a store and the gRPC status of each: one enum and one mapping for all services.

use std::{borrow::Cow, error::Error, path::PathBuf, sync::Arc};

use rusqlite::ffi;
use service_kit::status::{internal, storage_full, unavailable};
use sqlx::error::{DatabaseError, ErrorKind};
use tonic::Status;

use crate::keys::SealError;

/// Unexpected failure of a store. Expected cases (a taken seat, a retried request) are outcomes instead. Cheap to
/// clone: all units of work in a transaction share its error.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or file of an SQLite database cannot be created.
    #[error("cannot make {path}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: Arc<std::io::Error>,
    },
    /// The schema cannot be brought up to date.
    #[error("the schema cannot be brought up to date")]
    Migrate(#[source] Arc<sqlx::migrate::MigrateError>),
    /// The schema is older than this build.
    #[error("the database lacks {missing}: run the `migrate` command of this service")]
    NotMigrated {
        /// The missing migration or backfill.
        missing: String,
    },
    /// The database rejected the call or failed.
    #[error("the database failed")]
    Database(#[source] Arc<sqlx::Error>),
    /// The queue of waiting units of work is full.
    #[error("too many units of work are waiting for the database")]
    Busy,
    /// The request's time ran out before the database finished. The change may still be committed.
    #[error("the database took too long")]
    Deadline,
    /// The writer has stopped; the process is shutting down.
    #[error("the database writer has stopped")]
    Stopped,
    /// A unit of work waited for something other than its database, which would keep other units waiting.
    #[error("a unit of work waited for something other than its database")]
    Waited,
    /// A unit of work panicked and was rolled back.
    #[error("a unit of work panicked")]
    Panicked,
    /// A sealed field cannot be opened.
    #[error(transparent)]
    Sealed(#[from] SealError),
    /// A stored value was not written by any known build.
    #[error("the column {column} contains a value that no build writes")]
    Corrupt {
        /// `table.column`.
        column: &'static str,
    },
    /// A value exceeds its column's limit.
    #[error("{what} has {bytes} bytes; the limit is {bytes_max}")]
    TooLarge {
        /// The value.
        what: &'static str,
        /// Its size.
        bytes: usize,
        /// Its limit.
        bytes_max: usize,
    },
    /// Every proposed identifier is already taken.
    #[error("all proposed identifiers are taken")]
    IdentifiersTaken,
}

impl StoreError {
    /// Returns whether an immediate retry of the same unit of work may succeed: another transaction interfered.
    pub fn is_conflict(&self) -> bool {
        // https://www.postgresql.org/docs/current/errcodes-appendix.html
        const SERIALIZATION_FAILURE: &str = "40001";
        const DEADLOCK_DETECTED: &str = "40P01";
        self.is_unique_violation()
            || self
                .database_code()
                .is_some_and(|code| code == SERIALIZATION_FAILURE || code == DEADLOCK_DETECTED)
    }

    /// Returns whether a unique index rejected a row.
    pub fn is_unique_violation(&self) -> bool {
        let Self::Database(error) = self else {
            return false;
        };
        error
            .as_database_error()
            .is_some_and(DatabaseError::is_unique_violation)
    }

    /// Returns whether the database ran out of time rather than failed.
    fn is_timeout(&self) -> bool {
        const QUERY_CANCELED: &str = "57014";
        const LOCK_NOT_AVAILABLE: &str = "55P03";
        matches!(self, Self::Deadline)
            || self
                .database_code()
                .is_some_and(|code| code == QUERY_CANCELED || code == LOCK_NOT_AVAILABLE)
    }

    /// Returns whether the database's disk is full. Changes are refused until there is space; reads still work.
    pub fn is_storage_full(&self) -> bool {
        const DISK_FULL: &str = "53100";
        // https://www.sqlite.org/rescode.html: SQLITE_FULL, and SQLITE_IOERR_SHMSIZE when the index of the write-ahead
        // log cannot grow.
        const SQLITE: [&str; 2] = ["13", "4874"];
        self.database_code()
            .is_some_and(|code| code == DISK_FULL || SQLITE.contains(&code.as_str()))
    }

    /// Returns whether the database is unavailable or overloaded, so that a later retry makes sense.
    pub fn is_unavailable(&self) -> bool {
        const SQLSTATES: [&str; 7] = [
            "08",    // connection exception
            "3D000", // invalid catalog name: there is no such database (yet)
            "40",    // transaction rollback: serialization failure, deadlock
            "53",    // insufficient resources
            "55000", // object not in prerequisite state: the database takes no connections
            "57",    // operator intervention, such as a shutdown
            "58",    // system error
        ];
        // https://www.sqlite.org/rescode.html: primary codes of BUSY, LOCKED, IOERR, FULL, CANTOPEN.
        const SQLITE: [i64; 5] = [5, 6, 10, 13, 14];
        let Self::Database(error) = self else {
            return matches!(self, Self::Busy | Self::Stopped | Self::NotMigrated { .. });
        };
        match error.as_ref() {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::BeginFailed
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| {
                // An SQLSTATE has five characters. An SQLite code is shorter and has its primary code in the low byte.
                if code.len() == 5 {
                    return SQLSTATES.iter().any(|start| code.starts_with(start));
                }
                code.parse::<i64>()
                    .is_ok_and(|code| SQLITE.contains(&(code & 0xff)))
            }),
            _ => false,
        }
    }

    /// Returns the error kind for metrics: one word for what the service can do about it, not the database's own code.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Stopped => "stopped",
            Self::NotMigrated { .. } | Self::Migrate(_) => "schema",
            Self::Panicked => "panicked",
            _ if self.is_timeout() => "timeout",
            _ if self.is_conflict() => "conflict",
            _ if self.is_storage_full() => "storage_full",
            _ if self.is_unavailable() => "unavailable",
            Self::Sealed(_) => "sealed",
            Self::File { .. }
            | Self::Database(_)
            | Self::Deadline
            | Self::Waited
            | Self::Corrupt { .. }
            | Self::TooLarge { .. }
            | Self::IdentifiersTaken => "internal",
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

/// An error of SQLite's writer.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        // The writer interrupts a statement whose unit of work has used up its time.
        if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) {
            return Self::Deadline;
        }
        let error = match error {
            rusqlite::Error::SqliteFailure(failure, message) => {
                sqlx::Error::Database(Box::new(SqliteFailure {
                    code: failure.extended_code,
                    message: message.unwrap_or_else(|| failure.to_string()),
                }))
            }
            other => sqlx::Error::Decode(other.into()),
        };
        error.into()
    }
}

/// A failure that SQLite reported to the writer, in the form in which the readers' driver reports it.
#[derive(Debug, thiserror::Error)]
#[error("(code: {code}) {message}")]
struct SqliteFailure {
    /// https://www.sqlite.org/rescode.html
    code: i32,
    message: String,
}

impl DatabaseError for SqliteFailure {
    fn message(&self) -> &str {
        &self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.code.to_string().into())
    }

    fn kind(&self) -> ErrorKind {
        match self.code {
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                ErrorKind::UniqueViolation
            }
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => ErrorKind::ForeignKeyViolation,
            ffi::SQLITE_CONSTRAINT_NOTNULL => ErrorKind::NotNullViolation,
            ffi::SQLITE_CONSTRAINT_CHECK => ErrorKind::CheckViolation,
            _ => ErrorKind::Other,
        }
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
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
            _ if error.is_storage_full() => storage_full(&error),
            _ if error.is_unavailable() => unavailable(&error),
            StoreError::Busy | StoreError::Stopped | StoreError::NotMigrated { .. } => {
                unavailable(&error)
            }
            StoreError::Deadline => Self::deadline_exceeded("the database took too long"),
            StoreError::File { .. }
            | StoreError::Migrate(_)
            | StoreError::Database(_)
            | StoreError::Waited
            | StoreError::Panicked
            | StoreError::Sealed(_)
            | StoreError::Corrupt { .. }
            | StoreError::TooLarge { .. }
            | StoreError::IdentifiersTaken => internal(&error),
        }
    }
}
