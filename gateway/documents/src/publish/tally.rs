//! Counters of one version: renders, sent documents and failures. Incremented at the event and evaluated once a second.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use service_kit::network::Network;

/// Window of the evaluation. The evaluation runs every second, so a rollback takes less than a window.
pub(crate) const WINDOW: Duration = Duration::from_mins(1);
/// Maximum networks distinguished within one window.
const NETWORKS_MAX: usize = 1_000;

/// Counts of one version in this process.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    renders: AtomicU64,
    render_failures: AtomicU64,
    documents: AtomicU64,
    reporters: Mutex<HashMap<Network, Reported>>,
}

/// Times of failure reports from one network.
#[derive(Clone, Copy, Debug)]
struct Reported {
    last: Instant,
    /// Time of the last report that counted; at most one counts per window.
    counted: Instant,
}

/// A snapshot of the counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) renders: u64,
    pub(crate) render_failures: u64,
    pub(crate) documents: u64,
}

impl Tally {
    /// Counts a render of this version. Shed renders are not counted.
    pub(crate) fn rendered(&self, is_failure: bool) {
        self.renders.fetch_add(1, Ordering::Relaxed);
        if is_failure {
            self.render_failures.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a sent document that contains this version.
    pub(crate) fn sent(&self) {
        self.documents.fetch_add(1, Ordering::Relaxed);
    }

    /// Records a failure report for this version from a browser in this network. Returns true for the first report of a
    /// network in a window. Further ones add nothing.
    pub(crate) fn reported(&self, network: Network, now: Instant) -> bool {
        let mut reporters = self.reporters.lock();
        if let Some(reported) = reporters.get_mut(&network) {
            reported.last = now;
            let counts = now.duration_since(reported.counted) >= WINDOW;
            if counts {
                reported.counted = now;
            }
            return counts;
        }
        if reporters.len() >= NETWORKS_MAX {
            return false;
        }
        let reported = Reported {
            last: now,
            counted: now,
        };
        reporters.insert(network, reported);
        true
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            renders: self.renders.load(Ordering::Relaxed),
            render_failures: self.render_failures.load(Ordering::Relaxed),
            documents: self.documents.load(Ordering::Relaxed),
        }
    }

    /// Returns the number of networks that reported within the last window.
    pub(crate) fn reporters(&self, now: Instant) -> u64 {
        let mut reporters = self.reporters.lock();
        reporters.retain(|_, reported| now.duration_since(reported.last) < WINDOW);
        reporters.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_a_network_once_per_window() {
        let (tally, start) = (Tally::default(), Instant::now());
        let [one, other] = ["192.0.2.0/24", "2001:db8:1::/48"].map(|text| text.parse().unwrap());
        let at = |second| start + Duration::from_secs(second);
        assert!(tally.reported(one, at(0)) && tally.reported(other, at(1)));
        assert!(!tally.reported(one, at(59)));
        assert_eq!(tally.reporters(at(60)), 2);
        assert_eq!(
            tally.reporters(at(61)),
            1,
            "the other one has been silent for a minute"
        );
        assert!(tally.reported(one, at(62)), "a minute after it counted");
        assert_eq!(tally.reporters(at(200)), 0);
    }
}
