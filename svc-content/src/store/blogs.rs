//! Statements about blog posts. Their text is the same on both databases; the modules beside this one say which connection
//! runs them and where a unit of work begins and ends.

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::BlogSection;
use serde::{Deserialize, Serialize};

use crate::domain::blog::{NewBlog, Replacement};

/// Changes that are kept for processes that have not seen them. One that is further behind reads everything anew.
pub(super) const CHANGES_KEPT: i64 = 10_000;

/// A whole post.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct BlogRow {
    pub id: String,
    pub slug_key: String,
    /// Whether it is the newest one with its slug.
    pub has_slug: bool,
    pub title: String,
    pub content: String,
    pub summary: String,
    pub excerpt: String,
    pub author: String,
    pub category: String,
    pub image: String,
    pub read_time: String,
    /// JSON.
    pub tags: String,
    /// JSON.
    pub sections: String,
    pub published_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub etag: String,
}

/// A post as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct BlogCard {
    pub id: String,
    pub slug_key: String,
    pub has_slug: bool,
    pub title: String,
    pub teaser: String,
    pub summary: String,
    pub excerpt: String,
    pub author: String,
    pub category: String,
    pub image: String,
    pub read_time: String,
    /// JSON.
    pub tags: String,
    pub published_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub etag: String,
}

/// Where a page of the list begins: after this post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPosition {
    pub published_at: DateTime<Utc>,
    pub id: String,
}

/// One change, as other processes learn of it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Change {
    pub seq: i64,
    /// Empty: many posts at once.
    pub blog_id: String,
    pub slug_before: String,
    pub slug_after: String,
}

/// What came of a create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    Created(Box<BlogRow>),
    /// The request was done before; this is its post as it is now.
    Repeated(Box<BlogRow>),
    /// The request was done before, and its post has been deleted since.
    RepeatedDeleted,
    /// The request id belongs to a request for something else.
    RequestIdReused,
}

/// What came of an update (`T` is the row) or of a delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOutcome<T> {
    Done(T),
    Absent,
    /// The post is not the version that the precondition names.
    EtagMismatch,
}

/// Columns of a [`BlogRow`].
macro_rules! row_columns {
    () => {
        "id, slug_key, title, content, summary, excerpt, author, category, image, read_time, tags, sections, published_at, \
         created_at, updated_at, etag, \
         slug_key <> '' AND NOT EXISTS (SELECT 1 FROM blogs AS newer WHERE newer.slug_key = blogs.slug_key \
             AND (newer.published_at, newer.id) > (blogs.published_at, blogs.id)) AS has_slug"
    };
}

/// Columns of a [`BlogCard`].
macro_rules! card_columns {
    () => {
        "id, slug_key, title, teaser, summary, excerpt, author, category, image, read_time, tags, published_at, created_at, \
         updated_at, etag, \
         slug_key <> '' AND NOT EXISTS (SELECT 1 FROM blogs AS newer WHERE newer.slug_key = blogs.slug_key \
             AND (newer.published_at, newer.id) > (blogs.published_at, blogs.id)) AS has_slug"
    };
}

/// `$1` is an id or a slug; an id is never another post's slug.
pub(super) const FIND: &str = concat!(
    "SELECT ",
    row_columns!(),
    " FROM blogs WHERE id = $1 OR slug_key = $1 ORDER BY published_at DESC, id DESC LIMIT 1"
);

pub(super) const BY_ID: &str = concat!("SELECT ", row_columns!(), " FROM blogs WHERE id = $1");

pub(super) const FIRST_PAGE: &str = concat!(
    "SELECT ",
    card_columns!(),
    " FROM blogs ORDER BY published_at DESC, id DESC LIMIT $1"
);

pub(super) const NEXT_PAGE: &str = concat!(
    "SELECT ",
    card_columns!(),
    " FROM blogs WHERE (published_at, id) < ($2, $3) ORDER BY published_at DESC, id DESC LIMIT $1"
);

pub(super) const FIRST_PAGE_OF_CATEGORY: &str = concat!(
    "SELECT ",
    card_columns!(),
    " FROM blogs WHERE category_key = $2 ORDER BY published_at DESC, id DESC LIMIT $1"
);

pub(super) const NEXT_PAGE_OF_CATEGORY: &str = concat!(
    "SELECT ",
    card_columns!(),
    " FROM blogs WHERE category_key = $2 AND (published_at, id) < ($3, $4) ORDER BY published_at DESC, id DESC LIMIT $1"
);

/// Whole posts, newest first, for what is kept in memory.
pub(super) const FIRST_ROWS: &str = concat!(
    "SELECT ",
    row_columns!(),
    " FROM blogs ORDER BY published_at DESC, id DESC LIMIT $1"
);

pub(super) const NEXT_ROWS: &str = concat!(
    "SELECT ",
    row_columns!(),
    " FROM blogs WHERE (published_at, id) < ($2, $3) ORDER BY published_at DESC, id DESC LIMIT $1"
);

/// Waits for whoever else writes, and counts the change.
pub(super) const NEXT_SEQUENCE: &str = "UPDATE blog_sequence SET value = value + 1 RETURNING value";

pub(super) const SEQUENCE: &str = "SELECT value FROM blog_sequence";

/// No row when the seed was sown before.
pub(super) const BEGIN_SEEDING: &str = "UPDATE blog_sequence SET value = value + 1, seeded = TRUE WHERE seeded = FALSE RETURNING value";

pub(super) const IS_EMPTY: &str = "SELECT NOT EXISTS (SELECT 1 FROM blogs)";

/// The slug is left out when it is the id of another post.
pub(super) const INSERT: &str = "\
INSERT INTO blogs (id, slug_key, title, content, teaser, summary, excerpt, author, category, category_key, image, read_time, \
                   tags, sections, published_at, created_at, updated_at, etag)
VALUES ($1, CASE WHEN EXISTS (SELECT 1 FROM blogs AS other WHERE other.id = $2) THEN '' ELSE $2 END, $3, $4, $5, $6, $7, $8, \
        $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)";

/// `$18` is the version that may be replaced; empty: whichever there is.
pub(super) const UPDATE: &str = "\
UPDATE blogs
SET slug_key = CASE WHEN EXISTS (SELECT 1 FROM blogs AS other WHERE other.id = $2 AND other.id <> $1) THEN '' ELSE $2 END,
    title = $3, content = $4, teaser = $5, summary = $6, excerpt = $7, author = $8, category = $9, category_key = $10,
    image = $11, read_time = $12, tags = $13, sections = $14, published_at = coalesce($15, published_at), updated_at = $16,
    etag = $17
WHERE id = $1 AND ($18 = '' OR etag = $18)";

pub(super) const DELETE: &str = "DELETE FROM blogs WHERE id = $1 AND ($2 = '' OR etag = $2)";

pub(super) const SLUG_OF: &str = "SELECT slug_key FROM blogs WHERE id = $1";

/// No row is made when the request was made before.
pub(super) const INSERT_REQUEST: &str = "\
INSERT INTO blog_requests (request_id, fingerprint, blog_id, created_at) VALUES ($1, $2, $3, $4) \
ON CONFLICT DO NOTHING";

pub(super) const REQUEST: &str =
    "SELECT fingerprint, blog_id FROM blog_requests WHERE request_id = $1";

pub(super) const INSERT_CHANGE: &str =
    "INSERT INTO blog_changes (seq, blog_id, slug_before, slug_after) VALUES ($1, $2, $3, $4)";

pub(super) const FORGET_CHANGES: &str = "DELETE FROM blog_changes WHERE seq <= $1";

pub(super) const CHANGES_AFTER: &str = "\
SELECT seq, blog_id, slug_before, slug_after FROM blog_changes WHERE seq > $1 ORDER BY seq LIMIT $2";

/// A section in the database.
#[derive(Debug, Serialize, Deserialize)]
struct StoredSection {
    heading: String,
    text: String,
    image: String,
    alignment: String,
}

fn to_json(value: &impl Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()))
}

fn sections_json(sections: &[BlogSection]) -> Result<String, sqlx::Error> {
    let stored = |section: &BlogSection| StoredSection {
        heading: section.heading.clone(),
        text: section.text.clone(),
        image: section.image.clone(),
        alignment: section.alignment.clone(),
    };
    to_json(&sections.iter().map(stored).collect::<Vec<_>>())
}

/// What was stored as JSON; nothing if somebody else has put there what is no such list.
pub(crate) fn tags(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}

/// As [`tags`].
pub(crate) fn sections(json: &str) -> Vec<BlogSection> {
    let stored: Vec<StoredSection> = serde_json::from_str(json).unwrap_or_default();
    let section = |stored: StoredSection| BlogSection {
        heading: stored.heading,
        text: stored.text,
        image: stored.image,
        alignment: stored.alignment,
    };
    stored.into_iter().map(section).collect()
}

/// Values of a draft that are stored beside what the writer sent.
pub(super) struct Derived {
    pub(super) slug_key: String,
    pub(super) teaser: String,
    pub(super) category_key: String,
    pub(super) tags: String,
    pub(super) sections: String,
}

impl Derived {
    pub(super) fn of_new(new: &NewBlog) -> Result<Self, sqlx::Error> {
        Self::of(&new.draft)
    }

    pub(super) fn of_replacement(replacement: &Replacement) -> Result<Self, sqlx::Error> {
        Self::of(&replacement.draft)
    }

    fn of(draft: &crate::domain::blog::Draft) -> Result<Self, sqlx::Error> {
        Ok(Self {
            slug_key: draft.slug_key(),
            teaser: draft.teaser(),
            category_key: draft.category_key(),
            tags: to_json(&draft.blog().tags)?,
            sections: sections_json(&draft.blog().sections)?,
        })
    }
}

/// The units of work of a store within one transaction of its database, for the connection type that it has.
macro_rules! blog_units_of_work {
    ($connection:ty) => {
        use crate::{
            domain::blog::{NewBlog, Replacement, RequestKey},
            store::blogs::{
                self as statements, BlogRow, Change, CreateOutcome, Derived, WriteOutcome,
            },
        };

        /// What to do with the transaction: whether there is something to keep.
        type Kept<T> = Result<(T, bool), sqlx::Error>;

        async fn by_id(
            connection: &mut $connection,
            id: &str,
        ) -> Result<Option<BlogRow>, sqlx::Error> {
            sqlx::query_as(statements::BY_ID)
                .bind(id)
                .fetch_optional(connection)
                .await
        }

        async fn slug_of(
            connection: &mut $connection,
            id: &str,
        ) -> Result<Option<String>, sqlx::Error> {
            sqlx::query_scalar(statements::SLUG_OF)
                .bind(id)
                .fetch_optional(connection)
                .await
        }

        async fn next_sequence(connection: &mut $connection) -> Result<i64, sqlx::Error> {
            sqlx::query_scalar(statements::NEXT_SEQUENCE)
                .fetch_one(connection)
                .await
        }

        async fn note(connection: &mut $connection, change: &Change) -> Result<(), sqlx::Error> {
            sqlx::query(statements::INSERT_CHANGE)
                .bind(change.seq)
                .bind(&change.blog_id)
                .bind(&change.slug_before)
                .bind(&change.slug_after)
                .execute(&mut *connection)
                .await?;
            sqlx::query(statements::FORGET_CHANGES)
                .bind(change.seq - statements::CHANGES_KEPT)
                .execute(connection)
                .await?;
            Ok(())
        }

        async fn insert(connection: &mut $connection, new: &NewBlog) -> Result<(), sqlx::Error> {
            let derived = Derived::of_new(new)?;
            let blog = new.draft.blog();
            sqlx::query(statements::INSERT)
                .bind(&new.id)
                .bind(derived.slug_key)
                .bind(&blog.title)
                .bind(&blog.content)
                .bind(derived.teaser)
                .bind(&blog.summary)
                .bind(&blog.excerpt)
                .bind(&blog.author)
                .bind(&blog.category)
                .bind(derived.category_key)
                .bind(&blog.image)
                .bind(&blog.read_time)
                .bind(derived.tags)
                .bind(derived.sections)
                .bind(new.published_at)
                .bind(new.created_at)
                .bind(&new.etag)
                .execute(connection)
                .await?;
            Ok(())
        }

        async fn seed(connection: &mut $connection, seeds: &[NewBlog]) -> Kept<bool> {
            let begun: Option<i64> = sqlx::query_scalar(statements::BEGIN_SEEDING)
                .fetch_optional(&mut *connection)
                .await?;
            let Some(seq) = begun else {
                return Ok((false, false));
            };
            let is_empty: bool = sqlx::query_scalar(statements::IS_EMPTY)
                .fetch_one(&mut *connection)
                .await?;
            if is_empty {
                for new in seeds {
                    insert(connection, new).await?;
                }
            }
            let change = Change {
                seq,
                blog_id: String::new(),
                slug_before: String::new(),
                slug_after: String::new(),
            };
            note(connection, &change).await?;
            Ok((is_empty, true))
        }

        async fn create(
            connection: &mut $connection,
            new: &NewBlog,
            request: &RequestKey,
        ) -> Kept<CreateOutcome> {
            let seq = next_sequence(connection).await?;
            let is_first = sqlx::query(statements::INSERT_REQUEST)
                .bind(&request.id)
                .bind(&request.fingerprint)
                .bind(&new.id)
                .bind(new.created_at)
                .execute(&mut *connection)
                .await?
                .rows_affected()
                > 0;
            if !is_first {
                return Ok((repeated(connection, request).await?, false));
            }
            insert(connection, new).await?;
            let row = by_id(connection, &new.id)
                .await?
                .ok_or(sqlx::Error::RowNotFound)?;
            let change = Change {
                seq,
                blog_id: new.id.clone(),
                slug_before: String::new(),
                slug_after: row.slug_key.clone(),
            };
            note(connection, &change).await?;
            Ok((CreateOutcome::Created(Box::new(row)), true))
        }

        async fn repeated(
            connection: &mut $connection,
            request: &RequestKey,
        ) -> Result<CreateOutcome, sqlx::Error> {
            let (fingerprint, blog_id): (Vec<u8>, String) = sqlx::query_as(statements::REQUEST)
                .bind(&request.id)
                .fetch_one(&mut *connection)
                .await?;
            if fingerprint != request.fingerprint {
                return Ok(CreateOutcome::RequestIdReused);
            }
            let row = by_id(connection, &blog_id).await?;
            Ok(row.map_or(CreateOutcome::RepeatedDeleted, |row| {
                CreateOutcome::Repeated(Box::new(row))
            }))
        }

        async fn update(
            connection: &mut $connection,
            replacement: &Replacement,
        ) -> Kept<WriteOutcome<Box<BlogRow>>> {
            let seq = next_sequence(connection).await?;
            let Some(slug_before) = slug_of(connection, &replacement.id).await? else {
                return Ok((WriteOutcome::Absent, false));
            };
            let derived = Derived::of_replacement(replacement)?;
            let blog = replacement.draft.blog();
            let updated = sqlx::query(statements::UPDATE)
                .bind(&replacement.id)
                .bind(derived.slug_key)
                .bind(&blog.title)
                .bind(&blog.content)
                .bind(derived.teaser)
                .bind(&blog.summary)
                .bind(&blog.excerpt)
                .bind(&blog.author)
                .bind(&blog.category)
                .bind(derived.category_key)
                .bind(&blog.image)
                .bind(&blog.read_time)
                .bind(derived.tags)
                .bind(derived.sections)
                .bind(replacement.draft.published_at())
                .bind(replacement.updated_at)
                .bind(&replacement.etag)
                .bind(replacement.precondition.as_deref().unwrap_or_default())
                .execute(&mut *connection)
                .await?;
            if updated.rows_affected() == 0 {
                return Ok((WriteOutcome::EtagMismatch, false));
            }
            let row = by_id(connection, &replacement.id)
                .await?
                .ok_or(sqlx::Error::RowNotFound)?;
            let change = Change {
                seq,
                blog_id: row.id.clone(),
                slug_before,
                slug_after: row.slug_key.clone(),
            };
            note(connection, &change).await?;
            Ok((WriteOutcome::Done(Box::new(row)), true))
        }

        async fn delete(
            connection: &mut $connection,
            id: &str,
            precondition: Option<&str>,
        ) -> Kept<WriteOutcome<()>> {
            let seq = next_sequence(connection).await?;
            let Some(slug_before) = slug_of(connection, id).await? else {
                return Ok((WriteOutcome::Absent, false));
            };
            let deleted = sqlx::query(statements::DELETE)
                .bind(id)
                .bind(precondition.unwrap_or_default())
                .execute(&mut *connection)
                .await?;
            if deleted.rows_affected() == 0 {
                return Ok((WriteOutcome::EtagMismatch, false));
            }
            let change = Change {
                seq,
                blog_id: id.to_owned(),
                slug_before,
                slug_after: String::new(),
            };
            note(connection, &change).await?;
            Ok((WriteOutcome::Done(()), true))
        }
    };
}
pub(super) use blog_units_of_work;

/// Reads of a store, from a pool of its database.
macro_rules! blog_reads {
    ($pool:ty) => {
        use crate::store::blogs::{BlogCard, ListPosition};

        async fn cards(
            pool: &$pool,
            category_key: Option<&str>,
            after: Option<&ListPosition>,
            count: i64,
        ) -> Result<Vec<BlogCard>, sqlx::Error> {
            match (category_key, after) {
                (None, None) => {
                    sqlx::query_as(statements::FIRST_PAGE)
                        .bind(count)
                        .fetch_all(pool)
                        .await
                }
                (None, Some(after)) => {
                    sqlx::query_as(statements::NEXT_PAGE)
                        .bind(count)
                        .bind(after.published_at)
                        .bind(&after.id)
                        .fetch_all(pool)
                        .await
                }
                (Some(category), None) => {
                    sqlx::query_as(statements::FIRST_PAGE_OF_CATEGORY)
                        .bind(count)
                        .bind(category)
                        .fetch_all(pool)
                        .await
                }
                (Some(category), Some(after)) => {
                    sqlx::query_as(statements::NEXT_PAGE_OF_CATEGORY)
                        .bind(count)
                        .bind(category)
                        .bind(after.published_at)
                        .bind(&after.id)
                        .fetch_all(pool)
                        .await
                }
            }
        }

        async fn rows(
            pool: &$pool,
            after: Option<&ListPosition>,
            count: i64,
        ) -> Result<Vec<BlogRow>, sqlx::Error> {
            match after {
                None => {
                    sqlx::query_as(statements::FIRST_ROWS)
                        .bind(count)
                        .fetch_all(pool)
                        .await
                }
                Some(after) => {
                    sqlx::query_as(statements::NEXT_ROWS)
                        .bind(count)
                        .bind(after.published_at)
                        .bind(&after.id)
                        .fetch_all(pool)
                        .await
                }
            }
        }
    };
}
pub(super) use blog_reads;
