//! PostgreSQL.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl};
use sqlx::{PgConnection, PgPool, Postgres, Transaction, migrate::Migrator};
use tracing::Instrument;

use super::{Revision, Store, StoreError, limit, require_schema};
use crate::html;

super::blogs::work::blog_units_of_work!(PgConnection);
super::blogs::work::blog_reads!(PgPool);

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

    async fn seed_blogs(&self, seeds: &[NewBlog]) -> Result<bool, StoreError> {
        let work = async {
            let mut transaction = self.pool.begin().await?;
            let (is_sown, keep) = seed(&mut transaction, seeds).await?;
            finish(transaction, keep).await?;
            Ok(is_sown)
        };
        work.instrument(database::span("INSERT blogs", DatabaseKind::Postgres))
            .await
    }

    async fn blog(&self, name: &str) -> Result<Option<BlogRow>, StoreError> {
        if name.is_empty() {
            return Ok(None);
        }
        let row = sqlx::query_as(statements::FIND)
            .bind(name)
            .fetch_optional(&self.pool)
            .instrument(database::span("SELECT blogs", DatabaseKind::Postgres))
            .await?;
        Ok(row)
    }

    async fn blogs(
        &self,
        category_key: Option<&str>,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogCard>, StoreError> {
        let cards = cards(&self.pool, category_key, after, limit(count))
            .instrument(database::span("SELECT blogs", DatabaseKind::Postgres))
            .await?;
        Ok(cards)
    }

    async fn blog_rows(
        &self,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogRow>, StoreError> {
        Ok(rows(&self.pool, after, limit(count)).await?)
    }

    async fn create_blog(
        &self,
        new: &NewBlog,
        request: &RequestKey,
    ) -> Result<CreateOutcome, StoreError> {
        let work = async {
            let mut transaction = self.pool.begin().await?;
            let (outcome, keep) = create(&mut transaction, new, request).await?;
            finish(transaction, keep).await?;
            Ok(outcome)
        };
        work.instrument(database::span("INSERT blogs", DatabaseKind::Postgres))
            .await
    }

    async fn update_blog(
        &self,
        replacement: &Replacement,
    ) -> Result<WriteOutcome<Box<BlogRow>>, StoreError> {
        let work = async {
            let mut transaction = self.pool.begin().await?;
            let (outcome, keep) = update(&mut transaction, replacement).await?;
            finish(transaction, keep).await?;
            Ok(outcome)
        };
        work.instrument(database::span("UPDATE blogs", DatabaseKind::Postgres))
            .await
    }

    async fn delete_blog(
        &self,
        id: &str,
        precondition: Option<&str>,
    ) -> Result<WriteOutcome<()>, StoreError> {
        let work = async {
            let mut transaction = self.pool.begin().await?;
            let (outcome, keep) = delete(&mut transaction, id, precondition).await?;
            finish(transaction, keep).await?;
            Ok(outcome)
        };
        work.instrument(database::span("DELETE blogs", DatabaseKind::Postgres))
            .await
    }

    async fn keep_html(&self, id: &str, etag: &str, html: &str) -> Result<(), StoreError> {
        sqlx::query(statements::KEEP_HTML)
            .bind(id)
            .bind(etag)
            .bind(html)
            .bind(html::made_of(etag))
            .execute(&self.pool)
            .instrument(database::span("UPDATE blogs", DatabaseKind::Postgres))
            .await?;
        Ok(())
    }

    // The two that are asked several times a second make no spans: they belong to no request.
    async fn sequence(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(statements::SEQUENCE)
            .fetch_one(&self.pool)
            .await?)
    }

    async fn changes(&self, after: i64, count: usize) -> Result<Vec<Change>, StoreError> {
        let changes = sqlx::query_as(statements::CHANGES_AFTER)
            .bind(after)
            .bind(limit(count))
            .fetch_all(&self.pool)
            .await?;
        Ok(changes)
    }
}

async fn finish(transaction: Transaction<'_, Postgres>, keep: bool) -> Result<(), sqlx::Error> {
    if keep {
        transaction.commit().await
    } else {
        transaction.rollback().await
    }
}
