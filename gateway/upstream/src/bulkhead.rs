//! Limits concurrent calls per upstream. A service that hangs uses up only its own slots.

use tokio::sync::{Semaphore, SemaphorePermit};

use super::call::Effect;

/// Slots of one upstream, some of them reserved for writes. Calls do not queue: without a free slot a call is refused.
#[derive(Debug)]
pub(super) struct Bulkhead {
    all: Semaphore,
    reads: Semaphore,
}

/// Slot of one call, released on drop.
#[derive(Debug)]
pub(super) struct CallPermit<'a> {
    _any: SemaphorePermit<'a>,
    _read: Option<SemaphorePermit<'a>>,
}

impl Bulkhead {
    /// Creates `calls_max` slots, `writes_reserved` of them for writes only. At least one is open to reads.
    pub(super) fn new(calls_max: usize, writes_reserved: usize) -> Self {
        let calls_max = calls_max.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            all: Semaphore::new(calls_max),
            reads: Semaphore::new(calls_max.saturating_sub(writes_reserved).max(1)),
        }
    }

    pub(super) fn enter(&self, effect: Effect) -> Option<CallPermit<'_>> {
        let read = match effect {
            Effect::Read => Some(self.reads.try_acquire().ok()?),
            Effect::KeyedWrite | Effect::Write => None,
        };
        Some(CallPermit {
            _any: self.all.try_acquire().ok()?,
            _read: read,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserves_permits_for_writes() {
        let bulkhead = Bulkhead::new(5, 2);
        let reads: Vec<_> = (0..4)
            .filter_map(|_| bulkhead.enter(Effect::Read))
            .collect();
        assert_eq!(reads.len(), 3);
        let writes: Vec<_> = [Effect::KeyedWrite, Effect::Write, Effect::Write]
            .into_iter()
            .filter_map(|effect| bulkhead.enter(effect))
            .collect();
        assert_eq!(writes.len(), 2);
        drop(reads);
        assert!(bulkhead.enter(Effect::Read).is_some());
        assert!(bulkhead.enter(Effect::Write).is_some());
    }

    #[test]
    fn refused_read_returns_its_permit() {
        let bulkhead = Bulkhead::new(1, 0);
        let write = bulkhead.enter(Effect::Write);
        assert!(write.is_some() && bulkhead.enter(Effect::Read).is_none());
        drop(write);
        assert!(bulkhead.enter(Effect::Read).is_some());
    }
}
