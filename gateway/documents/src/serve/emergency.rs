//! Built-in emergency page with phone numbers and basic first aid. The page modules have a better one. This page is
//! sent only while theirs is damaged, refused or missing.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{Response, header::CONTENT_TYPE, request::Parts},
};

use super::views::{self, DocumentRoute};
use crate::{
    language::Language,
    registry::location::EMERGENCY,
    render::{builtin, composed::Composed},
    texts::text,
};

/// Shortened text of the content team's page.
fn first_aid(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("emergency.html"),
        Language::Kannada => include_str!("emergency.kn.html"),
        Language::Hindi => include_str!("emergency.hi.html"),
    }
}

/// Answers a read of [`EMERGENCY`] in a language with 200.
pub(crate) fn respond(request: &Parts, language: Language, phone: &str) -> Response<Body> {
    let policy = builtin::POLICY_OF_PAGE.clone();
    let page = Composed {
        language,
        ..Composed::document(200, html(language, phone), policy)
    };
    let mut response = page.into_response();
    let route: Arc<str> = Arc::from(EMERGENCY);
    let content_type = response.headers().get(CONTENT_TYPE);
    views::count(&route, request, response.status(), content_type);
    response.extensions_mut().insert(DocumentRoute(route));
    response
}

fn html(language: Language, phone: &str) -> String {
    let title = text(language, "In an emergency");
    builtin::page_that_begins_with_the_number(language, title, first_aid(language), phone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x7_is_small_without_script_and_starts_with_the_number() {
        for language in Language::ALL {
            let html = html(language, "+91 80 0000 0108");
            assert!(html.len() < 12 * 1024, "{} bytes", html.len());
            assert!(
                !html.contains("<script") && !html.contains("javascript:"),
                "{html}"
            );
            let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}: {html}"));
            assert!(at(r#"<a href="tel:+918000000108">"#) < at("<h2>"));
            assert!(at("tel:108") < at("<h2>") && at("tel:112") < at("<h2>"));
            assert_eq!(html.matches("<h2>").count(), 9, "{html}");
        }
        let english = html(Language::English, "+91 80 0000 0108");
        for needed in ["Not awake", "Chest pain", "Stroke", "Choking"] {
            assert!(english.contains(needed), "{english}");
        }
    }
}
