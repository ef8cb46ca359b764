//! A finished document in all codings, with everything that its answer needs.

use std::{
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
use parking_lot::Mutex;

use super::{
    changes::Basis,
    variants::{Effort, Variants},
};
use crate::documents::composed::Composed;

/// How long an incomplete document counts as fresh, so that a dead service is not called on every request.
const INCOMPLETE_FRESH: Duration = Duration::from_secs(2);
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// A document, ready to be sent.
#[derive(Debug)]
pub(crate) struct Stored {
    status: StatusCode,
    content_type: HeaderValue,
    policy: HeaderValue,
    location: Option<HeaderValue>,
    pub(crate) is_complete: bool,
    /// What invalidates it.
    pub(crate) basis: Basis,
    variants: ArcSwap<Variants>,
    fresh_until: Mutex<Instant>,
    stale_until: Instant,
    expires_at: Instant,
    /// The last refresh failed, so it may be sent stale-if-error.
    has_failed_refresh: AtomicBool,
}

/// Freshness of a document.
pub(crate) enum Age {
    Fresh,
    /// Stale-while-revalidate: sent while a new one is made.
    Stale,
    /// Sent only if a new one cannot be made.
    Old,
}

/// How long a document may be sent, fresh and stale (RFC 5861).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lifetime {
    /// Sent as it is.
    pub(crate) fresh: Duration,
    /// After `fresh`, stale-while-revalidate: sent while a new one is made.
    pub(crate) stale: Duration,
    /// After `fresh`, stale-if-error: sent while a new one cannot be made.
    pub(crate) stale_on_error: Duration,
}

impl Stored {
    /// Compresses `composed`, unless `old` has the same body. `None` when that panicked or the policy is no header value.
    pub(crate) async fn new(
        composed: Composed,
        lifetime: Lifetime,
        effort: Effort,
        old: Option<&Self>,
    ) -> Option<Self> {
        let body = Bytes::from(composed.body);
        let known = old
            .map(|old| old.variants.load_full())
            .filter(|variants| *variants.plain() == body);
        let variants = if let Some(variants) = known {
            variants
        } else {
            let compress = move || Variants::compressed(body, effort);
            Arc::new(tokio::task::spawn_blocking(compress).await.ok()?)
        };
        let now = Instant::now();
        let Lifetime {
            fresh,
            stale,
            stale_on_error,
        } = lifetime;
        let (fresh_until, stale_until, expires_at) = if composed.is_complete {
            let fresh_until = now + fresh;
            // A page that asks for no caching at all is not sent stale either, unless there is nothing better.
            let stale_until = if fresh.is_zero() {
                fresh_until
            } else {
                fresh_until + stale
            };
            let expires_at = fresh_until + stale.max(stale_on_error);
            (fresh_until, stale_until, expires_at)
        } else {
            let fresh_until = now + fresh.min(INCOMPLETE_FRESH);
            (fresh_until, fresh_until, fresh_until)
        };
        Some(Self {
            status: StatusCode::from_u16(composed.status).ok()?,
            content_type: composed.content_type,
            policy: HeaderValue::try_from(composed.policy).ok()?,
            location: composed.location,
            is_complete: composed.is_complete,
            basis: composed.basis,
            variants: ArcSwap::new(variants),
            fresh_until: Mutex::new(fresh_until),
            stale_until,
            expires_at,
            has_failed_refresh: AtomicBool::new(false),
        })
    }

    /// Bytes held in memory.
    pub(crate) fn size(&self) -> usize {
        self.variants.load().size()
    }

    /// Time from `now` until it must not be sent at all, which evicts it.
    pub(crate) fn remaining(&self, now: Instant) -> Duration {
        self.expires_at.saturating_duration_since(now)
    }

    pub(crate) fn age(&self) -> Age {
        let now = Instant::now();
        if now < *self.fresh_until.lock() {
            Age::Fresh
        } else if now < self.stale_until
            || (self.has_failed_refresh.load(Ordering::Relaxed) && now < self.expires_at)
        {
            Age::Stale
        } else {
            Age::Old
        }
    }

    /// Whether to keep this one instead of `new`: it is complete and `new` is not.
    pub(crate) fn outlives(&self, new: &Composed) -> bool {
        self.is_complete && !new.is_complete && Instant::now() < self.expires_at
    }

    /// Stale-if-error: sends this one instead of the incomplete `new`, until the next refresh or a change that `new` had not
    /// seen.
    pub(crate) fn extend_stale(&self, new: &Composed) {
        *self.fresh_until.lock() = Instant::now() + INCOMPLETE_FRESH;
        self.has_failed_refresh.store(true, Ordering::Relaxed);
        self.basis.advance_to(&new.basis);
    }

    /// Replaces the quick compression by the best one. Blocks for some 50 ms.
    pub(crate) fn recompress(&self) {
        let bytes = self.variants.load().plain().clone();
        let best = Variants::compressed(bytes, Effort::Best);
        self.variants.store(Arc::new(best));
    }

    /// Answers GET and HEAD.
    pub(crate) fn respond(&self, request: &HeaderMap) -> Response<Body> {
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
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::ETAG, chosen.etag.clone());
        headers.insert(header::CACHE_CONTROL, NO_CACHE);
        headers.insert(header::VARY, ACCEPT_ENCODING);
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        if let Some(coding) = &chosen.coding {
            headers.insert(header::CONTENT_ENCODING, coding.clone());
        }
        if let Some(location) = &self.location {
            headers.insert(header::LOCATION, location.clone());
        }
        response
    }
}
