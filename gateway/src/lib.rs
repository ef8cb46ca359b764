//! The edge of the site. It translates REST to gRPC and renders documents.
//!
//! Nothing in this crate depends on a named RPC, a database or a domain term. Routes come from a descriptor pool passed
//! in by the caller. Documents come from page modules.

pub mod config;
mod own_tokens;

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use gateway_api::{Api, CallLimits, LocalApi, Tokens};
use gateway_contract::ContractError;
use gateway_documents::{Documents, PagesError};
use gateway_edge::{Edge, RateLimit, SiteParts};
use gateway_http::request::form_key::{self, FormKeyError};
use gateway_listen::{Connections, Listeners, Redirect};
use gateway_session::{SessionError, Signer, Staff};
use gateway_upstream::Upstreams;
use prost_reflect::DescriptorPool;
use service_kit::{
    auth::{KeysError, Verifier},
    client_tls::ClientTlsError,
    health::Readiness,
    network::Network,
    operators::Operators,
    server::{
        announce, announce_operators,
        tls::{ServerTls, TlsError},
    },
    source::SystemClock,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::{config::Config, own_tokens::OwnTokens};

/// Interval at which idle rate-limit keys are removed, one shard at a time.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Everything [`serve`] needs.
#[derive(Debug)]
pub struct Gateway {
    /// Operator settings.
    pub config: Config,
    /// Descriptors of the contracts. Every RPC annotated with `google.api.http` is served.
    pub pool: DescriptorPool,
    /// Bound listeners.
    pub listeners: Listeners,
}

/// Reasons why serving failed to start or to shut down cleanly.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The local address of the listener is unavailable.
    #[error("listener: {0}")]
    Listener(#[from] io::Error),
    /// The contracts cannot be served over HTTP.
    #[error("contracts: {0}")]
    Contract(#[from] ContractError),
    /// The keys of the token issuer are unusable.
    #[error("keys: {0}")]
    Keys(#[from] KeysError),
    /// The certificate is unusable.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The TLS settings for connections to services are unusable.
    #[error("upstreams: {0}")]
    Upstream(#[from] ClientTlsError),
    /// The key for native forms is unusable.
    #[error("FORM_KEY_FILE: {0}")]
    FormKey(#[from] FormKeyError),
    /// The settings of the staff area are unusable.
    #[error("staff area: {0}")]
    Session(#[from] SessionError),
    /// The documents failed to load.
    #[error("pages: {0}")]
    Pages(#[from] PagesError),
    /// Requests were still in flight at the end of the drain period (in milliseconds).
    #[error("requests were still under way {0} ms after the stop signal")]
    Drain(u64),
}

/// Serves until `shutdown` resolves, then drains.
///
/// Draining starts by reporting not ready while connections are still accepted for the lame-duck period. Afterwards no
/// new connections are accepted, and requests in flight may finish within a bounded time.
///
/// Upstreams may be down at startup. Prints `listening on ADDRESS` and `operators on ADDRESS` to standard output once
/// connections are accepted.
pub async fn serve(
    gateway: Gateway,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let Gateway {
        config,
        pool,
        listeners,
    } = gateway;
    let address = listeners.public.local_addr()?;
    let tls = config.listen.open_tls()?;
    let staff = start_staff(&config)?;
    let signer = staff.as_ref().map(|staff| staff.signer().clone());
    let tokens = Tokens {
        verifier: Verifier::from_config(&config.auth)?,
        signer: signer.clone().map(OwnTokens::shared),
    };
    let upstreams = Upstreams::new(&config.upstream)?;
    let form_key = form_key::read(config.pages.form_key_file.as_deref())?;
    let limits = CallLimits {
        timeout: config.edge.request_timeout(),
        trace_read_ratio: config.edge.trace_read_ratio,
    };
    let key = form_key.clone();
    let api = Api::new(&config.store, limits, upstreams, &pool, tokens, key)?;
    let api = Arc::new(api);
    let rate_limit = Arc::new(RateLimit::start(&config.edge.rate));
    let documents = if config.api_only {
        None
    } else {
        let local = LocalApi::new(Arc::clone(&api), Arc::clone(&rate_limit) as Arc<_>);
        Some(Documents::load(&config.pages, local, form_key).await?)
    };
    let operators = listeners.operators;
    let operators = operators.map(|operators| with_reports(operators, documents.clone(), signer));
    let readiness = Readiness::new();
    let edge = Edge::new(
        &config.edge,
        tls.is_some(),
        config.browser_spans_endpoint.as_ref(),
        SiteParts {
            api,
            documents,
            staff,
        },
        readiness.clone(),
        rate_limit,
    );
    let edge = Arc::new(edge);
    let connect = |listener, tls| {
        let edge = Arc::clone(&edge);
        Connections::new(listener, edge, &config.listen, tls, peer_proxies(&config))
    };
    let site = connect(listeners.public, tls.clone());
    let detail = site.detail();
    let redirects = redirects(&config, listeners.redirect);
    readiness.set_ready(true);
    announce(&address.to_string());
    if let Some(operators) = &operators {
        announce_operators(&operators.address().to_string());
    }
    tracing::info!(%address, is_tls = tls.is_some(), "listening");
    let stopping = CancellationToken::new();
    let stop = async {
        shutdown.await;
        readiness.set_ready(false);
        // At once: these requests would never finish, and their browsers then connect to another gateway.
        edge.end_streams();
        tracing::info!("stopping: not ready, finishing what is under way");
        stopping.cancel();
    };
    let redirected = async {
        match redirects {
            Some(redirects) => redirects.serve(stopping.cancelled()).await,
            None => true,
        }
    };
    let served = async { tokio::join!(site.serve(stop), redirected) };
    let beside = async {
        tokio::join!(
            operate(operators, readiness.clone(), detail),
            ServerTls::follow(tls),
            sweep(&edge)
        )
    };
    let (is_drained, are_redirects_drained) = tokio::select! {
        drained = served => drained,
        (never, ..) = beside => match never {},
    };
    if is_drained && are_redirects_drained {
        Ok(())
    } else {
        Err(ServeError::Drain(config.listen.shutdown_drain_ms_max))
    }
}

/// Adds the reports on page modules and on the public keys of this gateway's tokens.
fn with_reports(
    operators: Operators,
    documents: Option<Documents>,
    signer: Option<Signer>,
) -> Operators {
    let operators = match documents {
        Some(documents) => operators.with_report("/remotes", move || documents.remotes_report()),
        None => operators,
    };
    match signer {
        Some(signer) => operators.with_report("/jwks", move || signer.jwks()),
        None => operators,
    }
}

/// Starts the sign-in of staff, if there is an issuer. The first origin of the site is that of the staff area.
fn start_staff(config: &Config) -> Result<Option<Staff>, SessionError> {
    let origin = config.edge.site_origins.first();
    let origin = origin.map(ToString::to_string).unwrap_or_default();
    Staff::start(&config.session, &origin, Arc::new(SystemClock))
}

/// Returns the networks whose peers are our own proxies. Empty when no hop is trusted.
fn peer_proxies(config: &Config) -> Vec<Network> {
    let edge = &config.edge;
    let networks = (edge.trusted_hops > 0).then(|| edge.trusted_proxies.clone());
    networks.unwrap_or_default()
}

fn redirects(config: &Config, listener: Option<TcpListener>) -> Option<Connections<Redirect>> {
    let to = config.listen.redirect_to.clone();
    let (listener, redirect) = listener.zip(to.map(Redirect::new).map(Arc::new))?;
    let listen = &config.listen;
    Some(Connections::new(
        listener,
        redirect,
        listen,
        None,
        peer_proxies(config),
    ))
}

async fn operate(
    operators: Option<Operators>,
    readiness: Readiness,
    detail: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> Infallible {
    if let Some(operators) = operators {
        operators.serve_with(readiness, detail).await;
    }
    std::future::pending().await
}

async fn sweep(edge: &Edge) -> Infallible {
    let mut ticks = tokio::time::interval(SWEEP_INTERVAL);
    loop {
        ticks.tick().await;
        edge.sweep();
    }
}
