//! Native form posts: how a form is sent when there is no script.
//!
//! The part of the page that takes the form says which API call it means; the call goes through this process's API like any
//! other.

mod call;
mod fields;

use std::{fmt::Write as _, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header, request::Parts, uri::Authority},
};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use self::{
    call::{ApiCall, Outcome},
    fields::Form,
};
use super::{
    DocumentRoute, Pages, builtin,
    compose::Action,
    engine::RenderError,
    find,
    message::{self, ActionAnswer, ActionRequest, Visit},
    method_not_allowed,
    part::{Part, Position},
    registry::{Page, Registry},
    render::Lane,
    show, task,
};
use crate::middleware::{RefusedForm, same_site, trace};

/// Time for a phone on a poor network to send its few kilobytes.
const READ_TIME_MAX: Duration = Duration::from_secs(8);
/// For the API call that the form means; documents promise an answer within 5 s.
const CALL_TIME_MAX: Duration = Duration::from_millis(4_500);
/// Length of an idempotency key that a form carries.
const KEY_BYTES_MAX: usize = 128;
const REQUEST_ID: &str = "requestId";

/// A form on its way: where it was sent and what takes it.
struct Post {
    pages: Arc<Pages>,
    registry: Arc<Registry>,
    page: Arc<Page>,
    visit: Visit,
    form: Form,
    part: Part,
    position: Position,
}

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
    let Some((page, visit)) = find(registry, parts.uri.path(), query) else {
        return refuse(404);
    };
    if !page.takes_posts() {
        return method_not_allowed(pages, "GET, HEAD");
    }
    if !same_site::allowed(&parts.headers, parts.uri.authority().map(Authority::as_str)) {
        return refuse(403);
    }
    let read = Form::read(&parts.headers, body);
    let form = match tokio::time::timeout(READ_TIME_MAX, read).await {
        Ok(Ok(form)) => form,
        Ok(Err(status)) => return refuse(status),
        Err(_) => return refuse(408),
    };
    let Some((position, part)) = page.taker(form.part.as_deref()) else {
        return refuse(400);
    };
    let refused = parts.extensions.get::<RefusedForm>().cloned();
    let route = Arc::clone(&page.route);
    let post = Post {
        pages: Arc::clone(pages),
        registry: Arc::clone(registry),
        page: Arc::clone(page),
        visit,
        form,
        part: part.clone(),
        position,
    };
    let work = async move {
        let outcome = match refused {
            Some(RefusedForm(problem)) => Outcome::from(problem.into_response()),
            None => post.call().await,
        };
        post.show(&outcome).await
    };
    let mut response = task::spawn(work, trace::current())
        .await
        .unwrap_or_else(|_| refuse(500));
    response.extensions_mut().insert(DocumentRoute(route));
    response
}

impl Post {
    /// The page with the outcome in the part that took the form.
    async fn show(&self, outcome: &Outcome) -> Response<Body> {
        let form = self.form.json(self.part.contract());
        let action = Action::new(self.position, &form, &outcome.result);
        let composer = &self.pages.composer;
        let mut composed = composer
            .compose(&self.registry, &self.page, &self.visit, Some(&action))
            .await;
        if composed.status == 200 && !outcome.is_success() {
            composed.status = outcome.response.status().as_u16();
        }
        let mut response = composed.into_response();
        if let Some(seconds) = outcome.response.headers().get(header::RETRY_AFTER) {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, seconds.clone());
        }
        response
    }

    /// The call that the form means, and its answer.
    async fn call(&self) -> Outcome {
        let call = match self.translate().await {
            Ok(call) => call,
            Err(error) => {
                let (label, version) = (self.part.label(), &self.part.remote.version);
                show::report(&label, version, &error.without_details());
                let mut response = Response::new(Bytes::new());
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                return response.into();
            }
        };
        let ApiCall {
            method,
            path,
            mut headers,
            body,
        } = call;
        headers.insert("idempotency-key", self.idempotency_key());
        let api = &self.pages.composer.api;
        api.call(method, &path, headers, body, CALL_TIME_MAX)
            .await
            .into()
    }

    async fn translate(&self) -> Result<ApiCall, RenderError> {
        let (composer, part) = (&self.pages.composer, &self.part);
        let form = self.form.json(part.contract());
        let input = message::action_input(&part.module, &form, &composer.now());
        let program = &part.remote.program;
        let output = composer
            .call(program, &part.label(), input, Lane::Forms)
            .await?;
        let request: ActionRequest = message::parse::<ActionAnswer>(&output)?.request;
        ApiCall::new(part, request)
    }

    /// The idempotency key that the form carries, else a hash of its fields, so that the same form sent twice is one create.
    fn idempotency_key(&self) -> HeaderValue {
        let brought = self.form.last(REQUEST_ID);
        let brought = brought.filter(|key| !key.is_empty() && key.len() <= KEY_BYTES_MAX);
        if let Some(key) = brought.and_then(|key| HeaderValue::try_from(key).ok()) {
            return key;
        }
        let mut hash = Sha256::new_with_prefix(self.page.route.as_bytes());
        for (name, value) in self.form.sorted() {
            if name != REQUEST_ID {
                // Lengths keep `ab`+`c` apart from `a`+`bc`.
                hash.update(format!("\n{}:{name}={}:{value}", name.len(), value.len()));
            }
        }
        let mut hex = String::with_capacity(64);
        for byte in hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        HeaderValue::try_from(hex).unwrap_or_else(|_| HeaderValue::from_static(""))
    }
}
