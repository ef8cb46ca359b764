//! What this process can say without any page module: the last resort, in plain HTML.

use super::{composed::Composed, document::attribute, location};

/// Nothing but text is allowed on these pages.
pub(super) const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same with a form that is sent to this site.
pub(super) const POLICY_WITH_FORM: &str =
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// A whole page.
pub(super) fn document(status: u16, emergency_phone: &str) -> Composed {
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
            "There is no such page",
            "The address may be mistyped, or the page may have moved.",
        ),
        405 => ("This page takes no forms", "Please go back."),
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
            "Too many pages in a short time",
            "Many people may share your network's address. Please wait a minute, then try again.",
        ),
        503 => (
            "Very many people are here at the moment",
            "Please try again in a few seconds.",
        ),
        504 => ("This page took too long", "Please try again in a moment."),
        _ => (
            "This page cannot be shown right now",
            "Please try again in a few minutes.",
        ),
    };
    let html = page(title, &format!("<p>{advice}</p>"), "/", emergency_phone);
    Composed::failure(status, html)
}

/// A page of this process with a heading, `content` as HTML, the emergency number and a way back to a path of this site.
pub(super) fn page(title: &str, content: &str, back: &str, emergency_phone: &str) -> String {
    let title = attribute(title);
    let back = location::on_this_site(back).map_or("/", |_| back);
    let way_back = if back == "/" {
        String::new()
    } else {
        format!(
            "<p><a href=\"{}\">Back to the page</a></p>",
            attribute(back)
        )
    };
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <meta name=\"robots\" content=\"noindex\"></head><body><main><h1>{title}</h1>{content}{}\
         {way_back}<p><a href=\"/\">Home</a></p></main></body></html>",
        emergency(emergency_phone),
    )
}

/// The place of one fragment.
pub(super) fn fragment(emergency_phone: &str) -> String {
    format!(
        "<p>This part of the page cannot be shown right now.</p>{}",
        emergency(emergency_phone)
    )
}

fn emergency(phone: &str) -> String {
    let dialled: String = phone
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    format!(
        "<p>In an emergency call <a href=\"tel:{dialled}\">{}</a>.</p>",
        attribute(phone)
    )
}
