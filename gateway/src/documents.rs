//! Documents: page modules of the teams, rendered here and laid into the shell's frame.
//!
//! A request meets, in this order: files in memory, routes of the page modules, the store of finished documents. Only
//! what is not in the store is made, from data that the page declared and that this process's own API gives.

mod builtin;
mod choice;
mod compose;
mod composed;
mod config;
mod contract;
mod data;
mod directory;
mod document;
mod emergency;
mod engine;
mod forms;
mod integrity;
mod keys;
mod layout;
mod location;
mod lookup;
mod manifest;
mod memory;
mod message;
mod metrics;
mod origin;
mod part;
mod pointers;
mod proof;
mod published;
mod refusal;
mod registry;
mod remote;
mod render;
mod resident;
mod show;
mod speculation;
mod standing;
mod start;
mod statics;
mod status;
mod takeover;
mod tally;
mod template;
mod trial;
mod verify;
mod views;
mod watch;

use std::{
    io,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, Response, header, request::Parts},
};
use parking_lot::Mutex;
use ring::hmac;

use self::{
    compose::Composer,
    forms::Forms,
    lookup::{NOT_FOUND, find, key, moved, not_found, redirect},
    proof::{Proofs, SERVER_TIMING},
    published::Shelf,
    registry::{Page, Registry, canary::Canary},
    standing::Standing,
    status::StatusPage,
};
use crate::{
    api::LocalApi,
    problem::Problem,
    request::{client_address::ClientNetwork, lanes::Work},
    store::{Made, Store, Wanted},
};

pub(crate) use self::forms::{FORM_TIME_MAX, FormTarget, READ_TIME_MAX};
pub use self::{
    config::PagesConfig,
    status::Offer,
    verify::{Case, verify},
};

/// Bytes of a path and of the declared query parameters that are looked at.
const PATH_BYTES_MAX: usize = 1024;
const QUERY_BYTES_MAX: usize = 2048;
/// How long a visitor waits for a document that is not in the store; then the page of last resort says so.
const WAIT_MAX: Duration = Duration::from_millis(4_800);
/// How long making a document may take, whoever waits for it: its data, and three renders one after the other.
const MAKING_TIME_MAX: Duration = Duration::from_secs(12);
const MIB: u64 = 1024 * 1024;

/// Why there are no documents. Names the file and the field that is wrong.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {}{problem}", path.display(), if field.is_empty() { String::new() } else { format!("{field}: ") })]
    Invalid {
        path: PathBuf,
        field: String,
        problem: String,
    },
    #[error("the server bundle of {module} {version} does not load: {problem}")]
    Bundle {
        module: String,
        version: String,
        problem: String,
    },
    #[error("{}: {problem}", path.display())]
    Integrity { path: PathBuf, problem: String },
    #[error("{}: {problem}", path.display())]
    Signature { path: PathBuf, problem: String },
    #[error("{}: requires: {problem}", path.display())]
    Requires { path: PathBuf, problem: String },
    #[error("the resident page {route} cannot be made: status {status}")]
    Resident { route: Arc<str>, status: u16 },
    #[error("render threads cannot be started: {0}")]
    Threads(io::Error),
    #[error("reading page modules panicked")]
    Panicked,
}

impl PagesError {
    /// One of a few words, for a metric.
    fn reason(&self) -> &'static str {
        match self {
            Self::Read { .. } => "unreadable",
            Self::Invalid { .. } => "invalid",
            Self::Integrity { .. } => "integrity",
            Self::Signature { .. } => "signature",
            Self::Requires { .. } => "requires",
            Self::Bundle { .. } => "bundle",
            Self::Resident { .. } => "resident",
            Self::Threads(_) | Self::Panicked => "gateway",
        }
    }

    fn invalid(path: PathBuf, field: &str, problem: String) -> Self {
        Self::Invalid {
            path,
            field: field.to_owned(),
            problem,
        }
    }
}

/// The route that a document was found under, in the response's extensions: for telemetry, which must not see paths.
#[derive(Clone, Debug)]
pub struct DocumentRoute(pub Arc<str>);

/// Everything outside of `/api`: documents, native form posts and published files.
#[derive(Clone, Debug)]
pub struct Documents {
    pages: Arc<Pages>,
}

#[derive(Debug)]
struct Pages {
    registry: ArcSwap<Registry>,
    standing: Mutex<Standing>,
    shelf: Shelf,
    composer: Composer,
    store: Arc<Store>,
    forms: Forms,
    proofs: Proofs,
    status: StatusPage,
}

impl Pages {
    /// Counts a document for the versions that it is made of, and gives it the token that reports of its failures need.
    fn sent(
        &self,
        registry: &Registry,
        page: &Page,
        network: ClientNetwork,
        headers: &mut HeaderMap,
    ) {
        let remotes = page.remotes(&registry.shell.remote);
        for remote in remotes {
            remote.tally.sent();
        }
        if !page.bare {
            let second = self.composer.clock.now().timestamp();
            let remotes = remotes.iter().map(|remote| &**remote);
            let proof = self.proofs.issue(network.widest(), remotes, second);
            headers.append(SERVER_TIMING, proof);
        }
    }
}

impl Documents {
    /// Fails when `remotes.json` or the shell does not load; a team that does not is left out, and tried again. Later, what does
    /// not load is refused and the old version stays.
    ///
    /// `form_key` is the key of native forms.
    pub async fn load(
        config: &PagesConfig,
        api: LocalApi,
        form_key: hmac::Key,
    ) -> Result<Self, PagesError> {
        let (pages, watcher) = start::load(config, api, form_key).await?;
        tokio::spawn(watcher.run(Arc::downgrade(&pages)));
        tokio::spawn(resident::run(Arc::downgrade(&pages)));
        Ok(Self { pages })
    }

    /// Whether a version of a team has this page module or script.
    pub(crate) fn has(&self, team: &str, version: &str, module: &str) -> bool {
        self.pages.registry.load().has(team, version, module)
    }

    /// Whether modules of this team are live.
    pub(crate) fn has_team(&self, team: &str) -> bool {
        self.pages.registry.load().has_team(team)
    }

    /// The route of the page at a path.
    pub(crate) fn route(&self, path: &str) -> Option<Arc<str>> {
        let registry = self.pages.registry.load();
        let (page, _) = registry.page(path)?;
        Some(Arc::clone(&page.route))
    }

    /// Takes a browser's report that these versions (team, version) failed there. `None` when `token` is not that of a document that was
    /// sent to its network within the last hour and was made of all of them; else for each whether it counts: it does once for each
    /// document.
    pub(crate) fn take_report(
        &self,
        token: &str,
        versions: &[(&str, &str)],
        network: ClientNetwork,
    ) -> Option<Vec<bool>> {
        let (pages, network) = (&self.pages, network.widest());
        let second = pages.composer.clock.now().timestamp();
        let proof = pages.proofs.open(token, network, second)?;
        let registry = pages.registry.load();
        let remotes = versions.iter().map(|(team, version)| {
            let remote = registry.known(team, version)?;
            proof.names(&remote).then_some(remote)
        });
        let remotes = remotes.collect::<Option<Vec<_>>>()?;
        let now = Instant::now();
        let counts = remotes.iter().map(|remote| {
            let counts = pages.proofs.spend(&proof, remote, now);
            if counts && remote.tally.reported(network, now) {
                metrics::get().network_reported(remote);
            }
            counts
        });
        Some(counts.collect())
    }

    /// What runs here and what is refused, as JSON for operators.
    pub fn standing(&self) -> String {
        let registry = self.pages.registry.load_full();
        self.pages.standing.lock().report(&registry).to_string()
    }

    /// The page that a form is sent to, found from the head of its request alone.
    ///
    /// # Errors
    /// The page that says why the form is not taken.
    pub(crate) fn form(&self, parts: &Parts) -> Result<FormTarget, Box<Response<Body>>> {
        forms::target(&self.pages, &self.pages.registry.load_full(), parts)
    }

    /// Answers every request but a form's.
    pub(crate) async fn respond(
        &self,
        parts: &Parts,
        network: ClientNetwork,
        work: &dyn Work,
    ) -> Response<Body> {
        let (pages, registry) = (&self.pages, self.pages.registry.load_full());
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return method_not_allowed(pages, "GET, HEAD");
        }
        if let Some((file, is_root)) = registry.file(parts.uri.path()) {
            return file.respond(&parts.headers, is_root);
        }
        if let Some(file) = pages.shelf.find(parts.uri.path()).await {
            return file.respond(&parts.headers, false);
        }
        document(pages, &registry, parts, network, work).await
    }

    /// The page for a person whose request is refused before any page is made: what happened, and the emergency number.
    pub(crate) fn refusal(&self, problem: &Problem) -> Response<Body> {
        refusal(&self.pages, problem)
    }

    /// The answer that is in memory whatever happens, if the request is for such a page. Costs next to nothing, so no limit
    /// need stand before it.
    pub fn resident(&self, request: &Parts, network: ClientNetwork) -> Option<Response<Body>> {
        if !matches!(request.method, Method::GET | Method::HEAD) {
            return None;
        }
        let path = request.uri.path();
        if path == status::PATH {
            return Some(self.pages.status.respond(request));
        }
        let registry = self.pages.registry.load();
        if path == emergency::PATH && !registry.has_emergency_page() {
            return Some(emergency::respond(
                request,
                &self.pages.composer.emergency_phone,
            ));
        }
        let (page, document) = registry.residents.get(path)?;
        let route = &page.route;
        let mut response = document.response(&request.headers).map(Body::from);
        self.pages
            .sent(&registry, page, network, response.headers_mut());
        views::count(route, request, response.status(), document.content_type());
        response
            .extensions_mut()
            .insert(DocumentRoute(Arc::clone(route)));
        Some(response)
    }
}

async fn document(
    pages: &Arc<Pages>,
    registry: &Arc<Registry>,
    parts: &Parts,
    network: ClientNetwork,
    work: &dyn Work,
) -> Response<Body> {
    let path = parts.uri.path();
    let query = parts.uri.query().unwrap_or_default();
    if path.len() > PATH_BYTES_MAX || query.len() > QUERY_BYTES_MAX {
        return builtin::document(414, &pages.composer.emergency_phone).into_response();
    }
    let canary = registry.draw(rand::random_range(0..100), path);
    let registry = canary.map_or(registry, |canary| &canary.registry);
    if let Some(location) = registry.redirect(path) {
        return moved(path, location);
    }
    let (page, visit) = match find(registry, path, query) {
        Some(found) => found,
        None => match redirect(registry, path, query) {
            Some(response) => return response,
            None => (&registry.not_found, not_found(registry, path)),
        },
    };
    let mut key = key(&visit);
    key.extend(canary.map(Canary::key));
    let wanted = Wanted {
        key: key.as_bytes(),
        fresh: Duration::from_secs(page.cache_seconds),
        edition: registry.edition(page),
        deadline: Instant::now() + WAIT_MAX,
        budget: MAKING_TIME_MAX,
        work: Some(work),
    };
    let make = || {
        let (pages, registry, page) = (Arc::clone(pages), Arc::clone(registry), Arc::clone(page));
        let visit = visit.clone();
        async move {
            let composed = pages.composer.compose(&registry, &page, &visit, None).await;
            Made::Draft(composed.into_draft(visit.path != NOT_FOUND))
        }
    };
    let mut response = match pages.store.get(&wanted, make).await {
        Ok(document) => {
            let mut response = document.response(&parts.headers);
            pages.sent(registry, page, network, response.headers_mut());
            views::count(
                &page.route,
                parts,
                response.status(),
                document.content_type(),
            );
            response.map(Body::from)
        }
        Err(problem) => refusal(pages, &problem),
    };
    response
        .extensions_mut()
        .insert(DocumentRoute(Arc::clone(&page.route)));
    response
}

fn refusal(pages: &Pages, problem: &Problem) -> Response<Body> {
    let page = builtin::document(problem.status().as_u16(), &pages.composer.emergency_phone);
    let mut response = page.into_response();
    response.headers_mut().extend(problem.headers());
    response
}

fn method_not_allowed(pages: &Pages, allowed: &'static str) -> Response<Body> {
    let mut response = builtin::document(405, &pages.composer.emergency_phone).into_response();
    response
        .headers_mut()
        .insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}
