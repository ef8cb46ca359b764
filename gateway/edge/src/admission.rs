//! Admission control: limits concurrent work in total, in each lane and for each network. Excess is refused at once
//! with `Retry-After`, instead of queueing past every deadline. The status is 503 when the gateway is full, and 429
//! when one network has too many requests.
//!
//! A work permit is taken when work begins. This is after the request has been read completely, so a slow sender holds
//! none. It is also after the cache look-up, so answers from memory need none. Bodies that are still arriving have
//! separate limits, for each network and in total.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use gateway_http::{
    metrics::Metrics,
    request::{
        client_address::ClientNetwork,
        lanes::{Lane, Lanes, Ticket},
    },
};
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use tokio::sync::{Semaphore, SemaphorePermit};

const SHARDS: usize = 16;

/// Bounds of [`Admission`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdmissionLimits {
    /// Maximum requests at work at once.
    pub(crate) requests: usize,
    /// Maximum unanswered requests of one network.
    pub(crate) network_requests: usize,
    /// Maximum bodies that are still arriving.
    pub(crate) bodies: usize,
    /// Maximum bodies of one network that are still arriving.
    pub(crate) network_bodies: usize,
}

/// Admission control of one process.
#[derive(Debug)]
pub(crate) struct Admission {
    work: Lanes,
    bodies: Semaphore,
    requests: Networks,
    network_bodies: Networks,
    shed: Shed,
}

/// Counters of requests refused for lack of a permit.
#[derive(Debug)]
struct Shed {
    reads: Counter,
    writes: Counter,
    bodies: Counter,
    network: Counter,
    network_bodies: Counter,
}

/// Limit that was reached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Full {
    /// The limit of this network.
    Network,
    /// The total limit.
    All,
}

/// Permit held while a body arrives.
#[derive(Debug)]
pub(crate) struct BodyPermit<'a> {
    _all: SemaphorePermit<'a>,
    _network: NetworkPermit<'a>,
}

impl Admission {
    pub(crate) fn new(limits: AdmissionLimits, metrics: &Metrics) -> Self {
        Self {
            work: Lanes::new(limits.requests),
            bodies: Semaphore::new(limits.bodies.clamp(1, Semaphore::MAX_PERMITS)),
            requests: Networks::new(limits.network_requests),
            network_bodies: Networks::new(limits.network_bodies),
            shed: Shed {
                reads: metrics.shed("reads"),
                writes: metrics.shed("writes"),
                bodies: metrics.shed("bodies"),
                network: metrics.shed("network"),
                network_bodies: metrics.shed("network_bodies"),
            },
        }
    }

    /// Takes a permit for a request of `network`, held until the answer. Returns `None` if the network has too
    /// many.
    pub(crate) fn enter(&self, network: ClientNetwork) -> Option<NetworkPermit<'_>> {
        let permit = self.requests.enter(network);
        if permit.is_none() {
            self.shed.network.inc();
        }
        permit
    }

    /// Takes a permit for a body that is about to be read.
    ///
    /// # Errors
    /// If too many bodies are unfinished.
    pub(crate) fn body(&self, network: ClientNetwork) -> Result<BodyPermit<'_>, Full> {
        let Some(network_permit) = self.network_bodies.enter(network) else {
            self.shed.network_bodies.inc();
            return Err(Full::Network);
        };
        let Ok(permit) = self.bodies.try_acquire() else {
            self.shed.bodies.inc();
            return Err(Full::All);
        };
        Ok(BodyPermit {
            _all: permit,
            _network: network_permit,
        })
    }

    /// Creates a ticket for a request that has been read; held until the answer.
    pub(crate) fn ticket(&self, lane: Lane) -> Ticket<'_> {
        let refused = match lane {
            Lane::Reads => &self.shed.reads,
            Lane::Writes => &self.shed.writes,
        };
        Ticket::new(&self.work, lane, refused)
    }
}

/// Number of permits each network holds. Contains only networks that hold any.
#[derive(Debug)]
struct Networks {
    shards: [Mutex<HashMap<ClientNetwork, usize>>; SHARDS],
    hasher: RandomState,
    each_max: usize,
}

/// A permit held by a network, released on drop.
#[derive(Debug)]
pub(crate) struct NetworkPermit<'a> {
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

    fn enter(&self, network: ClientNetwork) -> Option<NetworkPermit<'_>> {
        let mut counts = self.shard(network).lock();
        let count = counts.entry(network).or_default();
        if *count >= self.each_max {
            return None;
        }
        *count += 1;
        Some(NetworkPermit {
            networks: self,
            network,
        })
    }
}

impl Drop for NetworkPermit<'_> {
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
        let limits = AdmissionLimits {
            requests: 5,
            network_requests: 2,
            bodies: 3,
            network_bodies: 2,
        };
        Admission::new(limits, Metrics::global())
    }

    fn network(last: u8) -> ClientNetwork {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn network_cannot_exhaust_other_networks_permits() {
        let admission = admission();
        let held: Vec<_> = (0..2)
            .map(|_| admission.enter(network(1)).unwrap())
            .collect();
        assert!(admission.enter(network(1)).is_none());
        assert!(admission.enter(network(2)).is_some());
        drop(held);
        assert!(admission.enter(network(1)).is_some());
    }

    #[test]
    fn bounds_unfinished_bodies_per_network_and_in_total() {
        let admission = admission();
        let one: Vec<_> = (0..2)
            .map(|_| admission.body(network(1)).unwrap())
            .collect();
        assert_eq!(admission.body(network(1)).err(), Some(Full::Network));
        let two = admission.body(network(2)).unwrap();
        assert_eq!(admission.body(network(3)).err(), Some(Full::All));
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
