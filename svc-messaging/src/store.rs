//! Where messages are kept. SQL is written in the two modules below and nowhere else.

mod postgres;
mod sqlite;

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use service_kit::database::{DatabaseKind, DatabaseUrl, OpenError};
use sqlx::migrate::{MigrateError, Migrator};
use uuid::Uuid;

use crate::domain::{Draft, Receipt};

/// What became of a create.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creation {
    /// Stored now.
    Stored,
    /// The same message was stored before under the same request id; this is its receipt.
    Repeated(Receipt),
    /// Another message was stored before under the same request id. Nothing was written.
    RequestIdReused,
}

/// A method is a whole unit of work: what it reports as stored is committed.
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync {
    /// Stores a message once per request id, however often and however concurrently it is called.
    async fn create(&self, draft: &Draft, receipt: Receipt) -> Result<Creation, StoreError>;
}

/// Why the database did not do its part.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("migration failed")]
    Migrate(#[from] MigrateError),
    #[error(
        "the schema is at version {found}, this program needs {needed}: run `svc-messaging migrate` first"
    )]
    Schema { found: i64, needed: i64 },
    #[error("database call failed")]
    Query(#[from] sqlx::Error),
}

impl StoreError {
    /// True when the same call may well succeed a moment later.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Query(error) => is_temporary(error),
            Self::Open(_) | Self::Migrate(_) | Self::Schema { .. } => false,
        }
    }
}

fn is_temporary(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| match code.parse::<u32>() {
                // SQLite's codes have their kind in the low byte: BUSY, LOCKED.
                Ok(number) if code.len() < 5 => [5, 6].contains(&(number & 0xff)),
                // PostgreSQL's have a class: connection, rollback, resources, state, intervention.
                _ => ["08", "40", "53", "55", "57"]
                    .iter()
                    .any(|class| code.starts_with(class)),
            })
        }
        _ => false,
    }
}

/// Opens the database for serving. SQLite is migrated on the way; PostgreSQL must have been.
pub async fn open(url: &DatabaseUrl, connections_max: u32) -> Result<Arc<dyn Store>, StoreError> {
    Ok(match url.kind() {
        DatabaseKind::Sqlite => Arc::new(sqlite::SqliteStore::open(url).await?),
        DatabaseKind::Postgres => {
            Arc::new(postgres::PostgresStore::open(url, connections_max).await?)
        }
    })
}

/// Brings the schema up to date.
pub async fn migrate(url: &DatabaseUrl) -> Result<(), StoreError> {
    match url.kind() {
        DatabaseKind::Sqlite => sqlite::SqliteStore::open(url).await.map(drop),
        DatabaseKind::Postgres => postgres::migrate(url).await,
    }
}

/// A later schema is fine: migrations are made so that the code before them still works.
fn require_schema(migrator: &Migrator, found: Option<i64>) -> Result<(), StoreError> {
    let needed = migrator.iter().map(|step| step.version).max().unwrap_or(0);
    let found = found.unwrap_or(0);
    if found < needed {
        return Err(StoreError::Schema { found, needed });
    }
    Ok(())
}

/// The row that a request id already has.
#[derive(sqlx::FromRow)]
struct EarlierRow {
    id: Uuid,
    create_time: chrono::DateTime<chrono::Utc>,
    fingerprint: Vec<u8>,
}

impl EarlierRow {
    fn creation(self, fingerprint: &[u8]) -> Creation {
        if self.fingerprint == fingerprint {
            Creation::Repeated(Receipt {
                id: self.id,
                create_time: self.create_time,
            })
        } else {
            Creation::RequestIdReused
        }
    }
}
