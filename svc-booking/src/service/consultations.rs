//! Video consultations: requested by visitors, managed by staff.

use std::sync::Arc;

use hospital_proto::booking::v1::{
    CreateConsultationRequest, CreateConsultationResponse, GetConsultationRequest,
    GetConsultationResponse, ListConsultationsRequest, ListConsultationsResponse,
    UpdateConsultationRequest, UpdateConsultationResponse,
    consultation_service_server::ConsultationService,
};
use service_kit::{
    input::RequestId,
    language::Language,
    status::{invalid_argument, with_reason},
};
use store_kit::{creation, requests::RequestKey};
use tonic::{Code, Request, Response, Status};

use super::{
    appointments::{READ, WRITE},
    caller::Client,
    changes::CONSULTATIONS,
};
use crate::{
    Parts,
    domain::consultation::{
        Asked, Consultation, ConsultationForm, NewConsultation, Update, UpdateRefused,
    },
    store::consultations::{CREATE, ConsultationOutcome},
    wire::consultation as wire,
};

/// Maximum length of an id or reference, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// Serves `hospital.booking.v1.ConsultationService`.
#[derive(Debug)]
pub struct ConsultationRpcs(pub Arc<Parts>);

impl ConsultationRpcs {
    /// Creates the consultation. Also returns whether an earlier request created it.
    async fn create(
        &self,
        form: ConsultationForm,
        client: Client,
        language: Option<Language>,
    ) -> Result<(Consultation, bool), Status> {
        let Parts {
            store,
            keys,
            clock,
            ids,
            ..
        } = &*self.0;
        let now = clock.now();
        let body = wire::fingerprinted(&form);
        let key =
            |request_id: &RequestId| RequestKey::new(keys, CREATE, request_id.as_str(), &body);
        self.0.not_own("patientEmail", &form.email)?;
        let roster = store.rosters.known(now).await?;
        let (request_id, new) = match NewConsultation::parse(&form, &roster, now) {
            Ok(parsed) => parsed,
            Err(violations) => {
                // Idempotent replay: a retry of an accepted request gets the same response, even if the rules would now
                // refuse it.
                let earlier = match RequestId::parse(&form.request_id) {
                    Ok(id) => store.recall_consultation(&key(&id), now).await?,
                    Err(_) => None,
                };
                return earlier
                    .map(|earlier| (earlier, true))
                    .ok_or_else(|| invalid_argument(&violations));
            }
        };
        let asked = Asked {
            language,
            ..Asked::new(new, ids.as_ref(), now)
        };
        let created = store.create_consultation(key(&request_id), asked, client.network);
        match created.await? {
            ConsultationOutcome::Answered(creation) => creation.into_answer(),
            ConsultationOutcome::TooMany => Err(with_reason(
                Code::FailedPrecondition,
                "NETWORK_CONSULTATIONS_MAX",
                "Too many consultation requests from your network are waiting for a reply. Please call us to request another one.",
            )),
        }
    }
}

#[tonic::async_trait]
impl ConsultationService for ConsultationRpcs {
    async fn create_consultation(
        &self,
        request: Request<CreateConsultationRequest>,
    ) -> Result<Response<CreateConsultationResponse>, Status> {
        let client = Client::of(&request, &self.0.keys);
        let language = Language::of_metadata(request.metadata());
        let form = wire::form(request.into_inner());
        let (consultation, replayed) = self.create(form, client, language).await?;
        tracing::info!(consultation.id = %consultation.id, replayed, "consultation requested");
        self.0.seen.list_changed(CONSULTATIONS);
        // Another person may use the browser when the request is retried. Only staff and the patient's mail contain the
        // room's link.
        let roster = self.0.store.rosters.known(self.0.clock.now()).await?;
        let consultation = Some(wire::without_link(consultation, &roster));
        Ok(creation::reply(
            CreateConsultationResponse { consultation },
            replayed,
        ))
    }

    async fn list_consultations(
        &self,
        request: Request<ListConsultationsRequest>,
    ) -> Result<Response<ListConsultationsResponse>, Status> {
        let Parts { store, clock, .. } = &*self.0;
        let caller = self.0.staff(&request, READ)?;
        let query = wire::query(&request.into_inner())
            .map_err(|violations| invalid_argument(&violations))?;
        let now = clock.now();
        let (page, has_more) = store
            .list_consultations(query, &caller.subject, now)
            .await?;
        let roster = store.rosters.read(now).await?;
        let last = page.last().filter(|_| has_more);
        Ok(Response::new(ListConsultationsResponse {
            next_page_token: last.map(wire::page_token).unwrap_or_default(),
            consultations: page
                .into_iter()
                .map(|one| wire::whole(one, &roster))
                .collect(),
        }))
    }

    async fn get_consultation(
        &self,
        request: Request<GetConsultationRequest>,
    ) -> Result<Response<GetConsultationResponse>, Status> {
        let Parts { store, clock, .. } = &*self.0;
        let caller = self.0.staff(&request, READ)?;
        let request = request.into_inner();
        let name = possible_name(&request.consultation_id)?;
        let now = clock.now();
        let found = store.get_consultation(name, &caller.subject, now).await?;
        let found = found.ok_or_else(not_found)?;
        let roster = store.rosters.read(now).await?;
        let registrations = store.doctor_registrations().await?;
        let consultation = Some(wire::with_doctors(found, &roster, &registrations));
        Ok(Response::new(GetConsultationResponse { consultation }))
    }

    async fn update_consultation(
        &self,
        request: Request<UpdateConsultationRequest>,
    ) -> Result<Response<UpdateConsultationResponse>, Status> {
        let Parts {
            store, clock, ids, ..
        } = &*self.0;
        let caller = self.0.staff(&request, WRITE)?;
        let request = request.into_inner();
        let name = possible_name(&request.consultation_id)?.to_owned();
        let update = wire::update(request)
            .and_then(|form| Update::parse(&form))
            .map_err(|violations| invalid_argument(&violations))?;
        let now = clock.now();
        let roster = store.rosters.read(now).await?;
        let mut registrations = store.doctor_registrations().await?;
        let message_id = ids.uuid_at(now);
        let updated = store
            .update_consultation(
                &name,
                update,
                roster.clone(),
                message_id,
                &caller.subject,
                now,
            )
            .await?;
        let updated = updated.ok_or_else(not_found)?.map_err(refused)?;
        tracing::info!(consultation.id = %updated.id, status = updated.status.as_str(), "consultation changed");
        self.0.seen.list_changed(CONSULTATIONS);
        let doctor = updated.doctor.clone();
        registrations.extend(doctor.map(|doctor| (doctor.id, doctor.registration)));
        let consultation = Some(wire::with_doctors(updated, &roster, &registrations));
        Ok(Response::new(UpdateConsultationResponse { consultation }))
    }
}

fn refused(refused: UpdateRefused) -> Status {
    match refused {
        UpdateRefused::Invalid(violations) => invalid_argument(&violations),
        UpdateRefused::EtagMismatch => with_reason(
            Code::Aborted,
            "ETAG_MISMATCH",
            "The consultation has changed since it was read.",
        ),
        UpdateRefused::StatusNotAllowed => with_reason(
            Code::FailedPrecondition,
            "STATUS_NOT_ALLOWED",
            "The consultation's status cannot change to this one.",
        ),
    }
}

fn not_found() -> Status {
    with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "There is no such consultation.",
    )
}

/// Refuses impossible names before the query. PostgreSQL also rejects NUL.
fn possible_name(name: &str) -> Result<&str, Status> {
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.contains(char::is_control) {
        return Err(not_found());
    }
    Ok(name)
}
