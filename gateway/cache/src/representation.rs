//! A finished answer in all codings, with everything needed to send it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use bytes::Bytes;

use super::{
    changes::{Basis, Changes},
    compression::{self, Effort},
    max_age,
    variants::Variants,
};

/// Milliseconds that an incomplete answer counts as fresh. Also the pause after a failed refresh, so that a dead
/// service is not called on every request.
const PAUSE_MS: u64 = 2_000;
/// How long a negative answer counts as fresh.
pub(super) const NEGATIVE_FRESH: Duration = Duration::from_secs(4);
/// Capacity for the headers of a representation and those that outer layers add.
const HEADERS: usize = 24;
/// Estimated memory of a representation in bytes, beside its key and bodies: headers, tags and its cache entry.
const OVERHEAD_BYTES: usize = 1024;
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// An answer before it is compressed and cached.
#[derive(Debug)]
pub struct Draft {
    /// Status of the response.
    pub status: StatusCode,
    /// Body, not compressed.
    pub body: Bytes,
    /// All headers except those of validators, codings and lifetime.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Version of the resource, used in its tags. Without one, a hash of the body is used.
    pub version: Option<String>,
    /// What clients may do with it.
    pub cache_control: CacheControl,
    /// False if a dependency failed. Such a draft must not replace a complete answer.
    pub is_complete: bool,
    /// A negative answer. Clients can request any number of them, so they are cached briefly and cheaply.
    pub is_negative: bool,
    /// What it was made of.
    pub basis: Basis,
}

/// What downstream caches may do.
#[derive(Clone, Debug)]
pub enum CacheControl {
    /// The same value for every response.
    Fixed(HeaderValue),
    /// Cacheable for as long as the answer is still fresh here.
    Remaining,
}

/// Fingerprint of the page modules that made an answer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Edition {
    /// Of the modules that produce the answer. An answer of another edition is made again before it is sent.
    pub own: u64,
    /// Of modules that the answer merely mentions. An answer of another edition is sent while a new one is made.
    pub around: u64,
}

/// How long an answer may be sent, fresh and stale (RFC 5861).
#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    /// Sent without a refresh.
    pub fresh: Duration,
    /// After `fresh`, stale-while-revalidate: sent while a new one is made.
    pub stale: Duration,
    /// After `fresh`, stale-if-error: sent while a new one cannot be made.
    pub stale_on_error: Duration,
}

/// An answer, ready to be sent.
#[derive(Debug)]
pub struct Representation {
    status: StatusCode,
    headers: Box<[(HeaderName, HeaderValue)]>,
    cache_control: CacheControl,
    is_complete: bool,
    is_negative: bool,
    /// Reads whose changes invalidate this answer.
    basis: Basis,
    own_edition: AtomicU64,
    around_edition: AtomicU64,
    variants: ArcSwap<Variants>,
    made_at: Instant,
    fresh_until: Instant,
    stale_until: Instant,
    expires_at: Instant,
    /// Milliseconds after `made_at` until which no refresh is attempted, because one has just failed. 0 if none has
    /// failed; otherwise it may be sent stale-if-error.
    paused_until_ms: AtomicU64,
    /// Times sent from the store, counted up to the threshold for recompression.
    sent: AtomicU32,
}

/// How a representation may be used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Freshness {
    Fresh,
    /// Sent while a new one is made.
    Stale,
    /// Sent without a refresh, because one has just failed.
    Paused,
    /// Sent only if a new one cannot be made.
    FallbackOnly,
    /// Not sent.
    Expired,
}

impl Representation {
    /// Builds a representation from `draft`. Reuses the variants of `old` if body and version are the same. Otherwise
    /// compresses now, or defers each coding until it is requested. If the compression panics, only the plain body
    /// remains.
    pub async fn finish(
        draft: Draft,
        lifetime: Lifetime,
        edition: Edition,
        effort: Effort,
        old: Option<&Self>,
    ) -> Self {
        let Draft { body, version, .. } = draft;
        let variants = if let Some(known) = old.and_then(|old| old.same(&body, version.as_deref()))
        {
            known
        } else if effort.is_on_the_spot(body.len()) {
            Arc::new(Variants::deferred(body, version.as_deref()))
        } else {
            let (size, plain, named) = (body.len(), body.clone(), version.clone());
            let compress = move || Variants::compressed(plain, named.as_deref(), effort);
            let variants = compression::run(size, effort, compress).await;
            Arc::new(variants.unwrap_or_else(|| Variants::plain_only(body, version.as_deref())))
        };
        let now = Instant::now();
        let lifetime = lifetime.of(draft.is_complete, draft.is_negative);
        let fresh_until = now + lifetime.fresh;
        Self {
            status: draft.status,
            headers: draft.headers.into(),
            cache_control: draft.cache_control,
            is_complete: draft.is_complete,
            is_negative: draft.is_negative,
            basis: draft.basis,
            own_edition: AtomicU64::new(edition.own),
            around_edition: AtomicU64::new(edition.around),
            variants: ArcSwap::new(variants),
            made_at: now,
            fresh_until,
            stale_until: fresh_until + lifetime.stale,
            expires_at: fresh_until + lifetime.stale.max(lifetime.stale_on_error),
            paused_until_ms: AtomicU64::new(0),
            sent: AtomicU32::new(0),
        }
    }

    fn same(&self, body: &Bytes, version: Option<&str>) -> Option<Arc<Variants>> {
        let known = self.variants.load_full();
        let is_same = known.plain() == body && version.is_none_or(|own| own == known.version());
        is_same.then_some(known)
    }

    /// Returns the bytes held in memory.
    pub(crate) fn size(&self) -> usize {
        let headers = self.headers.iter().map(|(_, value)| value.len());
        OVERHEAD_BYTES + self.variants.load().size() + headers.sum::<usize>()
    }

    /// Returns the reads whose changes invalidate this answer.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Returns [`Draft::is_complete`] of its draft.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(super) fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Returns the time from `now` until expiry, at which the cache evicts it.
    pub(super) fn remaining(&self, now: Instant) -> Duration {
        self.expires_at.saturating_duration_since(now)
    }

    /// Whether neither a change nor a publish has invalidated what it was made from.
    pub(super) fn is_current(&self, changes: &Changes, edition: Edition) -> bool {
        self.own_edition.load(Ordering::Relaxed) == edition.own && changes.is_current(&self.basis)
    }

    pub(super) fn freshness(&self, changes: &Changes, edition: Edition, now: Instant) -> Freshness {
        if now >= self.expires_at {
            return Freshness::Expired;
        }
        if !self.is_current(changes, edition) {
            return Freshness::FallbackOnly;
        }
        let is_up_to_date = self.around_edition.load(Ordering::Relaxed) == edition.around;
        if is_up_to_date && now < self.fresh_until {
            return Freshness::Fresh;
        }
        match self.paused_until() {
            Some(paused_until) if now < paused_until => Freshness::Paused,
            Some(_) => Freshness::Stale,
            None if now < self.stale_until => Freshness::Stale,
            None => Freshness::FallbackOnly,
        }
    }

    /// Returns the end of the pause after the last failed refresh; `None` if none has failed.
    fn paused_until(&self) -> Option<Instant> {
        let paused_ms = self.paused_until_ms.load(Ordering::Relaxed);
        (paused_ms > 0).then(|| self.made_at + Duration::from_millis(paused_ms))
    }

    /// Stale-if-error: keeps this answer in use after a failed refresh, until the next refresh or change. `seen` holds
    /// the changes known to that refresh, which was for `edition`.
    pub(super) fn outlive(&self, seen: &Basis, edition: Edition, now: Instant) {
        let age = now.saturating_duration_since(self.made_at);
        let paused = u64::try_from(age.as_millis()).unwrap_or(u64::MAX - PAUSE_MS) + PAUSE_MS;
        self.basis.advance_to(seen);
        self.own_edition.store(edition.own, Ordering::Relaxed);
        self.around_edition.store(edition.around, Ordering::Relaxed);
        self.paused_until_ms.store(paused, Ordering::Relaxed);
    }

    /// Counts one send from the store. Returns true once, at the second send, when the answer is worth its best
    /// compression.
    pub(super) fn is_worth_recompression(&self) -> bool {
        const AGAIN: u32 = 2;
        if self.sent.load(Ordering::Relaxed) >= AGAIN || self.is_negative || !self.is_complete {
            return false;
        }
        self.sent.fetch_add(1, Ordering::Relaxed) + 1 == AGAIN
    }

    /// Replaces the quick compression with the best one. Blocks for about 50 ms.
    pub(super) fn recompress(&self) {
        let old = self.variants.load_full();
        let best = Variants::compressed(old.plain().clone(), Some(old.version()), Effort::Best);
        self.variants.store(Arc::new(best));
    }

    pub(super) fn has_codings(&self) -> bool {
        self.variants.load().plain().len() >= compression::BYTES_MIN
    }

    /// Returns the `Content-Type`, if the answer has one. A 304 has none.
    pub fn content_type(&self) -> Option<&HeaderValue> {
        let mut headers = self.headers.iter();
        headers
            .find(|(name, _)| name == header::CONTENT_TYPE)
            .map(|(_, value)| value)
    }

    /// Builds the response to a request with these headers: 304 if the client's copy is current. For HEAD, the edge
    /// sends only the head.
    pub fn response(&self, request: &HeaderMap) -> Response<Bytes> {
        let variants = self.variants.load();
        let chosen = variants.select(request);
        let is_known = self.status == StatusCode::OK && variants.is_known(request);
        let mut headers = HeaderMap::with_capacity(HEADERS);
        headers.insert(header::ETAG, chosen.etag.clone());
        headers.insert(header::VARY, ACCEPT_ENCODING);
        let value = match &self.cache_control {
            CacheControl::Fixed(value) => value.clone(),
            CacheControl::Remaining => {
                let now = Instant::now();
                if now >= self.fresh_until {
                    // Marks the answer as stale, which the lifetime alone would not.
                    let age = now.saturating_duration_since(self.made_at);
                    headers.insert(header::AGE, HeaderValue::from(age.as_secs()));
                }
                max_age::value(self.fresh_until.saturating_duration_since(now))
            }
        };
        headers.insert(header::CACHE_CONTROL, value);
        for (name, value) in &self.headers {
            // A 304 describes no body. All other headers are those of the 200.
            if !(is_known && name == header::CONTENT_TYPE) {
                headers.insert(name.clone(), value.clone());
            }
        }
        let mut response = if is_known {
            Response::new(Bytes::new())
        } else {
            if let Some(coding) = &chosen.coding {
                headers.insert(header::CONTENT_ENCODING, coding.clone());
            }
            Response::new(chosen.bytes.clone())
        };
        *response.status_mut() = if is_known {
            StatusCode::NOT_MODIFIED
        } else {
            self.status
        };
        *response.headers_mut() = headers;
        response
    }
}

impl Lifetime {
    /// Practically always fresh: only a change of its inputs replaces it.
    pub const RESIDENT: Self = Self {
        fresh: Duration::from_hours(24 * 365),
        stale: Duration::ZERO,
        stale_on_error: Duration::ZERO,
    };

    fn of(self, is_complete: bool, is_negative: bool) -> Self {
        let short = |fresh_max: Duration| Self {
            fresh: self.fresh.min(fresh_max),
            stale: Duration::ZERO,
            stale_on_error: Duration::ZERO,
        };
        match (is_complete, is_negative) {
            (false, _) => short(Duration::from_millis(PAUSE_MS)),
            (true, true) => short(NEGATIVE_FRESH),
            // An answer with no fresh time is not sent stale either, except when a new one cannot be made.
            (true, false) if self.fresh.is_zero() => Self {
                stale: Duration::ZERO,
                ..self
            },
            (true, false) => self,
        }
    }
}
