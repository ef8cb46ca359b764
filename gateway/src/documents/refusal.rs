//! Why something that was published is not live.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use parking_lot::Mutex;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// For the metric: one of a few words.
    pub(super) reason: &'static str,
    /// For people.
    pub(super) detail: String,
}

impl Refusal {
    /// Whether the folder is not what was published, or is signed by a key that does not count: its origin may have it as it should be.
    pub(super) fn is_damage(&self) -> bool {
        ["unreadable", "integrity", "signature"].contains(&self.reason)
    }
}

/// Team and version → why it is not live. The version is empty where the pointer itself is not followed.
pub(super) type Refusals = BTreeMap<(String, String), Refusal>;

/// What the origin's watcher and the folder's watcher tell each other.
#[derive(Debug, Default)]
pub(super) struct AtOrigin {
    /// Team → why its pointer at the origin was not taken over.
    pub(super) refused: Mutex<BTreeMap<String, Refusal>>,
    /// A version that lies here was refused for what the origin may have whole, or signed by another key.
    has_damage: AtomicBool,
    /// Folders that were fetched again or got another signature.
    healed: AtomicU64,
}

impl AtOrigin {
    pub(super) fn set_damaged(&self) {
        self.has_damage.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.has_damage.load(Ordering::Relaxed)
    }

    pub(super) fn take_damage(&self) -> bool {
        self.has_damage.swap(false, Ordering::Relaxed)
    }

    pub(super) fn add_healed(&self) {
        self.healed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn healed(&self) -> u64 {
        self.healed.load(Ordering::Relaxed)
    }
}
