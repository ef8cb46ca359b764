//! REST to gRPC. Routes are read from `google.api.http` annotations at start, so an annotated RPC becomes an endpoint
//! without any change here.

#![warn(missing_docs)]

mod address;
mod authorize;
mod cached;
mod caller;
mod derived_keys;
mod description;
mod identity;
mod index;
mod language;
pub mod openapi;
mod page;
mod preview;
mod quota;
pub mod transcode;
mod uncached;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use bytes::Bytes;
use gateway_cache::{
    Store, StoreConfig,
    changes::{Changes, Read, Watchers},
};
use gateway_contract::{ContractError, Operation, RateClass, Routes};
use gateway_http::{
    metrics::Metrics,
    problem::Problem,
    request::{
        client_address::ClientNetwork,
        deadline,
        lanes::Work,
        panic,
        trace::{self, RequestTrace},
    },
};
use gateway_upstream::{Upstreams, rpc::RpcClient};
use prost_reflect::DescriptorPool;
use ring::hmac;
use service_kit::source::{Clock, SystemClock};
use tokio::sync::OnceCell;

use self::{
    derived_keys::DerivedKeys,
    description::{Description, Descriptions},
    transcode::Transcoder,
};

pub use self::{
    identity::{Identity, Person, TokenCheck, TokenSigner, Tokens},
    preview::Preview,
    quota::CreateQuota,
};
pub use gateway_contract::MOUNT;
pub use gateway_upstream::health_checks::{Health, HealthChecks, HealthState};

/// Maximum bytes of a path below the mount point, and of a query. Bounds what is parsed, cached and compared of them. A
/// longer one is refused with 414.
const PATH_BYTES_MAX: usize = 1024;
const QUERY_BYTES_MAX: usize = 2048;
/// As [`QUERY_BYTES_MAX`], of calls whose body is bytes, so that text fields are in the query.
const QUERY_OF_BYTES_MAX: usize = 4096;

/// Marks the answer of an earlier create with the same idempotency key.
pub const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Meaning of a path below the mount point.
#[derive(Clone, Debug)]
pub enum Endpoint {
    /// An RPC.
    Operation(Arc<Operation>),
    /// A description of the API.
    Description(Description),
    /// OPTIONS of any of them, with the allowed methods.
    Options(HeaderValue),
    /// Redirect to the correct spelling of the path.
    Moved(String),
    /// No endpoint, with the refusal: 404 or 405.
    Nothing(Problem),
}

/// A call whose request has been read completely.
#[derive(Debug)]
pub struct Call<'a> {
    /// Path below the mount point.
    pub path: &'a str,
    /// Query string, without the question mark.
    pub query: Option<&'a str>,
    /// Headers of the request.
    pub headers: &'a HeaderMap,
    /// Body of the request.
    pub body: Bytes,
    /// Network of the person who calls. `None` for the site's own reads.
    pub network: Option<ClientNetwork>,
    /// Prefix of the paths that the caller sees.
    pub mount: &'a str,
    /// Time at which the caller must have its answer.
    pub deadline: Instant,
    /// Work of the request being answered; `None` for a part of work that has begun.
    pub work: Option<&'a dyn Work>,
    /// Identity of the caller, if it was checked.
    pub identity: Option<Identity>,
}

/// Defaults of calls whose contract sets nothing else.
#[derive(Clone, Copy, Debug)]
pub struct CallLimits {
    /// Time limit of a call.
    pub timeout: Duration,
    /// Share of reads that are traced (0 to 1).
    pub trace_read_ratio: f64,
}

/// The API of one gateway.
#[derive(Debug)]
pub struct Api {
    routes: Routes,
    transcoder: Transcoder,
    client: RpcClient,
    store: Arc<Store>,
    tokens: Tokens,
    derived_keys: DerivedKeys,
    changes: Arc<Changes>,
    _watchers: Watchers,
    /// Made when first requested: no other part of the process takes as much memory to start.
    descriptions: OnceCell<Descriptions>,
    trace_read_ratio: f64,
    timeout: Duration,
}

impl Api {
    /// Builds the API from the contracts.
    pub fn new(
        config: &StoreConfig,
        limits: CallLimits,
        upstreams: Upstreams,
        pool: &DescriptorPool,
        tokens: Tokens,
        form_key: hmac::Key,
    ) -> Result<Self, ContractError> {
        let metrics = Metrics::global();
        let routes = Routes::from_pool(pool)?;
        let changes = Arc::new(Changes::default());
        Ok(Self {
            transcoder: Transcoder::new(&routes),
            routes,
            store: cached::store(config, Arc::clone(&changes), metrics),
            _watchers: Watchers::start(&upstreams, &changes, metrics),
            changes,
            tokens,
            derived_keys: DerivedKeys::new(form_key, Arc::new(SystemClock)),
            descriptions: OnceCell::new(),
            client: RpcClient::new(upstreams),
            trace_read_ratio: limits.trace_read_ratio,
            timeout: limits.timeout,
        })
    }

    /// Returns the endpoint of a method and a path below the mount point.
    pub fn endpoint(&self, method: &Method, path: &str) -> Endpoint {
        if let Some(described) = Description::at(path) {
            return Self::described(method, described);
        }
        match self.routes.find(method, path) {
            Ok(operation) => Endpoint::Operation(Arc::clone(operation)),
            Err(refusal) => self.other(method, path, refusal),
        }
    }

    /// Whether `route` is the template of an operation or a description, with the mount point.
    pub fn has_route(&self, route: &str) -> bool {
        let operations = self.routes.operations().iter();
        Description::has_route(route)
            || operations
                .map(|operation| &*operation.route)
                .any(|known| known == route)
    }

    /// Returns the time limit of a call.
    pub fn timeout(&self, endpoint: &Endpoint) -> Duration {
        match endpoint {
            Endpoint::Operation(operation) => operation.policy.deadline.unwrap_or(self.timeout),
            _ => self.timeout,
        }
    }

    /// Checks a token for an operation that needs one.
    pub fn check_token(&self, operation: &Operation, value: &HeaderValue) -> TokenCheck {
        self.tokens
            .verifier
            .check(value.to_str().ok(), &operation.policy.scope)
    }

    /// Checks the credentials of a call whose large body has not been read.
    ///
    /// # Errors
    /// Those of the call itself: 401 or 403.
    pub fn may_send_body(
        &self,
        operation: &Operation,
        headers: &HeaderMap,
        identity: Option<&Identity>,
    ) -> Result<(), Problem> {
        authorize::check(&self.tokens, headers, &operation.policy, identity).map(drop)
    }

    /// Answers a call.
    pub async fn respond(self: &Arc<Self>, endpoint: Endpoint, call: Call<'_>) -> Response<Bytes> {
        let query_bytes_max = match &endpoint {
            Endpoint::Operation(operation) if operation.takes_bytes() => QUERY_OF_BYTES_MAX,
            _ => QUERY_BYTES_MAX,
        };
        let answer = match endpoint {
            Endpoint::Nothing(problem) => Err(problem),
            Endpoint::Operation(_) if call.path.len() > PATH_BYTES_MAX => {
                Err(Problem::address_too_long("path", PATH_BYTES_MAX))
            }
            _ if call
                .query
                .is_some_and(|query| query.len() > query_bytes_max) =>
            {
                Err(Problem::address_too_long("query", query_bytes_max))
            }
            Endpoint::Description(one) => {
                // Boxed: the future is large, and most requests need no description.
                let make = || Box::pin(Descriptions::new(&self.routes));
                let descriptions = self.descriptions.get_or_init(make).await;
                Ok(descriptions.response(one, call.headers))
            }
            Endpoint::Options(allow) => Ok(address::options(allow)),
            Endpoint::Moved(meant) => address::moved(&meant, &call),
            Endpoint::Operation(operation) => self.operation(&operation, call).await,
        };
        answer.unwrap_or_else(Problem::into_response)
    }

    async fn operation(
        self: &Arc<Self>,
        operation: &Arc<Operation>,
        call: Call<'_>,
    ) -> Result<Response<Bytes>, Problem> {
        let (language, query) = language::of(operation, call.query, call.headers)?;
        let call = Call {
            query: query.as_deref(),
            ..call
        };
        if operation.policy.cache.is_zero() {
            // Boxed: the future of an upstream call is large, and most requests never make one.
            Box::pin(self.uncached(operation, &call, language)).await
        } else {
            self.cached(operation, &call, language).await
        }
    }
}

/// Returns the template of an endpoint, for telemetry.
pub fn route(endpoint: &Endpoint) -> Arc<str> {
    static NOTHING: LazyLock<Arc<str>> = LazyLock::new(|| "/api/*".into());
    match endpoint {
        Endpoint::Operation(operation) => Arc::clone(&operation.route),
        Endpoint::Description(described) => described.route().into(),
        _ => Arc::clone(&NOTHING),
    }
}

/// The API for other parts of this process: same routes, cache, deadline and trace as over the network. Calls do not
/// count against a visitor's rate, except that creates count against the visitor's network. The checks that protect
/// browsers from foreign sites are skipped.
#[derive(Clone, Debug)]
pub struct LocalApi {
    api: Arc<Api>,
    creates: Arc<dyn CreateQuota>,
    /// Member of staff for whom calls are made.
    person: Option<Arc<Person>>,
    /// Preview for which reads are made.
    preview: Option<Arc<Preview>>,
}

impl LocalApi {
    /// Creates access to `api`; creates count against `creates`.
    pub fn new(api: Arc<Api>, creates: Arc<dyn CreateQuota>) -> Self {
        Self {
            api,
            creates,
            person: None,
            preview: None,
        }
    }

    /// Returns access for a document that shows a preview. Public reads of its package carry its token. Their answers are
    /// neither taken from the cache nor stored.
    #[must_use]
    pub fn for_preview(&self, preview: Arc<Preview>) -> Self {
        Self {
            preview: Some(preview),
            ..self.clone()
        }
    }

    /// Returns access for a signed-in member of staff. Calls that need a scope carry a token of the person. Their
    /// answers are never cached or shared, because the contract allows no cache for them. Creates don't count against
    /// the network, which many members of staff share.
    #[must_use]
    pub fn for_staff(&self, person: Arc<Person>) -> Self {
        Self {
            person: Some(person),
            ..self.clone()
        }
    }

    /// Returns the template of a read of `path_and_query`, for telemetry.
    pub fn read_route(&self, path_and_query: &str) -> Arc<str> {
        let (path, _) = split(path_and_query);
        route(&self.api.endpoint(&Method::GET, path))
    }

    /// Starts the health checks of the upstreams, which stop when the result is dropped.
    pub fn health_checks(&self, clock: &Arc<dyn Clock>) -> HealthChecks {
        self.api.client.health_checks(clock)
    }

    /// Returns the invalidations of this API's answers.
    pub fn changes(&self) -> Arc<Changes> {
        Arc::clone(&self.api.changes)
    }

    /// Returns the read that a call of `path_and_query` makes, for a [`Basis`](gateway_cache::changes::Basis); `None` if
    /// no upstream answers it. It is the same in all languages, so that a change invalidates all of them.
    pub fn read(&self, path_and_query: &str) -> Option<Read> {
        let (path, query) = split(path_and_query);
        match self.api.endpoint(&Method::GET, path) {
            Endpoint::Operation(operation) => {
                let query = query.map(language::without);
                Some(Read::new(
                    path,
                    query.as_deref(),
                    Arc::clone(&operation.package),
                ))
            }
            _ => None,
        }
    }

    /// Returns the package and the scope of a read of `path`, or `None` if no upstream answers it. The scope of a public
    /// read is empty.
    pub fn read_access(&self, path: &str) -> Option<(Arc<str>, String)> {
        match self.api.endpoint(&Method::GET, path) {
            Endpoint::Operation(operation) => Some((
                Arc::clone(&operation.package),
                operation.policy.scope.clone(),
            )),
            _ => None,
        }
    }

    /// Calls `path_and_query` (below `/api`, for example `/departments?pageSize=5`). Gives up after `remaining`, or
    /// earlier if the contract sets a shorter limit. `network` is that of the visitor for whom the call is made, if it
    /// is for one.
    ///
    /// Never fails: every error is a response of type `application/problem+json`. The body is compressed only if
    /// `headers` accept that.
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
            identity: self.person.clone().map(Identity::Person),
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

    /// Answers a call, unless it is a create for a visitor whose network has exceeded its limits on creates.
    async fn respond(&self, endpoint: Endpoint, call: Call<'_>) -> Response<Bytes> {
        if let (Endpoint::Operation(operation), Some(network)) = (&endpoint, call.network)
            && self.person.is_none()
            && operation.rate_class() == RateClass::Create
            && let Err(problem) = self.creates.count(network).await
        {
            return problem.into_response();
        }
        if let (Endpoint::Operation(operation), Some(preview)) = (&endpoint, &self.preview)
            && preview.applies_to(operation)
        {
            let answer = Box::pin(self.api.previewed(operation, &call, preview)).await;
            return answer.unwrap_or_else(Problem::into_response);
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

/// The trace that a call inside this process continues, for a document to pass to the browser.
pub use trace::current_traceparent;
