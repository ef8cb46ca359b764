//! The cause of a notice and the proof of its address, by which the messaging service counts notices.

use hospital_proto::messaging::v1::{
    AppointmentEvent, NoticeCause, SendNoticeRequest, send_notice_request::Notice,
};
use store_kit::error::StoreError;

use crate::{
    domain::{
        change::{self, Appointment, PATIENT},
        consultation::{self, Consultation},
        proof::Proof,
        waitlist::{self, Entry},
    },
    store::{Store, hex},
};

/// Sets a patient as the cause, with the network if known.
pub(super) fn by_patient(
    request: SendNoticeRequest,
    network: Option<&[u8]>,
    proof: Proof,
) -> SendNoticeRequest {
    SendNoticeRequest {
        cause: NoticeCause::Patient.into(),
        network: network.map(hex).unwrap_or_default(),
        proven: proof.is_proven(),
        ..request
    }
}

/// Sets staff or a schedule as the cause.
pub(super) fn by(
    request: SendNoticeRequest,
    cause: NoticeCause,
    proof: Proof,
) -> SendNoticeRequest {
    SendNoticeRequest {
        cause: cause.into(),
        proven: proof.is_proven(),
        ..request
    }
}

/// Sets the cause of the notice from the change that made this version. News also get the reference of the person's
/// other appointment on that day. The mail may disclose it, because only the person reads the mail.
pub(super) async fn of_appointment(
    mut request: SendNoticeRequest,
    kind: &str,
    appointment: &Appointment,
    version: i64,
    store: &Store,
) -> Result<SendNoticeRequest, StoreError> {
    if let Some(Notice::Appointment(notice)) = &mut request.notice {
        let event = notice.event();
        let is_news = matches!(
            event,
            AppointmentEvent::Booked | AppointmentEvent::Moved | AppointmentEvent::Changed
        );
        if is_news {
            let other = store.other_that_day(appointment).await?;
            notice.other_reference = other.unwrap_or_default();
        }
    }
    let proof = appointment.proof;
    Ok(match kind {
        change::DAY_BEFORE | change::HOURS_BEFORE => by(request, NoticeCause::Reminder, proof),
        change::UNCOVERED => by(request, NoticeCause::Staff, proof),
        _ => match store.caused(appointment.id, version).await? {
            Some((actor, _)) if actor != PATIENT => by(request, NoticeCause::Staff, proof),
            Some((_, network)) => by_patient(request, network.as_deref(), proof),
            None => by_patient(request, None, proof),
        },
    })
}

pub(super) async fn of_entry(
    request: SendNoticeRequest,
    kind: &str,
    entry: &Entry,
    store: &Store,
) -> Result<SendNoticeRequest, StoreError> {
    let proof = entry.proof.unwrap_or_default();
    Ok(match kind {
        waitlist::JOINED => {
            let network = store.network_of_entry(entry.id).await?;
            by_patient(request, network.as_deref(), proof)
        }
        waitlist::REMOVED => by(request, NoticeCause::Staff, proof),
        _ => by(request, NoticeCause::Reminder, proof),
    })
}

pub(super) async fn of_consultation(
    request: SendNoticeRequest,
    kind: &str,
    consultation: &Consultation,
    store: &Store,
) -> Result<SendNoticeRequest, StoreError> {
    Ok(if kind == consultation::REQUESTED {
        let network = store.network_of_consultation(consultation.id).await?;
        by_patient(request, network.as_deref(), Proof::Unproven)
    } else {
        by(request, NoticeCause::Staff, Proof::Unproven)
    })
}
