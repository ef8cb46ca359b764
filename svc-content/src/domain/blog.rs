//! Blog posts: validation of a writer's input, and the form in which posts are stored.

mod check;

use chrono::{DateTime, SubsecRound, Utc};
use service_kit::input::Violation;
use uuid::Uuid;

use crate::{html, slug};
use check::Check;

/// Category of posts without one.
pub const CATEGORY: &str = "Health Tips";
/// Reading time shown for posts without one.
pub const READ_TIME: &str = "5 min read";
/// Marks a post as popular, by the editors' choice; views are not counted. Stored as a tag but not shown as one.
pub const FEATURED_TAG: &str = "featured";

/// Length of the content excerpt in lists, in characters.
pub(crate) const TEASER_CHARS: usize = 200;
const TITLE_CHARS_MAX: usize = 200;
const CONTENT_CHARS_MAX: usize = 50_000;
const SUMMARY_CHARS_MAX: usize = 500;
const AUTHOR_CHARS_MAX: usize = 120;
pub(crate) const CATEGORY_CHARS_MAX: usize = 60;
const READ_TIME_CHARS_MAX: usize = 40;
const ETAG_BYTES_MAX: usize = 128;

/// A writer's input.
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

/// A section of a post, with its own heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlogSection {
    pub heading: String,
    pub text: String,
    pub image: String,
    /// `imageRight` or empty.
    pub alignment: String,
}

/// A post that seeds an empty database.
#[derive(Debug, Clone)]
pub struct SeedBlog {
    pub id: String,
    pub form: BlogForm,
    pub published_at: DateTime<Utc>,
    /// Sanitised content.
    pub(crate) html: String,
}

/// A validated post, ready to be stored.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Texts are trimmed; defaults are not filled in.
    form: BlogForm,
    published_at: Option<DateTime<Utc>>,
    /// Sanitised content.
    html: String,
}

impl Draft {
    /// Validates a post. The error holds every violation. Sanitises HTML, so it must not run on a runtime thread.
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

    /// Converts a seed post, which was validated when the files were read.
    pub(crate) fn of_seed(seed: &SeedBlog) -> Self {
        Self {
            form: seed.form.clone(),
            published_at: Some(seed.published_at),
            html: seed.html.clone(),
        }
    }

    /// Returns the writer's input.
    pub fn form(&self) -> &BlogForm {
        &self.form
    }

    pub(crate) fn published_at(&self) -> Option<DateTime<Utc>> {
        self.published_at
    }

    /// Returns the post without a time of publication: a stored post keeps its own.
    pub(crate) fn undated(mut self) -> Self {
        self.published_at = None;
        self
    }

    /// Returns the sanitised content.
    pub(crate) fn html(&self) -> &str {
        &self.html
    }

    /// Returns the slug of the title, possibly empty. A slug that looks like an id is dropped, so that names stay
    /// unambiguous.
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

    /// Returns the content excerpt for lists.
    pub(crate) fn teaser(&self) -> String {
        html::first_chars(&html::text_of(&self.html), TEASER_CHARS)
    }
}

/// Returns the sanitised HTML of the content of a post. Violations name the field `text`. Must not run on a runtime
/// thread.
pub(crate) fn html_of(text: &str) -> Result<String, Vec<Violation>> {
    let mut check = Check::default();
    let text = check.text("text", text, CONTENT_CHARS_MAX);
    let html = check.html("text", &text);
    if check.0.is_empty() {
        Ok(html)
    } else {
        Err(check.0)
    }
}

/// Returns the category's key. Labels that differ only in case are one category.
pub(crate) fn category_key(label: &str) -> String {
    let label = if label.is_empty() { CATEGORY } else { label };
    label.to_lowercase()
}

/// A post to be created.
#[derive(Debug, Clone)]
pub struct NewBlog {
    pub(crate) id: String,
    pub(crate) draft: Draft,
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) create_time: DateTime<Utc>,
    pub(crate) etag: String,
}

impl NewBlog {
    /// Creates the record. Times are truncated to microseconds, the precision of both databases.
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

    /// Returns the draft to be stored.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }
}

/// An update of an existing post.
#[derive(Debug, Clone)]
pub struct Replacement {
    pub(crate) id: String,
    /// Etag of the version that may be replaced; `None` for any.
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

/// Parses the etag of a precondition, with or without HTTP's quotes. `None` if it is missing or `*`.
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
