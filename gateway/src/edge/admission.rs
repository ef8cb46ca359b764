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

use crate::{
    problem::Problem,
    request::{
        client_address::ClientNetwork,
        lanes::{Lane, Lanes, Permit},
    },
};

const SHARDS: usize = 16;

/// Bounds of [`Admission`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdmissionLimits {
    /// Requests at work at once.
    pub(crate) requests: usize,
    /// Requests of one network that have come and are not answered.
    pub(crate) network_requests: usize,
    /// Bodies that are still arriving.
    pub(crate) bodies: usize,
    /// Bodies of one network that are still arriving.
    pub(crate) network_bodies: usize,
}

/// The admission control of one process.
#[derive(Debug)]
pub(crate) struct Admission {
    work: Lanes,
    bodies: Semaphore,
    requests: Networks,
    network_bodies: Networks,
}

/// Held while a body arrives.
#[derive(Debug)]
pub(crate) struct Arriving<'a> {
    _all: SemaphorePermit<'a>,
    _network: Place<'a>,
}

impl Admission {
    pub(crate) fn new(limits: AdmissionLimits) -> Self {
        Self {
            work: Lanes::new(limits.requests),
            bodies: Semaphore::new(limits.bodies.clamp(1, Semaphore::MAX_PERMITS)),
            requests: Networks::new(limits.network_requests),
            network_bodies: Networks::new(limits.network_bodies),
        }
    }

    /// A place among the requests of `network`, held until the answer; a problem 503 if it has too many.
    pub(crate) fn enter(&self, network: ClientNetwork) -> Result<Place<'_>, Problem> {
        self.requests.enter(network).ok_or_else(Problem::overloaded)
    }

    /// A place for a body that is to be read; else the limit that too many unfinished ones have reached: `network_bodies` or `bodies`.
    pub(crate) fn body(&self, network: ClientNetwork) -> Result<Arriving<'_>, &'static str> {
        let network = self.network_bodies.enter(network).ok_or("network_bodies")?;
        let all = self.bodies.try_acquire().map_err(|_| "bodies")?;
        Ok(Arriving {
            _all: all,
            _network: network,
        })
    }

    /// A permit for a request that has been read, held until it is answered; a problem 503 if none is left.
    pub(crate) fn work(&self, lane: Lane) -> Result<Permit<'_>, Problem> {
        self.work.enter(lane).ok_or_else(Problem::overloaded)
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
            requests: 5,
            network_requests: 2,
            bodies: 3,
            network_bodies: 2,
        })
    }

    fn network(last: u8) -> ClientNetwork {
        IpAddr::from([192, 0, 2, last]).into()
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
        assert_eq!(admission.body(network(1)).unwrap_err(), "network_bodies");
        let two = admission.body(network(2)).unwrap();
        let full = admission.body(network(3)).unwrap_err();
        assert_eq!(full, "bodies", "three in all");
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
