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
use crate::{
    language::{self, Language},
    registry::location,
    texts::text,
};

/// Returns the link for failures that may not be the visitor's fault.
pub(crate) fn see_status(language: Language) -> String {
    format!(
        "<p><a href=\"{}\">{}</a></p>",
        language::address(language, location::STATUS),
        text(language, "See what works now")
    )
}

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
pub(crate) fn failure(language: Language, status: u16, body: String) -> Composed {
    Composed {
        language,
        is_complete: false,
        has_failed: true,
        is_answered: false,
        ..Composed::document(status, body, POLICY_OF_PAGE.clone())
    }
}

/// Returns the error page for a status.
pub(crate) fn document(language: Language, status: u16, emergency_phone: &str) -> Composed {
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
    let see_status = if status < 500 {
        String::new()
    } else {
        see_status(language)
    };
    let content = format!("<p>{}</p>{see_status}", text(language, advice));
    let html = page(
        language,
        text(language, title),
        &content,
        "/",
        emergency_phone,
    );
    failure(language, status, html)
}

/// Returns a built-in page with a heading, `content` as HTML, the emergency number and a link back to a path of this
/// site. Title and content are in `language`.
pub(crate) fn page(
    language: Language,
    title: &str,
    content: &str,
    back: &str,
    emergency_phone: &str,
) -> String {
    let home = language::address(language, "/");
    let back = location::on_this_site(back).map_or("/", |_| back);
    let way_back = if back == "/" || back == home {
        String::new()
    } else {
        let back_text = text(language, "Back to the page");
        format!("<a href=\"{}\">{back_text}</a>", attribute(back))
    };
    let number = emergency(language, emergency_phone, NUMBER);
    whole(language, title, &format!("{content}{number}"), &way_back)
}

/// Returns a built-in page with the emergency number above the content.
pub(crate) fn page_that_begins_with_the_number(
    language: Language,
    title: &str,
    content: &str,
    emergency_phone: &str,
) -> String {
    let number = emergency(language, emergency_phone, NUMBER);
    whole(language, title, &format!("{number}{content}"), "")
}

fn whole(language: Language, title: &str, content: &str, way_back: &str) -> String {
    let (title, code) = (attribute(title), language.code());
    let (home, home_text) = (language::address(language, "/"), text(language, "Home"));
    format!(
        "<!doctype html><html lang=\"{code}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <meta name=\"robots\" content=\"noindex\"><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1>{content}<p class=\"ways\">{way_back}<a href=\"{home}\">{home_text}</a></p>\
         </main></body></html>"
    )
}

/// Returns the fallback for one fragment.
pub(crate) fn fragment(language: Language, emergency_phone: &str) -> String {
    format!(
        "<p>{}</p>{}{}",
        text(language, "We can't show this part of the page right now."),
        see_status(language),
        emergency(language, emergency_phone, "")
    )
}

fn emergency(language: Language, phone: &str, attributes: &str) -> String {
    let dialled: String = phone
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    let link = format!("<a href=\"tel:{dialled}\">{}</a>", attribute(phone));
    let sentence = text(language, "In an emergency, call {phone}").replace("{phone}", &link);
    format!("<p{attributes}>{sentence}</p>")
}

/// Returns the error page for a method that the address does not offer.
pub(crate) fn method_not_allowed(
    language: Language,
    allowed: &'static str,
    emergency_phone: &str,
) -> Response<Body> {
    let mut response = document(language, 405, emergency_phone).into_response();
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
        let html = page(
            Language::English,
            "Title",
            "<p>Words</p>",
            "/appointment",
            "+91 80 0000 0108",
        );
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
        let see_status = see_status(Language::English);
        assert!(see_status.contains(&link));
        for (status, leads) in [
            (404, false),
            (429, false),
            (500, true),
            (503, true),
            (504, true),
        ] {
            let html = document(Language::English, status, "+91 80 0000 0108").body;
            assert_eq!(html.contains(&see_status), leads, "{status}");
        }
    }

    const STATUSES: [u16; 12] = [400, 403, 404, 405, 408, 413, 414, 415, 429, 500, 503, 504];

    #[test]
    fn every_page_has_a_telephone_link() {
        for status in STATUSES {
            for language in Language::ALL {
                let html = document(language, status, "+91 80 0000 0108").body;
                assert!(
                    html.contains("<a href=\"tel:+918000000108\">+91 80 0000 0108</a>"),
                    "{html}"
                );
            }
        }
    }

    /// Returns the letters between the tags, without those of the style sheet.
    fn latin_letters(html: &str) -> String {
        let (_, body) = html.split_once("</style>").expect("a style sheet");
        let texts = body.split('<').filter_map(|piece| piece.split_once('>'));
        let texts: String = texts.map(|(_, text)| text).collect();
        texts.chars().filter(char::is_ascii_alphabetic).collect()
    }

    #[test]
    fn pages_are_in_the_language_of_their_address() {
        for (language, code) in [(Language::Kannada, "kn"), (Language::Hindi, "hi")] {
            for status in STATUSES {
                let made = document(language, status, "+91 80 0000 0108");
                let html = made.body;
                assert_eq!(latin_letters(&html), "", "{status} {code}");
                assert!(html.starts_with(&format!("<!doctype html><html lang=\"{code}\">")));
                assert!(html.contains(&format!("<a href=\"/{code}\">")), "{html}");
                assert_eq!(html.contains(&see_status(language)), status >= 500);
                assert_eq!(made.language, language);
            }
        }
    }
}
