//! The staff calls. Every call, including reads, is recorded in the audit log.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use hospital_proto::booking::v1::{
    self as proto, BookAppointmentRequest, BookAppointmentResponse, CancelBurstRequest,
    CancelBurstResponse, DeleteAppointmentRequest, DeleteAppointmentResponse,
    ListAppointmentsRequest, ListAppointmentsResponse, ListAvailabilityResponse, ListBurstsRequest,
    ListBurstsResponse, ListDeskAvailabilityRequest, ListDeskAvailabilityResponse,
    NotifyUncoveredRequest, NotifyUncoveredResponse, SetAppointmentNoteRequest,
    SetAppointmentNoteResponse, SetAppointmentStatusRequest, SetAppointmentStatusResponse,
    UndoAppointmentStatusRequest, UndoAppointmentStatusResponse, desk_service_server::DeskService,
};
use prost::Message as _;
use service_kit::{
    input::{Paragraphs, Violation, Violations, optional},
    language::Language,
    status::invalid_argument,
};
use store_kit::{audit, creation};
use tonic::{Request, Response, Status};
use tracing::Instrument as _;

use super::{
    ATTEMPTS_MAX,
    appointments::{READ, WRITE},
    book::NewRequest,
    caller::name,
    refusals::roster_changes,
    traced,
};
use crate::{
    Parts,
    domain::{
        calendar::Lead,
        change::{Action, Appointment, Asked, Booker, MessageIds, UNDO_TIME},
        contact::DeskNote,
        roster::Roster,
        status::Status as AppointmentStatus,
    },
    metrics::Outcome,
    store::{Access, BurstSpan, By, ChangeOutcome, ChangeRequest, DESK, ListFilter},
    wire,
};

/// Maximum age of a listed burst, in days.
const BURSTS_DAYS_MAX: i64 = 30;
const BURST_BOOKINGS_DEFAULT: i32 = 10;
const BURST_BOOKINGS_MAX: i32 = 1000;
const NOTIFIED_MAX: usize = 100;
/// Maximum length of a note, in characters; `length_max` in the contract.
const NOTE_CHARS_MAX: usize = 300;
const KEPT_MAX: usize = 500;
const PAGE_MAX: i32 = 100;
const PAGE_DEFAULT: u32 = 50;

/// Serves `hospital.booking.v1.DeskService`.
#[derive(Debug)]
pub struct DeskRpcs(pub Arc<Parts>);

impl DeskRpcs {
    fn staff<T>(&self, request: &Request<T>, scope: &str) -> Result<Access, Status> {
        let caller = self.0.staff(request, scope)?;
        Ok(Access::Staff(caller.subject))
    }

    fn by_staff<T>(&self, request: &Request<T>, scope: &str) -> Result<By, Status> {
        let access = self.staff(request, scope)?;
        Ok(By {
            access,
            network: None,
            language: None,
        })
    }

    async fn shown(
        &self,
        appointments: Vec<Appointment>,
    ) -> Result<Vec<proto::Appointment>, Status> {
        let now = self.0.now();
        let roster = self.0.store.rosters.read(now).await?;
        Ok(appointments
            .into_iter()
            .map(|appointment| wire::appointment_at_desk(appointment, &roster, now))
            .collect())
    }

    async fn uncovered(
        &self,
        filter: &ListFilter,
        access: &Access,
    ) -> Result<(Vec<Appointment>, bool), Status> {
        let now = self.0.now();
        let roster = self.0.store.rosters.read(now).await?;
        let store = &self.0.store;
        Ok(store.uncovered(filter, &roster, access, now).await?)
    }

    /// Cancels one appointment of a burst. Returns `false` if it was changed concurrently.
    async fn cancel(
        &self,
        appointment: &Appointment,
        notify: bool,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<bool, Status> {
        let mut roster = self.0.store.rosters.known(now).await?;
        for _ in 0..ATTEMPTS_MAX {
            let request = ChangeRequest {
                id: appointment.id,
                version: appointment.version,
                asked: Asked {
                    action: Action::Cancel { notify },
                    actor: access.actor().to_owned(),
                    message_ids: MessageIds::new(self.0.ids.as_ref(), now),
                },
                by: By {
                    access: access.clone(),
                    network: None,
                    language: None,
                },
                request: None,
            };
            match self.0.store.change(request, roster, now).await? {
                ChangeOutcome::Changed { .. } => {
                    traced::done(&appointment.reference, "cancelled");
                    return Ok(true);
                }
                ChangeOutcome::RosterChanged => roster = self.0.store.rosters.read(now).await?,
                ChangeOutcome::Unchanged(_)
                | ChangeOutcome::Refused(_)
                | ChangeOutcome::Unknown => return Ok(false),
            }
        }
        Err(roster_changes())
    }
}

#[tonic::async_trait]
impl DeskService for DeskRpcs {
    async fn list_appointments(
        &self,
        request: Request<ListAppointmentsRequest>,
    ) -> Result<Response<ListAppointmentsResponse>, Status> {
        let access = self.staff(&request, READ)?;
        let request = request.into_inner();
        let now = self.0.now();
        let roster = self.0.store.rosters.known(now).await?;
        let size = page_size(request.page_size)?;
        let filter = wire::list_filter(&request, size, &roster)
            .map_err(|violations| invalid_argument(&violations))?;
        let (page, more) = if request.uncovered {
            self.uncovered(&filter, &access).await?
        } else {
            self.0.store.list(&filter, &access, now).await?
        };
        let last = page.last().filter(|_| more);
        let next_page_token = last.map(wire::page_token).unwrap_or_default();
        Ok(Response::new(ListAppointmentsResponse {
            appointments: self.shown(page).await?,
            next_page_token,
        }))
    }

    async fn list_desk_availability(
        &self,
        request: Request<ListDeskAvailabilityRequest>,
    ) -> Result<Response<ListDeskAvailabilityResponse>, Status> {
        self.staff(&request, READ)?;
        let request = wire::desk_times(request.into_inner());
        // Free times name no patient, so that there is nothing to audit.
        let ListAvailabilityResponse {
            days, attendants, ..
        } = self.0.availability(request, Lead::Desk).await?;
        Ok(Response::new(ListDeskAvailabilityResponse {
            days,
            attendants,
        }))
    }

    async fn book_appointment(
        &self,
        request: Request<BookAppointmentRequest>,
    ) -> Result<Response<BookAppointmentResponse>, Status> {
        let access = self.staff(&request, WRITE)?;
        let request = request.into_inner();
        let body = request.booking.clone().unwrap_or_default();
        let language = Language::of(&body.language);
        let body = body.encode_to_vec();
        let form = wire::desk_form(request);
        self.0.not_own("email", &form.email)?;
        let booking = NewRequest {
            parse: |roster: &Roster, now| form.parse(roster, now),
            kind: DESK,
            body,
            booker: Booker::Staff {
                actor: access.actor().to_owned(),
                arrived: form.arrived,
            },
            network: None,
            language,
        };
        let (appointment, outcome) = self.0.book(booking).await?;
        let undo_until = appointment.create_time + UNDO_TIME;
        let is_new = appointment.version == 1 && self.0.now() <= undo_until;
        let can_be_undone = is_new && appointment.status == AppointmentStatus::Arrived;
        let shown = self.0.shown(appointment, &access, None, None).await?;
        Ok(creation::reply(
            BookAppointmentResponse {
                appointment: Some(proto::Appointment {
                    undo_expire_time: can_be_undone.then(|| wire::timestamp(undo_until)),
                    ..shown
                }),
            },
            outcome == Outcome::Repeated,
        ))
    }

    async fn set_appointment_status(
        &self,
        request: Request<SetAppointmentStatusRequest>,
    ) -> Result<Response<SetAppointmentStatusResponse>, Status> {
        let by = self.by_staff(&request, WRITE)?;
        let request = request.into_inner();
        let status = wire::status_of(request.status())
            .ok_or_else(|| invalid_argument(&[Violation::new("status", wire::STATUSES)]))?;
        let action = Action::SetStatus(status);
        let appointment = self
            .0
            .act(&request.appointment_id, &request.etag, by, action)
            .await?;
        Ok(Response::new(SetAppointmentStatusResponse {
            appointment: Some(appointment),
        }))
    }

    async fn undo_appointment_status(
        &self,
        request: Request<UndoAppointmentStatusRequest>,
    ) -> Result<Response<UndoAppointmentStatusResponse>, Status> {
        let by = self.by_staff(&request, WRITE)?;
        let request = request.into_inner();
        let appointment = self
            .0
            .act(&request.appointment_id, &request.etag, by, Action::Undo)
            .await?;
        Ok(Response::new(UndoAppointmentStatusResponse {
            appointment: Some(appointment),
        }))
    }

    async fn set_appointment_note(
        &self,
        request: Request<SetAppointmentNoteRequest>,
    ) -> Result<Response<SetAppointmentNoteResponse>, Status> {
        let by = self.by_staff(&request, WRITE)?;
        let request = request.into_inner();
        let note = optional(Paragraphs::parse(&request.note, NOTE_CHARS_MAX))
            .map_err(|problem| invalid_argument(&[Violation::new("note", problem.to_string())]))?;
        let note = DeskNote(note.map(Paragraphs::into_string).unwrap_or_default());
        let action = Action::SetNote(note);
        let appointment = self
            .0
            .act(&request.appointment_id, &request.etag, by, action)
            .await?;
        Ok(Response::new(SetAppointmentNoteResponse {
            appointment: Some(appointment),
        }))
    }

    async fn delete_appointment(
        &self,
        request: Request<DeleteAppointmentRequest>,
    ) -> Result<Response<DeleteAppointmentResponse>, Status> {
        let by = self.by_staff(&request, WRITE)?;
        let request = request.into_inner();
        self.0
            .act(&request.appointment_id, &request.etag, by, Action::Delete)
            .await?;
        Ok(Response::new(DeleteAppointmentResponse {}))
    }

    async fn list_bursts(
        &self,
        request: Request<ListBurstsRequest>,
    ) -> Result<Response<ListBurstsResponse>, Status> {
        let access = self.staff(&request, READ)?;
        let ListBurstsRequest {
            since,
            bookings_min,
        } = request.into_inner();
        let now = self.0.now();
        let mut violations = Violations::default();
        let since = match since.map(wire::moment) {
            None => Some(now - TimeDelta::days(1)),
            Some(since) => violations.take(
                "since",
                since
                    .filter(|since| now - *since <= TimeDelta::days(BURSTS_DAYS_MAX))
                    .ok_or_else(|| format!("Give a time at most {BURSTS_DAYS_MAX} days back")),
            ),
        };
        let bookings_min = match bookings_min {
            0 => Some(BURST_BOOKINGS_DEFAULT),
            2..=BURST_BOOKINGS_MAX => Some(bookings_min),
            _ => violations.take(
                "bookingsMin",
                Err(format!("Give 2 to {BURST_BOOKINGS_MAX}, or leave it out")),
            ),
        };
        let (Some(since), Some(bookings_min)) = (since, bookings_min) else {
            return Err(invalid_argument(&violations.into_vec()));
        };
        let bursts = self.0.store.bursts(since, bookings_min.into()).await?;
        let entry = audit::Entry {
            actor: access.actor().to_owned(),
            action: "burst.list",
            subject: String::new(),
            detail: format!("{} bursts", bursts.len()),
        };
        self.0.store.note(Some(entry), now).await?;
        Ok(Response::new(ListBurstsResponse {
            bursts: bursts.iter().map(wire::burst).collect(),
        }))
    }

    async fn cancel_burst(
        &self,
        request: Request<CancelBurstRequest>,
    ) -> Result<Response<CancelBurstResponse>, Status> {
        let access = self.staff(&request, WRITE)?;
        let request = request.into_inner();
        let now = self.0.now();
        let span = burst_span(&request).map_err(|violations| invalid_argument(&violations))?;
        let found = self.0.store.of_burst(&span).await?;
        let mut told = std::collections::HashSet::new();
        let (mut references, mut shown) = (Vec::new(), Vec::new());
        for appointment in found.appointments {
            if request.keep.contains(&appointment.reference) {
                continue;
            }
            // Notifies an address once, not once per appointment: its owner may not have made the bookings.
            let email = appointment
                .contact
                .as_ref()
                .map(|contact| contact.email.to_lowercase());
            let notify = request.notify && email.is_some_and(|email| told.insert(email));
            let cancel = || {
                self.cancel(&appointment, notify, &access, now)
                    .instrument(traced::part(&appointment.reference))
            };
            if request.dry_run || cancel().await? {
                references.push(appointment.reference);
                shown.push(appointment.id);
                if !request.dry_run {
                    let department_id = &appointment.department_id;
                    self.0.appointment_changed(department_id, now).await;
                }
            }
        }
        if request.dry_run {
            let detail = format!("{} appointments of {}", references.len(), request.network);
            let entries = audit::Entry::of_page(access.actor(), "burst.read", &detail, &shown);
            self.0.store.note(entries, now).await?;
        }
        Ok(Response::new(CancelBurstResponse {
            references,
            more: found.more,
        }))
    }

    async fn notify_uncovered(
        &self,
        request: Request<NotifyUncoveredRequest>,
    ) -> Result<Response<NotifyUncoveredResponse>, Status> {
        let access = self.staff(&request, WRITE)?;
        let asked = request.into_inner().appointments;
        if asked.is_empty() || asked.len() > NOTIFIED_MAX {
            let words = format!("Name 1 to {NOTIFIED_MAX} appointments");
            return Err(invalid_argument(&[Violation::new("appointments", words)]));
        }
        for text in &asked {
            name(text)?;
        }
        let now = self.0.now();
        let roster = self.0.store.rosters.read(now).await?;
        let appointments = self.0.store.uncovered_of(&asked, &roster, now).await?;
        let told = appointments
            .iter()
            .map(|appointment| appointment.reference.clone())
            .collect();
        let ids = appointments
            .iter()
            .map(|_| self.0.ids.uuid_at(now))
            .collect();
        self.0
            .store
            .notify_uncovered(appointments, ids, &access, now)
            .await?;
        Ok(Response::new(NotifyUncoveredResponse { told }))
    }
}

/// Returns the page size: at most 100, 50 by default.
pub(super) fn page_size(asked: i32) -> Result<u32, Status> {
    match u32::try_from(asked.min(PAGE_MAX)) {
        Ok(0) => Ok(PAGE_DEFAULT),
        Ok(size) => Ok(size),
        Err(_) => {
            let words = "Ask for 1 to 100, or leave it out";
            Err(invalid_argument(&[Violation::new("pageSize", words)]))
        }
    }
}

fn burst_span(request: &CancelBurstRequest) -> Result<BurstSpan, Vec<Violation>> {
    let mut violations = Violations::default();
    let network = violations.take(
        "network",
        wire::network_of(&request.network).ok_or("Give the 16 hex digits of a burst"),
    );
    let moment = |at: Option<prost_types::Timestamp>| at.and_then(wire::moment);
    let from = violations.take("fromTime", moment(request.from_time).ok_or("Give a time"));
    let until = violations.take(
        "untilTime",
        moment(request.until_time)
            .filter(|until| from.is_none_or(|from| from < *until))
            .ok_or("Give a time after `fromTime`"),
    );
    if request.keep.len() > KEPT_MAX {
        violations.add("keep", format!("Give at most {KEPT_MAX} references"));
    }
    if !violations.is_empty() {
        return Err(violations.into_vec());
    }
    match (network, from, until) {
        (Some(network), Some(from), Some(until)) => Ok(BurstSpan {
            network,
            from,
            until,
        }),
        _ => Err(violations.into_vec()),
    }
}
