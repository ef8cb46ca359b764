//! What is known of a process when the dashboard is requested: its state, its newest figures and its problems.

use std::time::Duration;

use tokio::time::Instant;

use crate::chart::SLOTS;
use crate::exposition::Sample;
use crate::history::STEP;
use crate::hour::Hour;
use crate::problems::{self, Problem, RECENT, Severity};
use crate::scrape::{Ends, Target};

/// Age at which the figures of a process are marked as old.
const OLD_AFTER: Duration = Duration::from_secs(15);

/// State of a process in words, with its class.
#[derive(Debug)]
pub struct State {
    pub class: &'static str,
    pub word: &'static str,
    /// Further words; empty if all is well.
    pub more: String,
}

/// What is known of a process at the time of a request.
#[derive(Debug)]
pub struct Process<'a> {
    pub target: &'a Target,
    pub ends: Option<Ends>,
    pub state: State,
    pub hour: Hour,
}

impl<'a> Process<'a> {
    pub fn new(target: &'a Target, now: Instant, newest: u64, began: u64) -> Self {
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

    pub fn value(&self, metric: &str) -> Option<f64> {
        Some(sample(self.ends.as_ref()?, metric)?.value)
    }

    pub fn label(&self, name: &str) -> &str {
        let build = self
            .ends
            .as_ref()
            .and_then(|ends| sample(ends, "build_info"));
        build.map_or("", |build| build.label(name))
    }

    pub fn problems(&self) -> Vec<Problem> {
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
