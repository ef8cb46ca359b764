//! Looks up the page of an address, its parameters and relevant query, and redirects misspelled addresses.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};

use super::views::DocumentRoute;
use crate::{
    language::{self, Language},
    registry::{
        Page, Registry, location,
        template::{self, Values},
    },
    render::{message::Visit, staff::StaffMember},
};

/// A redirect declared by a module may be withdrawn, so it is cached for only an hour.
const REDIRECT_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// Path of the one document shared by all unknown paths outside of the site's sections.
pub(crate) const NOT_FOUND: &str = "/404";

/// Returns the visit for the not-found page. It contains the path only if a section of the site starts with the same
/// segment. All other paths share one document.
pub(crate) fn not_found(registry: &Registry, language: Language, path: &str) -> Visit {
    let path = if registry.is_within_a_section(path) {
        path
    } else {
        NOT_FOUND
    };
    Visit {
        language,
        path: path.to_owned(),
        ..Visit::default()
    }
}

/// Visitors or staff. A lookup for one never finds a page of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Visitors,
    Staff,
}

impl Audience {
    /// Returns the audience of requests for the documents of a visit.
    pub(crate) fn of(staff: Option<&Arc<StaffMember>>) -> Self {
        if staff.is_some() {
            Self::Staff
        } else {
            Self::Visitors
        }
    }

    fn has(self, page: &Page) -> bool {
        page.access.is_some() == (self == Self::Staff)
    }
}

/// Finds the page of a path for an audience, with the request data that the page may use. Other languages than English
/// have documents of visitors only.
pub(crate) fn find<'a>(
    registry: &'a Registry,
    audience: Audience,
    language: Language,
    path: &str,
    query: &str,
) -> Option<(&'a Arc<Page>, Visit)> {
    let (page, params) = registry.page(path)?;
    if !audience.has(page) || (language != Language::English && !page.is_for_visitors()) {
        return None;
    }
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
        // The first value of a name counts, as in URLSearchParams.get.
        for (name, value) in known {
            declared.entry(name).or_insert(value);
        }
    }
    Some((
        page,
        Visit {
            language,
            path: path.to_owned(),
            params: values,
            query: declared,
            ..Visit::default()
        },
    ))
}

/// Returns the cache key of a visit: its language unless it is English, path and query. Unambiguous, because a raw path
/// begins with a slash and contains no question mark.
pub(crate) fn key(visit: &Visit) -> String {
    let code = visit.language.other_than_default();
    let mut key = format!("{}{}", code.unwrap_or_default(), visit.path);
    for (name, value) in &visit.query {
        key.push('?');
        template::encode_into(&mut key, name);
        key.push('=');
        template::encode_into(&mut key, value);
    }
    key
}

/// Redirects to a page's canonical address. Both `/doctors/?q=x` and `/Doctors?q=x`, as read out on the telephone, lead
/// to `/doctors?q=x`.
pub(crate) fn redirect(
    registry: &Registry,
    audience: Audience,
    language: Language,
    path: &str,
    query: &str,
) -> Option<Response<Body>> {
    let trimmed = path.strip_suffix('/').unwrap_or(path);
    let lower = trimmed.to_ascii_lowercase();
    let is_known = |path: &str| {
        let page = registry.page(path);
        let is_in_language = |page: &Page| language == Language::English || page.is_for_visitors();
        page.is_some_and(|(page, _)| audience.has(page) && is_in_language(page))
            || (audience == Audience::Visitors
                && (path == location::STATUS || registry.redirect(path).is_some()))
    };
    let known = [trimmed, &lower]
        .into_iter()
        .find(|known| *known != path && !known.is_empty() && is_known(known))?;
    respelled(&language::address(language, known), query)
}

/// Redirects to the right spelling of an address.
pub(crate) fn respelled(known: &str, query: &str) -> Option<Response<Body>> {
    // A query that is invalid in a location is dropped, and the redirect still works.
    let whole = location::on_this_site(&format!("{known}?{query}")).filter(|_| !query.is_empty());
    let location = whole.or_else(|| location::on_this_site(known))?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    response.headers_mut().insert(header::LOCATION, location);
    Some(response)
}

/// Redirects from a former or short address that a module declares.
pub(crate) fn moved(path: &str, location: HeaderValue) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, location);
    headers.insert(header::CACHE_CONTROL, REDIRECT_CACHE);
    response
        .extensions_mut()
        .insert(DocumentRoute(Arc::from(path)));
    response
}
