//! The cache of finished documents, with single flight, stale-while-revalidate and stale-if-error (RFC 5861).

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
    changes::Changes,
    stored::{Age, Lifetime, Stored},
    variants::Effort,
};
use crate::{
    documents::{composed::Composed, metrics},
    request::{
        task,
        trace::{self, RequestTrace},
    },
};

/// Attempts at a document: one that was made before a known change is made again, once.
const ATTEMPTS_MAX: u32 = 2;

/// Documents queued for their best compression: more pages than a site is asked for within seconds.
const RECOMPRESSIONS_MAX: usize = 256;

/// Size of the cache, and for how long a stale document may be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheLimits {
    pub(crate) entries_max: u64,
    pub(crate) bytes_max: u64,
    /// Stale-while-revalidate: sent while a new one is made in the background.
    pub(crate) stale: Duration,
    /// Stale-if-error: sent while a new one cannot be made.
    pub(crate) stale_on_error: Duration,
}

/// Single flight: documents being made, by key. Concurrent requests for a key share one flight.
type Flights = Mutex<HashMap<Arc<str>, watch::Receiver<Option<Arc<Stored>>>>>;

/// The cache of documents. Keys hold the registry's generation, so a swap needs no invalidation.
#[derive(Debug)]
pub(crate) struct DocumentCache {
    entries: Cache<Arc<str>, Arc<Stored>>,
    flights: Flights,
    limits: CacheLimits,
    changes: Arc<Changes>,
    recompression: Recompression,
}

impl DocumentCache {
    pub(crate) fn new(limits: CacheLimits, changes: Arc<Changes>) -> Self {
        let weight_min =
            u32::try_from(limits.bytes_max / limits.entries_max.max(1)).unwrap_or(u32::MAX);
        let weigh = move |key: &Arc<str>, stored: &Arc<Stored>| {
            let bytes = key.len() + stored.size();
            u32::try_from(bytes).unwrap_or(u32::MAX).max(weight_min)
        };
        let entries = Cache::builder()
            .max_capacity(limits.bytes_max)
            .weigher(weigh)
            .expire_after(UntilExpired)
            .build();
        Self {
            entries,
            flights: Flights::default(),
            limits,
            changes,
            recompression: Recompression::default(),
        }
    }

    /// The document for `key`, made by `make` on a miss. `None` only if making it panicked.
    ///
    /// An invalidated document is made anew before it is sent; it is sent stale only if that fails.
    pub(crate) async fn get<F>(
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
                    // Background work: no part of this request's trace.
                    drop(self.join_or_start(key, fresh, Some(Arc::clone(old)), &make, None));
                    return Some(Arc::clone(old));
                }
                Age::Old => {}
            }
        }
        metrics.cache_misses.inc();
        let mut attempt = 1;
        loop {
            let found =
                finished(self.join_or_start(key, fresh, old, &make, trace::current())).await?;
            // The flight that we joined may have started before the change; the next one cannot have.
            if attempt == ATTEMPTS_MAX || self.changes.is_current(&found.basis) {
                return Some(found);
            }
            old = Some(found);
            attempt += 1;
        }
    }

    /// Joins the flight for `key`, or starts it. A flight outlives the request that started it.
    fn join_or_start<F>(
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
        let (sender, flight) = watch::channel(None);
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
            sender.send_replace(stored);
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
            old.extend_stale(&composed);
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
    /// Queues a document. Skips it when the queue is full, or when the cache has dropped it before its turn.
    fn add(&self, stored: &Arc<Stored>) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return;
        };
        let (turn, stored) = (Arc::clone(&self.turn), Arc::downgrade(stored));
        tokio::spawn(async move {
            // The semaphore is never closed.
            let Ok(turn) = turn.acquire_owned().await else {
                return;
            };
            let work = move || {
                if let Some(stored) = stored.upgrade() {
                    stored.recompress();
                }
                drop((turn, place));
            };
            // A panic is logged by its hook, and the quick compression stays.
            _ = tokio::task::spawn_blocking(work).await;
        });
    }
}

async fn finished(mut flight: watch::Receiver<Option<Arc<Stored>>>) -> Option<Arc<Stored>> {
    flight.wait_for(Option::is_some).await.ok()?.clone()
}

/// Removes a flight from the map even if it panics.
struct FlightGuard {
    cache: Arc<DocumentCache>,
    key: Arc<str>,
}

impl Drop for FlightGuard {
    fn drop(&mut self) {
        self.cache.flights.lock().remove(&self.key);
    }
}

struct UntilExpired;

impl Expiry<Arc<str>, Arc<Stored>> for UntilExpired {
    fn expire_after_create(
        &self,
        _key: &Arc<str>,
        stored: &Arc<Stored>,
        created: Instant,
    ) -> Option<Duration> {
        Some(stored.remaining(created))
    }

    fn expire_after_update(
        &self,
        _key: &Arc<str>,
        stored: &Arc<Stored>,
        updated: Instant,
        _left: Option<Duration>,
    ) -> Option<Duration> {
        Some(stored.remaining(updated))
    }
}
