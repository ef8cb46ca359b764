//! The store: caches representations, decides how long they are sent, and falls back when one cannot be made.

#[cfg(test)]
mod tests;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::StatusCode;
use gateway_http::{problem::Problem, request::lanes::Work};
use moka::{Expiry, sync::Cache};
use prometheus_client::metrics::counter::Counter;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{
    changes::{Basis, Changes},
    compression::Effort,
    doorkeeper::Doorkeeper,
    flight::{Flight, Flights, Made, Outcome},
    recompression::Recompression,
    representation::{Draft, Edition, Freshness, Lifetime, NEGATIVE_FRESH, Representation},
};

/// Maximum number of callers per store that wait for a flight started by another; each takes some kilobytes.
const WAITING_MAX: usize = 4096;
/// Attempts at an answer: one made before a known change is made again once.
const ATTEMPTS_MAX: u32 = 2;
/// Divisor of the store's bytes that yields the share for negative answers. Clients can request any number of missing
/// resources.
const NEGATIVE_SHARE: u64 = 16;
/// Divisor of the store's bytes that yields the size up to which answers fresh for less than [`QUICK_FRESH_MIN`] are
/// cached when first made. Above it, they are cached when made again: clients can request any number of different ones.
const DOORKEEPER_SHARE: u64 = 8;
/// Estimated overhead of a cached refusal in bytes, without its key.
const REFUSAL_BYTES: usize = 1024;

/// Bounds of a store, and how long stale answers may be sent.
#[derive(Clone, Copy, Debug)]
pub struct StoreLimits {
    /// Maximum number of entries.
    pub entries_max: u64,
    /// Keys, bodies in all codings and overhead.
    pub bytes_max: u64,
    /// Stale-while-revalidate: how long a stale answer is sent while a new one is made in the background.
    pub stale: Duration,
    /// Stale-if-error: how long a stale answer is sent while a new one cannot be made.
    pub stale_on_error: Duration,
}

/// Counters of lookups by their result.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Fresh answers.
    pub hits: Counter,
    /// Stale answers sent during a refresh, or shortly after one failed.
    pub stale: Counter,
    /// Answers made while the caller waited.
    pub misses: Counter,
    /// Refreshes that failed or took too long, so that a stale answer was sent.
    pub stale_on_error: Counter,
    /// Hits on cached negative answers.
    pub absent: Counter,
}

/// One lookup in a store.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Cache key; equal requests have equal keys.
    pub key: &'a [u8],
    /// How long a new answer counts as fresh.
    pub fresh: Duration,
    /// Edition of what the answer is made with; another one misses.
    pub edition: Edition,
    /// When this caller stops waiting.
    pub deadline: Instant,
    /// Time limit of the flight, independent of its callers.
    pub budget: Duration,
    /// Work of the request that needs the answer; `None` if that work has already begun.
    pub work: Option<&'a dyn Work>,
}

/// Representations by key, bounded in entries and bytes.
#[derive(Debug)]
pub struct Store {
    cached: Cache<Arc<[u8]>, Arc<Representation>>,
    negative: Cache<Arc<[u8]>, Negative>,
    doorkeeper: Doorkeeper,
    flights: Arc<Flights>,
    /// Permits for callers that wait for a flight started by another.
    waiting: Semaphore,
    limits: StoreLimits,
    changes: Arc<Changes>,
    recompression: Recompression,
    counters: Counters,
}

/// A negative answer.
#[derive(Clone, Debug)]
enum Negative {
    Representation(Arc<Representation>),
    Refusal(Arc<Refusal>),
}

/// Rendered for each caller, because it contains that caller's trace id.
#[derive(Debug)]
struct Refusal {
    problem: Problem,
    basis: Basis,
    fresh_until: Instant,
}

/// Result of looking a key up in the cache.
enum Lookup {
    Hit(Outcome),
    /// Sent while a new answer is made.
    Stale(Arc<Representation>),
    /// A new answer is made first. The fallback is sent if that fails.
    Miss {
        fallback: Option<Arc<Representation>>,
    },
}

impl Store {
    /// Creates an empty store. Its answers are invalidated by `changes`.
    pub fn new(limits: StoreLimits, changes: Arc<Changes>, counters: Counters) -> Self {
        // Moka bounds the sum of weights. Each entry weighs at least its share, which bounds the number of entries too.
        let share = u32::try_from(limits.bytes_max / limits.entries_max.max(1)).unwrap_or(u32::MAX);
        let weight = move |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX).max(share);
        let cached = Cache::builder()
            .max_capacity(limits.bytes_max)
            .weigher(
                move |key: &Arc<[u8]>, representation: &Arc<Representation>| {
                    weight(key.len() + representation.size())
                },
            )
            .expire_after(UntilExpired)
            .build();
        let negative = Cache::builder()
            .max_capacity(limits.bytes_max / NEGATIVE_SHARE)
            .weigher(|key: &Arc<[u8]>, negative: &Negative| {
                let size = match negative {
                    Negative::Representation(representation) => representation.size(),
                    Negative::Refusal(_) => REFUSAL_BYTES,
                };
                u32::try_from(key.len() + size).unwrap_or(u32::MAX)
            })
            .time_to_live(NEGATIVE_FRESH)
            .build();
        Self {
            cached,
            negative,
            doorkeeper: Doorkeeper::default(),
            flights: Arc::default(),
            waiting: Semaphore::new(WAITING_MAX),
            limits,
            changes,
            recompression: Recompression::default(),
            counters,
        }
    }

    /// Returns the cached answer for a key, or makes it with `make`. Concurrent callers get the same answer.
    ///
    /// An answer that a change has invalidated is made again before it is sent. It is sent stale only if that fails or
    /// takes more than half of the caller's time.
    ///
    /// # Errors
    /// The problem that `make` returned. 504 at the caller's deadline. 503 if there are too many flights or waiting
    /// callers, or if there is no room for the caller's work.
    pub async fn get<M>(self: &Arc<Self>, wanted: &Wanted<'_>, make: impl Fn() -> M) -> Outcome
    where
        M: Future<Output = Made> + Send + 'static,
    {
        match self.lookup(wanted) {
            Lookup::Hit(answer) => answer,
            Lookup::Stale(stale) => {
                self.counters.stale.inc();
                // Background work, so no part of this request's trace. If it is refused, the stale answer is sent all
                // the same.
                _ = self.join_or_start(wanted, Some(Arc::clone(&stale)), false, make);
                Ok(stale)
            }
            Lookup::Miss { fallback } => {
                self.counters.misses.inc();
                let _permit = match self.admit(wanted) {
                    Ok(permit) => permit,
                    Err(problem) => return fallback.ok_or(problem),
                };
                // Boxed: most requests never wait, and should not carry the size of this future.
                Box::pin(self.refresh(wanted, fallback, make)).await
            }
        }
    }

    /// Admits a caller to begin work, or to wait for a flight started by another. Waiting is not work, so any number of
    /// callers waiting for one hanging answer block no other work.
    fn admit(&self, wanted: &Wanted<'_>) -> Result<Option<SemaphorePermit<'_>>, Problem> {
        if self.flights.has(wanted.key) {
            let permit = self.waiting.try_acquire();
            return permit.map(Some).map_err(|_| Problem::overloaded());
        }
        wanted.work.map_or(Ok(()), Work::begin)?;
        Ok(None)
    }

    fn lookup(&self, wanted: &Wanted<'_>) -> Lookup {
        let now = Instant::now();
        let Some(cached) = self.cached.get(wanted.key) else {
            return self.lookup_negative(wanted, now);
        };
        match cached.freshness(&self.changes, wanted.edition, now) {
            Freshness::Fresh => {
                self.counters.hits.inc();
                if cached.is_worth_recompression()
                    && wanted.fresh >= RECOMPRESSED_FRESH_MIN
                    && cached.has_codings()
                {
                    self.recompression.add(&cached);
                }
                Lookup::Hit(Ok(cached))
            }
            Freshness::Paused => {
                self.counters.stale.inc();
                Lookup::Hit(Ok(cached))
            }
            Freshness::Stale => Lookup::Stale(cached),
            Freshness::FallbackOnly => Lookup::Miss {
                fallback: Some(cached),
            },
            Freshness::Expired => Lookup::Miss { fallback: None },
        }
    }

    /// Looks up a negative answer, which is never sent stale.
    fn lookup_negative(&self, wanted: &Wanted<'_>, now: Instant) -> Lookup {
        let answer = match self.negative.get(wanted.key) {
            Some(Negative::Representation(cached))
                if cached.freshness(&self.changes, wanted.edition, now) == Freshness::Fresh =>
            {
                Ok(cached)
            }
            Some(Negative::Refusal(cached))
                if now < cached.fresh_until && self.changes.is_current(&cached.basis) =>
            {
                Err(cached.problem.clone())
            }
            _ => return Lookup::Miss { fallback: None },
        };
        self.counters.absent.inc();
        Lookup::Hit(answer)
    }

    /// Waits for a new answer until the caller's deadline, or for half of that time if there is a fallback.
    async fn refresh<M>(
        self: &Arc<Self>,
        wanted: &Wanted<'_>,
        mut fallback: Option<Arc<Representation>>,
        make: impl Fn() -> M,
    ) -> Outcome
    where
        M: Future<Output = Made> + Send + 'static,
    {
        let mut attempt = 1;
        loop {
            let now = Instant::now();
            let left = wanted.deadline.saturating_duration_since(now);
            let patience = if fallback.is_some() { left / 2 } else { left };
            let flight = match self.join_or_start(wanted, fallback.clone(), true, &make) {
                Ok(flight) => flight,
                Err(problem) => return fallback.ok_or(problem),
            };
            let Ok(outcome) = tokio::time::timeout(patience, flight.outcome()).await else {
                return self.fall_back(wanted, fallback);
            };
            let answer = match outcome {
                Ok(answer) => answer,
                // The caller that started the flight may have had no fallback.
                Err(problem) if is_failure(problem.status()) => return fallback.ok_or(problem),
                Err(problem) => return Err(problem),
            };
            // The flight that we joined may have started before the change; the next one cannot have.
            if attempt == ATTEMPTS_MAX || answer.is_current(&self.changes, wanted.edition) {
                return Ok(answer);
            }
            fallback = Some(answer);
            attempt += 1;
        }
    }

    /// Returns the fallback for a caller that cannot wait any longer.
    fn fall_back(&self, wanted: &Wanted<'_>, fallback: Option<Arc<Representation>>) -> Outcome {
        let stale = fallback.ok_or_else(Problem::deadline_exceeded)?;
        // For later callers. The flight continues and replaces this answer if it succeeds.
        let seen = Basis::new(self.changes.position(), Vec::new());
        stale.outlive(&seen, wanted.edition, Instant::now());
        self.counters.stale_on_error.inc();
        Ok(stale)
    }

    fn join_or_start<M>(
        self: &Arc<Self>,
        wanted: &Wanted<'_>,
        old: Option<Arc<Representation>>,
        is_seen: bool,
        make: impl Fn() -> M,
    ) -> Result<Flight, Problem>
    where
        M: Future<Output = Made> + Send + 'static,
    {
        let seen = Basis::new(self.changes.position(), Vec::new());
        let plan = Plan {
            store: Arc::clone(self),
            fresh: wanted.fresh,
            edition: wanted.edition,
            old,
            seen,
        };
        let settle = move |key, made| plan.settle(key, made);
        self.flights
            .join_or_start(wanted.key, wanted.budget, is_seen, make, settle)
    }
}

/// Stores the result of a flight, or falls back to the old answer.
struct Plan {
    store: Arc<Store>,
    fresh: Duration,
    edition: Edition,
    /// Reused if unchanged, and sent if the flight fails.
    old: Option<Arc<Representation>>,
    /// Changes known when the flight began.
    seen: Basis,
}

impl Plan {
    async fn settle(self, key: Arc<[u8]>, made: Made) -> Outcome {
        let has_failed = match &made {
            Made::Draft(draft) => !draft.is_complete,
            Made::Absent(..) => false,
            Made::Refused(problem) => is_failure(problem.status()),
        };
        let now = Instant::now();
        if has_failed
            && let Some(old) = &self.old
            && old.is_complete()
            && !old.remaining(now).is_zero()
        {
            old.outlive(&self.seen, self.edition, now);
            self.store.counters.stale_on_error.inc();
            return Ok(Arc::clone(old));
        }
        match made {
            Made::Draft(draft) => Ok(self.insert(key, draft).await),
            Made::Absent(problem, basis) => {
                let refusal = Refusal {
                    problem: problem.clone(),
                    basis,
                    fresh_until: now + self.fresh.min(NEGATIVE_FRESH),
                };
                self.store.cached.invalidate(&key);
                let negative = Negative::Refusal(Arc::new(refusal));
                self.store.negative.insert(key, negative);
                Err(problem)
            }
            Made::Refused(problem) => {
                if !has_failed {
                    self.store.cached.invalidate(&key);
                }
                Err(problem)
            }
        }
    }

    async fn insert(self, key: Arc<[u8]>, draft: Draft) -> Arc<Representation> {
        let lifetime = Lifetime {
            fresh: self.fresh,
            stale: self.store.limits.stale,
            stale_on_error: self.store.limits.stale_on_error,
        };
        let effort = if draft.is_negative || !draft.is_complete || self.fresh < QUICK_FRESH_MIN {
            Effort::Fast
        } else {
            Effort::Quick
        };
        let old = self.old.as_deref();
        let made = Representation::finish(draft, lifetime, self.edition, effort, old).await;
        let made = Arc::new(made);
        if made.is_negative() {
            self.store.cached.invalidate(&key);
            let negative = Negative::Representation(Arc::clone(&made));
            self.store.negative.insert(key, negative);
        } else if self.is_worth_caching(&key) {
            self.store.cached.insert(key, Arc::clone(&made));
        }
        made
    }

    /// Whether a new answer is cached. Not if it lives for seconds, its key is new, and the store holds many others.
    fn is_worth_caching(&self, key: &[u8]) -> bool {
        let store = &self.store;
        self.fresh >= QUICK_FRESH_MIN
            || self.old.is_some()
            || store.doorkeeper.has_seen(key)
            || store.cached.weighted_size() <= store.limits.bytes_max / DOORKEEPER_SHARE
    }
}

/// Answers fresh for less are compressed with [`Effort::Fast`], because they are soon replaced.
const QUICK_FRESH_MIN: Duration = Duration::from_secs(5);
/// Answers fresh for less are not recompressed.
const RECOMPRESSED_FRESH_MIN: Duration = Duration::from_secs(30);

/// Whether the failure may be temporary. A missing resource or a refusal is a definite answer.
fn is_failure(status: StatusCode) -> bool {
    status.is_server_error()
        || matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
        )
}

struct UntilExpired;

impl Expiry<Arc<[u8]>, Arc<Representation>> for UntilExpired {
    fn expire_after_create(
        &self,
        _key: &Arc<[u8]>,
        made: &Arc<Representation>,
        created: Instant,
    ) -> Option<Duration> {
        Some(made.remaining(created))
    }

    fn expire_after_update(
        &self,
        _key: &Arc<[u8]>,
        made: &Arc<Representation>,
        updated: Instant,
        _left: Option<Duration>,
    ) -> Option<Duration> {
        Some(made.remaining(updated))
    }
}
