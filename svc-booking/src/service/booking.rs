//! The visitors' calls: find a time, hold it, book it, and change one's own appointment.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::{
    booking::v1::{
        CancelAppointmentRequest, CancelAppointmentResponse, CreateAppointmentRequest,
        CreateAppointmentResponse, CreateHoldRequest, CreateHoldResponse, DeleteHoldRequest,
        DeleteHoldResponse, GetAppointmentCalendarRequest, GetAppointmentRequest,
        GetAppointmentResponse, ListAvailabilityRequest, ListAvailabilityResponse,
        ListDepartmentsRequest, ListDepartmentsResponse, ListFreeTimesRequest,
        ListFreeTimesResponse, ListNextAvailableRequest, ListNextAvailableResponse,
        MoveAppointmentRequest, MoveAppointmentResponse, UpdateAppointmentRequest,
        UpdateAppointmentResponse, booking_service_server::BookingService,
    },
    google::api::HttpBody,
};
use service_kit::{language::Language, status::invalid_argument};
use store_kit::creation;
use tonic::{Request, Response, Status};

use super::{
    ATTEMPTS_MAX,
    appointments::{READ, WRITE, language_of_file},
    book::NewRequest,
    caller::{APPOINTMENT_SECRET, Client, name},
    refusals::{roster_changes, slot_taken, too_many_holds},
};
use crate::{
    Parts,
    domain::{
        appointment::NewAppointment,
        calendar::Lead,
        change::{Action, Booker},
        roster::Roster,
        seats::{Seat, Wanted},
    },
    metrics::{Outcome, count_hold, count_refused_hold},
    secret::Given,
    store::{CREATE, HoldOutcome, NewHold},
    wire,
};

/// Serves `hospital.booking.v1.BookingService`.
#[derive(Debug)]
pub struct BookingRpcs(pub Arc<Parts>);

impl BookingRpcs {
    /// Places a hold. Before a refusal, the request is checked against the latest roster.
    async fn hold(
        &self,
        request: CreateHoldRequest,
        client: Client,
    ) -> Result<(NewHold, Seat), Status> {
        let parts = &self.0;
        let now = parts.now();
        let form = wire::hold_form(request.hold.unwrap_or_default());
        let id = parts.ids.uuid();
        let mut roster = parts.store.rosters.known(now).await?;
        for _ in 0..ATTEMPTS_MAX {
            match form.parse(&roster, now) {
                Ok((wanted, replaces)) => {
                    let new = NewHold {
                        id,
                        wanted,
                        visitor: client.visitor_or(id, &parts.keys),
                        network: client
                            .network
                            .unwrap_or_else(|| client.visitor_or(id, &parts.keys)),
                        replaces,
                        expire_time: now + parts.hold_time,
                    };
                    let outcome = parts
                        .store
                        .hold(new.clone(), Arc::clone(&roster), now)
                        .await?;
                    match outcome {
                        HoldOutcome::Held(seat) => return Ok((new, seat)),
                        HoldOutcome::SlotTaken => {
                            return Err(parts.taken(&new.wanted, Lead::Online, now).await);
                        }
                        HoldOutcome::TooMany { limit, until } => {
                            count_refused_hold(limit);
                            return Err(too_many_holds(until - now));
                        }
                        HoldOutcome::RosterChanged => {}
                    }
                }
                Err(violations) => {
                    let fresh = parts.store.rosters.read(now).await?;
                    if fresh.revision == roster.revision {
                        return Err(invalid_argument(&violations));
                    }
                }
            }
            roster = parts.store.rosters.read(now).await?;
        }
        Err(roster_changes())
    }
}

impl Parts {
    /// Returns the status for a taken time, with free times nearby if they can be found.
    pub(super) async fn taken(&self, wanted: &Wanted, lead: Lead, now: DateTime<Utc>) -> Status {
        match self.alternatives(wanted, lead, now).await {
            Ok(free) => slot_taken(&free),
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "alternative times were not read"
                );
                slot_taken(&[])
            }
        }
    }

    /// Notifies watchers that the seats of a department changed.
    pub(super) async fn seats_changed(&self, department_id: &str, now: DateTime<Utc>) {
        if let Ok(roster) = self.store.rosters.known(now).await
            && let Some(department) = roster.department(department_id)
        {
            self.seen.seats_changed(department);
        }
    }

    /// Notifies watchers that an appointment of a department changed.
    pub(super) async fn appointment_changed(&self, department_id: &str, now: DateTime<Utc>) {
        let roster = self.store.rosters.known(now).await.ok();
        let department = roster.as_ref();
        let department = department.and_then(|roster| roster.department(department_id));
        self.seen.appointment_changed(department);
    }
}

#[tonic::async_trait]
impl BookingService for BookingRpcs {
    async fn list_departments(
        &self,
        request: Request<ListDepartmentsRequest>,
    ) -> Result<Response<ListDepartmentsResponse>, Status> {
        let listed = self.0.departments(request.into_inner()).await?;
        Ok(Response::new(listed))
    }

    async fn list_availability(
        &self,
        request: Request<ListAvailabilityRequest>,
    ) -> Result<Response<ListAvailabilityResponse>, Status> {
        let listed = self
            .0
            .availability(request.into_inner(), Lead::Online)
            .await?;
        Ok(Response::new(listed))
    }

    async fn list_free_times(
        &self,
        request: Request<ListFreeTimesRequest>,
    ) -> Result<Response<ListFreeTimesResponse>, Status> {
        let listed = self.0.free_times(request.into_inner()).await?;
        Ok(Response::new(listed))
    }

    async fn list_next_available(
        &self,
        request: Request<ListNextAvailableRequest>,
    ) -> Result<Response<ListNextAvailableResponse>, Status> {
        let listed = self.0.next_available(request.get_ref()).await?;
        Ok(Response::new(listed))
    }

    async fn create_hold(
        &self,
        request: Request<CreateHoldRequest>,
    ) -> Result<Response<CreateHoldResponse>, Status> {
        let client = Client::of(&request, &self.0.keys);
        let held = self.hold(request.into_inner(), client).await;
        count_hold(
            held.as_ref()
                .map_or_else(|status| Outcome::of(status.code()), |_| Outcome::Booked),
        );
        let (held, seat) = held?;
        let now = self.0.now();
        let department_id = &held.wanted.department_id;
        self.0.seats_changed(department_id, now).await;
        let roster = self.0.store.rosters.known(now).await?;
        Ok(Response::new(CreateHoldResponse {
            hold: Some(wire::hold(&held, &seat.resource, &roster)),
        }))
    }

    async fn delete_hold(
        &self,
        request: Request<DeleteHoldRequest>,
    ) -> Result<Response<DeleteHoldResponse>, Status> {
        let parts = &self.0;
        if let Ok(id) = request.into_inner().hold_id.parse()
            && let Some(seat) = parts.store.release(id, parts.now()).await?
        {
            let now = parts.now();
            let roster = parts.store.rosters.known(now).await?;
            for department in roster.departments_of(&seat.resource) {
                parts.seen.seats_changed(department);
            }
        }
        Ok(Response::new(DeleteHoldResponse {}))
    }

    async fn create_appointment(
        &self,
        request: Request<CreateAppointmentRequest>,
    ) -> Result<Response<CreateAppointmentResponse>, Status> {
        let client = Client::of(&request, &self.0.keys);
        let language = Language::of_metadata(request.metadata());
        let request = request.into_inner();
        let body = wire::fingerprinted(&request);
        let form = wire::booking_request(request);
        self.0.not_own("email", &form.appointment.email)?;
        let booking = NewRequest {
            parse: |roster: &Roster, now| NewAppointment::parse(&form, roster, now),
            kind: CREATE,
            body,
            booker: Booker::Patient,
            network: client.network,
            language,
        };
        let (appointment, outcome) = self.0.book(booking).await?;
        // A retry returns the secret only while it is still the first one. A caller who can repeat the whole request is
        // its sender.
        let is_first = appointment.secret_generation == 1;
        let roster = self.0.store.rosters.known(self.0.now()).await?;
        let given = is_first.then_some(Given::InAnswer);
        let appointment = self
            .0
            .shown_to_patient(appointment, &roster, given, language);
        Ok(creation::reply(
            CreateAppointmentResponse {
                appointment: Some(appointment),
            },
            outcome == Outcome::Repeated,
        ))
    }

    async fn get_appointment(
        &self,
        request: Request<GetAppointmentRequest>,
    ) -> Result<Response<GetAppointmentResponse>, Status> {
        let access = self.0.access(&request, READ, APPOINTMENT_SECRET)?;
        let language = Language::of_metadata(request.metadata());
        let name = self
            .0
            .appointment_name(&request.into_inner().appointment_id)?;
        let appointment = self.0.reach(&name, &access, "appointment.read").await?;
        let appointment = self.0.shown(appointment, &access, None, language);
        let appointment = appointment.await?;
        Ok(Response::new(GetAppointmentResponse {
            appointment: Some(appointment),
        }))
    }

    async fn get_appointment_calendar(
        &self,
        request: Request<GetAppointmentCalendarRequest>,
    ) -> Result<Response<HttpBody>, Status> {
        let access = self.0.access(&request, READ, APPOINTMENT_SECRET)?;
        let language = Language::of_metadata(request.metadata());
        let name = name(&request.into_inner().appointment_id)?;
        let appointment = self.0.reach(&name, &access, "appointment.calendar").await?;
        let roster = self.0.store.rosters.known(self.0.now()).await?;
        let entry =
            wire::calendar_entry(&appointment, &roster, language_of_file(&access, language));
        Ok(Response::new(HttpBody {
            content_type: entry.content_type(),
            data: crate::calendar_file::calendar_file(&entry, &self.0.site).into_bytes(),
            extensions: Vec::new(),
        }))
    }

    async fn update_appointment(
        &self,
        request: Request<UpdateAppointmentRequest>,
    ) -> Result<Response<UpdateAppointmentResponse>, Status> {
        let by = self.0.by(&request, WRITE, APPOINTMENT_SECRET)?;
        let request = request.into_inner();
        let appointment = self.0.update(request, by).await?;
        Ok(Response::new(UpdateAppointmentResponse {
            appointment: Some(appointment),
        }))
    }

    async fn move_appointment(
        &self,
        request: Request<MoveAppointmentRequest>,
    ) -> Result<Response<MoveAppointmentResponse>, Status> {
        let by = self.0.by(&request, WRITE, APPOINTMENT_SECRET)?;
        let (appointment, replayed) = self.0.r#move(request.into_inner(), by).await?;
        Ok(creation::reply(
            MoveAppointmentResponse {
                appointment: Some(appointment),
            },
            replayed,
        ))
    }

    async fn cancel_appointment(
        &self,
        request: Request<CancelAppointmentRequest>,
    ) -> Result<Response<CancelAppointmentResponse>, Status> {
        let by = self.0.by(&request, WRITE, APPOINTMENT_SECRET)?;
        let request = request.into_inner();
        let action = Action::Cancel { notify: true };
        let appointment = self
            .0
            .act(&request.appointment_id, &request.etag, by, action)
            .await?;
        Ok(Response::new(CancelAppointmentResponse {
            appointment: Some(appointment),
        }))
    }
}
