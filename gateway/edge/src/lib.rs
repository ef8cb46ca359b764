//! Handles one request from start to end: limits, trace, deadline, and the surface that answers it.
//!
//! One function calls the steps in turn. A stack of boxed services would allocate and clone for each step on every
//! request. The requested surface renders refusals: a page for people, problem+json for programs.
//!
//! The order is: rate limits, panic containment, deadline (here); concurrent requests of the network, write checks,
//! body, work permit (`surfaces`). Each step states why it has its place.

#![warn(missing_docs)]

mod admission;
mod beacon;
mod body;
mod config;
mod desk;
mod events;
mod origins;
mod pictures;
mod rate;
mod security_headers;
mod server_timing;
mod surfaces;
mod target;
mod uploads;

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header, request::Parts,
    },
};
use bytes::Bytes;
use gateway_api::{Api, Endpoint, TokenCheck};
use gateway_contract::{Operation, RateClass};
use gateway_documents::{DocumentRoute, Documents, language_of};
use gateway_http::{
    language::Language,
    metrics::Metrics,
    problem::Problem,
    request::{
        client_address::{Client, ClientNetwork, TrustedProxies},
        deadline, panic,
        trace::RequestTrace,
    },
};
use gateway_session::Staff;
use http_body::Body as _;
use opentelemetry::trace::TraceId;
use service_kit::health::Readiness;

use self::{
    admission::{Admission, AdmissionLimits},
    desk::Signed,
    events::{EventLimits, Events},
    origins::Origins,
    pictures::Pictures,
    rate::{Allowance, Caller, Class},
    security_headers::SecurityHeaders,
    target::{DeskAddress, Surface},
    uploads::Uploads,
};

pub use self::{
    config::EdgeConfig,
    origins::Origin,
    rate::{RateConfig, RateLimit},
};

/// Header with the id of a browser's tab.
const CLIENT_ID: &str = "x-client-id";

/// All components that handle requests.
#[derive(Debug)]
pub struct Edge {
    api: Arc<Api>,
    documents: Option<Documents>,
    /// `None` without an issuer: then there is no staff area.
    staff: Option<Staff>,
    /// Live lists of the staff area.
    events: Option<Events>,
    browser_spans: beacon::BrowserSpans,
    readiness: Readiness,
    rate_limit: Arc<RateLimit>,
    admission: Admission,
    uploads: Uploads,
    pictures: Pictures,
    origins: Origins,
    security_headers: SecurityHeaders,
    metrics: &'static Metrics,
    api_host: Option<String>,
    proxies: TrustedProxies,
    /// Whether TLS ends here.
    is_tls: bool,
    trace_read_ratio: f64,
    timeout: Duration,
    body_bytes_max: usize,
}

/// The parts of the site behind the edge.
#[derive(Debug)]
pub struct SiteParts {
    /// The API.
    pub api: Arc<Api>,
    /// Documents, unless the gateway serves the API alone.
    pub documents: Option<Documents>,
    /// Sign-in of staff, if there is an issuer.
    pub staff: Option<Staff>,
}

/// A request whose body has not been read.
struct Incoming {
    parts: Parts,
    body: Body,
    client: Client,
    /// Result of checking its token, if the operation needs one and the request has one.
    token: Option<TokenCheck>,
    /// The signed-in person, if the request may use the session.
    signed: Option<Signed>,
    deadline: Instant,
}

impl Edge {
    /// Builds the edge. With `is_tls`, connections end TLS here.
    pub fn new(
        edge: &EdgeConfig,
        is_tls: bool,
        browser_spans: Option<&Uri>,
        parts: SiteParts,
        readiness: Readiness,
        rate_limit: Arc<RateLimit>,
    ) -> Self {
        let metrics = Metrics::global();
        let SiteParts {
            api,
            documents,
            staff,
        } = parts;
        let has_documents = documents.is_some();
        let event_limits = EventLimits {
            streams: edge.staff_streams_max,
            person_streams: edge.person_streams_max,
            heartbeat: Duration::from_millis(edge.stream_heartbeat_ms),
        };
        let lists = documents.as_ref().map(Documents::lists);
        Self {
            api,
            documents,
            // The pages of a sign-in are documents.
            staff: staff.filter(|_| has_documents),
            events: lists.map(|lists| Events::new(lists, event_limits, metrics)),
            browser_spans: beacon::BrowserSpans::start(browser_spans, metrics),
            readiness,
            rate_limit,
            admission: Admission::new(
                AdmissionLimits {
                    requests: edge.requests_in_flight_max,
                    network_requests: edge.address_requests_in_flight_max,
                    bodies: edge.bodies_unfinished_max,
                    network_bodies: edge.address_bodies_unfinished_max,
                },
                metrics,
            ),
            uploads: Uploads::default(),
            pictures: Pictures::default(),
            origins: Origins {
                site: edge.site_origins.clone(),
                api: edge.api_origins.clone(),
            },
            security_headers: SecurityHeaders::new(edge.hsts_seconds, edge.hsts_subdomains),
            metrics,
            api_host: edge.api_host.clone(),
            proxies: edge.proxies(),
            is_tls,
            trace_read_ratio: edge.trace_read_ratio,
            timeout: edge.request_timeout(),
            body_bytes_max: edge.body_bytes_max,
        }
    }

    /// Drops idle callers from the rate limits. Must be called every second.
    pub fn sweep(&self) {
        self.rate_limit.sweep();
    }

    /// Ends the streams of events, whose browsers then connect to another gateway. Call it when a stop is announced.
    pub fn end_streams(&self) {
        if let Some(events) = &self.events {
            events.stop();
        }
    }

    /// Answers one request of this peer.
    pub async fn respond(&self, request: Request<Body>, peer: SocketAddr) -> Response<Body> {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        let has_desk = self.staff.is_some();
        let surface = Surface::of(&parts, &self.api, self.api_host.as_deref(), has_desk);
        let mut route = surface.route();
        let limit = self.time_limit(&surface, &parts);
        let method = parts.method.clone();
        // Language of errors that are pages.
        let page = surface.is_page().then(|| language_of(parts.uri.path()));
        let area = surface.desk();
        let client = Client::of(peer, &parts.headers, &self.proxies, self.is_tls);
        // Rate limits: before costly work. Refused requests get ids but no span, or outsiders could fill the traces.
        if let Some(response) = self.unlimited(&surface, &parts, client.network) {
            return self.finished(response, &method, &route, started, None);
        }
        let signed = self.signed(&surface, &parts, client.is_https);
        let may_renew =
            area != Some(DeskAddress::Events) && !desk::is_in_background(&parts.headers);
        let renewal = signed.as_ref().filter(|_| may_renew);
        let renewal = renewal.and_then(Signed::renewal);
        let (counted, token) = self
            .count(&parts, &surface, client.network, signed.as_ref())
            .await;
        let trace = match (&surface, &counted) {
            (Surface::Probe(_) | Surface::Telemetry, _) | (_, Err(_)) => {
                RequestTrace::quiet(&parts.headers)
            }
            (Surface::Api(..) | Surface::Desk(_) | Surface::Document | Surface::Picture, Ok(_)) => {
                RequestTrace::begin(&parts.headers, &method, &route, self.trace_read_ratio)
            }
        };
        let incoming = Incoming {
            parts,
            body,
            client,
            token,
            signed,
            deadline: started + limit,
        };
        let mut response = trace
            .scope(async {
                // Panic containment: around all code that can panic, inside the trace that reports it.
                // Deadline: around every wait, including that for the body.
                // Boxed once, or every idle connection would reserve memory for the whole future.
                let work = Box::pin(self.dispatch(incoming, surface, counted));
                let answer = panic::contain(deadline::within(limit, work)).await;
                match answer.flatten().flatten() {
                    Ok(response) => response,
                    Err(problem) => self.refusal(page, problem),
                }
            })
            .await;
        if let Some(DocumentRoute(found)) = response.extensions().get() {
            route = Arc::clone(found);
        }
        match area {
            Some(address) => desk::seal(address, response.headers_mut()),
            None if is_shared(response.headers()) => {}
            None => server_timing::apply(response.headers_mut(), &trace),
        }
        // Never into a shared cache.
        if !is_shared(response.headers()) {
            desk::renew(renewal, response.headers_mut());
        }
        trace.finish(&method, &route, response.status(), started.elapsed());
        self.finished(response, &method, &route, started, trace.sampled())
    }

    /// Completes every response: no body for HEAD, security headers, and metrics.
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

    /// Builds the response to a malformed request, whose sender and purpose are unknown.
    pub fn refuse(&self, problem: Problem) -> Response<Body> {
        let mut response = self.refusal(None, problem);
        self.security_headers.apply(response.headers_mut());
        response
    }

    /// Renders a refusal as the requested surface does: a page in its language, or a problem.
    fn refusal(&self, page: Option<Language>, problem: Problem) -> Response<Body> {
        match (&self.documents, page) {
            (Some(documents), Some(language)) => documents.refusal(language, &problem),
            _ => problem.into_response().map(Body::from),
        }
    }

    /// Answers requests that are exempt from every limit. Probes are, because an overloaded gateway must still report
    /// that it is alive. So are pages that must always be available; they are in memory.
    fn unlimited(
        &self,
        surface: &Surface,
        parts: &Parts,
        network: ClientNetwork,
    ) -> Option<Response<Body>> {
        match surface {
            Surface::Probe(path) => Some(
                self.probe(path, &parts.method)
                    .unwrap_or_else(|problem| self.refusal(None, problem)),
            ),
            Surface::Document => self.documents.as_ref()?.resident(parts, network),
            Surface::Api(..) | Surface::Desk(_) | Surface::Picture | Surface::Telemetry => None,
        }
    }

    async fn count(
        &self,
        parts: &Parts,
        surface: &Surface,
        network: ClientNetwork,
        signed: Option<&Signed>,
    ) -> (Result<Allowance, Problem>, Option<TokenCheck>) {
        let client_id = parts.headers.get(CLIENT_ID);
        let operation = match surface {
            Surface::Api(Endpoint::Operation(operation), _) => Some(operation),
            _ => None,
        };
        // A caller with an invalid token counts as a visitor, so that tokens cannot be tried at the rate of staff.
        let checked = operation.and_then(|operation| {
            let value = parts.headers.get(header::AUTHORIZATION)?;
            let needs_token = !operation.policy.scope.is_empty();
            needs_token.then(|| self.check_token(operation, value, network))
        });
        let token = match checked.transpose() {
            Ok(token) => token,
            Err(problem) => return (Err(problem), None),
        };
        let subject = match (&token, signed) {
            (Some(Ok(caller)), _) => Some(caller.subject.as_bytes()),
            (None, Some(signed)) => Some(signed.subject()),
            (Some(Err(_)) | None, _) => None,
        };
        let declared = operation.map(|operation| operation.rate_class());
        let class = rate_class(surface, declared, subject.is_some(), parts.method.is_safe());
        let caller = Caller {
            network,
            client_id: client_id.map_or(&[], HeaderValue::as_bytes),
            subject: subject.unwrap_or_default(),
        };
        (self.rate_limit.count(class, &caller).await, token)
    }

    /// Checks a token once per request. A check costs more than a refusal, so each network may send a limited number of
    /// invalid tokens.
    fn check_token(
        &self,
        operation: &Operation,
        value: &HeaderValue,
        network: ClientNetwork,
    ) -> Result<TokenCheck, Problem> {
        self.rate_limit.may_try_token(network)?;
        let checked = self.api.check_token(operation, value);
        if checked.is_err() {
            self.rate_limit.count_failed_token(network);
        }
        Ok(checked)
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

/// Returns the class that a request counts as. An exemption in the contract precedes the caller's rate, and a token or
/// session of staff precedes the limits of visitors.
fn rate_class(
    surface: &Surface,
    declared: Option<RateClass>,
    is_staff: bool,
    is_safe: bool,
) -> Class {
    if declared == Some(RateClass::Exempt) {
        return Class::Document;
    }
    if is_staff {
        return Class::Staff;
    }
    if declared == Some(RateClass::Create) {
        return Class::Create;
    }
    match surface {
        Surface::Desk(DeskAddress::SignIn | DeskAddress::Callback) => Class::SignIn,
        // Neither makes an API call.
        Surface::Desk(DeskAddress::SignOut | DeskAddress::BackChannelLogout) => Class::Document,
        // A native form makes one API call. Whether that creates something is known only once the form has been read.
        Surface::Api(..) | Surface::Document | Surface::Desk(_) if !is_safe => Class::Write,
        Surface::Api(endpoint, _) if !matches!(endpoint, Endpoint::Description(_)) => Class::Read,
        Surface::Api(..)
        | Surface::Desk(_)
        | Surface::Document
        | Surface::Picture
        | Surface::Probe(_)
        | Surface::Telemetry => Class::Document,
    }
}

/// Converts the response to a GET into that to a HEAD: the same head, including the body's length, for every surface
/// and protocol.
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        let length = HeaderValue::from(length);
        parts.headers.insert(header::CONTENT_LENGTH, length);
    }
    Response::from_parts(parts, Body::empty())
}

/// Whether shared caches may send the response to other clients. Then it must not contain data of one caller, such as
/// the remaining quota or the position in a trace.
fn is_shared(headers: &HeaderMap) -> bool {
    let policy = headers.get(header::CACHE_CONTROL);
    policy.is_some_and(|policy| policy.as_bytes().starts_with(b"public"))
}
