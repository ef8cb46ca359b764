//! The RPCs: parse, one call of the store, reply.

use std::{sync::Arc, time::Duration};

use hospital_proto::assessment::v1::{
    CreateAssessmentRequest, CreateAssessmentResponse, assessment_service_server::AssessmentService,
};
use service_kit::{
    deadline,
    source::{Clock, Ids},
};
use tonic::{Request, Response, Status};

use crate::{
    domain::{self, Receipt},
    error::CreateError,
    scoring,
    store::{Creation, Store},
};

/// For a caller that names no deadline.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Assessments {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
}

#[tonic::async_trait]
impl AssessmentService for Assessments {
    async fn create_assessment(
        &self,
        request: Request<CreateAssessmentRequest>,
    ) -> Result<Response<CreateAssessmentResponse>, Status> {
        let draft = domain::parse(request.into_inner()).map_err(CreateError::Invalid)?;
        let result = scoring::score(&draft.answers);
        let new = Receipt::new(self.ids.uuid(), self.clock.now(), result);
        let creation = deadline::bounded(self.store.create(&draft, &new), STORE_TIMEOUT)
            .await?
            .map_err(CreateError::Store)?;
        let (receipt, repeated) = match creation {
            Creation::Stored => (new, false),
            Creation::Repeated(earlier) => (earlier, true),
            Creation::RequestIdReused => return Err(CreateError::RequestIdReused.into()),
        };
        // No id: with it, a log line with its trace would say whose row it is.
        tracing::info!(repeated, "assessment accepted");
        Ok(Response::new(CreateAssessmentResponse {
            assessment: Some(draft.accepted(receipt)),
        }))
    }
}
