//! The dashboard: the current state and the last hour of the whole site, from the metrics of its processes.

use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use tokio::time::Instant;

use crate::cards;
use crate::chart::{self, Marker, SLOTS};
use crate::figures::{API, PAGES, RPCS};
use crate::history::{self, STEP};
use crate::hour::{self, Hour};
use crate::modules::Change;
use crate::page::{self, clock, escaped, runbook};
use crate::problems::{self, Problem, RECENT, Severity};
use crate::process::Process;
use crate::runbooks;
use crate::scrape::Targets;
use crate::search::micros;

/// Markers have one letter each.
const MARKERS_MAX: usize = 26;

pub fn router(targets: Targets, now: fn() -> SystemTime) -> Router {
    let targets = Arc::new(targets);
    Router::new()
        .route("/site", get(move || async move { page(&targets, now()) }))
        .route("/runbooks/{name}", get(runbooks::respond))
}

fn page(targets: &Targets, time: SystemTime) -> Response {
    let now = Instant::now();
    if targets.all.is_empty() {
        return page::respond(
            "The site now",
            "/site",
            "<p>No process is watched: start with --metrics-url NAME=URL.</p>",
        );
    }
    let newest = history::number(targets.origin, now);
    // The wall clock at the start of the newest step.
    let into = now.saturating_duration_since(targets.origin).as_micros() % STEP.as_micros();
    let began = micros(time).saturating_sub(u64::try_from(into).unwrap_or_default());
    let mut known: Vec<Process<'_>> = targets
        .all
        .iter()
        .map(|target| Process::new(target, now, newest, began))
        .collect();
    let oldest = known.iter().map(|process| process.hour.oldest()).min();
    for process in &mut known {
        process.hour.first = chart::first(oldest.unwrap_or_default());
    }
    let changes: Vec<(Instant, Change)> = targets
        .all
        .iter()
        .flat_map(|target| target.changes(now))
        .collect();
    let markers = markers(&changes, targets.origin, newest);

    let mut found: Vec<Problem> = known.iter().flat_map(Process::problems).collect();
    let recent = changes
        .iter()
        .filter(|(at, _)| now.saturating_duration_since(*at) < RECENT);
    found.extend(recent.filter_map(|(_, change)| problems::of_change(change)));
    let mut content = problem_list(&problems::sorted(found), &clock(micros(time)));
    content.push_str(&cards::processes(&known));
    content.push_str(&cards::teams(&known));
    content.push_str(&last_hour(&known, &markers));
    page::respond("The site now", "/site", &content)
}

/// Renders the verdict and the problems, the worst on top.
fn problem_list(found: &[Problem], time: &str) -> String {
    let count = |severity| {
        found
            .iter()
            .filter(|problem| problem.severity == severity)
            .count()
    };
    let (broken, warnings) = (count(Severity::Broken), count(Severity::Warning));
    let verdict = match (broken, warnings) {
        (0, 0) => "<b class=\"state ok\">Nothing is wrong</b>".to_owned(),
        (0, _) => format!("<b class=\"state warn\">{warnings} to look at</b>"),
        (_, _) => format!("<b class=\"state bad\">{broken} broken</b>"),
    };
    let items = found.iter().map(|Problem { severity, place, words, runbook: book }| {
        let (class, word) = match severity {
            Severity::Broken => ("bad", "Broken"),
            Severity::Warning => ("warn", "Look"),
            Severity::Notice => ("quiet", "Notice"),
        };
        format!(
            "<li class=\"{class}\"><b class=\"state {class}\">{word}</b> <span><strong>{}</strong> {}</span> {}</li>",
            escaped(place),
            escaped(words),
            runbook(book)
        )
    });
    let items: String = items.collect();
    let list = if items.is_empty() {
        String::new()
    } else {
        format!("<ul class=\"problems\">{items}</ul>")
    };
    format!(
        "<div id=\"verdict\" data-part class=\"verdict\"><p role=\"status\">{verdict}</p><p>at <time>{time}</time> UTC</p></div>\
         <section id=\"problems\" data-part aria-label=\"Problems\">{list}</section>"
    )
}

/// Returns a marker for each step with changes, the newest ones if there are too many.
fn markers(changes: &[(Instant, Change)], origin: Instant, newest: u64) -> Vec<Marker> {
    let mut by_slot = std::collections::BTreeMap::<usize, Vec<String>>::new();
    for (at, change) in changes {
        let age = newest.saturating_sub(history::number(origin, *at));
        let slot = usize::try_from(age)
            .ok()
            .and_then(|age| (SLOTS - 1).checked_sub(age));
        let words = slot.map(|slot| by_slot.entry(slot).or_default());
        if let Some(words) = words.filter(|words| !words.contains(&change.words())) {
            words.push(change.words());
        }
    }
    let skipped = by_slot.len().saturating_sub(MARKERS_MAX);
    let slots = by_slot.into_iter().skip(skipped).zip('A'..='Z');
    slots
        .map(|((slot, words), letter)| Marker {
            slot,
            letter,
            words: words.join(", "),
        })
        .collect()
}

fn last_hour(known: &[Process<'_>], markers: &[Marker]) -> String {
    let releases = markers
        .iter()
        .map(|Marker { slot, letter, words }| {
            let minutes = (SLOTS - 1 - slot) * 30 / 60;
            format!("<li><b class=\"tag\">{letter}</b> {} <span class=\"about\">{minutes} min ago</span></li>", escaped(words))
        })
        .collect::<Vec<_>>().concat();
    let releases = if releases.is_empty() {
        "<p class=\"about\">No page module changed in the last hour.</p>".to_owned()
    } else {
        format!("<ol class=\"releases\" aria-label=\"Changes of page modules\">{releases}</ol>")
    };
    let (mut reds, mut maps) = (Vec::new(), String::new());
    for (index, process) in known.iter().enumerate() {
        for surface in process.hour.surfaces() {
            let id = format!("red-{index}-{}", surface.to_lowercase().replace(' ', "-"));
            // What visitors see comes first, then the services.
            let order = [PAGES, API, RPCS];
            let place = order.iter().position(|name| *name == surface);
            reds.push((
                place.unwrap_or(order.len()),
                process.hour.red(&id, surface, markers),
            ));
            if [PAGES, API].contains(&surface) {
                maps.push_str(&process.hour.heat_map(surface).unwrap_or_default());
            }
        }
    }
    reds.sort_by_key(|(place, _)| *place);
    let reds: String = reds.into_iter().map(|(_, html)| html).collect();
    let hours: Vec<&Hour> = known.iter().map(|process| &process.hour).collect();
    let series = hour::series(&hours, markers);
    let reds = if reds.is_empty() {
        "<p>No requests in the last hour.</p>".to_owned()
    } else {
        reds
    };
    format!(
        "<section id=\"hour\" data-part><h2>The last hour</h2><p class=\"lead\">A point of a chart leads to its traces. \
         The tables have the same figures. Grey: the process did not answer.</p>{releases}\
         <div class=\"four\">{series}</div><div class=\"reds\">{reds}</div></section>\
         <section id=\"maps\" data-part><h2>Durations</h2><div class=\"maps\">{maps}</div></section>"
    )
}
