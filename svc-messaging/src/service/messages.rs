//! Messages sent by visitors.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::{
    CreateMessageRequest, CreateMessageResponse, FormCheck, GetFormTokenRequest,
    GetFormTokenResponse, messaging_service_server::MessagingService,
};
use service_kit::{
    input::{OwnMailboxes, RequestId, Violation},
    language::Language,
    status::{self, DOMAIN},
};
use store_kit::{
    creation::{self, Creation},
    requests::RequestKey,
};
use tonic::{Code, Request, Response, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::{
    changes::{DELIVERIES, MESSAGES},
    events::no_place,
};
use crate::{
    Parts,
    domain::{self, Message, NewMessage, Submission},
    metrics::{Outcome, count},
    spam::{self, Form, Proof, proof, token},
    store::{self, Incoming, Received},
    wire,
};

/// Serves `hospital.messaging.v1.MessagingService`.
#[derive(Debug)]
pub struct MessagingRpcs(pub Arc<Parts>);

impl MessagingRpcs {
    /// Returns the message that an identical earlier request created. Allows an idempotent replay even if today's rules
    /// refuse the input.
    async fn earlier(
        &self,
        submission: &Submission,
        now: DateTime<Utc>,
    ) -> Result<Option<Message>, Status> {
        let Ok(request_id) = RequestId::parse(&submission.request_id) else {
            return Ok(None);
        };
        let body = wire::canonical_unchecked(submission);
        let request = RequestKey::new(&self.0.keys, store::CREATE, request_id.as_str(), &body);
        Ok(self.0.store.recall(&request, now).await?)
    }
}

impl Parts {
    /// Rejects the hospital's own mailboxes: the reply would come back to reception.
    fn not_own(
        &self,
        (request_id, new): (RequestId, NewMessage),
    ) -> Result<(RequestId, NewMessage), Vec<Violation>> {
        if new.email().is_some_and(|email| self.own.has(email)) {
            return Err(vec![Violation::new("email", OwnMailboxes::REFUSAL)]);
        }
        Ok((request_id, new))
    }

    /// Evaluates the form's spam evidence. `body` is the message that the proof of work must be bound to.
    pub(super) fn form<'a>(
        &self,
        check: &'a FormCheck,
        body: &[u8],
        now: DateTime<Utc>,
    ) -> Form<'a> {
        let is_done =
            !check.proof.is_empty() && proof::is_valid(&self.keys, body, &check.proof, now);
        Form {
            website: &check.website,
            age: token::age(&self.keys, &check.token, now),
            proof: match (is_done, check.can_prove) {
                (true, _) => Proof::Done,
                (false, true) => Proof::Able,
                (false, false) => Proof::Unable,
            },
        }
    }
}

#[tonic::async_trait]
impl MessagingService for MessagingRpcs {
    async fn create_message(
        &self,
        request: Request<CreateMessageRequest>,
    ) -> Result<Response<CreateMessageResponse>, Status> {
        let parts = &*self.0;
        let network = parts.network(&request);
        let language = Language::of_metadata(request.metadata());
        let mut request = request.into_inner();
        let sent = request.message.as_mut();
        let check = sent.and_then(|message| message.check.take());
        let check = check.unwrap_or_default();
        let submission = wire::submission(request);
        let now = parts.now();
        let parsed = domain::parse(submission.clone()).and_then(|parsed| parts.not_own(parsed));
        let (request_id, mut new) = match parsed {
            Ok(parsed) => parsed,
            Err(violations) => {
                let Some(earlier) = self.earlier(&submission, now).await? else {
                    count("invalid", Outcome::Refused);
                    return Err(status::invalid_argument(&violations));
                };
                return Ok(reply(&earlier, true));
            }
        };
        // Not part of the request's fingerprint: a retry may come from another page.
        new.language = language;
        let kind = new.kind.as_str();
        let body = wire::canonical(&new);
        if let Some((event_id, _)) = new.registration() {
            parts.know_event(event_id).await?;
        }
        let incoming = Incoming {
            request: RequestKey::new(&parts.keys, store::CREATE, request_id.as_str(), &body),
            id: parts.ids.uuid(),
            evidence: spam::evidence(&new, &parts.form(&check, &body, now)),
            new,
            network,
            now,
        };
        match parts.store.receive(incoming).await? {
            Received::TooMany => {
                count(kind, Outcome::Refused);
                Err(parts.too_many())
            }
            Received::NoPlace(refused) => {
                count(kind, Outcome::Refused);
                Err(no_place(&refused))
            }
            Received::Prove { bits } => {
                count(kind, Outcome::ProofRequired);
                let challenge = proof::challenge(&parts.keys, &body, bits, now);
                Err(proof_required(challenge, bits))
            }
            Received::Kept(created) => {
                parts.seen.publish([MESSAGES, DELIVERIES]);
                answer(*created, kind)
            }
        }
    }

    async fn get_form_token(
        &self,
        _request: Request<GetFormTokenRequest>,
    ) -> Result<Response<GetFormTokenResponse>, Status> {
        let token = token::issue(&self.0.keys, self.0.now());
        Ok(Response::new(GetFormTokenResponse { token }))
    }
}

/// Quarantined messages get the same response as accepted ones.
fn answer(
    created: Creation<Message>,
    kind: &'static str,
) -> Result<Response<CreateMessageResponse>, Status> {
    let (message, repeated) = created
        .into_answer()
        .inspect_err(|_| count(kind, Outcome::Refused))?;
    let status = message.handling.status;
    count(
        kind,
        match (repeated, status) {
            (true, _) => Outcome::Repeated,
            (false, domain::Status::Quarantined) => Outcome::Quarantined,
            (false, _) => Outcome::Accepted,
        },
    );
    tracing::info!(
        message.id = %message.id,
        message.kind = kind,
        message.status = status.as_str(),
        repeated,
        "message accepted"
    );
    Ok(reply(&message, repeated))
}

fn reply(message: &Message, replayed: bool) -> Response<CreateMessageResponse> {
    let message = Some(wire::message(message));
    creation::reply(CreateMessageResponse { message }, replayed)
}

fn proof_required(challenge: String, bits: u32) -> Status {
    let metadata = HashMap::from([
        ("challenge".to_owned(), challenge),
        ("bits".to_owned(), bits.to_string()),
    ]);
    Status::with_error_details(
        Code::FailedPrecondition,
        "Send the same again with a proof of work.",
        ErrorDetails::with_error_info("PROOF_REQUIRED", DOMAIN, metadata),
    )
}
