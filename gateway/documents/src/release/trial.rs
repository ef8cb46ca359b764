//! Rolls back new versions whose renders or scripts fail too often.
//!
//! Each gateway decides alone, from its own visitors' failures. There is no coordinator, and an isolated gateway must
//! be able to decide. A broken version fails on all gateways, so they reach the same decision within a window.
//! [`super::memory`] records whether a version is on trial at all.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Instant,
};

use crate::publish::{
    remote::Remote,
    tally::{Counts, WINDOW},
};

/// Minimum share of failed renders among all renders in a window.
const RENDER_FAILURES_PERCENT: u64 = 10;
/// Minimum number of reporting networks in percent of the documents sent in a window.
const REPORTS_PERCENT: u64 = 5;

/// Minimum failures for a rollback.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrialLimits {
    pub(crate) render_failures_min: u64,
    /// Distinct networks, each an IPv4 /24 or IPv6 /48, whose browsers sent the token of a document with this version.
    pub(crate) reporting_networks_min: u64,
}

/// Recent counts of each live version.
#[derive(Debug, Default)]
pub(crate) struct Trials(BTreeMap<(String, String), Trial>);

#[derive(Debug, Default)]
struct Trial {
    samples: VecDeque<Sample>,
}

#[derive(Debug)]
struct Sample {
    at: Instant,
    counts: Counts,
}

impl Trials {
    /// Evaluates a version and returns the reason for a rollback, if there is one.
    pub(crate) fn judge(
        &mut self,
        remote: &Remote,
        limits: TrialLimits,
        now: Instant,
    ) -> Option<String> {
        let key = (remote.name.clone(), remote.version.clone());
        let trial = self.0.entry(key).or_default();
        trial.sample(remote.tally.counts(), now);
        trial.verdict(limits, remote.tally.reporters(now))
    }

    /// Drops versions that are no longer live.
    pub(crate) fn keep(&mut self, is_live: impl Fn(&str, &str) -> bool) {
        self.0.retain(|(name, version), _| is_live(name, version));
    }
}

impl Trial {
    fn sample(&mut self, counts: Counts, at: Instant) {
        // One sample from before the window is kept as the baseline.
        while let Some(second) = self.samples.get(1)
            && at.duration_since(second.at) >= WINDOW
        {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample { at, counts });
    }

    fn verdict(&self, limits: TrialLimits, reporters: u64) -> Option<String> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        let renders = last.counts.renders - first.counts.renders;
        let failures = last.counts.render_failures - first.counts.render_failures;
        if failures >= limits.render_failures_min
            && failures * 100 >= renders * RENDER_FAILURES_PERCENT
        {
            return Some(format!(
                "{failures} of {renders} renders failed within a minute"
            ));
        }
        let documents = last.counts.documents - first.counts.documents;
        if reporters >= limits.reporting_networks_min
            && reporters * 100 >= documents * REPORTS_PERCENT
        {
            return Some(format!(
                "browsers of {reporters} networks reported failures within a minute, {documents} documents were sent"
            ));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMITS: TrialLimits = TrialLimits {
        render_failures_min: 5,
        reporting_networks_min: 3,
    };

    /// Returns the verdict after samples at these seconds: renders, failures, documents.
    fn verdict(samples: &[(u64, u64, u64, u64)], reporters: u64) -> Option<String> {
        let began = Instant::now();
        let mut trial = Trial::default();
        for &(second, renders, render_failures, documents) in samples {
            let counts = Counts {
                renders,
                render_failures,
                documents,
            };
            trial.sample(counts, began + Duration::from_secs(second));
        }
        trial.verdict(LIMITS, reporters)
    }

    #[test]
    fn many_failures_with_a_large_share_fail_a_trial() {
        assert_eq!(verdict(&[(0, 0, 0, 0)], 0), None);
        assert_eq!(verdict(&[(0, 0, 0, 0), (9, 4, 4, 0)], 0), None, "few");
        assert_eq!(verdict(&[(0, 0, 0, 0), (9, 90, 5, 0)], 0), None, "rare");
        assert!(verdict(&[(0, 0, 0, 0), (9, 50, 5, 0)], 0).is_some());
    }

    #[test]
    fn counts_only_the_last_minute() {
        let samples = [(0, 0, 0, 0), (1, 10, 4, 0), (62, 20, 4, 0), (63, 30, 8, 0)];
        assert_eq!(verdict(&samples, 0), None);
        assert!(verdict(&[samples[0], (59, 10, 9, 0)], 0).is_some());
    }

    #[test]
    fn few_networks_or_a_small_share_fail_no_trial() {
        let sent = |documents| [(0, 0, 0, 0), (1, 0, 0, documents)];
        assert_eq!(verdict(&sent(9), 2), None, "few");
        assert!(verdict(&sent(9), 3).is_some());
        assert_eq!(verdict(&sent(61), 3), None, "rare");
    }
}
