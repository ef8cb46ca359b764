//! Admission: how much is at work at once, in all, in each lane and for each network. Excess is refused at once with
//! `Retry-After`, instead of queueing until every deadline has passed.
//!
//! A permit for work is taken when a request has been read in full, so that nobody holds one by sending slowly.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use parking_lot::Mutex;

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
}

/// The admission control of one process.
#[derive(Debug)]
pub(crate) struct Admission {
    work: Lanes,
    requests: Networks,
}

impl Admission {
    pub(crate) fn new(limits: AdmissionLimits) -> Self {
        Self {
            work: Lanes::new(limits.requests),
            requests: Networks::new(limits.network_requests),
        }
    }

    /// A place among the requests of `network`, held until the answer; a problem 503 if it has too many.
    pub(crate) fn enter(&self, network: ClientNetwork) -> Result<Place<'_>, Problem> {
        self.requests.enter(network).ok_or_else(Problem::overloaded)
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
    use std::net::SocketAddr;

    use axum::http::HeaderMap;

    use super::*;
    use crate::request::client_address::client_network;

    fn admission() -> Admission {
        Admission::new(AdmissionLimits {
            requests: 5,
            network_requests: 2,
        })
    }

    fn network(last: u8) -> ClientNetwork {
        let peer = SocketAddr::from(([192, 0, 2, last], 1));
        client_network(peer, &HeaderMap::new(), 0)
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
}
