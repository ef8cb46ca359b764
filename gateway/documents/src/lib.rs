//! Documents: page modules of the teams, rendered in this process and placed into the shell's frame.
//!
//! A request is matched in this order: files in memory, routes of the page modules, the store of finished documents. A
//! document missing from the store is rendered from the data that its page declares, read through this process's own
//! API.

#![warn(missing_docs)]

mod config;
mod desk;
mod error;
mod forms;
mod language;
mod lists;
mod metrics;
mod preview;
mod publish;
mod registry;
mod release;
mod render;
mod serve;
mod start;
mod texts;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderMap, Method, Response, request::Parts},
};
use chrono::FixedOffset;
use gateway_api::LocalApi;
use gateway_cache::{Made, Store, Wanted};
use gateway_http::{
    problem::Problem,
    request::{client_address::ClientNetwork, lanes::Work},
};
use ring::hmac;

use self::{
    forms::Forms,
    language::Language,
    publish::published::Shelf,
    registry::{Page, Registry, canary::Canary, location},
    release::{live::Live, resident},
    render::{builtin, links},
    serve::{
        emergency,
        lookup::{Audience, NOT_FOUND, find, key, moved, not_found, redirect, respelled},
        proof::{Proofs, SERVER_TIMING},
        service_worker,
        status::StatusPage,
        views,
    },
};

pub use self::{
    config::{Offer, PagesConfig},
    desk::Notice,
    error::PagesError,
    forms::{
        FILE_READ_TIME_MAX, FILE_TIME_MAX, FORM_TIME_MAX, FormTarget, Post, READ_TIME_MAX,
        is_multipart,
    },
    lists::Lists,
    registry::access::{is_in_staff_area, sign_in_address},
    release::verify::{Case, verify},
    render::staff::StaffMember,
    serve::views::DocumentRoute,
};

/// Maximum bytes of a path and of a query string; longer ones get 414.
const PATH_BYTES_MAX: usize = 1024;
const QUERY_BYTES_MAX: usize = 2048;
/// Maximum time that a visitor waits for a document missing from the store. Afterwards the built-in page is sent.
const WAIT_MAX: Duration = Duration::from_millis(4_800);
/// Maximum time to make a document, independent of the waiting requests. Covers its data and three consecutive renders.
const MAKING_TIME_MAX: Duration = Duration::from_secs(12);

/// Everything outside of `/api`: documents, native form posts and published files.
#[derive(Clone, Debug)]
pub struct Documents {
    pages: Arc<Pages>,
}

#[derive(Debug)]
struct Pages {
    live: Arc<Live>,
    shelf: Shelf,
    store: Arc<Store>,
    forms: Arc<Forms>,
    proofs: Proofs,
    status: StatusPage,
    /// Of the hospital's clock.
    utc_offset: FixedOffset,
    /// Answers [`service_worker::PATH`] with a worker that removes itself.
    retires_worker: bool,
}

impl Pages {
    /// Counts a sent document for each of its versions. Adds the token that reports of failures need.
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
            let second = self.live.composer.clock.now().timestamp();
            let remotes = remotes.iter().map(|remote| &**remote);
            let proof = self.proofs.issue(network.widest(), remotes, second);
            headers.append(SERVER_TIMING, proof);
        }
    }
}

impl Documents {
    /// Loads the page modules and follows their changes.
    ///
    /// `form_key` is the key of native forms. A team's version that does not load is left out and retried. After
    /// startup, a version that does not load is refused and the old version stays live.
    ///
    /// # Errors
    /// When `remotes.json` or the shell does not load.
    pub async fn load(
        config: &PagesConfig,
        api: LocalApi,
        form_key: hmac::Key,
    ) -> Result<Self, PagesError> {
        let (pages, watcher) = start::load(config, api, form_key).await?;
        tokio::spawn(watcher.run(Arc::downgrade(&pages.live)));
        tokio::spawn(resident::run(Arc::downgrade(&pages.live)));
        Ok(Self { pages })
    }

    /// Returns whether a version of a team has this page module or script.
    pub fn has(&self, team: &str, version: &str, module: &str) -> bool {
        self.pages.live.registry.load().has(team, version, module)
    }

    /// Returns whether modules of this team are live.
    pub fn has_team(&self, team: &str) -> bool {
        self.pages.live.registry.load().has_team(team)
    }

    /// Returns the route of the page at a path.
    pub fn route(&self, path: &str) -> Option<Arc<str>> {
        let registry = self.pages.live.registry.load();
        let (page, _) = registry.page(language::split(path).1)?;
        Some(Arc::clone(&page.route))
    }

    /// Checks a browser's report that these versions (team, version) failed, and returns for each whether it counts. A
    /// version counts once per document. `None` unless `token` belongs to a document that was sent to `network` within
    /// the last hour and contains all of these versions.
    pub fn take_report(
        &self,
        token: &str,
        versions: &[(&str, &str)],
        network: ClientNetwork,
    ) -> Option<Vec<bool>> {
        let (pages, network) = (&self.pages, network.widest());
        let second = pages.live.composer.clock.now().timestamp();
        let proof = pages.proofs.open(token, network, second)?;
        let registry = pages.live.registry.load();
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

    /// Returns the live and the refused versions as JSON for operators.
    pub fn remotes_report(&self) -> String {
        let registry = self.pages.live.registry.load_full();
        self.pages
            .live
            .remotes_state
            .lock()
            .report(&registry)
            .to_string()
    }

    /// Finds the page that a form is sent to, from the request head alone. With `staff`, a page of the staff area.
    ///
    /// # Errors
    /// An error page with the reason for the rejection.
    pub fn form(
        &self,
        parts: &Parts,
        staff: Option<Arc<StaffMember>>,
    ) -> Result<FormTarget, Box<Response<Body>>> {
        let (live, forms) = (&self.pages.live, &self.pages.forms);
        forms::target(live, forms, &live.registry.load_full(), parts, staff)
    }

    /// Answers every request except form posts.
    pub async fn respond(
        &self,
        parts: &Parts,
        network: ClientNetwork,
        work: &dyn Work,
    ) -> Response<Body> {
        let (pages, registry) = (&self.pages, self.pages.live.registry.load_full());
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return builtin::method_not_allowed(
                language_of(parts.uri.path()),
                "GET, HEAD",
                &pages.live.composer.emergency_phone.get(),
            );
        }
        if pages.retires_worker && parts.uri.path() == service_worker::PATH {
            return service_worker::retire();
        }
        if let Some(address) = preview::Address::of(parts) {
            return preview::respond(pages, &registry, parts, &address, work).await;
        }
        let hospital = pages.live.composer.hospital.as_ref();
        if let Some(file) = hospital.and_then(|hospital| hospital.file(parts.uri.path())) {
            return of_file(file.respond(&parts.headers, true));
        }
        if let Some((file, is_root)) = registry.file(parts.uri.path()) {
            return of_file(file.respond(&parts.headers, is_root));
        }
        if let Some(file) = pages.shelf.find(parts.uri.path()).await {
            return of_file(file.respond(&parts.headers, false));
        }
        document(pages, &registry, parts, network, work).await
    }

    /// Returns the error page for a request that is rejected before rendering, with the reason and the emergency
    /// number.
    pub fn refusal(&self, language: Language, problem: &Problem) -> Response<Body> {
        refusal(&self.pages, language, problem)
    }

    /// Returns the response if the request is for a page held in memory. Such a response costs next to nothing, so it
    /// may bypass all limits.
    pub fn resident(&self, request: &Parts, network: ClientNetwork) -> Option<Response<Body>> {
        if !matches!(request.method, Method::GET | Method::HEAD) {
            return None;
        }
        let address = request.uri.path();
        let (language, path) = language::split(address);
        if path == location::STATUS {
            let phone = self.pages.live.composer.emergency_phone.get();
            return Some(self.pages.status.respond(request, language, &phone));
        }
        let registry = self.pages.live.registry.load();
        if path == location::EMERGENCY && !registry.has_emergency_page() {
            let phone = self.pages.live.composer.emergency_phone.get();
            return Some(emergency::respond(request, language, &phone));
        }
        let (page, document) = registry.residents.get(address)?;
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

/// Names the route of a file, so that traces and metrics separate files from pages.
fn of_file(mut response: Response<Body>) -> Response<Body> {
    static ROUTE: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from("file"));
    let route = DocumentRoute(Arc::clone(&ROUTE));
    response.extensions_mut().insert(route);
    response
}

/// Returns the language of an address of this site.
pub fn language_of(path: &str) -> Language {
    language::split(path).0
}

async fn document(
    pages: &Arc<Pages>,
    registry: &Arc<Registry>,
    parts: &Parts,
    network: ClientNetwork,
    work: &dyn Work,
) -> Response<Body> {
    let address = parts.uri.path();
    let (language, path) = language::split(address);
    let query = parts.uri.query().unwrap_or_default();
    if address.len() > PATH_BYTES_MAX || query.len() > QUERY_BYTES_MAX {
        let phone = pages.live.composer.emergency_phone.get();
        return builtin::document(language, 414, &phone).into_response();
    }
    if let Some(response) = language::respelled(address).and_then(|meant| respelled(&meant, query))
    {
        return response;
    }
    let canary = registry.draw(rand::random_range(0..100), path);
    let registry = canary.map_or(registry, |canary| &canary.registry);
    if let Some(location) = registry.redirect(path) {
        return moved(
            path,
            links::location_in(location.clone(), language, registry),
        );
    }
    let audience = Audience::Visitors;
    let (page, visit) = match find(registry, audience, language, path, query) {
        Some(found) => found,
        None => match redirect(registry, audience, language, path, query) {
            Some(response) => return response,
            None => (&registry.not_found, not_found(registry, language, path)),
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
            let composed = pages
                .live
                .composer
                .compose(&registry, &page, &visit, None)
                .await;
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
        Err(problem) => refusal(pages, language, &problem),
    };
    response
        .extensions_mut()
        .insert(DocumentRoute(Arc::clone(&page.route)));
    response
}

fn refusal(pages: &Pages, language: Language, problem: &Problem) -> Response<Body> {
    let page = builtin::document(
        language,
        problem.status().as_u16(),
        &pages.live.composer.emergency_phone.get(),
    );
    let mut response = page.into_response();
    response.headers_mut().extend(problem.headers());
    response
}
