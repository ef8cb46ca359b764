//! What is stored of blog posts, and what comes of storing it.

pub(super) mod statements;
pub(super) mod work;

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::BlogSection;
use serde::{Deserialize, Serialize};

use crate::{domain::blog::Draft, html};

/// A whole post.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct BlogRow {
    pub id: String,
    pub slug_key: String,
    /// Whether it is the newest one with its slug.
    pub has_slug: bool,
    pub title: String,
    pub content: String,
    /// The content as a page may show it, if `html_of` says that it was made of this version by today's rules.
    pub content_html: String,
    pub html_of: String,
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
    pub(super) html_of: String,
}

impl Derived {
    pub(super) fn of(draft: &Draft, etag: &str) -> Result<Self, sqlx::Error> {
        Ok(Self {
            slug_key: draft.slug_key(),
            teaser: draft.teaser(),
            category_key: draft.category_key(),
            tags: to_json(&draft.blog().tags)?,
            sections: sections_json(&draft.blog().sections)?,
            html_of: html::made_of(etag),
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A post with nothing in it.
    pub(crate) fn row() -> BlogRow {
        BlogRow {
            id: "p1".to_owned(),
            slug_key: String::new(),
            has_slug: false,
            title: String::new(),
            content: String::new(),
            content_html: String::new(),
            html_of: String::new(),
            summary: String::new(),
            excerpt: String::new(),
            author: String::new(),
            category: String::new(),
            image: String::new(),
            read_time: String::new(),
            tags: "[]".to_owned(),
            sections: "[]".to_owned(),
            published_at: DateTime::UNIX_EPOCH,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
            etag: String::new(),
        }
    }
}
