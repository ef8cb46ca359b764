//! The gRPC face: parse, one call, reply.

use std::sync::Arc;

use hospital_proto::messaging::v1::{
    CreateMessageRequest, CreateMessageResponse, messaging_service_server::MessagingService,
};
use service_kit::{
    source::{Clock, Ids},
    status,
};
use store_kit::{keys::Keys, process::Context, requests::RequestKey};
use tonic::{Request, Response, Status};

use crate::{
    domain::{self, Message},
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

#[tonic::async_trait]
impl MessagingService for MessagingRpcs {
    async fn create_message(
        &self,
        request: Request<CreateMessageRequest>,
    ) -> Result<Response<CreateMessageResponse>, Status> {
        let submission = wire::submission(request.into_inner());
        let (request_id, new) = domain::parse(submission)
            .map_err(|violations| status::invalid_argument(&violations))?;
        let body = wire::canonical(&new);
        let request = RequestKey::new(&self.keys, store::CREATE, request_id.as_str(), &body);
        let message = Message::new(self.ids.uuid(), self.clock.now(), new);
        let creation = self.store.create(request, message).await?;
        let (message, repeated) = creation.into_answer()?;
        tracing::info!(
            message.id = %message.id,
            message.kind = message.new.kind.as_str(),
            repeated,
            "message accepted"
        );
        Ok(Response::new(CreateMessageResponse {
            message: Some(wire::message(&message)),
        }))
    }
}
