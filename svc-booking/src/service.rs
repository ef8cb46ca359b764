//! The gRPC face: parse, one call, reply.

use std::time::Duration;

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{
    Appointment, AppointmentStatus, AvailabilityDay, AvailabilitySlot, CreateAppointmentRequest,
    CreateAppointmentResponse, Department, ListAvailabilityRequest, ListAvailabilityResponse,
    ListDepartmentsRequest, ListDepartmentsResponse, booking_service_server::BookingService,
};
use prost_types::Timestamp;
use service_kit::{
    deadline,
    status::{invalid_argument, with_reason},
};
use tonic::{Code, Request, Response, Status};

use crate::{
    Parts,
    domain::{
        self,
        appointment::{NewAppointment, Refusal},
        availability::{AvailabilityQuery, Day},
        calendar::{IST, TIME_ZONE, time_label},
        departments,
    },
    error::StoreError,
    metrics::count_booking,
    store::{AppointmentRow, BookOutcome},
};

/// How long a call may take whose caller set no deadline.
const DEADLINE_DEFAULT: Duration = Duration::from_secs(4);

/// Serves `hospital.booking.v1.BookingService`.
#[derive(Debug)]
pub struct Booking {
    parts: Parts,
}

impl Booking {
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }

    async fn book(&self, request: &CreateAppointmentRequest) -> Result<AppointmentRow, Status> {
        let Parts {
            store,
            resources,
            clock,
            ids,
        } = &self.parts;
        let now = clock.now();
        match NewAppointment::parse(request, resources, now) {
            Ok((key, appointment)) => {
                let booking = domain::booking::Booking::new(key, appointment, ids.as_ref(), now);
                let outcome = bounded(store.book(booking)).await?;
                booked(outcome)
            }
            Err(Refusal {
                violations,
                request,
            }) => {
                let earlier = match &request {
                    Some(key) => bounded(store.recall(key)).await?,
                    None => None,
                };
                earlier.ok_or_else(|| invalid_argument(&violations))
            }
        }
    }
}

#[tonic::async_trait]
impl BookingService for Booking {
    async fn list_departments(
        &self,
        request: Request<ListDepartmentsRequest>,
    ) -> Result<Response<ListDepartmentsResponse>, Status> {
        let page = departments::page(request.get_ref(), &self.parts.resources)
            .map_err(|violations| invalid_argument(&violations))?;
        Ok(Response::new(ListDepartmentsResponse {
            departments: page.departments.iter().map(department).collect(),
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
        let query = AvailabilityQuery::parse(request.get_ref(), resources, now)
            .map_err(|violations| invalid_argument(&violations))?;
        let claims = query.claims();
        let mut booked = Vec::with_capacity(claims.len());
        for claim in &claims {
            booked.push(bounded(store.booked_seats(claim, query.span())).await?);
        }
        let days = query.days(&booked, resources, now);
        Ok(Response::new(ListAvailabilityResponse {
            days: days.into_iter().map(availability_day).collect(),
            time_zone: TIME_ZONE.to_owned(),
        }))
    }

    async fn create_appointment(
        &self,
        request: Request<CreateAppointmentRequest>,
    ) -> Result<Response<CreateAppointmentResponse>, Status> {
        let booked = self.book(request.get_ref()).await;
        count_booking(outcome_label(&booked));
        Ok(Response::new(CreateAppointmentResponse {
            appointment: Some(appointment(booked?)),
        }))
    }
}

/// Runs a store's call within the time that the request has left.
async fn bounded<T>(call: impl Future<Output = Result<T, StoreError>>) -> Result<T, Status> {
    deadline::bounded(call, DEADLINE_DEFAULT)
        .await?
        .map_err(Status::from)
}

fn booked(outcome: BookOutcome) -> Result<AppointmentRow, Status> {
    match outcome {
        BookOutcome::Booked(row) => Ok(*row),
        BookOutcome::SlotTaken => Err(with_reason(
            Code::AlreadyExists,
            "SLOT_TAKEN",
            "This time has just been taken. Please choose another one.",
        )),
        BookOutcome::RequestIdReused => Err(with_reason(
            Code::InvalidArgument,
            "REQUEST_ID_REUSED",
            "This request id belongs to a booking with other details.",
        )),
    }
}

fn outcome_label(booked: &Result<AppointmentRow, Status>) -> &'static str {
    match booked.as_ref().map_err(Status::code) {
        Ok(_) => "booked",
        Err(Code::AlreadyExists) => "slot_taken",
        Err(Code::InvalidArgument) => "invalid",
        Err(_) => "failed",
    }
}

fn department(department: &domain::resources::Department) -> Department {
    Department {
        id: department.id.clone(),
        name: department.name.clone(),
        bookable: department.bookable,
        doctor_ids: department.doctor_ids.clone(),
    }
}

fn availability_day(day: Day) -> AvailabilityDay {
    AvailabilityDay {
        date: day.date.to_string(),
        closed_reason: day.closed_reason,
        slots: day
            .slots
            .into_iter()
            .map(|slot| AvailabilitySlot {
                time: slot.time.label(),
                starts_at: Some(timestamp(slot.starts_at)),
                available: slot.available,
            })
            .collect(),
    }
}

fn appointment(row: AppointmentRow) -> Appointment {
    let local = row.starts_at.with_timezone(&IST);
    Appointment {
        id: row.id.to_string(),
        reference: row.reference,
        patient_name: row.patient_name,
        email: row.email,
        phone: row.phone,
        date: local.date_naive().to_string(),
        time: time_label(local.time()),
        reason: row.reason,
        doctor_id: row.doctor_id.unwrap_or_default(),
        notes: row.notes,
        department: row.department_id,
        status: status(&row.status).into(),
        starts_at: Some(timestamp(row.starts_at)),
        create_time: Some(timestamp(row.created_at)),
    }
}

/// The columns allow no other text than these.
fn status(text: &str) -> AppointmentStatus {
    match text {
        "booked" => AppointmentStatus::Booked,
        "arrived" => AppointmentStatus::Arrived,
        "completed" => AppointmentStatus::Completed,
        "cancelled" => AppointmentStatus::Cancelled,
        "no_show" => AppointmentStatus::NoShow,
        _ => AppointmentStatus::Unspecified,
    }
}

fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp {
        seconds: at.timestamp(),
        nanos: i32::try_from(at.timestamp_subsec_nanos()).unwrap_or_default(),
    }
}
