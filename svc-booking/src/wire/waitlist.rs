//! Converts the waitlist between contract and domain.

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1 as proto;
use prost::Message as _;

use super::{proof, shown_attendant, timestamp};
use crate::domain::{
    calendar::{IST, time_label},
    roster::Roster,
    waitlist::{Entry, EntryForm, EntryState},
};

/// Returns the canonical bytes of a request, whose hash identifies retries.
pub fn entry_fingerprint(request: &proto::CreateWaitlistEntryRequest) -> Vec<u8> {
    let entry = request.entry.clone().unwrap_or_default();
    let body = proto::WaitlistEntry {
        patient_name: entry.patient_name,
        email: entry.email,
        phone: entry.phone,
        department: entry.department,
        doctor_id: entry.doctor_id,
        date: entry.date,
        ..proto::WaitlistEntry::default()
    };
    body.encode_to_vec()
}

pub fn entry_form(request: proto::CreateWaitlistEntryRequest) -> EntryForm {
    let entry = request.entry.unwrap_or_default();
    EntryForm {
        patient_name: entry.patient_name,
        email: entry.email,
        phone: entry.phone,
        department: entry.department,
        doctor_id: entry.doctor_id,
        date: entry.date,
        request_id: request.request_id,
    }
}

pub fn entry(entry: Entry, roster: &Roster, now: DateTime<Utc>) -> proto::WaitlistEntry {
    let state = entry.state(now);
    let offered = entry
        .offer_resource
        .as_ref()
        .filter(|_| state == EntryState::Offered)
        .and_then(|resource| roster.attendant(resource, &entry.department_id));
    let offer = entry
        .offer_starts_at
        .filter(|_| state == EntryState::Offered);
    let contact = entry.contact.unwrap_or_default();
    proto::WaitlistEntry {
        id: entry.id.to_string(),
        reference: entry.reference,
        patient_name: contact.patient_name,
        email: contact.email,
        phone: contact.phone,
        department: entry.department_id,
        doctor_id: entry.doctor_id.unwrap_or_default(),
        date: entry.date.to_string(),
        state: match state {
            EntryState::Waiting => proto::WaitlistState::Waiting,
            EntryState::Offered => proto::WaitlistState::Offered,
            EntryState::Booked => proto::WaitlistState::Booked,
            EntryState::Ended => proto::WaitlistState::Ended,
        }
        .into(),
        offer_time: offer
            .map(|at| time_label(at.with_timezone(&IST).time()))
            .unwrap_or_default(),
        offer_expire_time: offer.and(entry.offer_expire_time).map(timestamp),
        proof: entry.proof.map_or(proto::Proof::Unspecified, proof).into(),
        attendant: shown_attendant(offered),
        ..proto::WaitlistEntry::default()
    }
}
