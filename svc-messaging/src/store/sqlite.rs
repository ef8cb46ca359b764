//! SQLite: one writing connection, so writers wait in the pool instead of failing.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl, SqlitePools};
use sqlx::migrate::Migrator;
use tracing::Instrument;

use super::{Creation, EarlierRow, Store, StoreError};
use crate::domain::{Draft, Receipt};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

#[derive(Debug)]
pub(super) struct SqliteStore {
    pools: SqlitePools,
}

impl SqliteStore {
    pub(super) async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let pools = database::open_sqlite(url).await?;
        MIGRATIONS.run(&pools.write).await?;
        Ok(Self { pools })
    }
}

#[async_trait]
impl Store for SqliteStore {
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
        .execute(&self.pools.write)
        .instrument(database::span("INSERT messages", DatabaseKind::Sqlite))
        .await?;
        if inserted.rows_affected() == 1 {
            return Ok(Creation::Stored);
        }
        let earlier: EarlierRow = sqlx::query_as(
            "SELECT id, create_time, fingerprint FROM messages WHERE request_id = $1",
        )
        .bind(draft.request_id.as_str())
        .fetch_one(&self.pools.read)
        .instrument(database::span("SELECT messages", DatabaseKind::Sqlite))
        .await?;
        Ok(earlier.creation(&fingerprint))
    }
}
