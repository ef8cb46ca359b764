//! Reads and edits of the roster by staff.

use std::{sync::Arc, time::Duration};

use hospital_proto::booking::v1::{
    CreateHolidayRequest, CreateHolidayResponse, CreateLeaveRequest, CreateLeaveResponse,
    CreateSessionRequest, CreateSessionResponse, DeleteHolidayRequest, DeleteHolidayResponse,
    DeleteLeaveRequest, DeleteLeaveResponse, DeleteSessionRequest, DeleteSessionResponse, Holiday,
    ListHolidaysRequest, ListHolidaysResponse, ListLeavesRequest, ListLeavesResponse,
    ListSessionsRequest, ListSessionsResponse, Session, UpdateSessionRequest,
    UpdateSessionResponse, roster_service_server::RosterService,
};
use prost::Message as _;
use service_kit::{
    input::Violation,
    status::{invalid_argument, request_id_reused, with_reason},
};
use store_kit::{audit, requests::RequestKey};
use tonic::{Code, Request, Response, Status};
use uuid::Uuid;

use super::{
    appointments::parse_etag,
    caller::unknown,
    refusals::{etag_mismatch, roster_changes},
};
use crate::{
    Parts,
    domain::{
        calendar::parse_date,
        roster::{
            Roster,
            change::{Edit, Edited, parse_holiday},
        },
    },
    wire,
};

const READ: &str = "rosters:read";
const WRITE: &str = "rosters:write";
/// Message for an invalid page size.
const PAGE_SIZE: &str = "Ask for 1 to 100 entries, or leave it out";
const PAGE_MAX: usize = 100;

/// Serves `hospital.booking.v1.RosterService`.
#[derive(Debug)]
pub struct RosterRpcs(pub Arc<Parts>);

impl RosterRpcs {
    /// Returns the present roster and records the read in the audit log.
    async fn read<T>(
        &self,
        request: &Request<T>,
        action: &'static str,
    ) -> Result<Arc<Roster>, Status> {
        let caller = self.0.staff(request, READ)?;
        let now = self.0.now();
        let entry = audit::Entry {
            actor: caller.subject,
            action,
            subject: String::new(),
            detail: String::new(),
        };
        self.0.store.note(Some(entry), now).await?;
        Ok(self.0.store.rosters.read(now).await?)
    }

    async fn edit(
        &self,
        actor: &str,
        edit: Edit,
        request: Option<RequestKey>,
    ) -> Result<(String, Vec<Uuid>), Status> {
        let now = self.0.now();
        let ids = self.0.ids.as_ref();
        let edited = self
            .0
            .store
            .rosters
            .edit(edit, request, actor, ids, now)
            .await?;
        match edited {
            Edited::Done { id, affected, .. } => {
                self.0.seen.roster_changed();
                Ok((id, affected))
            }
            Edited::NotFound => Err(unknown()),
            Edited::EtagMismatch => Err(etag_mismatch()),
            Edited::RequestIdReused => Err(request_id_reused()),
            Edited::Full => Err(full()),
        }
    }

    /// Returns the first affected appointments and the total count.
    pub(super) async fn shown(
        &self,
        actor: &str,
        affected: &[Uuid],
    ) -> Result<(Vec<hospital_proto::booking::v1::Appointment>, i32), Status> {
        let now = self.0.now();
        let total = i32::try_from(affected.len()).unwrap_or(i32::MAX);
        let first = &affected[..affected.len().min(AFFECTED_SHOWN_MAX)];
        let appointments = self.0.store.opened(first).await?;
        if !first.is_empty() {
            let detail = format!("{} of {total} affected appointments", first.len());
            let entries = audit::Entry::of_page(actor, "appointment.list", &detail, first);
            self.0.store.note(entries, now).await?;
        }
        let roster = self.0.store.rosters.read(now).await?;
        let appointments = appointments
            .into_iter()
            .map(|appointment| wire::appointment_at_desk(appointment, &roster, now))
            .collect();
        Ok((appointments, total))
    }

    async fn session(&self, id: &str) -> Result<Session, Status> {
        let roster = self.0.store.rosters.read(self.0.now()).await?;
        let session = roster.sessions.iter().find(|session| session.id == id);
        session
            .map(|session| wire::session(session, &roster))
            .ok_or_else(roster_changes)
    }
}

/// Returns the error for a list of the roster that has reached its maximum length.
pub(super) fn full() -> Status {
    with_reason(
        Code::FailedPrecondition,
        "ROSTER_FULL",
        "The roster has the maximum number of entries of this kind. Remove some first.",
    )
}

/// Maximum affected appointments in the response to an edit; the rest are only counted.
const AFFECTED_SHOWN_MAX: usize = 100;
const WATCH_INTERVAL: Duration = Duration::from_hours(24);
const RETRY_INTERVAL: Duration = Duration::from_mins(1);

/// Logs a warning at startup and daily if the holiday list ends within a year, until dropped.
pub async fn watch_holidays(parts: Arc<Parts>) {
    loop {
        let now = parts.now();
        let pause = match parts.store.rosters.read(now).await {
            Ok(roster) => {
                roster.warn_of_ending_holidays(now);
                WATCH_INTERVAL
            }
            // The readiness check already logs that the database is unavailable.
            Err(_) => RETRY_INTERVAL,
        };
        tokio::time::sleep(pause).await;
    }
}

/// Returns a page of an in-memory list. A token is the key of the last entry of the previous page.
///
/// # Errors
/// Returns `INVALID_ARGUMENT` for a negative size.
fn page<'a, T>(
    all: &'a [T],
    size: i32,
    token: &str,
    key: impl Fn(&T) -> String,
) -> Result<(&'a [T], String), Status> {
    let size = match usize::try_from(size) {
        Ok(0) => PAGE_MAX,
        Ok(size) => size.min(PAGE_MAX),
        Err(_) => return Err(invalid_argument(&[Violation::new("pageSize", PAGE_SIZE)])),
    };
    let start = if token.is_empty() {
        0
    } else {
        // Works even if the token's entry was deleted meanwhile.
        all.iter()
            .position(|entry| key(entry).as_str() > token)
            .unwrap_or(all.len())
    };
    let rest = &all[start..];
    let page = &rest[..size.min(rest.len())];
    let more = page.len() < rest.len();
    let next = page.last().filter(|_| more).map(key).unwrap_or_default();
    Ok((page, next))
}

#[tonic::async_trait]
impl RosterService for RosterRpcs {
    async fn list_sessions(
        &self,
        request: Request<ListSessionsRequest>,
    ) -> Result<Response<ListSessionsResponse>, Status> {
        let roster = self.read(&request, "session.list").await?;
        let request = request.into_inner();
        let mut sessions = roster.sessions.clone();
        if !request.department.trim().is_empty() {
            let department = roster.department(&request.department).ok_or_else(|| {
                let words = "Choose a department from the list";
                invalid_argument(&[Violation::new("department", words)])
            })?;
            sessions.retain(|session| session.department_id == department.id);
        }
        sessions.sort_by(|one, other| one.id.cmp(&other.id));
        let token = &request.page_token;
        let (page, next_page_token) = page(&sessions, request.page_size, token, |session| {
            session.id.clone()
        })?;
        Ok(Response::new(ListSessionsResponse {
            sessions: page
                .iter()
                .map(|session| wire::session(session, &roster))
                .collect(),
            next_page_token,
        }))
    }

    async fn create_session(
        &self,
        request: Request<CreateSessionRequest>,
    ) -> Result<Response<CreateSessionResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let request = request.into_inner();
        let body = request.session.unwrap_or_default();
        let key = self.0.request_key(
            "sessions.create",
            &request.request_id,
            &body.encode_to_vec(),
        )?;
        let roster = self.0.store.rosters.read(self.0.now()).await?;
        let session = wire::session_form(body)
            .parse(&roster)
            .map_err(|violations| invalid_argument(&violations))?;
        let edit = Edit::CreateSession(session);
        let (id, _) = self.edit(&caller.subject, edit, Some(key)).await?;
        Ok(Response::new(CreateSessionResponse {
            session: Some(self.session(&id).await?),
        }))
    }

    async fn update_session(
        &self,
        request: Request<UpdateSessionRequest>,
    ) -> Result<Response<UpdateSessionResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let request = request.into_inner();
        let version = parse_etag(&request.etag)?;
        let roster = self.0.store.rosters.read(self.0.now()).await?;
        let session = wire::session_form(request.session.unwrap_or_default())
            .parse(&roster)
            .map_err(|violations| invalid_argument(&violations))?;
        let mut sessions = roster.sessions.iter();
        let present = sessions.find(|session| session.id == request.session_id);
        let edit = Edit::UpdateSession {
            id: request.session_id.clone(),
            version,
            // Safe without a lock: the edit is refused if the stored session is no longer at `version`.
            session: present.map_or(session.clone(), |present| session.or_as_in(present)),
        };
        let (id, affected) = self.edit(&caller.subject, edit, None).await?;
        let (affected, affected_total) = self.shown(&caller.subject, &affected).await?;
        Ok(Response::new(UpdateSessionResponse {
            session: Some(self.session(&id).await?),
            affected,
            affected_total,
        }))
    }

    async fn delete_session(
        &self,
        request: Request<DeleteSessionRequest>,
    ) -> Result<Response<DeleteSessionResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let request = request.into_inner();
        let edit = Edit::DeleteSession {
            version: parse_etag(&request.etag)?,
            id: request.session_id,
        };
        let (_, affected) = self.edit(&caller.subject, edit, None).await?;
        let (affected, affected_total) = self.shown(&caller.subject, &affected).await?;
        Ok(Response::new(DeleteSessionResponse {
            affected,
            affected_total,
        }))
    }

    async fn list_leaves(
        &self,
        request: Request<ListLeavesRequest>,
    ) -> Result<Response<ListLeavesResponse>, Status> {
        let roster = self.read(&request, "leave.list").await?;
        let request = request.into_inner();
        let wanted = request.resource.trim();
        let mut leaves = roster.leaves.clone();
        leaves.retain(|leave| wanted.is_empty() || leave.resource.as_str() == wanted);
        leaves.sort_by_key(|leave| leave.id);
        let token = &request.page_token;
        let (page, next_page_token) = page(&leaves, request.page_size, token, |leave| {
            leave.id.to_string()
        })?;
        Ok(Response::new(ListLeavesResponse {
            leaves: page.iter().map(wire::leave).collect(),
            next_page_token,
        }))
    }

    async fn create_leave(
        &self,
        request: Request<CreateLeaveRequest>,
    ) -> Result<Response<CreateLeaveResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let request = request.into_inner();
        let body = request.leave.unwrap_or_default();
        let key =
            self.0
                .request_key("leaves.create", &request.request_id, &body.encode_to_vec())?;
        let roster = self.0.store.rosters.read(self.0.now()).await?;
        let leave = wire::leave_form(body)
            .parse(&roster)
            .map_err(|violations| invalid_argument(&violations))?;
        let edit = Edit::CreateLeave(leave.clone());
        let (id, affected) = self.edit(&caller.subject, edit, Some(key)).await?;
        let (affected, affected_total) = self.shown(&caller.subject, &affected).await?;
        Ok(Response::new(CreateLeaveResponse {
            leave: Some(hospital_proto::booking::v1::Leave {
                id,
                ..wire::leave(&leave)
            }),
            affected,
            affected_total,
        }))
    }

    async fn delete_leave(
        &self,
        request: Request<DeleteLeaveRequest>,
    ) -> Result<Response<DeleteLeaveResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let id = request
            .into_inner()
            .leave_id
            .parse()
            .map_err(|_| unknown())?;
        self.edit(&caller.subject, Edit::DeleteLeave(id), None)
            .await?;
        Ok(Response::new(DeleteLeaveResponse {}))
    }

    async fn list_holidays(
        &self,
        request: Request<ListHolidaysRequest>,
    ) -> Result<Response<ListHolidaysResponse>, Status> {
        let roster = self.read(&request, "holiday.list").await?;
        let request = request.into_inner();
        let all: Vec<Holiday> = roster
            .holidays
            .iter()
            .map(|(date, name)| wire::holiday(*date, name))
            .collect();
        let token = &request.page_token;
        let (page, next_page_token) = page(&all, request.page_size, token, |holiday| {
            holiday.date.clone()
        })?;
        Ok(Response::new(ListHolidaysResponse {
            holidays: page.to_vec(),
            next_page_token,
        }))
    }

    async fn create_holiday(
        &self,
        request: Request<CreateHolidayRequest>,
    ) -> Result<Response<CreateHolidayResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let body = request.into_inner().holiday.unwrap_or_default();
        let (date, name) = parse_holiday(&body.date, &body.name)
            .map_err(|violations| invalid_argument(&violations))?;
        let holiday = wire::holiday(date, &name);
        let edit = Edit::WriteHoliday(date, name);
        let (_, affected) = self.edit(&caller.subject, edit, None).await?;
        let (affected, affected_total) = self.shown(&caller.subject, &affected).await?;
        Ok(Response::new(CreateHolidayResponse {
            holiday: Some(holiday),
            affected,
            affected_total,
        }))
    }

    async fn delete_holiday(
        &self,
        request: Request<DeleteHolidayRequest>,
    ) -> Result<Response<DeleteHolidayResponse>, Status> {
        let caller = self.0.staff(&request, WRITE)?;
        let date = parse_date(&request.into_inner().date).ok_or_else(unknown)?;
        self.edit(&caller.subject, Edit::DeleteHoliday(date), None)
            .await?;
        Ok(Response::new(DeleteHolidayResponse {}))
    }
}
