//! Scripts that a document has the browser fetch ahead: those of the pages that it links to and that hydrate at once.

use super::{
    document::Document,
    registry::{Page, Registry},
};

/// Elements whose content is no markup.
const TEXT_ELEMENTS: [&str; 4] = ["script", "style", "textarea", "title"];

/// Addresses of the scripts, each once, in the order of the links. None for a document that hydrates itself: it needs the
/// network for its own scripts.
pub(super) fn addresses<'a>(
    registry: &'a Registry,
    page: &Page,
    document: &Document<'_>,
) -> Vec<&'a str> {
    if document.hydrates() {
        return Vec::new();
    }
    let mut addresses = Vec::new();
    for html in document.markup() {
        for path in linked_paths(html) {
            let Some((linked, _)) = registry.page(path) else {
                continue;
            };
            if linked.route != page.route {
                addresses.extend(linked.load_scripts(registry.shell.script.as_deref()));
            }
        }
    }
    unique(addresses)
}

/// Each address once, in order.
pub(super) fn unique(addresses: Vec<&str>) -> Vec<&str> {
    let mut unique = Vec::with_capacity(addresses.len());
    for address in addresses {
        if !unique.contains(&address) {
            unique.push(address);
        }
    }
    unique
}

/// Paths of this site, without query and fragment, to which the anchors of `html` lead.
fn linked_paths(html: &str) -> Vec<&str> {
    let mut paths = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let is_start_tag = after.starts_with(|first: char| first.is_ascii_alphabetic());
        if !is_start_tag {
            rest = after;
            continue;
        }
        let ends_name = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let (name, after) = after.split_at(after.find(ends_name).unwrap_or(after.len()));
        let href;
        (href, rest) = attributes(after);
        if name.eq_ignore_ascii_case("a") {
            paths.extend(href.and_then(path_on_this_site));
        } else if let Some(element) = TEXT_ELEMENTS
            .iter()
            .find(|element| name.eq_ignore_ascii_case(element))
        {
            let end = rest.find(&format!("</{element}")).unwrap_or(rest.len());
            rest = &rest[end..];
        }
    }
    paths
}

/// The value of `href` among the attributes at the beginning of `text`, and what follows the tag.
fn attributes(text: &str) -> (Option<&str>, &str) {
    let mut href = None;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '='));
        if rest.is_empty() {
            return (href, rest);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (href, after);
        }
        let ends_name = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '=');
        let (name, after) = rest.split_at(rest.find(ends_name).unwrap_or(rest.len()));
        let after = after.trim_start();
        let Some(after) = after.strip_prefix('=') else {
            rest = after;
            continue;
        };
        let value;
        (value, rest) = attribute_value(after.trim_start());
        if href.is_none() && name.eq_ignore_ascii_case("href") {
            href = Some(value);
        }
    }
}

/// A value, quoted or not, and what follows it.
fn attribute_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(text) = text.strip_prefix(quote) {
            return text.split_once(quote).unwrap_or((text, ""));
        }
    }
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '>');
    text.split_at(end.unwrap_or(text.len()))
}

fn path_on_this_site(href: &str) -> Option<&str> {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    (path.starts_with('/') && !path.starts_with("//")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_lead_somewhere_whatever_surrounds_their_address() {
        for html in [
            r#"<p>x <a href="/book">book</a>"#,
            r#"<a class="x" href="/book?day=1&amp;x=2" data-x>book</a>"#,
            r#"<a title="a > b" href='/book#form'>book</a>"#,
            "<A\n HREF = /book>book</A>",
            "<a href=/book>book</a>",
            "<br/><p>1 < 2</p><a download href=\"/book\">book</a>",
            "<script>'<a href=\"/other\">'</script><a href=\"/book\">book</a>",
        ] {
            assert_eq!(linked_paths(html), ["/book"], "{html}");
        }
    }

    #[test]
    fn what_is_no_link_of_this_site_leads_nowhere() {
        for html in [
            r#"<p>href="/book"</p>"#,
            r#"<p>&lt;a href="/book"></p>"#,
            r#"<p title='<a href="/book">'>x</p>"#,
            r#"<!-- <a href="/book"> -->"#,
            r#"<textarea><a href="/book"></textarea>"#,
            r#"<link href="/book"><abbr href="/book">"#,
            r#"<a data-href="/book">x</a>"#,
            r#"<a href="https://other.test/book">x</a><a href="//other.test/book">x</a>"#,
            r##"<a href="#book">x</a><a href="book">x</a><a>x</a><a href>x</a>"##,
            "<a href=\"",
            "<a",
            "<",
        ] {
            assert!(linked_paths(html).is_empty(), "{html}");
        }
    }
}
