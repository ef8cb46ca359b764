//! REST to gRPC: routes are read from `google.api.http` annotations when the process starts.

use std::time::Duration;

use axum::http::{HeaderMap, Method, Response, StatusCode};
use bytes::Bytes;

/// The API as other parts of this process call it: same routes, cache, deadline and trace as over the network, but
/// not counted against any visitor's rate and without the checks that protect browsers from foreign sites.
#[derive(Clone, Debug)]
pub struct LocalApi {}

impl LocalApi {
    /// Calls `path_and_query` (below `/api`, for example `/departments?pageSize=5`) and gives up after `remaining`.
    ///
    /// Never fails: every error is a response of type `application/problem+json`.
    pub async fn call(
        &self,
        _method: Method,
        _path_and_query: &str,
        _headers: HeaderMap,
        _body: Bytes,
        _remaining: Duration,
    ) -> Response<Bytes> {
        std::future::ready(()).await;
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response
    }
}
