//! Removes the site's service worker from visitors' browsers.

use axum::{
    body::Body,
    http::{HeaderValue, Response, header},
};

use crate::publish::statics::JAVASCRIPT;

/// Path of the shell's service worker. Browsers check it for a new version at each visit.
pub(crate) const PATH: &str = "/sw.js";

/// Deletes the pages that the shell's worker stored and removes the registration. Keeps the visitor's booking pass.
const RETIRED: &str = include_str!("retired-worker.js");

/// Returns the worker that removes itself.
pub(crate) fn retire() -> Response<Body> {
    let mut response = Response::new(Body::from(RETIRED));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JAVASCRIPT));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
