//! How often a visitor may call: at most so many in *any* 60 s (a sliding log; a token bucket would let nearly twice as
//! many through in the first minute).
//!
//! One log per client network holds the calls of all its visitors, so both limits, of the visitor and of the network,
//! are read from it. A visitor is a network and the random id of a browser tab. Memory is bounded by the number of
//! networks; entries that have become empty are swept.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    hash::{BuildHasher, RandomState},
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use parking_lot::Mutex;

use crate::request::client_address::ClientNetwork;

/// Length of the window.
const WINDOW: Duration = Duration::from_mins(1);
const WINDOW_MS: u64 = 60_000;
/// Networks remembered at most, over all shards; the limit is memory (about 100 MB when every one is at its ceiling).
const NETWORKS_MAX: usize = 65_536;
const SHARDS: usize = 16;
const SWEEP_PAUSE_MS: u64 = 1000;
/// A browser tab's id is a UUID; longer values are cut by hashing anyway, but not read at any length.
const CLIENT_ID_BYTES_MAX: usize = 128;
const CLIENT_ID: &str = "x-client-id";

/// Calls allowed in any 60 s.
#[derive(Clone, Copy, Debug)]
pub struct Ceilings {
    /// API calls of a visitor.
    pub visitor_calls: usize,
    /// API calls of a network.
    pub network_calls: usize,
    /// Documents and files of a network.
    pub network_documents: usize,
}

/// The remaining quota of a visitor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Allowance {
    /// Calls allowed in the window.
    pub quota: usize,
    /// Calls left now.
    pub remaining: usize,
    /// Seconds until one more is given back; at least 1.
    pub reset_s: u64,
}

/// A refusal: the visitor may come back after `retry_after_s`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limited {
    /// Seconds until a call would be taken; at least 1.
    pub retry_after_s: u64,
    /// The remaining quota: none.
    pub allowance: Allowance,
}

#[derive(Debug, Default)]
struct Log {
    /// Time and visitor of each counted API call, oldest first.
    calls: VecDeque<(u64, u64)>,
    /// The times again, by visitor, so that a count costs the same whatever the limits are.
    visitors: HashMap<u64, VecDeque<u64>>,
    /// Time of each document, oldest first.
    documents: VecDeque<u64>,
}

impl Log {
    fn forget_before(&mut self, start_ms: u64) {
        while let Some((at, visitor)) = self.calls.front().copied()
            && at <= start_ms
        {
            self.calls.pop_front();
            if let Entry::Occupied(mut own) = self.visitors.entry(visitor) {
                own.get_mut().pop_front();
                if own.get().is_empty() {
                    own.remove();
                }
            }
        }
        while self.documents.front().is_some_and(|at| *at <= start_ms) {
            self.documents.pop_front();
        }
    }

    fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.documents.is_empty()
    }
}

#[derive(Debug, Default)]
struct Shard {
    logs: HashMap<ClientNetwork, Log>,
    swept_at_ms: u64,
}

impl Shard {
    fn sweep(&mut self, start_ms: u64) {
        self.logs.retain(|_, log| {
            log.forget_before(start_ms);
            !log.is_empty()
        });
    }

    /// Evicts idle networks from a full shard, and if none is idle, a random one. Refusing new networks instead would let a
    /// few addresses lock everybody out. Sweeps once a second at most, or in a flood every new network would pay for a sweep.
    fn evict(&mut self, now_ms: u64) {
        if now_ms - self.swept_at_ms >= SWEEP_PAUSE_MS {
            self.swept_at_ms = now_ms;
            self.sweep(now_ms - WINDOW_MS);
        }
        if self.logs.len() >= NETWORKS_MAX / SHARDS
            && let Some(network) = self.logs.keys().next().copied()
        {
            self.logs.remove(&network);
        }
    }
}

/// The limiter of one process.
#[derive(Debug)]
pub struct RateLimit {
    ceilings: Ceilings,
    started: Instant,
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

impl RateLimit {
    /// An empty limiter.
    pub fn new(ceilings: Ceilings) -> Self {
        Self {
            ceilings,
            started: Instant::now(),
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
        }
    }

    /// Counts an API call, unless it is one too many. A refused call is not counted, so that waiting helps.
    pub fn count_call(
        &self,
        network: ClientNetwork,
        headers: &HeaderMap,
        now: Instant,
    ) -> Result<Allowance, Limited> {
        let id = headers
            .get(CLIENT_ID)
            .map_or(&[][..], HeaderValue::as_bytes);
        let visitor = self
            .hasher
            .hash_one(&id[..id.len().min(CLIENT_ID_BYTES_MAX)]);
        let (quota, ceiling) = (self.ceilings.visitor_calls, self.ceilings.network_calls);
        self.with_log(network, now, |log, now_ms| {
            let Log {
                calls, visitors, ..
            } = log;
            let own = visitors.entry(visitor).or_default();
            let reset_s = wait_s(own.front().copied().unwrap_or(now_ms), now_ms);
            // With the quota used up, the next call is allowed when the oldest counted one leaves the window.
            let ceiling_call = calls.len().checked_sub(ceiling).map(|at| calls[at].0);
            let quota_call = own.len().checked_sub(quota).map(|at| own[at]);
            if let Some(at) = ceiling_call.max(quota_call) {
                if own.is_empty() {
                    visitors.remove(&visitor);
                }
                return Err(Limited {
                    retry_after_s: wait_s(at, now_ms),
                    allowance: Allowance {
                        quota,
                        remaining: 0,
                        reset_s,
                    },
                });
            }
            calls.push_back((now_ms, visitor));
            own.push_back(now_ms);
            Ok(Allowance {
                quota,
                remaining: (quota - own.len()).min(ceiling - calls.len()),
                reset_s,
            })
        })
    }

    /// Counts a document or file, unless it is one too many.
    ///
    /// # Errors
    /// Seconds until one would be given.
    pub fn count_document(&self, network: ClientNetwork, now: Instant) -> Result<(), u64> {
        let ceiling = self.ceilings.network_documents;
        self.with_log(network, now, |log, now_ms| {
            if log.documents.len() >= ceiling {
                let at = log.documents[log.documents.len() - ceiling];
                return Err(wait_s(at, now_ms));
            }
            log.documents.push_back(now_ms);
            Ok(())
        })
    }

    fn with_log<T>(
        &self,
        network: ClientNetwork,
        now: Instant,
        act: impl FnOnce(&mut Log, u64) -> T,
    ) -> T {
        // Begins one window after zero, so that the first calls have something to be subtracted from.
        let elapsed = now.saturating_duration_since(self.started) + WINDOW;
        let now_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let start_ms = now_ms - WINDOW_MS;
        let shard = usize::try_from(self.hasher.hash_one(network) % SHARDS as u64).unwrap_or(0);
        let mut shard = self.shards[shard].lock();
        if shard.logs.len() >= NETWORKS_MAX / SHARDS && !shard.logs.contains_key(&network) {
            shard.evict(now_ms);
        }
        match shard.logs.entry(network) {
            Entry::Occupied(mut entry) => {
                entry.get_mut().forget_before(start_ms);
                act(entry.get_mut(), now_ms)
            }
            Entry::Vacant(entry) => act(entry.insert(Log::default()), now_ms),
        }
    }

    /// Evicts networks that have not called for a window. To be called at intervals.
    pub fn sweep(&self, now: Instant) {
        let elapsed = now.saturating_duration_since(self.started);
        let start_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        for shard in &self.shards {
            shard.lock().sweep(start_ms);
        }
    }

    /// Networks remembered now.
    pub fn len(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| shard.lock().logs.len())
            .sum()
    }

    /// Whether no network is remembered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn wait_s(at_ms: u64, now_ms: u64) -> u64 {
    (at_ms + WINDOW_MS)
        .saturating_sub(now_ms)
        .div_ceil(1000)
        .max(1)
}

/// Sends the remaining quota as `RateLimit` and `RateLimit-Policy` (IETF draft on RateLimit header fields).
pub fn write_headers(headers: &mut HeaderMap, allowance: Allowance) {
    let policy = format!("\"visitor\";q={};w=60", allowance.quota);
    let left = format!(
        "\"visitor\";r={};t={}",
        allowance.remaining, allowance.reset_s
    );
    for (name, value) in [("ratelimit-policy", policy), ("ratelimit", left)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use crate::request::client_address::client_network;

    fn limiter() -> RateLimit {
        RateLimit::new(Ceilings {
            visitor_calls: 10,
            network_calls: 25,
            network_documents: 3,
        })
    }

    fn network(last: u8) -> ClientNetwork {
        let peer = SocketAddr::from(([192, 0, 2, last], 1));
        client_network(
            peer,
            &HeaderMap::new(),
            crate::request::client_address::TrustedProxies::default(),
        )
    }

    fn tab(id: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(
            HeaderName::from_static(CLIENT_ID),
            HeaderValue::from_static(id),
        )])
    }

    #[test]
    fn never_more_than_ten_in_any_sixty_seconds() {
        let (limit, start) = (limiter(), Instant::now());
        let mut taken: Vec<Duration> = Vec::new();
        for step in 0..400 {
            let at = Duration::from_millis(step * 700);
            if limit.count_call(network(1), &tab("a"), start + at).is_ok() {
                taken.push(at);
            }
        }
        for (n, at) in taken.iter().enumerate() {
            let within = taken[n..].iter().filter(|t| **t < *at + WINDOW).count();
            assert!(within <= 10, "{within} calls in the 60 s from {at:?}");
        }
        assert!(taken.len() > 40, "only {} calls in 280 s", taken.len());
    }

    #[test]
    fn the_eleventh_call_is_told_when_to_come_back() {
        let (limit, start) = (limiter(), Instant::now());
        for n in 0..10 {
            let allowance = limit
                .count_call(network(1), &tab("a"), start + Duration::from_secs(n))
                .unwrap();
            assert_eq!(allowance.remaining, 9 - usize::try_from(n).unwrap());
        }
        let late = start + Duration::from_secs(20);
        let limited = limit.count_call(network(1), &tab("a"), late).unwrap_err();
        assert_eq!(limited.retry_after_s, 40);
        let back = late + Duration::from_secs(limited.retry_after_s);
        assert!(limit.count_call(network(1), &tab("a"), back).is_ok());
    }

    #[test]
    fn tabs_are_apart_until_the_network_reaches_its_ceiling() {
        let (limit, now) = (limiter(), Instant::now());
        for id in ["a", "b"] {
            for _ in 0..10 {
                assert!(limit.count_call(network(1), &tab(id), now).is_ok());
            }
        }
        let taken = (0..10)
            .filter(|_| limit.count_call(network(1), &tab("c"), now).is_ok())
            .count();
        assert_eq!(taken, 5);
        assert!(limit.count_call(network(2), &tab("c"), now).is_ok());
    }

    #[test]
    fn documents_have_a_ceiling_of_their_own() {
        let (limit, now) = (limiter(), Instant::now());
        for _ in 0..3 {
            assert_eq!(limit.count_document(network(1), now), Ok(()));
        }
        assert_eq!(limit.count_document(network(1), now), Err(60));
        assert!(limit.count_call(network(1), &tab("a"), now).is_ok());
    }

    #[test]
    fn the_quiet_are_swept_and_the_map_is_bounded() {
        let (limit, now) = (limiter(), Instant::now());
        for n in 0..80_000_u32 {
            let [_, a, b, c] = n.to_be_bytes();
            let peer = SocketAddr::from(([10, a, b, c], 1));
            let network = client_network(
                peer,
                &HeaderMap::new(),
                crate::request::client_address::TrustedProxies::default(),
            );
            assert_eq!(limit.count_document(network, now), Ok(()));
        }
        assert!(limit.len() <= NETWORKS_MAX, "{}", limit.len());
        limit.sweep(now + WINDOW + Duration::from_secs(1));
        assert!(limit.is_empty());
    }
}
