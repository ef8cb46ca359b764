//! Judges what is new by what becomes of it: a version whose renders or scripts fail too often is rolled back.
//!
//! Each gateway decides for itself, by what its own visitors see: there is nobody to ask, and a gateway that is cut off must be
//! able to. The same version fails for all of them, so they come to the same end within a window.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    time::{Duration, Instant},
};

use super::{remote::Remote, tally::Counts};
use crate::request::client_address::ClientNetwork;

/// What counts: the last minute. With a look each second a rollback takes less than that.
const WINDOW: Duration = Duration::from_mins(1);
/// How long a version is on trial. What fails after that has another cause than being new.
const TRIAL: Duration = Duration::from_hours(24);
/// Of the renders in a window.
const RENDER_FAILURES_PERCENT: u64 = 10;
/// Networks that report a failure, of the documents in a window.
const REPORTS_PERCENT: u64 = 5;

/// The least that a version is rolled back for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) render_failures_min: u64,
    /// Different networks, as anybody can report.
    pub(super) reporting_networks_min: u64,
}

/// Everybody who is on trial.
#[derive(Debug, Default)]
pub(super) struct Trials(BTreeMap<(String, String), Trial>);

#[derive(Debug)]
struct Trial {
    began: Instant,
    looks: VecDeque<Look>,
}

#[derive(Debug)]
struct Look {
    at: Instant,
    counts: Counts,
    reporters: HashSet<ClientNetwork>,
}

impl Trials {
    /// Looks at a version; says why it must go back, if it must.
    pub(super) fn judge(
        &mut self,
        remote: &Remote,
        limits: Limits,
        now: Instant,
    ) -> Option<String> {
        let key = (remote.name.clone(), remote.version.clone());
        let trial = self.0.entry(key).or_insert_with(|| Trial {
            began: now,
            looks: VecDeque::new(),
        });
        trial.look(remote.tally.counts(), remote.tally.take_reporters(), now);
        trial.verdict(limits, now)
    }

    /// Forgets who is not on trial any more.
    pub(super) fn keep(&mut self, is_live: impl Fn(&str, &str) -> bool) {
        self.0.retain(|(name, version), _| is_live(name, version));
    }
}

impl Trial {
    fn look(&mut self, counts: Counts, reporters: HashSet<ClientNetwork>, at: Instant) {
        let is_over = |look: &Look| at.duration_since(look.at) >= WINDOW;
        // One look from before the window is kept, to count from.
        while self.looks.get(1).is_some_and(is_over) {
            self.looks.pop_front();
        }
        if let Some(first) = self.looks.front_mut().filter(|first| is_over(first)) {
            first.reporters.clear();
        }
        self.looks.push_back(Look {
            at,
            counts,
            reporters,
        });
    }

    fn verdict(&self, limits: Limits, now: Instant) -> Option<String> {
        let (first, last) = (self.looks.front()?, self.looks.back()?);
        if now.duration_since(self.began) > TRIAL {
            return None;
        }
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
        let reporters = self.looks.iter().flat_map(|look| &look.reporters);
        let reporters = reporters.collect::<HashSet<_>>().len() as u64;
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
    use super::*;

    const LIMITS: Limits = Limits {
        render_failures_min: 5,
        reporting_networks_min: 3,
    };

    fn networks(names: &[u8]) -> HashSet<ClientNetwork> {
        let address = |last: &u8| std::net::IpAddr::from([192, 0, 2, *last]);
        names
            .iter()
            .map(|name| ClientNetwork::from(address(name)))
            .collect()
    }

    /// The verdict after looks at these seconds: renders, failures, documents, reporters.
    fn verdict(looks: &[(u64, u64, u64, u64, &[u8])]) -> Option<String> {
        let began = Instant::now();
        let mut trial = Trial {
            began,
            looks: VecDeque::new(),
        };
        let mut now = began;
        for &(second, renders, render_failures, documents, reporters) in looks {
            now = began + Duration::from_secs(second);
            let counts = Counts {
                renders,
                render_failures,
                documents,
            };
            trial.look(counts, networks(reporters), now);
        }
        trial.verdict(LIMITS, now)
    }

    #[test]
    fn many_failures_that_are_a_large_part_end_a_trial() {
        assert_eq!(verdict(&[(0, 0, 0, 0, &[])]), None);
        assert_eq!(
            verdict(&[(0, 0, 0, 0, &[]), (9, 4, 4, 0, &[])]),
            None,
            "few"
        );
        assert_eq!(
            verdict(&[(0, 0, 0, 0, &[]), (9, 90, 5, 0, &[])]),
            None,
            "rare"
        );
        assert!(verdict(&[(0, 0, 0, 0, &[]), (9, 50, 5, 0, &[])]).is_some());
    }

    #[test]
    fn only_the_last_minute_counts() {
        let looks: [(u64, u64, u64, u64, &[u8]); 4] = [
            (0, 0, 0, 0, &[]),
            (1, 10, 4, 0, &[1, 2]),
            (62, 20, 4, 0, &[]),
            (63, 30, 8, 0, &[3]),
        ];
        assert_eq!(verdict(&looks), None);
        assert_eq!(
            verdict(&[looks[0], (1, 10, 9, 0, &[]), (90_000, 10, 9, 0, &[])]),
            None
        );
    }

    #[test]
    fn one_network_cannot_end_a_trial_by_reports() {
        assert_eq!(
            verdict(&[(0, 0, 0, 0, &[]), (1, 0, 0, 9, &[1]), (2, 0, 0, 9, &[1, 2])]),
            None
        );
        assert!(
            verdict(&[
                (0, 0, 0, 0, &[]),
                (1, 0, 0, 9, &[1, 3]),
                (2, 0, 0, 9, &[1, 2])
            ])
            .is_some()
        );
        assert_eq!(
            verdict(&[(0, 0, 0, 0, &[]), (1, 0, 0, 61, &[1, 2, 3])]),
            None,
            "rare"
        );
    }
}
