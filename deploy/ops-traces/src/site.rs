//! The page beside the traces: the current state of the whole site, from the metrics of its processes.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, header};
use tokio::time::Instant;

use crate::exposition::{Exemplar, Sample, increases};
use crate::figures::{self, LATELY, NOW, Red};
use crate::modules;
use crate::scrape::{INTERVAL, Scrape, Target, Targets};

/// Age at which the figures of a target are marked as old.
const OLD_AFTER: Duration = Duration::from_secs(15);

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:16px}\
table{border-collapse:collapse;margin:0 0 24px}caption{font-weight:600;text-align:left}\
th,td{padding:4px 12px;border-bottom:1px solid;text-align:left}td{font-variant-numeric:tabular-nums}.wide{overflow-x:auto}";

pub fn router(targets: Targets) -> Router {
    let targets = Arc::new(targets);
    Router::new().route("/site", get(move || async move { page(&targets) }))
}

fn page(targets: &Targets) -> Response {
    let now = Instant::now();
    let mut content = String::new();
    if targets.all.is_empty() {
        content.push_str("<p>No process is watched: start with --metrics-url NAME=URL.</p>");
    } else {
        content.push_str(&processes(&targets.all, now));
        content.push_str(&surfaces(&targets.all));
        content.push_str(&page_modules(&targets.all));
        content.push_str(&glance(&targets.all));
    }
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>The site now</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"refresh\" content=\"{}\"><style>{STYLE}</style></head><body><main><h1>The site now</h1>\
         <p>Figures of the last minute at most. <a href=\"/search\">Traces</a></p>{content}</main></body></html>",
        INTERVAL.as_secs(),
    );
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (no_store, Html(html)).into_response()
}

/// Renders a table of processes with their version, their state and the age of their figures.
fn processes(targets: &[Arc<Target>], now: Instant) -> String {
    let rows = targets.iter().map(|target| {
        let (ends, failure) = target.known();
        let version = ends.as_ref().and_then(|(_, newest)| version(newest));
        let age = ends
            .as_ref()
            .map(|(_, newest)| now.saturating_duration_since(newest.at));
        let state = match (&failure, age) {
            (Some(failure), Some(age)) => {
                format!(
                    "does not answer ({failure}); figures are {} s old",
                    age.as_secs()
                )
            }
            (Some(failure), None) => format!("has never answered ({failure})"),
            (None, Some(age)) if age > OLD_AFTER => {
                format!("figures are {} s old", age.as_secs())
            }
            (None, Some(_)) => "answers".to_owned(),
            (None, None) => "is being asked".to_owned(),
        };
        [
            target.name.clone(),
            version.unwrap_or_else(|| "–".to_owned()),
            state,
        ]
    });
    table("Processes", ["process", "version", "state"], rows)
}

fn version(scrape: &Scrape) -> Option<String> {
    let build = scrape.samples.iter().find(|s| s.name == "build_info")?;
    Some(build.label("version").to_owned())
}

/// Renders rate, errors and durations of each surface of each process.
fn surfaces(targets: &[Arc<Target>]) -> String {
    let rows = targets.iter().flat_map(|target| {
        let surfaces = target.known().0.map_or_else(Vec::new, |(oldest, newest)| {
            figures::red(&oldest.samples, &newest.samples, newest.at - oldest.at)
        });
        surfaces.into_iter().map(|red| row(&target.name, &red))
    });
    let heads = [
        "process",
        "surface",
        "per second",
        "errors",
        "p50",
        "p95",
        "p99",
        "slowest trace",
    ];
    table("Requests", heads, rows)
}

fn row(process: &str, red: &Red) -> [Cell; 8] {
    let errors = red
        .error_share
        .map(|share| format!("{:.2} %", share * 100.0));
    let [p50, p95, p99] = red.quantiles.map(|seconds| {
        seconds.map_or_else(
            || "–".to_owned(),
            |seconds| {
                if seconds.is_finite() {
                    format!("{:.1} ms", seconds * 1e3)
                } else {
                    "beyond all buckets".to_owned()
                }
            },
        )
    });
    [
        process.to_owned().into(),
        red.surface.to_owned().into(),
        format!("{:.2}", red.per_second).into(),
        errors.unwrap_or_else(|| "–".to_owned()).into(),
        p50.into(),
        p95.into(),
        p99.into(),
        red.slowest
            .map_or_else(|| "–".to_owned().into(), Cell::Trace),
    ]
}

/// Renders the versions of page modules on each gateway, with refusals and rollbacks.
fn page_modules(targets: &[Arc<Target>]) -> String {
    let rows = targets.iter().flat_map(|target| {
        let teams = target.known().0.map_or_else(Vec::new, |(oldest, newest)| {
            let teams = modules::of(&oldest.samples, &newest.samples);
            teams.into_iter().collect()
        });
        teams.into_iter().map(|(team, known)| {
            [
                target.name.clone(),
                team,
                or_dash(known.stable),
                or_dash(known.canary),
                or_dash(known.refused),
                or_dash(known.taken_back),
                or_dash(known.failing),
            ]
        })
    });
    let heads = [
        "process",
        "team",
        "stable",
        "canary",
        "refused since it began",
        "taken back since it began",
        "renders that failed lately",
    ];
    table("Page modules", heads, rows)
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "–".to_owned()
    } else {
        text
    }
}

/// Renders outbox, breaker and limits: current values, and increases in the window unless they are zero.
fn glance(targets: &[Arc<Target>]) -> String {
    let mut rows = Vec::new();
    for target in targets {
        let Some((oldest, newest)) = target.known().0 else {
            continue;
        };
        for (name, label, called) in NOW {
            let found = newest.samples.iter().filter(|sample| sample.name == name);
            rows.extend(
                found.map(|sample| line(target, called, sample.label(label), sample.value)),
            );
        }
        let grown: Vec<(&Sample, f64)> = increases(&oldest.samples, &newest.samples).collect();
        for (name, label, called) in LATELY {
            let found = grown
                .iter()
                .filter(|(s, added)| s.name == name && *added > 0.0);
            rows.extend(
                found.map(|(sample, added)| line(target, called, sample.label(label), *added)),
            );
        }
    }
    table("At a glance", ["process", "what", "of", "figure"], rows)
}

fn line(target: &Target, called: &str, of: &str, value: f64) -> [String; 4] {
    [
        target.name.clone(),
        called.to_owned(),
        of.to_owned(),
        format!("{value}"),
    ]
}

/// Content of a table cell.
enum Cell {
    Text(String),
    /// Link to the trace of a request, labelled with its duration in seconds. Metrics outlive traces, so the trace may
    /// be gone.
    Trace(Exemplar),
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Cell {
    fn html(&self) -> String {
        match self {
            Self::Text(text) => escaped(text),
            Self::Trace(Exemplar { trace_id, value }) => format!(
                "<a href=\"/trace/{trace_id:032x}\">{:.1} ms</a>",
                value * 1e3
            ),
        }
    }
}

fn table<const N: usize>(
    caption: &str,
    heads: [&str; N],
    rows: impl IntoIterator<Item = [impl Into<Cell>; N]>,
) -> String {
    let mut html = format!("<div class=\"wide\"><table><caption>{caption}</caption><thead><tr>");
    for head in heads {
        // Writing to a string cannot fail.
        let _ = write!(html, "<th scope=\"col\">{head}</th>");
    }
    html.push_str("</tr></thead><tbody>");
    for row in rows {
        html.push_str("<tr>");
        for cell in row {
            let _ = write!(html, "<td>{}</td>", cell.into().html());
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    html
}

/// Escapes HTML: labels and errors come from other processes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
