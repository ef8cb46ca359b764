//! The start page: what visitors did in the last minutes, by route, from the gateway's server spans.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::response::Response;

use crate::page::{self, Search, clock, duration, escaped, percent};
use crate::search::micros;
use crate::span::{Kind, Span, TraceId};
use crate::store::Store;

const WINDOW: Duration = Duration::from_mins(15);
/// Routes shown. A gateway has fewer than a hundred.
const ROUTES_MAX: usize = 200;
/// Newest traces shown for each route.
const TRACES_MAX: usize = 3;
const GATEWAY: &str = "gateway";
/// Routes that no visitor asks for.
const FURTHER_ROUTES: [&str; 4] = ["file", "/telemetry", "/healthz", "/readyz"];

/// Requests of one method and route.
#[derive(Debug, Default)]
struct Action {
    errors: usize,
    /// Nanoseconds.
    durations: Vec<u64>,
    /// Start in microseconds, trace and duration of the newest requests, the newest first.
    newest: Vec<(u64, TraceId, u64)>,
    /// RPCs made for the requests shown.
    calls: BTreeSet<String>,
}

pub fn page(store: &Store, now: SystemTime) -> Response {
    let end = micros(now);
    let start = end.saturating_sub(u64::try_from(WINDOW.as_micros()).unwrap_or(u64::MAX));
    let minutes = WINDOW.as_secs() / 60;
    let actions = actions(store, start);
    let mut rows = String::new();
    for (operation, action) in actions.iter().take(ROUTES_MAX) {
        rows.push_str(&row(operation, action, (start, end)));
    }
    let table = if rows.is_empty() {
        format!(
            "<p class=\"fine\">No visitor’s request in the last {minutes} min. Open a page of the website, then look here again.</p>"
        )
    } else {
        format!(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Actions by route\"><table class=\"actions\">\
             <thead><tr><th scope=\"col\">Action</th><th scope=\"col\">Requests</th><th scope=\"col\">Errors</th>\
             <th scope=\"col\">p95</th><th scope=\"col\">Newest traces</th></tr></thead><tbody>{rows}</tbody></table></div>"
        )
    };
    let content = format!(
        "<div id=\"actions\" data-part><p class=\"lead\">Sampled requests of the last {minutes} min by route, without \
         files. A route leads to its traces.</p>{table}</div>"
    );
    page::respond("Visitors’ actions", "/", &content)
}

/// Returns the actions with the operation of their spans, the most frequent first.
fn actions(store: &Store, start: u64) -> Vec<(Arc<str>, Action)> {
    let mut actions = BTreeMap::<Arc<str>, Action>::new();
    for span in store.spans(|span| is_action(span) && span.start_micros() >= start) {
        let action = actions.entry(Arc::clone(&span.operation)).or_default();
        action.errors += usize::from(span.tags.iter().any(|tag| tag.is("error", "true")));
        action.durations.push(span.duration_nanos);
        action
            .newest
            .push((span.start_micros(), span.trace, span.duration_nanos));
    }
    for action in actions.values_mut() {
        action.durations.sort_unstable();
        action.newest.sort_unstable_by(|one, other| other.cmp(one));
        action.newest.truncate(TRACES_MAX);
        let traces = action
            .newest
            .iter()
            .filter_map(|(_, id, _)| store.trace(*id));
        let calls = traces
            .flat_map(|trace| trace.spans)
            .filter_map(|span| called(&span));
        action.calls = calls.collect();
    }
    let mut actions: Vec<_> = actions.into_iter().collect();
    actions.sort_by_key(|(_, action)| std::cmp::Reverse(action.durations.len()));
    actions
}

fn is_action(span: &Span) -> bool {
    let route = span.tags.iter().find(|tag| *tag.key == *"http.route");
    *span.process.service == *GATEWAY
        && span.kind == Some(Kind::Server)
        && route.is_some_and(|route| !FURTHER_ROUTES.contains(&route.value.text().as_ref()))
}

/// Returns the method of a served RPC, without package and service.
fn called(span: &Span) -> Option<String> {
    let method = span.tags.iter().find(|tag| *tag.key == *"rpc.method")?;
    let is_served = span.kind == Some(Kind::Server);
    is_served.then(|| {
        method
            .value
            .text()
            .rsplit(['/', '.'])
            .next()
            .unwrap_or_default()
            .to_owned()
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts and durations of a few minutes are below 2^52"
)]
fn row(operation: &str, action: &Action, window: (u64, u64)) -> String {
    let count = action.durations.len();
    let search = Search {
        service: GATEWAY,
        operation: Some(operation),
        window,
        ..Search::default()
    };
    let failed = Search {
        errors: true,
        ..search.clone()
    };
    let seconds = |nanos: u64| Some(nanos as f64 / 1e9);
    let p95 = action
        .durations
        .get((count * 95).div_ceil(100).saturating_sub(1))
        .copied();
    let errors = if action.errors == 0 {
        "none".to_owned()
    } else {
        let share = percent(Some(action.errors as f64 / count as f64));
        format!(
            "<a class=\"bad\" href=\"{}\">{} ({share})</a>",
            failed.href(),
            action.errors
        )
    };
    let mut newest = String::new();
    for (at, id, nanos) in &action.newest {
        // Writing to a string cannot fail.
        let _ = write!(
            newest,
            "<a href=\"/trace/{id}\">{} UTC, {}</a> ",
            clock(*at),
            duration(seconds(*nanos))
        );
    }
    let calls: Vec<&str> = action.calls.iter().map(String::as_str).collect();
    let calls = if calls.is_empty() {
        String::new()
    } else {
        format!("<small>calls {}</small>", escaped(&calls.join(", ")))
    };
    format!(
        "<tr><th scope=\"row\"><a href=\"{}\">{}</a>{calls}</th><td data-head=\"Requests\">{count}</td><td data-head=\"Errors\">{errors}</td><td data-head=\"p95\">{}</td><td data-head=\"Newest\">{newest}</td></tr>",
        search.href(),
        escaped(operation),
        duration(p95.and_then(seconds)),
    )
}
