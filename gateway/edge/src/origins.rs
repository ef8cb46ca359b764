//! Decides which web pages may call. Writes must come from this site's own pages (CSRF), and the API answers scripts of
//! the configured origins (CORS). Origins are compared as a whole: scheme, host and port.
//!
//! Programs other than browsers send neither `Origin` nor `Sec-Fetch-Site`. They carry no visitor's rights that could
//! be abused.

use std::{fmt, str::FromStr};

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
        CONTENT_TYPE, HOST, ORIGIN, VARY,
    },
    request::Parts,
    uri::Authority,
};
use bytes::Bytes;
use gateway_http::problem::Problem;

const REQUESTED_WITH: &str = "x-requested-with";
const SEC_FETCH_SITE: &str = "sec-fetch-site";
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
/// Seconds for which a browser may cache a preflight: a change of configuration takes effect within ten minutes.
const PREFLIGHT_SECONDS: &str = "600";
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS: &str = "authorization, content-type, idempotency-key, if-match, if-none-match, traceparent, \
     x-client-id, x-requested-with";
const RESPONSE_HEADERS: &str = "etag, idempotency-key, idempotent-replayed, location, ratelimit, ratelimit-policy, retry-after, server-timing";

/// An origin as browsers write it (RFC 6454), without the default port: `https://hospital.example`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Origin(String);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = || format!("`{text}` is not an origin such as https://hospital.example");
        let uri: Uri = text.trim().parse().map_err(|_| expected())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(expected());
        };
        let is_bare = matches!(uri.path(), "" | "/") && uri.query().is_none();
        let is_plain = !authority.as_str().contains('@') && !text.trim().ends_with('/');
        if !matches!(scheme, "http" | "https") || !is_bare || !is_plain {
            return Err(expected());
        }
        let host = authority.host().to_ascii_lowercase();
        let default = if scheme == "https" { 443 } else { 80 };
        Ok(Self(match authority.port_u16() {
            Some(port) if port != default => format!("{scheme}://{host}:{port}"),
            _ => format!("{scheme}://{host}"),
        }))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Origins whose pages may call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    /// Origins of this site's pages. If empty, the request's own scheme and host.
    pub(crate) site: Vec<Origin>,
    /// Origins of other sites whose scripts may call the API.
    pub(crate) api: Vec<Origin>,
}

impl Origins {
    /// Whether the origin that the browser reports may send forms.
    pub(crate) fn may_send_forms(&self, parts: &Parts, is_https: bool) -> bool {
        self.is_allowed(parts, is_https, false)
    }

    /// As [`Self::may_send_forms`], for forms that a session authorises: the browser must report their origin.
    pub(crate) fn may_send_staff_forms(&self, parts: &Parts, is_https: bool) -> bool {
        let is_reported =
            parts.headers.contains_key(ORIGIN) || parts.headers.contains_key(SEC_FETCH_SITE);
        is_reported && self.is_allowed(parts, is_https, false)
    }

    /// Whether a session may authorise an API call: a script of this site's own pages made it. Navigations, frames and
    /// scripts of other sites get the rights of a visitor. A page of another site cannot set either header without a
    /// preflight, which allows no cookies.
    pub(crate) fn may_use_session(&self, parts: &Parts, is_https: bool) -> bool {
        let headers = &parts.headers;
        let Ok(origin) = sole(headers, &ORIGIN) else {
            return false;
        };
        let is_requested = headers
            .get(REQUESTED_WITH)
            .is_some_and(|value| !value.is_empty());
        match (
            sole(headers, &HeaderName::from_static(SEC_FETCH_SITE)),
            origin,
        ) {
            (Ok(Some("same-origin")), origin) => origin != Some("null"),
            (Ok(None), Some(origin)) => {
                is_requested && self.is_listed(parts, origin, is_https, false)
            }
            (Ok(None), None) => is_requested,
            (Ok(Some(_)) | Err(Repeated), _) => false,
        }
    }

    /// Refuses a write to the API without `X-Requested-With`, with a body that is not declared as JSON, or from another
    /// site. A form cannot send either header, and a script of another site may not.
    pub(crate) fn check_write(
        &self,
        parts: &Parts,
        is_https: bool,
        has_body: bool,
    ) -> Result<(), Problem> {
        if parts.method.is_safe() {
            return Ok(());
        }
        if !self.is_allowed(parts, is_https, true) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "CROSS_SITE",
                "This call cannot be made from another site.",
            ));
        }
        let requested_with = parts.headers.get(REQUESTED_WITH);
        if requested_with.is_none_or(HeaderValue::is_empty) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "REQUESTED_WITH_REQUIRED",
                "Send the header X-Requested-With with this call.",
            ));
        }
        if has_body && !is_json(&parts.headers) {
            return Err(Problem::unsupported_media_type());
        }
        Ok(())
    }

    /// Trusts `Sec-Fetch-Site`, which a page cannot set. `same-site` means another host of the same domain, which need
    /// not be ours, so its origin must be listed; the same goes for other sites. If a browser sends only `Origin`, that
    /// decides.
    fn is_allowed(&self, parts: &Parts, is_https: bool, is_api: bool) -> bool {
        let origin = match sole(&parts.headers, &ORIGIN) {
            Ok(origin) => origin,
            Err(Repeated) => return false,
        };
        let is_listed =
            origin.is_some_and(|origin| self.is_listed(parts, origin, is_https, is_api));
        match sole(&parts.headers, &HeaderName::from_static(SEC_FETCH_SITE)) {
            Err(Repeated) => false,
            Ok(None) => origin.is_none() || is_listed,
            Ok(Some("same-origin" | "none")) => {
                // Some proxies rewrite Host, so the browser's own verdict is more reliable than our comparison.
                origin.is_none_or(|origin| origin != "null")
            }
            Ok(Some(_)) => is_listed,
        }
    }

    fn is_listed(&self, parts: &Parts, origin: &str, is_https: bool, is_api: bool) -> bool {
        let is_own = if self.site.is_empty() {
            is_called(parts, is_https, origin)
        } else {
            self.site.iter().any(|known| known.0 == origin)
        };
        is_own || (is_api && self.api.iter().any(|known| known.0 == origin))
    }

    /// Answers a CORS preflight; returns `None` for other requests. An origin that is not listed gets no permissions.
    pub(crate) fn preflight(&self, parts: &Parts) -> Option<Response<Bytes>> {
        let is_preflight = parts.method == Method::OPTIONS
            && parts.headers.contains_key(ORIGIN)
            && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if !is_preflight {
            return None;
        }
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = StatusCode::NO_CONTENT;
        if self.cors_origin(parts).is_some() {
            let headers = response.headers_mut();
            for (name, value) in [
                (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
                (ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
                (ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
            ] {
                headers.insert(name, HeaderValue::from_static(value));
            }
        }
        self.allow(parts, response.headers_mut());
        Some(response)
    }

    /// Lets a script of a listed origin read an answer of the API. Never with credentials: a session is for the site's
    /// own pages.
    pub(crate) fn allow(&self, parts: &Parts, headers: &mut HeaderMap) {
        if self.site.is_empty() && self.api.is_empty() {
            return;
        }
        headers.append(VARY, HeaderValue::from_static("origin"));
        if let Some(origin) = self.cors_origin(parts) {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            let exposed = HeaderValue::from_static(RESPONSE_HEADERS);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
            headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        }
    }

    fn cors_origin<'a>(&self, parts: &'a Parts) -> Option<&'a HeaderValue> {
        let value = parts.headers.get(ORIGIN)?;
        let origin = sole(&parts.headers, &ORIGIN).ok()??;
        let mut listed = self.site.iter().chain(&self.api);
        listed.any(|known| known.0 == origin).then_some(value)
    }
}

/// A header that must occur once is repeated, or is not text.
struct Repeated;

fn sole<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Repeated> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(HeaderValue::to_str).transpose();
    if values.next().is_some() {
        return Err(Repeated);
    }
    first.map_err(|_| Repeated)
}

/// Whether the origin is the scheme and host of the request, including the port.
fn is_called(parts: &Parts, is_https: bool, origin: &str) -> bool {
    let from_header = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
    let called = from_header.or_else(|| parts.uri.authority().map(Authority::as_str));
    let scheme = if is_https { "https://" } else { "http://" };
    let authority = origin.strip_prefix(scheme);
    matches!((authority, called), (Some(one), Some(other)) if one.eq_ignore_ascii_case(other))
}

/// Whether the body is declared as `application/json`, with or without parameters.
fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

#[cfg(test)]
mod tests;
