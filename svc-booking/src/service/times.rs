//! Departments and current free times.

use hospital_proto::booking::v1::{
    ListAvailabilityRequest, ListAvailabilityResponse, ListDepartmentsRequest,
    ListDepartmentsResponse, ListFreeTimesRequest, ListFreeTimesResponse, ListNextAvailableRequest,
    ListNextAvailableResponse,
};
use service_kit::{input::Violations, status::invalid_argument};
use tonic::Status;

use super::{ATTEMPTS_MAX, refusals::roster_changes};
use crate::{
    Parts,
    domain::{
        availability::{AvailabilityQuery, DOCTORS_MAX, FREE_TIMES_DAYS_MAX, NEXT_DAYS_MAX, Span},
        calendar::{Lead, TIME_ZONE},
        departments,
        roster::Roster,
    },
    wire,
};

impl Parts {
    pub(super) async fn departments(
        &self,
        request: ListDepartmentsRequest,
    ) -> Result<ListDepartmentsResponse, Status> {
        let now = self.now();
        let roster = self.store.rosters.read(now).await?;
        let page = departments::page(&wire::page_request(request), &roster)
            .map_err(|violations| invalid_argument(&violations))?;
        let departments = page.departments.iter();
        Ok(ListDepartmentsResponse {
            departments: departments
                .map(|department| wire::department(department, &roster, now))
                .collect(),
            next_page_token: page.next_page_token,
        })
    }

    pub(super) async fn availability(
        &self,
        request: ListAvailabilityRequest,
        lead: Lead,
    ) -> Result<ListAvailabilityResponse, Status> {
        let now = self.now();
        let request = wire::availability_request(request);
        let mut roster = self.store.rosters.known(now).await?;
        for _ in 0..ATTEMPTS_MAX {
            let revision = match AvailabilityQuery::parse(&request, &roster, now) {
                Ok(query) => {
                    let query = query.with_lead(lead);
                    let resources = query.resources();
                    let (taken, revision) = self.store.taken(&resources, query.span(), now).await?;
                    if revision == roster.revision {
                        let days = query.days(&taken, now);
                        return Ok(wire::availability(query.department(), days, &roster));
                    }
                    revision
                }
                Err(violations) => {
                    let fresh = self.store.rosters.read(now).await?;
                    if fresh.revision == roster.revision {
                        return Err(invalid_argument(&violations));
                    }
                    fresh.revision
                }
            };
            tracing::debug!(revision, "the roster has changed");
            roster = self.store.rosters.read(now).await?;
        }
        Err(roster_changes())
    }

    pub(super) async fn free_times(
        &self,
        ListFreeTimesRequest { from, to }: ListFreeTimesRequest,
    ) -> Result<ListFreeTimesResponse, Status> {
        let now = self.now();
        let mut violations = Violations::default();
        let span = Span::take(&from, &to, FREE_TIMES_DAYS_MAX, now, &mut violations)
            .ok_or_else(|| invalid_argument(&violations.into_vec()))?;
        let (roster, taken) = self.seats_of(Roster::all_resources, span, now).await?;
        let bookable = roster.departments.iter().filter(|found| found.bookable);
        let departments = bookable
            .map(|department| {
                let query = AvailabilityQuery::of(&roster, department, None, span);
                wire::free_times(department, query.days(&taken, now))
            })
            .collect();
        Ok(ListFreeTimesResponse {
            departments,
            time_zone: TIME_ZONE.to_owned(),
        })
    }

    pub(super) async fn next_available(
        &self,
        request: &ListNextAvailableRequest,
    ) -> Result<ListNextAvailableResponse, Status> {
        let now = self.now();
        let (asked, days) = wire::next_available_request(request, DOCTORS_MAX, NEXT_DAYS_MAX)
            .map_err(|violations| invalid_argument(&violations))?;
        let span = Span::bookable(now);
        let (roster, taken) = self.seats_of(Roster::all_resources, span, now).await?;
        let questions = asked
            .questions(&roster, DOCTORS_MAX)
            .map_err(|violations| invalid_argument(&violations))?;
        let next = questions
            .into_iter()
            .map(|(department, doctor)| {
                let query = AvailabilityQuery::of(&roster, department, doctor, span);
                let first = query.first_free(&taken, now);
                let days = query.free_days(&taken, now, days);
                wire::next_available(department, doctor, first, days)
            })
            .collect();
        Ok(ListNextAvailableResponse { next })
    }
}
