//! Cards of the dashboard: the state of each process, and of each team's page modules.

use std::fmt::Write as _;

use crate::exposition::Sample;
use crate::figures::{API, PAGES, RPCS};
use crate::modules::{self, Modules};
use crate::page::{duration, escaped, number, percent};
use crate::problems::breaker;
use crate::process::{Process, State};

/// Renders a card for each process.
pub fn processes(known: &[Process<'_>]) -> String {
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
pub fn teams(known: &[Process<'_>]) -> String {
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
