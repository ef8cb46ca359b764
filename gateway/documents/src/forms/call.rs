//! The validated API call of a form. It cannot leave the API or set headers that identify the client.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header, uri::PathAndQuery,
};
use bytes::Bytes;
use gateway_contract::is_reserved;

use crate::{
    language::{self, Language},
    publish::contract,
    registry::part::Part,
    render::{
        data::DataResult,
        engine::RenderError,
        message::{ActionRequest, Receipt},
    },
};

/// Maximum headers that an action may set, and maximum bytes of each value.
const HEADERS_MAX: usize = 8;
const HEADER_BYTES_MAX: usize = 512;
const BYTES: HeaderValue = HeaderValue::from_static("application/octet-stream");

/// A validated API call requested by a module.
#[derive(Debug)]
pub(super) struct ApiCall {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) receipt: Option<Receipt>,
}

impl ApiCall {
    /// Validates the request of `part` against its contract version. `file` is that of the form, with its field's name.
    pub(super) fn new(
        part: &Part,
        request: ActionRequest,
        file: Option<(&str, Bytes)>,
    ) -> Result<Self, RenderError> {
        let version = part.contract();
        let method = method(&request.method, version)?;
        let path = request
            .path
            .parse::<PathAndQuery>()
            .map_err(|_| refused("path is malformed"))?;
        if !path.path().starts_with('/') || path.path().split('/').any(|piece| piece == "..") {
            return Err(refused("path is not an API path"));
        }
        let mut headers = own_headers(&method);
        if version >= contract::SECOND {
            let asked = request.headers.unwrap_or_default();
            if asked.len() > HEADERS_MAX {
                return Err(refused("too many headers"));
            }
            for (name, value) in asked {
                let (name, value) = header(&name, &value)?;
                headers.insert(name, value);
            }
        }
        let body = match (request.file, request.body, file) {
            (None, body, _) => body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string())),
            // A form whose file is missing: the API names it.
            (Some(_), None, None) => Bytes::new(),
            (Some(wanted), None, Some((name, file))) if wanted == name => {
                headers.insert(header::CONTENT_TYPE, BYTES);
                file
            }
            (Some(_), _, _) => return Err(refused("file is not the page's, or beside a body")),
        };
        Ok(Self {
            method,
            path: path.to_string(),
            headers,
            body,
            receipt: request.receipt.filter(|_| version >= contract::SECOND),
        })
    }
}

impl ApiCall {
    /// Names the language of the page: a read by its query, a write by its `Accept-Language`.
    pub(super) fn in_language(mut self, language: Language) -> Self {
        if language == Language::English {
            return self;
        }
        if self.method == Method::GET {
            self.path = language::read(language, self.path);
        } else {
            self.headers
                .insert(header::ACCEPT_LANGUAGE, language.header());
        }
        self
    }
}

fn refused(what: &str) -> RenderError {
    RenderError::BadAnswer(format!("the action's {what}"))
}

fn method(name: &str, version: u32) -> Result<Method, RenderError> {
    match name {
        "GET" => Ok(Method::GET),
        "POST" => Ok(Method::POST),
        "PUT" if version >= contract::SECOND => Ok(Method::PUT),
        "PATCH" if version >= contract::SECOND => Ok(Method::PATCH),
        "DELETE" if version >= contract::SECOND => Ok(Method::DELETE),
        _ => Err(refused("method is not allowed in forms")),
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), RenderError> {
    let name = HeaderName::try_from(name).map_err(|_| refused("header has an invalid name"))?;
    let is_own = name.as_str().starts_with("x-") && !is_reserved(name.as_str());
    let is_offered = name == header::IF_MATCH || is_own;
    if !is_offered {
        return Err(refused("header is not allowed in forms"));
    }
    if value.len() > HEADER_BYTES_MAX {
        return Err(refused("header is too long"));
    }
    let mut value =
        HeaderValue::try_from(value).map_err(|_| refused("header has an invalid value"))?;
    // The value may be a person's secret.
    value.set_sensitive(true);
    Ok((name, value))
}

fn own_headers(method: &Method) -> HeaderMap {
    const JSON: HeaderValue = HeaderValue::from_static("application/json");
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(header::ACCEPT, JSON);
    if !method.is_safe() {
        headers.insert(header::CONTENT_TYPE, JSON);
        headers.insert(
            HeaderName::from_static("x-requested-with"),
            HeaderValue::from_static("form"),
        );
    }
    headers
}

/// The API's answer to a form.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) response: Response<Bytes>,
    pub(super) result: DataResult,
}

impl From<Response<Bytes>> for Outcome {
    fn from(response: Response<Bytes>) -> Self {
        Self {
            result: DataResult::from_response(&response),
            response,
        }
    }
}

/// Outcome of a form.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) outcome: Outcome,
    /// Whether an API call was made.
    pub(super) was_called: bool,
    /// Whether the call may have changed something.
    pub(super) is_write: bool,
    pub(super) receipt: Option<Receipt>,
    /// Whether the response belongs to an earlier submission, possibly by another person.
    pub(super) is_foreign: bool,
    /// Notice shown before the page's parts, which may not know why there is no answer.
    pub(super) notice: Option<&'static str>,
}

impl Sent {
    /// Returns the outcome of a form without an API call. `outcome` holds the reason.
    pub(super) fn nothing(outcome: Outcome) -> Self {
        Self {
            outcome,
            was_called: false,
            is_write: false,
            receipt: None,
            is_foreign: false,
            notice: None,
        }
    }
}

impl Outcome {
    /// Returns an empty success for a form that requests no call.
    pub(super) fn empty() -> Self {
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = StatusCode::NO_CONTENT;
        response.into()
    }

    pub(super) fn is_success(&self) -> bool {
        self.response.status().is_success()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_only_harmless_headers() {
        for good in ["If-Match", "x-appointment-secret", "X-Anything"] {
            assert!(header(good, "\"1\"").is_ok(), "{good}");
        }
        for bad in [
            "authorization",
            "cookie",
            "host",
            "idempotency-key",
            "x-forwarded-for",
            "X-Forwarded-Host",
            "x-real-ip",
            "x-client-id",
            "x-requested-with",
            "x y",
        ] {
            assert!(header(bad, "1").is_err(), "{bad}");
        }
        assert!(header("x-a", &"v".repeat(HEADER_BYTES_MAX)).is_ok());
        assert!(header("x-a", &"v".repeat(HEADER_BYTES_MAX + 1)).is_err());
        assert!(header("x-a", "a\r\nb").is_err());
    }

    #[test]
    fn first_version_allows_reads_and_creates() {
        for name in ["PUT", "PATCH", "DELETE"] {
            assert!(method(name, 1).is_err() && method(name, 2).is_ok());
        }
        for name in ["TRACE", "get", ""] {
            assert!(method(name, 2).is_err(), "{name}");
        }
    }
}
