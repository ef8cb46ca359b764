//! Conversion between the gRPC contract and the domain.

pub(crate) mod media;
pub mod records;

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use hospital_proto::content::v1 as proto;
use prost::Message as _;
use prost_types::Timestamp;

use crate::domain::blog::{BlogForm, BlogSection, FEATURED_TAG};

/// Converts a writer's post; output-only fields are ignored. An invalid time becomes the minimum time, which validation
/// refuses.
pub fn blog_form(blog: proto::Blog) -> BlogForm {
    let section = |section: proto::BlogSection| BlogSection {
        heading: section.heading,
        text: section.text,
        image: section.image,
        alignment: section.alignment,
    };
    let published_at = blog.published_at.as_ref();
    let mut tags = blog.tags;
    if blog.featured && !tags.iter().any(|tag| is_featured(tag)) {
        tags.push(FEATURED_TAG.to_owned());
    }
    BlogForm {
        title: blog.title,
        content: blog.content,
        summary: blog.summary,
        excerpt: blog.excerpt,
        author: blog.author,
        category: blog.category,
        image: blog.image,
        read_time: blog.read_time,
        tags,
        sections: blog.sections.into_iter().map(section).collect(),
        published_at: published_at.map(|at| time(at).unwrap_or(DateTime::<Utc>::MIN_UTC)),
    }
}

/// Returns canonical bytes of a request, whose hash identifies retries. Builds before store-kit hashed the same bytes.
pub fn fingerprinted(form: &BlogForm) -> Vec<u8> {
    let form = form.clone();
    let body = proto::Blog {
        title: form.title,
        content: form.content,
        summary: form.summary,
        excerpt: form.excerpt,
        author: form.author,
        category: form.category,
        image: form.image,
        read_time: form.read_time,
        tags: form.tags,
        sections: form.sections.into_iter().map(blog_section).collect(),
        published_at: form.published_at.map(timestamp),
        ..proto::Blog::default()
    };
    body.encode_to_vec()
}

/// Splits stored tags into visible tags and the editors' featured mark.
pub(crate) fn shown_tags(stored: Vec<String>) -> (Vec<String>, bool) {
    let count = stored.len();
    let shown: Vec<String> = stored.into_iter().filter(|tag| !is_featured(tag)).collect();
    let featured = shown.len() < count;
    (shown, featured)
}

fn is_featured(tag: &str) -> bool {
    tag.trim().to_lowercase() == FEATURED_TAG
}

pub(crate) fn blog_section(section: BlogSection) -> proto::BlogSection {
    proto::BlogSection {
        heading: section.heading,
        text: section.text,
        image: section.image,
        picture: None,
        alignment: section.alignment,
    }
}

pub(crate) fn timestamp(time: DateTime<Utc>) -> Timestamp {
    SystemTime::from(time).into()
}

/// Converts a timestamp; `None` if it is invalid.
pub(crate) fn time(timestamp: &Timestamp) -> Option<DateTime<Utc>> {
    let nanos = u32::try_from(timestamp.nanos).ok()?;
    DateTime::from_timestamp(timestamp.seconds, nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::blog::Draft;

    #[test]
    fn the_fingerprint_covers_the_writers_fields() {
        let fingerprint = |change: fn(&mut proto::Blog)| {
            let mut blog = proto::Blog {
                title: "Heart & Lungs".to_owned(),
                tags: vec!["a".to_owned()],
                ..proto::Blog::default()
            };
            change(&mut blog);
            let form = blog_form(blog);
            let now = "2026-11-23T03:30:00Z".parse().expect("a time");
            fingerprinted(Draft::parse(&form, now).expect("a draft").form())
        };
        let first = fingerprint(|_| {});
        assert_eq!(fingerprint(|blog| blog.id = "mine".to_owned()), first);
        assert_eq!(fingerprint(|blog| blog.slug = "mine".to_owned()), first);
        assert_eq!(fingerprint(|blog| blog.etag = "mine".to_owned()), first);
        assert_eq!(fingerprint(|blog| blog.title.push(' ')), first);
        assert_ne!(fingerprint(|blog| blog.title.push('!')), first);
        assert_ne!(fingerprint(|blog| blog.tags.clear()), first);
        assert_ne!(
            fingerprint(|blog| blog.sections.push(proto::BlogSection::default())),
            first
        );
        let published = fingerprint(|blog| blog.published_at = Some(Timestamp::default()));
        assert_ne!(published, first);
    }

    // S5: both the tag and the field mark a post, and neither is shown as a tag.
    #[test]
    fn stores_the_featured_tag_once_and_hides_it() {
        let stored = |tags: &[&str], featured| {
            let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            let blog = proto::Blog {
                tags,
                featured,
                ..proto::Blog::default()
            };
            blog_form(blog).tags
        };
        assert_eq!(stored(&["a"], true), ["a", "featured"]);
        assert_eq!(stored(&["Featured", "a"], true), ["Featured", "a"]);
        assert_eq!(stored(&["a"], false), ["a"]);
        assert_eq!(
            shown_tags(stored(&["Featured", "a"], false)),
            (vec!["a".to_owned()], true)
        );
        assert_eq!(
            shown_tags(vec!["a".to_owned()]),
            (vec!["a".to_owned()], false)
        );
    }

    #[test]
    fn refuses_invalid_times() {
        for (seconds, nanos) in [(0, -1), (i64::MAX, 0), (0, 2_000_000_000)] {
            let blog = proto::Blog {
                title: "t".to_owned(),
                published_at: Some(Timestamp { seconds, nanos }),
                ..proto::Blog::default()
            };
            let now = "2026-11-23T03:30:00Z".parse().expect("a time");
            let violations = Draft::parse(&blog_form(blog), now).expect_err("refused");
            assert_eq!(violations[0].field, "publishedAt", "{seconds} {nanos}");
        }
    }
}
