//! Cacheable reads: one upstream call for any number of readers, and answers that outlive failures of the upstream.
//!
//! Such a read is public. Its call contains nothing of the caller but the language: neither credentials nor client nor
//! network. So a request with a token gets the same cached answer as any other, and nothing varies by the token.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::{
    HeaderMap, HeaderValue, Response, StatusCode,
    header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY},
};
use bytes::Bytes;
use gateway_cache::{
    CacheControl, Counters, Draft, Edition, Made, Representation, Store, StoreConfig, StoreLimits,
    Wanted,
    changes::{Basis, Changes, Read},
    compression,
};
use gateway_contract::{BodyRule, Operation};
use gateway_http::{
    language::Language,
    metrics::Metrics,
    problem::Problem,
    request::etag::{self, Suffix},
};
use tonic::metadata::MetadataMap;

use super::{Api, Call, language, transcode::Answer};

const MIB: u64 = 1024 * 1024;
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// Creates the store of the API's answers.
pub(super) fn store(
    config: &StoreConfig,
    changes: Arc<Changes>,
    metrics: &'static Metrics,
) -> Arc<Store> {
    let limits = StoreLimits {
        entries_max: u64::try_from(config.cache_entries_max).unwrap_or(u64::MAX),
        bytes_max: u64::from(config.cache_mib_max) * MIB,
        // The contract sets how old an answer may be while its service is available.
        stale: Duration::ZERO,
        stale_on_error: Duration::from_secs(config.cache_stale_on_error_s_max),
    };
    let counters = Counters {
        hits: metrics.cache_reads("hit"),
        stale: metrics.cache_reads("stale"),
        misses: metrics.cache_reads("miss"),
        stale_on_error: metrics.cache_reads("stale_on_error"),
        absent: metrics.cache_reads("absent"),
    };
    Arc::new(Store::new(limits, changes, counters))
}

impl Api {
    pub(super) async fn cached(
        self: &Arc<Self>,
        operation: &Arc<Operation>,
        call: &Call<'_>,
        language: Language,
    ) -> Result<Response<Bytes>, Problem> {
        let found = if is_plain(operation, call) {
            let key = key(operation, language, &[]);
            self.found(operation, call, language, &key, &Bytes::new())
                .await
        } else {
            let (path, query) = (call.path, call.query);
            let transcoder = &self.transcoder;
            let request = transcoder.request(operation, path, query, call.headers, &[])?;
            let key = key(operation, language, &request.message);
            self.found(operation, call, language, &key, &request.message)
                .await
        };
        Ok(found?.response(call.headers))
    }

    async fn found(
        self: &Arc<Self>,
        operation: &Arc<Operation>,
        call: &Call<'_>,
        language: Language,
        key: &[u8],
        message: &Bytes,
    ) -> Result<Arc<Representation>, Problem> {
        let budget = operation.policy.deadline.unwrap_or(self.timeout);
        let wanted = Wanted {
            key,
            fresh: operation.policy.cache,
            edition: Edition::default(),
            deadline: call.deadline,
            budget,
            work: call.work,
        };
        let make = || {
            let (api, operation) = (Arc::clone(self), Arc::clone(operation));
            let read = Read::new(call.path, call.query, Arc::clone(&operation.package));
            let message = message.clone();
            async move { api.read(&operation, language, message, read, budget).await }
        };
        self.store.get(&wanted, make).await
    }

    /// Calls the upstream without any data of a caller but the language.
    async fn read(
        &self,
        operation: &Operation,
        language: Language,
        message: Bytes,
        read: Read,
        budget: Duration,
    ) -> Made {
        let basis = Basis::new(self.changes.position(), vec![read]);
        let request = gateway_wire::Request {
            message,
            is_keyed: false,
        };
        let mut metadata = MetadataMap::new();
        language::write(language, &mut metadata);
        let deadline = Instant::now() + budget;
        let reply = self.send(operation, &operation.package, request, metadata, deadline);
        match reply.await.map(|exchange| exchange.answer) {
            Ok(Answer { body, etag, .. }) => Made::Draft(Draft {
                status: StatusCode::OK,
                body,
                headers: vec![(CONTENT_TYPE, JSON)],
                version: etag,
                cache_control: CacheControl::Remaining,
                is_complete: true,
                is_negative: false,
                basis,
            }),
            Err(problem) if problem.status() == StatusCode::NOT_FOUND => {
                Made::Absent(problem, basis)
            }
            Err(problem) => Made::Refused(problem),
        }
    }
}

/// Whether the RPC's message contains nothing of the request, so that the key is known without building the message.
fn is_plain(operation: &Operation, call: &Call<'_>) -> bool {
    call.query.is_none_or(str::is_empty)
        && operation.path_fields.is_empty()
        && operation.request_id.is_none()
        && operation.etag.is_none()
        && matches!(operation.body, BodyRule::None)
}

/// Returns the cache key: the language unless it is English, the route, and the message read from path, query and
/// headers. A route begins with a slash and contains no zero byte.
fn key<'a>(operation: &'a Operation, language: Language, message: &[u8]) -> Cow<'a, [u8]> {
    let route = operation.route.as_bytes();
    let code = language.other_than_default().unwrap_or_default();
    match (code.is_empty(), message.is_empty()) {
        (true, true) => route.into(),
        (false, true) => [code.as_bytes(), route].concat().into(),
        (_, false) => [code.as_bytes(), route, &[0], message].concat().into(),
    }
}

/// Compresses an uncached JSON answer in the coding that its request prefers, and adds the tag of its `version` if it
/// has one.
pub(super) async fn compressed(
    mut response: Response<Bytes>,
    version: Option<&str>,
    request: &HeaderMap,
) -> Response<Bytes> {
    response.headers_mut().insert(VARY, ACCEPT_ENCODING);
    let Some(packed) = compression::once(response.body(), request).await else {
        return tagged(response, version, Suffix::None);
    };
    *response.body_mut() = packed.bytes;
    response
        .headers_mut()
        .insert(CONTENT_ENCODING, packed.coding);
    tagged(response, version, packed.suffix)
}

/// Turns an answer into a 304. A client with a current copy needs no body and no headers that describe one.
pub(super) fn not_modified(mut response: Response<Bytes>) -> Response<Bytes> {
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.body_mut() = Bytes::new();
    let headers = response.headers_mut();
    for name in [CONTENT_ENCODING, CONTENT_TYPE, CONTENT_DISPOSITION] {
        headers.remove(name);
    }
    response
}

/// Adds the tag of a version, if there is one.
pub(super) fn tagged(
    mut response: Response<Bytes>,
    version: Option<&str>,
    suffix: Suffix,
) -> Response<Bytes> {
    if let Some(tag) = version.and_then(|version| etag::tag(version, suffix)) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}
