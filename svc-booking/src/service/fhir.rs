//! The appointments in FHIR R4, read-only, for the staff's other systems.

use std::{collections::BTreeSet, sync::Arc};

use chrono::NaiveDate;
use hospital_proto::{
    booking::v1::{
        SearchFhirAppointmentsRequest, SearchFhirPractitionersRequest, SearchFhirSchedulesRequest,
        SearchFhirSlotsRequest, fhir_service_server::FhirService,
    },
    google::api::HttpBody,
};
use service_kit::{input::Violations, status::invalid_argument};
use tonic::{Request, Response, Status};

use super::appointments::READ;
use crate::{
    Parts,
    domain::{
        availability::{Span, TakenSeats},
        calendar::{SlotTime, leaves_notice},
        change::Appointment,
        roster::Roster,
        seats::Resource,
    },
    fhir::{self, SearchSet, search_set},
    store::{Access, ListFilter},
    wire,
};

const APPOINTMENT_DAYS_MAX: i64 = 31;
const SLOT_DAYS_MAX: i64 = 14;
const PAGE_MAX: u32 = 100;

/// Serves `hospital.booking.v1.FhirService`.
#[derive(Debug)]
pub struct FhirRpcs(pub Arc<Parts>);

impl FhirRpcs {
    fn api(&self) -> String {
        format!("{}/api", self.0.site.origin)
    }

    fn naming(&self) -> fhir::Naming<'_> {
        fhir::Naming(&self.0.site.fhir_naming)
    }
}

#[tonic::async_trait]
impl FhirService for FhirRpcs {
    async fn search_fhir_appointments(
        &self,
        request: Request<SearchFhirAppointmentsRequest>,
    ) -> Result<Response<HttpBody>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let now = parts.now();
        let request = request.into_inner();
        let mut violations = Violations::default();
        let span = Span::take(
            &request.from,
            &request.to,
            APPOINTMENT_DAYS_MAX - 1,
            now,
            &mut violations,
        );
        let size = violations.take("pageSize", page_size(request.page_size));
        let after = violations.take("pageToken", wire::position(&request.page_token));
        let filter = match (span, size, after) {
            (Some(span), Some(size), Some(after)) => Some(ListFilter {
                from: Some(span.from),
                to: Some(span.to),
                after,
                size,
                ..ListFilter::default()
            }),
            _ => None,
        };
        let filter = violations
            .into_result(filter)
            .map_err(|violations| invalid_argument(&violations))?;
        let access = Access::Staff(caller.subject);
        let (page, has_more) = parts.store.list(&filter, &access, now).await?;
        let roster = parts.store.rosters.read(now).await?;
        let last = page.last().filter(|_| has_more);
        let naming = self.naming();
        Ok(reply(SearchSet {
            api: &self.api(),
            kind: "Appointment",
            query: vec![
                ("from", request.from),
                ("to", request.to),
                ("pageSize", given_size(request.page_size)),
                ("pageToken", request.page_token),
            ],
            next_page_token: last.map(wire::page_token).unwrap_or_default(),
            resources: page
                .into_iter()
                .map(|appointment| entry(appointment, &roster).resource(naming))
                .collect(),
        }))
    }

    async fn search_fhir_slots(
        &self,
        request: Request<SearchFhirSlotsRequest>,
    ) -> Result<Response<HttpBody>, Status> {
        let parts = &*self.0;
        parts.staff(&request, READ)?;
        let now = parts.now();
        let request = request.into_inner();
        let mut violations = Violations::default();
        let roster = parts.store.rosters.known(now).await?;
        let resource = Resource::named(request.schedule.trim().to_owned());
        let provider = listed_provider(&resource, &roster)
            .ok_or("Give a doctor as doctor:<id> or a clinic as clinic:<id>");
        let provider = violations.take("schedule", provider);
        let days_max = SLOT_DAYS_MAX - 1;
        let span = Span::take(&request.from, &request.to, days_max, now, &mut violations);
        let asked = violations
            .into_result(provider.zip(span))
            .map_err(|violations| invalid_argument(&violations))?;
        let (provider, span) = asked;
        let resources = |_: &Roster| vec![resource.clone()];
        let (roster, taken) = parts.seats_of(resources, span, now).await?;
        let bookable = Span::bookable(now);
        let mut slots = Vec::new();
        for date in span.days() {
            let is_open = bookable.from <= date && date <= bookable.to;
            for slot in SlotTime::all() {
                let starts_at = slot.on(date);
                let Some(status) = slot_status(&roster, &resource, date, slot, &taken) else {
                    continue;
                };
                let can_be_booked = is_open && leaves_notice(starts_at, now);
                let status = match status {
                    fhir::SlotStatus::Free if !can_be_booked => fhir::SlotStatus::Unavailable,
                    status => status,
                };
                let provider = provider.clone();
                let slot = fhir::SlotEntry {
                    provider,
                    starts_at,
                    status,
                };
                slots.push(slot.resource());
            }
        }
        Ok(reply(SearchSet {
            api: &self.api(),
            kind: "Slot",
            query: vec![
                ("schedule", request.schedule),
                ("from", request.from),
                ("to", request.to),
            ],
            next_page_token: String::new(),
            resources: slots,
        }))
    }

    async fn search_fhir_schedules(
        &self,
        request: Request<SearchFhirSchedulesRequest>,
    ) -> Result<Response<HttpBody>, Status> {
        let parts = &*self.0;
        parts.staff(&request, READ)?;
        let now = parts.now();
        let roster = parts.store.rosters.known(now).await?;
        let (from, until) = Span::bookable(now).moments();
        let naming = self.naming();
        let resources: BTreeSet<Resource> = roster.all_resources().into_iter().collect();
        let schedules = resources.iter().filter_map(|resource| {
            let schedule = fhir::ScheduleEntry {
                provider: listed_provider(resource, &roster)?,
                departments: roster.departments_of(resource).map(department).collect(),
                from,
                until,
            };
            Some(schedule.resource(naming))
        });
        Ok(reply(SearchSet {
            api: &self.api(),
            kind: "Schedule",
            query: Vec::new(),
            next_page_token: String::new(),
            resources: schedules.collect(),
        }))
    }

    async fn search_fhir_practitioners(
        &self,
        request: Request<SearchFhirPractitionersRequest>,
    ) -> Result<Response<HttpBody>, Status> {
        let parts = &*self.0;
        parts.staff(&request, READ)?;
        let roster = parts.store.rosters.known(parts.now()).await?;
        let naming = self.naming();
        let doctors: BTreeSet<&str> = roster.doctors().map(|doctor| doctor.id).collect();
        let doctors = doctors
            .into_iter()
            .filter_map(|id| listed_provider(&Resource::doctor(id), &roster));
        Ok(reply(SearchSet {
            api: &self.api(),
            kind: "Practitioner",
            query: Vec::new(),
            next_page_token: String::new(),
            resources: doctors.map(|doctor| doctor.practitioner(naming)).collect(),
        }))
    }
}

fn reply(set: SearchSet<'_>) -> Response<HttpBody> {
    let bundle = search_set(set);
    Response::new(HttpBody {
        content_type: fhir::CONTENT_TYPE.to_owned(),
        data: bundle.to_string().into_bytes(),
        extensions: Vec::new(),
    })
}

fn page_size(size: i32) -> Result<u32, &'static str> {
    match u32::try_from(size) {
        Ok(0) => Ok(PAGE_MAX),
        Ok(size) => Ok(size.min(PAGE_MAX)),
        Err(_) => Err("Ask for 1 to 100 appointments, or leave it out"),
    }
}

fn given_size(size: i32) -> String {
    if size == 0 {
        String::new()
    } else {
        size.to_string()
    }
}

/// Returns the status by seats and absences only; `None` if there is no session at that time.
fn slot_status(
    roster: &Roster,
    resource: &Resource,
    date: NaiveDate,
    slot: SlotTime,
    taken: &TakenSeats,
) -> Option<fhir::SlotStatus> {
    if !roster.has_session(resource, date, slot) {
        return None;
    }
    let on_duty = roster
        .departments_of(resource)
        .flat_map(|department| roster.on_duty(&department.id, date, slot))
        .find(|duty| duty.resource == *resource);
    Some(match on_duty {
        None => fhir::SlotStatus::Unavailable,
        Some(duty) if taken.count(resource, slot.on(date)) < duty.seats as usize => {
            fhir::SlotStatus::Free
        }
        Some(_) => fhir::SlotStatus::Busy,
    })
}

/// Returns the provider of a resource; `None` for a whole department, which builds before rosters sold.
fn provider(resource: &Resource, department_id: &str, roster: &Roster) -> Option<fhir::Provider> {
    let (kind, id) = match (resource.doctor_id(), resource.clinic_id()) {
        (Some(id), _) => (fhir::ProviderKind::Doctor, id),
        (None, Some(id)) => (fhir::ProviderKind::Clinic, id),
        (None, None) => return None,
    };
    let attendant = roster.attendant(resource, department_id)?;
    Some(fhir::Provider {
        kind,
        id: id.to_owned(),
        name: attendant.name,
        fee_rupees: attendant.fee_rupees,
        place: attendant.place,
    })
}

/// Returns the provider of a resource that has sessions.
fn listed_provider(resource: &Resource, roster: &Roster) -> Option<fhir::Provider> {
    let department = roster.departments_of(resource).next()?;
    provider(resource, &department.id, roster)
}

fn department(department: &crate::domain::roster::Department) -> fhir::Department {
    fhir::Department {
        id: department.id.clone(),
        name: department.name.clone(),
    }
}

fn entry(appointment: Appointment, roster: &Roster) -> fhir::AppointmentEntry {
    let id = &appointment.department_id;
    let named = roster.department(id).map(department);
    let provider = appointment
        .resource
        .as_ref()
        .and_then(|resource| provider(resource, id, roster));
    fhir::AppointmentEntry {
        id: appointment.id,
        reference: appointment.reference,
        version: appointment.version,
        create_time: appointment.create_time,
        update_time: appointment.update_time,
        starts_at: appointment.starts_at,
        status: appointment.status,
        department: named.unwrap_or_else(|| fhir::Department {
            id: id.clone(),
            name: id.clone(),
        }),
        provider,
        patient: appointment.contact.map(|contact| fhir::Patient {
            name: contact.patient_name,
            phone: contact.phone,
            email: contact.email,
            language: appointment.language,
        }),
    }
}
