//! Sanitises the HTML of blog posts: once, when a post is written; the result is stored beside the writer's text. Posts of older
//! binaries or older rules are sanitised anew when they are loaded into memory or, before that, requested. So everything served is
//! sanitised by the current rules.

mod bounds;

use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use ammonia::{Builder, UrlRelative};

use crate::{store::BlogRow, values};
pub(crate) use bounds::TooMuch;

/// Version of the allowlist. A new one makes every post be sanitised anew.
const RULES: u32 = 2;
/// Tags that stand within words.
const WITHIN_WORDS: &[&str] = &[
    "a", "b", "code", "em", "i", "s", "strong", "sub", "sup", "u",
];

/// What HTML in a post may have. Everything else goes: the tag, with its text left where it was; `script` and `style` with
/// their text. No `h1`, which the page has itself; no `id`, `class` or `style`, no event handlers, no forms, no frames.
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

/// Links lead to `https:` addresses, telephone numbers, mail addresses, paths from the root of this site and places on the same
/// page. Pictures are files of this site: the site's security policy (`img-src 'self'`) blocks all others.
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
        .url_schemes(HashSet::from(["https", "mailto", "tel"]))
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

/// Sanitises a post: what the allowlist leaves of HTML, or the paragraphs of plain text. The longest text takes some ten
/// milliseconds: not for a thread of the runtime.
pub(crate) fn sanitise(content: &str) -> Result<String, TooMuch> {
    if !ammonia::is_html(content) {
        return Ok(paragraphs(content));
    }
    bounds::check(content)?;
    let html = without_blank_pictures(&SAFE.clean(content).to_string());
    if html.len() > bounds::HTML_BYTES_MAX {
        return Err(TooMuch::Bytes);
    }
    Ok(html)
}

/// Drops pictures that have lost their address: a browser would show a broken one.
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

/// Identifies the source of stored HTML: the current rules and the version of the post. A binary that stores no HTML still changes
/// the etag when it writes, which invalidates the stored HTML.
pub(crate) fn made_of(etag: &str) -> String {
    format!("{RULES}:{etag}")
}

/// Whether the stored HTML is that of this version of the post by the current rules.
pub(crate) fn is_current(row: &BlogRow) -> bool {
    row.html_of == made_of(&row.etag)
}

/// The post's HTML if the stored one is not current. A text beyond the bounds is shown as plain text, tags and all.
pub(crate) fn resanitised(row: &BlogRow) -> Option<String> {
    let shown = || sanitise(&row.content).unwrap_or_else(|_| paragraphs(&row.content));
    (!is_current(row)).then(shown)
}

/// Plain text of sanitised HTML: without tags, white space collapsed.
pub(crate) fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let (inside, after) = tag.split_at(end_of_tag(tag));
        let name = inside.trim_start_matches('/').split([' ', '>']).next();
        // The words of two paragraphs stay two.
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

/// Length of a tag that was serialised: quotes are double ones, and around every value.
fn end_of_tag(tag: &str) -> usize {
    let mut is_quoted = false;
    let end = tag.bytes().position(|byte| {
        is_quoted ^= byte == b'"';
        byte == b'>' && !is_quoted
    });
    end.map_or(tag.len(), |end| end + 1)
}

/// At most `chars_max` characters of the beginning.
pub(crate) fn first_chars(text: &str, chars_max: usize) -> String {
    text.chars().take(chars_max).collect()
}

/// The whole text, or as many of its first words as fit into `chars_max` characters with the mark that says so.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let start = first_chars(text, chars_max);
    // What stands before the last space is whole words; a single word that is too long is cut.
    let whole = match start.rsplit_once(' ') {
        Some((words, _)) => words.to_owned(),
        None => first_chars(text, chars_max - 1),
    };
    // Named, not 'whatever is no letter': the last sign of a word of Kannada or Hindi may be none.
    format!(
        "{}…",
        whole.trim_end_matches([' ', ',', ';', ':', '.', '-'])
    )
}

/// Blank lines part paragraphs, single ones lines.
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

/// Undoes the only escapes that [`escape`] and the serialisation of HTML make in text.
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
