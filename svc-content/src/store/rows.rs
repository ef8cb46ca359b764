//! Rows of blog posts.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store_kit::{error::StoreError, row, sql::Value, values};

use crate::{
    domain::blog::{BlogSection, Draft, NewBlog, Replacement},
    html,
};

row! {
    /// A full post.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BlogRow {
        pub id: String,
        pub slug_key: String,
        /// Whether this is the newest post with this slug.
        pub has_slug: bool,
        pub title: String,
        pub content: String,
        /// Sanitised content. Current only if `html_of` matches this version and today's rules.
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
        pub create_time: DateTime<Utc>,
        pub update_time: DateTime<Utc>,
        pub etag: String,
    }
}

impl BlogRow {
    /// Returns whether the stored HTML matches this version of the post and the current rules.
    pub(crate) fn is_html_current(&self) -> bool {
        self.html_of == html::made_of(&self.etag)
    }

    /// Returns newly sanitised HTML if the stored HTML is outdated.
    pub(crate) fn resanitised(&self) -> Option<String> {
        (!self.is_html_current()).then(|| html::sanitise_stored(&self.content))
    }
}

row! {
    /// A post as shown in lists.
    #[derive(Debug, Clone, PartialEq, Eq)]
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
        pub create_time: DateTime<Utc>,
        pub update_time: DateTime<Utc>,
        pub etag: String,
    }
}

/// Position in the list; the page starts after this post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPosition {
    pub published_at: DateTime<Utc>,
    pub id: String,
}

row! {
    /// An entry of the change log, which other processes follow.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Change {
        pub seq: i64,
        /// Empty if many posts changed at once.
        pub blog_id: String,
        pub slug_before: String,
        pub slug_after: String,
    }
}

/// JSON form of a section in the database.
#[derive(Debug, Serialize, Deserialize)]
struct StoredSection {
    heading: String,
    text: String,
    image: String,
    alignment: String,
}

fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()).into())
}

fn sections_json(sections: &[BlogSection]) -> Result<String, StoreError> {
    let stored = |section: &BlogSection| StoredSection {
        heading: section.heading.clone(),
        text: section.text.clone(),
        image: section.image.clone(),
        alignment: section.alignment.clone(),
    };
    to_json(&sections.iter().map(stored).collect::<Vec<_>>())
}

/// Parses stored JSON; empty if the value is not a valid list.
pub(crate) fn tags(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}

/// Like [`tags`].
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

/// Returns the values that both statements begin with.
fn draft_values(id: &str, draft: &Draft) -> Result<Vec<Value>, StoreError> {
    let form = draft.form();
    Ok(values![
        id,
        draft.slug_key(),
        &form.title,
        &form.content,
        draft.teaser(),
        &form.summary,
        &form.excerpt,
        &form.author,
        &form.category,
        draft.category_key(),
        &form.image,
        &form.read_time,
        to_json(&form.tags)?,
        sections_json(&form.sections)?
    ])
}

/// Returns the values of the insert statement.
pub(super) fn insert_values(new: &NewBlog) -> Result<Vec<Value>, StoreError> {
    let mut values = draft_values(&new.id, &new.draft)?;
    values.extend(values![
        new.published_at,
        new.create_time,
        &new.etag,
        new.draft.html(),
        html::made_of(&new.etag)
    ]);
    Ok(values)
}

/// Returns the values of the update statement.
pub(super) fn update_values(replacement: &Replacement) -> Result<Vec<Value>, StoreError> {
    let mut values = draft_values(&replacement.id, &replacement.draft)?;
    values.extend(values![
        replacement.draft.published_at(),
        replacement.update_time,
        &replacement.etag,
        replacement.precondition.as_deref().unwrap_or_default(),
        replacement.draft.html(),
        html::made_of(&replacement.etag)
    ]);
    Ok(values)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns an empty post.
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
            create_time: DateTime::UNIX_EPOCH,
            update_time: DateTime::UNIX_EPOCH,
            etag: String::new(),
        }
    }
}
