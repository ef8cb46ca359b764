//! Addresses of one upstream, and the selection of one for each call.

use std::{collections::BTreeSet, net::SocketAddr, sync::Arc};

use arc_swap::ArcSwap;
use tokio::time::Instant;

use super::{
    connection::{Connection, Target},
    endpoint::{Endpoint, Lease, Surroundings},
    replica::Replica,
};

/// Maximum addresses of one upstream; names may resolve to more, which are not used.
const ENDPOINTS_MAX: usize = 32;

/// Picks two random connected addresses that are not ejected, and chooses the less busy one (power of two choices).
#[derive(Debug)]
pub(super) struct Balancer {
    /// `None` until names have been resolved once.
    endpoints: ArcSwap<Option<Vec<Arc<Endpoint>>>>,
    surroundings: Arc<Surroundings>,
}

/// No address can be connected to.
#[derive(Debug)]
pub(super) struct NotConnected;

enum Selection {
    Found(Lease),
    /// An attempt to connect, or to resolve, is under way.
    Wait,
    Nothing,
}

impl Balancer {
    pub(super) fn new(surroundings: Arc<Surroundings>) -> Self {
        Self {
            endpoints: ArcSwap::from_pointee(None),
            surroundings,
        }
    }

    /// Replaces the addresses. Addresses that remain keep their state. Calls under way at removed ones continue.
    pub(super) fn set(&self, addresses: &[(SocketAddr, Arc<Target>)]) {
        let before = self.endpoints.load();
        let known = (**before).as_deref().unwrap_or_default();
        let mut seen = BTreeSet::new();
        let endpoints: Vec<_> = addresses
            .iter()
            .filter(|(address, _)| seen.insert(*address))
            .take(ENDPOINTS_MAX)
            .map(|(address, target)| {
                let same = known.iter().find(|endpoint| {
                    endpoint.address == *address && Arc::ptr_eq(&endpoint.target, target)
                });
                same.cloned().unwrap_or_else(|| {
                    let surroundings = Arc::clone(&self.surroundings);
                    Arc::new(Endpoint::new(*address, Arc::clone(target), surroundings))
                })
            })
            .collect();
        let is_kept = |old: &Arc<Endpoint>| endpoints.iter().any(|new| Arc::ptr_eq(old, new));
        for endpoint in known.iter().filter(|old| !is_kept(old)) {
            endpoint.leave();
        }
        self.endpoints.store(Arc::new(Some(endpoints)));
        self.surroundings.changed();
    }

    /// Returns the present addresses; none until names have been resolved once.
    pub(super) fn replicas(&self) -> Vec<Replica> {
        let endpoints = self.endpoints.load();
        let all = (**endpoints).iter().flatten();
        all.map(|endpoint| Replica::new(Arc::clone(endpoint)))
            .collect()
    }

    /// Whether a try that gets no answer can be retried at another address.
    pub(super) fn has_choice(&self) -> bool {
        let now = Instant::now();
        let endpoints = self.endpoints.load();
        let usable = (**endpoints).iter().flatten();
        usable.filter(|endpoint| !endpoint.is_ejected(now)).count() > 1
    }

    /// Whether any address is connected and not ejected.
    pub(super) fn is_connected(&self) -> bool {
        let now = Instant::now();
        let endpoints = self.endpoints.load();
        let mut all = (**endpoints).iter().flatten();
        all.any(|endpoint| !endpoint.is_ejected(now) && endpoint.connection().is_some())
    }

    /// Whether a connected address is neither in `tried` nor ejected.
    pub(super) fn has_other(&self, tried: &[SocketAddr]) -> bool {
        let now = Instant::now();
        let endpoints = self.endpoints.load();
        let mut all = (**endpoints).iter().flatten();
        all.any(|e| !tried.contains(&e.address) && !e.is_ejected(now) && e.connection().is_some())
    }

    /// Chooses a connection, if possible to an address that is not in `tried`. Waits as long as an attempt to connect,
    /// or to resolve, is under way.
    pub(super) async fn choose(&self, tried: &[SocketAddr]) -> Result<Lease, NotConnected> {
        if let Selection::Found(lease) = self.try_choose(tried) {
            return Ok(lease);
        }
        let mut changes = self.surroundings.changes.subscribe();
        loop {
            changes.mark_unchanged();
            match self.try_choose(tried) {
                Selection::Found(lease) => return Ok(lease),
                Selection::Nothing => return Err(NotConnected),
                Selection::Wait => changes.changed().await.map_err(|_| NotConnected)?,
            }
        }
    }

    fn try_choose(&self, tried: &[SocketAddr]) -> Selection {
        let endpoints = self.endpoints.load();
        let Some(all) = (**endpoints).as_deref() else {
            return Selection::Wait;
        };
        let now = Instant::now();
        let usable: Vec<_> = all.iter().filter(|e| !e.is_ejected(now)).collect();
        match choose_among(&usable, tried) {
            // An ejected address is better than none.
            Selection::Nothing if usable.len() < all.len() => {
                choose_among(&all.iter().collect::<Vec<_>>(), tried)
            }
            selection => selection,
        }
    }
}

fn choose_among(endpoints: &[&Arc<Endpoint>], tried: &[SocketAddr]) -> Selection {
    let mut connected = Vec::with_capacity(endpoints.len());
    for endpoint in endpoints {
        if let Some(connection) = endpoint.connection() {
            connected.push((*endpoint, connection));
        }
    }
    let is_urgent = connected.is_empty();
    let mut is_connecting = false;
    if connected.len() < endpoints.len() {
        for endpoint in endpoints {
            is_connecting |= endpoint.connect(is_urgent);
        }
    }
    if connected.is_empty() {
        return if is_connecting {
            Selection::Wait
        } else {
            Selection::Nothing
        };
    }
    let is_new = |endpoint: &Endpoint| !tried.contains(&endpoint.address);
    if connected.iter().any(|(endpoint, _)| is_new(endpoint)) {
        connected.retain(|(endpoint, _)| is_new(endpoint));
    }
    let (endpoint, connection) = less_busy(connected);
    Selection::Found(endpoint.lease(connection))
}

/// Picks two at random and returns the less busy one; `connected` must not be empty.
fn less_busy(mut connected: Vec<(&Arc<Endpoint>, Connection)>) -> (&Arc<Endpoint>, Connection) {
    let one = connected.swap_remove(rand::random_range(0..connected.len()));
    if connected.is_empty() {
        return one;
    }
    let other = connected.swap_remove(rand::random_range(0..connected.len()));
    if other.0.in_flight() < one.0.in_flight() {
        other
    } else {
        one
    }
}
