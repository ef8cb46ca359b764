//! Scrapes the metrics of every target. Keeps the newest minute of samples and the last hour of sums in memory.
//!
//! Each target has its own task, so that a hanging target does not block others.

use std::collections::VecDeque;
use std::error::Error;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::{Request, Uri};
use http_body_util::{BodyExt as _, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use parking_lot::Mutex;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use crate::exposition::{self, Sample};
use crate::figures;
use crate::history::{self, HOUR, History, Step};
use crate::modules::Change;

/// Interval between two scrapes of a target.
pub const INTERVAL: Duration = Duration::from_secs(5);
/// Time limit of a whole scrape, connecting included.
const TIME_MAX: Duration = Duration::from_secs(2);
/// Scrapes kept per target: the newest minute.
const SCRAPES_MAX: usize = 13;
/// Maximum response size. A gateway under load uses a quarter of it.
const BODY_BYTES_MAX: usize = 4 << 20;
/// Samples kept per scrape: with [`SCRAPES_MAX`] at most some 30 MB per target.
const SAMPLES_MAX: usize = 8_000;
const ERROR_CHARACTERS_MAX: usize = 200;

/// A `NAME=URL` argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsUrl {
    pub name: String,
    pub url: Uri,
}

impl FromStr for MetricsUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = "NAME=http://host:port/metrics is wanted";
        let (name, url) = text.split_once('=').ok_or(wanted)?;
        let url: Uri = url.parse().map_err(|error| format!("{wanted}: {error}"))?;
        if name.is_empty() || url.scheme_str() != Some("http") || url.host().is_none() {
            return Err(wanted.to_owned());
        }
        Ok(Self {
            name: name.to_owned(),
            url,
        })
    }
}

/// Result of one successful scrape.
#[derive(Debug)]
pub struct Scrape {
    pub at: Instant,
    pub samples: Vec<Sample>,
}

/// Stored scrapes of a target.
#[derive(Debug, Default)]
pub struct Known {
    /// The newest minute, oldest first.
    pub scrapes: VecDeque<Arc<Scrape>>,
    /// Error of the last scrape; `None` if it succeeded.
    pub failure: Option<String>,
    history: History,
}

/// Oldest and newest kept scrape of a target.
pub type Ends = (Arc<Scrape>, Arc<Scrape>);

#[derive(Debug)]
pub struct Target {
    pub name: String,
    url: Uri,
    /// Start of the first step of the history.
    origin: Instant,
    known: Mutex<Known>,
}

impl Target {
    /// Returns the oldest and the newest scrape, and the error of the last scrape if it failed.
    pub fn known(&self) -> (Option<Ends>, Option<String>) {
        let known = self.known.lock();
        let ends = known.scrapes.front().zip(known.scrapes.back());
        let ends = ends.map(|(oldest, newest)| (Arc::clone(oldest), Arc::clone(newest)));
        (ends, known.failure.clone())
    }

    /// Returns the steps of the last hour, oldest first.
    pub fn steps(&self, now: Instant) -> Vec<Step> {
        let newest = history::number(self.origin, now);
        let steps_max = HOUR.as_secs() / history::STEP.as_secs();
        let known = self.known.lock();
        known
            .history
            .steps()
            .filter(|step| step.number + steps_max > newest)
            .cloned()
            .collect()
    }

    /// Returns the changes of page modules in the last hour, oldest first.
    pub fn changes(&self, now: Instant) -> Vec<(Instant, Change)> {
        let known = self.known.lock();
        let recent = |then: Instant| now.saturating_duration_since(then) < HOUR;
        known
            .history
            .changes()
            .filter(|(then, _)| recent(*then))
            .cloned()
            .collect()
    }

    fn note(&self, at: Instant, outcome: Result<Vec<Sample>, String>) {
        let mut known = self.known.lock();
        let known = &mut *known;
        let step = history::number(self.origin, at);
        match outcome {
            Ok(samples) => {
                let before = known.scrapes.back();
                let before = before.map(|scrape| (scrape.at, scrape.samples.as_slice()));
                known.history.note(step, (at, &samples), before);
                // Scrapes from before an outage reveal nothing about the current minute.
                let kept = INTERVAL * u32::try_from(SCRAPES_MAX).unwrap_or(u32::MAX);
                known.scrapes.retain(|scrape| at - scrape.at < kept);
                if known.scrapes.len() == SCRAPES_MAX {
                    known.scrapes.pop_front();
                }
                known.scrapes.push_back(Arc::new(Scrape { at, samples }));
                known.failure = None;
            }
            Err(failure) => {
                known.history.note_failure(step);
                known.failure = Some(failure.chars().take(ERROR_CHARACTERS_MAX).collect());
            }
        }
    }
}

/// All targets. Dropping it stops their tasks.
#[derive(Debug)]
pub struct Targets {
    pub all: Vec<Arc<Target>>,
    /// Start of the first step of all histories.
    pub origin: Instant,
    _scraping: JoinSet<()>,
}

impl Targets {
    /// Starts scraping. Must be called inside a Tokio runtime.
    pub fn start(urls: &[MetricsUrl]) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(TIME_MAX));
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let mut scraping = JoinSet::new();
        let origin = Instant::now();
        let start = |url: &MetricsUrl| {
            let target = Arc::new(Target {
                name: url.name.clone(),
                url: url.url.clone(),
                origin,
                known: Mutex::default(),
            });
            scraping.spawn(run(Arc::clone(&target), client.clone()));
            target
        };
        Self {
            all: urls.iter().map(start).collect(),
            origin,
            _scraping: scraping,
        }
    }
}

async fn run(target: Arc<Target>, client: Client<HttpConnector, Body>) {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let scraped = tokio::time::timeout(TIME_MAX, scrape(&client, &target.url)).await;
        let late = || Err(format!("no answer within {} s", TIME_MAX.as_secs()));
        target.note(Instant::now(), scraped.unwrap_or_else(|_| late()));
    }
}

async fn scrape(client: &Client<HttpConnector, Body>, url: &Uri) -> Result<Vec<Sample>, String> {
    let request = Request::get(url.clone()).body(Body::empty());
    let request = request.map_err(|error| error.to_string())?;
    let response = client.request(request).await.map_err(|error| {
        let cause = error
            .source()
            .map_or_else(String::new, |e| format!(": {e}"));
        format!("{error}{cause}")
    })?;
    if !response.status().is_success() {
        return Err(format!("status {}", response.status()));
    }
    let body = Limited::new(response.into_body(), BODY_BYTES_MAX);
    let body = body.collect().await.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&body.to_bytes()).into_owned();
    exposition::read(&text, SAMPLES_MAX, figures::is_wanted)
        .ok_or_else(|| "the answer is no OpenMetrics text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_name_and_a_url() {
        let target: MetricsUrl = "gateway=http://127.0.0.1:9090/metrics".parse().unwrap();
        assert_eq!(target.name, "gateway");
        for wrong in [
            "",
            "gateway",
            "=http://a/metrics",
            "a=b",
            "a=https://b/",
            "a=/metrics",
        ] {
            assert!(wrong.parse::<MetricsUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn keeps_one_minute() {
        let target = Target {
            name: String::new(),
            url: Uri::from_static("http://a/"),
            origin: Instant::now(),
            known: Mutex::default(),
        };
        let mut at = Instant::now();
        for _ in 0..100 {
            target.note(at, Ok(Vec::new()));
            at += INTERVAL;
        }
        assert_eq!(target.known.lock().scrapes.len(), SCRAPES_MAX);
        at += INTERVAL * 100;
        target.note(at, Err("x".repeat(1_000)));
        assert_eq!(
            target.known().1.map(|failure| failure.len()),
            Some(ERROR_CHARACTERS_MAX)
        );
        target.note(at, Ok(Vec::new()));
        assert_eq!(target.known.lock().scrapes.len(), 1);
        assert_eq!(target.known().1, None);
    }
}
