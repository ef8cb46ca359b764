//! Pages of this process that need no page module: the last resort. They load nothing; their one style sheet is inline.

use std::sync::LazyLock;

use axum::{
    body::Body,
    http::{HeaderValue, Response, header},
};

use super::{
    composed::Composed,
    document::{attribute, hash},
};
use crate::registry::location;

/// Link for failures that may not be the visitor's fault.
pub(crate) const SEE_STATUS: &str = "<p><a href=\"/status\">See what works now</a></p>";

/// Attributes of the emergency number where it is a block of its own, not a line of text.
const NUMBER: &str = " class=\"emergency\"";

/// Takes part in view transitions, as the shell's style sheet does: Chromium reports an uncaught `AbortError` on a page
/// that does not, if the previous page did.
const STYLE: &str = include_str!("builtin.css");

/// Content-Security-Policy for the built-in pages: allows their own style sheet only.
pub(crate) static POLICY_OF_PAGE: LazyLock<String> = LazyLock::new(|| policy("'none'"));

/// Same as [`POLICY_OF_PAGE`], and also allows a form that posts to this site.
pub(crate) static POLICY_WITH_FORM: LazyLock<String> = LazyLock::new(|| policy("'self'"));

fn policy(form_action: &str) -> String {
    format!(
        "default-src 'none'; style-src{}; base-uri 'none'; form-action {form_action}; frame-ancestors 'none'",
        hash(STYLE)
    )
}

/// Returns the fallback for a whole document.
pub(crate) fn failure(status: u16, body: String) -> Composed {
    Composed {
        is_complete: false,
        has_failed: true,
        is_answered: false,
        ..Composed::document(status, body, POLICY_OF_PAGE.clone())
    }
}

/// Returns the error page for a status.
pub(crate) fn document(status: u16, emergency_phone: &str) -> Composed {
    let (title, advice) = match status {
        400 => (
            "This form could not be read",
            "Nothing was sent. Please go back and try again.",
        ),
        403 => (
            "This form was not sent from this site",
            "Please open the page again and send the form from there.",
        ),
        404 => (
            "There is no page at this address",
            "The address may be mistyped, or the page may have moved.",
        ),
        405 => ("This page doesn't accept forms", "Please go back."),
        408 => (
            "Sending the form took too long",
            "Please go back and try again.",
        ),
        413 => (
            "This form is too long",
            "Please go back and shorten what you wrote.",
        ),
        414 => ("This address is too long", "Please go back."),
        415 => (
            "This form could not be read",
            "Please send it from the page itself.",
        ),
        429 => (
            "You've opened too many pages in a short time",
            "Many people may share your network's address. Please wait a minute, then try again.",
        ),
        503 => (
            "Our website is very busy at the moment",
            "Please try again in a few seconds.",
        ),
        504 => ("This page took too long", "Please try again in a moment."),
        _ => (
            "We can't show this page right now",
            "Please try again in a few minutes.",
        ),
    };
    let see_status = if status < 500 { "" } else { SEE_STATUS };
    let content = format!("<p>{advice}</p>{see_status}");
    let html = page(title, &content, "/", emergency_phone);
    failure(status, html)
}

/// Returns a built-in page with a heading, `content` as HTML, the emergency number and a link back to a path of this
/// site.
pub(crate) fn page(title: &str, content: &str, back: &str, emergency_phone: &str) -> String {
    let back = location::on_this_site(back).map_or("/", |_| back);
    let way_back = if back == "/" {
        String::new()
    } else {
        format!("<a href=\"{}\">Back to the page</a>", attribute(back))
    };
    let number = emergency(emergency_phone, NUMBER);
    whole(title, &format!("{content}{number}"), &way_back)
}

/// Returns a built-in page with the emergency number above the content.
pub(crate) fn page_that_begins_with_the_number(
    title: &str,
    content: &str,
    emergency_phone: &str,
) -> String {
    let number = emergency(emergency_phone, NUMBER);
    whole(title, &format!("{number}{content}"), "")
}

fn whole(title: &str, content: &str, way_back: &str) -> String {
    let title = attribute(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <meta name=\"robots\" content=\"noindex\"><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1>{content}<p class=\"ways\">{way_back}<a href=\"/\">Home</a></p></main></body></html>"
    )
}

/// Returns the fallback for one fragment.
pub(crate) fn fragment(emergency_phone: &str) -> String {
    format!(
        "<p>We can't show this part of the page right now.</p>{SEE_STATUS}{}",
        emergency(emergency_phone, "")
    )
}

fn emergency(phone: &str, attributes: &str) -> String {
    let dialled: String = phone
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    format!(
        "<p{attributes}>In an emergency, call <a href=\"tel:{dialled}\">{}</a></p>",
        attribute(phone)
    )
}

/// Returns the error page for a method that the address does not offer.
pub(crate) fn method_not_allowed(allowed: &'static str, emergency_phone: &str) -> Response<Body> {
    let mut response = document(405, emergency_phone).into_response();
    response
        .headers_mut()
        .insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_allows_only_the_pages_own_style() {
        let html = page("Title", "<p>Words</p>", "/appointment", "+91 80 0000 0108");
        let styles: Vec<_> = html.split("<style>").skip(1).collect();
        let [style] = styles.as_slice() else {
            panic!("{html}");
        };
        let style = style.split_once("</style>").unwrap().0;
        for policy in [&*POLICY_OF_PAGE, &*POLICY_WITH_FORM] {
            assert!(
                policy.contains(&format!("style-src{};", hash(style))),
                "{policy}"
            );
            assert!(!policy.contains("unsafe"), "{policy}");
        }
        assert!(
            !html.contains(" style=") && !html.contains("<script"),
            "{html}"
        );
    }

    #[test]
    fn server_errors_link_to_the_status_page() {
        let link = format!("<a href=\"{}\">", location::STATUS);
        assert!(SEE_STATUS.contains(&link));
        for (status, leads) in [
            (404, false),
            (429, false),
            (500, true),
            (503, true),
            (504, true),
        ] {
            let html = document(status, "+91 80 0000 0108").body;
            assert_eq!(html.contains(SEE_STATUS), leads, "{status}");
        }
    }

    #[test]
    fn every_page_has_a_telephone_link() {
        for status in [400, 403, 404, 405, 408, 413, 414, 415, 429, 500, 503, 504] {
            let html = document(status, "+91 80 0000 0108").body;
            assert!(
                html.contains("<a href=\"tel:+918000000108\">+91 80 0000 0108</a>"),
                "{html}"
            );
        }
    }
}
