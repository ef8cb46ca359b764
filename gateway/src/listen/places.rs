//! Places of open connections. When all are taken, connections that have waited for a second make room, then those whose client does
//! not read, then the networks that have most. So a network that keeps its connections busy cannot keep other networks out.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use service_kit::network::Network;
use tokio::{sync::Notify, time::MissedTickBehavior};

use super::{
    activity::{Activity, Clock, Order},
    config::Times,
    metrics::{Closed, ListenMetrics},
};
use crate::request::client_address::ClientNetwork;

/// How often connections are checked: the error of every time limit.
const TICK: Duration = Duration::from_millis(100);
/// Wait for a place: a connection that was told to end does so within milliseconds, and a proxy's next one may wait for a request to end.
const WAIT_MAX: Duration = Duration::from_secs(5);
/// When all places are taken, this part of them is asked to make room at once, so that a flood of connections does not pay for a
/// look at all of them each.
const ROOM_PART: usize = 64;

/// Time in which a new connection's request may be on its way, so that it does not make room while another can. While there is nobody who has waited longer, a network has
/// [`BURST`] times its connections, so that a crowd behind one address is not cut in the moment when it comes.
const ON_ITS_WAY_MS: u64 = 1000;
const BURST: usize = 2;

type Networks = HashMap<ClientNetwork, Vec<Arc<Activity>>>;

/// All open connections of one listener.
#[derive(Debug)]
pub(super) struct Places {
    networks: Mutex<Networks>,
    open: AtomicUsize,
    taken: AtomicU64,
    freed: Notify,
    open_max: usize,
    network_max: usize,
    /// Proxies of our own, which have as many connections as they need.
    proxies: Vec<Network>,
    clock: Arc<Clock>,
    times: Times,
    metrics: &'static ListenMetrics,
}

/// The place of one connection, free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    network: ClientNetwork,
    activity: Arc<Activity>,
}

impl Places {
    pub(super) fn new(
        open_max: usize,
        network_max: usize,
        proxies: Vec<Network>,
        times: Times,
    ) -> Arc<Self> {
        Arc::new(Self {
            networks: Mutex::default(),
            open: AtomicUsize::new(0),
            taken: AtomicU64::new(0),
            freed: Notify::new(),
            open_max,
            network_max,
            proxies,
            clock: Clock::new(&times),
            times,
            metrics: ListenMetrics::global(),
        })
    }

    /// A place for a connection from `peer`. `None` and counted: all are busy, and none of a network that has more than this one.
    pub(super) async fn take(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
        let place = tokio::time::timeout(WAIT_MAX, self.wait_for_place(peer)).await;
        let place = place.ok().flatten();
        if place.is_none() {
            self.metrics.closed(Closed::AllBusy);
        }
        place
    }

    async fn wait_for_place(self: &Arc<Self>, peer: IpAddr) -> Option<Place> {
        let network = ClientNetwork::from(peer);
        let wanted = (self.open_max / ROOM_PART).max(1);
        while self.open.load(Relaxed) >= self.open_max {
            let makes_room = self.make_room(wanted, ON_ITS_WAY_MS)
                || self.make_room_for(network, wanted)
                || self.is_proxy(peer);
            if !makes_room {
                return None;
            }
            // A connection may have got a request before it was told to end: then the next one is told.
            tokio::time::timeout(TICK, self.freed.notified()).await.ok();
        }
        let number = self.taken.fetch_add(1, Relaxed);
        let activity = Activity::new(Arc::clone(&self.clock), number);
        let mut networks = self.networks.lock();
        networks
            .entry(network)
            .or_default()
            .push(Arc::clone(&activity));
        drop(networks);
        self.open.fetch_add(1, Relaxed);
        self.metrics.open.inc();
        Some(Place {
            places: Arc::clone(self),
            network,
            activity,
        })
    }

    fn is_proxy(&self, peer: IpAddr) -> bool {
        self.proxies.iter().any(|proxy| proxy.contains(peer))
    }

    /// Tells up to `wanted` connections that have waited for `waited_ms_min` to end, the longest waiting first: those without a request,
    /// then those whose client does not read its answers. Returns whether there is, or will be, room.
    pub(super) fn make_room(&self, wanted: usize, waited_ms_min: u64) -> bool {
        let since_ms_max = self.clock.now_ms().saturating_sub(waited_ms_min);
        let networks = self.networks.lock();
        let waiting = ranked(networks.values().flatten());
        let waiting = waiting.filter(|(rank, _)| rank.since_ms <= since_ms_max);
        let is_going =
            |activity: &Arc<Activity>| matches!(activity.order(), Order::MakeRoom | Order::Abort);
        self.tell_first(waiting.collect(), wanted) || networks.values().flatten().any(is_going)
    }

    /// Makes room among connections that may be at work. Those of the networks that have most pay, if `newcomer` has fewer: what waits
    /// for a request, else the longest busy one. If not, only what waits of `newcomer` itself. Returns whether there will be room.
    fn make_room_for(&self, newcomer: ClientNetwork, wanted: usize) -> bool {
        let networks = self.networks.lock();
        let own = networks.get(&newcomer).map_or(0, Vec::len);
        let most = networks.values().map(Vec::len).max().unwrap_or(0);
        let has_fewer = own < most;
        let pays = |(network, all): &(&ClientNetwork, &Vec<_>)| {
            if has_fewer {
                all.len() == most
            } else {
                **network == newcomer
            }
        };
        let all = networks.iter().filter(pays).flat_map(|(_, all)| all);
        let waiting = ranked(all.clone()).filter(|(rank, _)| !rank.is_stalled);
        if self.tell_first(waiting.collect(), wanted) {
            return true;
        }
        let busy = all.filter_map(|activity| Some((activity.busy_since_ms()?, activity)));
        let busy = busy.filter(|_| has_fewer);
        let longest = busy.min_by_key(|(since_ms, activity)| (*since_ms, activity.number()));
        if let Some((_, longest)) = longest {
            self.tell_to_make_room(longest, true);
        }
        longest.is_some()
    }

    /// Tells the first `wanted` of these. Returns whether there are any.
    fn tell_first(&self, mut waiting: Vec<(Rank, &Arc<Activity>)>, wanted: usize) -> bool {
        let wanted = wanted.min(waiting.len());
        if wanted == 0 {
            return false;
        }
        waiting.select_nth_unstable_by_key(wanted - 1, |(rank, _)| *rank);
        for (rank, activity) in &waiting[..wanted] {
            self.tell_to_make_room(activity, rank.is_stalled);
        }
        true
    }

    fn tell_to_make_room(&self, activity: &Activity, is_busy: bool) {
        if is_busy {
            self.metrics.closed(Closed::MadeRoom);
            activity.tell(Order::Abort);
        } else {
            activity.tell(Order::MakeRoom);
        }
    }

    /// Moves the clock on and ends what has lasted too long, forever.
    pub(super) async fn watch(&self) -> std::convert::Infallible {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = Instant::now();
        loop {
            ticks.tick().await;
            self.clock.advance(&mut last, Instant::now());
            let networks = self.networks.lock();
            for activity in networks.values().flatten() {
                if let Some(closed) = activity.check(&self.times) {
                    self.metrics.closed(closed);
                }
            }
        }
    }

    /// How many are open, of how many.
    pub(super) fn count(&self) -> String {
        format!("{} of {}", self.open.load(Relaxed), self.open_max)
    }

    /// Tells every connection.
    pub(super) fn tell_all(&self, order: Order) {
        for activity in self.networks.lock().values().flatten() {
            activity.tell(order);
        }
    }
}

/// Whom to ask first: the least.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
struct Rank {
    is_stalled: bool,
    since_ms: u64,
    /// Many come in one tick.
    number: u64,
}

/// Those of these that may be asked.
fn ranked<'a>(
    all: impl Iterator<Item = &'a Arc<Activity>>,
) -> impl Iterator<Item = (Rank, &'a Arc<Activity>)> {
    all.filter_map(|activity| Some((Rank::of(activity)?, activity)))
}

impl Rank {
    /// `None` for a connection at work, or about to go.
    fn of(activity: &Activity) -> Option<Self> {
        if activity.order() != Order::None {
            return None;
        }
        let waits = activity.waits_since_ms();
        Some(Self {
            is_stalled: waits.is_none(),
            since_ms: waits.or_else(|| activity.stalls_since_ms())?,
            number: activity.number(),
        })
    }
}

impl Place {
    pub(super) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Counts the connection for the network that it is from, known only now if it came through a balancer. False: that network has too
    /// many, and each has a request under way.
    pub(super) fn settle(&mut self, peer: IpAddr) -> bool {
        let places = Arc::clone(&self.places);
        let network = ClientNetwork::from(peer);
        let mut networks = places.networks.lock();
        if network != self.network {
            leave(&mut networks, self.network, &self.activity);
            networks
                .entry(network)
                .or_default()
                .push(Arc::clone(&self.activity));
            self.network = network;
        }
        if places.is_proxy(peer) {
            return true;
        }
        let most = places.network_max;
        let neighbours = networks.get(&network).map_or(&[][..], Vec::as_slice);
        // Those that were asked before are about to go.
        let going = |activity: &&Arc<Activity>| activity.order() != Order::None;
        let staying = neighbours.len() - neighbours.iter().filter(going).count();
        if staying <= most {
            return true;
        }
        let others = neighbours
            .iter()
            .filter(|other| !Arc::ptr_eq(other, &self.activity));
        let longest = others
            .filter_map(|other| Some((Rank::of(other)?, other)))
            .min_by_key(|(rank, _)| *rank);
        let Some((rank, other)) = longest else {
            return false;
        };
        let waited_ms = places.clock.now_ms().saturating_sub(rank.since_ms);
        if waited_ms < ON_ITS_WAY_MS && staying <= most.saturating_mul(BURST) {
            return true;
        }
        let is_stalled = rank.is_stalled;
        places.tell_to_make_room(other, is_stalled);
        true
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        leave(
            &mut self.places.networks.lock(),
            self.network,
            &self.activity,
        );
        self.places.open.fetch_sub(1, Relaxed);
        self.places.metrics.open.dec();
        self.places.freed.notify_one();
    }
}

fn leave(networks: &mut Networks, network: ClientNetwork, activity: &Arc<Activity>) {
    let Some(neighbours) = networks.get_mut(&network) else {
        return;
    };
    if let Some(at) = neighbours
        .iter()
        .position(|known| Arc::ptr_eq(known, activity))
    {
        neighbours.swap_remove(at);
    }
    if neighbours.is_empty() {
        networks.remove(&network);
    }
}
