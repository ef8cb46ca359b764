//! The page that a form is sent to, before its body is read.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{HeaderMap, Response, request::Parts},
};
use bytes::Bytes;
use gateway_http::request::client_address::ClientNetwork;

use super::{
    Post, address,
    fields::{self, Form, is_multipart},
    multipart::FileRule,
    replay::Forms,
};
use crate::{
    language,
    registry::{Page, Registry},
    release::live::Live,
    render::{builtin, message::Visit, staff::StaffMember},
    serve::lookup::{Audience, find},
};

/// A form whose page is known and whose body has not been read yet.
#[derive(Debug)]
pub struct FormTarget {
    live: Arc<Live>,
    forms: Arc<Forms>,
    registry: Arc<Registry>,
    page: Arc<Page>,
    visit: Visit,
    address: String,
}

/// Finds the page that a form is sent to, from the request head alone.
///
/// # Errors
/// An error page with status 404, 405 or 415.
pub(crate) fn target(
    live: &Arc<Live>,
    forms: &Arc<Forms>,
    registry: &Arc<Registry>,
    parts: &Parts,
    staff: Option<Arc<StaffMember>>,
) -> Result<FormTarget, Box<Response<Body>>> {
    let query = parts.uri.query().unwrap_or_default();
    let (language, path) = language::split(parts.uri.path());
    let phone = &live.composer.emergency_phone.get();
    let refuse = |status: u16| Box::new(builtin::document(language, status, phone).into_response());
    let no_form = || Box::new(builtin::method_not_allowed(language, "GET, HEAD", phone));
    if registry.file(parts.uri.path()).is_some() {
        return Err(no_form());
    }
    // Pages that exist only in a canary are searched too. The version that accepts the form is known only once the body
    // is read.
    let canaries = registry.canaries.iter().map(|canary| &canary.registry);
    let mut registries = [registry].into_iter().chain(canaries);
    let audience = Audience::of(staff.as_ref());
    let found = registries.find_map(|registry| {
        let found = find(registry, audience, language, path, query)?;
        Some((registry, found))
    });
    let Some((registry, (page, visit))) = found else {
        return Err(refuse(404));
    };
    let visit = Visit { staff, ..visit };
    if !page.takes_posts() {
        return Err(no_form());
    }
    if !fields::is_form(&parts.headers) {
        return Err(refuse(415));
    }
    Ok(FormTarget {
        live: Arc::clone(live),
        forms: Arc::clone(forms),
        registry: Arc::clone(registry),
        page: Arc::clone(page),
        visit,
        address: address(parts),
    })
}

impl FormTarget {
    /// Whether the form is sent in a way that may have a file, to a page that takes one.
    pub fn takes_file(&self, headers: &HeaderMap) -> bool {
        self.page.file.is_some() && is_multipart(headers)
    }

    /// Reads the form with its file while it arrives. Without `keeps_file`, only its texts.
    ///
    /// # Errors
    /// An error page with status 400, 413 or 415.
    pub async fn receive(
        self,
        headers: &HeaderMap,
        body: Body,
        network: Option<ClientNetwork>,
        keeps_file: bool,
    ) -> Result<Post, Box<Response<Body>>> {
        let rule = match &self.page.file {
            Some(name) if keeps_file => FileRule::Named(name),
            _ => FileRule::Dropped,
        };
        let form = Form::receive(headers, body, rule).await;
        self.post(form, network)
    }

    /// Parses the form from the complete body.
    ///
    /// # Errors
    /// An error page with status 400 or 415.
    pub async fn read(
        self,
        headers: &HeaderMap,
        body: Bytes,
        network: Option<ClientNetwork>,
    ) -> Result<Post, Box<Response<Body>>> {
        let form = Form::read(headers, body).await;
        self.post(form, network)
    }

    fn post(
        self,
        form: Result<Form, u16>,
        network: Option<ClientNetwork>,
    ) -> Result<Post, Box<Response<Body>>> {
        let emergency_phone = &self.live.composer.emergency_phone.get();
        let language = self.visit.language;
        let refuse = |status: u16| {
            Box::new(builtin::document(language, status, emergency_phone).into_response())
        };
        let form = form.map_err(refuse)?;
        let (registry, page) = self.version_for(form.part.as_deref());
        let named = form.part.as_deref();
        // The version that made the form is not part of the id.
        let id = named.map(|named| named.rsplit_once('@').map_or(named, |(id, _)| id));
        let (position, part) = page.form_part(id).ok_or_else(|| refuse(400))?;
        let part = part.clone();
        Ok(Post {
            live: self.live,
            forms: self.forms,
            registry,
            page,
            visit: self.visit,
            address: self.address,
            form,
            part,
            position,
            network,
        })
    }

    /// Returns the version that handles the form: the canary that rendered it while that is live, otherwise the stable
    /// version.
    fn version_for(&self, part: Option<&str>) -> (Arc<Registry>, Arc<Page>) {
        let live = self.live.registry.load();
        let canary = part.and_then(|part| live.canary_of_part(part));
        let page = canary.and_then(|canary| canary.registry.page(&self.visit.path));
        match (canary, page) {
            (Some(canary), Some((page, _)))
                if page.takes_posts() && page.access.is_some() == self.page.access.is_some() =>
            {
                (Arc::clone(&canary.registry), Arc::clone(page))
            }
            _ => (Arc::clone(&self.registry), Arc::clone(&self.page)),
        }
    }
}
