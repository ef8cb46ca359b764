//! Remembers which keys were missed lately, so that answers wanted only once need not be kept.

use std::{
    fmt, iter,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use xxhash_rust::xxh3::xxh3_64;

/// Number of keys remembered; a newer one replaces an older one in the same slot.
const SLOTS: usize = 4096;

/// Hashes of the keys missed lately.
pub(super) struct Doorkeeper(Box<[AtomicU64]>);

impl Default for Doorkeeper {
    fn default() -> Self {
        Self(iter::repeat_with(AtomicU64::default).take(SLOTS).collect())
    }
}

impl Doorkeeper {
    /// Returns whether `key` was missed lately, and remembers it.
    pub(super) fn has_seen(&self, key: &[u8]) -> bool {
        let hash = xxh3_64(key);
        let slot = usize::try_from(hash % SLOTS as u64).unwrap_or(0);
        self.0[slot].swap(hash, Relaxed) == hash
    }
}

impl fmt::Debug for Doorkeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Doorkeeper").finish_non_exhaustive()
    }
}
