//! SQL statements. Both databases share one text wherever possible.

use store_kit::sql::Sql;

/// Maximum length of the change log. A process that is further behind reloads everything.
pub(super) const CHANGES_KEPT: i64 = 10_000;

/// Columns of a [`BlogRow`].
macro_rules! row_columns {
    () => {
        "id, slug_key, title, content, content_html, html_of, summary, excerpt, author, category, image, read_time, tags, sections, published_at, \
         created_at AS create_time, updated_at AS update_time, etag, \
         slug_key <> '' AND NOT EXISTS (SELECT 1 FROM blogs AS newer WHERE newer.slug_key = blogs.slug_key \
             AND (newer.published_at, newer.id) > (blogs.published_at, blogs.id)) AS has_slug"
    };
}

/// Columns of a [`BlogCard`].
macro_rules! card_columns {
    () => {
        "id, slug_key, title, teaser, summary, excerpt, author, category, image, read_time, tags, published_at, \
         created_at AS create_time, updated_at AS update_time, etag, \
         slug_key <> '' AND NOT EXISTS (SELECT 1 FROM blogs AS newer WHERE newer.slug_key = blogs.slug_key \
             AND (newer.published_at, newer.id) > (blogs.published_at, blogs.id)) AS has_slug"
    };
}

/// If recorded before, the later time is kept.
pub(super) const RECORD_REVISION: Sql = Sql::differing(
    "INSERT INTO content_revision (revision, loaded_at) VALUES ($1, $2) \
     ON CONFLICT (revision) DO UPDATE SET loaded_at = max(content_revision.loaded_at, excluded.loaded_at)",
    "INSERT INTO content_revision (revision, loaded_at) VALUES ($1, $2) \
     ON CONFLICT (revision) DO UPDATE SET loaded_at = greatest(content_revision.loaded_at, excluded.loaded_at)",
);

pub(super) const IS_KNOWN: &str =
    "SELECT EXISTS (SELECT 1 FROM content_revision WHERE revision = $1)";

pub(super) const LATEST_REVISION: &str = "SELECT revision, loaded_at AS load_time FROM content_revision ORDER BY loaded_at DESC, revision LIMIT 1";

/// `$1` is an id or a slug; a slug never equals another post's id.
pub(super) const FIND: &str = concat!(
    "SELECT ",
    row_columns!(),
    " FROM blogs WHERE id = $1 OR slug_key = $1 ORDER BY published_at DESC, id DESC LIMIT 1"
);

pub(super) const BY_ID: &str = concat!("SELECT ", row_columns!(), " FROM blogs WHERE id = $1");

pub(super) const CARD_BY_ID: &str =
    concat!("SELECT ", card_columns!(), " FROM blogs WHERE id = $1");

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

/// Full posts, newest first, for the in-memory view.
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

/// Takes the row lock that serialises writers, and increments the sequence.
pub(super) const NEXT_SEQUENCE: &str = "UPDATE blog_sequence SET value = value + 1 RETURNING value";

pub(super) const SEQUENCE: &str = "SELECT value FROM blog_sequence";

/// Returns no row if the database was seeded before.
pub(super) const BEGIN_SEEDING: &str = "UPDATE blog_sequence SET value = value + 1, seeded = TRUE WHERE seeded = FALSE RETURNING value";

pub(super) const IS_EMPTY: &str = "SELECT NOT EXISTS (SELECT 1 FROM blogs)";

/// The slug is dropped if it equals another post's id.
pub(super) const INSERT: &str = "\
INSERT INTO blogs (id, slug_key, title, content, teaser, summary, excerpt, author, category, category_key, image, read_time, \
                   tags, sections, published_at, created_at, updated_at, etag, content_html, html_of)
VALUES ($1, CASE WHEN EXISTS (SELECT 1 FROM blogs AS other WHERE other.id = $2) THEN '' ELSE $2 END, $3, $4, $5, $6, $7, $8, \
        $9, $10, $11, $12, $13, $14, $15, $16, $16, $17, $18, $19)";

/// `$18` is the etag of the version that may be replaced; empty for any.
pub(super) const UPDATE: &str = "\
UPDATE blogs
SET slug_key = CASE WHEN EXISTS (SELECT 1 FROM blogs AS other WHERE other.id = $2 AND other.id <> $1) THEN '' ELSE $2 END,
    title = $3, content = $4, teaser = $5, summary = $6, excerpt = $7, author = $8, category = $9, category_key = $10,
    image = $11, read_time = $12, tags = $13, sections = $14, published_at = coalesce($15, published_at), updated_at = $16,
    etag = $17, content_html = $19, html_of = $20
WHERE id = $1 AND ($18 = '' OR etag = $18)";

/// Stores the sanitised HTML of a version; does not count as a change of the post.
pub(super) const KEEP_HTML: &str =
    "UPDATE blogs SET content_html = $3, html_of = $4 WHERE id = $1 AND etag = $2";

pub(super) const DELETE: &str = "DELETE FROM blogs WHERE id = $1 AND ($2 = '' OR etag = $2)";

pub(super) const SLUG_OF: &str = "SELECT slug_key FROM blogs WHERE id = $1";

pub(super) const INSERT_CHANGE: &str =
    "INSERT INTO blog_changes (seq, blog_id, slug_before, slug_after) VALUES ($1, $2, $3, $4)";

pub(super) const FORGET_CHANGES: &str = "DELETE FROM blog_changes WHERE seq <= $1";

pub(super) const CHANGES_AFTER: &str = "\
SELECT seq, blog_id, slug_before, slug_after FROM blog_changes WHERE seq > $1 ORDER BY seq LIMIT $2";
