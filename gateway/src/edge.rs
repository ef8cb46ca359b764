//! One request from door to door: its limits, its trace and deadline, and the surface that answers it.
//!
//! One function calls the steps in turn: a stack of boxed services would allocate and clone for each of them on every request.
//! A refusal is written by the surface that was asked: a page for a person, problem+json for a program.

mod admission;
mod body;
mod config;
mod origins;
mod rate;
pub mod security_headers;
pub mod server_timing;
mod surfaces;
mod target;

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts},
};
use bytes::Bytes;
use http_body::Body as _;
use opentelemetry::trace::TraceId;
use service_kit::health::Readiness;

use self::{
    admission::{Admission, AdmissionLimits},
    origins::Origins,
    rate::{Allowance, Caller, Class},
    security_headers::SecurityHeaders,
    target::Target,
};
use crate::{
    api::{Api, Endpoint},
    beacon,
    config::Config,
    contract::RateClass,
    documents::{DocumentRoute, Documents, FORM_TIME_MAX},
    metrics::Metrics,
    problem::Problem,
    request::{
        client_address::{ClientNetwork, TrustedProxies, client_network},
        deadline, panic,
        trace::RequestTrace,
    },
};

pub(crate) use self::rate::RateLimit;
pub use self::{config::EdgeConfig, origins::Origin, rate::RateConfig};

/// What a browser's tab calls itself.
const CLIENT_ID: &str = "x-client-id";

/// Everything that a request can meet.
#[derive(Debug)]
pub(crate) struct Edge {
    api: Arc<Api>,
    documents: Option<Documents>,
    browser_spans: beacon::BrowserSpans,
    readiness: Readiness,
    rate_limit: Arc<RateLimit>,
    admission: Admission,
    origins: Origins,
    security_headers: SecurityHeaders,
    metrics: &'static Metrics,
    api_host: Option<String>,
    trusted_proxies: TrustedProxies,
    trace_read_ratio: f64,
    timeout: Duration,
    body_bytes_max: usize,
}

/// A request whose body is not read yet.
struct Incoming {
    parts: Parts,
    body: Body,
    network: ClientNetwork,
    deadline: Instant,
}

impl Edge {
    pub(crate) fn new(
        config: &Config,
        api: Arc<Api>,
        documents: Option<Documents>,
        readiness: Readiness,
        rate_limit: Arc<RateLimit>,
    ) -> Self {
        let metrics = Metrics::global();
        let endpoint = config.browser_spans_endpoint.as_ref();
        let edge = &config.edge;
        Self {
            api,
            documents,
            browser_spans: beacon::BrowserSpans::start(endpoint, metrics),
            readiness,
            rate_limit,
            admission: Admission::new(AdmissionLimits {
                requests: edge.requests_in_flight_max,
                network_requests: edge.address_requests_in_flight_max,
                bodies: edge.bodies_unfinished_max,
                network_bodies: edge.address_bodies_unfinished_max,
            }),
            origins: Origins {
                site: edge.site_origins.clone(),
                api: edge.api_origins.clone(),
            },
            security_headers: SecurityHeaders::new(edge.hsts_seconds, edge.hsts_subdomains),
            metrics,
            api_host: edge.api_host.clone(),
            trusted_proxies: edge.trusted_proxies(),
            trace_read_ratio: edge.trace_read_ratio,
            timeout: edge.request_timeout(),
            body_bytes_max: edge.body_bytes_max,
        }
    }

    /// Forgets who has been quiet. To be called every second.
    pub(crate) fn sweep(&self) {
        self.rate_limit.sweep();
    }

    pub(crate) async fn respond(&self, request: Request<Body>, peer: SocketAddr) -> Response<Body> {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        let target = Target::of(&parts, &self.api, self.api_host.as_deref());
        let mut route = target.route();
        let limit = match &target {
            Target::Api(endpoint, _) => self.api.timeout(endpoint),
            Target::Document if !parts.method.is_safe() => FORM_TIME_MAX,
            _ => self.timeout,
        };
        let method = parts.method.clone();
        let is_page = matches!(target, Target::Document);
        let network = client_network(peer, &parts.headers, self.trusted_proxies);
        // 1. Rate limits: before anything that costs. A refused request has ids, but no span that strangers could fill traces with.
        let counted = match self.unlimited(&target, &parts, network) {
            Some(response) => return self.finished(response, &method, &route, started, None),
            None => self.count(&parts, &target, network).await,
        };
        let trace = match (&target, &counted) {
            (Target::Probe(_) | Target::Telemetry, _) | (_, Err(_)) => {
                RequestTrace::quiet(&parts.headers)
            }
            (Target::Api(..) | Target::Document, Ok(_)) => {
                RequestTrace::begin(&parts.headers, &method, &route, self.trace_read_ratio)
            }
        };
        let incoming = Incoming {
            parts,
            body,
            network,
            deadline: started + limit,
        };
        let response = trace
            .scope(async {
                // 2. Panic containment: around all that can panic, inside the trace that reports it.
                // 3. Deadline: around every wait, reading the body included.
                // Boxed once, or every idle connection would hold room for all of it.
                let work = Box::pin(self.surface(incoming, target, counted));
                let answer = panic::contain(deadline::within(limit, work)).await;
                match answer.flatten().flatten() {
                    Ok(response) => response,
                    Err(problem) => self.refusal(is_page, problem),
                }
            })
            .await;
        let mut response = response;
        if let Some(DocumentRoute(found)) = response.extensions().get() {
            route = Arc::clone(found);
        }
        if !is_shared(response.headers()) {
            server_timing::apply(response.headers_mut(), &trace);
        }
        trace.finish(&method, &route, response.status(), started.elapsed());
        self.finished(response, &method, &route, started, trace.sampled())
    }

    /// The last step of every answer: what browsers may do with it, and its count.
    fn finished(
        &self,
        mut response: Response<Body>,
        method: &Method,
        route: &Arc<str>,
        started: Instant,
        sampled: Option<TraceId>,
    ) -> Response<Body> {
        if *method == Method::HEAD {
            response = without_body(response);
        }
        self.security_headers.apply(response.headers_mut());
        let seconds = started.elapsed().as_secs_f64();
        self.metrics
            .request(route, method, response.status(), seconds, sampled);
        response
    }

    /// The answer to what is no request: nothing is known of who sent it or why.
    pub(crate) fn refuse(&self, problem: Problem) -> Response<Body> {
        let mut response = self.refusal(false, problem);
        self.security_headers.apply(response.headers_mut());
        response
    }

    /// Each surface writes its own refusals.
    fn refusal(&self, is_page: bool, problem: Problem) -> Response<Body> {
        match &self.documents {
            Some(documents) if is_page => documents.refusal(&problem),
            _ => problem.into_response().map(Body::from),
        }
    }

    /// Probes go before every limit, because an overloaded gateway must still say that it lives; so do pages that must be seen
    /// whatever happens, which are in memory.
    fn unlimited(
        &self,
        target: &Target,
        parts: &Parts,
        network: ClientNetwork,
    ) -> Option<Response<Body>> {
        match target {
            Target::Probe(path) => Some(
                self.probe(path, &parts.method)
                    .unwrap_or_else(|problem| self.refusal(false, problem)),
            ),
            Target::Document => self.documents.as_ref()?.resident(parts, network),
            Target::Api(..) | Target::Telemetry => None,
        }
    }

    async fn count(
        &self,
        parts: &Parts,
        target: &Target,
        network: ClientNetwork,
    ) -> Result<Allowance, Problem> {
        let client_id = parts.headers.get(CLIENT_ID);
        let operation = match target {
            Target::Api(Endpoint::Operation(operation), _) => Some(operation),
            _ => None,
        };
        // Checked again by the call itself. Whose token is not valid is a visitor here, so that tokens cannot be tried at staff's rate.
        let subject = operation.and_then(|operation| self.api.subject(operation, &parts.headers));
        let class = match (target, operation.map(|operation| operation.rate_class())) {
            (_, Some(RateClass::Exempt)) => Class::Document,
            _ if subject.is_some() => Class::Staff,
            (_, Some(RateClass::Create)) => Class::Create,
            // A native form means one API call; whether it creates something is known when it has been read.
            (Target::Api(..) | Target::Document, _) if !parts.method.is_safe() => Class::Write,
            (Target::Api(Endpoint::Description(_), _), _) => Class::Document,
            (Target::Api(..), _) => Class::Read,
            (_, _) => Class::Document,
        };
        let caller = Caller {
            network,
            client_id: client_id.map_or(&[], HeaderValue::as_bytes),
            subject: subject.as_deref().unwrap_or_default().as_bytes(),
        };
        self.rate_limit.count(class, &caller).await
    }

    fn probe(&self, path: &str, method: &Method) -> Result<Response<Body>, Problem> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            let allow = HeaderValue::from_static("GET, HEAD");
            return Err(Problem::method_not_allowed(&allow));
        }
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        let (status, body) = match path {
            "/readyz" if !self.readiness.is_ready() => {
                (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
            }
            "/readyz" => (StatusCode::OK, "ready\n"),
            _ => (StatusCode::OK, "ok\n"),
        };
        let mut response = Response::new(Bytes::from_static(body.as_bytes()));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, text);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response.map(Body::from))
    }
}

/// HEAD gets the head of GET, the length of its body included, whichever surface answered and over whichever protocol.
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        let length = HeaderValue::from(length);
        parts.headers.insert(header::CONTENT_LENGTH, length);
    }
    Response::from_parts(parts, Body::empty())
}

/// Whether caches in front may give the answer to others, who must not find in it what is one caller's: the quota that is left,
/// and the position in a trace.
fn is_shared(headers: &HeaderMap) -> bool {
    let policy = headers.get(header::CACHE_CONTROL);
    policy.is_some_and(|policy| policy.as_bytes().starts_with(b"public"))
}
