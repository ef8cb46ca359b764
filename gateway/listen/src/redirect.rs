//! Redirects clear-text HTTP requests to the site's origin.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    body::Body,
    http::{HeaderValue, Request, Response, StatusCode, header},
};
use gateway_http::problem::Problem;

use super::exchange::Handler;

/// Redirects to one origin.
#[derive(Debug)]
pub struct Redirect {
    origin: String,
}

impl Redirect {
    /// `origin` must not end with a slash.
    pub fn new(origin: String) -> Self {
        Self { origin }
    }

    fn location(&self, request: &Request<Body>) -> Option<HeaderValue> {
        let path = request.uri().path_and_query()?.as_str();
        HeaderValue::try_from(format!("{}{path}", self.origin)).ok()
    }
}

impl Handler for Redirect {
    async fn answer(self: Arc<Self>, request: Request<Body>, _: SocketAddr) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        match self.location(&request) {
            Some(location) => {
                *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
                response.headers_mut().insert(header::LOCATION, location);
            }
            None => *response.status_mut() = StatusCode::BAD_REQUEST,
        }
        response
    }

    fn refuse(&self, problem: Problem) -> Response<Body> {
        problem.into_response().map(Body::from)
    }
}
