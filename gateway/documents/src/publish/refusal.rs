//! Reasons why a published version or pointer is not live.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use parking_lot::Mutex;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Metric label, out of a fixed set.
    pub(crate) reason: &'static str,
    /// Human-readable description.
    pub(crate) detail: String,
}

impl Refusal {
    /// Returns whether the local folder may be damaged or has an untrusted signature. The origin may then have a valid
    /// copy.
    pub(crate) fn is_damage(&self) -> bool {
        ["unreadable", "integrity", "signature"].contains(&self.reason)
    }
}

/// Team and version → reason why it is not live. The version is empty if the pointer itself was refused.
pub(crate) type Refusals = BTreeMap<(String, String), Refusal>;

/// State shared by the origin's watcher and the folder's watcher.
#[derive(Debug, Default)]
pub(crate) struct AtOrigin {
    /// Team → reason why its pointer at the origin was not adopted.
    pub(crate) refused: Mutex<BTreeMap<String, Refusal>>,
    /// Whether a local version was refused but may be valid at the origin.
    has_damage: AtomicBool,
    /// Number of folders that were fetched again or got a new signature.
    healed: AtomicU64,
}

impl AtOrigin {
    pub(crate) fn set_damaged(&self) {
        self.has_damage.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_damaged(&self) -> bool {
        self.has_damage.load(Ordering::Relaxed)
    }

    pub(crate) fn take_damage(&self) -> bool {
        self.has_damage.swap(false, Ordering::Relaxed)
    }

    pub(crate) fn add_healed(&self) {
        self.healed.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn healed(&self) -> u64 {
        self.healed.load(Ordering::Relaxed)
    }
}
