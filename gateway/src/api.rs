//! REST to gRPC. Routes are read from `google.api.http` annotations when the process starts: adding an annotated RPC adds
//! an endpoint, and nothing here changes.

mod cache;
mod codec;
pub mod contract;
pub mod openapi;
mod query;
mod rpc;
pub(crate) mod telemetry;
pub mod template;
mod transcode;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::http::{
    HeaderMap, HeaderValue, Method, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION},
};
use bytes::Bytes;
use prost_reflect::DescriptorPool;

use self::{
    cache::{ResponseCache, Stored},
    contract::{ContractError, Operation, Routes},
    rpc::RpcClient,
};
use crate::{
    config::Config,
    middleware::{
        deadline,
        metrics::Metrics,
        panic,
        trace::{self, RequestTrace},
    },
    problem::Problem,
    upstreams::Upstreams,
};

pub use self::contract::MOUNT;

/// Path of the description, below the mount point.
const DESCRIPTION: &str = "/openapi.json";
const DESCRIPTION_ROUTE: &str = "/api/openapi.json";
/// The description changes only with the process.
const DESCRIPTION_FRESH_FOR: Duration = Duration::from_mins(5);
const MIB: u64 = 1024 * 1024;

/// What a path below the mount point means.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    /// An RPC.
    Operation(Arc<Operation>),
    /// The description of all of them.
    Description,
    /// Nothing that can be called: the refusal.
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
    /// What stands before the path in the addresses that the caller sees.
    pub(crate) mount: &'a str,
    pub(crate) deadline: Instant,
}

/// The API of one gateway.
#[derive(Debug)]
pub(crate) struct Api {
    routes: Routes,
    client: RpcClient,
    cache: ResponseCache,
    description: Stored,
    metrics: &'static Metrics,
    trace_read_ratio: f64,
    timeout: Duration,
}

impl Api {
    /// Reads the contracts and prepares the channels.
    pub(crate) async fn new(config: &Config, pool: &DescriptorPool) -> Result<Self, ContractError> {
        let metrics = Metrics::global();
        let routes = Routes::from_pool(pool)?;
        let description = openapi::describe(&routes).to_string();
        Ok(Self {
            routes,
            client: RpcClient::new(Upstreams::new(&config.upstreams), metrics),
            cache: ResponseCache::new(
                u64::from(config.cache_mib_max) * MIB,
                config.cache_entries_max,
            ),
            description: Stored::finish(description.into(), DESCRIPTION_FRESH_FOR).await,
            metrics,
            trace_read_ratio: config.trace_read_ratio,
            timeout: config.request_timeout(),
        })
    }

    /// What a path below the mount point means for a method.
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
            Endpoint::Operation(operation) if !operation.policy.scope.is_empty() => {
                Err(Problem::new(
                    StatusCode::FORBIDDEN,
                    "PERMISSION_DENIED",
                    "This call is not open to the public.",
                ))
            }
            Endpoint::Operation(operation) if operation.policy.cache.is_zero() => {
                // Boxed, as below: a call to an upstream is the rare and large part of a request's future.
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
        let (body, id) = self.fetch(operation, call).await?;
        let mut response = Response::new(body);
        if operation.creates() {
            *response.status_mut() = StatusCode::CREATED;
            let location = id.map(|id| format!("{}{}/{id}", call.mount, call.path));
            if let Some(value) = location.and_then(|text| HeaderValue::try_from(text).ok()) {
                response.headers_mut().insert(LOCATION, value);
            }
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }

    async fn cached(
        &self,
        operation: &Operation,
        call: &Call<'_>,
    ) -> Result<Response<Bytes>, Problem> {
        let key = cache::key(call.path, call.query);
        if let Some(stored) = self.cache.get(&key).await {
            self.metrics.cache_read("hit");
            return Ok(stored.response(call.headers));
        }
        self.metrics.cache_read("miss");
        let make = async {
            let (body, _) = self.fetch(operation, call).await?;
            Ok(Arc::new(Stored::finish(body, operation.policy.cache).await))
        };
        let stored = Box::pin(self.cache.get_or(&key, make)).await?;
        Ok(stored.response(call.headers))
    }

    async fn fetch(
        &self,
        operation: &Operation,
        call: &Call<'_>,
    ) -> Result<(Bytes, Option<String>), Problem> {
        let message =
            transcode::request(operation, call.path, call.query, call.headers, &call.body)?;
        let answer = self.client.call(operation, message, call.deadline).await?;
        transcode::response(operation, &answer)
    }
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

    /// Calls `path_and_query` (below `/api`, for example `/departments?pageSize=5`) and gives up after `remaining`, or
    /// earlier where the contract says so.
    ///
    /// Never fails: every error is a response of type `application/problem+json`. The body is not compressed unless
    /// `headers` accept that.
    pub async fn call(
        &self,
        method: Method,
        path_and_query: &str,
        headers: HeaderMap,
        body: Bytes,
        remaining: Duration,
    ) -> Response<Bytes> {
        let started = Instant::now();
        let (path, query) = match path_and_query.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path_and_query, None),
        };
        let endpoint = self.0.endpoint(&method, path);
        let limit = remaining.min(self.0.timeout(&endpoint));
        let route = route(&endpoint);
        let trace = RequestTrace::inside(&method, &route, self.0.trace_read_ratio);
        let call = Call {
            path,
            query,
            headers: &headers,
            body,
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

/// The trace that a call inside this process continues, for a document to tell the browser.
pub use trace::current_traceparent;
