//! Documents of the staff area. Each is made for one signed-in person and one request: nothing is stored or shared.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use axum::{
    body::Body,
    http::{HeaderMap, Method, Response, StatusCode, request::Parts},
};
use bytes::Bytes;
use gateway_http::{problem::Problem, request::lanes::Work};

use super::{
    Documents, PATH_BYTES_MAX, QUERY_BYTES_MAX, WAIT_MAX, forms,
    language::Language,
    refusal,
    registry::{
        Page, Registry,
        template::{RELEASES, Source, Values},
    },
    render::{builtin, data::DataResult, document::attribute, message::Visit, staff::StaffMember},
    serve::{
        lookup::{Audience, NOT_FOUND, find, redirect},
        views::{self, DocumentRoute},
    },
};

/// A built-in page of the staff area, which needs no page module.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// Status of the response.
    pub status: StatusCode,
    /// What happened.
    pub title: &'a str,
    /// What to do, as plain text.
    pub advice: &'a str,
    /// Address and text of the next step, if there is one.
    pub link: Option<(&'a str, &'a str)>,
}

/// The page of an address, its visit, and the route for telemetry.
type Found<'a> = (&'a Arc<Page>, Visit, &'a Arc<str>);

impl Documents {
    /// Answers a read of the staff area by a signed-in person.
    pub async fn desk(
        &self,
        parts: &Parts,
        staff: &Arc<StaffMember>,
        work: &dyn Work,
    ) -> Response<Body> {
        let pages = &self.pages;
        let composer = &pages.live.composer;
        let fallback = |status| {
            builtin::document(Language::English, status, &composer.emergency_phone.get())
                .into_response()
        };
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return builtin::method_not_allowed(
                Language::English,
                "GET, HEAD",
                &composer.emergency_phone.get(),
            );
        }
        let path = parts.uri.path();
        let query = parts.uri.query().unwrap_or_default();
        if path.len() > PATH_BYTES_MAX || query.len() > QUERY_BYTES_MAX {
            return fallback(414);
        }
        if let Err(problem) = work.begin() {
            return refusal(pages, Language::English, &problem);
        }
        let stable = pages.live.registry.load_full();
        let canary = stable.draw(rand::random_range(0..100), path);
        let registry = canary.map_or(&stable, |canary| &canary.registry);
        let (page, visit, route) = match page_for(registry, staff, path, query) {
            Ok(found) => found,
            Err(response) => return *response,
        };
        let operations = self.operations(page, &stable);
        let visit = Visit {
            operations,
            ..visit
        };
        let making = composer.compose(registry, page, &visit, None);
        let mut response = match tokio::time::timeout(WAIT_MAX, making).await {
            Ok(made) if is_own_navigation(&parts.headers) => {
                made.into_compressed(&parts.headers).await
            }
            Ok(made) => made.into_response(),
            Err(_) => fallback(504),
        };
        let content_type = response.headers().get(axum::http::header::CONTENT_TYPE);
        views::count(route, parts, response.status(), content_type);
        response
            .extensions_mut()
            .insert(DocumentRoute(Arc::clone(route)));
        response
    }

    /// Returns the facts of this process that a page of the staff area declares.
    fn operations(&self, page: &Page, stable: &Registry) -> BTreeMap<&'static str, DataResult> {
        let declared = page.parts().flat_map(|(_, part)| part.data.iter());
        let names = declared.filter_map(|(_, source)| match source {
            Source::Operations(name) => Some(*name),
            _ => None,
        });
        let pages = &self.pages;
        let found = names.map(|name| {
            let body = match name {
                RELEASES => pages.live.remotes_state.lock().report(stable),
                _ => pages.status.report(),
            };
            (name, DataResult::found(&body))
        });
        found.collect()
    }

    /// Returns the fields of a form that was sent to the staff area without a sign-in, with the reason of `problem`.
    pub async fn keep_input(
        &self,
        parts: &Parts,
        body: Bytes,
        problem: &Problem,
    ) -> Response<Body> {
        let emergency_phone = &self.pages.live.composer.emergency_phone.get();
        forms::keep_input(parts, body, problem, emergency_phone).await
    }

    /// As [`Self::keep_input`], of a form that may have a file, which is dropped.
    pub async fn keep_text(&self, parts: &Parts, body: Body, problem: &Problem) -> Response<Body> {
        let emergency_phone = &self.pages.live.composer.emergency_phone.get();
        forms::keep_text(parts, body, problem, emergency_phone).await
    }

    /// Renders a built-in page with the emergency number.
    pub fn notice(&self, notice: &Notice<'_>) -> Response<Body> {
        let mut content = format!("<p>{}</p>", attribute(notice.advice));
        if let Some((address, text)) = notice.link {
            // Writing to a string cannot fail.
            let _ = write!(
                content,
                "<p><a href=\"{}\">{}</a></p>",
                attribute(address),
                attribute(text)
            );
        }
        let emergency_phone = &self.pages.live.composer.emergency_phone.get();
        let language = Language::English;
        let html = builtin::page(language, notice.title, &content, "/", emergency_phone);
        builtin::failure(language, notice.status.as_u16(), html).into_response()
    }
}

/// Whether the person came from this site, or opened the address by hand. Only such documents may be compressed: a page
/// of another site can make the browser open addresses with text of its choice, and an observer of the network could
/// then derive what the document shows from its compressed length (BREACH).
fn is_own_navigation(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site");
    site.is_some_and(|site| site == "same-origin" || site == "none")
}

/// Finds the page of an address. Returns the forbidden page if the person lacks its scope, and the not-found page for an
/// unknown address.
///
/// # Errors
/// A redirect to the correct spelling of the address.
fn page_for<'a>(
    registry: &'a Registry,
    staff: &Arc<StaffMember>,
    path: &str,
    query: &str,
) -> Result<Found<'a>, Box<Response<Body>>> {
    let (member, language) = (Some(Arc::clone(staff)), Language::English);
    let Some((page, visit)) = find(registry, Audience::Staff, language, path, query) else {
        if let Some(response) = redirect(registry, Audience::Staff, language, path, query) {
            return Err(Box::new(response));
        }
        let visit = Visit {
            path: NOT_FOUND.to_owned(),
            staff: member,
            ..Visit::default()
        };
        return Ok((&registry.not_found, visit, &registry.not_found.route));
    };
    let access = page.access.as_ref();
    let refused = access.filter(|access| !access.allows(&staff.person.scopes));
    let Some(access) = refused else {
        let visit = Visit {
            staff: member,
            ..visit
        };
        return Ok((page, visit, &page.route));
    };
    let params = Values::from([
        ("status".to_owned(), "403".to_owned()),
        ("message".to_owned(), "Forbidden".to_owned()),
        ("label".to_owned(), access.label.clone()),
    ]);
    let visit = Visit {
        path: path.to_owned(),
        params,
        staff: member,
        ..Visit::default()
    };
    Ok((&registry.forbidden, visit, &page.route))
}
