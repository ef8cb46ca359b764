//! Finished responses of cacheable reads: one upstream call for any number of readers, bounded in entries and bytes.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::{
    HeaderMap, HeaderValue, Response, StatusCode,
    header::{
        ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
    },
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use moka::{Expiry, future::Cache};
use std::io::Write;
use xxhash_rust::xxh3::xxh3_128;

use crate::{
    problem::Problem,
    request::etag,
    store::changes::{Basis, Changes},
};

/// Smaller bodies are not compressed: that would not save a packet.
const COMPRESS_BYTES_MIN: usize = 1024;
/// Overhead of an entry beside its bodies.
const ENTRY_BYTES: usize = 512;

/// A response as it is sent, with its validators.
#[derive(Debug)]
pub(crate) struct Stored {
    identity: Bytes,
    gzip: Option<Bytes>,
    etag: HeaderValue,
    etag_gzip: HeaderValue,
    since: Instant,
    fresh_for: Duration,
    basis: Basis,
}

impl Stored {
    /// Finishes a JSON body that stays fresh for `fresh_for`, known by its `version` or else by its bytes. Compresses on a
    /// thread where that may take long. `basis` is what it was read from.
    pub(crate) async fn finish(
        identity: Bytes,
        version: Option<String>,
        fresh_for: Duration,
        basis: Basis,
    ) -> Self {
        let tags = version.as_deref().and_then(etag::tags);
        let (etag, etag_gzip) = tags
            .or_else(|| etag::tags(&format!("{:032x}", xxh3_128(&identity))))
            .unwrap_or((
                HeaderValue::from_static("\"\""),
                HeaderValue::from_static("\"\""),
            ));
        let gzip = if identity.len() < COMPRESS_BYTES_MIN {
            None
        } else {
            let plain = identity.clone();
            tokio::task::spawn_blocking(move || gzip(&plain))
                .await
                .unwrap_or_default()
        };
        Self {
            identity,
            gzip,
            etag,
            etag_gzip,
            since: Instant::now(),
            fresh_for,
            basis,
        }
    }

    /// The answer for a request with these headers: 304 if the client has it already.
    pub(crate) fn response(&self, request: &HeaderMap) -> Response<Bytes> {
        let mut response = Response::new(Bytes::new());
        let (body, etag) = match &self.gzip {
            Some(gzip) if accepts_gzip(request) => {
                response
                    .headers_mut()
                    .insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                (gzip, &self.etag_gzip)
            }
            _ => (&self.identity, &self.etag),
        };
        let left = self.fresh_for.saturating_sub(self.since.elapsed());
        let headers = response.headers_mut();
        headers.insert(ETAG, etag.clone());
        headers.insert(CACHE_CONTROL, max_age(left));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if self.is_known_to(request) {
            headers.remove(CONTENT_ENCODING);
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *response.body_mut() = body.clone();
        response
    }

    /// If-None-Match compares weakly (RFC 9110, 13.1.2), and both encodings are the same response.
    fn is_known_to(&self, request: &HeaderMap) -> bool {
        request
            .get_all(IF_NONE_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|text| text.split(','))
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || self.etag == tag || self.etag_gzip == tag)
    }

    fn weight(&self) -> u32 {
        let bytes = ENTRY_BYTES + self.identity.len() + self.gzip.as_ref().map_or(0, Bytes::len);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

/// Whole seconds, rounded down: no browser keeps it longer than the gateway.
fn max_age(left: Duration) -> HeaderValue {
    HeaderValue::try_from(format!("public, max-age={}", left.as_secs()))
        .unwrap_or(HeaderValue::from_static("no-cache"))
}

fn gzip(plain: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).ok()?;
    let packed = encoder.finish().ok()?;
    (packed.len() < plain.len()).then(|| packed.into())
}

fn accepts_gzip(request: &HeaderMap) -> bool {
    request
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(','))
        .any(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            let gzip = parts.next().is_some_and(|c| c.eq_ignore_ascii_case("gzip"));
            let refused = parts.any(|p| matches!(p, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            gzip && !refused
        })
}

/// Canonical form of what is read: path, and parameters in order.
pub(crate) fn key(path: &str, query: Option<&str>) -> String {
    let mut pairs: Vec<&str> = query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
        .collect();
    if pairs.is_empty() {
        return path.to_owned();
    }
    pairs.sort_unstable();
    format!("{path}?{}", pairs.join("&"))
}

struct FreshFor;

impl Expiry<String, Arc<Stored>> for FreshFor {
    fn expire_after_create(
        &self,
        _key: &String,
        value: &Arc<Stored>,
        _created_at: Instant,
    ) -> Option<Duration> {
        Some(value.fresh_for)
    }
}

/// Attempts at an answer: one that was read before a known change is read again, once.
const ATTEMPTS_MAX: u32 = 2;

/// The cache of one gateway.
#[derive(Clone, Debug)]
pub(crate) struct ResponseCache {
    entries: Cache<String, Arc<Stored>>,
    changes: Arc<Changes>,
}

impl ResponseCache {
    /// Bounded to this many bytes and entries.
    pub(crate) fn new(bytes_max: u64, entries_max: usize, changes: Arc<Changes>) -> Self {
        // Moka bounds the sum of weights; an entry that weighs at least its share bounds the entries as well.
        let share = bytes_max / u64::try_from(entries_max).unwrap_or(u64::MAX).max(1);
        let share = u32::try_from(share).unwrap_or(u32::MAX);
        let entries = Cache::builder()
            .max_capacity(bytes_max)
            .weigher(move |_, stored: &Arc<Stored>| stored.weight().max(share))
            .expire_after(FreshFor)
            .build();
        Self { entries, changes }
    }

    /// The cached response under `key`, unless a change has invalidated it.
    pub(crate) async fn get(&self, key: &str) -> Option<Arc<Stored>> {
        let found = self.entries.get(key).await?;
        if self.changes.is_current(&found.basis) {
            return Some(found);
        }
        self.entries.invalidate(key).await;
        None
    }

    /// The response under `key`, made by `make` on a miss. Single flight: of concurrent callers one runs `make`; when that
    /// one is cancelled, another takes over. The response was read after every change that was known at the call.
    pub(crate) async fn get_or<F>(
        &self,
        key: &str,
        make: impl Fn() -> F,
    ) -> Result<Arc<Stored>, Problem>
    where
        F: Future<Output = Result<Arc<Stored>, Problem>>,
    {
        let mut attempt = 1;
        loop {
            let result = self.entries.try_get_with_by_ref(key, make()).await;
            let found = result.map_err(|problem| (*problem).clone())?;
            // The flight that we joined may have started before the change; the next one cannot have.
            if attempt == ATTEMPTS_MAX || self.changes.is_current(&found.basis) {
                return Ok(found);
            }
            self.entries.invalidate(key).await;
            attempt += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn stored() -> Stored {
        let body = format!("{{\"names\":[{}]}}", vec!["\"a\""; 2000].join(","));
        Stored::finish(body.into(), None, Duration::from_mins(1), Basis::default()).await
    }

    fn with(name: axum::http::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn parameters_in_any_order_are_one_key() {
        assert_eq!(key("/a", Some("b=1&a=2")), key("/a", Some("a=2&b=1&")));
        assert_eq!(key("/a", Some("")), key("/a", None));
        assert_ne!(key("/a", Some("b=1")), key("/a", Some("b=2")));
    }

    #[tokio::test]
    async fn both_encodings_have_their_own_tag_and_either_is_known() {
        let stored = stored().await;
        let plain = stored.response(&HeaderMap::new());
        let packed = stored.response(&with(ACCEPT_ENCODING, "br, gzip;q=0.5"));
        assert_ne!(plain.headers()[ETAG], packed.headers()[ETAG]);
        assert!(packed.body().len() < plain.body().len());
        assert_eq!(packed.headers()[CONTENT_ENCODING], "gzip");
        for tag in [&plain.headers()[ETAG], &packed.headers()[ETAG]] {
            let again = stored.response(&with(IF_NONE_MATCH, tag.to_str().unwrap()));
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert!(again.body().is_empty());
        }
        let other = stored.response(&with(IF_NONE_MATCH, "\"other\""));
        assert_eq!(other.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn refused_or_useless_compression_is_left_out() {
        let refused = stored().await.response(&with(ACCEPT_ENCODING, "gzip;q=0"));
        assert!(!refused.headers().contains_key(CONTENT_ENCODING));
        let second = Duration::from_secs(1);
        let small = Stored::finish("{}".into(), None, second, Basis::default()).await;
        assert!(small.gzip.is_none());
    }
}
