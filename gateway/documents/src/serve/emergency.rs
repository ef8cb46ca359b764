//! Built-in emergency page with phone numbers and basic first aid. The page modules have a better one. This page is
//! sent only while theirs is damaged, refused or missing.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{Response, header::CONTENT_TYPE, request::Parts},
};

use super::views::{self, DocumentRoute};
use crate::{
    registry::location::EMERGENCY,
    render::{builtin, composed::Composed},
};

const TITLE: &str = "In an emergency";
/// Shortened text of the content team's page.
const FIRST_AID: &str = include_str!("emergency.html");

/// Answers a read of [`EMERGENCY`] with 200.
pub(crate) fn respond(request: &Parts, phone: &str) -> Response<Body> {
    let policy = builtin::POLICY_OF_PAGE.clone();
    let mut response = Composed::document(200, html(phone), policy).into_response();
    let route: Arc<str> = Arc::from(EMERGENCY);
    let content_type = response.headers().get(CONTENT_TYPE);
    views::count(&route, request, response.status(), content_type);
    response.extensions_mut().insert(DocumentRoute(route));
    response
}

fn html(phone: &str) -> String {
    builtin::page_that_begins_with_the_number(TITLE, FIRST_AID, phone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x7_is_small_without_script_and_starts_with_the_number() {
        let html = html("+91 80 0000 0108");
        assert!(html.len() < 12 * 1024, "{} bytes", html.len());
        assert!(
            !html.contains("<script") && !html.contains("javascript:"),
            "{html}"
        );
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}: {html}"));
        assert!(at(r#"<a href="tel:+918000000108">"#) < at("<h2>"));
        for needed in [
            "tel:108",
            "tel:112",
            "Not awake",
            "Chest pain",
            "Stroke",
            "Choking",
        ] {
            at(needed);
        }
    }
}
