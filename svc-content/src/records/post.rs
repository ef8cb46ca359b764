//! Posts as records. A body has the fields of a post under their names in the content files. Visitors read posts from a
//! table of their own, so posts are not assembled to files; the checks are those of the API.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Body, Kind, Problem, kinds::POST};
use crate::{
    domain::blog::{BlogForm, BlogSection, Draft, FEATURED_TAG},
    wire,
};

/// Offset of India from UTC. The desk shows times in it.
const INDIA: TimeDelta = TimeDelta::minutes(330);

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Section {
    #[serde(skip_serializing_if = "String::is_empty")]
    heading: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    image: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    alignment: String,
}

/// Returns the body of a post. Empty fields are left out.
pub(crate) fn body_of(id: &str, form: &BlogForm, published_at: DateTime<Utc>) -> Body {
    let (tags, is_featured) = wire::shown_tags(form.tags.clone());
    let sections = form.sections.iter().map(|section| Section {
        heading: section.heading.clone(),
        text: section.text.clone(),
        image: section.image.clone(),
        alignment: section.alignment.clone(),
    });
    let sections = sections.map(|section| serde_json::to_value(section).unwrap_or_default());
    let fields = [
        ("id", id.into()),
        ("title", form.title.as_str().into()),
        ("content", form.content.as_str().into()),
        ("summary", form.summary.as_str().into()),
        ("excerpt", form.excerpt.as_str().into()),
        ("author", form.author.as_str().into()),
        ("category", form.category.as_str().into()),
        ("image", form.image.as_str().into()),
        ("read_time", form.read_time.as_str().into()),
        ("tags", tags.into()),
        ("sections", Value::Array(sections.collect())),
        ("published_at", shown_time(published_at).into()),
    ];
    let is_set = |value: &Value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().filter(|(_, value)| is_set(value));
    let mut body: Body = fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if is_featured {
        body.insert(FEATURED_TAG.to_owned(), true.into());
    }
    body
}

/// Formats a time of India to the second, as the desk edits it.
fn shown_time(time: DateTime<Utc>) -> String {
    (time + INDIA).format("%Y-%m-%dT%H:%M:%S+05:30").to_string()
}

/// Validates a body as a post that is published at `at`. Sanitises HTML, so it must not run on a runtime thread.
///
/// # Errors
/// The first problem.
pub fn parse(id: &str, body: &Body, at: DateTime<Utc>) -> Result<Draft, Problem> {
    let problem = |field: &str, message: String| Problem::of(POST, id, &field_of(field), message);
    let form = form_of(body).map_err(|(field, message)| problem(&field, message))?;
    Draft::parse(&form, at).map_err(|violations| {
        let first = violations.into_iter().next();
        first.map_or_else(
            || problem("", "is no post".to_owned()),
            |violation| problem(&violation.field, violation.description),
        )
    })
}

/// Returns a field's name in the body by its name in the API.
fn field_of(field: &str) -> String {
    field
        .replace("readTime", "read_time")
        .replace("publishedAt", "published_at")
}

/// Reads a body. The error is a field and what is wrong with it.
fn form_of(body: &Body) -> Result<BlogForm, (String, String)> {
    let mut body = body.clone();
    body.remove(POST.id_field());
    let mut tags: Vec<String> = take(&mut body, "tags")?;
    let is_featured: bool = take(&mut body, FEATURED_TAG)?;
    if is_featured && !wire::shown_tags(tags.clone()).1 {
        tags.push(FEATURED_TAG.to_owned());
    }
    let sections: Vec<Section> = take(&mut body, "sections")?;
    let form = BlogForm {
        title: take(&mut body, "title")?,
        content: take(&mut body, "content")?,
        summary: take(&mut body, "summary")?,
        excerpt: take(&mut body, "excerpt")?,
        author: take(&mut body, "author")?,
        category: take(&mut body, "category")?,
        image: take(&mut body, "image")?,
        read_time: take(&mut body, "read_time")?,
        tags,
        sections: sections.into_iter().map(BlogSection::from).collect(),
        published_at: time(&take::<String>(&mut body, "published_at")?)?,
    };
    match body.into_iter().find(|(_, value)| !value.is_null()) {
        Some((field, _)) => Err((
            field,
            "Remove this field: a post has none of the name".to_owned(),
        )),
        None => Ok(form),
    }
}

impl From<Section> for BlogSection {
    fn from(section: Section) -> Self {
        Self {
            heading: section.heading,
            text: section.text,
            image: section.image,
            alignment: section.alignment,
        }
    }
}

fn take<T: DeserializeOwned + Default>(
    body: &mut Body,
    field: &str,
) -> Result<T, (String, String)> {
    match body.remove(field) {
        None | Some(Value::Null) => Ok(T::default()),
        Some(value) => {
            serde_json::from_value(value).map_err(|error| (field.to_owned(), error.to_string()))
        }
    }
}

/// Parses a time of publication. Empty: the time at which the post is first published.
fn time(text: &str) -> Result<Option<DateTime<Utc>>, (String, String)> {
    if text.is_empty() {
        return Ok(None);
    }
    DateTime::parse_from_rfc3339(text)
        .map(|time| Some(time.to_utc()))
        .map_err(|_| {
            let message = "Enter a time such as 2026-10-22T10:00:00+05:30";
            ("published_at".to_owned(), message.to_owned())
        })
}

impl Kind {
    /// Returns whether records of the kind are posts.
    pub fn is_post(&self) -> bool {
        self == POST
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-23T03:30:00.25Z".parse().expect("a time")
    }

    fn body(value: Value) -> Body {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn a_body_and_its_post_are_the_same() {
        let full = body(json!({
            "id": "sleep", "title": "Good sleep", "content": "<p>Go to bed.</p>", "summary": "Rest", "author": "Dr. A",
            "category": "Sleep", "image": "/images/a.svg", "read_time": "3 min read", "tags": ["rest"],
            "featured": true, "published_at": "2026-11-23T09:00:00+05:30",
            "sections": [{"heading": "Why", "text": "Because.", "alignment": "imageRight"}]
        }));
        let draft = parse("sleep", &full, now()).expect("a post");
        assert_eq!(draft.form().tags, ["rest", "featured"]);
        assert_eq!(body_of("sleep", draft.form(), now()), full);
        let least = body(json!({"id": "sleep", "title": "Good sleep", "published_at": ""}));
        let draft = parse("sleep", &least, now()).expect("a post");
        assert_eq!(draft.form().published_at, None);
    }

    #[test]
    fn names_the_field_of_the_body() {
        for (changes, field) in [
            (json!({"title": ""}), "title"),
            (json!({"title": 5}), "title"),
            (json!({"read_time": "a".repeat(41)}), "read_time"),
            (json!({"published_at": "tomorrow"}), "published_at"),
            (
                json!({"published_at": "2027-11-23T09:00:00+05:30"}),
                "published_at",
            ),
            (
                json!({"sections": [{"alignment": "left"}]}),
                "sections[0].alignment",
            ),
            (json!({"sections": [{"height": 5}]}), "sections"),
            (json!({"tags": [""]}), "tags[0]"),
            (json!({"image": "https://elsewhere.example/a.png"}), "image"),
            (json!({"likes": 5}), "likes"),
        ] {
            let mut changed = body(json!({"id": "sleep", "title": "Good sleep"}));
            changed.extend(body(changes.clone()));
            let problem = parse("sleep", &changed, now()).expect_err("refused");
            assert_eq!(problem.field, field, "{changes}");
            assert_eq!(problem.name(), "post/sleep");
        }
    }
}
