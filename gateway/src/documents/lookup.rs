//! The page of an address: parameters, the query that counts, and where an address leads that is none.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};

use super::{
    DocumentRoute, location,
    message::Visit,
    registry::{Page, Registry},
    status,
    template::{self, Values},
};

/// A redirect that a module declares may be taken back.
const REDIRECT_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Path of the one document for paths that mean nothing.
pub(super) const NOT_FOUND: &str = "/404";

/// What the page for unknown paths may know: the path, if a part of the site begins like it. All nonsense is one document.
pub(super) fn not_found(registry: &Registry, path: &str) -> Visit {
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
pub(super) fn find<'a>(
    registry: &'a Registry,
    path: &str,
    query: &str,
) -> Option<(&'a Arc<Page>, Visit)> {
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
pub(super) fn key(visit: &Visit) -> String {
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
pub(super) fn redirect(registry: &Registry, path: &str, query: &str) -> Option<Response<Body>> {
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
pub(super) fn moved(path: &str, location: &HeaderValue) -> Response<Body> {
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
