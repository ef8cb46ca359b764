//! PostgreSQL.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl};
use sqlx::{PgPool, migrate::Migrator};
use tracing::Instrument;

use super::{Revision, Store, StoreError, require_schema};

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
    async fn record(&self, revision: &Revision) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO content_revision (revision, loaded_at) VALUES ($1, $2) \
             ON CONFLICT (revision) DO UPDATE SET loaded_at = greatest(content_revision.loaded_at, excluded.loaded_at)",
        )
        .bind(&revision.revision)
        .bind(revision.loaded_at)
        .execute(&self.pool)
        .instrument(database::span("UPSERT content_revision", DatabaseKind::Postgres))
        .await?;
        Ok(())
    }

    async fn latest(&self) -> Result<Option<Revision>, StoreError> {
        let latest = sqlx::query_as(
            "SELECT revision, loaded_at FROM content_revision ORDER BY loaded_at DESC, revision LIMIT 1",
        )
        .fetch_optional(&self.pool)
        .instrument(database::span("SELECT content_revision", DatabaseKind::Postgres))
        .await?;
        Ok(latest)
    }
}
