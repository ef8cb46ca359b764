//! The dashboard: the current state and the last hour of the whole site, from the metrics of its processes.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use tokio::time::Instant;

use crate::chart::{self, Marker, SLOTS};
use crate::exposition::Sample;
use crate::figures::{API, PAGES, RPCS};
use crate::history::{self, STEP};
use crate::hour::{self, Hour};
use crate::modules::{self, Change, Modules};
use crate::page::{self, clock, duration, escaped, number, percent, runbook};
use crate::problems::{self, Problem, RECENT, Severity, breaker};
use crate::runbooks;
use crate::scrape::{Ends, Target, Targets};
use crate::search::micros;

/// Age at which the figures of a process are marked as old.
const OLD_AFTER: Duration = Duration::from_secs(15);
/// Markers have one letter each.
const MARKERS_MAX: usize = 26;

pub fn router(targets: Targets, now: fn() -> SystemTime) -> Router {
    let targets = Arc::new(targets);
    Router::new()
        .route("/site", get(move || async move { page(&targets, now()) }))
        .route("/runbooks/{name}", get(runbooks::respond))
}

/// State of a process in words, with its class.
struct State {
    class: &'static str,
    word: &'static str,
    /// Further words; empty if all is well.
    more: String,
}

/// What is known of a process at the time of a request.
struct Process<'a> {
    target: &'a Target,
    ends: Option<Ends>,
    state: State,
    hour: Hour,
}

impl<'a> Process<'a> {
    fn new(target: &'a Target, now: Instant, newest: u64, began: u64) -> Self {
        let (ends, failure) = target.known();
        let age = ends
            .as_ref()
            .map(|(_, newest)| now.saturating_duration_since(newest.at));
        let build = ends.as_ref().and_then(|ends| sample(ends, "build_info"));
        let service = build.map_or("", |build| build.label("service"));
        let service = if service.is_empty() {
            target.name.as_str()
        } else {
            service
        };
        Self {
            target,
            state: state(failure, age, ends.as_ref()),
            hour: Hour::new(service.to_owned(), target.steps(now), newest, began),
            ends,
        }
    }

    fn value(&self, metric: &str) -> Option<f64> {
        Some(sample(self.ends.as_ref()?, metric)?.value)
    }

    fn label(&self, name: &str) -> &str {
        let build = self
            .ends
            .as_ref()
            .and_then(|ends| sample(ends, "build_info"));
        build.map_or("", |build| build.label(name))
    }

    fn problems(&self) -> Vec<Problem> {
        let name = &self.target.name;
        if self.state.class == "bad" && self.state.word != "Not ready" {
            return vec![Problem {
                severity: Severity::Broken,
                place: name.clone(),
                words: self.state.more.clone(),
                runbook: "ServiceDown",
            }];
        }
        let slots = usize::try_from(RECENT.as_secs() / STEP.as_secs()).unwrap_or(SLOTS);
        let mut problems = problems::of_errors(name, &self.hour.newest(slots));
        if let Some((oldest, newest)) = &self.ends {
            problems.extend(problems::of_samples(name, &oldest.samples, &newest.samples));
        }
        problems
    }
}

fn sample<'a>((_, newest): &'a Ends, metric: &str) -> Option<&'a Sample> {
    newest.samples.iter().find(|sample| sample.name == metric)
}

fn state(failure: Option<String>, age: Option<Duration>, ends: Option<&Ends>) -> State {
    let (class, word, more) = match (failure, age) {
        (Some(failure), Some(age)) => {
            let age = age.as_secs();
            (
                "bad",
                "Gone",
                format!("does not answer ({failure}); figures are {age} s old"),
            )
        }
        (Some(failure), None) => ("bad", "Gone", format!("has never answered ({failure})")),
        (None, Some(age)) if age > OLD_AFTER => (
            "warn",
            "Silent",
            format!("figures are {} s old", age.as_secs()),
        ),
        (None, Some(_)) => match ends.and_then(|ends| sample(ends, "process_ready")) {
            Some(ready) if ready.value < 1.0 => ("bad", "Not ready", String::new()),
            _ => ("ok", "Ready", String::new()),
        },
        (None, None) => ("quiet", "Not yet asked", String::new()),
    };
    State { class, word, more }
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
    content.push_str(&processes(&known));
    content.push_str(&teams(&known));
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

/// Renders a card for each process.
fn processes(known: &[Process<'_>]) -> String {
    let cards: String = known.iter().map(|process| card(process, known)).collect();
    format!(
        "<section id=\"processes\" data-part><h2>Processes</h2><ul class=\"cards\">{cards}</ul></section>"
    )
}

fn card(process: &Process<'_>, known: &[Process<'_>]) -> String {
    let State { class, word, more } = &process.state;
    let mut facts = String::new();
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(facts, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
    };
    let now = process.hour.now();
    for surface in process
        .hour
        .surfaces()
        .into_iter()
        .filter(|name| [PAGES, API, RPCS].contains(name))
    {
        let sum = now.surfaces.get(surface).cloned().unwrap_or_default();
        let rate = if now.covered.is_zero() {
            0.0
        } else {
            sum.requests / now.covered.as_secs_f64()
        };
        let failing = if sum.errors > 0.0 {
            format!(
                ", <b class=\"bad\">{} failed</b>",
                percent(sum.error_share())
            )
        } else {
            String::new()
        };
        let p95 = sum.quantiles()[1]
            .map_or_else(String::new, |p95| format!(", p95 {}", duration(Some(p95))));
        fact(surface, &format!("{}/s{p95}{failing}", number(rate)));
    }
    if let Some(state) = breaker_to(&process.hour.service, known) {
        let class = match state {
            "closed" => "",
            "on trial" => " class=\"state warn\"",
            _ => " class=\"state bad\"",
        };
        fact("Breaker", &format!("<b{class}>{state}</b>"));
    }
    let total = |metric: &str| -> f64 {
        let samples = process.ends.iter().flat_map(|(_, newest)| &newest.samples);
        samples
            .filter(|sample| sample.name == metric)
            .map(|sample| sample.value)
            .sum()
    };
    if process.value("outbox_due").is_some() {
        let dead = total("outbox_dead");
        let dead = if dead > 0.0 {
            format!(", <b class=\"bad\">{dead:.0} given up</b>")
        } else {
            String::new()
        };
        let due = total("outbox_due");
        let due = if due > 0.0 {
            format!("{due:.0} due")
        } else {
            "nothing due".to_owned()
        };
        fact("Outbox", &format!("{due}{dead}"));
    }
    let about = [process.label("version"), process.label("team")].map(escaped);
    let about = about
        .iter()
        .filter(|text| !text.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" · ");
    let more = if more.is_empty() {
        String::new()
    } else {
        format!("<p class=\"more\">{}</p>", escaped(more))
    };
    format!(
        "<li class=\"card {class}\"><h3>{}</h3><p><b class=\"state {class}\">{word}</b> <span class=\"about\">{about}</span></p>\
         {more}<dl>{facts}</dl></li>",
        escaped(&process.target.name),
    )
}

/// Returns the state of the breakers of all gateways to a service, the worst one, in words.
fn breaker_to(service: &str, known: &[Process<'_>]) -> Option<&'static str> {
    let samples = known
        .iter()
        .filter_map(|process| process.ends.as_ref())
        .flat_map(|(_, newest)| &newest.samples);
    let name = service.strip_prefix("svc-").unwrap_or(service);
    // An upstream is named like the service or after its package, `hospital.booking.v1`.
    let of_service = |sample: &&Sample| {
        let upstream = sample.label("upstream");
        sample.name == "upstream_breaker_state"
            && (upstream == service || upstream.split('.').any(|part| part == name))
    };
    let states = samples.filter(of_service).map(|sample| sample.value);
    // An open breaker is worse than one on trial.
    states.map(breaker).min_by_key(|word| match *word {
        "open" => 0,
        "on trial" => 1,
        _ => 2,
    })
}

/// Renders a card for each team with page modules, for each gateway.
fn teams(known: &[Process<'_>]) -> String {
    let mut cards = String::new();
    let has_modules = |process: &&Process<'_>| process.value("remote_version_info").is_some();
    let is_alone = known.iter().filter(has_modules).count() < 2;
    for process in known {
        let gateway = if is_alone {
            ""
        } else {
            process.target.name.as_str()
        };
        let Some((oldest, newest)) = &process.ends else {
            continue;
        };
        for (team, found) in modules::of(&oldest.samples, &newest.samples) {
            cards.push_str(&team_card(gateway, &team, &found));
        }
    }
    if cards.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"teams\" data-part><h2>Page modules by team</h2><ul class=\"cards small\">{cards}</ul></section>"
    )
}

fn team_card(gateway: &str, team: &str, found: &Modules) -> String {
    let Modules {
        stable,
        canary,
        refused,
        taken_back,
        failing,
    } = found;
    let (class, word) = match (failing.is_empty(), canary.is_empty()) {
        (false, _) => ("bad", "Fails"),
        (true, false) => ("new", "Canary"),
        (true, true) if stable.is_empty() => ("warn", "Refused"),
        (true, true) => ("ok", "Stable"),
    };
    let facts = [
        ("Stable", stable),
        ("Canary", canary),
        ("Failed renders", failing),
        ("Refused since start", refused),
        ("Rolled back since start", taken_back),
    ];
    let place = if gateway.is_empty() {
        String::new()
    } else {
        format!(" <span class=\"about\">on {}</span>", escaped(gateway))
    };
    let facts = facts
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", escaped(value)))
        .collect::<Vec<_>>()
        .concat();
    format!(
        "<li class=\"card {class}\"><h3>{}</h3><p><b class=\"state {class}\">{word}</b>{place}</p><dl>{facts}</dl></li>",
        escaped(team),
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
