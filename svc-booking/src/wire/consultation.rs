//! Converts consultations between contract and domain.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use hospital_proto::booking::v1 as proto;
use prost::Message as _;
use service_kit::input::{Violation, Violations};
use uuid::Uuid;

use super::{code, timestamp};
use crate::{
    domain::{
        calendar::{parse_date, time_label},
        consultation::{
            Consultation, ConsultationForm, ConsultationStatus, UpdateForm, doctor_ids,
        },
        roster::Roster,
        seats::Resource,
    },
    store::consultations::{ConsultationQuery, Position},
};

const PAGE_SIZE_MAX: u32 = 100;
const PAGE_SIZE_DEFAULT: u32 = 50;

pub fn form(request: proto::CreateConsultationRequest) -> ConsultationForm {
    let body = request.consultation.unwrap_or_default();
    ConsultationForm {
        patient_name: body.patient_name,
        email: body.patient_email,
        phone: body.phone,
        description: body.description,
        date: body.date,
        department: body.department,
        request_id: request.request_id,
    }
}

/// Returns the canonical bytes of a request, whose hash identifies retries, even of requests that the present rules
/// refuse. Surrounding white space and the kind of line breaks make no difference.
///
/// Every build stores hashes of these exact bytes, so they must not change. A field added to the contract later must be
/// absent from the bytes of a request without it.
pub fn fingerprinted(form: &ConsultationForm) -> Vec<u8> {
    let trimmed = |text: &str| text.trim().to_owned();
    let description = form
        .description
        .replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    proto::Consultation {
        patient_name: trimmed(&form.patient_name),
        patient_email: trimmed(&form.email),
        phone: trimmed(&form.phone),
        description: trimmed(&description),
        date: trimmed(&form.date),
        department: trimmed(&form.department),
        ..proto::Consultation::default()
    }
    .encode_to_vec()
}

/// Converts a consultation for staff, without the choice of doctors.
pub fn whole(consultation: Consultation, roster: &Roster) -> proto::Consultation {
    let person = consultation.person;
    let department = consultation.department_id.unwrap_or_default();
    let doctor = consultation.doctor;
    let doctor_name = doctor
        .as_ref()
        .map(|doctor| doctor_name(roster, &doctor.id, &department));
    let (doctor_id, doctor_registration) = doctor
        .map(|doctor| (doctor.id, doctor.registration))
        .unwrap_or_default();
    proto::Consultation {
        id: consultation.id.to_string(),
        reference: consultation.reference,
        patient_name: person.name,
        patient_email: person.email.unwrap_or_default(),
        phone: person.phone.unwrap_or_default(),
        description: person.description.unwrap_or_default(),
        date: consultation.date.to_string(),
        time: consultation.time.map(time_label).unwrap_or_default(),
        link: person.link.unwrap_or_default(),
        status: status(consultation.status).into(),
        etag: consultation.version.to_string(),
        create_time: Some(timestamp(consultation.create_time)),
        department,
        doctor_id,
        doctor_name: doctor_name.unwrap_or_default(),
        doctor_registration,
        doctors: Vec::new(),
        language: code(consultation.language),
    }
}

/// Converts a consultation for staff who may allot a doctor.
pub fn with_doctors(
    consultation: Consultation,
    roster: &Roster,
    registrations: &BTreeMap<String, String>,
) -> proto::Consultation {
    let department_id = consultation.department_id.clone();
    let department = department_id.as_deref();
    let mut doctors: Vec<_> = doctor_ids(roster, department)
        .into_iter()
        .map(|id| proto::ConsultationDoctor {
            doctor_id: id.to_owned(),
            name: doctor_name(roster, id, department.unwrap_or_default()),
            registration: registrations.get(id).cloned().unwrap_or_default(),
        })
        .collect();
    doctors.sort_by(|one, other| one.name.cmp(&other.name));
    proto::Consultation {
        doctors,
        ..whole(consultation, roster)
    }
}

/// Converts a consultation for its requester, without the room's link.
pub fn without_link(consultation: Consultation, roster: &Roster) -> proto::Consultation {
    proto::Consultation {
        link: String::new(),
        ..whole(consultation, roster)
    }
}

/// Returns the doctor's name in the configuration.
pub fn doctor_name(roster: &Roster, id: &str, department_id: &str) -> String {
    let attendant = roster.attendant(&Resource::doctor(id), department_id);
    attendant.map_or_else(|| id.to_owned(), |attendant| attendant.name)
}

fn status(status: ConsultationStatus) -> proto::ConsultationStatus {
    match status {
        ConsultationStatus::Requested => proto::ConsultationStatus::Requested,
        ConsultationStatus::Scheduled => proto::ConsultationStatus::Scheduled,
        ConsultationStatus::Completed => proto::ConsultationStatus::Completed,
        ConsultationStatus::Cancelled => proto::ConsultationStatus::Cancelled,
        ConsultationStatus::NoShow => proto::ConsultationStatus::NoShow,
    }
}

/// Returns the status of a number of the contract; `None` keeps the present one.
fn status_of(number: i32) -> Result<Option<ConsultationStatus>, &'static str> {
    let named = proto::ConsultationStatus::try_from(number)
        .map_err(|_| "Choose a status of a consultation")?;
    Ok(match named {
        proto::ConsultationStatus::Unspecified => None,
        proto::ConsultationStatus::Requested => Some(ConsultationStatus::Requested),
        proto::ConsultationStatus::Scheduled => Some(ConsultationStatus::Scheduled),
        proto::ConsultationStatus::Completed => Some(ConsultationStatus::Completed),
        proto::ConsultationStatus::Cancelled => Some(ConsultationStatus::Cancelled),
        proto::ConsultationStatus::NoShow => Some(ConsultationStatus::NoShow),
    })
}

pub fn update(request: proto::UpdateConsultationRequest) -> Result<UpdateForm, Vec<Violation>> {
    let body = request.consultation.unwrap_or_default();
    let status =
        status_of(body.status).map_err(|problem| vec![Violation::new("status", problem)])?;
    Ok(UpdateForm {
        date: body.date,
        time: body.time,
        link: body.link,
        doctor_id: body.doctor_id,
        registration: body.doctor_registration,
        status,
        etag: request.etag,
    })
}

/// Parses the filter and the page.
pub fn query(
    request: &proto::ListConsultationsRequest,
) -> Result<ConsultationQuery, Vec<Violation>> {
    let mut violations = Violations::default();
    let rows_max = match u32::try_from(request.page_size) {
        Ok(0) => PAGE_SIZE_DEFAULT,
        Ok(size) => size.min(PAGE_SIZE_MAX),
        Err(_) => {
            violations.add(
                "pageSize",
                "Ask for 1 to 100 consultations, or leave it out",
            );
            PAGE_SIZE_DEFAULT
        }
    };
    let after = given(&request.page_token)
        .map(|token| position(token).ok_or("Use the nextPageToken of the page before, unchanged"))
        .transpose();
    let after = violations.take("pageToken", after).flatten();
    let from = violations.take("from", day(&request.from)).flatten();
    let to = violations.take("to", day(&request.to)).flatten();
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        violations.add("to", "Give a day that is not before the first one");
    }
    let status = given(&request.status)
        .map(|word| parse_status(word).ok_or("Give a status such as requested, or leave it out"))
        .transpose();
    let status = violations.take("status", status).flatten();
    violations.into_result(Some(ConsultationQuery {
        from,
        to,
        status,
        after,
        rows_max,
    }))
}

/// Parses `requested` or `CONSULTATION_STATUS_REQUESTED`.
fn parse_status(word: &str) -> Option<ConsultationStatus> {
    let word = word.to_ascii_lowercase();
    let short = word.strip_prefix("consultation_status_");
    ConsultationStatus::parse(short.unwrap_or(&word))
}

fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn day(text: &str) -> Result<Option<NaiveDate>, &'static str> {
    given(text)
        .map(|text| parse_date(text).ok_or("Give the day as YYYY-MM-DD"))
        .transpose()
}

/// Returns a token for the last consultation of a page. Rows inserted between two calls do not shift the pages.
pub fn page_token(last: &Consultation) -> String {
    format!("{}.{}", last.date, last.id.simple())
}

fn position(token: &str) -> Option<Position> {
    let (date, id) = token.split_once('.')?;
    Some(Position {
        date: parse_date(date)?,
        id: Uuid::parse_str(id).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::consultation::NewConsultation;

    fn request() -> proto::CreateConsultationRequest {
        proto::CreateConsultationRequest {
            consultation: Some(proto::Consultation {
                patient_name: " Asha Rao ".to_owned(),
                patient_email: "asha@example.com".to_owned(),
                phone: "+91 80 0000 0199".to_owned(),
                description: "one\r\ntwo".to_owned(),
                date: "2026-11-23".to_owned(),
                department: "cardiology".to_owned(),
                ..proto::Consultation::default()
            }),
            request_id: "0123456789abcdef".to_owned(),
        }
    }

    #[test]
    fn canonical_bytes_distinguish_requests_by_meaning() {
        let bytes = |change: fn(&mut proto::Consultation)| {
            let mut request = request();
            change(request.consultation.as_mut().expect("a body"));
            fingerprinted(&form(request))
        };
        let first = bytes(|_| {});
        for same in [
            (|body| body.patient_name = "Asha Rao".to_owned()) as fn(&mut proto::Consultation),
            |body| body.description = "one\ntwo ".to_owned(),
            |body| body.id = "output only".to_owned(),
            |body| body.link = "https://by.staff.example".to_owned(),
        ] {
            assert_eq!(bytes(same), first);
        }
        for other in [
            (|body| body.patient_email.clear()) as fn(&mut proto::Consultation),
            |body| body.phone.clear(),
            |body| body.date = "2026-11-24".to_owned(),
            |body| body.description.clear(),
            |body| body.department.clear(),
            |body| body.patient_name = "Asha".to_owned(),
        ] {
            assert_ne!(bytes(other), first);
        }
    }

    #[test]
    fn every_field_of_a_create_reaches_the_domain() {
        let now = "2026-11-21T09:30:00Z".parse().expect("a moment");
        let roster = crate::domain::roster::Seed::embedded().roster();
        let (id, new) = NewConsultation::parse(&form(request()), &roster, now).expect("valid");
        assert_eq!(id.as_str(), "0123456789abcdef");
        assert_eq!(new.person.email.as_deref(), Some("asha@example.com"));
        assert_eq!(new.person.phone.as_deref(), Some("+91 80 0000 0199"));
        assert_eq!(new.person.description.as_deref(), Some("one\ntwo"));
        assert_eq!(new.date.to_string(), "2026-11-23");
        assert_eq!(new.department_id.as_deref(), Some("cardiology"));
    }

    /// Hashes of older builds are those of requests without a department.
    #[test]
    fn bytes_without_a_department_are_those_of_older_builds() {
        let mut request = request();
        request
            .consultation
            .as_mut()
            .expect("a body")
            .department
            .clear();
        let bytes = fingerprinted(&form(request));
        let older = b"\x1a\x08Asha Rao\x22\x10asha@example.com\x2a\x10+91 80 0000 0199\x32\x07one\ntwo\x3a\x0a2026-11-23";
        assert_eq!(bytes, older);
    }

    #[test]
    fn a_query_is_limited_and_reports_all_violations() {
        let asked = proto::ListConsultationsRequest {
            page_size: 1000,
            status: "CONSULTATION_STATUS_NO_SHOW".to_owned(),
            page_token: format!("2026-11-23.{}", Uuid::from_u128(7).simple()),
            ..proto::ListConsultationsRequest::default()
        };
        let parsed = query(&asked).expect("valid");
        assert_eq!(parsed.rows_max, 100);
        assert_eq!(parsed.status, Some(ConsultationStatus::NoShow));
        assert_eq!(parsed.after.expect("a position").id, Uuid::from_u128(7));
        let bad = proto::ListConsultationsRequest {
            page_size: -1,
            page_token: "x.y".to_owned(),
            from: "soon".to_owned(),
            to: "2026-2-3".to_owned(),
            status: "lost".to_owned(),
        };
        let violations = query(&bad).expect_err("violations");
        let fields: Vec<_> = violations
            .iter()
            .map(|found| found.field.as_str())
            .collect();
        assert_eq!(fields, ["pageSize", "pageToken", "from", "to", "status"]);
    }
}
