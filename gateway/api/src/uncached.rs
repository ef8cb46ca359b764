//! Uncached calls, which go to an upstream each time: writes, and reads that must not be cached.

use std::{sync::Arc, time::Instant};

use axum::http::{
    HeaderValue, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION},
};
use bytes::Bytes;
use gateway_cache::changes::Changes;
use gateway_contract::Operation;
use gateway_http::{
    language::Language,
    problem::Problem,
    request::{
        etag::{self, Suffix},
        lanes::Work,
    },
};
use gateway_upstream::rpc::{self, Effect};
use tonic::metadata::MetadataMap;

use super::{
    Api, Call, IDEMPOTENT_REPLAYED, cached,
    caller::Caller,
    derived_keys::KeyInput,
    language, preview,
    transcode::{Answer, IDEMPOTENCY_KEY},
};

/// Metadata with which a service marks the answer of an earlier create with the same request id.
const REPLAYED: &str = "idempotent-replayed";

/// Metadata with which a service reports that an RPC that may create something created nothing: `false`.
const CREATED: &str = "resource-created";

impl Api {
    /// Answers an uncached call.
    pub(super) async fn uncached(
        &self,
        operation: &Operation,
        call: &Call<'_>,
        language: Language,
    ) -> Result<Response<Bytes>, Problem> {
        call.work.map_or(Ok(()), Work::begin)?;
        let policy = &operation.policy;
        let caller = Caller::identify(&self.tokens, policy, call)?;
        let (path, query) = (call.path, call.query);
        let transcoder = &self.transcoder;
        let unkeyed = transcoder.request(operation, path, query, call.headers, &call.body)?;
        let derived = self.derived_key(operation, call, &caller, &unkeyed);
        let request = match operation.request_id.as_ref().zip(derived.as_ref()) {
            Some((field, key)) => unkeyed.with_key(field.number(), key),
            None => unkeyed,
        };
        let key = derived.and_then(|key| HeaderValue::try_from(key).ok());
        let mut metadata = MetadataMap::new();
        caller.write(&mut metadata);
        language::write(language, &mut metadata);
        let answer = self.exchange(operation, call, request, metadata).await;
        match (answer, key) {
            (answer, None) => answer,
            (Ok(mut response), Some(key)) => {
                response.headers_mut().insert(IDEMPOTENCY_KEY, key);
                Ok(response)
            }
            (Err(problem), Some(key)) => Err(problem.with_header(IDEMPOTENCY_KEY, key)),
        }
    }

    /// Derives the idempotency key for a create without one, if it is from a visitor or a member of staff.
    fn derived_key(
        &self,
        operation: &Operation,
        call: &Call<'_>,
        caller: &Caller<'_>,
        request: &gateway_wire::Request,
    ) -> Option<String> {
        let is_meant = operation.request_id.is_some() && !operation.reads() && !request.is_keyed;
        let network = call.network.filter(|_| is_meant)?;
        Some(self.derived_keys.of(&KeyInput {
            route: &operation.route,
            message: &request.message,
            network,
            by: caller.credential(),
        }))
    }

    /// Makes the RPC of an uncached call, and builds its response.
    async fn exchange(
        &self,
        operation: &Operation,
        call: &Call<'_>,
        request: gateway_wire::Request,
        metadata: MetadataMap,
    ) -> Result<Response<Bytes>, Problem> {
        let package = self.upstream_of(operation, call.path)?;
        let mut invalidation = Invalidation {
            changes: &self.changes,
            // Paths that are never cached would only evict others from the remembered changes.
            path: (!operation.reads() && self.routes.is_cacheable(call.path)).then_some(call.path),
        };
        let sent = self
            .send(operation, &package, request, metadata, call.deadline)
            .await
            .inspect_err(|problem| {
                if !problem.status().is_server_error() {
                    // Refused: nothing was changed.
                    invalidation.path = None;
                }
            });
        drop(invalidation);
        let Exchange {
            answer,
            is_replay,
            is_created,
            is_preview: _,
        } = sent?;
        let Answer {
            body,
            media_type,
            id,
            etag,
        } = answer;
        let mut response = Response::new(Bytes::new());
        response
            .headers_mut()
            .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if is_replay {
            let replayed = HeaderValue::from_static("true");
            response.headers_mut().insert(IDEMPOTENT_REPLAYED, replayed);
        }
        if operation.leaves_nothing() {
            *response.status_mut() = StatusCode::NO_CONTENT;
            return Ok(response);
        }
        *response.body_mut() = body;
        if operation.creates() && is_created {
            *response.status_mut() = StatusCode::CREATED;
            let location = id.map(|id| format!("{}{}/{id}", call.mount, call.path));
            if let Some(value) = location.and_then(|text| HeaderValue::try_from(text).ok()) {
                response.headers_mut().insert(LOCATION, value);
            }
        }
        let headers = response.headers_mut();
        if let (Some(raw), Some(media_type)) = (&operation.raw, &media_type)
            && let Some(disposition) = raw.disposition(media_type)
        {
            headers.insert(CONTENT_DISPOSITION, disposition);
        }
        let json = HeaderValue::from_static("application/json");
        headers.insert(CONTENT_TYPE, media_type.unwrap_or(json));
        let version = etag.filter(|etag| etag::is_version(etag));
        let is_known = operation.reads()
            && version
                .as_deref()
                .is_some_and(|version| etag::is_known(call.headers, version));
        if operation.raw.is_some() {
            let response = cached::tagged(response, version.as_deref(), Suffix::None);
            return Ok(if is_known {
                cached::not_modified(response)
            } else {
                response
            });
        }
        let response = cached::compressed(response, version.as_deref(), call.headers).await;
        Ok(if is_known {
            cached::not_modified(response)
        } else {
            response
        })
    }

    /// Returns the package of the upstream that answers a call.
    ///
    /// # Errors
    /// 404 if the path names no upstream.
    fn upstream_of(&self, operation: &Operation, path: &str) -> Result<Arc<str>, Problem> {
        let Some(index) = operation.upstream_field else {
            return Ok(Arc::clone(&operation.package));
        };
        let captured = operation.template.capture(path).unwrap_or_default();
        let name = captured.get(index);
        let package = name.and_then(|name| self.client.package_named(name));
        package.ok_or_else(Problem::not_found)
    }

    /// Makes the RPC of an operation, on the upstream of `package`.
    pub(super) async fn send(
        &self,
        operation: &Operation,
        package: &str,
        request: gateway_wire::Request,
        metadata: MetadataMap,
        deadline: Instant,
    ) -> Result<Exchange, Problem> {
        let call = rpc::Call {
            name: &operation.rpc_name,
            path: &operation.rpc_path,
            package,
            message: request.message,
            metadata,
            deadline,
            effect: match (operation.reads(), request.is_keyed) {
                (true, _) => Effect::Read,
                (false, true) => Effect::KeyedWrite,
                (false, false) => Effect::Write,
            },
        };
        let called = self.client.call(&call).await;
        let reply = called.map_err(|status| Problem::from_status(&status))?;
        let has = |key, word| reply.metadata.get(key).is_some_and(|value| value == word);
        Ok(Exchange {
            is_replay: has(REPLAYED, "true"),
            is_preview: has(preview::METADATA, "shown"),
            is_created: !(operation.policy.may_create_nothing && has(CREATED, "false")),
            answer: self.transcoder.response(operation, &reply.message)?,
        })
    }
}

/// Invalidates the cached answers of a write's path (RFC 9111, 4.4), unless the write is known to have changed nothing.
/// Does so on drop: also if the answer comes too late, or the caller has gone.
struct Invalidation<'a> {
    changes: &'a Changes,
    path: Option<&'a str>,
}

impl Drop for Invalidation<'_> {
    fn drop(&mut self) {
        if let Some(path) = self.path {
            self.changes.invalidate_paths([path]);
        }
    }
}

/// Result of a call to an upstream.
pub(super) struct Exchange {
    pub(super) answer: Answer,
    /// The answer is that of an earlier create.
    is_replay: bool,
    /// False if an RPC that may create nothing has created nothing.
    is_created: bool,
    /// The answer shows the draft of the call's token.
    pub(super) is_preview: bool,
}
