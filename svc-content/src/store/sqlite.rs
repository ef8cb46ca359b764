//! SQLite: one writing connection, so writers wait in the pool instead of failing.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl, SqlitePools};
use sqlx::migrate::Migrator;
use tracing::Instrument;

use super::{Revision, Store, StoreError};

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
    async fn record(&self, revision: &Revision) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO content_revision (revision, loaded_at) VALUES ($1, $2) \
             ON CONFLICT (revision) DO UPDATE SET loaded_at = max(content_revision.loaded_at, excluded.loaded_at)",
        )
        .bind(&revision.revision)
        .bind(revision.loaded_at)
        .execute(&self.pools.write)
        .instrument(database::span("UPSERT content_revision", DatabaseKind::Sqlite))
        .await?;
        Ok(())
    }

    async fn latest(&self) -> Result<Option<Revision>, StoreError> {
        let latest = sqlx::query_as(
            "SELECT revision, loaded_at FROM content_revision ORDER BY loaded_at DESC, revision LIMIT 1",
        )
        .fetch_optional(&self.pools.read)
        .instrument(database::span("SELECT content_revision", DatabaseKind::Sqlite))
        .await?;
        Ok(latest)
    }
}
