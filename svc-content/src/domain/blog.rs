//! Blog posts as they are written: what a writer may send, and what is kept of it.

use chrono::{DateTime, Duration, SubsecRound, Utc};
use hospital_proto::content::v1::{Blog, BlogSection};
use prost::Message;
use service_kit::violation::Violation;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{files::posts::SeedBlog, html, slug, values, wire};

/// What posts without a category are filed under.
pub const CATEGORY: &str = "Health Tips";
/// What is said of posts without a reading time.
pub const READ_TIME: &str = "5 min read";
/// Posts with this tag are the most popular ones, as the editors see it: nobody counts readers.
pub const FEATURED_TAG: &str = "featured";

const TITLE_CHARS_MAX: usize = 200;
const CONTENT_CHARS_MAX: usize = 50_000;
const SUMMARY_CHARS_MAX: usize = 500;
const AUTHOR_CHARS_MAX: usize = 120;
pub(crate) const CATEGORY_CHARS_MAX: usize = 60;
const READ_TIME_CHARS_MAX: usize = 40;
const TAGS_MAX: usize = 20;
const TAG_CHARS_MAX: usize = 40;
const SECTIONS_MAX: usize = 30;
const HEADING_CHARS_MAX: usize = 200;
const SECTION_CHARS_MAX: usize = 10_000;
const REQUEST_ID_BYTES: std::ops::RangeInclusive<usize> = 16..=128;
const ETAG_BYTES_MAX: usize = 128;
/// How far the writer's clock may be ahead of ours.
const CLOCK_SKEW: Duration = Duration::seconds(60);

/// A post that may be stored.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Only what a writer decides; texts trimmed, defaults not filled in.
    blog: Blog,
    published_at: Option<DateTime<Utc>>,
}

impl Draft {
    /// The error holds every violation. What is output only is ignored.
    pub fn parse(blog: &Blog, now: DateTime<Utc>) -> Result<Self, Vec<Violation>> {
        let mut check = Check::default();
        let published_at = check.published_at(blog, now);
        let blog = Blog {
            title: check.line("title", &blog.title, TITLE_CHARS_MAX),
            content: check.text("content", &blog.content, CONTENT_CHARS_MAX),
            summary: check.text("summary", &blog.summary, SUMMARY_CHARS_MAX),
            excerpt: check.text("excerpt", &blog.excerpt, SUMMARY_CHARS_MAX),
            author: check.line("author", &blog.author, AUTHOR_CHARS_MAX),
            category: check.line("category", &blog.category, CATEGORY_CHARS_MAX),
            image: check.image("image", &blog.image),
            read_time: check.line("readTime", &blog.read_time, READ_TIME_CHARS_MAX),
            tags: check.tags(&blog.tags),
            sections: check.sections(&blog.sections),
            published_at: published_at.map(wire::timestamp),
            ..Blog::default()
        };
        if blog.title.is_empty() {
            check.fail("title", "must not be empty");
        }
        if check.0.is_empty() {
            Ok(Self { blog, published_at })
        } else {
            Err(check.0)
        }
    }

    /// What the files hold was checked when they were read.
    pub(crate) fn of_seed(seed: &SeedBlog) -> Self {
        Self {
            blog: seed.blog.clone(),
            published_at: Some(seed.published_at),
        }
    }

    pub(crate) fn blog(&self) -> &Blog {
        &self.blog
    }

    pub(crate) fn published_at(&self) -> Option<DateTime<Utc>> {
        self.published_at
    }

    /// Equal for requests that ask for the same.
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        Sha256::digest(self.blog.encode_to_vec()).to_vec()
    }

    /// Slug of the title; empty when there is none. One that looks like an id is none, so that nothing is found by two names.
    pub(crate) fn slug_key(&self) -> String {
        let slug = slug::blog_slug(&self.blog.title);
        if Uuid::try_parse(&slug).is_ok() {
            return String::new();
        }
        slug
    }

    pub(crate) fn category_key(&self) -> String {
        category_key(&self.blog.category)
    }

    /// What a list shows of the content.
    pub(crate) fn teaser(&self) -> String {
        html::first_chars(&html::plain_text(&self.blog.content), super::TEASER_CHARS)
    }
}

/// Labels that differ in case only are one category.
pub(crate) fn category_key(label: &str) -> String {
    let label = if label.is_empty() { CATEGORY } else { label };
    label.to_lowercase()
}

/// A create, as its caller names it.
#[derive(Debug, Clone)]
pub struct RequestKey {
    pub(crate) id: String,
    pub(crate) fingerprint: Vec<u8>,
}

/// A post that is to be created.
#[derive(Debug, Clone)]
pub struct NewBlog {
    pub(crate) id: String,
    pub(crate) draft: Draft,
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) etag: String,
}

impl NewBlog {
    /// Microseconds are what both databases keep.
    pub fn new(id: String, draft: Draft, now: DateTime<Utc>, etag: Uuid) -> Self {
        let now = now.trunc_subsecs(6);
        Self {
            id,
            published_at: draft.published_at.unwrap_or(now),
            draft,
            created_at: now,
            etag: etag.simple().to_string(),
        }
    }
}

/// What an existing post is to become.
#[derive(Debug, Clone)]
pub struct Replacement {
    pub(crate) id: String,
    /// Version that may be replaced; `None`: whichever there is.
    pub(crate) precondition: Option<String>,
    pub(crate) draft: Draft,
    pub(crate) updated_at: DateTime<Utc>,
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
            updated_at: now.trunc_subsecs(6),
            etag: etag.simple().to_string(),
        }
    }
}

/// Names a create for ever (AIP-155): 16 to 128 visible ASCII characters.
pub(crate) fn request_id(id: &str) -> Result<String, Violation> {
    if REQUEST_ID_BYTES.contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(id.to_owned())
    } else {
        let problem = "must be 16 to 128 visible ASCII characters";
        Err(Violation::new("requestId", problem))
    }
}

/// The version that a precondition names, with or without the quotes of HTTP; `None` for none and for `*`.
pub(crate) fn precondition(etag: &str) -> Result<Option<String>, Violation> {
    let etag = etag.trim().trim_matches('"');
    if etag.len() > ETAG_BYTES_MAX {
        return Err(Violation::new("etag", "is not an etag of a post"));
    }
    Ok((!etag.is_empty() && etag != "*").then(|| etag.to_owned()))
}

/// Collects what is wrong, and gives what is right of it.
#[derive(Default)]
struct Check(Vec<Violation>);

impl Check {
    fn fail(&mut self, field: impl Into<String>, problem: impl Into<String>) {
        self.0.push(Violation::new(field, problem));
    }

    fn within(&mut self, field: &str, text: &str, chars_max: usize) {
        if text.chars().count() > chars_max {
            self.fail(field, format!("must have at most {chars_max} characters"));
        }
    }

    fn line(&mut self, field: &str, text: &str, chars_max: usize) -> String {
        let text = text.trim();
        self.within(field, text, chars_max);
        if text.chars().any(char::is_control) {
            self.fail(field, "must be one line without control characters");
        }
        text.to_owned()
    }

    fn text(&mut self, field: &str, text: &str, chars_max: usize) -> String {
        let text = text.trim().replace("\r\n", "\n");
        self.within(field, &text, chars_max);
        if text
            .chars()
            .any(|character| character.is_control() && !['\n', '\t'].contains(&character))
        {
            self.fail(
                field,
                "must not have control characters other than line breaks",
            );
        }
        text
    }

    fn image(&mut self, field: &str, address: &str) -> String {
        let address = address.trim();
        if !address.is_empty() && !values::is_link(address) {
            self.fail(
                field,
                "must be a path on this site, such as /images/a.svg, or an https:// address",
            );
        }
        address.to_owned()
    }

    fn tags(&mut self, tags: &[String]) -> Vec<String> {
        if tags.len() > TAGS_MAX {
            self.fail("tags", format!("must have at most {TAGS_MAX} entries"));
        }
        let mut kept: Vec<String> = Vec::new();
        for (index, tag) in tags.iter().take(TAGS_MAX).enumerate() {
            let field = format!("tags[{index}]");
            let tag = self.line(&field, tag, TAG_CHARS_MAX);
            if tag.is_empty() {
                self.fail(field, "must not be empty");
            }
            if !kept.contains(&tag) {
                kept.push(tag);
            }
        }
        kept
    }

    fn sections(&mut self, sections: &[BlogSection]) -> Vec<BlogSection> {
        if sections.len() > SECTIONS_MAX {
            self.fail(
                "sections",
                format!("must have at most {SECTIONS_MAX} entries"),
            );
        }
        let sections = sections.iter().take(SECTIONS_MAX).enumerate();
        sections
            .map(|(index, section)| {
                let field = |name: &str| format!("sections[{index}].{name}");
                if !["", "imageRight"].contains(&section.alignment.as_str()) {
                    self.fail(field("alignment"), "must be imageRight or empty");
                }
                BlogSection {
                    heading: self.line(&field("heading"), &section.heading, HEADING_CHARS_MAX),
                    text: self.text(&field("text"), &section.text, SECTION_CHARS_MAX),
                    image: self.image(&field("image"), &section.image),
                    alignment: section.alignment.clone(),
                }
            })
            .collect()
    }

    fn published_at(&mut self, blog: &Blog, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let timestamp = blog.published_at.as_ref()?;
        let time = wire::time(timestamp).map(|time| time.trunc_subsecs(6));
        // Before 1970 or after now there is nothing that a hospital could have published here.
        let is_possible =
            |time: &DateTime<Utc>| *time >= DateTime::UNIX_EPOCH && *time <= now + CLOCK_SKEW;
        let time = time.filter(is_possible);
        if time.is_none() {
            self.fail("publishedAt", "must be a time that is not in the future");
        }
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_000_000, 0).expect("a time")
    }

    fn titled(title: &str) -> Blog {
        Blog {
            title: title.to_owned(),
            ..Blog::default()
        }
    }

    fn fields(blog: &Blog) -> Vec<String> {
        let violations = Draft::parse(blog, now()).expect_err("violations");
        violations
            .into_iter()
            .map(|violation| violation.field)
            .collect()
    }

    #[test]
    fn every_violation_is_reported_at_once() {
        let section = |alignment: &str, image: &str, chars: usize| BlogSection {
            heading: "h".repeat(201),
            text: "t".repeat(chars),
            image: image.to_owned(),
            alignment: alignment.to_owned(),
        };
        let blog = Blog {
            title: "  ".to_owned(),
            content: "c".repeat(50_001),
            summary: "s".repeat(501),
            excerpt: "e\u{0}".to_owned(),
            author: "a\nb".to_owned(),
            category: "c".repeat(61),
            image: "http://a.example/b.png".to_owned(),
            read_time: "r".repeat(41),
            tags: vec![String::new(), "t".repeat(41)],
            sections: vec![
                section("", "/images/a.svg", 10_000),
                section("imageLeft", "javascript:x", 10_001),
            ],
            published_at: Some(wire::timestamp(now() + Duration::seconds(61))),
            ..Blog::default()
        };
        assert_eq!(
            fields(&blog),
            [
                "publishedAt",
                "content",
                "summary",
                "excerpt",
                "author",
                "category",
                "image",
                "readTime",
                "tags[0]",
                "tags[1]",
                "sections[0].heading",
                "sections[1].alignment",
                "sections[1].heading",
                "sections[1].text",
                "sections[1].image",
                "title",
            ]
        );
        assert_eq!(
            fields(&Blog {
                tags: vec!["t".to_owned(); 21],
                sections: vec![BlogSection::default(); 31],
                ..titled("t")
            }),
            ["tags", "sections"]
        );
    }

    #[test]
    fn limits_are_counted_in_characters() {
        let blog = Blog {
            title: "ಹ".repeat(200),
            content: "ಹ".repeat(50_000),
            ..Blog::default()
        };
        assert!(Draft::parse(&blog, now()).is_ok());
    }

    #[test]
    fn what_is_output_only_is_ignored_and_texts_are_trimmed() {
        let blog = Blog {
            id: "mine".to_owned(),
            slug: "mine".to_owned(),
            etag: "mine".to_owned(),
            title: " Heart & Lungs ".to_owned(),
            tags: vec!["a".to_owned(), "a ".to_owned()],
            content: "one\r\ntwo\n".to_owned(),
            ..Blog::default()
        };
        let draft = Draft::parse(&blog, now()).expect("a draft");
        assert_eq!((draft.blog.id.as_str(), draft.blog.etag.as_str()), ("", ""));
        assert_eq!(draft.slug_key(), "heart-lungs");
        assert_eq!(draft.blog.tags, ["a"]);
        assert_eq!(draft.blog.content, "one\ntwo");
        assert_eq!(draft.category_key(), "health tips");
        let same = Draft::parse(&titled("Heart & Lungs"), now()).expect("a draft");
        assert_ne!(draft.fingerprint(), same.fingerprint());
        let again = Draft::parse(&blog, now() + Duration::seconds(5)).expect("a draft");
        assert_eq!(draft.fingerprint(), again.fingerprint());
    }

    #[test]
    fn a_title_that_looks_like_an_id_has_no_slug() {
        let draft = |title: &str| Draft::parse(&titled(title), now()).expect("a draft");
        assert_eq!(draft("67e55044-10b1-426f-9247-bb680e5fe0c8").slug_key(), "");
        assert_eq!(draft("ಹೃದಯ").slug_key(), "");
    }

    #[test]
    fn a_teaser_has_words_and_no_tags() {
        let blog = Blog {
            content: format!("<h2>Why</h2><p>{}</p>", "word ".repeat(100)),
            ..titled("t")
        };
        let teaser = Draft::parse(&blog, now()).expect("a draft").teaser();
        assert!(teaser.starts_with("Why word word"), "{teaser}");
        assert_eq!(teaser.chars().count(), 200);
    }

    #[test]
    fn request_ids_and_preconditions_are_read_strictly() {
        assert!(request_id("0123456789abcdef").is_ok());
        let long = "a".repeat(129);
        for bad in [
            "",
            "0123456789abcde",
            "0123456789 abcdef",
            "0123456789abcdeé",
            &long,
        ] {
            assert!(request_id(bad).is_err(), "{bad}");
        }
        for (etag, wanted) in [
            ("", None),
            ("*", None),
            ("\"ab\"", Some("ab")),
            (" ab ", Some("ab")),
        ] {
            assert_eq!(precondition(etag).expect("readable").as_deref(), wanted);
        }
        assert!(precondition(&"a".repeat(129)).is_err());
    }
}
