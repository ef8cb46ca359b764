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
    composed::Composed,
    variants::{Effort, Variants},
};
use crate::changes::Basis;

/// An incomplete document is shown again for this long at most, so that a dead service is not asked on every request.
const INCOMPLETE_FRESH: Duration = Duration::from_secs(2);
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// A document, ready to be sent.
#[derive(Debug)]
pub(super) struct Stored {
    status: StatusCode,
    content_type: HeaderValue,
    policy: HeaderValue,
    location: Option<HeaderValue>,
    pub(super) is_complete: bool,
    /// What it was made from.
    pub(super) basis: Basis,
    variants: ArcSwap<Variants>,
    fresh_until: Mutex<Instant>,
    stale_until: Instant,
    gone_at: Instant,
    /// The last attempt to replace it failed.
    is_orphan: AtomicBool,
}

/// What may be done with a document at the moment.
pub(super) enum Age {
    Fresh,
    /// Sent while a new one is made.
    Stale,
    Old,
}

/// Until when a document may be sent, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetime {
    /// Sent as it is.
    pub(super) fresh: Duration,
    /// Beyond: sent while a new one is made.
    pub(super) stale: Duration,
    /// Beyond `fresh`: sent while a new one cannot be made.
    pub(super) stale_on_error: Duration,
}

impl Stored {
    /// Compresses `composed`, unless `old` has the same body. `None` when that panicked or the policy is no header value.
    pub(super) async fn new(
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
        let (fresh_until, stale_until, gone_at) = if composed.is_complete {
            let fresh_until = now + fresh;
            // A page that asks for no caching at all is not sent stale either, unless there is nothing better.
            let stale_until = if fresh.is_zero() {
                fresh_until
            } else {
                fresh_until + stale
            };
            let gone_at = fresh_until + stale.max(stale_on_error);
            (fresh_until, stale_until, gone_at)
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
            gone_at,
            is_orphan: AtomicBool::new(false),
        })
    }

    /// Bytes held in memory.
    pub(super) fn size(&self) -> usize {
        self.variants.load().size()
    }

    /// How long it may still be sent from `now` on, in any case.
    pub(super) fn left(&self, now: Instant) -> Duration {
        self.gone_at.saturating_duration_since(now)
    }

    pub(super) fn age(&self) -> Age {
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

    /// Whether it is better than `new`, which is a later attempt at it.
    pub(super) fn outlives(&self, new: &Composed) -> bool {
        self.is_complete && !new.is_complete && Instant::now() < self.gone_at
    }

    /// Goes on in place of `new`, which is no good: until the next attempt, or a change that `new` did not know of.
    pub(super) fn stand_in_for(&self, new: &Composed) {
        *self.fresh_until.lock() = Instant::now() + INCOMPLETE_FRESH;
        self.is_orphan.store(true, Ordering::Relaxed);
        self.basis.excuse(&new.basis);
    }

    /// Replaces the quick compression by the best one. Blocks for some 50 ms.
    pub(super) fn recompress(&self) {
        let bytes = self.variants.load().plain().clone();
        let best = Variants::compressed(bytes, Effort::Best);
        self.variants.store(Arc::new(best));
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
