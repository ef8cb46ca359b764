//! A bound on how much is at work at once, of which reads leave a share to writes: whoever reads a lot cannot keep out a booking.

use tokio::sync::{Semaphore, SemaphorePermit};

/// Share of the places that reads leave to writes: one in this many.
const WRITE_SHARE: usize = 5;

/// Which places a request may take.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Lane {
    /// Leaves a fifth of the places to writes.
    Reads,
    /// What a person typed, or has booked already: may take every place.
    Writes,
}

/// The places of both lanes.
#[derive(Debug)]
pub(crate) struct Lanes {
    all: Semaphore,
    reads: Semaphore,
}

/// Held while a request is at work.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    _all: SemaphorePermit<'a>,
    _read: Option<SemaphorePermit<'a>>,
}

impl Lanes {
    /// With `places_max` places, at least one.
    pub(crate) fn new(places_max: usize) -> Self {
        let semaphore = |places: usize| Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS));
        Self {
            all: semaphore(places_max),
            reads: semaphore(places_max - places_max / WRITE_SHARE),
        }
    }

    /// A place, or `None` at once if there is none.
    pub(crate) fn enter(&self, lane: Lane) -> Option<Permit<'_>> {
        let read = match lane {
            Lane::Reads => Some(self.reads.try_acquire().ok()?),
            Lane::Writes => None,
        };
        let all = self.all.try_acquire().ok()?;
        Some(Permit {
            _all: all,
            _read: read,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_leave_room_for_writes_and_places_come_back() {
        let lanes = Lanes::new(5);
        let reads: Vec<_> = (0..4).map(|_| lanes.enter(Lane::Reads).unwrap()).collect();
        assert!(lanes.enter(Lane::Reads).is_none());
        let write = lanes.enter(Lane::Writes).unwrap();
        assert!(lanes.enter(Lane::Writes).is_none());
        drop((reads, write));
        assert!(lanes.enter(Lane::Reads).is_some());
    }
}
