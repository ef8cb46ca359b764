//! Documents: page modules of the teams, rendered here and laid into the shell's frame.
//!
//! A request meets, in this order: files in memory, routes of the page modules, the store of finished documents. Only
//! what is not in the store is made, from data that the page declared and that this process's own API gives.

mod builtin;
mod compose;
mod composed;
mod config;
mod contract;
mod data;
mod directory;
mod document;
mod engine;
mod forms;
mod layout;
mod location;
mod manifest;
mod message;
mod metrics;
mod part;
mod published;
mod registry;
mod remote;
mod render;
mod resident;
mod show;
mod speculation;
mod statics;
mod status;
mod template;
mod views;
mod watch;

use std::{
    io,
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use axum::{
    body::Body,
    http::{HeaderValue, Method, Response, StatusCode, header, request::Parts},
};
use parking_lot::Mutex;
use service_kit::source::{Clock, SystemClock};

use self::{
    compose::Composer,
    directory::Directory,
    engine::Limits,
    forms::Forms,
    message::Visit,
    registry::{Page, Registry},
    render::{Queues, RenderPool},
    status::StatusPage,
    template::Values,
};
use crate::{
    api::LocalApi,
    problem::Problem,
    store::{Limits as StoreLimits, Made, Store, Wanted},
};

pub(crate) use self::forms::{FORM_TIME_MAX, FormTarget, READ_TIME_MAX};
pub use self::{config::PagesConfig, forms::FormKeyError, status::Offer};

/// A redirect that a module declares may be taken back.
const REDIRECT_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Bytes of a path and of the declared query parameters that are looked at.
const PATH_BYTES_MAX: usize = 1024;
const QUERY_BYTES_MAX: usize = 2048;
/// How long a visitor waits for a document that is not in the store; then the page of last resort says so.
const WAIT_MAX: Duration = Duration::from_millis(4_800);
/// How long making a document may take, whoever waits for it: its data, and three renders one after the other.
const MAKING_TIME_MAX: Duration = Duration::from_secs(12);
/// Path of the one document for paths that mean nothing.
const NOT_FOUND: &str = "/404";
const THREADS_MAX: usize = 16;
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
    #[error("the resident page {route} cannot be made: status {status}")]
    Resident { route: Arc<str>, status: u16 },
    #[error("the key of native forms: {0}")]
    FormKey(#[from] FormKeyError),
    #[error("render threads cannot be started: {0}")]
    Threads(io::Error),
    #[error("reading page modules panicked")]
    Panicked,
}

impl PagesError {
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
    composer: Composer,
    store: Arc<Store>,
    forms: Forms,
    status: StatusPage,
}

impl Documents {
    /// Fails when the page modules do not load. Later, a change that does not load is refused and the old modules stay.
    pub async fn load(config: &PagesConfig, api: LocalApi) -> Result<Self, PagesError> {
        let pages = load(config, api).await?;
        tokio::spawn(watch::run(
            Arc::downgrade(&pages),
            config.remotes_dir.clone(),
        ));
        tokio::spawn(resident::run(Arc::downgrade(&pages)));
        Ok(Self { pages })
    }

    /// Whether a version of a team is published, or a module of it.
    pub(crate) fn has(&self, team: &str, version: &str, module: Option<&str>) -> bool {
        self.pages.registry.load().has(team, version, module)
    }

    /// The page that a form is sent to, found from the head of its request alone.
    ///
    /// # Errors
    /// The page that says why the form is not taken.
    pub(crate) fn form(&self, parts: &Parts) -> Result<FormTarget, Box<Response<Body>>> {
        forms::target(&self.pages, &self.pages.registry.load_full(), parts)
    }

    /// Answers every request but a form's.
    pub(crate) async fn respond(&self, parts: &Parts) -> Response<Body> {
        let (pages, registry) = (&self.pages, self.pages.registry.load_full());
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return method_not_allowed(pages, "GET, HEAD");
        }
        if let Some((file, is_root)) = registry.file(parts.uri.path()) {
            return file.respond(&parts.headers, is_root);
        }
        document(pages, &registry, parts).await
    }

    /// The page for a person whose request is refused before any page is made: what happened, and the emergency number.
    pub(crate) fn refusal(&self, problem: &Problem) -> Response<Body> {
        let status = problem.status().as_u16();
        let page = builtin::document(status, &self.pages.composer.emergency_phone);
        let mut response = page.into_response();
        response.headers_mut().extend(problem.headers());
        response
    }

    /// The answer that is in memory whatever happens, if the request is for such a page. Costs next to nothing, so no limit
    /// need stand before it.
    pub fn resident(&self, request: &Parts) -> Option<Response<Body>> {
        if !matches!(request.method, Method::GET | Method::HEAD) {
            return None;
        }
        if request.uri.path() == status::PATH {
            return Some(self.pages.status.respond(request));
        }
        let registry = self.pages.registry.load();
        let (route, document) = registry.residents.get(request.uri.path())?;
        let mut response = document.response(&request.headers).map(Body::from);
        views::count(route, request, response.status(), document.content_type());
        response
            .extensions_mut()
            .insert(DocumentRoute(Arc::clone(route)));
        Some(response)
    }
}

async fn load(config: &PagesConfig, api: LocalApi) -> Result<Arc<Pages>, PagesError> {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = config
        .render_threads
        .unwrap_or(cores)
        .get()
        .min(THREADS_MAX);
    let limits = Limits {
        time_max: Duration::from_millis(config.render_time_ms_max),
        memory_bytes_max: usize::try_from(config.render_memory_mib_max * MIB).unwrap_or(usize::MAX),
    };
    let queues = Queues {
        forms_max: usize::try_from(config.form_render_queue_max).unwrap_or(usize::MAX),
        reads_max: usize::try_from(config.render_queue_max).unwrap_or(usize::MAX),
    };
    let pool = RenderPool::start(threads, queues, limits).map_err(PagesError::Threads)?;
    let limits = StoreLimits {
        entries_max: config.document_cache_entries_max,
        bytes_max: config.document_cache_mib_max * MIB,
        stale: Duration::from_secs(config.document_stale_s_max),
        stale_on_error: Duration::from_secs(config.document_stale_on_error_s_max),
    };
    let store = Store::new(limits, api.changes(), metrics::get().store.clone());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let status = StatusPage::new(config, api.outlook(&clock));
    let composer = Composer {
        api,
        pool,
        clock,
        data_time_max: Duration::from_millis(config.page_data_time_ms_max),
        directory: Directory::default(),
        emergency_phone: config.emergency_phone.clone(),
        last_known: Mutex::default(),
    };
    let registry = watch::load(&config.remotes_dir, 1, None, &composer).await?;
    Ok(Arc::new(Pages {
        registry: ArcSwap::from_pointee(registry),
        composer,
        store: Arc::new(store),
        forms: Forms::new(config.form_key_file.as_deref())?,
        status,
    }))
}

async fn document(pages: &Arc<Pages>, registry: &Arc<Registry>, parts: &Parts) -> Response<Body> {
    let path = parts.uri.path();
    let query = parts.uri.query().unwrap_or_default();
    if path.len() > PATH_BYTES_MAX || query.len() > QUERY_BYTES_MAX {
        return builtin::document(414, &pages.composer.emergency_phone).into_response();
    }
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
    let key = key(&visit);
    let wanted = Wanted {
        key: key.as_bytes(),
        fresh: Duration::from_secs(page.cache_seconds),
        edition: registry.edition(page),
        deadline: Instant::now() + WAIT_MAX,
        budget: MAKING_TIME_MAX,
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
            let response = document.response(&parts.headers);
            views::count(
                &page.route,
                parts,
                response.status(),
                document.content_type(),
            );
            response.map(Body::from)
        }
        Err(problem) => {
            let status = problem.status().as_u16();
            builtin::document(status, &pages.composer.emergency_phone).into_response()
        }
    };
    response
        .extensions_mut()
        .insert(DocumentRoute(Arc::clone(&page.route)));
    response
}

/// What the page for unknown paths may know: the path, if a part of the site begins like it. All nonsense is one document.
fn not_found(registry: &Registry, path: &str) -> Visit {
    let path = if registry.is_within_a_section(path) {
        path
    } else {
        NOT_FOUND
    };
    Visit {
        path: path.to_owned(),
        ..Visit::default()
    }
}

/// The page of a path with what the page may know of the request.
fn find<'a>(registry: &'a Registry, path: &str, query: &str) -> Option<(&'a Arc<Page>, Visit)> {
    let (page, params) = registry.page(path)?;
    let mut values = Values::new();
    for (name, value) in params.iter() {
        values.insert(name.to_owned(), template::decode(value)?);
    }
    let mut declared = Values::new();
    if !page.query.is_empty() && !query.is_empty() {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
        let known = pairs
            .into_iter()
            .filter(|(name, _)| page.query.binary_search(name).is_ok());
        // The first of a name, as URLSearchParams.get has it.
        for (name, value) in known {
            declared.entry(name).or_insert(value);
        }
    }
    Some((
        page,
        Visit {
            path: path.to_owned(),
            params: values,
            query: declared,
        },
    ))
}

/// Unambiguous: a raw path holds no question mark.
fn key(visit: &Visit) -> String {
    let mut key = visit.path.clone();
    for (name, value) in &visit.query {
        key.push('?');
        template::encode_into(&mut key, name);
        key.push('=');
        template::encode_into(&mut key, value);
    }
    key
}

/// One address per page: `/doctors/?q=x` is `/doctors?q=x`, and so is `/Doctors?q=x`, as it is read out on the telephone.
fn redirect(registry: &Registry, path: &str, query: &str) -> Option<Response<Body>> {
    let trimmed = path.strip_suffix('/').unwrap_or(path);
    let lower = trimmed.to_ascii_lowercase();
    let is_known = |path: &str| {
        path == status::PATH || registry.page(path).is_some() || registry.redirect(path).is_some()
    };
    let known = [trimmed, &lower]
        .into_iter()
        .find(|known| *known != path && !known.is_empty() && is_known(known))?;
    // A query that no location may hold is dropped rather than the page.
    let whole = location::on_this_site(&format!("{known}?{query}")).filter(|_| !query.is_empty());
    let location = whole.or_else(|| location::on_this_site(known))?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    response.headers_mut().insert(header::LOCATION, location);
    Some(response)
}

/// What a module declares as a former or short address.
fn moved(path: &str, location: &HeaderValue) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, location.clone());
    headers.insert(header::CACHE_CONTROL, REDIRECT_CACHE);
    response
        .extensions_mut()
        .insert(DocumentRoute(Arc::from(path)));
    response
}

fn method_not_allowed(pages: &Pages, allowed: &'static str) -> Response<Body> {
    let mut response = builtin::document(405, &pages.composer.emergency_phone).into_response();
    response
        .headers_mut()
        .insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}
