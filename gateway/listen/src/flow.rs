//! Bytes that a client takes, and since when data has waited for it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Minimum bytes a second that a client must take while data waits: less than a tenth of what the slowest phone reads.
const RATE_MIN: u64 = 1024;

/// Progress of a client with one kind of data.
#[derive(Debug, Default)]
pub(super) struct Flow {
    taken: AtomicU64,
    /// 0 while nothing waits.
    waits_since_ms: AtomicU64,
    /// Value of `taken` when the wait began, or when it was last checked for progress.
    taken_at_mark: AtomicU64,
}

impl Flow {
    pub(super) fn take(&self, bytes: usize) {
        self.taken.fetch_add(bytes as u64, Relaxed);
    }

    /// Begins a wait for the client, unless one is under way.
    pub(super) fn wait(&self, now_ms: u64) {
        if self.waits_since_ms.load(Relaxed) == 0 {
            self.taken_at_mark.store(self.taken.load(Relaxed), Relaxed);
            self.waits_since_ms.store(now_ms, Relaxed);
        }
    }

    /// Ends the wait.
    pub(super) fn end_wait(&self) {
        if self.waits_since_ms.load(Relaxed) != 0 {
            self.waits_since_ms.store(0, Relaxed);
        }
    }

    /// Returns since when data has waited, in milliseconds; `None` while none does.
    pub(super) fn waits_since_ms(&self) -> Option<u64> {
        Some(self.waits_since_ms.load(Relaxed)).filter(|at| *at != 0)
    }

    /// Whether data has waited for `limit_ms` while the client took less than the minimum rate. Progress begins a new
    /// wait.
    pub(super) fn is_overdue(&self, now_ms: u64, limit_ms: u64) -> bool {
        let Some(since_ms) = self.waits_since_ms() else {
            return false;
        };
        let waited_ms = now_ms.saturating_sub(since_ms);
        if waited_ms < limit_ms {
            return false;
        }
        let taken = self.taken.load(Relaxed);
        let progress = taken.saturating_sub(self.taken_at_mark.swap(taken, Relaxed));
        if progress.saturating_mul(1000) < waited_ms.saturating_mul(RATE_MIN) {
            return true;
        }
        // The wait may have ended just now.
        self.waits_since_ms
            .compare_exchange(since_ms, now_ms, Relaxed, Relaxed)
            .ok();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_overdue_only_below_the_minimum_rate_for_the_whole_time() {
        let flow = Flow::default();
        assert!(!flow.is_overdue(10_000, 1000), "nothing waits");
        flow.wait(10_000);
        assert!(!flow.is_overdue(10_999, 1000));
        flow.take(1024);
        assert!(!flow.is_overdue(11_000, 1000));
        assert_eq!(flow.waits_since_ms(), Some(11_000), "a new wait");
        flow.take(1023);
        assert!(flow.is_overdue(12_000, 1000));
        flow.end_wait();
        assert!(!flow.is_overdue(20_000, 1000));
    }
}
