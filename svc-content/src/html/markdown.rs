//! Markdown (CommonMark) of posts. Only the elements of [`name_of`] exist, and everything else is escaped text, so the
//! HTML is safe by construction.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TextMergeStream};
use url::Url;

use super::{
    LINK_SCHEMES, TooMuch,
    bounds::{DEPTH_MAX, HTML_BYTES_MAX},
    escape, on_this_site,
};

/// Converts Markdown to HTML. A single line break is kept, as in the posts before Markdown. Pictures and code blocks are
/// text.
pub(super) fn to_html(text: &str) -> Result<String, TooMuch> {
    let mut html = String::with_capacity(text.len() * 2);
    let mut open: Vec<Option<&str>> = Vec::new();
    for event in TextMergeStream::new(Parser::new_ext(text, Options::empty())) {
        match event {
            Event::Start(tag) => {
                let name = name_of(&tag);
                if let Some(name) = name {
                    start(name, &tag, &mut html);
                }
                open.push(name);
                if open.len() > DEPTH_MAX {
                    return Err(TooMuch::Depth);
                }
            }
            Event::End(_) => {
                if let Some(name) = open.pop().flatten() {
                    html.push_str("</");
                    html.push_str(name);
                    html.push('>');
                }
            }
            Event::Code(code) => {
                html.push_str("<code>");
                escape(&code, &mut html);
                html.push_str("</code>");
            }
            // Text that looks like HTML to this parser alone: a text with tags or comments is no Markdown.
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                lines(&text, &mut html);
            }
            Event::SoftBreak | Event::HardBreak => html.push_str("<br>"),
            Event::Rule => html.push_str("<hr>"),
            // Extensions that are switched off.
            _ => {}
        }
        // References repeat their addresses.
        if html.len() > HTML_BYTES_MAX {
            return Err(TooMuch::Bytes);
        }
    }
    Ok(html)
}

fn start(name: &str, tag: &Tag<'_>, html: &mut String) {
    html.push('<');
    html.push_str(name);
    match tag {
        Tag::Link { dest_url, .. } => {
            html.push_str(" href=\"");
            escape(dest_url, html);
            html.push_str("\" rel=\"noopener\"");
        }
        Tag::List(Some(first)) if *first != 1 => {
            html.push_str(" start=\"");
            html.push_str(&first.to_string());
            html.push('"');
        }
        _ => {}
    }
    html.push('>');
}

fn name_of(tag: &Tag<'_>) -> Option<&'static str> {
    Some(match tag {
        // Indented lines are a code block, but rarely meant as one.
        Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock => "p",
        Tag::Heading { level, .. } => match level {
            // The title of the post is the heading of level 1.
            HeadingLevel::H1 | HeadingLevel::H2 => "h2",
            HeadingLevel::H3 => "h3",
            _ => "h4",
        },
        Tag::BlockQuote(_) => "blockquote",
        Tag::List(Some(_)) => "ol",
        Tag::List(None) => "ul",
        Tag::Item => "li",
        Tag::Strong => "strong",
        Tag::Emphasis => "em",
        Tag::Link { dest_url, .. } if is_allowed(dest_url) => "a",
        _ => return None,
    })
}

fn is_allowed(address: &str) -> bool {
    on_this_site(address).is_some()
        || Url::parse(address).is_ok_and(|url| LINK_SCHEMES.contains(&url.scheme()))
}

/// Writes the text of an inline run, or the lines of a block.
fn lines(text: &str, html: &mut String) {
    let mut rest = text.trim_end_matches('\n').split('\n');
    escape(rest.next().unwrap_or_default(), html);
    for line in rest {
        html.push_str("<br>");
        escape(line.trim(), html);
    }
}
