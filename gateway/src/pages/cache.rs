//! Finished documents in memory: fresh, stale while a new one is made, stale while the new one cannot be made.

use std::{
    collections::HashMap,
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use moka::{Expiry, future::Cache};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};

use super::{
    compose::Composed,
    metrics, task,
    variants::{Effort, Variants},
};
use crate::middleware::trace::{self, RequestTrace};

/// An incomplete document is shown again for this long at most, so that a dead service is not asked on every request.
const INCOMPLETE_FRESH: Duration = Duration::from_secs(2);
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

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

/// A document, ready to be sent.
#[derive(Debug)]
pub(super) struct Stored {
    status: StatusCode,
    policy: HeaderValue,
    is_complete: bool,
    variants: ArcSwap<Variants>,
    fresh_until: Mutex<Instant>,
    stale_until: Instant,
    gone_at: Instant,
    /// The last attempt to replace it failed.
    is_orphan: AtomicBool,
}

enum Age {
    Fresh,
    Stale,
    Old,
}

/// What is being made right now, by key; everybody who wants the same waits for the same.
type Flights = Mutex<HashMap<Arc<str>, watch::Receiver<Option<Arc<Stored>>>>>;

/// The cache of documents. Keys hold the registry's generation, so a swap needs no invalidation.
#[derive(Debug)]
pub(super) struct DocumentCache {
    entries: Cache<Arc<str>, Arc<Stored>>,
    flights: Flights,
    limits: CacheLimits,
    /// One at a time: the best compression takes a processor for some 50 ms.
    recompress: Arc<Semaphore>,
}

impl DocumentCache {
    pub(super) fn new(limits: CacheLimits) -> Self {
        let weight_min =
            u32::try_from(limits.bytes_max / limits.entries_max.max(1)).unwrap_or(u32::MAX);
        let weigh = move |key: &Arc<str>, stored: &Arc<Stored>| {
            let bytes = key.len() + stored.variants.load().size();
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
            recompress: Arc::new(Semaphore::new(1)),
        }
    }

    /// The document for `key`; `make` makes it when there is none that may be sent. `None` only if making it panicked.
    pub(super) async fn get<F>(
        self: &Arc<Self>,
        key: &str,
        fresh: Duration,
        make: impl FnOnce() -> F,
    ) -> Option<Arc<Stored>>
    where
        F: Future<Output = Composed> + Send + 'static,
    {
        let old = self.entries.get(key).await;
        let metrics = metrics::get();
        if let Some(old) = old {
            match old.age() {
                Age::Fresh => {
                    metrics.cache_hits.inc();
                    return Some(old);
                }
                Age::Stale => {
                    metrics.cache_stale.inc();
                    // Nobody waits for it, so it is no part of this request's trace.
                    drop(self.fly(key, fresh, Some(Arc::clone(&old)), make, None));
                    return Some(old);
                }
                Age::Old => {
                    metrics.cache_misses.inc();
                    return landed(self.fly(key, fresh, Some(old), make, trace::current())).await;
                }
            }
        }
        metrics.cache_misses.inc();
        landed(self.fly(key, fresh, None, make, trace::current())).await
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
            && !composed.is_complete
            && old.is_complete
            && Instant::now() < old.gone_at
        {
            *old.fresh_until.lock() = Instant::now() + INCOMPLETE_FRESH;
            old.is_orphan.store(true, Ordering::Relaxed);
            return Some(Arc::clone(old));
        }
        let stored = Arc::new(Stored::new(composed, fresh, self.limits, old.as_deref()).await?);
        self.entries
            .insert(Arc::clone(key), Arc::clone(&stored))
            .await;
        if stored.is_complete {
            self.recompress(&stored);
        }
        Some(stored)
    }

    /// Replaces the quick compression by the best one, unless many others wait for that.
    fn recompress(&self, stored: &Arc<Stored>) {
        let Ok(permit) = Arc::clone(&self.recompress).try_acquire_owned() else {
            return;
        };
        let stored = Arc::downgrade(stored);
        tokio::task::spawn_blocking(move || {
            if let Some(stored) = stored.upgrade() {
                let bytes = stored.variants.load().plain().clone();
                stored
                    .variants
                    .store(Arc::new(Variants::compressed(bytes, Effort::Best)));
            }
            drop(permit);
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
        Some(stored.gone_at.saturating_duration_since(created))
    }

    fn expire_after_update(
        &self,
        _key: &Arc<str>,
        stored: &Arc<Stored>,
        updated: Instant,
        _left: Option<Duration>,
    ) -> Option<Duration> {
        Some(stored.gone_at.saturating_duration_since(updated))
    }
}

impl Stored {
    /// `None` when compressing panicked or the policy is no header value.
    async fn new(
        composed: Composed,
        fresh: Duration,
        limits: CacheLimits,
        old: Option<&Self>,
    ) -> Option<Self> {
        let Composed {
            status,
            html,
            policy,
            is_complete,
        } = composed;
        let html = Bytes::from(html);
        let known = old
            .map(|old| old.variants.load_full())
            .filter(|variants| *variants.plain() == html);
        let variants = if let Some(variants) = known {
            variants
        } else {
            let compress = move || Variants::compressed(html, Effort::Quick);
            Arc::new(tokio::task::spawn_blocking(compress).await.ok()?)
        };
        let now = Instant::now();
        let (fresh_until, stale_until, gone_at) = if is_complete {
            let fresh_until = now + fresh;
            // A page that asks for no caching at all is not sent stale either, unless there is nothing better.
            let stale = if fresh.is_zero() {
                Duration::ZERO
            } else {
                limits.stale
            };
            (
                fresh_until,
                fresh_until + stale,
                fresh_until + limits.stale.max(limits.stale_on_error),
            )
        } else {
            let fresh_until = now + fresh.min(INCOMPLETE_FRESH);
            (fresh_until, fresh_until, fresh_until)
        };
        Some(Self {
            status: StatusCode::from_u16(status).ok()?,
            policy: HeaderValue::try_from(policy).ok()?,
            is_complete,
            variants: ArcSwap::new(variants),
            fresh_until: Mutex::new(fresh_until),
            stale_until,
            gone_at,
            is_orphan: AtomicBool::new(false),
        })
    }

    fn age(&self) -> Age {
        let now = Instant::now();
        if now < *self.fresh_until.lock() {
            Age::Fresh
        } else if now < self.stale_until
            || (self.is_orphan.load(Ordering::Relaxed) && now < self.gone_at)
        {
            Age::Stale
        } else {
            Age::Old
        }
    }

    /// Answers GET and HEAD.
    pub(super) fn respond(&self, request: &HeaderMap) -> Response<Body> {
        let variants = self.variants.load();
        let chosen = variants.select(request);
        let is_known = self.status == StatusCode::OK && variants.is_known(request);
        let body = if is_known {
            Body::empty()
        } else {
            Body::from(chosen.bytes.clone())
        };
        let mut response = Response::new(body);
        *response.status_mut() = if is_known {
            StatusCode::NOT_MODIFIED
        } else {
            self.status
        };
        let headers = response.headers_mut();
        // Room for these and for what the layers above add.
        headers.reserve(16);
        headers.insert(header::CONTENT_TYPE, HTML);
        headers.insert(header::ETAG, chosen.etag.clone());
        headers.insert(header::CACHE_CONTROL, NO_CACHE);
        headers.insert(header::VARY, ACCEPT_ENCODING);
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        if let Some(coding) = &chosen.coding {
            headers.insert(header::CONTENT_ENCODING, coding.clone());
        }
        response
    }
}
