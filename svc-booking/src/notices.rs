//! Delivers the outbox's messages to the messaging service as notices to patients.
//!
//! The outbox holds ids only. The content of a notice is read at delivery to make it current. A notice is dropped when
//! the visit is over, the appointment was cancelled, the offer has ended or the person was erased. A retried delivery
//! has the same notice id, by which the receiver deduplicates.

mod cause;
pub mod connection;
mod request;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use hospital_proto::messaging::v1::{
    ForgetNoticesRequest, NoticeCause, SendNoticeRequest,
    notice_service_client::NoticeServiceClient, notice_service_server,
};
use serde::Deserialize;
use service_kit::{semconv, trace};
use store_kit::{
    error::StoreError,
    outbox::{Deliver, DeliveryError, Message, Pace},
};
use tonic::{Code, Request, Status};
use tracing::{Instrument as _, Span};
use uuid::Uuid;

use self::connection::{CALL_TIME_MAX, Messaging};
use crate::{
    Parts,
    domain::{change, code, consultation, waitlist},
    store::privacy,
};

/// Delivers this service's outbox.
#[derive(Debug)]
pub struct Notifier {
    parts: Arc<Parts>,
    messaging: Messaging,
}

/// Payload of a notice about an appointment.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AboutAppointment {
    appointment_id: Uuid,
    /// Version made by the change, used to find its actor. Builds before rosters sent booking notices only and wrote no
    /// version.
    #[serde(default = "first_version")]
    version: i64,
}

fn first_version() -> i64 {
    1
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AboutEntry {
    waitlist_entry_id: Uuid,
}

/// Payload of a link that was requested again.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AboutLink {
    appointment_id: Uuid,
    by_staff: bool,
    /// 16 hexadecimal digits; empty if unknown or requested by staff.
    network: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AboutCode {
    code_id: Uuid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AboutConsultation {
    consultation_id: Uuid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AboutErased {
    subject_ids: Vec<String>,
}

impl Notifier {
    /// Sends to `messaging`, which may be unreachable at first.
    pub fn new(parts: Arc<Parts>, messaging: Messaging) -> Self {
        Self { parts, messaging }
    }

    /// Builds the call that delivers `message`. Returns `None` if the notice was overtaken.
    async fn request(&self, message: &Message) -> Result<Option<SendNoticeRequest>, DeliveryError> {
        let now = self.parts.clock.now();
        let store = &self.parts.store;
        match message.kind.as_str() {
            change::BOOKED
            | change::CHANGED
            | change::MOVED
            | change::CANCELLED
            | change::UNCOVERED
            | change::DAY_BEFORE
            | change::HOURS_BEFORE => {
                let about: AboutAppointment = payload(message)?;
                let found = store.appointment(about.appointment_id).await;
                let Some(appointment) = found.map_err(temporary)? else {
                    return Ok(None);
                };
                let roster = store.rosters.known(now).await.map_err(temporary)?;
                let secret = store.mailed_secret(&appointment);
                let site = &self.parts.site;
                let notice =
                    request::appointment(message, &appointment, secret, &roster, site, now);
                let Some(notice) = notice else {
                    return Ok(None);
                };
                let kind = &message.kind;
                let caused =
                    cause::of_appointment(notice, kind, &appointment, about.version, store);
                caused.await.map(Some).map_err(temporary)
            }
            code::LINK => self.link(message).await,
            code::CODE => self.code(message).await,
            waitlist::JOINED | waitlist::OFFERED | waitlist::REMOVED => self.entry(message).await,
            consultation::REQUESTED | consultation::SCHEDULED | consultation::CANCELLED => {
                let about: AboutConsultation = payload(message)?;
                let found = store.consultation(about.consultation_id).await;
                let Some(consultation) = found.map_err(temporary)? else {
                    return Ok(None);
                };
                let roster = store.rosters.known(now).await.map_err(temporary)?;
                let Some(notice) = request::consultation(message, &consultation, &roster, now)
                else {
                    return Ok(None);
                };
                let caused = cause::of_consultation(notice, &message.kind, &consultation, store);
                caused.await.map(Some).map_err(temporary)
            }
            // A newer build may have written this message and will deliver it.
            unknown => Err(DeliveryError::Temporary(format!(
                "this build knows no notice `{unknown}`"
            ))),
        }
    }

    /// Builds the notice with the present link of an appointment, requested again.
    async fn link(&self, message: &Message) -> Result<Option<SendNoticeRequest>, DeliveryError> {
        let now = self.parts.clock.now();
        let store = &self.parts.store;
        let about: AboutLink = payload(message)?;
        let found = store.appointment(about.appointment_id).await;
        let Some(appointment) = found.map_err(temporary)? else {
            return Ok(None);
        };
        let roster = store.rosters.known(now).await.map_err(temporary)?;
        let secret = store.mailed_secret(&appointment);
        let site = &self.parts.site;
        let notice = request::appointment(message, &appointment, secret, &roster, site, now);
        let cause = if about.by_staff {
            NoticeCause::Staff
        } else {
            NoticeCause::Patient
        };
        Ok(notice.map(|notice| SendNoticeRequest {
            network: about.network,
            ..cause::by(notice, cause, appointment.proof)
        }))
    }

    /// Builds the notice with a code that opens an appointment.
    async fn code(&self, message: &Message) -> Result<Option<SendNoticeRequest>, DeliveryError> {
        let now = self.parts.clock.now();
        let store = &self.parts.store;
        let about: AboutCode = payload(message)?;
        let found = store.mailed_code(about.code_id, now).await;
        let Some(code) = found.map_err(temporary)? else {
            return Ok(None);
        };
        let found = store.appointment(code.appointment_id).await;
        let appointment = found.map_err(temporary)?;
        Ok(appointment.and_then(|appointment| {
            let notice = request::code(message, &appointment, &code, now)?;
            let network = code.network.as_deref();
            Some(cause::by_patient(notice, network, appointment.proof))
        }))
    }

    /// Builds the notice of a new waitlist entry, of an offer or of a removal.
    async fn entry(&self, message: &Message) -> Result<Option<SendNoticeRequest>, DeliveryError> {
        let now = self.parts.clock.now();
        let store = &self.parts.store;
        let about: AboutEntry = payload(message)?;
        let found = store.entry(about.waitlist_entry_id).await;
        let Some(entry) = found.map_err(temporary)? else {
            return Ok(None);
        };
        let roster = store.rosters.known(now).await.map_err(temporary)?;
        let secret = store.mailed_entry_secret(entry.id);
        let site = &self.parts.site;
        let notice = match message.kind.as_str() {
            waitlist::JOINED => request::joined(message, &entry, &secret, &roster, site, now),
            waitlist::REMOVED => request::removed(message, &entry, &roster, now),
            _ => request::offer(message, &entry, &secret, &roster, site, now),
        };
        let Some(notice) = notice else {
            return Ok(None);
        };
        let caused = cause::of_entry(notice, &message.kind, &entry, store);
        caused.await.map(Some).map_err(temporary)
    }

    fn client(&self) -> NoticeServiceClient<Messaging> {
        NoticeServiceClient::new(self.messaging.clone())
    }
}

#[async_trait]
impl Deliver for Notifier {
    /// Retries for about a week, at most ten minutes apart. A longer backoff could deliver a reminder two hours late
    /// after an outage of one hour. Overtaken notices are dropped at the next attempt.
    fn pace(&self) -> Pace {
        Pace {
            attempts_max: 1000,
            backoff_max: Duration::from_mins(10),
            ..Pace::default()
        }
    }

    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        if message.kind == privacy::FORGET {
            let AboutErased { subject_ids } = payload(message)?;
            let (request, span) = traced("ForgetNotices", ForgetNoticesRequest { subject_ids });
            let mut client = self.client();
            let call = client.forget_notices(request).instrument(span);
            return call.await.map(drop).map_err(|status| refused(&status));
        }
        let Some(request) = self.request(message).await? else {
            tracing::info!(message.id = %message.id, message.kind, "a notice was overtaken");
            return Ok(());
        };
        let (request, span) = traced("SendNotice", request);
        let mut client = self.client();
        let call = client.send_notice(request).instrument(span);
        call.await.map(drop).map_err(|status| refused(&status))
    }
}

/// Wraps a call in a client span and propagates it as the parent of the receiver's spans.
fn traced<T>(rpc: &str, message: T) -> (Request<T>, Span) {
    let method = format!("{}/{rpc}", notice_service_server::SERVICE_NAME);
    let span = tracing::info_span!(
        "rpc",
        { semconv::OTEL_NAME } = method,
        { semconv::OTEL_KIND } = "client",
        { semconv::RPC_SYSTEM_NAME } = semconv::GRPC,
        { semconv::RPC_METHOD } = method,
    );
    let mut request = Request::new(message);
    request.set_timeout(CALL_TIME_MAX);
    trace::inject(&span, request.metadata_mut());
    (request, span)
}

fn payload<T: for<'a> Deserialize<'a>>(message: &Message) -> Result<T, DeliveryError> {
    serde_json::from_str(&message.payload)
        .map_err(|error| DeliveryError::Permanent(format!("the payload cannot be read: {error}")))
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn temporary(error: StoreError) -> DeliveryError {
    DeliveryError::Temporary(error.to_string())
}

/// Maps a failed call to a delivery error. Only `INVALID_ARGUMENT` is permanent. Keeps only the code, because the
/// status message may quote a field.
fn refused(status: &Status) -> DeliveryError {
    match status.code() {
        Code::InvalidArgument => {
            DeliveryError::Permanent("messaging refused the notice: INVALID_ARGUMENT".to_owned())
        }
        code => DeliveryError::Temporary(format!("messaging answered {code:?}")),
    }
}

#[cfg(test)]
mod tests;
