//! Rate limits of this process, in bounded memory.

use std::{
    collections::HashMap,
    hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

use parking_lot::{Mutex, MutexGuard};

use super::{
    log::{Log, Quota},
    quotas::{Caller, LIMITS, Limit, Quotas, TABLES, Table},
};

/// Maximum remembered keys, over all tables and shards. A visitor has up to six: its tab, and its network in several
/// roles and sizes.
///
/// The tests `is_bounded_under_a_million_networks` and `bounds_a_key_for_any_quota` measure their
/// memory. After a flood of a million new networks, 13 MiB are reserved and the process has grown by 17 MiB. The
/// maximum is 77 MiB plus the allocator's overhead. It needs events of every key in each step of its window, which
/// takes some 130,000 requests a second for a minute.
#[cfg(test)]
pub(crate) const KEYS_MAX: usize = 131_072;
const SHARDS: usize = 16;
/// Keys checked for idleness when one is added. More than one, so that idle keys go as fast as new ones come.
const IDLE_SCAN: usize = 2;
/// Keys checked for eviction when there is no room for a new one.
const EVICTION_SCAN: usize = 16;
/// Milliseconds after which a create may be tried again if there is no room for its network. Room appears as remembered
/// creates leave their window.
const FULL_RETRY_MS: u32 = 60_000;
/// Further keys of one create that may be in the same shard. Room for all of them is promised before any is added.
const BESIDE_MAX: usize = 2;
/// Keys swept under one hold of a shard's lock.
const SWEEP_SCAN: usize = 256;

/// One limit that a request counts against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) limit: Limit,
    pub(crate) quota: Quota,
    pub(super) key: u64,
}

/// State of a limit, including the request if it was counted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct LimitState {
    pub(crate) limit: Limit,
    pub(crate) quota: Quota,
    pub(crate) left: u32,
    /// Milliseconds until the oldest call leaves the window. For an exhausted limit: until another call is accepted.
    pub(crate) reset_ms: u32,
}

/// Whether a request is accepted. All of its limits count it, or none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Verdict {
    Accepted(Vec<LimitState>),
    /// At least one limit is exhausted.
    Refused(Vec<LimitState>),
}

/// How to treat a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Act {
    Peek,
    TakeIfFree,
    Count,
}

/// Result of sweeping a shard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    pub(crate) keys: usize,
    /// Exhausted keys, by limit.
    pub(crate) exhausted: [usize; LIMITS],
}

#[derive(Debug)]
struct Entry {
    key: u64,
    limit: Limit,
    log: Log,
}

/// Identity hasher: keys are hashes already.
#[derive(Debug, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// One shard of every table.
#[derive(Debug)]
struct Shard {
    tables: [Keys; TABLES],
}

impl Shard {
    fn new() -> Self {
        Self {
            tables: Table::ALL.map(|table| Keys::new(table.keys_max() / SHARDS)),
        }
    }

    fn keys(&mut self, limit: Limit) -> &mut Keys {
        &mut self.tables[limit.table().index()]
    }
}

#[derive(Debug)]
struct Keys {
    entries: Vec<Entry>,
    /// Index of the entry of each key.
    positions: HashMap<u64, usize, BuildHasherDefault<IdentityHasher>>,
    /// Next entry to check for idleness.
    hand: usize,
    entries_max: usize,
}

impl Keys {
    fn new(entries_max: usize) -> Self {
        Self {
            entries: Vec::new(),
            positions: HashMap::default(),
            hand: 0,
            entries_max,
        }
    }

    fn entry(&mut self, key: u64) -> Option<&mut Entry> {
        let position = *self.positions.get(&key)?;
        self.entries.get_mut(position)
    }

    fn remove(&mut self, position: usize) {
        let removed = self.entries.swap_remove(position);
        self.positions.remove(&removed.key);
        if let Some(moved) = self.entries.get(position) {
            self.positions.insert(moved.key, position);
        }
    }

    /// Removes those of the next `entries` entries that have no events. Of the others, returns the position of the one
    /// that has used the smallest share of its quota, if that is less than half.
    fn scan(&mut self, quotas: &Quotas, now: u32, entries: usize) -> Option<usize> {
        let mut least: Option<(u64, u64)> = None;
        for _ in 0..entries {
            if self.hand >= self.entries.len() {
                self.hand = 0;
            }
            let Some(entry) = self.entries.get_mut(self.hand) else {
                break;
            };
            let quota = quotas.of(entry.limit);
            let used = entry.log.used(quota, now);
            if used == 0 {
                self.remove(self.hand);
                continue;
            }
            if used < quota.max.div_ceil(2) {
                let share = (u64::from(used) << 32) / u64::from(quota.max);
                least = least
                    .min(Some((share, entry.key)))
                    .or(Some((share, entry.key)));
            }
            self.hand += 1;
        }
        least.and_then(|(_, key)| self.positions.get(&key).copied())
    }

    /// Makes room for the key of a claim; returns false if there is none. Up to `beside` keys may exceed the maximum,
    /// because they were promised room before.
    fn make_room(&mut self, claim: &Claim, quotas: &Quotas, now: u32, beside: usize) -> bool {
        if self.positions.contains_key(&claim.key) {
            return true;
        }
        let is_full = self.entries.len() >= self.entries_max + beside;
        let entries = if is_full { EVICTION_SCAN } else { IDLE_SCAN };
        let least = self.scan(quotas, now, entries);
        if self.entries.len() < self.entries_max + beside {
            return true;
        }
        let Some(position) = least else { return false };
        self.remove(position);
        true
    }

    /// Counts an event. Returns false if there is no room to remember it.
    fn add(&mut self, claim: &Claim, quotas: &Quotas, now: u32) -> bool {
        let beside = if claim.limit.table().fails_closed() {
            BESIDE_MAX
        } else {
            0
        };
        if !self.make_room(claim, quotas, now, beside) {
            return false;
        }
        if let Some(entry) = self.entry(claim.key) {
            entry.log.add(claim.quota, now);
            return true;
        }
        let mut log = Log::default();
        log.add(claim.quota, now);
        self.positions.insert(claim.key, self.entries.len());
        self.entries.push(Entry {
            key: claim.key,
            limit: claim.limit,
            log,
        });
        true
    }

    /// Releases memory that a flood has left behind.
    fn shrink(&mut self) {
        let keys = self.entries.len();
        if self.entries.capacity() > 4 * keys.max(SWEEP_SCAN) {
            self.entries.shrink_to(2 * keys);
            self.positions.shrink_to(2 * keys);
        }
    }
}

/// The limiter of one process.
///
/// Removes keys without events: a few with each new key, and all of them at intervals. If there is no room for a new
/// key, some keys are checked, and the one that has used the smallest share of its quota is evicted. Its caller then
/// has the whole quota again. **A key that has used half of its quota or more is never evicted.** So a flood of other
/// keys frees no caller that is at a limit. If no key can be evicted, that limit does not count the new caller, and a
/// metric reports this. Refusing the caller instead would let a flood lock out all callers. Only creates are refused
/// then. That takes some thousand networks that are half-way to their limits within ten minutes, and no create may go
/// uncounted.
#[derive(Debug)]
pub(crate) struct Local {
    quotas: Quotas,
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
    uncounted: AtomicU64,
}

impl Local {
    pub(crate) fn new(quotas: Quotas) -> Self {
        Self {
            quotas,
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::new(Shard::new())),
            uncounted: AtomicU64::new(0),
        }
    }

    /// Returns the claims of a caller on these limits.
    pub(crate) fn claims(&self, caller: &Caller<'_>, limits: &[Limit]) -> Vec<Claim> {
        let claim = |limit: &Limit| Claim {
            limit: *limit,
            quota: self.quotas.of(*limit),
            key: self.hasher.hash_one((limit, caller.key(*limit))),
        };
        limits.iter().map(claim).collect()
    }

    /// Counts a request for all of its limits, unless one is exhausted. A refused request is not counted, so that
    /// waiting helps.
    pub(crate) fn take(&self, claims: &[Claim], now: u32) -> Verdict {
        self.act(claims, now, Act::TakeIfFree)
    }

    /// Checks whether a request would be accepted, without counting it.
    pub(crate) fn peek(&self, claims: &[Claim], now: u32) -> Verdict {
        self.act(claims, now, Act::Peek)
    }

    /// Counts a request regardless of its limits, for example one that Redis has accepted.
    pub(crate) fn record(&self, claims: &[Claim], now: u32) {
        self.act(claims, now, Act::Count);
    }

    fn act(&self, claims: &[Claim], now: u32, act: Act) -> Verdict {
        let mut shards = self.lock(claims);
        let mut states = Vec::with_capacity(claims.len());
        for claim in claims {
            let Some(shard) = &mut shards[shard_of(claim.key)] else {
                continue;
            };
            states.push(self.state(claim, shard.keys(claim.limit), now));
        }
        let is_free = states.iter().all(|state| state.left > 0);
        if act == Act::Count || (act == Act::TakeIfFree && is_free) {
            for (claim, state) in claims.iter().zip(&mut states) {
                state.left = state.left.saturating_sub(1);
                if state.reset_ms == 0 {
                    state.reset_ms = claim.quota.memory_ms();
                }
                let shard = shards[shard_of(claim.key)].as_mut();
                let is_counted =
                    shard.is_some_and(|s| s.keys(claim.limit).add(claim, &self.quotas, now));
                if !is_counted {
                    self.uncounted.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        if is_free {
            Verdict::Accepted(states)
        } else {
            Verdict::Refused(states)
        }
    }

    fn state(&self, claim: &Claim, keys: &mut Keys, now: u32) -> LimitState {
        let quota = claim.quota;
        let (used, reset_ms) = if let Some(entry) = keys.entry(claim.key) {
            (entry.log.used(quota, now), entry.log.reset_ms(quota, now))
        } else if claim.limit.table().fails_closed() && !keys.make_room(claim, &self.quotas, now, 0)
        {
            (quota.max, FULL_RETRY_MS)
        } else {
            (0, 0)
        };
        LimitState {
            limit: claim.limit,
            quota,
            left: quota.max.saturating_sub(used),
            reset_ms,
        }
    }

    /// Locks the shards of these claims, each once and always in the same order.
    fn lock(&self, claims: &[Claim]) -> [Option<MutexGuard<'_, Shard>>; SHARDS] {
        let mut needed = [false; SHARDS];
        for claim in claims {
            needed[shard_of(claim.key)] = true;
        }
        std::array::from_fn(|n| needed[n].then(|| self.shards[n].lock()))
    }

    /// Removes the idle keys of one shard, holding its lock only briefly at a time, and releases memory that a flood
    /// has left behind. Must reach every shard within 24 days, before times become ambiguous because the clock wraps.
    pub(crate) fn sweep(&self, shard: usize, now: u32) -> Census {
        let shard = &self.shards[shard % SHARDS];
        let mut census = Census::default();
        for table in 0..TABLES {
            // From the end: the entry that moves into the position of a removed one has been checked already.
            let mut next = usize::MAX;
            while next > 0 {
                let keys = &mut shard.lock().tables[table];
                next = next.min(keys.entries.len());
                for position in (next.saturating_sub(SWEEP_SCAN)..next).rev() {
                    let entry = &mut keys.entries[position];
                    let quota = self.quotas.of(entry.limit);
                    let used = entry.log.used(quota, now);
                    if used >= quota.max {
                        census.exhausted[entry.limit.index()] += 1;
                    }
                    if used == 0 {
                        keys.remove(position);
                    }
                }
                next = next.saturating_sub(SWEEP_SCAN);
            }
            let keys = &mut shard.lock().tables[table];
            census.keys += keys.entries.len();
            keys.shrink();
        }
        census
    }

    /// Returns the number of shards, each of which must be swept.
    pub(crate) const fn shards() -> usize {
        SHARDS
    }

    /// Returns the number of events since the last call that there was no room to remember.
    pub(crate) fn uncounted(&self) -> u64 {
        self.uncounted.swap(0, Ordering::Relaxed)
    }

    /// Returns the number of remembered keys.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        let of_shard = |shard: &Mutex<Shard>| {
            let tables = &shard.lock().tables;
            tables.iter().map(|keys| keys.entries.len()).sum::<usize>()
        };
        self.shards.iter().map(of_shard).sum()
    }

    /// Returns the bytes reserved for the keys, without the allocator's overhead.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        let of_table = |keys: &Keys| {
            let logs: usize = keys.entries.iter().map(|e| e.log.heap_bytes()).sum();
            keys.entries.capacity() * size_of::<Entry>()
                + keys.positions.capacity() * (size_of::<(u64, usize)>() + 1)
                + logs
        };
        let of_shard = |shard: &Mutex<Shard>| {
            let tables = &shard.lock().tables;
            tables.iter().map(of_table).sum::<usize>()
        };
        self.shards.iter().map(of_shard).sum()
    }
}

/// Selects the shard by bits that the maps do not use.
fn shard_of(key: u64) -> usize {
    usize::try_from(key >> 40).unwrap_or(0) % SHARDS
}
