//! PostgreSQL: a concurrent insert of the same key waits for the first one and then does nothing.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl};
use sqlx::{PgPool, migrate::Migrator};
use tracing::Instrument;

use super::{Creation, EarlierRow, Store, StoreError, require_schema};
use crate::domain::{Draft, Receipt};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

#[derive(Debug)]
pub(super) struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    pub(super) async fn open(url: &DatabaseUrl, connections_max: u32) -> Result<Self, StoreError> {
        let pool = database::open_postgres(url, connections_max).await?;
        require_schema(&MIGRATIONS, schema_version(&pool).await?)?;
        Ok(Self { pool })
    }
}

pub(super) async fn migrate(url: &DatabaseUrl) -> Result<(), StoreError> {
    let pool = database::open_postgres(url, 1).await?;
    MIGRATIONS.run(&pool).await?;
    pool.close().await;
    Ok(())
}

/// `None` in a database that was never migrated.
async fn schema_version(pool: &PgPool) -> Result<Option<i64>, sqlx::Error> {
    let migrated: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(pool)
        .await?;
    if !migrated {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success")
        .fetch_one(pool)
        .await
}

#[async_trait]
impl Store for PostgresStore {
    async fn create(&self, draft: &Draft, receipt: Receipt) -> Result<Creation, StoreError> {
        let fingerprint = draft.fingerprint();
        let inserted = sqlx::query(
            "INSERT INTO messages (id, request_id, fingerprint, kind, name, email, phone, subject, message, \
             thread_id, written_at, create_time) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
             ON CONFLICT (request_id) DO NOTHING",
        )
        .bind(receipt.id)
        .bind(draft.request_id.as_str())
        .bind(fingerprint.as_slice())
        .bind(draft.kind.as_str())
        .bind(draft.name.as_str())
        .bind(draft.email())
        .bind(draft.phone())
        .bind(draft.subject.as_str())
        .bind(draft.message.as_str())
        .bind(draft.thread_id())
        .bind(draft.written_at())
        .bind(receipt.create_time)
        .execute(&self.pool)
        .instrument(database::span("INSERT messages", DatabaseKind::Postgres))
        .await?;
        if inserted.rows_affected() == 1 {
            return Ok(Creation::Stored);
        }
        let earlier: EarlierRow = sqlx::query_as(
            "SELECT id, create_time, fingerprint FROM messages WHERE request_id = $1",
        )
        .bind(draft.request_id.as_str())
        .fetch_one(&self.pool)
        .instrument(database::span("SELECT messages", DatabaseKind::Postgres))
        .await?;
        Ok(earlier.creation(&fingerprint))
    }
}
