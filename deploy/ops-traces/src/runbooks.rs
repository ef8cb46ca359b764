//! The runbooks of the alerts, compiled in and shown as pages at `/runbooks/NAME`.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pulldown_cmark::{Options, Parser, html};

use crate::page;

macro_rules! books {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../observability/runbooks/", $name, ".md")))),*]
    };
}

/// Those that a problem of [`crate::problems`] names.
const BOOKS: [(&str, &str); 28] = books!(
    "BookingBudgetBurnsFast" "BookingBurst" "BreakerOpen" "BulkheadFull" "CodesGuessed" "CreatesUnderAttack"
    "DatabaseFails" "DayListFails" "EmergencyPageBuiltIn" "GatewaySheds" "LogLinesDropped" "MailFails" "MailRefused"
    "MailsPostponed" "NetworkShed" "NotReady" "OutboxDead" "OutboxLate" "PublishRefused" "QuarantineWaits"
    "ReadBudgetBurnsFast" "RemoteFailing" "RenderFailing" "RetryBudgetExhausted" "RolledBackByItself" "ServiceDown"
    "ServiceFailing" "SpansLost"
);
/// Returns the Markdown of a runbook.
pub fn text(name: &str) -> Option<&'static str> {
    BOOKS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| *text)
}

pub async fn respond(Path(name): Path<String>) -> Response {
    let Some(text) = text(&name) else {
        return (StatusCode::NOT_FOUND, "no runbook of this name\n").into_response();
    };
    // The page has the heading already.
    let text = text.split_once('\n').map_or(text, |(_, rest)| rest);
    let mut content = String::new();
    html::push_html(&mut content, Parser::new_ext(text, Options::ENABLE_TABLES));
    page::respond(
        &name,
        "",
        &format!("<article class=\"book\">{content}</article>"),
    )
}
