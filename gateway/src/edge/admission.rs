//! Admission: how much is at work at once, in all, in each lane and for each network. Excess is refused at once with
//! `Retry-After`, instead of queueing until every deadline has passed.
//!
//! A permit for work is taken when a request has been read in full, so that nobody holds one by sending slowly. What is still
//! arriving is bounded by its own count, of each network and in all.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{problem::Problem, request::client_address::ClientNetwork};

/// Share of the permits that reads leave to writes: one in this many.
const WRITE_SHARE: usize = 5;
const SHARDS: usize = 16;

/// Which permits a request may take.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Lane {
    /// Leaves a fifth of the permits to writes.
    Reads,
    /// What a person typed, or has booked already: may take every permit.
    Writes,
}

/// Bounds of [`Admission`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdmissionLimits {
    /// Requests at work at once.
    pub(crate) requests_max: usize,
    /// Requests of one network that have come and are not answered.
    pub(crate) network_requests_max: usize,
    /// Bodies that are still arriving.
    pub(crate) bodies_max: usize,
    /// Bodies of one network that are still arriving.
    pub(crate) network_bodies_max: usize,
}

/// The admission control of one process.
#[derive(Debug)]
pub(crate) struct Admission {
    all: Semaphore,
    reads: Semaphore,
    bodies: Semaphore,
    requests: Networks,
    network_bodies: Networks,
}

/// Held while a request is at work.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    _all: SemaphorePermit<'a>,
    _read: Option<SemaphorePermit<'a>>,
}

/// Held while a body arrives.
#[derive(Debug)]
pub(crate) struct Arriving<'a> {
    _all: SemaphorePermit<'a>,
    _network: Place<'a>,
}

impl Admission {
    pub(crate) fn new(limits: AdmissionLimits) -> Self {
        let semaphore = |permits: usize| Semaphore::new(permits.clamp(1, Semaphore::MAX_PERMITS));
        Self {
            all: semaphore(limits.requests_max),
            reads: semaphore(limits.requests_max - limits.requests_max / WRITE_SHARE),
            bodies: semaphore(limits.bodies_max),
            requests: Networks::new(limits.network_requests_max),
            network_bodies: Networks::new(limits.network_bodies_max),
        }
    }

    /// A place among the requests of `network`, held until the answer; a problem 503 if it has too many.
    pub(crate) fn enter(&self, network: ClientNetwork) -> Result<Place<'_>, Problem> {
        self.requests.enter(network).ok_or_else(Problem::overloaded)
    }

    /// A place for a body that is to be read; a problem 503 if too many are unfinished.
    pub(crate) fn body(&self, network: ClientNetwork) -> Result<Arriving<'_>, Problem> {
        let network = self.network_bodies.enter(network);
        let all = self.bodies.try_acquire().ok();
        match (all, network) {
            (Some(all), Some(network)) => Ok(Arriving {
                _all: all,
                _network: network,
            }),
            _ => Err(Problem::overloaded()),
        }
    }

    /// A permit for a request that has been read, held until it is answered; a problem 503 if none is left.
    pub(crate) fn work(&self, lane: Lane) -> Result<Permit<'_>, Problem> {
        let read = match lane {
            Lane::Reads => Some(
                self.reads
                    .try_acquire()
                    .map_err(|_| Problem::overloaded())?,
            ),
            Lane::Writes => None,
        };
        let all = self.all.try_acquire().map_err(|_| Problem::overloaded())?;
        Ok(Permit {
            _all: all,
            _read: read,
        })
    }
}

/// How many of something each network has. Holds only networks that have any.
#[derive(Debug)]
struct Networks {
    shards: [Mutex<HashMap<ClientNetwork, usize>>; SHARDS],
    hasher: RandomState,
    each_max: usize,
}

/// One of a network's places; given back when dropped.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    networks: &'a Networks,
    network: ClientNetwork,
}

impl Networks {
    fn new(each_max: usize) -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::default()),
            hasher: RandomState::new(),
            each_max,
        }
    }

    fn shard(&self, network: ClientNetwork) -> &Mutex<HashMap<ClientNetwork, usize>> {
        let hash = self.hasher.hash_one(network);
        &self.shards[usize::try_from(hash % SHARDS as u64).unwrap_or(0)]
    }

    fn enter(&self, network: ClientNetwork) -> Option<Place<'_>> {
        let mut counts = self.shard(network).lock();
        let count = counts.entry(network).or_default();
        if *count >= self.each_max {
            return None;
        }
        *count += 1;
        Some(Place {
            networks: self,
            network,
        })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut counts = self.networks.shard(self.network).lock();
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn admission() -> Admission {
        Admission::new(AdmissionLimits {
            requests_max: 5,
            network_requests_max: 2,
            bodies_max: 3,
            network_bodies_max: 2,
        })
    }

    fn network(last: u8) -> ClientNetwork {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn reads_leave_room_for_writes_and_places_come_back() {
        let admission = admission();
        let reads: Vec<_> = (0..4)
            .map(|_| admission.work(Lane::Reads).unwrap())
            .collect();
        assert_eq!(
            admission.work(Lane::Reads).unwrap_err().status().as_u16(),
            503
        );
        let write = admission.work(Lane::Writes).unwrap();
        assert!(admission.work(Lane::Writes).is_err());
        drop((reads, write));
        assert!(admission.work(Lane::Reads).is_ok());
    }

    #[test]
    fn one_network_cannot_take_the_places_of_others() {
        let admission = admission();
        let held: Vec<_> = (0..2)
            .map(|_| admission.enter(network(1)).unwrap())
            .collect();
        assert!(admission.enter(network(1)).is_err());
        assert!(admission.enter(network(2)).is_ok());
        drop(held);
        assert!(admission.enter(network(1)).is_ok());
    }

    #[test]
    fn unfinished_bodies_are_bounded_for_each_network_and_in_all() {
        let admission = admission();
        let one: Vec<_> = (0..2)
            .map(|_| admission.body(network(1)).unwrap())
            .collect();
        assert!(admission.body(network(1)).is_err());
        let two = admission.body(network(2)).unwrap();
        assert!(admission.body(network(3)).is_err(), "three in all");
        drop((one, two));
        assert!(admission.body(network(3)).is_ok());
        let left: usize = admission
            .network_bodies
            .shards
            .iter()
            .map(|shard| shard.lock().len())
            .sum();
        assert_eq!(left, 0);
    }
}
