//! What became of one version: how often it was rendered, shown and failed. Counted where it happens, judged once a second.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU64, Ordering},
};

use parking_lot::Mutex;

use crate::request::client_address::ClientNetwork;

/// Networks that are told apart within one window.
const NETWORKS_MAX: usize = 1_000;

/// Counts of one version in this process.
#[derive(Debug, Default)]
pub(super) struct Tally {
    renders: AtomicU64,
    render_failures: AtomicU64,
    documents: AtomicU64,
    /// Networks whose browsers reported a failure since the last look.
    reporters: Mutex<HashSet<ClientNetwork>>,
}

/// The counts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) renders: u64,
    pub(super) render_failures: u64,
    pub(super) documents: u64,
}

impl Tally {
    /// A render by this version; one that found no room is neither.
    pub(super) fn rendered(&self, is_failure: bool) {
        self.renders.fetch_add(1, Ordering::Relaxed);
        if is_failure {
            self.render_failures.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A document that names this version was sent.
    pub(super) fn sent(&self) {
        self.documents.fetch_add(1, Ordering::Relaxed);
    }

    /// A browser said that this version failed there. Anybody can say so, so a network counts once.
    pub(super) fn reported(&self, network: ClientNetwork) {
        let mut reporters = self.reporters.lock();
        if reporters.len() < NETWORKS_MAX {
            reporters.insert(network);
        }
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            renders: self.renders.load(Ordering::Relaxed),
            render_failures: self.render_failures.load(Ordering::Relaxed),
            documents: self.documents.load(Ordering::Relaxed),
        }
    }

    /// The networks that reported since this was last asked.
    pub(super) fn take_reporters(&self) -> HashSet<ClientNetwork> {
        std::mem::take(&mut *self.reporters.lock())
    }
}
