//! The gRPC handlers: parse, one call, reply.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::{
    CreateMessageRequest, CreateMessageResponse, GetFormTokenRequest, GetFormTokenResponse,
    messaging_service_server::MessagingService,
};
use service_kit::{
    input::RequestId,
    source::{Clock, Ids},
    status,
};
use store_kit::{creation, keys::Keys, process::Context, requests::RequestKey};
use tonic::{Request, Response, Status};

use crate::{
    domain::{self, Message, Submission},
    store::{self, Store},
    wire,
};

#[derive(Debug)]
pub(crate) struct MessagingRpcs {
    store: Store,
    keys: Keys,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl MessagingRpcs {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            store: Store::new(context.database.clone(), context.keys.clone()),
            keys: context.keys.clone(),
            clock: Arc::clone(&context.clock),
            ids: Arc::clone(&context.ids),
        }
    }
}

impl MessagingRpcs {
    /// Idempotent replay: what the same request created before, even if the rules would refuse it by now.
    async fn earlier(
        &self,
        submission: &Submission,
        now: DateTime<Utc>,
    ) -> Result<Option<Message>, Status> {
        let Ok(request_id) = RequestId::parse(&submission.request_id) else {
            return Ok(None);
        };
        let body = wire::canonical_unchecked(submission);
        let request = RequestKey::new(&self.keys, store::CREATE, request_id.as_str(), &body);
        Ok(self.store.recall(&request, now).await?)
    }
}

#[tonic::async_trait]
impl MessagingService for MessagingRpcs {
    async fn create_message(
        &self,
        request: Request<CreateMessageRequest>,
    ) -> Result<Response<CreateMessageResponse>, Status> {
        let submission = wire::submission(request.into_inner());
        let now = self.clock.now();
        let (request_id, new) = match domain::parse(submission.clone()) {
            Ok(parsed) => parsed,
            Err(violations) => {
                let earlier = self.earlier(&submission, now).await?;
                let message = earlier.ok_or_else(|| status::invalid_argument(&violations))?;
                return Ok(reply(&message, true));
            }
        };
        let body = wire::canonical(&new);
        let request = RequestKey::new(&self.keys, store::CREATE, request_id.as_str(), &body);
        let message = Message::new(self.ids.uuid(), now, new);
        let created = self.store.create(request, message).await?;
        let (message, repeated) = created.into_answer()?;
        tracing::info!(
            message.id = %message.id,
            message.kind = message.new.kind.as_str(),
            repeated,
            "message accepted"
        );
        Ok(reply(&message, repeated))
    }

    async fn get_form_token(
        &self,
        _request: Request<GetFormTokenRequest>,
    ) -> Result<Response<GetFormTokenResponse>, Status> {
        Err(Status::unimplemented("not served yet"))
    }
}

fn reply(message: &Message, replayed: bool) -> Response<CreateMessageResponse> {
    let message = Some(wire::message(message));
    creation::reply(CreateMessageResponse { message }, replayed)
}
