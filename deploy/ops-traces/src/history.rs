//! The last hour of a process in steps of half a minute, for the charts.
//!
//! A step holds sums per surface, not samples: at most [`STEPS_MAX`] × 4 surfaces × 15 buckets, some 0.3 MB per target.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use crate::exposition::{Sample, increases};
use crate::figures::{self, Sum};
use crate::modules::{self, Change};

pub const STEP: Duration = Duration::from_secs(30);
pub const HOUR: Duration = Duration::from_hours(1);
/// Number of kept steps: an hour, and the current one.
const STEPS_MAX: usize = 121;
/// Kept changes of page modules per target.
const CHANGES_MAX: usize = 32;

/// A figure of the whole site with a chart of its own.
#[derive(Debug, Clone, Copy)]
pub struct Series {
    pub title: &'static str,
    pub metric: &'static str,
    /// Label and its values that count; every sample counts without.
    only: Option<(&'static str, &'static [&'static str])>,
    /// A gauge is shown with its highest value, a counter with its increase per minute.
    pub is_gauge: bool,
}

pub const SERIES: [Series; 4] = [
    Series {
        title: "Bookings per minute",
        metric: "bookings_total",
        only: Some(("outcome", &["booked"])),
        is_gauge: false,
    },
    Series {
        title: "Mails per minute",
        metric: "mails_total",
        only: Some(("outcome", &["sent", "kept"])),
        is_gauge: false,
    },
    Series {
        title: "Outbox: messages due",
        metric: "outbox_due",
        only: None,
        is_gauge: true,
    },
    Series {
        title: "Refused by limiter per minute",
        metric: "http_server_rate_limited_total",
        only: None,
        is_gauge: false,
    },
];

/// Whether samples of this name are kept.
pub fn is_wanted(name: &str) -> bool {
    SERIES.iter().any(|series| series.metric == name)
}

/// Figures of a step. Without successful scrapes `covered` is zero.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// Number of the step since the program's start.
    pub number: u64,
    /// Time between the scrapes that were compared.
    pub covered: Duration,
    /// Whether a scrape failed.
    pub failed: bool,
    pub surfaces: BTreeMap<&'static str, Sum>,
    /// `None` if the process does not export the series.
    pub series: [Option<f64>; SERIES.len()],
}

impl Step {
    /// Adds another step, of the same process or of another one.
    pub fn add(&mut self, other: &Self) {
        self.covered += other.covered;
        self.failed |= other.failed;
        for (surface, sum) in &other.surfaces {
            self.surfaces.entry(surface).or_default().add(sum);
        }
        for (index, series) in SERIES.iter().enumerate() {
            let values = [self.series[index], other.series[index]]
                .into_iter()
                .flatten();
            self.series[index] = if series.is_gauge {
                values.reduce(f64::max)
            } else {
                values.reduce(|one, more| one + more)
            };
        }
    }
}

/// Number of the step at `at`, when the program started at `origin`.
pub fn number(origin: Instant, at: Instant) -> u64 {
    at.saturating_duration_since(origin).as_secs() / STEP.as_secs()
}

#[derive(Debug, Default)]
pub struct History {
    steps: VecDeque<Step>,
    /// Changes of page modules, oldest first.
    changes: VecDeque<(Instant, Change)>,
}

impl History {
    /// Notes a successful scrape and the one before it.
    pub fn note(
        &mut self,
        number: u64,
        (at, newest): (Instant, &[Sample]),
        before: Option<(Instant, &[Sample])>,
    ) {
        let mut step = Step {
            series: SERIES.map(|series| now(&series, newest)),
            ..Step::default()
        };
        if let Some((before_at, oldest)) = before {
            step.covered = at.saturating_duration_since(before_at);
            step.surfaces = figures::sums(oldest, newest);
            for (value, series) in step
                .series
                .iter_mut()
                .zip(SERIES)
                .filter(|(_, s)| !s.is_gauge)
            {
                *value = value.map(|_| added(&series, oldest, newest));
            }
            for change in modules::changes(oldest, newest) {
                self.changes.push_back((at, change));
            }
            let kept = self.changes.len().saturating_sub(CHANGES_MAX);
            self.changes.drain(..kept);
        }
        self.changes
            .retain(|(then, _)| at.saturating_duration_since(*then) < HOUR);
        self.step(number).add(&step);
    }

    pub fn note_failure(&mut self, number: u64) {
        self.step(number).failed = true;
    }

    fn step(&mut self, number: u64) -> &mut Step {
        if self
            .steps
            .back()
            .is_none_or(|newest| newest.number < number)
        {
            self.steps.push_back(Step {
                number,
                ..Step::default()
            });
        }
        let oldest = (number + 1).saturating_sub(STEPS_MAX as u64);
        self.steps.retain(|step| step.number >= oldest);
        let newest = self.steps.len() - 1;
        &mut self.steps[newest]
    }

    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter()
    }

    pub fn changes(&self) -> impl Iterator<Item = &(Instant, Change)> {
        self.changes.iter()
    }
}

fn of<'a>(series: &Series, samples: impl Iterator<Item = (&'a Sample, f64)>) -> Option<f64> {
    let wanted = |sample: &Sample| {
        let is_wanted = |(label, values): (&str, &[&str])| values.contains(&sample.label(label));
        sample.name == series.metric && series.only.is_none_or(is_wanted)
    };
    let values = samples.filter(|(sample, _)| wanted(sample));
    values
        .map(|(_, value)| value)
        .reduce(|sum, value| sum + value)
}

/// Returns the current value of a gauge; zero for a counter.
fn now(series: &Series, newest: &[Sample]) -> Option<f64> {
    let value = of(series, newest.iter().map(|sample| (sample, sample.value)))?;
    Some(if series.is_gauge { value } else { 0.0 })
}

fn added(series: &Series, oldest: &[Sample], newest: &[Sample]) -> f64 {
    of(series, increases(oldest, newest)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exposition::read;

    fn samples(text: &str) -> Vec<Sample> {
        read(text, 100, figures::is_wanted).unwrap()
    }

    #[test]
    fn keeps_an_hour_in_steps() {
        let (origin, mut history) = (Instant::now(), History::default());
        let before = samples("bookings_total{outcome=\"booked\"} 3\noutbox_due 7\n");
        let after = samples(
            "bookings_total{outcome=\"booked\"} 5\nbookings_total{outcome=\"failed\"} 9\noutbox_due 2\n",
        );
        for scrape in 0..2_000 {
            let at = origin + Duration::from_secs(5) * scrape;
            let previous = at.checked_sub(Duration::from_secs(5)).unwrap_or(origin);
            history.note(number(origin, at), (at, &after), Some((previous, &before)));
        }
        assert_eq!(history.steps().count(), STEPS_MAX);
        let step = history.steps().nth(60).unwrap();
        assert_eq!(step.covered, STEP);
        assert_eq!(step.series, [Some(12.0), None, Some(2.0), None]);
    }

    #[test]
    fn marks_an_outage_without_inventing_figures() {
        let mut history = History::default();
        history.note_failure(4);
        history.note_failure(500);
        let [step] = history.steps().collect::<Vec<_>>()[..] else {
            panic!("one step is younger than an hour")
        };
        assert!(step.failed && step.covered.is_zero() && step.surfaces.is_empty());
    }
}
