//! Limits concurrent work. Reads leave a share of it to writes, so that heavy reading cannot block a booking.

use std::{fmt::Debug, sync::OnceLock};

use prometheus_client::metrics::counter::Counter;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::problem::Problem;

/// Reads leave one in this many places to writes.
const WRITE_SHARE: usize = 5;

/// Which places a request may take.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lane {
    /// Leaves a fifth of the places to writes.
    Reads,
    /// Carries what a person typed, or changes a booking: may take every place.
    Writes,
}

/// The places of both lanes.
#[derive(Debug)]
pub struct Lanes {
    all: Semaphore,
    reads: Semaphore,
}

/// Held while a request is at work.
#[derive(Debug)]
pub struct Permit<'a> {
    _all: SemaphorePermit<'a>,
    _read: Option<SemaphorePermit<'a>>,
}

impl Lanes {
    /// Creates `places_max` places, at least one.
    pub fn new(places_max: usize) -> Self {
        let semaphore = |places: usize| Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS));
        Self {
            all: semaphore(places_max),
            reads: semaphore(places_max - places_max / WRITE_SHARE),
        }
    }

    /// Takes a place, or returns `None` at once if there is none.
    pub fn enter(&self, lane: Lane) -> Option<Permit<'_>> {
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

/// Permission that a request needs before it does more than send an answer from memory.
pub trait Work: Debug + Send + Sync {
    /// Takes a place, unless the request has one, and keeps it until the request is answered.
    ///
    /// # Errors
    /// 503 if there is none.
    fn begin(&self) -> Result<(), Problem>;
}

/// A request's right to a place, which it takes when its work begins. An answer from memory takes none, so work that
/// hangs cannot block such answers.
#[derive(Debug)]
pub struct Ticket<'a> {
    lanes: &'a Lanes,
    lane: Lane,
    permit: OnceLock<Permit<'a>>,
    refused: &'a Counter,
}

impl<'a> Ticket<'a> {
    /// `refused` counts the requests that find no place.
    pub fn new(lanes: &'a Lanes, lane: Lane, refused: &'a Counter) -> Self {
        Self {
            lanes,
            lane,
            permit: OnceLock::new(),
            refused,
        }
    }
}

impl Work for Ticket<'_> {
    fn begin(&self) -> Result<(), Problem> {
        if self.permit.get().is_some() {
            return Ok(());
        }
        let Some(permit) = self.lanes.enter(self.lane) else {
            self.refused.inc();
            return Err(Problem::overloaded());
        };
        // A second place that was taken at the same moment is released.
        self.permit.set(permit).ok();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticket_takes_one_permit_when_work_begins() {
        let (lanes, refused) = (Lanes::new(2), Counter::default());
        let ticket = || Ticket::new(&lanes, Lane::Writes, &refused);
        let (one, other) = (ticket(), ticket());
        let held = lanes.enter(Lane::Writes);
        for _ in 0..3 {
            one.begin().unwrap();
        }
        assert!(other.begin().is_err());
        assert_eq!(refused.get(), 1);
        drop((one, held));
        other.begin().unwrap();
    }

    #[test]
    fn reserves_permits_for_writes_and_returns_them() {
        let lanes = Lanes::new(5);
        let reads: Vec<_> = (0..4).map(|_| lanes.enter(Lane::Reads).unwrap()).collect();
        assert!(lanes.enter(Lane::Reads).is_none());
        let write = lanes.enter(Lane::Writes).unwrap();
        assert!(lanes.enter(Lane::Writes).is_none());
        drop((reads, write));
        assert!(lanes.enter(Lane::Reads).is_some());
    }
}
