//! The layers between a connection and an answer, in order. One function calls them in turn: a stack of boxed services
//! would allocate and clone for each of them on every request.

pub mod body_limit;
pub mod concurrency;
mod config;
pub mod rate_limit;
pub mod security_headers;
pub mod server_timing;
pub mod write_check;

pub use self::config::EdgeConfig;

use std::{
    mem,
    net::SocketAddr,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts,
        uri::Authority,
    },
};
use bytes::Bytes;
use http_body::Body as _;
use service_kit::{health::Readiness, metrics as kit_metrics};

use self::{
    concurrency::Concurrency,
    rate_limit::{Allowance, Ceilings, RateLimit},
};
use crate::{
    api::{self, Api, Call, Endpoint, MOUNT},
    beacon::{self, client_failures::Published},
    config::Config,
    documents::{DocumentRoute, Documents, FORM_TIME_MAX},
    metrics::Metrics,
    problem::Problem,
    request::{
        RefusedForm,
        client_address::{ClientNetwork, client_network},
        deadline, panic,
        trace::RequestTrace,
    },
};

/// Everything that a request can meet.
#[derive(Debug)]
pub(crate) struct Edge {
    api: Arc<Api>,
    documents: Option<Documents>,
    browser_spans: beacon::BrowserSpans,
    readiness: Readiness,
    rate_limit: RateLimit,
    concurrency: Concurrency,
    metrics: &'static Metrics,
    api_host: Option<String>,
    trusted_hops: u8,
    trace_read_ratio: f64,
    timeout: Duration,
    body_bytes_max: usize,
}

/// An API without documents publishes no modules.
struct NoModules;

impl Published for NoModules {
    fn has(&self, _: &str, _: &str, _: Option<&str>) -> bool {
        false
    }
}

/// What a request is for, known from its head alone.
enum Target {
    Probe(&'static str),
    Telemetry,
    /// The API, and what stands before its paths on this host.
    Api(Endpoint, &'static str),
    Document,
}

impl Target {
    fn route(&self) -> Arc<str> {
        static TELEMETRY: LazyLock<Arc<str>> = LazyLock::new(|| "/telemetry".into());
        static DOCUMENT: LazyLock<Arc<str>> = LazyLock::new(|| "document".into());
        match self {
            Self::Probe(path) => (*path).into(),
            Self::Telemetry => Arc::clone(&TELEMETRY),
            Self::Api(endpoint, _) => api::route(endpoint),
            Self::Document => Arc::clone(&DOCUMENT),
        }
    }
}

impl Edge {
    pub(crate) fn new(
        config: &Config,
        api: Arc<Api>,
        documents: Option<Documents>,
        readiness: Readiness,
    ) -> Self {
        let metrics = Metrics::global();
        let endpoint = config.browser_spans_endpoint.as_ref();
        Self {
            api,
            documents,
            browser_spans: beacon::BrowserSpans::start(endpoint, metrics),
            readiness,
            rate_limit: RateLimit::new(Ceilings {
                visitor_calls: config.edge.visitor_calls_max,
                network_calls: config.edge.address_calls_max,
                network_documents: config.edge.address_documents_max,
            }),
            concurrency: Concurrency::new(config.edge.requests_in_flight_max),
            metrics,
            api_host: config.edge.api_host.clone(),
            trusted_hops: config.edge.trusted_hops,
            trace_read_ratio: config.edge.trace_read_ratio,
            timeout: config.edge.request_timeout(),
            body_bytes_max: config.edge.body_bytes_max,
        }
    }

    /// Evicts idle visitors from the rate limiter at intervals.
    pub(crate) fn sweep(&self) {
        self.rate_limit.sweep(Instant::now());
    }

    pub(crate) async fn respond(&self, request: Request<Body>, peer: SocketAddr) -> Response<Body> {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        let target = self.target(&parts);
        let mut route = target.route();
        let limit = match &target {
            Target::Api(endpoint, _) => self.api.timeout(endpoint),
            Target::Document if !parts.method.is_safe() => FORM_TIME_MAX,
            _ => self.timeout,
        };
        let method = parts.method.clone();
        // 1. Trace: first, so that every refusal below has a trace id.
        let trace = match &target {
            Target::Probe(_) | Target::Telemetry => RequestTrace::quiet(&parts.headers),
            Target::Api(..) | Target::Document => {
                RequestTrace::begin(&parts.headers, &method, &route, self.trace_read_ratio)
            }
        };
        let deadline = started + limit;
        let mut response = trace
            .scope(async {
                // 2. Panic containment: around all that can panic, inside the trace that reports it.
                // 3. Deadline: around every wait, reading the body included.
                // Boxed once, or every idle connection would hold room for all of it.
                let work = Box::pin(self.admit(parts, body, peer, target, deadline));
                panic::contain(deadline::within(limit, work))
                    .await
                    .flatten()
                    .flatten()
                    .unwrap_or_else(|problem| problem.into_response().map(Body::from))
            })
            .await;
        if let Some(DocumentRoute(found)) = response.extensions().get() {
            route = Arc::clone(found);
        }
        // For every surface: HTTP/2 would send the body.
        if method == Method::HEAD {
            response = without_body(response);
        }
        // Outgoing, for refusals too: what browsers may do with the answer, and where it stands in the trace.
        security_headers::apply(response.headers_mut());
        if !is_shared(response.headers()) {
            server_timing::apply(response.headers_mut(), &trace);
        }
        let elapsed = started.elapsed();
        let status = response.status();
        trace.finish(&method, &route, status, elapsed);
        self.metrics
            .request(&route, &method, status, elapsed.as_secs_f64());
        response
    }

    fn target(&self, parts: &Parts) -> Target {
        let path = parts.uri.path();
        match path {
            "/healthz" => return Target::Probe("/healthz"),
            "/readyz" => return Target::Probe("/readyz"),
            "/metrics" => return Target::Probe("/metrics"),
            "/telemetry" => return Target::Telemetry,
            _ => {}
        }
        if let Some(rest) = path.strip_prefix(MOUNT)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Target::Api(self.api.endpoint(&parts.method, rest), MOUNT);
        }
        if self
            .api_host
            .as_deref()
            .is_some_and(|host| is_host(parts, host))
        {
            return Target::Api(self.api.endpoint(&parts.method, path), "");
        }
        Target::Document
    }

    async fn admit(
        &self,
        mut parts: Parts,
        body: Body,
        peer: SocketAddr,
        target: Target,
        deadline: Instant,
    ) -> Result<Response<Body>, Problem> {
        // Probes go before every limit: an overloaded gateway must still say that it lives.
        if let Target::Probe(path) = target {
            return self
                .probe(path, &parts.method)
                .map(|found| found.map(Body::from));
        }
        // So do pages that must be seen whatever happens; they are in memory.
        if let (Target::Document, Some(documents)) = (&target, &self.documents)
            && let Some(response) = documents.resident(&parts)
        {
            return Ok(response);
        }
        let network = client_network(peer, &parts.headers, self.trusted_hops);
        if matches!(target, Target::Document) {
            // Native forms that come again are told apart by it.
            parts.extensions.insert(network);
        }
        // 4. Rate limits: before a permit is taken, so that a caller over its limit takes none.
        let allowance = match self.count(&parts, &target, network) {
            // A rate-limited form is refused by its page, which alone can give back what was typed. That refusal costs a
            // render, so it is limited like a document.
            Err(refusal) if matches!(target, Target::Document) && !parts.method.is_safe() => {
                self.rate_limit
                    .count_document(network, Instant::now())
                    .map_err(|_| refusal.clone())?;
                parts.extensions.insert(RefusedForm(refusal));
                None
            }
            counted => counted?,
        };
        // 5. Concurrency: sheds before any work is done.
        let _place = self
            .concurrency
            .admit()
            .inspect_err(|_| _ = self.metrics.shed.inc())?;
        let mut response = match target {
            Target::Api(endpoint, mount) => {
                self.api_call(&parts, body, endpoint, (mount, network), deadline)
                    .await?
            }
            Target::Telemetry => self.telemetry(&parts, body).await?.map(Body::from),
            Target::Document | Target::Probe(_) => self.document(parts, body).await?,
        };
        if let Some(allowance) = allowance.filter(|_| !is_shared(response.headers())) {
            rate_limit::write_headers(response.headers_mut(), allowance);
        }
        Ok(response)
    }

    fn count(
        &self,
        parts: &Parts,
        target: &Target,
        network: ClientNetwork,
    ) -> Result<Option<Allowance>, Problem> {
        let now = Instant::now();
        let counted = match target {
            Target::Api(Endpoint::Operation(operation), _) => !operation.policy.rate_exempt,
            Target::Api(Endpoint::Nothing(_), _) => true,
            // A native form post means one API call.
            Target::Document => !parts.method.is_safe(),
            Target::Api(Endpoint::Description, _) | Target::Telemetry | Target::Probe(_) => false,
        };
        let refuse = |wait_s| {
            self.metrics.rate_limited.inc();
            Problem::rate_limited(wait_s)
        };
        if counted {
            let result = self.rate_limit.count_call(network, &parts.headers, now);
            return result.map(Some).map_err(|limited| {
                let mut headers = HeaderMap::new();
                rate_limit::write_headers(&mut headers, limited.allowance);
                headers
                    .into_iter()
                    .filter_map(|(name, value)| Some((name?, value)))
                    .fold(refuse(limited.retry_after_s), |problem, (name, value)| {
                        problem.with_header(name, value)
                    })
            });
        }
        let result = self.rate_limit.count_document(network, now);
        result.map(|()| None).map_err(refuse)
    }

    async fn api_call(
        &self,
        parts: &Parts,
        body: Body,
        endpoint: Endpoint,
        (mount, network): (&'static str, ClientNetwork),
        deadline: Instant,
    ) -> Result<Response<Body>, Problem> {
        // An unknown address is said to be one, whatever else is wrong with the request.
        if let Endpoint::Nothing(problem) = endpoint {
            return Err(problem);
        }
        // 6. Write checks: on the head, before a foreign page's body is read.
        let authority = parts.uri.authority().map(Authority::as_str);
        let has_body = !body.is_end_stream();
        write_check::check(&parts.method, &parts.headers, authority, has_body)?;
        // 7. Body limit: last, for calls that have passed everything else. Reads have no body.
        let body = if parts.method.is_safe() {
            Bytes::new()
        } else {
            body_limit::read(body, self.body_bytes_max).await?
        };
        let path = parts.uri.path();
        let call = Call {
            path: path.strip_prefix(mount).unwrap_or(path),
            query: parts.uri.query(),
            headers: &parts.headers,
            body,
            network: Some(network),
            mount,
            deadline,
        };
        let response = self.api.respond(endpoint, call).await;
        Ok(response.map(Body::from))
    }

    async fn telemetry(&self, parts: &Parts, body: Body) -> Result<Response<Bytes>, Problem> {
        if parts.method != Method::POST {
            let allow = HeaderValue::from_static("POST");
            return Err(Problem::method_not_allowed(&allow));
        }
        let authority = parts.uri.authority().map(Authority::as_str);
        write_check::check(&parts.method, &parts.headers, authority, true)?;
        let body = body_limit::read(body, beacon::REPORT_BYTES_MAX).await?;
        match &self.documents {
            Some(documents) => Ok(self.browser_spans.accept(&body, documents)),
            None => Ok(self.browser_spans.accept(&body, &NoModules)),
        }
    }

    async fn document(&self, parts: Parts, body: Body) -> Result<Response<Body>, Problem> {
        let documents = self.documents.as_ref().ok_or_else(Problem::not_found)?;
        Ok(Box::pin(documents.answer(parts, body)).await)
    }

    fn probe(&self, path: &str, method: &Method) -> Result<Response<Bytes>, Problem> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            let allow = HeaderValue::from_static("GET, HEAD");
            return Err(Problem::method_not_allowed(&allow));
        }
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        let (status, kind, body) = match path {
            "/metrics" => (
                StatusCode::OK,
                HeaderValue::from_static(kit_metrics::CONTENT_TYPE),
                kit_metrics::encode(),
            ),
            "/readyz" if !self.readiness.is_ready() => (
                StatusCode::SERVICE_UNAVAILABLE,
                text,
                "not ready\n".to_owned(),
            ),
            "/readyz" => (StatusCode::OK, text, "ready\n".to_owned()),
            _ => (StatusCode::OK, text, "ok\n".to_owned()),
        };
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }
}

/// Whether the request was sent to `host`, whatever the port.
fn is_host(parts: &Parts, host: &str) -> bool {
    let from_header = parts.headers.get(header::HOST);
    let called = from_header
        .and_then(|value| value.to_str().ok())
        .or_else(|| parts.uri.authority().map(Authority::as_str));
    called.is_some_and(|called| {
        let name = called.rsplit_once(':').map_or(called, |(name, _)| name);
        called.eq_ignore_ascii_case(host) || name.eq_ignore_ascii_case(host)
    })
}

/// HEAD gets the head of GET, the length of its body included (RFC 9110, 9.3.2).
fn without_body(mut response: Response<Body>) -> Response<Body> {
    let body = mem::replace(response.body_mut(), Body::empty());
    let has_none = matches!(
        response.status(),
        StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT
    );
    if let Some(bytes) = body.size_hint().exact().filter(|_| !has_none) {
        // A surface may have done so already.
        let length = response.headers_mut().entry(header::CONTENT_LENGTH);
        length.or_insert(HeaderValue::from(bytes));
    }
    response
}

/// Whether caches in front may give the answer to others, who must not find in it what is one caller's: the quota that is left,
/// and the position in a trace.
fn is_shared(headers: &HeaderMap) -> bool {
    let policy = headers.get(header::CACHE_CONTROL);
    policy.is_some_and(|policy| policy.as_bytes().starts_with(b"public"))
}
