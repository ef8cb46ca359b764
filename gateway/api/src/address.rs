//! Addresses that are not operations: answers OPTIONS, and redirects misspelled paths.

use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use bytes::Bytes;
use gateway_http::problem::Problem;

use super::{Api, Call, Endpoint, PATH_BYTES_MAX, description::Description};

/// Browsers may cache a redirect for one day (86,400 s). The next contract may offer something at the old address.
const MOVED_LIFETIME: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const READS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");

impl Api {
    /// Returns the endpoint of a description.
    pub(super) fn described(method: &Method, described: Description) -> Endpoint {
        match *method {
            Method::GET | Method::HEAD => Endpoint::Description(described),
            Method::OPTIONS => Endpoint::Options(READS),
            _ => Endpoint::Nothing(Problem::method_not_allowed(&READS)),
        }
    }

    /// Returns the endpoint of a method and a path for which no operation was found.
    pub(super) fn other(&self, method: &Method, path: &str, refusal: Problem) -> Endpoint {
        if path.len() > PATH_BYTES_MAX {
            return Endpoint::Nothing(refusal);
        }
        match *method {
            Method::OPTIONS => match self.routes.allowed(path) {
                Some(allow) => Endpoint::Options(allow),
                None => Endpoint::Nothing(refusal),
            },
            Method::GET | Method::HEAD => {
                let meant = self.routes.respelled(path);
                match meant.or_else(|| Description::respelled(path)) {
                    Some(meant) => Endpoint::Moved(meant),
                    None => Endpoint::Nothing(refusal),
                }
            }
            _ => Endpoint::Nothing(refusal),
        }
    }
}

/// Answers OPTIONS with the allowed methods.
pub(super) fn options(allow: HeaderValue) -> Response<Bytes> {
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::ALLOW, allow);
    response
}

/// Redirects to the same address in the contract's spelling, with its query.
///
/// # Errors
/// 404 if the address is not valid in a header.
pub(super) fn moved(meant: &str, call: &Call<'_>) -> Result<Response<Bytes>, Problem> {
    let query = call.query.map(|query| format!("?{query}"));
    let location = format!("{}{meant}{}", call.mount, query.unwrap_or_default());
    let location = HeaderValue::try_from(location).map_err(|_| Problem::not_found())?;
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, location);
    headers.insert(header::CACHE_CONTROL, MOVED_LIFETIME);
    Ok(response)
}
