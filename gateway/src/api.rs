//! REST to gRPC. Routes are read from `google.api.http` annotations when the process starts: adding an annotated RPC adds
//! an endpoint, and nothing here changes.

mod address;
mod authorize;
pub(crate) mod caller;
mod derived_keys;
mod description;
mod direct;
mod index;
mod kept;
pub mod openapi;
mod page;
mod quota;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use bytes::Bytes;
use prost_reflect::DescriptorPool;
use ring::hmac;
use service_kit::{
    auth::{self, Refusal, Verifier},
    source::{Clock, SystemClock},
};

use self::{
    derived_keys::DerivedKeys,
    description::{Description, Descriptions},
};
use crate::{
    config::Config,
    contract::{ContractError, Operation, RateClass, Routes},
    metrics::Metrics,
    problem::Problem,
    request::{
        client_address::ClientNetwork,
        deadline,
        lanes::Work,
        panic,
        trace::{self, RequestTrace},
    },
    store::{
        Store,
        changes::{Changes, Read, Watchers},
    },
    upstream::{Upstreams, rpc::RpcClient},
    wire::Transcoder,
};

pub(crate) use self::quota::CreateQuota;
pub use crate::contract::MOUNT;
pub(crate) use crate::upstream::look::{Outlook, Sight, State};

/// Bytes of a path below the mount point, and of a query, at most: what is parsed, kept and compared of them is bounded by it. A
/// longer one is refused with 414.
const PATH_BYTES_MAX: usize = 1024;
const QUERY_BYTES_MAX: usize = 2048;

/// The answer is that of an earlier create with the same idempotency key.
pub(crate) const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// What a path below the mount point means.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    /// An RPC.
    Operation(Arc<Operation>),
    /// What the API says of itself.
    Description(Description),
    /// OPTIONS of any of them: the methods that it has.
    Options(HeaderValue),
    /// Another path was meant: this one.
    Moved(String),
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
    /// Of the request that it answers; `None` for a part of work that has begun.
    pub(crate) work: Option<&'a dyn Work>,
    /// What was found of its token, if that was checked.
    pub(crate) token: Option<TokenCheck>,
}

/// The caller that a token names, or why it names none.
pub(crate) type TokenCheck = Result<auth::Caller, Refusal>;

/// The API of one gateway.
#[derive(Debug)]
pub(crate) struct Api {
    routes: Routes,
    transcoder: Transcoder,
    client: RpcClient,
    store: Arc<Store>,
    verifier: Verifier,
    derived_keys: DerivedKeys,
    changes: Arc<Changes>,
    _watchers: Watchers,
    descriptions: Descriptions,
    trace_read_ratio: f64,
    timeout: Duration,
}

impl Api {
    /// Reads the contracts.
    pub(crate) async fn new(
        config: &Config,
        upstreams: Upstreams,
        pool: &DescriptorPool,
        verifier: Verifier,
        form_key: hmac::Key,
    ) -> Result<Self, ContractError> {
        let metrics = Metrics::global();
        let routes = Routes::from_pool(pool)?;
        let descriptions = Descriptions::new(&routes).await;
        let changes = Arc::new(Changes::default());
        Ok(Self {
            transcoder: Transcoder::new(&routes),
            routes,
            store: kept::store(&config.store, Arc::clone(&changes), metrics),
            _watchers: Watchers::start(&upstreams, &changes, metrics),
            changes,
            verifier,
            derived_keys: DerivedKeys::new(form_key, Arc::new(SystemClock)),
            descriptions,
            client: RpcClient::new(upstreams),
            trace_read_ratio: config.edge.trace_read_ratio,
            timeout: config.edge.request_timeout(),
        })
    }

    /// The endpoint of a method and a path below the mount point.
    pub(crate) fn endpoint(&self, method: &Method, path: &str) -> Endpoint {
        if let Some(described) = Description::at(path) {
            return Self::described(method, described);
        }
        match self.routes.find(method, path) {
            Ok(operation) => Endpoint::Operation(Arc::clone(operation)),
            Err(refusal) => self.other(method, path, refusal),
        }
    }

    /// Whether `route` is the template of an operation, with the mount point.
    pub(crate) fn has_route(&self, route: &str) -> bool {
        let operations = self.routes.operations().iter();
        Description::has_route(route)
            || operations
                .map(|operation| &*operation.route)
                .any(|known| known == route)
    }

    /// How long a call may take in all.
    pub(crate) fn timeout(&self, endpoint: &Endpoint) -> Duration {
        match endpoint {
            Endpoint::Operation(operation) => operation.policy.deadline.unwrap_or(self.timeout),
            _ => self.timeout,
        }
    }

    /// Checks a token for an operation that needs one.
    pub(crate) fn check_token(&self, operation: &Operation, value: &HeaderValue) -> TokenCheck {
        self.verifier
            .check(value.to_str().ok(), &operation.policy.scope)
    }

    /// Answers a call.
    pub(crate) async fn respond(
        self: &Arc<Self>,
        endpoint: Endpoint,
        call: Call<'_>,
    ) -> Response<Bytes> {
        let answer = match endpoint {
            Endpoint::Nothing(problem) => Err(problem),
            Endpoint::Operation(_) if call.path.len() > PATH_BYTES_MAX => {
                Err(Problem::address_too_long("path", PATH_BYTES_MAX))
            }
            _ if call
                .query
                .is_some_and(|query| query.len() > QUERY_BYTES_MAX) =>
            {
                Err(Problem::address_too_long("query", QUERY_BYTES_MAX))
            }
            Endpoint::Description(one) => Ok(self.descriptions.response(one, call.headers)),
            Endpoint::Options(allow) => Ok(address::options(allow)),
            Endpoint::Moved(meant) => address::moved(&meant, &call),
            Endpoint::Operation(operation) if operation.policy.cache.is_zero() => {
                // Boxed, as below: the future of an upstream call is large, and most requests never make one.
                Box::pin(self.direct(&operation, &call)).await
            }
            Endpoint::Operation(operation) => self.cached(&operation, &call).await,
        };
        answer.unwrap_or_else(Problem::into_response)
    }
}

/// The template of an endpoint, for telemetry.
pub(crate) fn route(endpoint: &Endpoint) -> Arc<str> {
    static NOTHING: LazyLock<Arc<str>> = LazyLock::new(|| "/api/*".into());
    match endpoint {
        Endpoint::Operation(operation) => Arc::clone(&operation.route),
        Endpoint::Description(described) => described.route().into(),
        _ => Arc::clone(&NOTHING),
    }
}

/// The API as other parts of this process call it: same routes, cache, deadline and trace as over the network, but
/// not counted against any visitor's rate (but creates against their network's) and without the checks that protect browsers
/// from foreign sites.
#[derive(Clone, Debug)]
pub struct LocalApi {
    api: Arc<Api>,
    creates: Arc<dyn CreateQuota>,
}

impl LocalApi {
    pub(crate) fn new(api: Arc<Api>, creates: Arc<dyn CreateQuota>) -> Self {
        Self { api, creates }
    }

    /// Begins to look at the upstreams, for as long as the answer is kept.
    pub(crate) fn outlook(&self, clock: &Arc<dyn Clock>) -> Outlook {
        self.api.client.outlook(clock)
    }

    /// The invalidations of this API's answers.
    pub(crate) fn changes(&self) -> Arc<Changes> {
        Arc::clone(&self.api.changes)
    }

    /// The read that a call of `path_and_query` makes, for a [`Basis`](crate::store::changes::Basis); `None` if no upstream answers it.
    pub(crate) fn read(&self, path_and_query: &str) -> Option<Read> {
        let (path, query) = split(path_and_query);
        match self.api.endpoint(&Method::GET, path) {
            Endpoint::Operation(operation) => {
                Some(Read::new(path, query, Arc::clone(&operation.package)))
            }
            _ => None,
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
        let endpoint = self.api.endpoint(&method, path);
        let limit = remaining.min(self.api.timeout(&endpoint));
        let route = route(&endpoint);
        let trace = RequestTrace::inside(&method, &route, self.api.trace_read_ratio);
        let call = Call {
            path,
            query,
            headers: &headers,
            body,
            network,
            mount: MOUNT,
            deadline: started + limit,
            work: None,
            token: None,
        };
        let response = trace
            .scope(async {
                let work = deadline::within(limit, Box::pin(self.respond(endpoint, call)));
                panic::contain(work)
                    .await
                    .flatten()
                    .unwrap_or_else(Problem::into_response)
            })
            .await;
        trace.finish(&method, &route, response.status(), started.elapsed());
        response
    }

    /// Answers a call, unless it creates something for a visitor whose network has created too much.
    async fn respond(&self, endpoint: Endpoint, call: Call<'_>) -> Response<Bytes> {
        if let (Endpoint::Operation(operation), Some(network)) = (&endpoint, call.network)
            && operation.rate_class() == RateClass::Create
            && let Err(problem) = self.creates.count(network).await
        {
            return problem.into_response();
        }
        self.api.respond(endpoint, call).await
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
