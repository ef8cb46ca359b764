//! Previews of drafts: documents below `/preview/<token>` show what a token of the content service names, to anybody who
//! has the address. They are made for one request, without scripts, and are never stored.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode,
        header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY},
        request::Parts,
    },
};
use bytes::Bytes;
use chrono::{DateTime, FixedOffset, Utc};
use gateway_api::Preview;
use gateway_http::request::lanes::Work;
use serde::Deserialize;

use super::{
    PATH_BYTES_MAX, Pages, QUERY_BYTES_MAX, WAIT_MAX,
    language::Language,
    refusal,
    registry::Registry,
    render::{
        builtin,
        composed::{Composed, HTML},
        document::attribute,
        links,
        message::Visit,
    },
    serve::{
        lookup::{Audience, find, not_found, redirect},
        views::DocumentRoute,
    },
};

/// Path above all previews.
const AREA: &str = "/preview/";
/// Route for telemetry, which must not see tokens.
const ROUTE: &str = "/preview/*";
/// API path that describes a token.
const READ: &str = "/previews/";
const TOKEN_BYTES_MAX: usize = 256;
/// Maximum time of the read. The first one of a preview builds its content.
const READ_TIME_MAX: Duration = Duration::from_secs(3);
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

const ENDED: (u16, &str, &str) = (
    404,
    "This preview has ended",
    "A preview lasts an hour. Ask the person who sent you the link for another one.",
);
const NOT_NOW: (u16, &str, &str) = (
    503,
    "A preview isn't possible at the moment",
    "The website itself isn't affected. Please try again in a few minutes.",
);

/// What a document of a preview needs beside the page.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) preview: Arc<Preview>,
    /// HTML between the header and the page.
    pub(crate) banner: String,
    /// Style of the banner.
    pub(crate) style: Arc<str>,
}

/// The token of an address, and the path of its page.
pub(crate) struct Address<'a> {
    token: &'a str,
    path: &'a str,
}

impl<'a> Address<'a> {
    /// Returns `None` for addresses outside of previews.
    pub(crate) fn of(parts: &'a Parts) -> Option<Self> {
        let rest = parts.uri.path().strip_prefix(AREA)?;
        let end = rest.find('/').unwrap_or(rest.len());
        let (token, path) = rest.split_at(end);
        let path = if path.is_empty() { "/" } else { path };
        Some(Self { token, path })
    }

    /// Whether the service may know the token.
    fn is_plausible(&self) -> bool {
        let is_known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        (1..=TOKEN_BYTES_MAX).contains(&self.token.len()) && self.token.bytes().all(is_known)
    }

    /// Returns the path above the pages of this preview.
    fn prefix(&self) -> String {
        format!("{AREA}{}", self.token)
    }
}

/// What a token shows, as the API returns it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    title: String,
    path: String,
    list_path: String,
    expire_time: DateTime<Utc>,
    is_live: bool,
    problems: Vec<FoundProblem>,
}

#[derive(Deserialize)]
struct FoundProblem {
    record: String,
    field: String,
    message: String,
}

/// Answers a request below `/preview`.
pub(crate) async fn respond(
    pages: &Pages,
    registry: &Registry,
    parts: &Parts,
    address: &Address<'_>,
    work: &dyn Work,
) -> Response<Body> {
    let phone = pages.live.composer.emergency_phone.get();
    let query = parts.uri.query().unwrap_or_default();
    let mut response = if !matches!(parts.method, Method::GET | Method::HEAD) {
        builtin::method_not_allowed(Language::English, "GET, HEAD", &phone)
    } else if parts.uri.path().len() > PATH_BYTES_MAX || query.len() > QUERY_BYTES_MAX {
        builtin::document(Language::English, 414, &phone).into_response()
    } else if !address.is_plausible() {
        notice(ENDED, &phone).into_response()
    } else if let Err(problem) = work.begin() {
        refusal(pages, Language::English, &problem)
    } else {
        let making = Box::pin(document(pages, registry, parts, address));
        match tokio::time::timeout(WAIT_MAX, making).await {
            Ok(response) => response,
            Err(_) => builtin::document(Language::English, 504, &phone).into_response(),
        }
    };
    seal(response.headers_mut());
    let route = DocumentRoute(Arc::from(ROUTE));
    response.extensions_mut().insert(route);
    response
}

/// Keeps a response out of caches and search engines, and its address out of others' logs. Pages of this site may show
/// it in a frame.
fn seal(headers: &mut HeaderMap) {
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (ROBOTS, "noindex"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = headers.get(CONTENT_SECURITY_POLICY);
    let policy = policy.and_then(|policy| policy.to_str().ok());
    let framed =
        policy.map(|policy| policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    if let Some(framed) = framed.and_then(|policy| HeaderValue::try_from(policy).ok()) {
        headers.insert(CONTENT_SECURITY_POLICY, framed);
    }
}

async fn document(
    pages: &Pages,
    registry: &Registry,
    parts: &Parts,
    address: &Address<'_>,
) -> Response<Body> {
    let composer = &pages.live.composer;
    let phone = composer.emergency_phone.get();
    let read = format!("{READ}{}", address.token);
    let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
    let api = &composer.api;
    let answer = api
        .call(
            Method::GET,
            &read,
            headers,
            Bytes::new(),
            None,
            READ_TIME_MAX,
        )
        .await;
    let found = match answer.status() {
        StatusCode::OK => serde_json::from_slice::<Found>(answer.body()).ok(),
        StatusCode::NOT_FOUND => return notice(ENDED, &phone).into_response(),
        _ => None,
    };
    let access = api.read_access(&read);
    let preview = access.and_then(|(package, _)| Preview::new(address.token, package));
    let (Some(found), Some(preview)) = (found, preview) else {
        return notice(NOT_NOW, &phone).into_response();
    };
    if !found.problems.is_empty() {
        return unfit(&found, &phone).into_response();
    }
    let prefix = address.prefix();
    let shown = Shown {
        preview: Arc::new(preview),
        banner: banner(&found, address.path, &prefix, pages.utc_offset),
        style: include_str!("preview/banner.css").into(),
    };
    let (path, query) = (address.path, parts.uri.query().unwrap_or_default());
    let language = Language::English;
    if let Some(location) = registry.redirect(path) {
        return led(location, &prefix);
    }
    let (page, visit) = match find(registry, Audience::Visitors, language, path, query) {
        Some(found) => found,
        None => match redirect(registry, Audience::Visitors, language, path, query) {
            Some(response) => {
                let location = response.headers().get(LOCATION).cloned();
                return location.map_or(response, |location| led(&location, &prefix));
            }
            None => (&registry.not_found, not_found(registry, language, path)),
        },
    };
    // Feeds and the site map list what is published.
    if page.content_type.is_some() {
        return builtin::document(Language::English, 404, &phone).into_response();
    }
    let visit = Visit {
        preview: Some(Arc::new(shown)),
        ..visit
    };
    let mut made = composer.compose(registry, page, &visit, None).await;
    if let Some(location) = &made.location {
        return led(location, &prefix);
    }
    if made.content_type == HTML {
        made.body = links::in_preview(&made.body, &prefix, registry);
    }
    made.into_compressed(&parts.headers).await
}

/// Redirects to a page of the same preview.
fn led(location: &HeaderValue, prefix: &str) -> Response<Body> {
    let path = location.to_str().unwrap_or_default();
    let location = HeaderValue::try_from(format!("{prefix}{path}"));
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    response
        .headers_mut()
        .extend(location.ok().map(|location| (LOCATION, location)));
    response
}

fn notice((status, title, advice): (u16, &str, &str), phone: &str) -> Composed {
    let content = format!("<p>{advice}</p>");
    let html = builtin::page(Language::English, title, &content, "/", phone);
    builtin::failure(Language::English, status, html)
}

/// Returns the page with the problems of an invalid draft.
fn unfit(found: &Found, phone: &str) -> Composed {
    let mut reasons = String::new();
    for FoundProblem {
        record,
        field,
        message,
    } in &found.problems
    {
        let place = [record, field].map(|part| attribute(part));
        let place = place.into_iter().filter(|part| !part.is_empty());
        let place = place.collect::<Vec<_>>().join(", ");
        let place = if place.is_empty() {
            place
        } else {
            format!("{place}: ")
        };
        // Writing to a string cannot fail.
        let _ = write!(reasons, "<li>{place}{}</li>", attribute(message));
    }
    let content = format!(
        "<p>\u{201c}{}\u{201d} doesn't fit to the rest of the website yet:</p><ul>{reasons}</ul>",
        attribute(&found.title)
    );
    let title = "This draft can't be shown";
    let html = builtin::page(Language::English, title, &content, "/", phone);
    builtin::failure(Language::English, 422, html)
}

/// Returns the HTML that names the preview and its end, and leads to the pages that show the draft.
fn banner(found: &Found, path: &str, prefix: &str, offset: FixedOffset) -> String {
    let what = if found.is_live {
        "Preview. This version is now published."
    } else {
        "Preview of a draft, not published."
    };
    let until = found.expire_time.with_timezone(&offset).format("%-I:%M %p");
    let mut ways: Vec<(&str, &str)> = Vec::new();
    for way in [
        (&*found.path, "Page"),
        (&*found.list_path, "List"),
        ("/", "Home"),
    ] {
        let is_new = !way.0.is_empty() && !ways.iter().any(|(path, _)| *path == way.0);
        ways.extend(is_new.then_some(way));
    }
    let mut links = String::new();
    for (to, text) in ways {
        let current = if to == path {
            " aria-current=\"page\""
        } else {
            ""
        };
        let to = attribute(to);
        // Writing to a string cannot fail.
        let _ = write!(
            links,
            "<a data-preview href=\"{prefix}{to}\"{current}>{text}</a> "
        );
    }
    format!(
        "<aside class=\"previewBanner\" aria-label=\"Preview\"><p><strong>{what}</strong> Valid until {until}. \
         Forms don't work here.</p><p>{links}<a data-preview href=\"/\" rel=\"noreferrer\">Leave preview</a></p></aside>"
    )
}

#[cfg(test)]
mod tests;
