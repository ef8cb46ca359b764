//! REST to gRPC. Routes are read from `google.api.http` annotations when the process starts: adding an annotated RPC adds
//! an endpoint, and nothing here changes.

mod authorize;
pub(crate) mod caller;
pub mod openapi;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, LOCATION},
};
use bytes::Bytes;
use prost_reflect::DescriptorPool;
use service_kit::auth::Verifier;
use tonic::{Status, metadata::MetadataMap};

use self::caller::Caller;
use crate::{
    config::Config,
    contract::{ContractError, Operation, Routes},
    metrics::Metrics,
    problem::Problem,
    request::{
        client_address::ClientNetwork,
        deadline, etag, panic,
        trace::{self, RequestTrace},
    },
    store::{
        changes::{Basis, Changes, Read, Watchers},
        responses::{self, ResponseCache, Stored},
    },
    upstream::{
        addresses::Upstreams,
        rpc::{self, RpcClient},
    },
    wire::{Answer, Transcoder},
};

pub use crate::contract::MOUNT;

/// Path of the description, below the mount point.
const DESCRIPTION: &str = "/openapi.json";
const DESCRIPTION_ROUTE: &str = "/api/openapi.json";
/// The description changes only with the process.
const DESCRIPTION_FRESH_FOR: Duration = Duration::from_mins(5);
const MIB: u64 = 1024 * 1024;

/// The answer is that of an earlier create with the same idempotency key.
pub(crate) const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Metadata by which a service says that a create with this request id was made before.
const REPLAYED: &str = "idempotent-replayed";

/// Metadata by which a service says that an RPC that may create something created nothing: `false`.
const CREATED: &str = "resource-created";

/// What a path below the mount point means.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    /// An RPC.
    Operation(Arc<Operation>),
    /// The description of all of them.
    Description,
    /// No endpoint: the refusal, 404 or 405.
    Nothing(Problem),
}

/// A call that has been read in full.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// Below the mount point.
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: Bytes,
    /// Of the person who calls. `None`: nobody does, the site reads for itself.
    pub(crate) network: Option<ClientNetwork>,
    /// Prefix of the path in the addresses that the caller sees.
    pub(crate) mount: &'a str,
    pub(crate) deadline: Instant,
}

/// The API of one gateway.
#[derive(Debug)]
pub(crate) struct Api {
    routes: Routes,
    transcoder: Transcoder,
    client: RpcClient,
    cache: ResponseCache,
    verifier: Verifier,
    changes: Arc<Changes>,
    _watchers: Watchers,
    description: Stored,
    metrics: &'static Metrics,
    trace_read_ratio: f64,
    timeout: Duration,
}

impl Api {
    /// Reads the contracts and prepares the channels.
    pub(crate) async fn new(
        config: &Config,
        pool: &DescriptorPool,
        verifier: Verifier,
    ) -> Result<Self, ContractError> {
        let metrics = Metrics::global();
        let routes = Routes::from_pool(pool)?;
        let description = openapi::describe(&routes).to_string();
        let upstreams = Upstreams::new(&config.upstream.upstreams);
        let changes = Arc::new(Changes::default());
        Ok(Self {
            transcoder: Transcoder::new(&routes),
            routes,
            cache: ResponseCache::new(
                u64::from(config.store.cache_mib_max) * MIB,
                config.store.cache_entries_max,
                Arc::clone(&changes),
            ),
            _watchers: Watchers::start(&upstreams, &changes, metrics),
            changes,
            verifier,
            description: Stored::finish(
                description.into(),
                None,
                DESCRIPTION_FRESH_FOR,
                Basis::default(),
            )
            .await,
            client: RpcClient::new(upstreams, metrics),
            metrics,
            trace_read_ratio: config.edge.trace_read_ratio,
            timeout: config.edge.request_timeout(),
        })
    }

    /// The endpoint of a method and a path below the mount point.
    pub(crate) fn endpoint(&self, method: &Method, path: &str) -> Endpoint {
        if path == DESCRIPTION {
            return if matches!(*method, Method::GET | Method::HEAD) {
                Endpoint::Description
            } else {
                Endpoint::Nothing(Problem::method_not_allowed(&HeaderValue::from_static(
                    "GET, HEAD",
                )))
            };
        }
        match self.routes.find(method, path) {
            Ok(operation) => Endpoint::Operation(Arc::clone(operation)),
            Err(problem) => Endpoint::Nothing(problem),
        }
    }

    /// How long a call may take in all.
    pub(crate) fn timeout(&self, endpoint: &Endpoint) -> Duration {
        match endpoint {
            Endpoint::Operation(operation) => operation.policy.deadline.unwrap_or(self.timeout),
            Endpoint::Description | Endpoint::Nothing(_) => self.timeout,
        }
    }

    /// Answers a call.
    pub(crate) async fn respond(&self, endpoint: Endpoint, call: Call<'_>) -> Response<Bytes> {
        let answer = match endpoint {
            Endpoint::Nothing(problem) => Err(problem),
            Endpoint::Description => Ok(self.description.response(call.headers)),
            Endpoint::Operation(operation) if operation.policy.cache.is_zero() => {
                // Boxed, as below: the future of an upstream call is large, and most requests never make one.
                Box::pin(self.direct(&operation, &call)).await
            }
            Endpoint::Operation(operation) => self.cached(&operation, &call).await,
        };
        answer.unwrap_or_else(Problem::into_response)
    }

    async fn direct(
        &self,
        operation: &Operation,
        call: &Call<'_>,
    ) -> Result<Response<Bytes>, Problem> {
        let Exchange {
            answer,
            is_replay,
            is_created,
        } = self.exchange(operation, call).await?;
        let Answer {
            body,
            media_type,
            id,
            etag,
        } = answer;
        if !operation.reads() && self.routes.may_be_kept(call.path) {
            // A write invalidates the cached answers of its path (RFC 9111, 4.4). Paths of which nothing is kept would only
            // push others out of what is remembered.
            self.changes.invalidate_paths([call.path]);
        }
        let mut response = Response::new(Bytes::new());
        response
            .headers_mut()
            .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if is_replay {
            let said = HeaderValue::from_static("true");
            response.headers_mut().insert(IDEMPOTENT_REPLAYED, said);
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
        if let Some((tag, _)) = etag.as_deref().and_then(etag::tags) {
            headers.insert(ETAG, tag);
        }
        Ok(response)
    }

    async fn cached(
        &self,
        operation: &Operation,
        call: &Call<'_>,
    ) -> Result<Response<Bytes>, Problem> {
        let key = responses::key(call.path, call.query);
        if let Some(stored) = self.cache.get(&key).await {
            self.metrics.cache_read("hit");
            return Ok(stored.response(call.headers));
        }
        self.metrics.cache_read("miss");
        let make = || async {
            let since = self.changes.position();
            let Answer { body, etag, .. } = self.exchange(operation, call).await?.answer;
            let read = Read::new(call.path, call.query, Arc::clone(&operation.package));
            let basis = Basis::new(since, vec![read]);
            let fresh_for = operation.policy.cache;
            Ok(Arc::new(Stored::finish(body, etag, fresh_for, basis).await))
        };
        let stored = Box::pin(self.cache.get_or(&key, make)).await?;
        Ok(stored.response(call.headers))
    }

    async fn exchange(&self, operation: &Operation, call: &Call<'_>) -> Result<Exchange, Problem> {
        let policy = &operation.policy;
        let caller = Caller::identify(&self.verifier, policy, call.headers, call.network)?;
        let transcoder = &self.transcoder;
        let request =
            transcoder.request(operation, call.path, call.query, call.headers, &call.body)?;
        let mut metadata = MetadataMap::new();
        caller.write(&mut metadata);
        let call = rpc::Call {
            name: &operation.rpc_name,
            path: &operation.rpc_path,
            package: &operation.package,
            message: request.message,
            metadata,
            deadline: call.deadline,
            is_repeatable: operation.reads() || request.is_keyed,
        };
        let reply = self.client.call(&call).await;
        let reply = reply.map_err(|status| refusal(operation, &status))?;
        let says = |key, word| reply.metadata.get(key).is_some_and(|value| value == word);
        Ok(Exchange {
            is_replay: says(REPLAYED, "true"),
            is_created: !(policy.may_create_nothing && says(CREATED, "false")),
            answer: transcoder.response(operation, &reply.message)?,
        })
    }
}

/// What a call to an upstream came to.
struct Exchange {
    answer: Answer,
    /// It is the answer of an earlier create.
    is_replay: bool,
    /// Where the RPC creates: something exists now.
    is_created: bool,
}

fn refusal(operation: &Operation, status: &Status) -> Problem {
    if rpc::is_failure(status.code()) {
        tracing::warn!(
            trace_id = trace::current_trace_id(),
            rpc = %operation.rpc_name,
            code = ?status.code(),
            error = status.message(),
            "an upstream failed"
        );
    }
    Problem::from_status(status)
}

/// The template of an endpoint, for telemetry.
pub(crate) fn route(endpoint: &Endpoint) -> Arc<str> {
    match endpoint {
        Endpoint::Operation(operation) => Arc::clone(&operation.route),
        Endpoint::Description => DESCRIPTION_ROUTE.into(),
        Endpoint::Nothing(_) => "/api/*".into(),
    }
}

/// The API as other parts of this process call it: same routes, cache, deadline and trace as over the network, but
/// not counted against any visitor's rate and without the checks that protect browsers from foreign sites.
#[derive(Clone, Debug)]
pub struct LocalApi(Arc<Api>);

impl LocalApi {
    pub(crate) fn new(api: Arc<Api>) -> Self {
        Self(api)
    }

    /// The invalidations of this API's answers.
    pub(crate) fn changes(&self) -> Arc<Changes> {
        Arc::clone(&self.0.changes)
    }

    /// The read that a call of `path_and_query` makes, for a [`Basis`](crate::store::changes::Basis); `None` if no upstream answers it.
    pub(crate) fn read(&self, path_and_query: &str) -> Option<Read> {
        let (path, query) = split(path_and_query);
        match self.0.endpoint(&Method::GET, path) {
            Endpoint::Operation(operation) => {
                Some(Read::new(path, query, Arc::clone(&operation.package)))
            }
            Endpoint::Description | Endpoint::Nothing(_) => None,
        }
    }

    /// Calls `path_and_query` (below `/api`, for example `/departments?pageSize=5`) and gives up after `remaining`, or
    /// earlier where the contract says so. `network` is that of the visitor for whom it is called, if it is for one.
    ///
    /// Never fails: every error is a response of type `application/problem+json`. The body is compressed only if `headers`
    /// accept that.
    pub async fn call(
        &self,
        method: Method,
        path_and_query: &str,
        headers: HeaderMap,
        body: Bytes,
        network: Option<ClientNetwork>,
        remaining: Duration,
    ) -> Response<Bytes> {
        let started = Instant::now();
        let (path, query) = split(path_and_query);
        let endpoint = self.0.endpoint(&method, path);
        let limit = remaining.min(self.0.timeout(&endpoint));
        let route = route(&endpoint);
        let trace = RequestTrace::inside(&method, &route, self.0.trace_read_ratio);
        let call = Call {
            path,
            query,
            headers: &headers,
            body,
            network,
            mount: MOUNT,
            deadline: started + limit,
        };
        let response = trace
            .scope(async {
                let work = deadline::within(limit, self.0.respond(endpoint, call));
                panic::contain(work)
                    .await
                    .flatten()
                    .unwrap_or_else(Problem::into_response)
            })
            .await;
        trace.finish(&method, &route, response.status(), started.elapsed());
        response
    }
}

fn split(path_and_query: &str) -> (&str, Option<&str>) {
    match path_and_query.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path_and_query, None),
    }
}

/// The trace that a call inside this process continues, for a document to tell the browser.
pub use trace::current_traceparent;
