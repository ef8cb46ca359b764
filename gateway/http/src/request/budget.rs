//! A limit on events per second, regardless of their cause.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

/// Counts in whole seconds: at a change of second, up to twice as many can pass within one second.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    per_second_max: u64,
    /// Seconds since the start in the upper half, events in that second in the lower.
    state: AtomicU64,
}

impl Budget {
    /// Creates a budget of this many per second.
    pub fn per_second(per_second_max: usize) -> Self {
        Self {
            started: Instant::now(),
            per_second_max: u64::try_from(per_second_max).unwrap_or(u64::MAX),
            state: AtomicU64::new(0),
        }
    }

    /// Takes `count` events from this second's budget, all or none. Returns whether it did.
    pub fn take(&self, count: usize) -> bool {
        self.take_at(self.started.elapsed().as_secs(), count)
    }

    fn take_at(&self, second: u64, count: usize) -> bool {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let spend = |state: u64| {
            let taken = if state >> 32 == second {
                state & 0xffff_ffff
            } else {
                0
            };
            let taken = taken.saturating_add(count);
            (taken <= self.per_second_max).then_some(second << 32 | taken)
        };
        let order = Ordering::Relaxed;
        self.state.fetch_update(order, order, spend).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_a_fixed_number_per_second() {
        let budget = Budget::per_second(3);
        assert!(budget.take_at(7, 2));
        assert!(!budget.take_at(7, 2), "all or none");
        assert!(budget.take_at(7, 1));
        assert!(!budget.take_at(7, 1));
        assert!(budget.take_at(8, 3));
    }
}
