//! What the database keeps: which content it has served. SQL is written in the two modules below and nowhere else.

mod postgres;
mod sqlite;

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound, Utc};
use service_kit::database::{DatabaseKind, DatabaseUrl, OpenError};
use sqlx::migrate::{MigrateError, Migrator};

/// Content that was loaded.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Revision {
    /// Hash of the content files.
    pub revision: String,
    pub loaded_at: DateTime<Utc>,
}

impl Revision {
    /// Microseconds are what both databases keep.
    pub fn new(revision: impl Into<String>, now: DateTime<Utc>) -> Self {
        Self {
            revision: revision.into(),
            loaded_at: now.trunc_subsecs(6),
        }
    }
}

/// A method is a whole unit of work: what it reports as stored is committed.
#[async_trait]
pub trait Store: fmt::Debug + Send + Sync {
    /// Notes that a process serves this content. Noted again, the later time counts.
    async fn record(&self, revision: &Revision) -> Result<(), StoreError>;

    /// What was loaded last; `None` before anything was.
    async fn latest(&self) -> Result<Option<Revision>, StoreError>;
}

/// Why the database did not do its part.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("migration failed")]
    Migrate(#[from] MigrateError),
    #[error(
        "the schema is at version {found}, this program needs {needed}: run `svc-content migrate` first"
    )]
    Schema { found: i64, needed: i64 },
    #[error("database call failed")]
    Query(#[from] sqlx::Error),
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
