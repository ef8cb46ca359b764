//! Keeps the links of a document inside its preview or its language.

use axum::http::HeaderValue;

use crate::{
    language::{self, Language},
    registry::{Registry, location},
};

/// An element with an address, and the attribute that has it.
type Target = (&'static str, &'static str);

const LINK: Target = ("<a ", " href=\"");
const FORM: Target = ("<form ", " action=\"");
/// Marks links of the gateway itself that leave a preview.
const OWN: &str = "data-preview";
/// Marks links that lead to a language of their own.
const LANGUAGE: &str = " hreflang=";

/// Returns the document with `prefix` before each link to a page that a preview can show. Other links leave the
/// preview.
pub(crate) fn in_preview(html: &str, prefix: &str, registry: &Registry) -> String {
    let address = |path: &str| {
        let is_shown = registry.is_for_visitors(location::path(path));
        is_shown.then(|| format!("{prefix}{path}"))
    };
    rewritten(html, LINK, OWN, address)
}

/// Returns HTML whose links and forms lead to pages of the same language. Forms without an address stay as they are:
/// they are sent to the address of their document.
pub(crate) fn in_language(html: String, language: Language, registry: &Registry) -> String {
    if language == Language::English {
        return html;
    }
    let address = |path: &str| of_language(path, language, registry);
    let linked = rewritten(&html, LINK, LANGUAGE, address);
    rewritten(&linked, FORM, LANGUAGE, address)
}

/// Returns the location in a language, if it leads to a page that has languages.
pub(crate) fn location_in(
    location: HeaderValue,
    language: Language,
    registry: &Registry,
) -> HeaderValue {
    let text = location.to_str().unwrap_or_default();
    let found = of_language(text, language, registry);
    let found = found.and_then(|text| location::on_this_site(&text));
    found.unwrap_or(location)
}

fn of_language(text: &str, language: Language, registry: &Registry) -> Option<String> {
    let (path, rest) = text.split_at(location::path(text).len());
    let found = registry.has_languages(path);
    found.then(|| format!("{}{rest}", language::address(language, path)))
}

/// Replaces the address of each element for which `address` returns another one. Elements with the mark `kept` stay.
fn rewritten(
    html: &str,
    (element, attribute): Target,
    kept: &str,
    address: impl Fn(&str) -> Option<String>,
) -> String {
    let mut written = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    while let Some(start) = rest.find(element) {
        let (before, tag) = rest.split_at(start);
        written.push_str(before);
        let (tag, after) = tag.split_at(tag.find('>').unwrap_or(tag.len()));
        rest = after;
        let found = tag.find(attribute).and_then(|at| {
            let start = at + attribute.len();
            let known = tag[start..].split('"').next().unwrap_or_default();
            let is_path =
                !tag.to_ascii_lowercase().contains(kept) && location::on_this_site(known).is_some();
            let meant = address(known).filter(|_| is_path)?;
            Some((start, start + known.len(), meant))
        });
        match found {
            Some((start, end, meant)) => {
                written.push_str(&tag[..start]);
                written.push_str(&meant);
                written.push_str(&tag[end..]);
            }
            None => written.push_str(tag),
        }
    }
    written.push_str(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(html: &str, target: Target, kept: &str) -> String {
        rewritten(html, target, kept, |path| {
            let is_page = ["/", "/doctors"].contains(&location::path(path));
            is_page.then(|| format!("/x{path}"))
        })
    }

    #[test]
    fn rewrites_links_to_pages_only() {
        for (link, meant) in [
            (
                "<a class=\"x\" href=\"/doctors?q=a#b\">",
                "<a class=\"x\" href=\"/x/doctors?q=a#b\">",
            ),
            ("<p><a href=\"/\">x</a>", "<p><a href=\"/x/\">x</a>"),
        ] {
            assert_eq!(inside(link, LINK, OWN), meant);
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
            assert_eq!(inside(same, LINK, OWN), same);
        }
    }

    #[test]
    fn rewrites_forms_and_keeps_links_to_other_languages() {
        let form = "<form method=\"get\" action=\"/doctors\"><input name=\"q\">";
        let meant = "<form method=\"get\" action=\"/x/doctors\"><input name=\"q\">";
        assert_eq!(inside(form, FORM, LANGUAGE), meant);
        assert_eq!(
            inside("<form method=\"post\">", FORM, LANGUAGE),
            "<form method=\"post\">"
        );
        // React writes the second.
        for name in ["hreflang", "hrefLang"] {
            let other = format!("<a href=\"/doctors\" {name}=\"en\" lang=\"en\">");
            assert_eq!(inside(&other, LINK, LANGUAGE), other);
        }
    }
}
