//! Access for patients without a valid link: codes and links mailed to the address on file.

use std::sync::Arc;

use hospital_proto::booking::v1::{
    OpenAppointmentWithCodeRequest, OpenAppointmentWithCodeResponse, RequestAppointmentCodeRequest,
    RequestAppointmentCodeResponse, SendAppointmentLinkRequest, SendAppointmentLinkResponse,
    access_service_server::AccessService,
};
use service_kit::{
    input::{Problem, Violations},
    language::Language,
    status::{invalid_argument, with_reason},
};
use tonic::{Code, Request, Response, Status};

use super::{
    appointments::WRITE,
    caller::{APPOINTMENT_SECRET, Client, name},
    refusals::too_many_codes,
    traced,
};
use crate::{
    Parts,
    domain::code::typed,
    metrics::{CodeTry, count_code},
    secret::Given,
    store::{Claim, CodeOutcome},
};

/// Maximum length of a reference and of a phone number, in characters; `length_max` in the contract.
const FIELD_CHARS_MAX: usize = 32;
/// Minimum length of a phone number, in characters; `length_min` in the contract.
const PHONE_CHARS_MIN: usize = 7;

/// Serves `hospital.booking.v1.AccessService`.
#[derive(Debug)]
pub struct AccessRpcs(pub Arc<Parts>);

impl AccessRpcs {
    /// Returns the caller's claim. Only missing fields and lengths outside the contract are violations. An invalid value
    /// is treated like any unknown one.
    fn claim(
        &self,
        reference: &str,
        phone: &str,
        client: Client,
        violations: &mut Violations,
    ) -> Option<Claim> {
        let given = |text: &str, words: &'static str| {
            let text = text.trim();
            match text.chars().count() {
                0 => Err(Problem::Empty(words)),
                1..=FIELD_CHARS_MAX => Ok(text.to_owned()),
                _ => Err(Problem::TooLong {
                    chars_max: FIELD_CHARS_MAX,
                }),
            }
        };
        let reference = given(reference, "Enter the reference from your confirmation");
        let reference = violations.take("reference", reference);
        let phone = given(phone, "Enter the phone number that you gave when booking");
        let phone = phone.and_then(|phone| {
            let is_complete = phone.chars().count() >= PHONE_CHARS_MIN;
            is_complete.then_some(phone).ok_or(Problem::NoPhone)
        });
        let phone = violations.take("phone", phone);
        Some(self.0.store.claim(&reference?, &phone?, client.network))
    }
}

#[tonic::async_trait]
impl AccessService for AccessRpcs {
    async fn request_appointment_code(
        &self,
        request: Request<RequestAppointmentCodeRequest>,
    ) -> Result<Response<RequestAppointmentCodeResponse>, Status> {
        let parts = &self.0;
        let client = Client::of(&request, &parts.keys);
        let RequestAppointmentCodeRequest { reference, phone } = request.into_inner();
        let mut violations = Violations::default();
        let claim = self.claim(&reference, &phone, client, &mut violations);
        let claim = claim.ok_or_else(|| invalid_argument(&violations.into_vec()))?;
        let now = parts.now();
        let message_id = parts.ids.uuid_at(now);
        parts
            .store
            .request_code(claim, parts.ids.uuid(), message_id, now)
            .await?;
        Ok(Response::new(RequestAppointmentCodeResponse {}))
    }

    async fn open_appointment_with_code(
        &self,
        request: Request<OpenAppointmentWithCodeRequest>,
    ) -> Result<Response<OpenAppointmentWithCodeResponse>, Status> {
        let parts = &self.0;
        let client = Client::of(&request, &parts.keys);
        let language = Language::of_metadata(request.metadata());
        let OpenAppointmentWithCodeRequest {
            reference,
            phone,
            code,
        } = request.into_inner();
        let mut violations = Violations::default();
        let claim = self.claim(&reference, &phone, client, &mut violations);
        let code = typed(&code);
        let code = if code.is_empty() {
            Err("Enter the 6 digits from our e-mail")
        } else {
            Ok(code)
        };
        let code = violations.take("code", code);
        let (Some(claim), Some(code)) = (claim, code) else {
            return Err(invalid_argument(&violations.into_vec()));
        };
        let now = parts.now();
        match parts.store.open_with_code(claim, code, now).await? {
            CodeOutcome::Opened(appointment) => {
                count_code(CodeTry::Opened);
                traced::concerns(&appointment.reference);
                let roster = parts.store.rosters.known(now).await?;
                let given = Some(Given::ByMail);
                let appointment = parts.shown_to_patient(*appointment, &roster, given, language);
                Ok(Response::new(OpenAppointmentWithCodeResponse {
                    appointment: Some(appointment),
                }))
            }
            CodeOutcome::Wrong => {
                count_code(CodeTry::Wrong);
                Err(with_reason(
                    Code::FailedPrecondition,
                    "CODE_WRONG",
                    "This code doesn't match this reference and phone number. Check all three, or ask for a new code.",
                ))
            }
            CodeOutcome::TooMany(until) => {
                count_code(CodeTry::Refused);
                Err(too_many_codes(until - now))
            }
        }
    }

    async fn send_appointment_link(
        &self,
        request: Request<SendAppointmentLinkRequest>,
    ) -> Result<Response<SendAppointmentLinkResponse>, Status> {
        let parts = &self.0;
        let by = parts.by(&request, WRITE, APPOINTMENT_SECRET)?;
        // An invalid name is treated like an unknown one, and the response does not reveal the difference.
        if let Ok(name) = name(&request.into_inner().appointment_id) {
            let now = parts.now();
            let message_id = parts.ids.uuid_at(now);
            let found = parts.store.send_link(&name, by, message_id, now).await?;
            if let Some(appointment) = found {
                traced::concerns(&appointment.reference);
            }
        }
        Ok(Response::new(SendAppointmentLinkResponse {}))
    }
}
