//! Export and erasure of one person's data, requested by staff; and the daily deletion of expired data.

use std::sync::Arc;

use hospital_proto::booking::v1::{
    AppointmentEvent, ErasePatientRequest, ErasePatientResponse, ExportPatientRequest,
    ExportPatientResponse, privacy_service_server::PrivacyService,
};
use service_kit::{
    input::{EmailAddress, PhoneNumber, Violation, Violations, optional},
    status::{invalid_argument, with_reason},
};
use tonic::{Code, Request, Response, Status};

use crate::{
    Parts,
    domain::{
        change,
        retention::{self, Retention},
    },
    store::privacy::{EraseOutcome, Event, Whom},
    wire,
};

/// Scopes of staff tokens.
const EXPORT: &str = "patients:export";
const ERASE: &str = "patients:erase";

/// Serves `hospital.booking.v1.PrivacyService`.
#[derive(Debug)]
pub struct PrivacyRpcs(pub Arc<Parts>);

#[tonic::async_trait]
impl PrivacyService for PrivacyRpcs {
    async fn export_patient(
        &self,
        request: Request<ExportPatientRequest>,
    ) -> Result<Response<ExportPatientResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, EXPORT)?;
        let ExportPatientRequest { email, phone } = request.into_inner();
        let whom = whom(&email, &phone).map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let kept = parts
            .store
            .export_patient(whom, &caller.subject, now)
            .await?;
        let roster = parts.store.rosters.read(now).await?;
        let appointments = kept.appointments.into_iter();
        let consultations = kept
            .consultations
            .into_iter()
            .map(|consultation| wire::consultation::whole(consultation, &roster));
        let entries = kept
            .entries
            .into_iter()
            .map(|entry| wire::entry(entry, &roster, now));
        Ok(Response::new(ExportPatientResponse {
            appointments: appointments
                .map(|appointment| wire::exported(appointment, &roster))
                .collect(),
            consultations: consultations.collect(),
            waitlist_entries: entries.collect(),
            events: kept.events.into_iter().map(event).collect(),
        }))
    }

    async fn erase_patient(
        &self,
        request: Request<ErasePatientRequest>,
    ) -> Result<Response<ErasePatientResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, ERASE)?;
        let ErasePatientRequest { email, phone } = request.into_inner();
        let whom = whom(&email, &phone).map_err(|violations| invalid_argument(&violations))?;
        let outcome = parts
            .store
            .erase_patient(whom, &caller.subject, parts.ids.as_ref(), parts.now())
            .await?;
        match outcome {
            EraseOutcome::OpenAppointments => Err(with_reason(
                Code::FailedPrecondition,
                "OPEN_APPOINTMENTS",
                "This person has upcoming appointments. Cancel them first.",
            )),
            EraseOutcome::Erased {
                appointments,
                consultations,
                entries,
            } => {
                tracing::info!(appointments, consultations, entries, "a person was erased");
                parts.seen.people_deleted();
                Ok(Response::new(ErasePatientResponse {
                    appointments: count(appointments),
                    consultations: count(consultations),
                    waitlist_entries: count(entries),
                }))
            }
        }
    }
}

fn event(event: Event) -> AppointmentEvent {
    // Hides the identity of staff, which is in the audit log and not part of the patient's data.
    let actor = match event.actor.as_str() {
        change::PATIENT | retention::ACTOR => event.actor,
        _ => "staff".to_owned(),
    };
    AppointmentEvent {
        reference: event.reference,
        version: event.version,
        kind: event.kind,
        actor,
        create_time: Some(std::time::SystemTime::from(event.create_time).into()),
    }
}

fn count(rows: usize) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}

/// Parses the person's address; at least one field is required.
fn whom(email: &str, phone: &str) -> Result<Whom, Vec<Violation>> {
    let mut violations = Violations::default();
    let email = violations.take("email", optional(EmailAddress::parse(email)));
    let phone = violations.take("phone", optional(PhoneNumber::parse(phone)));
    let whom = match (email, phone) {
        (Some(None), Some(None)) => {
            violations.add("email", "Give an e-mail address or a phone number");
            None
        }
        (Some(email), Some(phone)) => Some(Whom {
            email: email.map(EmailAddress::into_string),
            phone: phone.map(PhoneNumber::into_string),
        }),
        _ => None,
    };
    violations.into_result(whom)
}

/// Deletes expired data at startup and then daily, until dropped.
pub async fn keep_retention(parts: Arc<Parts>, retention: Retention) {
    let remove = || async {
        let over = parts.store.retain(&retention, parts.now()).await?;
        let removed = over.removed();
        if !removed.is_empty() {
            parts.seen.people_deleted();
        }
        Ok(removed)
    };
    store_kit::retention::daily(remove).await;
}
