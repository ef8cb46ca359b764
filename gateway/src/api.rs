//! REST to gRPC. Routes are read from `google.api.http` annotations when the process starts: adding an annotated RPC adds
//! an endpoint, and nothing here changes.

mod address;
mod authorize;
pub(crate) mod caller;
mod derived_keys;
mod description;
mod index;
mod kept;
pub mod openapi;
mod page;
mod quota;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION},
};
use bytes::Bytes;
use prost_reflect::DescriptorPool;
use ring::hmac;
use service_kit::{
    auth::{self, Refusal, Verifier},
    source::{Clock, SystemClock},
};
use tonic::metadata::MetadataMap;

use self::{
    caller::Caller,
    derived_keys::{DerivedKeys, Sent},
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
        etag::{self, Suffix},
        lanes::Work,
        panic,
        trace::{self, RequestTrace},
    },
    store::{
        Store,
        changes::{Changes, Read, Watchers},
    },
    upstream::{
        Upstreams,
        rpc::{self, Effect, RpcClient},
    },
    wire::{self, Answer, Transcoder},
};

pub(crate) use self::quota::CreateQuota;
pub use crate::contract::MOUNT;
pub(crate) use crate::upstream::look::{Outlook, Sight, State};

/// Bytes of a path below the mount point, and of a query, at most: what is parsed, kept and compared of them is bounded by it. A
/// longer one is refused with 414.
const PATH_BYTES_MAX: usize = 1024;
const QUERY_BYTES_MAX: usize = 2048;

/// In an answer: the key that was derived for a create that brought none.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

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

    async fn direct(
        &self,
        operation: &Operation,
        call: &Call<'_>,
    ) -> Result<Response<Bytes>, Problem> {
        call.work.map_or(Ok(()), Work::begin)?;
        let policy = &operation.policy;
        let caller = Caller::identify(&self.verifier, policy, call)?;
        let (path, query) = (call.path, call.query);
        let transcoder = &self.transcoder;
        let request = transcoder.request(operation, path, query, call.headers, &call.body)?;
        let key = self.derived_key(operation, call, &caller, &request);
        let request = match &key {
            Some(key) => request.with_key(operation, key),
            None => request,
        };
        let key = key.and_then(|key| HeaderValue::try_from(key).ok());
        let answer = self.exchange(operation, call, request, &caller).await;
        match (answer, key) {
            (answer, None) => answer,
            (Ok(mut response), Some(key)) => {
                response.headers_mut().insert(IDEMPOTENCY_KEY, key);
                Ok(response)
            }
            (Err(problem), Some(key)) => Err(problem.with_header(IDEMPOTENCY_KEY, key)),
        }
    }

    /// The idempotency key of a visitor's or member of staff's create that brings none.
    fn derived_key(
        &self,
        operation: &Operation,
        call: &Call<'_>,
        caller: &Caller<'_>,
        request: &wire::Request,
    ) -> Option<String> {
        let is_meant = operation.request_id.is_some() && !operation.reads() && !request.is_keyed;
        let network = call.network.filter(|_| is_meant)?;
        Some(self.derived_keys.of(&Sent {
            route: &operation.route,
            message: &request.message,
            network,
            by: caller.credential(),
        }))
    }

    /// Makes the RPC of a call that is not cached, and writes its answer.
    async fn exchange(
        &self,
        operation: &Operation,
        call: &Call<'_>,
        request: wire::Request,
        caller: &Caller<'_>,
    ) -> Result<Response<Bytes>, Problem> {
        let mut metadata = MetadataMap::new();
        caller.write(&mut metadata);
        let mut invalidation = Invalidation {
            changes: &self.changes,
            // Paths of which nothing is kept would only push others out of what is remembered.
            path: (!operation.reads() && self.routes.may_be_kept(call.path)).then_some(call.path),
        };
        let sent = self
            .send(operation, request, metadata, call.deadline)
            .await
            .inspect_err(|problem| {
                if !problem.status().is_server_error() {
                    // Refused: nothing was done.
                    invalidation.path = None;
                }
            });
        drop(invalidation);
        let Exchange {
            answer,
            is_replay,
            is_created,
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
        let version = etag.filter(|etag| etag::is_version(etag));
        let is_known = operation.reads()
            && version
                .as_deref()
                .is_some_and(|version| etag::is_known(call.headers, version));
        if operation.raw.is_some() {
            let response = kept::tagged(response, version.as_deref(), Suffix::None);
            return Ok(if is_known {
                kept::not_modified(response)
            } else {
                response
            });
        }
        let response = kept::compressed(response, version.as_deref(), call.headers).await;
        Ok(if is_known {
            kept::not_modified(response)
        } else {
            response
        })
    }

    /// Makes the RPC of an operation.
    async fn send(
        &self,
        operation: &Operation,
        request: wire::Request,
        metadata: MetadataMap,
        deadline: Instant,
    ) -> Result<Exchange, Problem> {
        let call = rpc::Call {
            name: &operation.rpc_name,
            path: &operation.rpc_path,
            package: &operation.package,
            message: request.message,
            metadata,
            deadline,
            effect: match (operation.reads(), request.is_keyed) {
                (true, _) => Effect::Read,
                (false, true) => Effect::KeyedWrite,
                (false, false) => Effect::Write,
            },
        };
        let reply = self.client.call(&call).await;
        let reply = reply.map_err(|status| Problem::from_status(&status))?;
        let says = |key, word| reply.metadata.get(key).is_some_and(|value| value == word);
        Ok(Exchange {
            is_replay: says(REPLAYED, "true"),
            is_created: !(operation.policy.may_create_nothing && says(CREATED, "false")),
            answer: self.transcoder.response(operation, &reply.message)?,
        })
    }
}

/// A write invalidates the cached answers of its path (RFC 9111, 4.4) unless it is known to have done nothing: also when its answer
/// comes too late, or its caller has gone.
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

/// What a call to an upstream came to.
struct Exchange {
    answer: Answer,
    /// It is the answer of an earlier create.
    is_replay: bool,
    /// Where the RPC creates: something exists now.
    is_created: bool,
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
