//! Keeps the links of a document inside its preview.

use crate::registry::{Registry, location};

const LINK: &str = "<a ";
const TARGET: &str = " href=\"";
/// Marks links that stay as they are.
const OWN: &str = "data-preview";

/// Returns the document with `prefix` before each link to a page that a preview can show. Other links leave the preview.
pub(super) fn kept(html: &str, prefix: &str, registry: &Registry) -> String {
    within(html, prefix, |path| {
        let page = registry.page(path).map(|(page, _)| page);
        page.is_some_and(|page| page.access.is_none() && page.content_type.is_none())
            || registry.redirect(path).is_some()
    })
}

fn within(html: &str, prefix: &str, is_page: impl Fn(&str) -> bool) -> String {
    let mut kept = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    while let Some(start) = rest.find(LINK) {
        let (before, tag) = rest.split_at(start);
        kept.push_str(before);
        let (tag, after) = tag.split_at(tag.find('>').unwrap_or(tag.len()));
        rest = after;
        let target = tag.find(TARGET).map(|start| start + TARGET.len());
        let found = target.filter(|target| {
            let address = tag[*target..].split('"').next().unwrap_or_default();
            !tag.contains(OWN)
                && location::on_this_site(address).is_some()
                && is_page(location::path(address))
        });
        let (head, tail) = tag.split_at(found.unwrap_or(tag.len()));
        kept.push_str(head);
        if found.is_some() {
            kept.push_str(prefix);
        }
        kept.push_str(tail);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_links_to_pages_only() {
        let is_page = |path: &str| ["/", "/doctors"].contains(&path);
        let inside = |html: &str| within(html, "/preview/t", is_page);
        for (link, kept) in [
            (
                "<a class=\"x\" href=\"/doctors?q=a#b\">",
                "<a class=\"x\" href=\"/preview/t/doctors?q=a#b\">",
            ),
            ("<p><a href=\"/\">x</a>", "<p><a href=\"/preview/t/\">x</a>"),
        ] {
            assert_eq!(inside(link), kept);
        }
        for same in [
            "<a href=\"//doctors\">",
            "<a href=\"https://e.example/doctors\">",
            "<a href=\"#doctors\">",
            "<a href=\"tel:+91\">",
            "<a href=\"/staff\">",
            "<a data-preview href=\"/doctors\">",
            "<a title=\"x\">",
            "<link href=\"/doctors\">",
            "text <a ",
            "é<a href=\"/é\">é",
        ] {
            assert_eq!(inside(same), same);
        }
    }
}
