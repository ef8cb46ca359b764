//! Converts leave requests between contract and domain.

use hospital_proto::booking::v1 as proto;
use service_kit::input::Violation;
use uuid::Uuid;

use super::{etag, timestamp};
use crate::domain::leave_request::{LeaveRequest, LeaveRequestForm, LeaveRequestState};

const PAGE_MAX: usize = 100;

pub fn leave_request_form(request: proto::LeaveRequest) -> LeaveRequestForm {
    LeaveRequestForm {
        from: request.from,
        until: request.until,
        reason: request.reason,
    }
}

/// Returns what identifies the request: the doctor and the typed text.
pub fn leave_request_fingerprint(doctor_id: &str, form: &LeaveRequestForm) -> proto::LeaveRequest {
    proto::LeaveRequest {
        doctor_id: doctor_id.to_owned(),
        from: form.from.clone(),
        until: form.until.clone(),
        reason: form.reason.clone(),
        ..proto::LeaveRequest::default()
    }
}

pub fn leave_request(request: LeaveRequest) -> proto::LeaveRequest {
    proto::LeaveRequest {
        id: request.id.to_string(),
        doctor_id: request.doctor_id,
        from: request.from.to_string(),
        until: request.until.to_string(),
        reason: request.reason,
        state: state(request.state).into(),
        answer: request.answer,
        etag: etag(request.version),
        create_time: Some(timestamp(request.create_time)),
        uncovers: 0,
        leave_deleted: false,
    }
}

fn state(state: LeaveRequestState) -> proto::LeaveRequestState {
    match state {
        LeaveRequestState::Waiting => proto::LeaveRequestState::Waiting,
        LeaveRequestState::Granted => proto::LeaveRequestState::Granted,
        LeaveRequestState::Declined => proto::LeaveRequestState::Declined,
        LeaveRequestState::Withdrawn => proto::LeaveRequestState::Withdrawn,
    }
}

/// Parses the size and the token of a page. A token is the id of the last request of the previous page.
pub fn leave_request_page(size: i32, token: &str) -> Result<(usize, Option<Uuid>), Vec<Violation>> {
    let rows = match usize::try_from(size) {
        Ok(0) => Some(PAGE_MAX),
        Ok(rows) => Some(rows.min(PAGE_MAX)),
        Err(_) => None,
    };
    let after = match token {
        "" => Some(None),
        token => Uuid::parse_str(token).ok().map(Some),
    };
    if let (Some(rows), Some(after)) = (rows, after) {
        return Ok((rows, after));
    }
    let size = "Ask for 1 to 100 requests, or leave it out";
    let token = "Use the nextPageToken of the page before, unchanged";
    let wrong = [
        rows.is_none().then(|| Violation::new("pageSize", size)),
        after.is_none().then(|| Violation::new("pageToken", token)),
    ];
    Err(wrong.into_iter().flatten().collect())
}
