//! Converts the waitlist between contract and domain.

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1 as proto;
use prost::Message as _;
use service_kit::input::{PhoneNumber, Violation, Violations};

use super::{code, proof, shown_attendant, timestamp};
use crate::{
    domain::{
        calendar::{IST, parse_date, time_label},
        roster::Roster,
        waitlist::{EndReason, Entry, EntryForm, EntryState, Removal},
    },
    store::{EntryFilter, EntryPosition, EntryStates},
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
    let etag = entry.etag();
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
        create_time: Some(timestamp(entry.create_time)),
        etag,
        // At most 3.
        offers: i32::try_from(entry.offers).unwrap_or(i32::MAX),
        end_reason: entry
            .end_reason
            .map_or(proto::WaitlistEndReason::Unspecified, end_reason)
            .into(),
        end_time: matches!(state, EntryState::Booked | EntryState::Ended)
            .then(|| timestamp(entry.update_time)),
        language: code(entry.language),
        ..proto::WaitlistEntry::default()
    }
}

fn end_reason(reason: EndReason) -> proto::WaitlistEndReason {
    match reason {
        EndReason::Left => proto::WaitlistEndReason::Left,
        EndReason::DayPast => proto::WaitlistEndReason::DayPast,
        EndReason::OffersExpired => proto::WaitlistEndReason::OffersExpired,
        EndReason::Removed(Removal::Asked) => proto::WaitlistEndReason::Asked,
        EndReason::Removed(Removal::OtherAppointment) => proto::WaitlistEndReason::OtherAppointment,
        EndReason::Removed(Removal::Unreachable) => proto::WaitlistEndReason::Unreachable,
        EndReason::Removed(Removal::NoTimes) => proto::WaitlistEndReason::NoTimes,
    }
}

/// Parses the reason of a removal by staff.
pub fn removal(reason: proto::WaitlistEndReason) -> Result<Removal, Vec<Violation>> {
    match reason {
        proto::WaitlistEndReason::Asked => Ok(Removal::Asked),
        proto::WaitlistEndReason::OtherAppointment => Ok(Removal::OtherAppointment),
        proto::WaitlistEndReason::Unreachable => Ok(Removal::Unreachable),
        proto::WaitlistEndReason::NoTimes => Ok(Removal::NoTimes),
        proto::WaitlistEndReason::Unspecified
        | proto::WaitlistEndReason::Left
        | proto::WaitlistEndReason::DayPast
        | proto::WaitlistEndReason::OffersExpired => {
            let words = "Give ASKED, OTHER_APPOINTMENT, UNREACHABLE or NO_TIMES";
            Err(vec![Violation::new("reason", words)])
        }
    }
}

/// Parses the filter of the staff's list.
pub fn entry_filter(
    request: &proto::ListWaitlistEntriesRequest,
    size: u32,
    roster: &Roster,
) -> Result<EntryFilter, Vec<Violation>> {
    let mut violations = Violations::default();
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let date = given(&request.date).and_then(|text| {
        violations.take(
            "date",
            parse_date(&text).ok_or("Give the day as YYYY-MM-DD"),
        )
    });
    let department_id = given(&request.department).and_then(|name| {
        let department = roster.department(&name).map(|found| found.id.clone());
        let words = "Choose a department from the list";
        violations.take("department", department.ok_or(words))
    });
    let is_search = given(&request.phone).is_some();
    let states = match given(&request.state) {
        None if is_search => Some(EntryStates::All),
        None => Some(EntryStates::Open),
        Some(word) => {
            let words = "Give waiting, offered, booked, ended or all";
            violations.take("state", entry_states(&word).ok_or(words))
        }
    };
    let phone = given(&request.phone)
        .and_then(|text| violations.take("phone", PhoneNumber::parse(&text)))
        .map(PhoneNumber::into_string);
    let after = given(&request.page_token).and_then(|token| {
        let words = "Use the nextPageToken of the page before, unchanged";
        violations.take("pageToken", entry_position(&token).ok_or(words))
    });
    violations.into_result(Some(EntryFilter {
        date,
        department_id,
        states: states.unwrap_or_default(),
        phone,
        after,
        size,
    }))
}

fn entry_states(word: &str) -> Option<EntryStates> {
    let word = word.to_ascii_lowercase();
    match word.strip_prefix("waitlist_state_").unwrap_or(&word) {
        "all" => Some(EntryStates::All),
        word => EntryState::parse(word).map(EntryStates::One),
    }
}

/// Returns the token for an entry's position in the list.
pub fn entry_token(entry: &Entry) -> String {
    let Entry {
        date,
        queue_time,
        id,
        department_id,
        ..
    } = entry;
    let micros = queue_time.timestamp_micros();
    format!("{date}_{micros}_{id}_{department_id}")
}

fn entry_position(token: &str) -> Option<EntryPosition> {
    let mut parts = token.splitn(4, '_');
    let date = parse_date(parts.next()?)?;
    let queue_time = DateTime::from_timestamp_micros(parts.next()?.parse().ok()?)?;
    let id = parts.next()?.parse().ok()?;
    // PostgreSQL rejects NUL in a text.
    let department_id = parts.next().filter(|id| !id.contains('\0'))?.to_owned();
    Some(EntryPosition {
        date,
        department_id,
        queue_time,
        id,
    })
}
