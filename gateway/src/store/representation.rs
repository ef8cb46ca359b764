//! A finished answer in all codings, with everything that sending it needs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
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

/// How long an incomplete answer counts as fresh, and how long nobody tries again after a refresh has failed, so that a dead
/// service is not called on every request.
const PAUSE_MS: u64 = 2_000;
/// How long an answer that there is nothing counts as fresh.
pub(super) const BRIEF_FRESH: Duration = Duration::from_secs(4);
/// Room for the headers of a representation and for what the layers above add.
const HEADERS: usize = 24;
/// Memory of a representation beside its key and bodies: itself, its headers and tags, its place in the cache.
const OVERHEAD_BYTES: usize = 1024;
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// What an answer is made of, before it is compressed and kept.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
    /// All but those of validators, codings and lifetime.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// What names this version of the resource; otherwise a hash of the body does.
    pub(crate) version: Option<String>,
    pub(crate) cache_control: CacheControl,
    /// False when something that it needs has failed: then it must not replace a complete one.
    pub(crate) is_complete: bool,
    /// It says that there is nothing: anybody can ask for any number of these, so they are kept briefly and cheaply.
    pub(crate) is_brief: bool,
    pub(crate) basis: Basis,
}

/// What caches in front may do.
#[derive(Clone, Debug)]
pub(crate) enum CacheControl {
    /// Always the same.
    Fixed(HeaderValue),
    /// Keep it for as long as it is still fresh here.
    Remaining,
}

/// Which page modules made an answer, as far as they can be told apart by a number.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Edition {
    /// Of what it is made of: an answer of another one is made anew before it is sent.
    pub(crate) own: u64,
    /// Of what it merely mentions: an answer of another one is sent while a new one is made.
    pub(crate) around: u64,
}

/// How long an answer may be sent, fresh and stale (RFC 5861).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lifetime {
    /// Sent as it is.
    pub(crate) fresh: Duration,
    /// After `fresh`, stale-while-revalidate: sent while a new one is made.
    pub(crate) stale: Duration,
    /// After `fresh`, stale-if-error: sent while a new one cannot be made.
    pub(crate) stale_on_error: Duration,
}

/// An answer, ready to be sent.
#[derive(Debug)]
pub(crate) struct Representation {
    status: StatusCode,
    headers: Box<[(HeaderName, HeaderValue)]>,
    cache_control: CacheControl,
    is_complete: bool,
    is_brief: bool,
    /// What invalidates it.
    basis: Basis,
    own_edition: AtomicU64,
    around_edition: AtomicU64,
    variants: ArcSwap<Variants>,
    made_at: Instant,
    fresh_until: Instant,
    stale_until: Instant,
    expires_at: Instant,
    /// The last refresh failed, so it may be sent stale-if-error.
    has_failed_refresh: AtomicBool,
    /// Milliseconds after `made_at` until which it is sent as it is, because a refresh has just failed.
    paused_until_ms: AtomicU64,
    /// How often it was sent from the store, up to what matters.
    sent: AtomicU32,
}

/// What may be done with a representation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Age {
    Fresh,
    /// Sent while a new one is made.
    Stale,
    /// Sent as it is, because a new one could not be made a moment ago.
    Paused,
    /// Sent only if a new one cannot be made.
    Old,
    /// Not sent.
    Expired,
}

impl Representation {
    /// Compresses `draft`, now or when a coding is asked for, unless `old` has the same body and tag. A compression that panics leaves the plain body.
    pub(crate) async fn finish(
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
        let lifetime = lifetime.of(draft.is_complete, draft.is_brief);
        let fresh_until = now + lifetime.fresh;
        Self {
            status: draft.status,
            headers: draft.headers.into(),
            cache_control: draft.cache_control,
            is_complete: draft.is_complete,
            is_brief: draft.is_brief,
            basis: draft.basis,
            own_edition: AtomicU64::new(edition.own),
            around_edition: AtomicU64::new(edition.around),
            variants: ArcSwap::new(variants),
            made_at: now,
            fresh_until,
            stale_until: fresh_until + lifetime.stale,
            expires_at: fresh_until + lifetime.stale.max(lifetime.stale_on_error),
            has_failed_refresh: AtomicBool::new(false),
            paused_until_ms: AtomicU64::new(0),
            sent: AtomicU32::new(0),
        }
    }

    fn same(&self, body: &Bytes, version: Option<&str>) -> Option<Arc<Variants>> {
        let known = self.variants.load_full();
        let is_same = known.plain() == body && version.is_none_or(|own| own == known.version());
        is_same.then_some(known)
    }

    /// Bytes held in memory.
    pub(crate) fn size(&self) -> usize {
        let headers = self.headers.iter().map(|(_, value)| value.len());
        OVERHEAD_BYTES + self.variants.load().size() + headers.sum::<usize>()
    }

    /// What invalidates it.
    pub(crate) fn basis(&self) -> &Basis {
        &self.basis
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(super) fn is_brief(&self) -> bool {
        self.is_brief
    }

    /// Time from `now` until it must not be sent at all, which evicts it.
    pub(super) fn remaining(&self, now: Instant) -> Duration {
        self.expires_at.saturating_duration_since(now)
    }

    /// Whether neither a change nor a publish has replaced what it was made from.
    pub(super) fn is_current(&self, changes: &Changes, edition: Edition) -> bool {
        self.own_edition.load(Ordering::Relaxed) == edition.own && changes.is_current(&self.basis)
    }

    pub(super) fn age(&self, changes: &Changes, edition: Edition, now: Instant) -> Age {
        let is_current = self.is_current(changes, edition);
        let is_up_to_date =
            is_current && self.around_edition.load(Ordering::Relaxed) == edition.around;
        if is_up_to_date && now < self.fresh_until {
            return Age::Fresh;
        }
        if now >= self.expires_at.max(self.fresh_until) {
            return Age::Expired;
        }
        let has_failed = self.has_failed_refresh.load(Ordering::Relaxed);
        if is_current && has_failed {
            let paused = Duration::from_millis(self.paused_until_ms.load(Ordering::Relaxed));
            return if now < self.made_at + paused {
                Age::Paused
            } else {
                Age::Stale
            };
        }
        if is_current && now < self.stale_until.max(self.fresh_until) {
            return Age::Stale;
        }
        Age::Old
    }

    /// Stale-if-error: a refresh that had seen `seen` of the changes, for this edition, has failed. This one is sent instead until
    /// the next refresh or change.
    pub(super) fn outlive(&self, seen: &Basis, edition: Edition, now: Instant) {
        let age = now.saturating_duration_since(self.made_at);
        let paused = u64::try_from(age.as_millis()).unwrap_or(u64::MAX - PAUSE_MS) + PAUSE_MS;
        self.paused_until_ms.store(paused, Ordering::Relaxed);
        self.basis.advance_to(seen);
        self.own_edition.store(edition.own, Ordering::Relaxed);
        self.around_edition.store(edition.around, Ordering::Relaxed);
        self.has_failed_refresh.store(true, Ordering::Relaxed);
    }

    /// Counts that it was sent from the store; true once, when it is worth its best compression: somebody has asked again.
    pub(super) fn is_worth_recompression(&self) -> bool {
        const AGAIN: u32 = 2;
        if self.sent.load(Ordering::Relaxed) >= AGAIN || self.is_brief || !self.is_complete {
            return false;
        }
        self.sent.fetch_add(1, Ordering::Relaxed) + 1 == AGAIN
    }

    /// Replaces the quick compression by the best one. Blocks for some 50 ms.
    pub(super) fn recompress(&self) {
        let old = self.variants.load_full();
        let best = Variants::compressed(old.plain().clone(), Some(old.version()), Effort::Best);
        self.variants.store(Arc::new(best));
    }

    pub(super) fn has_codings(&self) -> bool {
        self.variants.load().plain().len() >= compression::BYTES_MIN
    }

    /// `Content-Type`, if it has one. An answer 304 has none.
    pub(crate) fn content_type(&self) -> Option<&HeaderValue> {
        let mut headers = self.headers.iter();
        headers
            .find(|(name, _)| name == header::CONTENT_TYPE)
            .map(|(_, value)| value)
    }

    /// The answer to a request with these headers: 304 if the client has it already. To HEAD the edge sends its head.
    pub(crate) fn response(&self, request: &HeaderMap) -> Response<Bytes> {
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
                    // Says that it is stale, which the lifetime alone would not.
                    let age = now.saturating_duration_since(self.made_at);
                    headers.insert(header::AGE, HeaderValue::from(age.as_secs()));
                }
                max_age::value(self.fresh_until.saturating_duration_since(now))
            }
        };
        headers.insert(header::CACHE_CONTROL, value);
        for (name, value) in &self.headers {
            // A 304 describes no body; all else is what the 200 would have said.
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
    /// Always fresh as far as time goes: only what it was made from replaces it.
    pub(crate) const RESIDENT: Self = Self {
        fresh: Duration::from_hours(24 * 365),
        stale: Duration::ZERO,
        stale_on_error: Duration::ZERO,
    };

    fn of(self, is_complete: bool, is_brief: bool) -> Self {
        let short = |fresh_max: Duration| Self {
            fresh: self.fresh.min(fresh_max),
            stale: Duration::ZERO,
            stale_on_error: Duration::ZERO,
        };
        match (is_complete, is_brief) {
            (false, _) => short(Duration::from_millis(PAUSE_MS)),
            (true, true) => short(BRIEF_FRESH),
            // What asks for no caching at all is not sent stale either, unless there is nothing better.
            (true, false) if self.fresh.is_zero() => Self {
                stale: Duration::ZERO,
                ..self
            },
            (true, false) => self,
        }
    }
}
