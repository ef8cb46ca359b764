//! Finished documents in memory: fresh, stale while a new one is made, stale while the new one cannot be made.

use std::{
    collections::HashMap,
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use moka::{Expiry, future::Cache};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};

use super::{
    composed::Composed,
    metrics,
    stored::{Age, Lifetime, Stored},
    task,
    variants::Effort,
};
use crate::{
    changes::Changes,
    middleware::trace::{self, RequestTrace},
};

/// Times that a document is asked for because the one that came is older than a change that is known.
const ATTEMPTS_MAX: u32 = 2;

/// Documents that wait for their best compression: more than a site has pages that are asked for within seconds.
const RECOMPRESSIONS_MAX: usize = 256;

/// How much is kept and for how long after it stops being fresh.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheLimits {
    pub(super) entries_max: u64,
    pub(super) bytes_max: u64,
    /// Served while a new one is made behind it.
    pub(super) stale: Duration,
    /// Served while a new one cannot be made.
    pub(super) stale_on_error: Duration,
}

/// What is being made right now, by key; everybody who wants the same waits for the same.
type Flights = Mutex<HashMap<Arc<str>, watch::Receiver<Option<Arc<Stored>>>>>;

/// The cache of documents. Keys hold the registry's generation, so a swap needs no invalidation.
#[derive(Debug)]
pub(super) struct DocumentCache {
    entries: Cache<Arc<str>, Arc<Stored>>,
    flights: Flights,
    limits: CacheLimits,
    changes: Arc<Changes>,
    recompression: Recompression,
}

impl DocumentCache {
    pub(super) fn new(limits: CacheLimits, changes: Arc<Changes>) -> Self {
        let weight_min =
            u32::try_from(limits.bytes_max / limits.entries_max.max(1)).unwrap_or(u32::MAX);
        let weigh = move |key: &Arc<str>, stored: &Arc<Stored>| {
            let bytes = key.len() + stored.size();
            u32::try_from(bytes).unwrap_or(u32::MAX).max(weight_min)
        };
        let entries = Cache::builder()
            .max_capacity(limits.bytes_max)
            .weigher(weigh)
            .expire_after(Gone)
            .build();
        Self {
            entries,
            flights: Flights::default(),
            limits,
            changes,
            recompression: Recompression::default(),
        }
    }

    /// The document for `key`; `make` makes it when there is none that may be sent. `None` only if making it panicked.
    ///
    /// One whose data has changed is made anew before it is sent, and sent as it is only if that cannot be done.
    pub(super) async fn get<F>(
        self: &Arc<Self>,
        key: &str,
        fresh: Duration,
        make: impl Fn() -> F,
    ) -> Option<Arc<Stored>>
    where
        F: Future<Output = Composed> + Send + 'static,
    {
        let mut old = self.entries.get(key).await;
        let metrics = metrics::get();
        if let Some(old) = &old
            && self.changes.is_current(&old.basis)
        {
            match old.age() {
                Age::Fresh => {
                    metrics.cache_hits.inc();
                    return Some(Arc::clone(old));
                }
                Age::Stale => {
                    metrics.cache_stale.inc();
                    // Nobody waits for it, so it is no part of this request's trace.
                    drop(self.fly(key, fresh, Some(Arc::clone(old)), &make, None));
                    return Some(Arc::clone(old));
                }
                Age::Old => {}
            }
        }
        metrics.cache_misses.inc();
        let mut attempt = 1;
        loop {
            let found = landed(self.fly(key, fresh, old, &make, trace::current())).await?;
            // Another's flight may have begun before the change; the one after it cannot.
            if attempt == ATTEMPTS_MAX || self.changes.is_current(&found.basis) {
                return Some(found);
            }
            old = Some(found);
            attempt += 1;
        }
    }

    /// Joins the making of `key`, or starts it. It goes on when the visitor who started it leaves.
    fn fly<F>(
        self: &Arc<Self>,
        key: &str,
        fresh: Duration,
        old: Option<Arc<Stored>>,
        make: impl FnOnce() -> F,
        trace: Option<RequestTrace>,
    ) -> watch::Receiver<Option<Arc<Stored>>>
    where
        F: Future<Output = Composed> + Send + 'static,
    {
        let mut flights = self.flights.lock();
        if let Some(flight) = flights.get(key) {
            return flight.clone();
        }
        let key: Arc<str> = Arc::from(key);
        let (landing, flight) = watch::channel(None);
        flights.insert(Arc::clone(&key), flight.clone());
        drop(flights);
        let guard = FlightGuard {
            cache: Arc::clone(self),
            key,
        };
        let making = make();
        let work = async move {
            let composed = making.await;
            let stored = guard.cache.store(&guard.key, composed, fresh, old).await;
            drop(guard);
            landing.send_replace(stored);
        };
        drop(task::spawn(work, trace));
        flight
    }

    async fn store(
        self: &Arc<Self>,
        key: &Arc<str>,
        composed: Composed,
        fresh: Duration,
        old: Option<Arc<Stored>>,
    ) -> Option<Arc<Stored>> {
        if let Some(old) = &old
            && old.outlives(&composed)
        {
            old.stand_in_for(&composed);
            return Some(Arc::clone(old));
        }
        let lifetime = Lifetime {
            fresh,
            stale: self.limits.stale,
            stale_on_error: self.limits.stale_on_error,
        };
        let stored = Stored::new(composed, lifetime, Effort::Quick, old.as_deref()).await?;
        let stored = Arc::new(stored);
        self.entries
            .insert(Arc::clone(key), Arc::clone(&stored))
            .await;
        if stored.is_complete {
            self.recompression.add(&stored);
        }
        Some(stored)
    }
}

/// Replaces quick compressions by the best one, one at a time: it takes a processor for some 50 ms.
#[derive(Debug)]
struct Recompression {
    turn: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Default for Recompression {
    fn default() -> Self {
        Self {
            turn: Arc::new(Semaphore::new(1)),
            places: Arc::new(Semaphore::new(RECOMPRESSIONS_MAX)),
        }
    }
}

impl Recompression {
    /// Unless too many others wait for that, or it is no longer wanted when its turn comes.
    fn add(&self, stored: &Arc<Stored>) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return;
        };
        let (turn, stored) = (Arc::clone(&self.turn), Arc::downgrade(stored));
        tokio::spawn(async move {
            // Never closed.
            let Ok(turn) = turn.acquire_owned().await else {
                return;
            };
            let work = move || {
                if let Some(stored) = stored.upgrade() {
                    stored.recompress();
                }
                drop((turn, place));
            };
            // A panic in it has been reported, and the quick compression stays.
            _ = tokio::task::spawn_blocking(work).await;
        });
    }
}

async fn landed(mut flight: watch::Receiver<Option<Arc<Stored>>>) -> Option<Arc<Stored>> {
    flight.wait_for(Option::is_some).await.ok()?.clone()
}

/// Takes a flight off the list even if it panics.
struct FlightGuard {
    cache: Arc<DocumentCache>,
    key: Arc<str>,
}

impl Drop for FlightGuard {
    fn drop(&mut self) {
        self.cache.flights.lock().remove(&self.key);
    }
}

struct Gone;

impl Expiry<Arc<str>, Arc<Stored>> for Gone {
    fn expire_after_create(
        &self,
        _key: &Arc<str>,
        stored: &Arc<Stored>,
        created: Instant,
    ) -> Option<Duration> {
        Some(stored.left(created))
    }

    fn expire_after_update(
        &self,
        _key: &Arc<str>,
        stored: &Arc<Stored>,
        updated: Instant,
        _left: Option<Duration>,
    ) -> Option<Duration> {
        Some(stored.left(updated))
    }
}
