//! Storage of blog posts and content revisions. Each change is a unit of work. All SQL of the service is in the
//! submodules.

mod backfill;
pub mod media;
pub mod records;
pub(crate) mod rows;
mod statements;
mod work;

use chrono::{DateTime, Utc};
use store_kit::{
    database::Database, error::StoreError, keys::Keys, migrate::Schema, requests::RequestKey,
    values,
};

pub use rows::{BlogCard, BlogRow, Change, ListPosition};
pub use work::{CREATE, CreateOutcome, Revision, WriteOutcome};

use crate::domain::blog::{NewBlog, Replacement};
use records::Author;

static SQLITE: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: sqlx::migrate::Migrator = sqlx::migrate!("migrations/postgres");

/// Schema that this build expects.
pub const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[&backfill::BlogRequests],
    sealed: &[],
};

/// Store of posts in a database. Results are committed when a method returns. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    keys: Keys,
}

impl Store {
    /// Creates a store on an open database.
    pub fn new(database: Database, keys: Keys) -> Self {
        Self { database, keys }
    }

    /// Returns the underlying database.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Records that a process serves this content. If recorded before, the later time is kept.
    pub async fn record(&self, revision: Revision) -> Result<(), StoreError> {
        let work = work::Record { revision };
        self.database.write("UPSERT content_revision", work).await
    }

    /// Returns whether a process served this content before.
    pub async fn knows(&self, revision: &str) -> Result<bool, StoreError> {
        let summary = "SELECT content_revision";
        let known: (bool,) = self
            .database
            .fetch_one(summary, statements::IS_KNOWN, values![revision])
            .await?;
        Ok(known.0)
    }

    /// Returns the most recently loaded revision; `None` if there is none.
    pub async fn latest(&self) -> Result<Option<Revision>, StoreError> {
        let summary = "SELECT content_revision";
        let latest = statements::LATEST_REVISION;
        self.database
            .fetch_optional(summary, latest, values![])
            .await
    }

    /// Seeds the database unless it was seeded before or has posts; returns whether it did.
    pub async fn seed_blogs(&self, seeds: Vec<NewBlog>) -> Result<bool, StoreError> {
        let work = work::Seed { seeds };
        self.database.write("INSERT blogs", work).await
    }

    /// Returns a post by id or slug.
    pub async fn blog(&self, name: &str) -> Result<Option<BlogRow>, StoreError> {
        // Posts without a slug are stored with an empty one.
        if name.is_empty() {
            return Ok(None);
        }
        self.database
            .fetch_optional("SELECT blogs", statements::FIND, values![name])
            .await
    }

    /// Returns at most `count` posts, newest first, of one category or all, optionally after a given post.
    pub async fn blogs(
        &self,
        category_key: Option<&str>,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogCard>, StoreError> {
        let count = limit(count);
        let (sql, values) = match (category_key, after) {
            (None, None) => (statements::FIRST_PAGE, values![count]),
            (None, Some(after)) => (
                statements::NEXT_PAGE,
                values![count, after.published_at, &after.id],
            ),
            (Some(category), None) => {
                (statements::FIRST_PAGE_OF_CATEGORY, values![count, category])
            }
            (Some(category), Some(after)) => (
                statements::NEXT_PAGE_OF_CATEGORY,
                values![count, category, after.published_at, &after.id],
            ),
        };
        self.database.fetch_all("SELECT blogs", sql, values).await
    }

    /// Returns at most `count` full posts, newest first, for the in-memory view.
    pub async fn blog_rows(
        &self,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogRow>, StoreError> {
        let count = limit(count);
        let (sql, values) = match after {
            None => (statements::FIRST_ROWS, values![count]),
            Some(after) => (
                statements::NEXT_ROWS,
                values![count, after.published_at, &after.id],
            ),
        };
        self.database.fetch_all("SELECT blogs", sql, values).await
    }

    /// Creates a post, once per request.
    pub async fn create_blog(
        &self,
        new: NewBlog,
        request: RequestKey,
        author: impl Into<Author>,
    ) -> Result<CreateOutcome, StoreError> {
        let work = work::Create {
            new,
            request,
            author: author.into(),
            keys: self.keys.clone(),
        };
        self.database.write("INSERT blogs", work).await
    }

    /// Updates a post if its version matches the precondition.
    pub async fn update_blog(
        &self,
        replacement: Replacement,
        author: impl Into<Author>,
    ) -> Result<WriteOutcome<Box<BlogRow>>, StoreError> {
        let work = work::Update {
            replacement,
            author: author.into(),
            keys: self.keys.clone(),
        };
        self.database.write("UPDATE blogs", work).await
    }

    /// Deletes a post if its version matches the precondition; `None` matches any version.
    pub async fn delete_blog(
        &self,
        id: &str,
        precondition: Option<&str>,
        author: impl Into<Author>,
        now: DateTime<Utc>,
    ) -> Result<WriteOutcome<()>, StoreError> {
        let work = work::Delete {
            id: id.to_owned(),
            precondition: precondition.map(str::to_owned),
            author: author.into(),
            now,
            keys: self.keys.clone(),
        };
        self.database.write("DELETE blogs", work).await
    }

    /// Stores the sanitised HTML of a version, unless the post has changed since.
    pub async fn keep_html(&self, id: &str, etag: &str, html: &str) -> Result<(), StoreError> {
        let work = work::KeepHtml {
            id: id.to_owned(),
            etag: etag.to_owned(),
            html: html.to_owned(),
        };
        self.database.write("UPDATE blogs", work).await
    }

    /// Returns the sequence number of the last change.
    pub async fn sequence(&self) -> Result<i64, StoreError> {
        let sequence: (i64,) = self
            .database
            .fetch_one("SELECT blog_sequence", statements::SEQUENCE, values![])
            .await?;
        Ok(sequence.0)
    }

    /// Returns at most `count` changes after a sequence number, in order. Old changes are pruned, which leaves a gap
    /// after `after`.
    pub async fn changes(&self, after: i64, count: usize) -> Result<Vec<Change>, StoreError> {
        let values = values![after, limit(count)];
        self.database
            .fetch_all("SELECT blog_changes", statements::CHANGES_AFTER, values)
            .await
    }
}

/// Converts a row limit. Counts are small, and databases have no unsigned integers.
fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
