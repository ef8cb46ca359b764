//! The gRPC handlers: parse, one call, reply.

use std::sync::Arc;

use hospital_proto::assessment::v1::{
    CreateAssessmentRequest, CreateAssessmentResponse, DeleteAssessmentRequest,
    DeleteAssessmentResponse, GetAssessmentSummaryRequest, GetAssessmentSummaryResponse,
    assessment_service_server::AssessmentService,
};
use service_kit::{
    source::{Clock, Ids},
    status,
};
use store_kit::{creation, keys::Keys, process::Context, requests::RequestKey};
use tonic::{Request, Response, Status};

use crate::{
    domain::{self, Assessment},
    scoring,
    store::{self, Store},
    wire,
};

#[derive(Debug)]
pub(crate) struct AssessmentRpcs {
    store: Store,
    keys: Keys,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl AssessmentRpcs {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            store: Store::new(context.database.clone()),
            keys: context.keys.clone(),
            clock: Arc::clone(&context.clock),
            ids: Arc::clone(&context.ids),
        }
    }
}

#[tonic::async_trait]
impl AssessmentService for AssessmentRpcs {
    async fn create_assessment(
        &self,
        request: Request<CreateAssessmentRequest>,
    ) -> Result<Response<CreateAssessmentResponse>, Status> {
        let submission = wire::submission(request.into_inner());
        let (request_id, answers) = domain::parse(submission)
            .map_err(|violations| status::invalid_argument(&violations))?;
        let body = wire::canonical(&answers);
        let request = RequestKey::new(&self.keys, store::CREATE, request_id.as_str(), &body);
        let scores = scoring::score(&answers);
        let assessment = Assessment::new(self.ids.uuid(), self.clock.now(), answers, scores);
        let created = self.store.create(request, assessment).await?;
        let (assessment, repeated) = created.into_answer()?;
        // No id: with it, a log line with its trace would say whose row it is.
        tracing::info!(repeated, "assessment accepted");
        let assessment = Some(wire::assessment(&assessment));
        Ok(creation::reply(
            CreateAssessmentResponse { assessment },
            repeated,
        ))
    }

    async fn delete_assessment(
        &self,
        _request: Request<DeleteAssessmentRequest>,
    ) -> Result<Response<DeleteAssessmentResponse>, Status> {
        Err(Status::unimplemented("not served yet"))
    }

    async fn get_assessment_summary(
        &self,
        _request: Request<GetAssessmentSummaryRequest>,
    ) -> Result<Response<GetAssessmentSummaryResponse>, Status> {
        Err(Status::unimplemented("not served yet"))
    }
}
