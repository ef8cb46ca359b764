//! Slots for open connections. When all are taken, connections that have waited for a second make room first. Next are
//! those whose client does not read, then those of the networks with the most connections. So a network that keeps its
//! connections busy cannot keep other networks out.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use gateway_http::request::client_address::ClientNetwork;
use parking_lot::Mutex;
use service_kit::network::Network;
use tokio::{sync::Notify, time::MissedTickBehavior};

use super::{
    activity::{Activity, Clock, Order},
    config::Times,
    metrics::{Closed, ListenMetrics},
};

/// Sweep interval; time limits are accurate to this.
const TICK: Duration = Duration::from_millis(100);
/// Maximum wait for a slot. A connection ordered to end does so within milliseconds, but the next one of a proxy may
/// wait for a request to end.
const WAIT_MAX: Duration = Duration::from_secs(5);
/// When all slots are taken, one in this many is ordered to make room at once. A flood of connections then does not
/// cause a scan of all connections for each new one.
const ROOM_PART: usize = 64;

/// Milliseconds in which the request of a new connection may be on its way. During that time the connection makes room
/// only if no other can. A network may have [`BURST`] times its limit while none of its connections has waited longer.
/// So a sudden crowd behind one address is not cut off.
const ON_ITS_WAY_MS: u64 = 1000;
const BURST: usize = 2;

type Networks = HashMap<ClientNetwork, Vec<Arc<Activity>>>;

/// All open connections of one listener.
#[derive(Debug)]
pub(super) struct ConnectionSlots {
    networks: Mutex<Networks>,
    open: AtomicUsize,
    taken: AtomicU64,
    freed: Notify,
    open_max: usize,
    network_max: usize,
    /// Our own proxies, which may have any number of connections.
    proxies: Vec<Network>,
    clock: Arc<Clock>,
    times: Times,
    metrics: &'static ListenMetrics,
}

/// The slot of one connection, released on drop.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    network: ClientNetwork,
    activity: Arc<Activity>,
}

impl ConnectionSlots {
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

    /// Takes a slot for a connection from `peer`. Returns `None` and counts the refusal if all connections are busy
    /// and no network has more of them than this one.
    pub(super) async fn take(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionSlot> {
        let waited = tokio::time::timeout(WAIT_MAX, self.wait_for_slot(peer)).await;
        let slot = waited.ok().flatten();
        if slot.is_none() {
            self.metrics.closed(Closed::AllBusy);
        }
        slot
    }

    async fn wait_for_slot(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionSlot> {
        let network = ClientNetwork::from(peer);
        let wanted = (self.open_max / ROOM_PART).max(1);
        while self.open.load(Relaxed) >= self.open_max {
            let makes_room = self.make_room(wanted, ON_ITS_WAY_MS)
                || self.make_room_for(network, wanted)
                || self.is_proxy(peer);
            if !makes_room {
                return None;
            }
            // A connection may have begun a request before it saw the order. Then the next one is ordered.
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
        Some(ConnectionSlot {
            slots: Arc::clone(self),
            network,
            activity,
        })
    }

    fn is_proxy(&self, peer: IpAddr) -> bool {
        self.proxies.iter().any(|proxy| proxy.contains(peer))
    }

    /// Orders up to `wanted` connections that have waited for `waited_ms_min` to end, the longest waiting first. Those
    /// without a request precede those whose client does not read its answers. Returns whether there is, or will be,
    /// room.
    pub(super) fn make_room(&self, wanted: usize, waited_ms_min: u64) -> bool {
        let since_ms_max = self.clock.now_ms().saturating_sub(waited_ms_min);
        let networks = self.networks.lock();
        let waiting =
            ranked(networks.values().flatten()).filter(|(rank, _)| rank.since_ms <= since_ms_max);
        let is_going =
            |activity: &Arc<Activity>| matches!(activity.order(), Order::MakeRoom | Order::Abort);
        self.order_first(waiting.collect(), wanted) || networks.values().flatten().any(is_going)
    }

    /// Makes room among connections that may be busy. If `newcomer` has fewer connections than the largest networks,
    /// those networks make room: their waiting connections, else the longest busy one. Otherwise only waiting
    /// connections of `newcomer` itself do. Returns whether there will be room.
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
        if self.order_first(waiting.collect(), wanted) {
            return true;
        }
        let busy = all
            .filter(|_| has_fewer)
            .filter_map(|activity| Some((activity.busy_since_ms()?, activity)));
        let longest = busy.min_by_key(|(since_ms, activity)| (*since_ms, activity.number()));
        if let Some((_, longest)) = longest {
            self.order_to_make_room(longest, true);
        }
        longest.is_some()
    }

    /// Orders the first `wanted` of these to end. Returns whether there are any.
    fn order_first(&self, mut waiting: Vec<(Rank, &Arc<Activity>)>, wanted: usize) -> bool {
        let wanted = wanted.min(waiting.len());
        if wanted == 0 {
            return false;
        }
        waiting.select_nth_unstable_by_key(wanted - 1, |(rank, _)| *rank);
        for (rank, activity) in &waiting[..wanted] {
            self.order_to_make_room(activity, rank.is_stalled);
        }
        true
    }

    fn order_to_make_room(&self, activity: &Activity, is_busy: bool) {
        if is_busy {
            self.metrics.closed(Closed::MadeRoom);
            activity.send(Order::Abort);
        } else {
            activity.send(Order::MakeRoom);
        }
    }

    /// Advances the clock and ends connections that exceed their time limits, forever.
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

    /// Returns the number of open connections and their maximum.
    pub(super) fn count(&self) -> String {
        format!("{} of {}", self.open.load(Relaxed), self.open_max)
    }

    /// Sends an order to every connection.
    pub(super) fn order_all(&self, order: Order) {
        for activity in self.networks.lock().values().flatten() {
            activity.send(order);
        }
    }
}

/// Order in which connections make room, the least first.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
struct Rank {
    is_stalled: bool,
    since_ms: u64,
    /// Breaks ties: many connections arrive in one tick.
    number: u64,
}

/// Returns the connections that may be ordered to make room.
fn ranked<'a>(
    all: impl Iterator<Item = &'a Arc<Activity>>,
) -> impl Iterator<Item = (Rank, &'a Arc<Activity>)> {
    all.filter_map(|activity| Some((Rank::of(activity)?, activity)))
}

impl Rank {
    /// Returns `None` for a connection that is busy without stalling, or already ordered to end.
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

impl ConnectionSlot {
    pub(super) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Counts the connection for its network, which is known only now if it came through a balancer. Returns false if
    /// that network has too many connections and all of them are busy.
    pub(super) fn settle(&mut self, peer: IpAddr) -> bool {
        let slots = Arc::clone(&self.slots);
        let network = ClientNetwork::from(peer);
        let mut networks = slots.networks.lock();
        if network != self.network {
            leave(&mut networks, self.network, &self.activity);
            networks
                .entry(network)
                .or_default()
                .push(Arc::clone(&self.activity));
            self.network = network;
        }
        if slots.is_proxy(peer) {
            return true;
        }
        let most = slots.network_max;
        let neighbours = networks.get(&network).map_or(&[][..], Vec::as_slice);
        // Connections that were ordered to end do not count.
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
        let waited_ms = slots.clock.now_ms().saturating_sub(rank.since_ms);
        if waited_ms < ON_ITS_WAY_MS && staying <= most.saturating_mul(BURST) {
            return true;
        }
        let is_stalled = rank.is_stalled;
        slots.order_to_make_room(other, is_stalled);
        true
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        leave(
            &mut self.slots.networks.lock(),
            self.network,
            &self.activity,
        );
        self.slots.open.fetch_sub(1, Relaxed);
        self.slots.metrics.open.dec();
        self.slots.freed.notify_one();
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
