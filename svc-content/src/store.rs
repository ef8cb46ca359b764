//! What the database keeps: blog posts, and which content it has served. SQL is written in the modules below and nowhere else.

pub(crate) mod blogs;
mod postgres;
mod sqlite;

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, SubsecRound, Utc};
use service_kit::database::{DatabaseKind, DatabaseUrl, OpenError};
use sqlx::migrate::{MigrateError, Migrator};

pub use blogs::{BlogCard, BlogRow, Change, CreateOutcome, ListPosition, WriteOutcome};

use crate::domain::blog::{NewBlog, Replacement, RequestKey};

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

    /// Sows the seed into a database that never had one and has no post. Whether it did.
    async fn seed_blogs(&self, seeds: &[NewBlog]) -> Result<bool, StoreError>;

    /// A post by its id or slug.
    async fn blog(&self, name: &str) -> Result<Option<BlogRow>, StoreError>;

    /// At most `count` posts, newest first: of one category or of all, from the beginning or after another post.
    async fn blogs(
        &self,
        category_key: Option<&str>,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogCard>, StoreError>;

    /// At most `count` whole posts, newest first, for what is kept of them in memory.
    async fn blog_rows(
        &self,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogRow>, StoreError>;

    /// Creates a post, once for each request.
    async fn create_blog(
        &self,
        new: &NewBlog,
        request: &RequestKey,
    ) -> Result<CreateOutcome, StoreError>;

    /// Replaces a post if it is the version that may be replaced.
    async fn update_blog(
        &self,
        replacement: &Replacement,
    ) -> Result<WriteOutcome<Box<BlogRow>>, StoreError>;

    /// Removes a post if it is the version that may be removed; `None`: whichever there is.
    async fn delete_blog(
        &self,
        id: &str,
        precondition: Option<&str>,
    ) -> Result<WriteOutcome<()>, StoreError>;

    /// Keeps what was made of the content of a version, unless there is another version by now.
    async fn keep_html(&self, id: &str, etag: &str, html: &str) -> Result<(), StoreError>;

    /// The number of the last change.
    async fn sequence(&self) -> Result<i64, StoreError>;

    /// At most `count` changes after a number, in their order. Old ones are forgotten: then the first number is not the next.
    async fn changes(&self, after: i64, count: usize) -> Result<Vec<Change>, StoreError>;
}

/// Counts are small; a database has no unsigned numbers.
fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
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

impl StoreError {
    /// Whether the database is away or overloaded, so that another try later is right.
    pub(crate) fn is_unavailable(&self) -> bool {
        const CLASSES: [&str; 5] = [
            "08", // connection exception
            "40", // transaction rollback: serialization failure, deadlock
            "53", // insufficient resources
            "57", // operator intervention, such as a shutdown
            "58", // system error
        ];
        // https://www.sqlite.org/rescode.html: primary codes of BUSY, LOCKED, IOERR, FULL, CANTOPEN.
        const SQLITE: [i64; 5] = [5, 6, 10, 13, 14];
        let Self::Query(error) = self else {
            return matches!(self, Self::Open(_));
        };
        match error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::BeginFailed
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| {
                let is_sqlstate =
                    code.len() == 5 && CLASSES.iter().any(|class| code.starts_with(class));
                let is_sqlite = code
                    .parse::<i64>()
                    .is_ok_and(|code| code < 10_000 && SQLITE.contains(&(code & 0xff)));
                is_sqlstate || is_sqlite
            }),
            _ => false,
        }
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
