//! A strict sliding log: at most `max` events in *any* window. (A token bucket would let nearly twice as many through
//! in the first window.)

/// Maximum quota that is logged to the millisecond. Larger quotas are logged in steps of a sixtieth of their window, so
/// that the length of a log is bounded.
const EXACT_MAX: u32 = 60;
/// Time of the first event of a step, and number of events in the step. 8 bytes.
type Run = (u32, u32);

/// Maximum number of events in a window, which is at most 24 days.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Quota {
    pub(crate) max: u32,
    pub(crate) window_ms: u32,
    /// Events less than this apart are logged with one time. They count until the last of them must be out of the
    /// window: up to one step too long, never too short.
    pub(crate) step_ms: u32,
}

impl Quota {
    pub(crate) fn new(max: usize, seconds: u32) -> Self {
        let max = u32::try_from(max).unwrap_or(u32::MAX);
        let window_ms = 1000 * seconds;
        let step_ms = if max <= EXACT_MAX {
            1
        } else {
            window_ms.div_ceil(EXACT_MAX)
        };
        Self {
            max,
            window_ms,
            step_ms,
        }
    }

    /// Returns the milliseconds for which an event is remembered.
    pub(crate) fn memory_ms(self) -> u32 {
        self.window_ms + self.step_ms - 1
    }

    pub(crate) fn window_s(self) -> u32 {
        self.window_ms / 1000
    }
}

/// The events of one key, oldest first, in at most 62 runs. Times are milliseconds of a clock that may wrap, so events
/// older than the quota's memory must be removed within 24 days.
///
/// Most keys have one run, which needs no memory elsewhere. A scan for idle keys would wait for that memory.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Valid if events are remembered.
    oldest: Run,
    later: Vec<Run>,
    used: u32,
}

impl Log {
    /// Removes the events that are out of the window, and returns how many are in it.
    pub(crate) fn used(&mut self, quota: Quota, now: u32) -> u32 {
        let is_old = |run: &Run| age(run.0, now) >= quota.memory_ms();
        if self.used > 0 && is_old(&self.oldest) {
            let old = self.later.iter().take_while(|run| is_old(run)).count();
            let rest: u32 = self.later.drain(..old).map(|(_, count)| count).sum();
            self.used -= self.oldest.1 + rest;
            if !self.later.is_empty() {
                self.oldest = self.later.remove(0);
            }
        }
        self.used
    }

    /// Returns the milliseconds until the oldest event leaves the window; 0 if there is none.
    pub(crate) fn reset_ms(&self, quota: Quota, now: u32) -> u32 {
        if self.used == 0 {
            return 0;
        }
        quota.memory_ms().saturating_sub(age(self.oldest.0, now))
    }

    /// Adds an event at `now`.
    pub(crate) fn add(&mut self, quota: Quota, now: u32) {
        if self.used == 0 {
            self.oldest = (now, 1);
            self.used = 1;
            return;
        }
        self.used = self.used.saturating_add(1);
        let (at, count) = self.later.last_mut().unwrap_or(&mut self.oldest);
        // Requests may take the lock in another order than they read the clock.
        if age(*at, now) < quota.step_ms {
            *count = count.saturating_add(1);
        } else {
            self.later.push((now, 1));
        }
    }

    /// Returns the bytes on the heap.
    #[cfg(test)]
    pub(crate) fn heap_bytes(&self) -> usize {
        self.later.capacity() * size_of::<Run>()
    }
}

/// Returns the age of an event. A time in the future counts as now.
fn age(at: u32, now: u32) -> u32 {
    let age = now.wrapping_sub(at);
    if age > u32::MAX / 2 { 0 } else { age }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn take(log: &mut Log, quota: Quota, now: u32) -> bool {
        let is_free = log.used(quota, now) < quota.max;
        if is_free {
            log.add(quota, now);
        }
        is_free
    }

    proptest! {
        /// The guarantee of the log, for exact and for stepped quotas, also where the clock wraps.
        #[test]
        fn admits_at_most_the_quota_in_any_window(
            max in 1..200_usize,
            start in prop_oneof![Just(0_u32), Just(u32::MAX - 70_000)],
            gaps in prop::collection::vec(0..2_500_u32, 1..600),
        ) {
            let quota = Quota::new(max, 60);
            let (mut log, mut now, mut taken) = (Log::default(), 0_u64, Vec::new());
            for gap in gaps {
                now += u64::from(gap);
                let wrapped = start.wrapping_add(u32::try_from(now).unwrap());
                if take(&mut log, quota, wrapped) {
                    taken.push(now);
                }
            }
            for (n, at) in taken.iter().enumerate() {
                let within = taken[n..].iter().take_while(|t| **t < *at + 60_000).count();
                prop_assert!(within <= max, "{within} in the 60 s from {at}");
            }
            prop_assert!(log.later.len() < 62, "{} later runs", log.later.len());
        }

        /// A caller that waits is accepted after the window and one step at the latest.
        #[test]
        fn admits_a_caller_after_its_wait(max in 1..200_usize, gap in 0..100_u32) {
            let quota = Quota::new(max, 60);
            let (mut log, mut now) = (Log::default(), 0);
            for _ in 0..max {
                prop_assert!(take(&mut log, quota, now));
                now += gap;
            }
            let wait = log.reset_ms(quota, now);
            prop_assert!(wait <= quota.window_ms + quota.step_ms);
            prop_assert!(take(&mut log, quota, now + wait));
        }
    }

    #[test]
    fn older_clock_reading_drops_no_calls() {
        let quota = Quota::new(2, 60);
        let mut log = Log::default();
        assert!(take(&mut log, quota, 101));
        assert!(take(&mut log, quota, 100));
        assert!(!take(&mut log, quota, 99));
    }
}
