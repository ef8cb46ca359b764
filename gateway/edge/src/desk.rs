//! The staff area: sign-in, sign-out, and what its requests need before a page or a form answers.
//!
//! Nothing below `/staff` is stored, shared or indexed: [`seal`] sets the headers of every response.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode,
        header::{
            AUTHORIZATION, CACHE_CONTROL, CONTENT_LOCATION, COOKIE, ETAG, LAST_MODIFIED, LOCATION,
            REFERRER_POLICY, REFRESH, SET_COOKIE,
        },
        request::Parts,
        uri::PathAndQuery,
    },
};
use gateway_api::{Endpoint, Identity, Person};
use gateway_documents::{Documents, Notice, StaffMember, is_multipart, sign_in_address};
use gateway_http::{
    problem::Problem,
    request::{lanes::Lane, log_budget},
};
use gateway_session::{Current, ISSUER_WAIT_MAX, SignInError, Staff};
use service_kit::auth;

use super::{
    Edge, Incoming,
    body::BodyLimits,
    rate::Allowance,
    surfaces::foreign_form,
    target::{DeskAddress, Surface},
};

/// Maximum time of a request to sign in. Longer than the wait for the issuer, so that the person gets a page and no
/// refusal.
pub(super) const SIGN_IN_TIME_MAX: Duration =
    ISSUER_WAIT_MAX.saturating_add(Duration::from_secs(2));
/// Maximum bytes of an issuer's report of ended sessions.
const LOGOUT_BYTES_MAX: usize = 16 * 1024;
/// Start page of the staff area.
const START: &str = "/staff";
const SIGN_IN_AGAIN: (&str, &str) = ("/staff/sign-in", "Sign in");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
/// Marks requests that a script makes without the person, such as to show a changed list. They keep no session awake,
/// and never lead to the sign-in.
const BACKGROUND: HeaderName = HeaderName::from_static("x-background");
const PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");
/// Empties the browser's back/forward cache. `no-store` alone does not in every browser.
const CLEAR_SITE_DATA: (HeaderName, HeaderValue) = (
    HeaderName::from_static("clear-site-data"),
    HeaderValue::from_static("\"cache\""),
);

/// The signed-in person of a request.
#[derive(Debug)]
pub(super) struct Signed {
    member: Arc<StaffMember>,
    /// `Set-Cookie` header that renews the session.
    renewal: Option<HeaderValue>,
}

impl Signed {
    fn new(current: Current) -> Self {
        let Current {
            session,
            set_cookie,
        } = current;
        let claims = auth::Caller {
            subject: session.subject,
            doctor: session.doctor,
            name: Some(session.name.clone()),
            email: session.email,
        };
        let (scopes, name) = (session.scopes, session.name);
        let member = StaffMember {
            name,
            person: Arc::new(Person { claims, scopes }),
        };
        Self {
            member: Arc::new(member),
            renewal: set_cookie,
        }
    }

    pub(super) fn subject(&self) -> &[u8] {
        self.member.person.claims.subject.as_bytes()
    }

    pub(super) fn renewal(&self) -> Option<HeaderValue> {
        self.renewal.clone()
    }

    pub(super) fn member(self) -> Arc<StaffMember> {
        self.member
    }

    pub(super) fn identity(self) -> Identity {
        Identity::Person(Arc::clone(&self.member.person))
    }
}

/// Adds the cookie that renews a session.
pub(super) fn renew(renewal: Option<HeaderValue>, headers: &mut HeaderMap) {
    set_cookies(headers, renewal.into_iter().collect());
}

/// Sets the headers of every response of the staff area. The referrer policy of pages must not hide the origin: their
/// forms would be refused.
pub(super) fn seal(address: DeskAddress, headers: &mut HeaderMap) {
    let referrer = match address {
        DeskAddress::SignIn | DeskAddress::Callback => "no-referrer",
        DeskAddress::SignOut
        | DeskAddress::BackChannelLogout
        | DeskAddress::Events
        | DeskAddress::Page => "same-origin",
    };
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (ROBOTS, "noindex"),
        (REFERRER_POLICY, referrer),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for name in [ETAG, LAST_MODIFIED, CONTENT_LOCATION] {
        headers.remove(name);
    }
}

impl Edge {
    /// Returns the signed-in person, where a request may use the session. An `Authorization` header precedes it.
    pub(super) fn signed(
        &self,
        surface: &Surface,
        parts: &Parts,
        is_https: bool,
    ) -> Option<Signed> {
        let staff = self.staff.as_ref()?;
        let headers = &parts.headers;
        if !headers.contains_key(COOKIE) {
            return None;
        }
        let may_use = match surface {
            Surface::Desk(address) => matches!(address, DeskAddress::Page | DeskAddress::Events),
            Surface::Api(Endpoint::Operation(_), _) => {
                !headers.contains_key(AUTHORIZATION)
                    && self.origins.may_use_session(parts, is_https)
            }
            _ => false,
        };
        if !may_use {
            return None;
        }
        staff.session(headers).map(Signed::new)
    }

    /// Answers a request to the staff area.
    pub(super) async fn desk(
        &self,
        incoming: Incoming,
        address: DeskAddress,
        counted: Result<Allowance, Problem>,
    ) -> Result<Response<Body>, Problem> {
        let (Some(staff), Some(documents)) = (&self.staff, &self.documents) else {
            return Err(Problem::not_found());
        };
        let Incoming { parts, client, .. } = &incoming;
        if is_ahead(&parts.headers) {
            return Err(Problem::unavailable());
        }
        match address {
            DeskAddress::Page => self.desk_page(staff, documents, incoming, counted).await,
            DeskAddress::SignIn => {
                counted?;
                allow(parts, &[Method::GET])?;
                Ok(sign_in(staff, documents, parts).await)
            }
            DeskAddress::Callback => {
                counted?;
                allow(parts, &[Method::GET])?;
                Ok(finish(staff, documents, parts).await)
            }
            DeskAddress::SignOut => {
                counted?;
                allow(parts, &[Method::POST])?;
                if !self.origins.may_send_staff_forms(parts, client.is_https) {
                    return Err(foreign_form());
                }
                Ok(sign_out(staff, documents, &parts.headers).await)
            }
            DeskAddress::BackChannelLogout => {
                counted?;
                allow(parts, &[Method::POST])?;
                self.back_channel_logout(staff, incoming).await
            }
            DeskAddress::Events => {
                counted?;
                allow(parts, &[Method::GET])?;
                self.events(staff, parts)
            }
        }
    }

    /// Answers a page or a form of the staff area. Without a session, nothing is looked up: every address leads to the
    /// sign-in, whether it exists or not.
    async fn desk_page(
        &self,
        staff: &Staff,
        documents: &Documents,
        incoming: Incoming,
        counted: Result<Allowance, Problem>,
    ) -> Result<Response<Body>, Problem> {
        let parts = &incoming.parts;
        let is_form = parts.method == Method::POST;
        if !is_form {
            counted.as_ref().map_err(Clone::clone)?;
        }
        match &incoming.signed {
            Some(_) if is_form => self.form(incoming, counted.err()).await,
            Some(signed) => {
                let ticket = self.admission.ticket(Lane::Reads);
                let mut response = documents.desk(parts, &signed.member, &ticket).await;
                if staff.has_just_signed_in(&parts.headers) {
                    set_cookies(response.headers_mut(), vec![staff.clear_signed_in()]);
                }
                Ok(response)
            }
            None if is_form => self.unsigned_form(documents, incoming, counted.err()).await,
            None if is_in_background(&parts.headers) => Err(not_signed()),
            None => {
                allow(parts, &[Method::GET, Method::HEAD, Method::POST])?;
                let wanted = parts.uri.path_and_query();
                let address = sign_in_address(wanted.map_or(START, PathAndQuery::as_str));
                let cookies = staff.clear_sessions(&parts.headers, parts.uri.path());
                if staff.is_hidden(&parts.headers) {
                    return Ok(hidden(staff, documents, &address, cookies));
                }
                let address = HeaderValue::try_from(address).map_err(|_| Problem::not_found())?;
                Ok(redirect(address, cookies))
            }
        }
    }

    /// Returns the input of a form whose sender is not signed in (any more), with a link to the sign-in.
    async fn unsigned_form(
        &self,
        documents: &Documents,
        incoming: Incoming,
        refused: Option<Problem>,
    ) -> Result<Response<Body>, Problem> {
        let Incoming {
            parts,
            body,
            client,
            ..
        } = incoming;
        if !self.origins.may_send_staff_forms(&parts, client.is_https) {
            return Err(foreign_form());
        }
        let problem = refused.unwrap_or_else(not_signed);
        if is_multipart(&parts.headers) {
            let reading = documents.keep_text(&parts, body, &problem);
            return self.receive(client.network, reading).await;
        }
        let body = self
            .read_body(body, client.network, self.form_limits())
            .await?;
        Ok(documents.keep_input(&parts, body, &problem).await)
    }

    async fn back_channel_logout(
        &self,
        staff: &Staff,
        incoming: Incoming,
    ) -> Result<Response<Body>, Problem> {
        let limits = BodyLimits {
            bytes_max: LOGOUT_BYTES_MAX,
            time_max: self.timeout,
        };
        let network = incoming.client.network;
        let body = self.read_body(incoming.body, network, limits).await?;
        match staff.back_channel_logout(&body).await {
            Ok(()) => Ok(Response::new(Body::empty())),
            Err(error) => {
                tracing::warn!(%error, "a logout by the issuer was refused");
                let problem = Problem::new(error.status(), "LOGOUT_REFUSED", error.to_string());
                Err(problem)
            }
        }
    }
}

/// Returns the refusal of a request that needs a session.
pub(super) fn not_signed() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "SIGN_IN_REQUIRED",
        "You are not signed in, or your session has ended.",
    )
}

async fn sign_in(staff: &Staff, documents: &Documents, parts: &Parts) -> Response<Body> {
    match staff.begin(return_to(parts).as_deref()).await {
        Ok(begun) => redirect(begun.location, begun.cookies),
        Err(error) => not_signed_in(staff, documents, &error),
    }
}

async fn finish(staff: &Staff, documents: &Documents, parts: &Parts) -> Response<Body> {
    let query = parts.uri.query().unwrap_or_default();
    match staff.finish(query, &parts.headers).await {
        Ok(signed_in) => redirect(signed_in.location, signed_in.cookies),
        // The browser sent the response twice, for example because the page was reloaded while it arrived.
        Err(SignInError::Replayed) if staff.session(&parts.headers).is_some() => {
            redirect(HeaderValue::from_static(START), Vec::new())
        }
        Err(error) => not_signed_in(staff, documents, &error),
    }
}

/// Ends the session. The issuer's address follows by `Refresh`: the policy of staff pages allows forms to lead to this
/// site only, which includes redirects.
async fn sign_out(staff: &Staff, documents: &Documents, headers: &HeaderMap) -> Response<Body> {
    let signed_out = staff.sign_out(headers).await;
    let address = signed_out.location.to_str().unwrap_or_default();
    let is_elsewhere = !address.starts_with('/');
    let (advice, link) = if is_elsewhere {
        (
            "You have left the staff area. We're also signing you out of your hospital account.",
            (address, "Continue"),
        )
    } else {
        ("You have left the staff area.", SIGN_IN_AGAIN)
    };
    let mut response = documents.notice(&Notice {
        status: StatusCode::OK,
        title: "You have signed out",
        advice,
        link: Some(link),
    });
    if is_elsewhere && let Ok(refresh) = HeaderValue::try_from(format!("0;url={address}")) {
        response.headers_mut().insert(REFRESH, refresh);
    }
    let (name, value) = CLEAR_SITE_DATA;
    response.headers_mut().insert(name, value);
    set_cookies(response.headers_mut(), signed_out.cookies);
    response
}

/// Returns the page for a sign-in that failed.
fn not_signed_in(staff: &Staff, documents: &Documents, error: &SignInError) -> Response<Body> {
    let status = error.status();
    if log_budget::take() {
        let error = error as &(dyn std::error::Error + 'static);
        tracing::warn!(error, status = status.as_u16(), "a sign-in failed");
    }
    let mut response = documents.notice(&Notice {
        status,
        title: "You are not signed in",
        advice: error.sentence(),
        link: (!error.is_pending()).then_some(SIGN_IN_AGAIN),
    });
    if !error.is_pending() {
        set_cookies(response.headers_mut(), vec![staff.clear_sign_in()]);
    }
    response
}

/// Returns the page for a browser whose new session other cookies hide. To lead it to the sign-in again might never end.
fn hidden(
    staff: &Staff,
    documents: &Documents,
    sign_in: &str,
    mut cookies: Vec<HeaderValue>,
) -> Response<Body> {
    if log_budget::take() {
        tracing::warn!("other cookies of its name hide a new session");
    }
    let mut response = documents.notice(&Notice {
        status: StatusCode::UNAUTHORIZED,
        title: "You are not signed in",
        advice: "You signed in, but another program at this address uses the same cookies, so we can't be sure that \
                 you are you. Close the other program, then sign in again.",
        link: Some((sign_in, SIGN_IN_AGAIN.1)),
    });
    cookies.push(staff.clear_signed_in());
    set_cookies(response.headers_mut(), cookies);
    response
}

fn redirect(location: HeaderValue, cookies: Vec<HeaderValue>) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(LOCATION, location);
    set_cookies(headers, cookies);
    response
}

fn set_cookies(headers: &mut HeaderMap, cookies: Vec<HeaderValue>) {
    for cookie in cookies {
        headers.append(SET_COOKIE, cookie);
    }
}

/// Returns the page that a sign-in returns to, as the query wants it. It is checked by the sign-in.
fn return_to(parts: &Parts) -> Option<String> {
    let query = parts.uri.query()?;
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).ok()?;
    let mut wanted = pairs.into_iter().filter(|(name, _)| name == "return");
    wanted.next().map(|(_, value)| value)
}

/// Refuses other methods than these with 405.
fn allow(parts: &Parts, methods: &[Method]) -> Result<(), Problem> {
    if methods.contains(&parts.method) {
        return Ok(());
    }
    let names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    let allowed = HeaderValue::try_from(names.join(", "));
    let allowed = allowed.unwrap_or(HeaderValue::from_static("GET"));
    Err(Problem::method_not_allowed(&allowed))
}

/// Whether a script makes the request without the person.
pub(super) fn is_in_background(headers: &HeaderMap) -> bool {
    headers.contains_key(BACKGROUND)
}

/// Whether the request is a prefetch or a prerender.
fn is_ahead(headers: &HeaderMap) -> bool {
    let purposes = headers.get_all(PURPOSE).iter();
    let mut purposes = purposes.filter_map(|purpose| purpose.to_str().ok());
    purposes.any(|purpose| purpose.to_ascii_lowercase().contains("prefetch"))
}

#[cfg(test)]
mod tests;
