//! The gRPC handlers: parse, one call, reply.

pub mod consultations;
mod staff;

use hospital_proto::booking::v1::{
    CreateAppointmentRequest, CreateAppointmentResponse, ListAvailabilityRequest,
    ListAvailabilityResponse, ListDepartmentsRequest, ListDepartmentsResponse,
    booking_service_server::BookingService,
};
use service_kit::status::{invalid_argument, request_id_reused, with_reason};
use store_kit::{creation, requests::RequestKey};
use tonic::{Code, Request, Response, Status};

use crate::{
    Parts,
    domain::{
        appointment::{NewAppointment, Refusal},
        availability::AvailabilityQuery,
        calendar::TIME_ZONE,
        change::{Appointment, Booking, Command},
        departments,
    },
    metrics::{Outcome, count_booking},
    store::{BookOutcome, CREATE},
    wire,
};

/// Serves `hospital.booking.v1.BookingService`.
#[derive(Debug)]
pub struct BookingRpcs {
    parts: Parts,
}

impl BookingRpcs {
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }

    /// The appointment, and whether it was booked now or before.
    async fn book(
        &self,
        request: CreateAppointmentRequest,
    ) -> Result<(Appointment, Outcome), Status> {
        let Parts {
            store,
            keys,
            resources,
            clock,
            ids,
            ..
        } = &self.parts;
        let now = clock.now();
        let body = wire::fingerprinted(&request);
        let key = |request_id: &str| RequestKey::new(keys, CREATE, request_id, &body);
        match NewAppointment::parse(&wire::booking_request(request), resources, now) {
            Ok((request_id, appointment)) => {
                let command = Command::Book(Booking::new(appointment, ids.as_ref(), now));
                let outcome = store.book(command, key(request_id.as_str()), now).await?;
                booked(outcome)
            }
            Err(Refusal {
                violations,
                request_id,
            }) => {
                // Idempotent replay: a request that was booked before keeps its answer, even when the rules would refuse it now.
                let earlier = match &request_id {
                    Some(id) => store.recall(&key(id.as_str()), now).await?,
                    None => None,
                };
                earlier
                    .map(|earlier| (earlier, Outcome::Repeated))
                    .ok_or_else(|| invalid_argument(&violations))
            }
        }
    }
}

#[tonic::async_trait]
impl BookingService for BookingRpcs {
    async fn list_departments(
        &self,
        request: Request<ListDepartmentsRequest>,
    ) -> Result<Response<ListDepartmentsResponse>, Status> {
        let request = wire::page_request(request.into_inner());
        let page = departments::page(&request, &self.parts.resources)
            .map_err(|violations| invalid_argument(&violations))?;
        Ok(Response::new(ListDepartmentsResponse {
            departments: page.departments.iter().map(wire::department).collect(),
            next_page_token: page.next_page_token,
        }))
    }

    async fn list_availability(
        &self,
        request: Request<ListAvailabilityRequest>,
    ) -> Result<Response<ListAvailabilityResponse>, Status> {
        let Parts {
            store,
            resources,
            clock,
            ..
        } = &self.parts;
        let now = clock.now();
        let request = wire::availability_request(request.into_inner());
        let query = AvailabilityQuery::parse(&request, resources, now)
            .map_err(|violations| invalid_argument(&violations))?;
        let booked = store
            .booked_seats(&query.claims(), query.span(), now)
            .await?;
        let days = query.days(&booked, resources, now);
        Ok(Response::new(ListAvailabilityResponse {
            days: days.into_iter().map(wire::availability_day).collect(),
            time_zone: TIME_ZONE.to_owned(),
        }))
    }

    async fn create_appointment(
        &self,
        request: Request<CreateAppointmentRequest>,
    ) -> Result<Response<CreateAppointmentResponse>, Status> {
        let booked = self.book(request.into_inner()).await;
        count_booking(match &booked {
            Ok((_, outcome)) => *outcome,
            Err(status) => Outcome::of(status.code()),
        });
        let (appointment, outcome) = booked?;
        let appointment = Some(wire::appointment(appointment));
        Ok(creation::reply(
            CreateAppointmentResponse { appointment },
            outcome == Outcome::Repeated,
        ))
    }
}

fn booked(outcome: BookOutcome) -> Result<(Appointment, Outcome), Status> {
    match outcome {
        BookOutcome::Created(appointment) => Ok((*appointment, Outcome::Booked)),
        BookOutcome::Repeated(appointment) => Ok((*appointment, Outcome::Repeated)),
        BookOutcome::SlotTaken => Err(with_reason(
            Code::AlreadyExists,
            "SLOT_TAKEN",
            "This time has just been taken. Please choose another one.",
        )),
        BookOutcome::RequestIdReused => Err(request_id_reused()),
    }
}
