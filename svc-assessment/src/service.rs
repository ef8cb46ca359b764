//! gRPC handlers: authenticate, parse, one store call, reply.

use std::sync::Arc;

use hospital_proto::assessment::v1::{
    CreateAssessmentRequest, CreateAssessmentResponse, DeleteAssessmentRequest,
    DeleteAssessmentResponse, GetAssessmentSummaryRequest, GetAssessmentSummaryResponse,
    assessment_service_server::AssessmentService,
};
use service_kit::{
    auth::Verifier,
    input::RequestId,
    source::{Clock, Ids},
    status::invalid_argument,
};
use store_kit::{creation, keys::Keys, process::Context, requests::RequestKey};
use tonic::{Request, Response, Status, metadata::MetadataValue};
use tracing::{Dispatch, instrument::WithSubscriber as _};
use uuid::Uuid;

use crate::{
    domain::{
        self, Answers, Assessment, Checked,
        retention::{REQUEST_DAYS, Retention},
        summary::Month,
    },
    scoring,
    store::{self, Store},
    wire::{self, Beside},
};

/// Scope of staff tokens.
const READ: &str = "assessments:read";
/// gRPC metadata key on the reply to a create that stores nothing, with the value `false`: the gateway then responds
/// 200 instead of 201.
const RESOURCE_CREATED: &str = "resource-created";

/// Serves `hospital.assessment.v1.AssessmentService`.
#[derive(Clone, Debug)]
pub(crate) struct AssessmentRpcs {
    store: Store,
    keys: Keys,
    verifier: Verifier,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl AssessmentRpcs {
    pub(crate) fn new(context: &Context, verifier: Verifier) -> Self {
        Self {
            store: Store::new(context.database.clone(), context.keys.clone()),
            keys: context.keys.clone(),
            verifier,
            clock: Arc::clone(&context.clock),
            ids: Arc::clone(&context.ids),
        }
    }

    /// Stores the answers without a log line or a span, because either would tie a moment to a single row. A failure is
    /// logged when it becomes a status.
    async fn keep(
        &self,
        request_id: &RequestId,
        answers: Answers,
        beside: &Beside,
    ) -> Result<Response<CreateAssessmentResponse>, Status> {
        let body = wire::canonical(&answers);
        let request = RequestKey::new(&self.keys, store::CREATE, request_id.as_str(), &body)
            .kept_days(REQUEST_DAYS);
        let scores = scoring::score(&answers);
        let assessment = Assessment::new(self.ids.uuid(), self.clock.now(), answers, scores);
        let create = self.store.create(request, assessment);
        let created = create.with_subscriber(Dispatch::none()).await?;
        let (assessment, repeated) = created.into_answer()?;
        let assessment = Some(wire::assessment(&assessment, beside));
        Ok(creation::reply(
            CreateAssessmentResponse { assessment },
            repeated,
        ))
    }

    /// Removes expired data at start and every day, forever.
    pub(crate) async fn keep_retention(self, retention: Retention) {
        let remove = || async {
            let over = self.store.retain(&retention, self.clock.now()).await?;
            Ok(over.removed())
        };
        store_kit::retention::daily(remove).await;
    }
}

#[tonic::async_trait]
impl AssessmentService for AssessmentRpcs {
    async fn create_assessment(
        &self,
        request: Request<CreateAssessmentRequest>,
    ) -> Result<Response<CreateAssessmentResponse>, Status> {
        let submission = wire::submission(request.into_inner());
        let checked = domain::parse(&submission).map_err(|found| invalid_argument(&found))?;
        let Checked {
            request_id,
            answers,
            measures,
        } = checked;
        let beside = Beside {
            scores: scoring::indian::score(&answers, &measures),
            measures,
        };
        if let Some(request_id) = request_id {
            return self.keep(&request_id, answers, &beside).await;
        }
        let assessment = wire::unstored(&answers, &scoring::score(&answers), &beside);
        let mut response = Response::new(CreateAssessmentResponse {
            assessment: Some(assessment),
        });
        let created = MetadataValue::from_static("false");
        response.metadata_mut().insert(RESOURCE_CREATED, created);
        Ok(response)
    }

    async fn delete_assessment(
        &self,
        request: Request<DeleteAssessmentRequest>,
    ) -> Result<Response<DeleteAssessmentResponse>, Status> {
        // An invalid id is treated like an unknown one.
        if let Ok(id) = Uuid::try_parse(&request.into_inner().assessment_id) {
            self.store
                .delete(id)
                .with_subscriber(Dispatch::none())
                .await?;
        }
        Ok(Response::new(DeleteAssessmentResponse {}))
    }

    async fn get_assessment_summary(
        &self,
        request: Request<GetAssessmentSummaryRequest>,
    ) -> Result<Response<GetAssessmentSummaryResponse>, Status> {
        let caller = self.verifier.check_request(&request, READ)?;
        let now = self.clock.now();
        let month = Month::parse(&request.into_inner().month, now)
            .map_err(|violation| invalid_argument(&[violation]))?;
        let summary = self.store.summary(month, &caller.subject, now).await?;
        Ok(Response::new(wire::summary(month, summary)))
    }
}
