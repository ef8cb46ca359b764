//! Fetches the data that modules declare, through this process's own API.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use bytes::Bytes;
use futures::future::join_all;
use gateway_api::LocalApi;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, json};

use crate::registry::location;

/// Result of an API call in the form that modules receive: `{"ok":true,"status":200,"body":…}`.
#[derive(Clone, Debug)]
pub(crate) struct DataResult {
    /// JSON text. It is inserted verbatim into the render input and the page.
    pub(crate) json: String,
    /// Whether the API failed in a way that a retry may fix. A missing or rejected resource is not a failure.
    pub(crate) is_failure: bool,
    /// The page that a resource's former page leads to.
    pub(crate) moved: Option<HeaderValue>,
}

/// Fields of a problem that give the new location of a moved page.
#[derive(Deserialize)]
struct Problem {
    reason: String,
    metadata: HashMap<String, String>,
}

impl DataResult {
    /// Wraps data of this process.
    pub(crate) fn found(body: &Value) -> Self {
        Self {
            json: json!({"ok": true, "status": 200, "body": body}).to_string(),
            is_failure: false,
            moved: None,
        }
    }

    /// Converts an API response.
    pub(crate) fn from_response(response: &Response<Bytes>) -> Self {
        // The API redirects `/events/` to `/events`. In a page's declared data, `/events/` is an event with an empty
        // id, so it counts as not found.
        let status = match response.status() {
            StatusCode::PERMANENT_REDIRECT => StatusCode::NOT_FOUND,
            status => status,
        };
        let body = std::str::from_utf8(response.body()).ok();
        let body = body.filter(|body| serde_json::from_str::<IgnoredAny>(body).is_ok());
        let is_ok = status.is_success() && (body.is_some() || status == StatusCode::NO_CONTENT);
        let json = format!(
            r#"{{"ok":{is_ok},"status":{},"body":{}}}"#,
            status.as_u16(),
            body.unwrap_or("null")
        );
        let is_answer = matches!(
            status,
            StatusCode::BAD_REQUEST
                // A page of staff may declare data for which the person lacks the scope.
                | StatusCode::FORBIDDEN
                | StatusCode::NOT_FOUND
                | StatusCode::GONE
                | StatusCode::UNPROCESSABLE_ENTITY
        );
        let moved = body.filter(|_| status == StatusCode::NOT_FOUND);
        Self {
            json,
            is_failure: !is_ok && !is_answer,
            moved: moved.and_then(moved_to),
        }
    }
}

/// Returns where the resource of a 404 has moved to, if that is a page of this site.
fn moved_to(body: &str) -> Option<HeaderValue> {
    let problem: Problem = serde_json::from_str(body).ok()?;
    let location = problem.metadata.get("location")?;
    location::on_this_site(location).filter(|_| problem.reason == "MOVED")
}

/// Results by API path.
pub(crate) type Answers = HashMap<String, DataResult>;

/// Reads all `paths` concurrently. Each read times out after `time_max`.
pub(crate) async fn fetch(api: &LocalApi, paths: BTreeSet<String>, time_max: Duration) -> Answers {
    let calls = paths.into_iter().map(|path| async move {
        let headers =
            HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static("application/json"))]);
        let response = api
            .call(Method::GET, &path, headers, Bytes::new(), None, time_max)
            .await;
        let result = DataResult::from_response(&response);
        if result.is_failure {
            // Path and query may contain a visitor's search words, or name a patient's appointment.
            tracing::warn!(
                route = &*api.read_route(&path),
                status = response.status().as_u16(),
                "page data is not available"
            );
        }
        (path, result)
    });
    join_all(calls).await.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(status: StatusCode, body: &'static str) -> DataResult {
        let mut response = Response::new(Bytes::from_static(body.as_bytes()));
        *response.status_mut() = status;
        DataResult::from_response(&response)
    }

    #[test]
    fn distinguishes_answers_from_failures() {
        let found = result(StatusCode::OK, r#"{"b":1,"a":2}"#);
        assert_eq!(
            found.json,
            r#"{"ok":true,"status":200,"body":{"b":1,"a":2}}"#
        );
        assert!(!found.is_failure);
        assert!(!result(StatusCode::NOT_FOUND, "{}").is_failure);
        assert_eq!(result(StatusCode::NOT_FOUND, "{}").moved, None);
        let unnamed = result(StatusCode::PERMANENT_REDIRECT, "");
        assert_eq!(unnamed.json, r#"{"ok":false,"status":404,"body":null}"#);
        assert!(!unnamed.is_failure);
        assert!(result(StatusCode::SERVICE_UNAVAILABLE, "{}").is_failure);
        assert!(result(StatusCode::TOO_MANY_REQUESTS, "{}").is_failure);
        let removed = result(StatusCode::NO_CONTENT, "");
        assert_eq!(removed.json, r#"{"ok":true,"status":204,"body":null}"#);
        assert!(!removed.is_failure);
        let broken = result(StatusCode::OK, "<html>");
        assert!(broken.is_failure);
        assert_eq!(broken.json, r#"{"ok":false,"status":200,"body":null}"#);
    }

    #[test]
    fn follows_moved_pages_on_this_site_only() {
        let to = |status, location: &str, reason: &str| {
            let body = json!({"reason": reason, "metadata": {"location": location}}).to_string();
            let mut response = Response::new(Bytes::from(body));
            *response.status_mut() = status;
            DataResult::from_response(&response).moved
        };
        let there = Some(HeaderValue::from_static("/doctors"));
        assert_eq!(to(StatusCode::NOT_FOUND, "/doctors", "MOVED"), there);
        assert_eq!(to(StatusCode::NOT_FOUND, "/doctors", "NOT_FOUND"), None);
        assert_eq!(to(StatusCode::OK, "/doctors", "MOVED"), None);
        for elsewhere in ["//evil.example", "https://evil.example", "", "/\\evil"] {
            assert_eq!(to(StatusCode::NOT_FOUND, elsewhere, "MOVED"), None);
        }
    }
}
