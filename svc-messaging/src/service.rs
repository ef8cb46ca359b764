//! The RPCs: parse, one call of the store, reply.

use std::{sync::Arc, time::Duration};

use hospital_proto::messaging::v1::{
    CreateMessageRequest, CreateMessageResponse, messaging_service_server::MessagingService,
};
use service_kit::{
    deadline,
    source::{Clock, Ids},
};
use tonic::{Request, Response, Status};

use crate::{
    domain::{self, Receipt},
    error::CreateError,
    store::{Creation, Store},
};

/// For a caller that names no deadline.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Messaging {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
}

#[tonic::async_trait]
impl MessagingService for Messaging {
    async fn create_message(
        &self,
        request: Request<CreateMessageRequest>,
    ) -> Result<Response<CreateMessageResponse>, Status> {
        let draft = domain::parse(request.into_inner()).map_err(CreateError::Invalid)?;
        let new = Receipt::new(self.ids.uuid(), self.clock.now());
        let creation = deadline::bounded(self.store.create(&draft, new), STORE_TIMEOUT)
            .await?
            .map_err(CreateError::Store)?;
        let receipt = match creation {
            Creation::Stored => new,
            Creation::Repeated(earlier) => earlier,
            Creation::RequestIdReused => return Err(CreateError::RequestIdReused.into()),
        };
        tracing::info!(
            message.id = %receipt.id,
            message.kind = draft.kind.as_str(),
            repeated = receipt != new,
            "message accepted"
        );
        Ok(Response::new(CreateMessageResponse {
            message: Some(draft.accepted(&receipt)),
        }))
    }
}
