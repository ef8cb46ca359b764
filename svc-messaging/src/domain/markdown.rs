//! Markdown (CommonMark) of newsletters: its limits, its HTML and its plain text.
//!
//! Only the elements of [`Element`] exist. Everything else, raw HTML included, is text and is escaped, so the HTML is
//! safe by construction. Rendering never fails: drafts written before these limits are shown as well.

mod check;
mod html;
mod plain;

use pulldown_cmark::{
    CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TextMergeStream,
};
use service_kit::input::{EmailAddress, PhoneNumber};
use url::Url;

pub use check::{BLOCKS_MAX, LINKS_MAX, NESTING_MAX, check};
pub use html::{mail_html, page_html};
pub use plain::{LINE_CHARS_MAX, plain_text, wrapped_at};

/// An element of a text. Deeper ones than [`NESTING_MAX`] are left out, not their content.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Element {
    Paragraph,
    /// Level 2 to 4: the subject of the mail is the heading of level 1.
    Heading(u8),
    Bullets,
    /// First number.
    Numbers(u64),
    Item,
    Quote,
    Strong,
    Emphasis,
    /// A link to an address that [`destination`] returned.
    Link(String),
    /// A link or image with another address, shown as text after its label.
    Unlinked(String),
}

/// A step through a text.
#[derive(Debug)]
enum Step<'a> {
    Open(Element),
    Close(Element),
    Text(CowStr<'a>),
    /// A line break that the writer asked for.
    Break,
    Rule,
}

/// Walks through a text. A single line break is a space, as in the drafts before Markdown.
fn steps(text: &str) -> impl Iterator<Item = Step<'_>> {
    let mut open: Vec<Option<Element>> = Vec::new();
    let mut depth = 0;
    TextMergeStream::new(Parser::new_ext(text, Options::empty()))
        .filter_map(move |event| match event {
            Event::Start(tag) => {
                let element = element(tag).filter(|_| depth < NESTING_MAX);
                depth += usize::from(element.is_some());
                open.push(element.clone());
                element.map(|element| vec![Step::Open(element)])
            }
            Event::End(_) => {
                let element = open.pop().flatten()?;
                depth -= 1;
                Some(vec![Step::Close(element)])
            }
            Event::Text(text) if text.contains('\n') => Some(lines(&text)),
            Event::Text(text) | Event::Code(text) => Some(vec![Step::Text(text)]),
            Event::Html(html) | Event::InlineHtml(html) => {
                Some(vec![Step::Text(html.replace('\n', " ").into())])
            }
            Event::SoftBreak => Some(vec![Step::Text(CowStr::Borrowed(" "))]),
            Event::HardBreak => Some(vec![Step::Break]),
            Event::Rule => Some(vec![Step::Rule]),
            // Extensions that are switched off.
            _ => None,
        })
        .flatten()
}

/// Returns the lines of an indented or fenced block, which is shown as a paragraph.
fn lines<'a>(text: &str) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for line in text.trim_end().lines() {
        if !steps.is_empty() {
            steps.push(Step::Break);
        }
        steps.push(Step::Text(line.trim().to_owned().into()));
    }
    steps
}

fn element(tag: Tag<'_>) -> Option<Element> {
    Some(match tag {
        Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock => Element::Paragraph,
        Tag::Heading { level, .. } => Element::Heading(match level {
            HeadingLevel::H1 => 2,
            HeadingLevel::H2 => 3,
            _ => 4,
        }),
        Tag::List(None) => Element::Bullets,
        Tag::List(Some(first)) => Element::Numbers(first),
        Tag::Item => Element::Item,
        Tag::BlockQuote(_) => Element::Quote,
        Tag::Strong => Element::Strong,
        Tag::Emphasis => Element::Emphasis,
        Tag::Link {
            link_type,
            dest_url,
            ..
        } => {
            let address = match link_type {
                LinkType::Email => format!("mailto:{dest_url}"),
                _ => dest_url.into_string(),
            };
            match destination(&address) {
                Some(address) => Element::Link(address),
                None => Element::Unlinked(address),
            }
        }
        Tag::Image { dest_url, .. } => Element::Unlinked(dest_url.into_string()),
        _ => return None,
    })
}

/// Returns the address of a link in its usual form; `None` unless it is `https://` without credentials, `mailto:` with
/// one e-mail address, or `tel:` with one phone number.
fn destination(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once(':')?;
    match scheme.to_ascii_lowercase().as_str() {
        "https" => {
            let url = Url::parse(address).ok()?;
            let has_credentials = !url.username().is_empty() || url.password().is_some();
            (url.has_host() && !has_credentials).then(|| url.into())
        }
        "mailto" => {
            let email = EmailAddress::parse(rest).ok()?;
            Some(format!("mailto:{}", email.as_str()))
        }
        "tel" => {
            let phone = PhoneNumber::parse(&rest.replace("%20", " ")).ok()?;
            let is_dialled = |character: &char| character.is_ascii_digit() || *character == '+';
            let dialled: String = phone.as_str().chars().filter(is_dialled).collect();
            Some(format!("tel:{dialled}"))
        }
        _ => None,
    }
}

/// Splits a word that starts with `http://` or `https://` into the URL and the punctuation after it.
pub fn as_link(word: &str) -> Option<(&str, &str)> {
    let is_address = word.starts_with("https://") || word.starts_with("http://");
    is_address.then(|| {
        let address = word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'']);
        word.split_at(address.len())
    })
}

#[cfg(test)]
mod tests;
