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
    registry::{access::sign_in_address, location},
    render::{
        builtin::{self, SEE_STATUS},
        composed::Composed,
        document::attribute,
        message::Receipt,
    },
};

const FACTS_MAX: usize = 12;
const TITLE_CHARACTERS_MAX: usize = 200;
const TEXT_CHARACTERS_MAX: usize = 2_000;
const FACT_CHARACTERS_MAX: usize = 500;

/// Returns the page with the outcome of a form that was sent from the page at `back`.
pub(super) fn page(sent: &Sent, back: &str, emergency_phone: &str) -> Composed {
    let status = sent.outcome.response.status();
    let say = |title: &str, content: &str| {
        let html = builtin::page(title, content, back, emergency_phone);
        // A response without a body would leave the browser on the form.
        let status = if matches!(status.as_u16(), 204 | 205) {
            200
        } else {
            status.as_u16()
        };
        builtin::failure(status, html)
    };
    if !sent.was_called {
        return say(
            "Your form was not sent",
            "<p>Nothing was sent and nothing has changed. Please go back and send the form again.</p>",
        );
    }
    if status.is_success() {
        let default = Receipt::default();
        let receipt = sent.receipt.as_ref().unwrap_or(&default);
        let title = shortened(&receipt.title, TITLE_CHARACTERS_MAX);
        return say(title, &content(receipt, &sent.outcome));
    }
    if status.is_client_error() {
        return say(
            "Your form was not accepted",
            "<p>Nothing has changed. Please go back, check what you filled in, and send the form again.</p>",
        );
    }
    say(
        "We don't know if your form reached us",
        &format!(
            "<p>Please go back and send the same form once more: a form that comes twice counts once. \
             If this happens again, please call us.</p>{SEE_STATUS}"
        ),
    )
}

/// Returns a page with the reason for the rejection and the form's fields, ready to be sent again unchanged.
pub(super) fn return_input(
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
    let (title, advice) = advice(problem.status(), action);
    let content = format!(
        "<p>{}</p>{advice}<form method=\"post\" action=\"{}\">{}<p><button>Send again</button></p></form>",
        attribute(problem.detail()),
        attribute(action),
        inputs.concat(),
    );
    let html = builtin::page(title, &content, action, emergency_phone);
    let page = Composed {
        policy: builtin::POLICY_WITH_FORM.clone(),
        ..builtin::failure(problem.status().as_u16(), html)
    };
    let mut response = page.into_response();
    response.headers_mut().extend(problem.headers());
    response
}

/// Returns the title and the steps after which the form can be sent again.
fn advice(status: StatusCode, address: &str) -> (&'static str, String) {
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
            "Your form was not sent yet",
            "<p>Nothing was sent, but everything you typed is kept. Please wait a moment, then send it again.</p>"
                .to_owned(),
        ),
    }
}

/// Returns a page that only confirms receipt, because this sender may not be the original one.
pub(super) fn received_already(back: &str, emergency_phone: &str) -> Composed {
    let html = builtin::page(
        "We already have this form",
        "<p>You don't need to send it again. If you have questions about it, please call us.</p>",
        back,
        emergency_phone,
    );
    builtin::failure(200, html)
}

fn content(receipt: &Receipt, outcome: &Outcome) -> String {
    let mut html = String::new();
    if let Some(text) = &receipt.text {
        let text = shortened(text, TEXT_CHARACTERS_MAX);
        html = format!("<p>{}</p>", attribute(text));
    }
    let body: Value = serde_json::from_slice(outcome.response.body()).unwrap_or_default();
    let facts: Vec<String> = receipt
        .facts
        .iter()
        .take(FACTS_MAX)
        .filter_map(|(label, key)| Some((label, scalar(body.get(key)?)?)))
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

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn shortened(text: &str, characters_max: usize) -> &str {
    let end = text.char_indices().nth(characters_max);
    end.map_or(text, |(end, _)| &text[..end])
}
