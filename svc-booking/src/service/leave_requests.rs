//! Leave that doctors ask for, and the decisions of those who keep the roster.

use std::sync::Arc;

use hospital_proto::booking::v1::{
    DeclineLeaveRequestRequest, DeclineLeaveRequestResponse, GrantLeaveRequestRequest,
    GrantLeaveRequestResponse, LeaveRequest, ListLeaveRequestsRequest, ListLeaveRequestsResponse,
    ListOwnLeaveRequestsRequest, ListOwnLeaveRequestsResponse, RequestLeaveRequest,
    RequestLeaveResponse, WithdrawLeaveRequestRequest, WithdrawLeaveRequestResponse,
    leave_request_service_server::LeaveRequestService,
};
use prost::Message as _;
use service_kit::{
    input::Violation,
    status::{invalid_argument, with_reason},
};
use store_kit::{audit, creation};
use tonic::{Code, Request, Response, Status};
use uuid::Uuid;

use super::{appointments::parse_etag, caller::unknown, roster::RosterRpcs};
use crate::{
    Parts,
    domain::{
        leave_request::{
            self, LeaveRequestState, Overlap, Ruled, Ruling, WAITING_MAX, parse_answer,
        },
        roster::Roster,
        seats::Resource,
    },
    store::{REQUEST_LEAVE, Requested},
    wire,
};

const ASK: &str = "leaves:request";
const DECIDE: &str = "rosters:write";
const LIST: &str = "leave_request.list";

/// Serves `hospital.booking.v1.LeaveRequestService`.
#[derive(Debug)]
pub struct LeaveRequestRpcs(pub Arc<Parts>);

/// A doctor who calls.
struct Doctor {
    subject: String,
    id: String,
}

impl LeaveRequestRpcs {
    /// Authenticates a doctor. The token alone names the doctor: no call has a field for it.
    fn doctor<T>(&self, request: &Request<T>) -> Result<Doctor, Status> {
        let caller = self.0.staff(request, ASK)?;
        let id = caller.doctor.ok_or_else(|| {
            with_reason(
                Code::PermissionDenied,
                "DOCTOR_MISSING",
                "This account belongs to no doctor of the roster.",
            )
        })?;
        Ok(Doctor {
            subject: caller.subject,
            id,
        })
    }

    async fn rule(
        &self,
        id: &str,
        etag: &str,
        ruling: Ruling,
        actor: &str,
    ) -> Result<(leave_request::LeaveRequest, Vec<Uuid>), Status> {
        let parts = &self.0;
        let version = parse_etag(etag)?;
        let id = id.parse().map_err(|_| unknown())?;
        let rosters = &parts.store.rosters;
        let ruled = rosters.rule(id, version, ruling, actor, parts.ids.as_ref(), parts.now());
        match ruled.await? {
            Ruled::Done { request, affected } => Ok((*request, affected)),
            Ruled::NotFound => Err(unknown()),
            Ruled::Changed(state) => Err(changed(state)),
            Ruled::Over => Err(with_reason(
                Code::FailedPrecondition,
                "LEAVE_OVER",
                "The last day of this leave is past. Decline the request instead.",
            )),
            Ruled::Full => Err(super::roster::full()),
        }
    }

    async fn note_list(
        &self,
        actor: &str,
        page: &[leave_request::LeaveRequest],
    ) -> Result<(), Status> {
        let ids: Vec<Uuid> = page.iter().map(|request| request.id).collect();
        let detail = format!("{} leave requests", ids.len());
        let entries = audit::Entry::of_page(actor, LIST, &detail, &ids);
        Ok(self.0.store.note(entries, self.0.now()).await?)
    }
}

/// Returns the error for a request that is not as it was read. It names the present state.
fn changed(state: LeaveRequestState) -> Status {
    let message = match state {
        LeaveRequestState::Waiting => "The request has changed since it was read.",
        LeaveRequestState::Granted => "The request has been granted by now.",
        LeaveRequestState::Declined => "The request has been declined by now.",
        LeaveRequestState::Withdrawn => "The doctor has withdrawn the request by now.",
    };
    with_reason(Code::Aborted, "ETAG_MISMATCH", message)
}

fn has_sessions(roster: &Roster, doctor_id: &str) -> bool {
    let resource = Resource::doctor(doctor_id);
    let mut sessions = roster.sessions.iter();
    sessions.any(|session| session.resource() == resource)
}

fn next_token(page: &[leave_request::LeaveRequest], more: bool) -> String {
    let last = page.last().filter(|_| more);
    last.map(|request| request.id.to_string())
        .unwrap_or_default()
}

#[tonic::async_trait]
impl LeaveRequestService for LeaveRequestRpcs {
    async fn request_leave(
        &self,
        request: Request<RequestLeaveRequest>,
    ) -> Result<Response<RequestLeaveResponse>, Status> {
        let parts = &self.0;
        let doctor = self.doctor(&request)?;
        let request = request.into_inner();
        let now = parts.now();
        let form = wire::leave_request_form(request.leave_request.unwrap_or_default());
        // The key is of one doctor: the same form sent by two accounts asks for the leave of two doctors.
        let body = wire::leave_request_fingerprint(&doctor.id, &form).encode_to_vec();
        let key = parts.request_key(REQUEST_LEAVE, &request.request_id, &body)?;
        let wanted = form
            .parse(now)
            .map_err(|violations| invalid_argument(&violations))?;
        let roster = parts.store.rosters.read(now).await?;
        if !has_sessions(&roster, &doctor.id) {
            return Err(with_reason(
                Code::FailedPrecondition,
                "DOCTOR_UNKNOWN",
                "The roster has no sessions of yours, so there is nothing to take leave from.",
            ));
        }
        let rosters = &parts.store.rosters;
        let ids = parts.ids.as_ref();
        let requested = rosters.request_leave(&doctor.id, wanted, key, &doctor.subject, ids, now);
        let created = match requested.await? {
            Requested::Answered(creation) => creation,
            Requested::Overlaps(overlap) => {
                let words = match overlap {
                    Overlap::Leave => "You have leave on some of these days already",
                    Overlap::Request => {
                        "Another request of yours for some of these days is waiting"
                    }
                };
                return Err(invalid_argument(&[Violation::new("from", words)]));
            }
            Requested::TooMany => {
                let words = format!(
                    "{WAITING_MAX} requests of yours are waiting. Withdraw one, or wait for a decision."
                );
                let reason = "LEAVE_REQUESTS_MAX";
                return Err(with_reason(Code::FailedPrecondition, reason, &words));
            }
        };
        let (created, replayed) = created.into_answer()?;
        parts.seen.leave_requests_changed();
        let leave_request = Some(wire::leave_request(created));
        Ok(creation::reply(
            RequestLeaveResponse { leave_request },
            replayed,
        ))
    }

    async fn list_own_leave_requests(
        &self,
        request: Request<ListOwnLeaveRequestsRequest>,
    ) -> Result<Response<ListOwnLeaveRequestsResponse>, Status> {
        let parts = &self.0;
        let doctor = self.doctor(&request)?;
        let request = request.into_inner();
        let (size, before) = wire::leave_request_page(request.page_size, &request.page_token)
            .map_err(|violations| invalid_argument(&violations))?;
        let rosters = &parts.store.rosters;
        let (page, more) = rosters.leave_requests_of(&doctor.id, before, size).await?;
        self.note_list(&doctor.subject, &page).await?;
        let now = parts.now();
        let roster = rosters.read(now).await?;
        let next_page_token = next_token(&page, more);
        let shown = |request: leave_request::LeaveRequest| LeaveRequest {
            leave_deleted: request.lacks_leave(&roster, now),
            ..wire::leave_request(request)
        };
        Ok(Response::new(ListOwnLeaveRequestsResponse {
            leave_requests: page.into_iter().map(shown).collect(),
            next_page_token,
        }))
    }

    async fn withdraw_leave_request(
        &self,
        request: Request<WithdrawLeaveRequestRequest>,
    ) -> Result<Response<WithdrawLeaveRequestResponse>, Status> {
        let doctor = self.doctor(&request)?;
        let WithdrawLeaveRequestRequest {
            leave_request_id,
            etag,
        } = request.into_inner();
        let ruling = Ruling::Withdraw {
            doctor_id: doctor.id,
        };
        let ruled = self.rule(&leave_request_id, &etag, ruling, &doctor.subject);
        let leave_request = Some(wire::leave_request(ruled.await?.0));
        self.0.seen.leave_requests_changed();
        Ok(Response::new(WithdrawLeaveRequestResponse {
            leave_request,
        }))
    }

    async fn list_leave_requests(
        &self,
        request: Request<ListLeaveRequestsRequest>,
    ) -> Result<Response<ListLeaveRequestsResponse>, Status> {
        let parts = &self.0;
        let caller = parts.staff(&request, DECIDE)?;
        let request = request.into_inner();
        let (size, after) = wire::leave_request_page(request.page_size, &request.page_token)
            .map_err(|violations| invalid_argument(&violations))?;
        let rosters = &parts.store.rosters;
        let (page, more) = rosters.waiting_leave_requests(after, size).await?;
        let uncovers = rosters.uncovered_by(&page, parts.now()).await?;
        self.note_list(&caller.subject, &page).await?;
        let next_page_token = next_token(&page, more);
        let shown = |(request, uncovers): (_, usize)| LeaveRequest {
            uncovers: i32::try_from(uncovers).unwrap_or(i32::MAX),
            ..wire::leave_request(request)
        };
        Ok(Response::new(ListLeaveRequestsResponse {
            leave_requests: page.into_iter().zip(uncovers).map(shown).collect(),
            next_page_token,
        }))
    }

    async fn grant_leave_request(
        &self,
        request: Request<GrantLeaveRequestRequest>,
    ) -> Result<Response<GrantLeaveRequestResponse>, Status> {
        let caller = self.0.staff(&request, DECIDE)?;
        let GrantLeaveRequestRequest {
            leave_request_id,
            etag,
        } = request.into_inner();
        let ruled = self.rule(&leave_request_id, &etag, Ruling::Grant, &caller.subject);
        let (granted, affected) = ruled.await?;
        // Covers the lists of requests.
        self.0.seen.roster_changed();
        let rosters = RosterRpcs(Arc::clone(&self.0));
        let (affected, affected_total) = rosters.shown(&caller.subject, &affected).await?;
        Ok(Response::new(GrantLeaveRequestResponse {
            leave_request: Some(wire::leave_request(granted)),
            affected,
            affected_total,
        }))
    }

    async fn decline_leave_request(
        &self,
        request: Request<DeclineLeaveRequestRequest>,
    ) -> Result<Response<DeclineLeaveRequestResponse>, Status> {
        let caller = self.0.staff(&request, DECIDE)?;
        let DeclineLeaveRequestRequest {
            leave_request_id,
            etag,
            answer,
        } = request.into_inner();
        let answer = parse_answer(&answer).map_err(|violations| invalid_argument(&violations))?;
        let ruling = Ruling::Decline { answer };
        let ruled = self.rule(&leave_request_id, &etag, ruling, &caller.subject);
        let leave_request = Some(wire::leave_request(ruled.await?.0));
        self.0.seen.leave_requests_changed();
        Ok(Response::new(DeclineLeaveRequestResponse { leave_request }))
    }
}
