//! Built-in pages shown when the page with a form's outcome cannot be rendered. They need no render.

use std::fmt::Write as _;

use axum::{
    body::Body,
    http::{Response, StatusCode},
};
use gateway_http::problem::Problem;
use serde_json::Value;

use super::{
    call::{Outcome, Sent},
    fields::Form,
};
use crate::{
    language::Language,
    registry::{access::sign_in_address, location},
    render::{
        builtin::{self, see_status},
        composed::Composed,
        document::attribute,
        message::Receipt,
    },
    texts::text,
};

const FACTS_MAX: usize = 12;
const TITLE_CHARACTERS_MAX: usize = 200;
const TEXT_CHARACTERS_MAX: usize = 2_000;
const FACT_CHARACTERS_MAX: usize = 500;

/// Returns the page with the outcome of a form that was sent from the page at `back`.
pub(super) fn page(language: Language, sent: &Sent, back: &str, emergency_phone: &str) -> Composed {
    let status = sent.outcome.response.status();
    let say = |title: &str, content: &str| {
        let html = builtin::page(language, title, content, back, emergency_phone);
        // A response without a body would leave the browser on the form.
        let status = if matches!(status.as_u16(), 204 | 205) {
            200
        } else {
            status.as_u16()
        };
        builtin::failure(language, status, html)
    };
    let paragraph = |english| format!("<p>{}</p>", text(language, english));
    if !sent.was_called {
        return say(
            text(language, "Your form was not sent"),
            &paragraph(
                "Nothing was sent and nothing has changed. Please go back and send the form again.",
            ),
        );
    }
    if status.is_success() {
        let default = Receipt::default();
        let receipt = sent.receipt.as_ref().unwrap_or(&default);
        // The module's own title is in the language of the page.
        let title = text(language, &receipt.title);
        let title = shortened(title, TITLE_CHARACTERS_MAX);
        return say(title, &content(language, receipt, &sent.outcome));
    }
    if status.is_client_error() {
        return say(
            text(language, "Your form was not accepted"),
            &paragraph(
                "Nothing has changed. Please go back, check what you filled in, and send the form again.",
            ),
        );
    }
    say(
        text(language, "We don't know if your form reached us"),
        &[
            paragraph(
                "Please go back and send the same form once more: a form that comes twice counts once. \
                 If this happens again, please call us.",
            ),
            see_status(language),
        ]
        .concat(),
    )
}

/// Returns a page with the reason for the rejection and the form's fields, ready to be sent again unchanged.
pub(super) fn return_input(
    language: Language,
    problem: &Problem,
    form: &Form,
    address: &str,
    emergency_phone: &str,
) -> Response<Body> {
    let whole = form.whole();
    let inputs: Vec<String> = whole
        .iter()
        .map(|(name, value)| {
            let (name, value) = (attribute(name), attribute(value));
            format!(r#"<input type="hidden" name="{name}" value="{value}">"#)
        })
        .collect();
    let action = location::on_this_site(address).map_or("/", |_| address);
    let (title, advice) = advice(language, problem.status(), action);
    // Problems are English. The advice is enough for visitors.
    let reason = match language {
        Language::English => format!("<p>{}</p>", attribute(problem.detail())),
        _ => String::new(),
    };
    let content = format!(
        "{reason}{advice}<form method=\"post\" action=\"{}\">{}<p><button>{}</button></p></form>",
        attribute(action),
        inputs.concat(),
        text(language, "Send again"),
    );
    let html = builtin::page(language, title, &content, action, emergency_phone);
    let page = Composed {
        policy: builtin::POLICY_WITH_FORM.clone(),
        ..builtin::failure(language, problem.status().as_u16(), html)
    };
    let mut response = page.into_response();
    response.headers_mut().extend(problem.headers());
    response
}

/// Returns the title and the steps after which the form can be sent again. Those for staff are English.
fn advice(language: Language, status: StatusCode, address: &str) -> (&'static str, String) {
    match status {
        StatusCode::UNAUTHORIZED => {
            let sign_in = sign_in_address(address);
            let steps = format!(
                "<p>Nothing was sent, but everything you typed is kept on this page.</p>\
                 <ol><li><a href=\"{}\" target=\"_blank\" rel=\"noopener\">Sign in again (opens in a new tab)</a></li>\
                 <li>Come back to this page and select Send again.</li></ol>",
                attribute(&sign_in)
            );
            ("Please sign in again", steps)
        }
        StatusCode::FORBIDDEN => (
            "Your form was not sent",
            "<p>Nothing was sent, but everything you typed is kept. Ask the person who manages staff accounts to give \
             you access, then send it again.</p>"
                .to_owned(),
        ),
        _ => (
            text(language, "Your form was not sent yet"),
            format!(
                "<p>{}</p>",
                text(
                    language,
                    "Nothing was sent, but everything you typed is kept. Please wait a moment, then send it again."
                )
            ),
        ),
    }
}

/// Returns a page that only confirms receipt, because this sender may not be the original one.
pub(super) fn received_already(language: Language, back: &str, emergency_phone: &str) -> Composed {
    let advice = text(
        language,
        "You don't need to send it again. If you have questions about it, please call us.",
    );
    let html = builtin::page(
        language,
        text(language, "We already have this form"),
        &format!("<p>{advice}</p>"),
        back,
        emergency_phone,
    );
    builtin::failure(language, 200, html)
}

fn content(language: Language, receipt: &Receipt, outcome: &Outcome) -> String {
    let mut html = String::new();
    if let Some(words) = &receipt.text {
        let words = shortened(words, TEXT_CHARACTERS_MAX);
        html = format!("<p>{}</p>", attribute(words));
    }
    let body: Value = serde_json::from_slice(outcome.response.body()).unwrap_or_default();
    let facts: Vec<String> = receipt
        .facts
        .iter()
        .take(FACTS_MAX)
        .filter_map(|(label, key)| Some((label, scalar(language, body.get(key)?)?)))
        .map(|(label, value)| {
            let (label, value) = (
                attribute(shortened(label, FACT_CHARACTERS_MAX)),
                attribute(shortened(&value, FACT_CHARACTERS_MAX)),
            );
            format!("<dt>{label}</dt><dd>{value}</dd>")
        })
        .collect();
    if !facts.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(html, "<dl>{}</dl>", facts.concat());
    }
    html
}

fn scalar(language: Language, value: &Value) -> Option<String> {
    match value {
        Value::String(words) if !words.is_empty() => Some(words.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => {
            let word = if *flag { "yes" } else { "no" };
            Some(text(language, word).to_owned())
        }
        Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn shortened(text: &str, characters_max: usize) -> &str {
    let end = text.char_indices().nth(characters_max);
    end.map_or(text, |(end, _)| &text[..end])
}
