//! Native form posts: how forms are sent without JavaScript.
//!
//! The part of the page that accepts the form translates it into an API call. The call passes through this process's
//! API like any other.

mod call;
mod fields;
mod multipart;
mod receipt;
mod replay;
mod target;

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header, request::Parts, uri::PathAndQuery},
};
use bytes::Bytes;
use futures::FutureExt as _;
use gateway_api::IDEMPOTENT_REPLAYED;
use gateway_http::{
    problem::Problem,
    request::{client_address::ClientNetwork, task, trace},
};

use self::{
    call::{ApiCall, Outcome, Sent},
    fields::Form,
    multipart::FileRule,
    replay::{First, REQUEST_ID, SenderRecord},
};
use super::{
    language::Language,
    metrics,
    publish::contract,
    registry::{
        Page, Registry,
        part::{Part, Position},
    },
    release::live::Live,
    render::{
        builtin,
        compose::Action,
        engine::RenderError,
        message::{self, ActionAnswer, Visit},
        pool::{self, Lane},
        show,
    },
    serve::views::DocumentRoute,
    texts::text,
};

/// Maximum time to receive a form. A phone on a poor network needs this for a few kilobytes.
pub const READ_TIME_MAX: Duration = Duration::from_secs(8);
/// Maximum time to receive a form with a file. 20 MiB take 60 s at 2.8 Mbit/s.
pub const FILE_READ_TIME_MAX: Duration = Duration::from_mins(1);
/// Maximum time of the API call of a form with a file; the longest deadline of a contract, and some more.
const FILE_CALL_TIME_MAX: Duration = Duration::from_millis(8_500);
/// Time that a form with a file has in addition to [`FORM_TIME_MAX`].
pub const FILE_TIME_MAX: Duration = FILE_READ_TIME_MAX.saturating_add(FILE_CALL_TIME_MAX);
/// Maximum time of the form's API call. Documents promise a response within 5 s.
const CALL_TIME_MAX: Duration = Duration::from_millis(4_500);
/// Maximum time of the page that shows the outcome: its data, its wait in the render queue and its renders.
const SHOW_TIME_MAX: Duration = Duration::from_secs(4);
/// Total time limit of a form. A shorter limit would cut off the response to a call that has succeeded.
pub const FORM_TIME_MAX: Duration = READ_TIME_MAX
    .saturating_add(pool::ANSWER_TIME_MAX)
    .saturating_add(CALL_TIME_MAX)
    .saturating_add(SHOW_TIME_MAX)
    .saturating_add(Duration::from_millis(500));
/// Notice shown before the page when the form could not be translated into a call.
const NOT_SENT: &str = "Nothing was sent. Please send the form again in a moment.";
/// Maximum length of an idempotency key carried by a form, in bytes.
const KEY_BYTES_MAX: usize = 128;

/// A form in progress, with its address and the part that accepts it.
#[derive(Debug)]
pub struct Post {
    live: Arc<Live>,
    forms: Arc<Forms>,
    registry: Arc<Registry>,
    page: Arc<Page>,
    visit: Visit,
    /// Path and query of the form post.
    address: String,
    form: Form,
    part: Part,
    position: Position,
    /// Network of the sender, derived from the client address.
    network: Option<ClientNetwork>,
}

pub use self::fields::is_multipart;
pub use self::target::FormTarget;
pub(crate) use self::{replay::Forms, target::target};

/// Returns path and query of a request.
fn address(parts: &Parts) -> String {
    let address = parts.uri.path_and_query();
    address.map_or("/", PathAndQuery::as_str).to_owned()
}

/// Returns a built-in page with the fields of a form that was sent without a sign-in, or an error page with status 400
/// or 415. No page is looked up.
pub(crate) async fn keep_input(
    parts: &Parts,
    body: Bytes,
    problem: &Problem,
    emergency_phone: &str,
) -> Response<Body> {
    match Form::read(&parts.headers, body).await {
        Ok(form) => kept(parts, &form, problem, emergency_phone),
        Err(status) => of_staff(status, emergency_phone),
    }
}

/// As [`keep_input`], of a form with a file that has not arrived. The file is dropped.
pub(crate) async fn keep_text(
    parts: &Parts,
    body: Body,
    problem: &Problem,
    emergency_phone: &str,
) -> Response<Body> {
    match Form::receive(&parts.headers, body, FileRule::Dropped).await {
        Ok(form) => kept(parts, &form, problem, emergency_phone),
        Err(status) => of_staff(status, emergency_phone),
    }
}

fn kept(parts: &Parts, form: &Form, problem: &Problem, emergency_phone: &str) -> Response<Body> {
    let language = Language::English;
    receipt::return_input(language, problem, form, &address(parts), emergency_phone)
}

fn of_staff(status: u16, emergency_phone: &str) -> Response<Body> {
    builtin::document(Language::English, status, emergency_phone).into_response()
}

impl Post {
    /// Makes the form's API call and shows its outcome. With `refused`, makes no call and shows that problem. Returns the
    /// input if the page is not for this member of staff.
    ///
    /// Continues after the client disconnects, because a write must not stop halfway.
    pub async fn answer(self, refused: Option<Problem>) -> Response<Body> {
        if let Some(problem) = self.no_access() {
            return self.return_input(&problem);
        }
        let refused = refused.or_else(|| self.form.file_problem(self.page.file.as_deref()));
        let route = Arc::clone(&self.page.route);
        let (live, language) = (Arc::clone(&self.live), self.visit.language);
        let work = async move {
            let sent = match refused {
                Some(problem) => Sent::nothing(problem.into_response().into()),
                None => self.send().await,
            };
            self.show(&sent).await
        };
        let done = task::spawn(work, trace::current()).await;
        let mut response = done.unwrap_or_else(|_| {
            builtin::document(language, 500, &live.composer.emergency_phone.get()).into_response()
        });
        response.extensions_mut().insert(DocumentRoute(route));
        response
    }

    /// Returns the refusal of a form to a page that its sender may not see.
    fn no_access(&self) -> Option<Problem> {
        let (access, staff) = (self.page.access.as_ref()?, self.visit.staff.as_ref());
        let is_allowed = staff.is_some_and(|staff| access.allows(&staff.person.scopes));
        let detail = format!(
            "Your account doesn't have access to \u{201c}{}\u{201d}.",
            access.label
        );
        (!is_allowed).then(|| Problem::new(StatusCode::FORBIDDEN, "SCOPE_MISSING", detail))
    }

    /// Returns a built-in page with the reason for the rejection, the submitted fields and a button to send them again.
    /// It needs no render, so an overloaded gateway can still send it.
    pub fn return_input(&self, problem: &Problem) -> Response<Body> {
        let emergency_phone = &self.live.composer.emergency_phone.get();
        let mut response = receipt::return_input(
            self.visit.language,
            problem,
            &self.form,
            &self.address,
            emergency_phone,
        );
        response
            .extensions_mut()
            .insert(DocumentRoute(Arc::clone(&self.page.route)));
        response
    }

    /// Shows the outcome in the part that accepted the form. If that part cannot be rendered, a built-in page shows the
    /// outcome.
    async fn show(&self, sent: &Sent) -> Response<Body> {
        let (outcome, composer) = (&sent.outcome, &self.live.composer);
        let language = self.visit.language;
        let (back, phone) = (&self.visit.address(), &composer.emergency_phone.get());
        if sent.is_foreign {
            return receipt::received_already(language, back, phone).into_response();
        }
        let form = self.form.json(self.part.contract());
        let action = Action::new(self.position, &form, &outcome.result, sent.notice);
        let work = composer.compose(&self.registry, &self.page, &self.visit, Some(&action));
        // Panics are caught too: the call has been made, and the sender must see its outcome.
        let contained = AssertUnwindSafe(work).catch_unwind();
        let shown = tokio::time::timeout(SHOW_TIME_MAX, contained).await;
        let needs_receipt = !sent.was_called || sent.is_write || sent.receipt.is_some();
        let mut page = match shown.ok().and_then(Result::ok) {
            Some(page) if page.is_answered || !needs_receipt => page,
            None if !needs_receipt => builtin::document(language, 503, phone),
            _ => {
                metrics::get().receipts.inc();
                receipt::page(language, sent, back, phone)
            }
        };
        if page.status == 200 && !outcome.is_success() {
            page.status = outcome.response.status().as_u16();
        }
        let mut response = page.into_response();
        if let Some(seconds) = outcome.response.headers().get(header::RETRY_AFTER) {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, seconds.clone());
        }
        response
    }

    /// Makes the form's API call.
    async fn send(&self) -> Sent {
        let call = match self.translate().await {
            Ok(Some(call)) => call,
            Ok(None) => return Sent::nothing(Outcome::empty()),
            Err(error) => return self.not_sent(error),
        };
        let ApiCall {
            method,
            path,
            mut headers,
            body,
            receipt,
        } = call;
        let is_write = !method.is_safe();
        let (key, known) = self.idempotency_key().await;
        headers.insert("idempotency-key", key);
        let call_time_max = match self.form.file {
            Some(_) => FILE_CALL_TIME_MAX,
            None => CALL_TIME_MAX,
        };
        let started = Instant::now();
        let mut first = match known.as_ref().filter(|_| is_write) {
            // A double submit waits for the first call. Until that call is answered, the original sender is unknown.
            Some(known) => tokio::time::timeout(call_time_max, known.lock()).await.ok(),
            None => None,
        };
        let remaining = call_time_max.saturating_sub(started.elapsed());
        let api = self.live.composer.api_for(&self.visit);
        let call = api.call(method, &path, headers, body, self.network, remaining);
        let response = call.await;
        let is_replay = response.headers().contains_key(IDEMPOTENT_REPLAYED);
        let mut is_foreign = false;
        if known.is_some() && is_write && response.status().is_success() {
            if is_replay {
                let first = first.as_deref().copied().flatten();
                let now = Instant::now();
                // The key of a form by staff belongs to one person.
                is_foreign = self.visit.staff.is_none()
                    && !first.is_some_and(|first| first.may_see(self.network, now));
            } else if let Some(first) = first.as_deref_mut() {
                *first = Some(First::now(self.network));
            }
        }
        Sent {
            outcome: response.into(),
            was_called: true,
            is_write,
            receipt,
            is_foreign,
            notice: None,
        }
    }

    fn not_sent(&self, error: RenderError) -> Sent {
        let status = error.status();
        let (label, version) = (self.part.label(), &self.part.remote.version);
        show::count(&self.part.remote, Some(&error));
        show::report(&label, version, &error.without_details());
        let problem = Problem::new(status, "NOT_SENT", NOT_SENT);
        Sent {
            notice: Some(text(self.visit.language, NOT_SENT)),
            ..Sent::nothing(problem.into_response().into())
        }
    }

    /// Translates the form into an API call. `None` when the form only needs its page rendered again.
    async fn translate(&self) -> Result<Option<ApiCall>, RenderError> {
        let (composer, part) = (&self.live.composer, &self.part);
        let form = self.form.json(part.contract());
        let input = message::action_input(&part.module, &form, &self.visit, &composer.now());
        let program = &part.remote.program;
        let output = composer
            .call(program, &part.label(), input, Lane::Forms)
            .await?;
        match message::parse::<ActionAnswer>(&output)?.request {
            Some(request) => {
                let file = self.page.file.as_deref().zip(self.form.file.clone());
                let call = ApiCall::new(part, request, file);
                call.map(|call| Some(call.in_language(self.visit.language)))
            }
            None if part.contract() >= contract::SECOND => Ok(None),
            None => Err(RenderError::BadAnswer("no request".to_owned())),
        }
    }

    /// Returns the form's own idempotency key, otherwise a keyed hash of the form with the record of its first sender.
    async fn idempotency_key(&self) -> (HeaderValue, Option<SenderRecord>) {
        let brought = self.form.last(REQUEST_ID);
        let brought = brought.filter(|key| !key.is_empty() && key.len() <= KEY_BYTES_MAX);
        if let Some(key) = brought.and_then(|key| HeaderValue::try_from(key).ok()) {
            return (key, None);
        }
        let forms = &self.forms;
        let key = forms.idempotency_key(&self.page.route, &self.part.id, &self.visit, &self.form);
        let known = forms.known(&key).await;
        // Hexadecimal digits are a valid value.
        let value = HeaderValue::try_from(key).unwrap_or(HeaderValue::from_static(""));
        (value, Some(known))
    }
}
