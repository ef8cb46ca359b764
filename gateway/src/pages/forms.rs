//! Native form posts: how a form is sent when there is no script.
//!
//! The page's own module says which API call a form means; the call goes through this process's API like any other.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header,
        request::Parts,
        uri::{Authority, PathAndQuery},
    },
};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::{
    DocumentRoute, Pages, builtin,
    compose::Action,
    data::DataResult,
    engine::RenderError,
    find,
    message::{self, ActionAnswer, ActionRequest, Visit},
    method_not_allowed,
    part::{Part, Slot},
    registry::{Page, Registry},
    show, task,
    template::Values,
};
use crate::middleware::{RefusedForm, same_site, trace};

const BODY_BYTES_MAX: usize = 64 * 1024;
const FIELDS_MAX: usize = 100;
/// Time for a phone on a poor network to send its few kilobytes.
const READ_TIME_MAX: Duration = Duration::from_secs(8);
/// For the API call that the form means; documents promise an answer within 5 s.
const CALL_TIME_MAX: Duration = Duration::from_millis(4_500);
const FORM: &str = "application/x-www-form-urlencoded";
/// Length of an idempotency key that a form carries.
const KEY_BYTES_MAX: usize = 128;
const REQUEST_ID: &str = "requestId";

/// Answers a POST to a page.
pub(super) async fn answer(
    pages: &Arc<Pages>,
    registry: &Arc<Registry>,
    parts: &Parts,
    body: Body,
) -> Response<Body> {
    let refuse =
        |status: u16| builtin::document(status, &pages.composer.emergency_phone).into_response();
    let query = parts.uri.query().unwrap_or_default();
    let found = find(registry, parts.uri.path(), query);
    let Some((page, visit)) = found else {
        return refuse(404);
    };
    let (true, Some(Slot::Known(part))) = (page.action, page.slots.first()) else {
        return method_not_allowed(pages, "GET, HEAD");
    };
    if !same_site::allowed(&parts.headers, parts.uri.authority().map(Authority::as_str)) {
        return refuse(403);
    }
    let form = match read_form(&parts.headers, body).await {
        Ok(form) => form,
        Err(status) => return refuse(status),
    };
    let refused = parts.extensions.get::<RefusedForm>().cloned();
    let (page, part, route) = (Arc::clone(page), part.clone(), Arc::clone(&page.route));
    let (pages_of_task, registry) = (Arc::clone(pages), Arc::clone(registry));
    let work = async move {
        let outcome = match refused {
            Some(RefusedForm(problem)) => Outcome::from(problem.into_response()),
            None => call(&pages_of_task, &page, &part, &form).await,
        };
        perform(&pages_of_task, &registry, &page, &visit, &form, outcome).await
    };
    let mut response = task::spawn(work, trace::current())
        .await
        .unwrap_or_else(|_| refuse(500));
    response.extensions_mut().insert(DocumentRoute(route));
    response
}

async fn perform(
    pages: &Pages,
    registry: &Registry,
    page: &Page,
    visit: &Visit,
    form: &Values,
    outcome: Outcome,
) -> Response<Body> {
    let action = Action::new(&message::map(form), &outcome.result);
    let mut composed = pages
        .composer
        .compose(registry, page, visit, Some(&action))
        .await;
    if composed.status == 200 && !outcome.status.is_success() {
        composed.status = outcome.status.as_u16();
    }
    let mut response = composed.into_response();
    if let Some(seconds) = outcome.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// The API's answer to the form.
struct Outcome {
    status: StatusCode,
    result: DataResult,
    retry_after: Option<HeaderValue>,
}

impl From<Response<Bytes>> for Outcome {
    fn from(response: Response<Bytes>) -> Self {
        Self {
            status: response.status(),
            result: DataResult::from_response(&response),
            retry_after: response.headers().get(header::RETRY_AFTER).cloned(),
        }
    }
}

async fn call(pages: &Pages, page: &Page, part: &Part, form: &Values) -> Outcome {
    match translate(pages, part, form)
        .await
        .and_then(ApiCall::try_from)
    {
        Ok(call) => {
            let mut headers = call.headers();
            headers.insert("idempotency-key", idempotency_key(page, form));
            let api = &pages.composer.api;
            api.call(call.method, &call.path, headers, call.body, CALL_TIME_MAX)
                .await
                .into()
        }
        Err(error) => {
            show::report(
                &part.label(),
                &part.remote.version,
                &error.without_details(),
            );
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            response.into()
        }
    }
}

async fn translate(
    pages: &Pages,
    part: &Part,
    form: &Values,
) -> Result<ActionRequest, RenderError> {
    let composer = &pages.composer;
    let input = message::action_input(&part.module, form, &composer.now());
    let output = composer
        .call(&part.remote.program, &part.label(), input)
        .await?;
    message::parse::<ActionAnswer>(&output).map(|answer| answer.request)
}

/// A checked API call that a module asked for: it cannot leave the API.
struct ApiCall {
    method: Method,
    path: String,
    body: Bytes,
}

impl TryFrom<ActionRequest> for ApiCall {
    type Error = RenderError;

    fn try_from(request: ActionRequest) -> Result<Self, RenderError> {
        let refused = |what: &str| RenderError::BadAnswer(format!("the action's {what}"));
        let method = match request.method.as_str() {
            "POST" => Method::POST,
            "GET" => Method::GET,
            _ => return Err(refused("method is neither GET nor POST")),
        };
        let path = request
            .path
            .parse::<PathAndQuery>()
            .map_err(|_| refused("path is malformed"))?;
        if !path.path().starts_with('/') || path.path().split('/').any(|piece| piece == "..") {
            return Err(refused("path is not an API path"));
        }
        let body = request
            .body
            .map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        Ok(Self {
            method,
            path: path.to_string(),
            body,
        })
    }
}

impl ApiCall {
    fn headers(&self) -> HeaderMap {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::with_capacity(4);
        headers.insert(header::ACCEPT, JSON);
        if self.method == Method::POST {
            headers.insert(header::CONTENT_TYPE, JSON);
            headers.insert(
                HeaderName::from_static("x-requested-with"),
                HeaderValue::from_static("form"),
            );
        }
        headers
    }
}

/// The idempotency key that the form carries, else a hash of its fields, so that the same form sent twice is one create.
fn idempotency_key(page: &Page, form: &Values) -> HeaderValue {
    let brought = form
        .get(REQUEST_ID)
        .filter(|key| !key.is_empty() && key.len() <= KEY_BYTES_MAX);
    if let Some(key) = brought.and_then(|key| HeaderValue::try_from(key).ok()) {
        return key;
    }
    let mut hash = Sha256::new_with_prefix(page.route.as_bytes());
    for (name, value) in form.iter().filter(|(name, _)| *name != REQUEST_ID) {
        // Lengths keep `ab`+`c` apart from `a`+`bc`.
        hash.update(format!("\n{}:{name}={}:{value}", name.len(), value.len()));
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    HeaderValue::try_from(hex).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The fields of a form; of several with one name the last counts. The error is an HTTP status.
async fn read_form(headers: &HeaderMap, body: Body) -> Result<Values, u16> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case(FORM) {
        return Err(415);
    }
    let bytes = match tokio::time::timeout(READ_TIME_MAX, to_bytes(body, BODY_BYTES_MAX)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(413),
        Err(_) => return Err(408),
    };
    let fields: Vec<(String, String)> =
        serde_urlencoded::from_bytes(&bytes).map_err(|_| 400_u16)?;
    if fields.len() > FIELDS_MAX {
        return Err(400);
    }
    Ok(fields.into_iter().collect())
}
