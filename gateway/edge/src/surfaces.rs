//! The surfaces of the edge, and what a request needs before its surface works: its body, and then a permit.

use std::{mem, sync::Arc, time::Instant};

use axum::{
    body::Body,
    http::{HeaderValue, Method, Response, StatusCode, request::Parts},
};
use bytes::Bytes;
use gateway_api::{Call, Endpoint, Identity};
use gateway_documents::READ_TIME_MAX;
use gateway_http::{
    problem::Problem,
    request::{
        client_address::ClientNetwork,
        lanes::{Lane, Work as _},
    },
};
use http_body::Body as _;

use super::{
    Edge, Incoming,
    admission::{BodyPermit, Full},
    body::{self, BodyLimits},
    desk::Signed,
    is_shared,
    rate::{Allowance, Caller, Class},
    target::Surface,
    uploads::{self, upload_of},
};
use crate::beacon::{self, client_failures::Published};

/// What this gateway publishes and offers, for checking reports of browsers. An API without documents publishes
/// nothing.
struct PublishedContent<'a>(&'a Edge, ClientNetwork);

impl Published for PublishedContent<'_> {
    fn has(&self, team: &str, version: &str, module: &str) -> bool {
        let documents = self.0.documents.as_ref();
        documents.is_some_and(|documents| documents.has(team, version, module))
    }

    fn take_report(&self, token: &str, versions: &[(&str, &str)]) -> Option<Vec<bool>> {
        let documents = self.0.documents.as_ref()?;
        documents.take_report(token, versions, self.1)
    }

    fn has_team(&self, team: &str) -> bool {
        let documents = self.0.documents.as_ref();
        documents.is_some_and(|documents| documents.has_team(team))
    }

    fn is_route(&self, route: &str) -> bool {
        self.0.api.has_route(route)
    }

    fn page_route(&self, path: &str) -> Option<Arc<str>> {
        self.0.documents.as_ref()?.route(path)
    }
}

impl Edge {
    pub(super) async fn dispatch(
        &self,
        mut incoming: Incoming,
        surface: Surface,
        counted: Result<Allowance, Problem>,
    ) -> Result<Response<Body>, Problem> {
        // Limits concurrent requests of a network. The permit is held while the request waits for its surface.
        let entered = self.admission.enter(incoming.client.network);
        let _permit = entered.ok_or_else(Problem::too_many_at_once)?;
        match surface {
            Surface::Document if incoming.parts.method == Method::POST => {
                self.form(incoming, counted.err()).await
            }
            Surface::Document => {
                counted?;
                self.document(&incoming.parts, incoming.client.network)
                    .await
            }
            Surface::Desk(address) => self.desk(incoming, address, counted).await,
            Surface::Telemetry => {
                counted?;
                Ok(self.telemetry(incoming).await?.map(Body::from))
            }
            Surface::Api(endpoint, mount) => {
                let request = &mut incoming;
                let answer = match counted {
                    Ok(allowance) => self.api_call(request, endpoint, mount, allowance).await,
                    Err(problem) => Err(problem),
                };
                let mut response = answer.unwrap_or_else(|problem| self.refusal(None, problem));
                self.origins.allow(&incoming.parts, response.headers_mut());
                Ok(response)
            }
            Surface::Picture => {
                counted?;
                let Incoming {
                    parts,
                    client,
                    deadline,
                    ..
                } = &incoming;
                self.picture(parts, client.network, *deadline).await
            }
            Surface::Probe(_) => Err(Problem::not_found()),
        }
    }

    /// Reads a body before a work permit is taken, so that slow senders hold none. The listener enforces a minimum
    /// rate.
    pub(super) async fn read_body(
        &self,
        body: Body,
        network: ClientNetwork,
        limits: BodyLimits,
    ) -> Result<Bytes, Problem> {
        if body.is_end_stream() {
            return Ok(Bytes::new());
        }
        let _permit = self.body_permit(network)?;
        body::read(body, limits).await
    }

    /// Takes a permit for a body that is about to be read.
    pub(super) fn body_permit(&self, network: ClientNetwork) -> Result<BodyPermit<'_>, Problem> {
        self.admission.body(network).map_err(|full| match full {
            Full::Network => Problem::too_many_at_once(),
            Full::All => Problem::overloaded(),
        })
    }

    async fn api_call(
        &self,
        request: &mut Incoming,
        endpoint: Endpoint,
        mount: &'static str,
        allowance: Allowance,
    ) -> Result<Response<Body>, Problem> {
        let body = mem::take(&mut request.body);
        let token = request.token.take().map(Identity::Token);
        let person = request.signed.take().map(Signed::identity);
        let Incoming {
            parts,
            client,
            deadline,
            ..
        } = request;
        if let Some(preflight) = self.origins.preflight(parts) {
            return Ok(preflight.map(Body::from));
        }
        // An unknown address is reported as such, regardless of other errors in the request.
        if let Endpoint::Nothing(problem) = endpoint {
            return Err(problem);
        }
        // Write checks: on the head, before the body of another site's request is read.
        let origins = &self.origins;
        let is_json_wanted = !body.is_end_stream() && upload_of(&endpoint).is_none();
        origins.check_write(parts, client.is_https, is_json_wanted)?;
        // Body: for calls that have passed all checks. Reads have none.
        let is_read = parts.method.is_safe();
        let identity = token.or(person);
        let upload = upload_of(&endpoint);
        let mut _upload = None;
        let body = if is_read {
            Bytes::new()
        } else if let Some(operation) = upload {
            self.api
                .may_send_body(operation, &parts.headers, identity.as_ref())?;
            _upload = Some(self.uploads.enter()?);
            let limits = uploads::limits(operation, self.body_bytes_max);
            let body = self.read_body(body, client.network, limits).await?;
            *deadline = (*deadline).min(Instant::now() + self.api.timeout(&endpoint));
            body
        } else {
            let limits = BodyLimits {
                bytes_max: self.body_bytes_max,
                time_max: deadline.saturating_duration_since(Instant::now()),
            };
            self.read_body(body, client.network, limits).await?
        };
        // Work permit: sheds load before any work is done, but not answers from memory.
        let lane = if is_read { Lane::Reads } else { Lane::Writes };
        let ticket = self.admission.ticket(lane);
        let path = parts.uri.path();
        let call = Call {
            path: path.strip_prefix(mount).unwrap_or(path),
            query: parts.uri.query(),
            headers: &parts.headers,
            body,
            network: Some(client.network),
            mount,
            deadline: *deadline,
            work: Some(&ticket),
            identity,
        };
        let mut response = self.api.respond(endpoint, call).await.map(Body::from);
        // A response that other callers may get contains nothing about this one.
        if !is_shared(response.headers()) {
            allowance.write(response.headers_mut());
        }
        Ok(response)
    }

    async fn telemetry(&self, incoming: Incoming) -> Result<Response<Bytes>, Problem> {
        let Incoming {
            parts,
            body,
            client,
            deadline,
            ..
        } = incoming;
        if parts.method != Method::POST {
            let allow = HeaderValue::from_static("POST");
            return Err(Problem::method_not_allowed(&allow));
        }
        self.origins.check_write(&parts, client.is_https, true)?;
        let limits = BodyLimits {
            bytes_max: beacon::REPORT_BYTES_MAX,
            time_max: deadline.saturating_duration_since(Instant::now()),
        };
        let body = self.read_body(body, client.network, limits).await?;
        let ticket = self.admission.ticket(Lane::Reads);
        ticket.begin()?;
        let published = PublishedContent(self, client.network);
        Ok(self.browser_spans.accept(&body, &published))
    }

    async fn document(
        &self,
        parts: &Parts,
        network: ClientNetwork,
    ) -> Result<Response<Body>, Problem> {
        let documents = self.documents.as_ref().ok_or_else(Problem::not_found)?;
        let ticket = self.admission.ticket(Lane::Reads);
        Ok(documents.respond(parts, network, &ticket).await)
    }

    /// Answers a native form. The sender gets the input back whenever the form is refused. So the form is read even if
    /// its sender exceeds a rate limit.
    pub(super) async fn form(
        &self,
        incoming: Incoming,
        refused: Option<Problem>,
    ) -> Result<Response<Body>, Problem> {
        let Incoming {
            parts,
            body,
            client,
            signed,
            ..
        } = incoming;
        let network = client.network;
        let documents = self.documents.as_ref().ok_or_else(Problem::not_found)?;
        let is_own = match &signed {
            Some(_) => self.origins.may_send_staff_forms(&parts, client.is_https),
            None => self.origins.may_send_forms(&parts, client.is_https),
        };
        let target = match documents.form(&parts, signed.map(Signed::member)) {
            Ok(target) => target,
            Err(page) => return Ok(*page),
        };
        if !is_own {
            return Err(foreign_form());
        }
        let has_file = target.takes_file(&parts.headers);
        // Held until the answer.
        let upload = has_file.then(|| self.uploads.enter()).transpose();
        let read = if has_file {
            let keeps_file = upload.is_ok() && refused.is_none();
            let reading = target.receive(&parts.headers, body, Some(network), keeps_file);
            self.receive(network, reading).await?
        } else {
            let body = self.read_body(body, network, self.form_limits()).await?;
            target.read(&parts.headers, body, Some(network)).await
        };
        let form = match read {
            Ok(form) => form,
            Err(page) => return Ok(*page),
        };
        let _upload = match upload {
            Ok(permit) => permit,
            Err(problem) => return Ok(form.return_input(&problem)),
        };
        if let Some(problem) = &refused {
            // The page itself explains the refusal best. It costs a render, so it is limited like a document.
            let caller = Caller::of(network);
            let counted = self.rate_limit.count(Class::Document, &caller).await;
            if counted.is_err() {
                return Ok(form.return_input(problem));
            }
        }
        let ticket = self.admission.ticket(Lane::Writes);
        match ticket.begin() {
            Ok(()) => Ok(form.answer(refused).await),
            Err(problem) => Ok(form.return_input(&problem)),
        }
    }

    pub(super) fn form_limits(&self) -> BodyLimits {
        BodyLimits {
            bytes_max: self.body_bytes_max,
            time_max: READ_TIME_MAX,
        }
    }
}

/// Returns the refusal of a form from another site.
pub(super) fn foreign_form() -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        "CROSS_SITE",
        "This form was not sent from this site.",
    )
}
