//! A composed response, before compression and caching.

use std::mem;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use gateway_cache::{CacheControl, Draft, changes::Basis, compression};

use crate::language::Language;

pub(crate) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
/// Browsers revalidate on every use, usually with a 304. A page is therefore never older than its data.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// Content-Security-Policy for responses without their own content to show: feeds and redirects.
const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A document, a feed or a redirect, with its caching constraints.
#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) status: u16,
    /// Language of a document.
    pub(crate) language: Language,
    pub(crate) body: String,
    pub(crate) content_type: HeaderValue,
    /// Content-Security-Policy.
    pub(crate) policy: String,
    pub(crate) location: Option<HeaderValue>,
    /// False when a part or an API call failed. Such a response must not replace a complete one.
    pub(crate) is_complete: bool,
    /// Whether a module failed, as opposed to an API call.
    pub(crate) has_failed: bool,
    /// False when the part that took a native form post was not rendered, so its sender would not see the outcome.
    pub(crate) is_answered: bool,
    /// The data that it was rendered from.
    pub(crate) basis: Basis,
}

impl Composed {
    /// Creates a complete HTML document.
    pub(crate) fn document(status: u16, body: String, policy: String) -> Self {
        Self {
            status,
            language: Language::English,
            body,
            content_type: HTML,
            policy,
            location: None,
            is_complete: true,
            has_failed: false,
            is_answered: true,
            basis: Basis::default(),
        }
    }

    /// Creates a response other than HTML, verbatim from a module.
    pub(crate) fn raw(status: u16, body: String, content_type: HeaderValue) -> Self {
        Self {
            content_type,
            ..Self::document(status, body, POLICY.to_owned())
        }
    }

    /// Creates a redirect.
    pub(crate) fn redirection(status: u16, location: HeaderValue) -> Self {
        Self {
            location: Some(location),
            ..Self::document(status, String::new(), POLICY.to_owned())
        }
    }

    /// Returns the language of a document. Feeds and redirects name none.
    fn content_language(&self) -> Option<HeaderValue> {
        let is_document = self.content_type == HTML && self.location.is_none();
        is_document.then(|| self.language.header())
    }

    /// Converts the response to a draft for the store. With `is_any_path`, a 404 or 410 is kept only briefly, because
    /// clients can request any number of unknown addresses.
    pub(crate) fn into_draft(self, is_any_path: bool) -> Draft {
        let language = self.content_language();
        let policy = HeaderValue::try_from(self.policy);
        let policy = policy.unwrap_or(HeaderValue::from_static(POLICY));
        let mut headers = vec![
            (header::CONTENT_TYPE, self.content_type),
            (header::CONTENT_SECURITY_POLICY, policy),
        ];
        headers.extend(self.location.map(|location| (header::LOCATION, location)));
        headers.extend(language.map(|language| (header::CONTENT_LANGUAGE, language)));
        let status = StatusCode::from_u16(self.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Draft {
            is_negative: is_any_path && matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE),
            status,
            body: self.body.into(),
            headers,
            version: None,
            cache_control: CacheControl::Fixed(NO_CACHE),
            is_complete: self.is_complete,
            basis: self.basis,
        }
    }

    /// Converts to an uncached response.
    pub(crate) fn into_response(self) -> Response<Body> {
        let language = self.content_language();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let policy = HeaderValue::try_from(self.policy).ok();
        let headers = [
            (header::CONTENT_TYPE, Some(self.content_type)),
            (
                header::CACHE_CONTROL,
                Some(HeaderValue::from_static("no-store")),
            ),
            (
                header::X_CONTENT_TYPE_OPTIONS,
                Some(HeaderValue::from_static("nosniff")),
            ),
            (header::CONTENT_SECURITY_POLICY, policy),
            (header::LOCATION, self.location),
            (header::CONTENT_LANGUAGE, language),
        ];
        let headers = headers
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        response
            .headers_mut()
            .extend(headers.collect::<HeaderMap>());
        response
    }

    /// Converts to an uncached response, compressed as its request prefers.
    pub(crate) async fn into_compressed(mut self, request: &HeaderMap) -> Response<Body> {
        let plain = Bytes::from(mem::take(&mut self.body));
        let packed = compression::once(&plain, request).await;
        let mut response = self.into_response();
        *response.body_mut() = match packed {
            Some(packed) => {
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_ENCODING, packed.coding);
                packed.bytes.into()
            }
            None => plain.into(),
        };
        response
    }
}
