//! SQLite: one writing connection, so writers wait in the pool instead of failing.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl, SqlitePools};
use sqlx::{Sqlite, SqliteConnection, SqlitePool, Transaction, migrate::Migrator};
use tracing::Instrument;

use super::{Revision, Store, StoreError, limit};
use crate::html;

super::blogs::work::blog_units_of_work!(SqliteConnection);
super::blogs::work::blog_reads!(SqlitePool);

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

    async fn seed_blogs(&self, seeds: &[NewBlog]) -> Result<bool, StoreError> {
        let work = async {
            let mut transaction = self.pools.write.begin_with("BEGIN IMMEDIATE").await?;
            let (is_sown, keep) = seed(&mut transaction, seeds).await?;
            finish(transaction, keep).await?;
            Ok(is_sown)
        };
        work.instrument(database::span("INSERT blogs", DatabaseKind::Sqlite))
            .await
    }

    async fn blog(&self, name: &str) -> Result<Option<BlogRow>, StoreError> {
        if name.is_empty() {
            return Ok(None);
        }
        let row = sqlx::query_as(statements::FIND)
            .bind(name)
            .fetch_optional(&self.pools.read)
            .instrument(database::span("SELECT blogs", DatabaseKind::Sqlite))
            .await?;
        Ok(row)
    }

    async fn blogs(
        &self,
        category_key: Option<&str>,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogCard>, StoreError> {
        let cards = cards(&self.pools.read, category_key, after, limit(count))
            .instrument(database::span("SELECT blogs", DatabaseKind::Sqlite))
            .await?;
        Ok(cards)
    }

    async fn blog_rows(
        &self,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogRow>, StoreError> {
        Ok(rows(&self.pools.read, after, limit(count)).await?)
    }

    async fn create_blog(
        &self,
        new: &NewBlog,
        request: &RequestKey,
    ) -> Result<CreateOutcome, StoreError> {
        let work = async {
            let mut transaction = self.pools.write.begin_with("BEGIN IMMEDIATE").await?;
            let (outcome, keep) = create(&mut transaction, new, request).await?;
            finish(transaction, keep).await?;
            Ok(outcome)
        };
        work.instrument(database::span("INSERT blogs", DatabaseKind::Sqlite))
            .await
    }

    async fn update_blog(
        &self,
        replacement: &Replacement,
    ) -> Result<WriteOutcome<Box<BlogRow>>, StoreError> {
        let work = async {
            let mut transaction = self.pools.write.begin_with("BEGIN IMMEDIATE").await?;
            let (outcome, keep) = update(&mut transaction, replacement).await?;
            finish(transaction, keep).await?;
            Ok(outcome)
        };
        work.instrument(database::span("UPDATE blogs", DatabaseKind::Sqlite))
            .await
    }

    async fn delete_blog(
        &self,
        id: &str,
        precondition: Option<&str>,
    ) -> Result<WriteOutcome<()>, StoreError> {
        let work = async {
            let mut transaction = self.pools.write.begin_with("BEGIN IMMEDIATE").await?;
            let (outcome, keep) = delete(&mut transaction, id, precondition).await?;
            finish(transaction, keep).await?;
            Ok(outcome)
        };
        work.instrument(database::span("DELETE blogs", DatabaseKind::Sqlite))
            .await
    }

    async fn keep_html(&self, id: &str, etag: &str, html: &str) -> Result<(), StoreError> {
        sqlx::query(statements::KEEP_HTML)
            .bind(id)
            .bind(etag)
            .bind(html)
            .bind(html::made_of(etag))
            .execute(&self.pools.write)
            .instrument(database::span("UPDATE blogs", DatabaseKind::Sqlite))
            .await?;
        Ok(())
    }

    // The two that are asked several times a second make no spans: they belong to no request.
    async fn sequence(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(statements::SEQUENCE)
            .fetch_one(&self.pools.read)
            .await?)
    }

    async fn changes(&self, after: i64, count: usize) -> Result<Vec<Change>, StoreError> {
        let changes = sqlx::query_as(statements::CHANGES_AFTER)
            .bind(after)
            .bind(limit(count))
            .fetch_all(&self.pools.read)
            .await?;
        Ok(changes)
    }
}

async fn finish(transaction: Transaction<'_, Sqlite>, keep: bool) -> Result<(), sqlx::Error> {
    if keep {
        transaction.commit().await
    } else {
        transaction.rollback().await
    }
}
