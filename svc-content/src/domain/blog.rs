//! Blog posts as they are written: what a writer may send, and what is kept of it.

mod check;

use chrono::{DateTime, SubsecRound, Utc};
use service_kit::input::Violation;
use uuid::Uuid;

use crate::{files::posts::SeedBlog, html, slug};
use check::Check;

/// What posts without a category are filed under.
pub const CATEGORY: &str = "Health Tips";
/// What is said of posts without a reading time.
pub const READ_TIME: &str = "5 min read";
/// Marks a post as popular in the editors' opinion; readers are not counted. Stored as a tag, never shown as one.
pub const FEATURED_TAG: &str = "featured";

const TITLE_CHARS_MAX: usize = 200;
const CONTENT_CHARS_MAX: usize = 50_000;
const SUMMARY_CHARS_MAX: usize = 500;
const AUTHOR_CHARS_MAX: usize = 120;
pub(crate) const CATEGORY_CHARS_MAX: usize = 60;
const READ_TIME_CHARS_MAX: usize = 40;
const ETAG_BYTES_MAX: usize = 128;

/// A post as a writer gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlogForm {
    pub title: String,
    pub content: String,
    pub summary: String,
    pub excerpt: String,
    pub author: String,
    pub category: String,
    pub image: String,
    pub read_time: String,
    pub tags: Vec<String>,
    pub sections: Vec<BlogSection>,
    pub published_at: Option<DateTime<Utc>>,
}

/// A part of a post with a heading of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlogSection {
    pub heading: String,
    pub text: String,
    pub image: String,
    /// `imageRight` or nothing.
    pub alignment: String,
}

/// A post that may be stored.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Texts trimmed, defaults not filled in.
    form: BlogForm,
    published_at: Option<DateTime<Utc>>,
    /// The content, made safe.
    html: String,
}

impl Draft {
    /// The error holds every violation. Makes the HTML safe: not for a thread of the runtime.
    pub fn parse(sent: &BlogForm, now: DateTime<Utc>) -> Result<Self, Vec<Violation>> {
        let mut check = Check::default();
        let published_at = check.published_at(sent, now);
        let form = BlogForm {
            title: check.line("title", &sent.title, TITLE_CHARS_MAX),
            content: check.text("content", &sent.content, CONTENT_CHARS_MAX),
            summary: check.text("summary", &sent.summary, SUMMARY_CHARS_MAX),
            excerpt: check.text("excerpt", &sent.excerpt, SUMMARY_CHARS_MAX),
            author: check.line("author", &sent.author, AUTHOR_CHARS_MAX),
            category: check.line("category", &sent.category, CATEGORY_CHARS_MAX),
            image: check.image("image", &sent.image),
            read_time: check.line("readTime", &sent.read_time, READ_TIME_CHARS_MAX),
            tags: check.tags(&sent.tags),
            sections: check.sections(&sent.sections),
            published_at,
        };
        if form.title.is_empty() {
            check.fail("title", "Enter a title");
        }
        let html = check.html("content", &form.content);
        if check.0.is_empty() {
            Ok(Self {
                form,
                published_at,
                html,
            })
        } else {
            Err(check.0)
        }
    }

    /// What the files hold was checked when they were read.
    pub(crate) fn of_seed(seed: &SeedBlog) -> Self {
        Self {
            form: seed.form.clone(),
            published_at: Some(seed.published_at),
            html: seed.html.clone(),
        }
    }

    /// What the writer gave of it.
    pub fn form(&self) -> &BlogForm {
        &self.form
    }

    pub(crate) fn published_at(&self) -> Option<DateTime<Utc>> {
        self.published_at
    }

    /// The content as a page may show it.
    pub(crate) fn html(&self) -> &str {
        &self.html
    }

    /// Slug of the title; empty when there is none. One that looks like an id is none, so that nothing is found by two names.
    pub(crate) fn slug_key(&self) -> String {
        let slug = slug::blog_slug(&self.form.title);
        if Uuid::try_parse(&slug).is_ok() {
            return String::new();
        }
        slug
    }

    pub(crate) fn category_key(&self) -> String {
        category_key(&self.form.category)
    }

    /// What a list shows of the content.
    pub(crate) fn teaser(&self) -> String {
        html::first_chars(&html::text_of(&self.html), super::TEASER_CHARS)
    }
}

/// Labels that differ in case only are one category.
pub(crate) fn category_key(label: &str) -> String {
    let label = if label.is_empty() { CATEGORY } else { label };
    label.to_lowercase()
}

/// A post that is to be created.
#[derive(Debug, Clone)]
pub struct NewBlog {
    pub(crate) id: String,
    pub(crate) draft: Draft,
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) create_time: DateTime<Utc>,
    pub(crate) etag: String,
}

impl NewBlog {
    /// Truncated to microseconds, the precision of both databases.
    pub fn new(id: String, draft: Draft, now: DateTime<Utc>, etag: Uuid) -> Self {
        let now = now.trunc_subsecs(6);
        Self {
            id,
            published_at: draft.published_at.unwrap_or(now),
            draft,
            create_time: now,
            etag: etag.simple().to_string(),
        }
    }

    /// What is to be stored of what the writer gave.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }
}

/// What an existing post is to become.
#[derive(Debug, Clone)]
pub struct Replacement {
    pub(crate) id: String,
    /// Version that may be replaced; `None`: whichever there is.
    pub(crate) precondition: Option<String>,
    pub(crate) draft: Draft,
    pub(crate) update_time: DateTime<Utc>,
    pub(crate) etag: String,
}

impl Replacement {
    pub fn new(
        id: String,
        precondition: Option<String>,
        draft: Draft,
        now: DateTime<Utc>,
        etag: Uuid,
    ) -> Self {
        Self {
            id,
            precondition,
            draft,
            update_time: now.trunc_subsecs(6),
            etag: etag.simple().to_string(),
        }
    }
}

/// The version that a precondition names, with or without the quotes of HTTP; `None` for none and for `*`.
pub(crate) fn precondition(etag: &str) -> Result<Option<String>, Violation> {
    let etag = etag.trim().trim_matches('"');
    if etag.len() > ETAG_BYTES_MAX || !etag.bytes().all(|byte| byte.is_ascii_graphic()) {
        let problem = "Send the etag of the post, unchanged, or leave it out";
        return Err(Violation::new("etag", problem));
    }
    Ok((!etag.is_empty() && etag != "*").then(|| etag.to_owned()))
}

#[cfg(test)]
mod tests;
