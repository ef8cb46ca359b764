//! Sanitisation of HTML in blog posts. A post is sanitised once, when it is written, and the result is stored beside
//! the writer's text. HTML stored by older binaries or under older rules is sanitised again when the post is loaded
//! into memory or requested. So all served HTML is sanitised by the current rules.

mod bounds;
mod markdown;

use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use ammonia::{Builder, UrlRelative};

use crate::values;
pub(crate) use bounds::TooMuch;

/// Version of the allowlist. A new version causes every post to be sanitised again.
const RULES: u32 = 3;
/// Inline tags, which do not separate words.
const WITHIN_WORDS: &[&str] = &[
    "a", "b", "code", "em", "i", "s", "strong", "sub", "sup", "u",
];

/// Allowed tags. Any other tag is removed but its text is kept; `script` and `style` are removed with their text. No
/// `h1`, because the page has its own; no `id`, `class` or `style`, no event handlers, no forms, no frames.
const TAGS: &[&str] = &[
    "a",
    "b",
    "blockquote",
    "br",
    "caption",
    "code",
    "em",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "hr",
    "i",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
];
const TAG_ATTRIBUTES: &[(&str, &[&str])] = &[
    ("a", &["href", "title"]),
    ("img", &["src", "alt", "width", "height"]),
    ("ol", &["start"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["colspan", "rowspan", "scope"]),
];

const LINK_SCHEMES: [&str; 3] = ["https", "mailto", "tel"];

/// Sanitiser. Links may have one of [`LINK_SCHEMES`], or be absolute paths on this site or
/// fragments. Pictures must be files of this site, because its security policy (`img-src 'self'`) blocks all others.
static SAFE: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    let attributes = TAG_ATTRIBUTES.iter();
    builder
        .tags(TAGS.iter().copied().collect())
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes(
            attributes
                .map(|(tag, names)| (*tag, names.iter().copied().collect()))
                .collect(),
        )
        .url_schemes(HashSet::from(LINK_SCHEMES))
        .attribute_filter(|element, name, value| match (element, name) {
            ("img", "src") if !values::is_site_path(value) => None,
            _ => Some(Cow::Borrowed(value)),
        })
        .url_relative(UrlRelative::Custom(Box::new(on_this_site)))
        .link_rel(Some("noopener"));
    builder
});

fn on_this_site(url: &str) -> Option<Cow<'_, str>> {
    (values::is_site_path(url) || url.starts_with('#')).then_some(Cow::Borrowed(url))
}

/// Sanitises a post: filters its HTML by the allowlist. A text without HTML tags is Markdown. Takes about ten
/// milliseconds for the longest text, so it must not run on a runtime thread.
pub(crate) fn sanitise(content: &str) -> Result<String, TooMuch> {
    if !ammonia::is_html(content) {
        return markdown::to_html(content);
    }
    bounds::check(content)?;
    let html = without_blank_pictures(&SAFE.clean(content).to_string());
    if html.len() > bounds::HTML_BYTES_MAX {
        return Err(TooMuch::Bytes);
    }
    Ok(html)
}

/// Removes pictures without a source, which a browser would show as broken.
fn without_blank_pictures(html: &str) -> String {
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find("<img") {
        let (before, tag) = rest.split_at(start);
        let (inside, after) = tag.split_at(end_of_tag(tag));
        kept.push_str(before);
        if inside.contains(" src=\"") {
            kept.push_str(inside);
        }
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Returns the key of stored HTML: the version of the rules and the etag of the post. A binary that stores no HTML
/// still changes the etag on a write, which invalidates the stored HTML.
pub(crate) fn made_of(etag: &str) -> String {
    format!("{RULES}:{etag}")
}

/// Returns the plain text of sanitised HTML: without tags, white space collapsed.
pub(crate) fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let (inside, after) = tag.split_at(end_of_tag(tag));
        let name = inside.trim_start_matches('/').split([' ', '>']).next();
        // Keep words of adjacent blocks apart.
        if !name.is_some_and(|name| WITHIN_WORDS.contains(&name)) {
            text.push(' ');
        }
        rest = after;
    }
    text.push_str(rest);
    unescape(&text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the length of a serialised tag, in which every value is in double quotes.
fn end_of_tag(tag: &str) -> usize {
    let mut is_quoted = false;
    let end = tag.bytes().position(|byte| {
        is_quoted ^= byte == b'"';
        byte == b'>' && !is_quoted
    });
    end.map_or(tag.len(), |end| end + 1)
}

/// Returns the first `chars_max` characters.
pub(crate) fn first_chars(text: &str, chars_max: usize) -> String {
    text.chars().take(chars_max).collect()
}

/// Returns the whole text, or as many first words as fit into `chars_max` characters including the ellipsis.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let start = first_chars(text, chars_max);
    // Cut at the last space; an overlong single word is broken.
    let whole = match start.rsplit_once(' ') {
        Some((words, _)) => words.to_owned(),
        None => first_chars(text, chars_max - 1),
    };
    // An explicit list, because a word in Kannada or Hindi may end in a vowel sign, which is not alphabetic.
    format!(
        "{}…",
        whole.trim_end_matches([' ', ',', ';', ':', '.', '-'])
    )
}

/// Sanitises a stored post. A text beyond the limits is shown as plain text, including its tags.
pub(crate) fn sanitise_stored(content: &str) -> String {
    sanitise(content).unwrap_or_else(|_| paragraphs(content))
}

/// Converts plain text to HTML: blank lines separate paragraphs, single line breaks become `<br>`.
fn paragraphs(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 64);
    let mut is_open = false;
    for line in text.lines().map(str::trim) {
        match (line.is_empty(), is_open) {
            (true, true) => html.push_str("</p>"),
            (true, false) => {}
            (false, true) => html.push_str("<br>"),
            (false, false) => html.push_str("<p>"),
        }
        is_open = !line.is_empty();
        escape(line, &mut html);
    }
    if is_open {
        html.push_str("</p>");
    }
    html
}

fn escape(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}

/// Reverts the escapes that [`escape`] and the HTML serialiser produce in text.
fn unescape(text: &str) -> String {
    text.replace("&nbsp;", " ")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests;
