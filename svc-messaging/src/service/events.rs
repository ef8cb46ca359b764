//! Places at events: what visitors see, and the lists of staff.

use std::sync::Arc;

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    CancelRegistrationRequest, CancelRegistrationResponse, GetEventPlacesRequest,
    GetEventPlacesResponse, ListEventRegistrationsRequest, ListEventRegistrationsResponse,
    ListRegistrationEventsRequest, ListRegistrationEventsResponse,
    event_service_server::EventService,
};
use service_kit::status::{invalid_argument, with_reason};
use tonic::{Code, Request, Response, Status};

use super::{changes::MESSAGES, inbox::READ};
use crate::{
    Parts,
    domain::event::NoPlace,
    wire::{deliveries, events as wire},
};

/// How long past events stay in the list of staff.
const LISTED_DAYS: i64 = 90;

/// Serves `hospital.messaging.v1.EventService`.
#[derive(Debug)]
pub struct EventRpcs(pub Arc<Parts>);

#[tonic::async_trait]
impl EventService for EventRpcs {
    async fn get_event_places(
        &self,
        request: Request<GetEventPlacesRequest>,
    ) -> Result<Response<GetEventPlacesResponse>, Status> {
        let found = self.0.store.event(&request.get_ref().event_id).await?;
        let found = found.filter(|(event, _)| event.places > 0);
        Ok(Response::new(found.map_or_else(
            GetEventPlacesResponse::default,
            |(event, taken)| GetEventPlacesResponse {
                places: event.places,
                left: wire::left(&event, taken),
            },
        )))
    }

    async fn cancel_registration(
        &self,
        request: Request<CancelRegistrationRequest>,
    ) -> Result<Response<CancelRegistrationResponse>, Status> {
        let parts = &*self.0;
        let id = parts.links.gives_back(&request.get_ref().token);
        let id = id.ok_or_else(|| {
            with_reason(
                Code::NotFound,
                "LINK_UNKNOWN",
                "This link is wrong. Open it from our e-mail again, or call us.",
            )
        })?;
        let is_given = parts.store.give_back(id).await?;
        if is_given {
            parts.seen.publish([MESSAGES]);
        }
        tracing::info!(is_given, "a place at an event was given back");
        Ok(Response::new(CancelRegistrationResponse {}))
    }

    async fn list_registration_events(
        &self,
        request: Request<ListRegistrationEventsRequest>,
    ) -> Result<Response<ListRegistrationEventsResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let ListRegistrationEventsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let page = wire::event_page(page_size, &page_token)
            .map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let since = now - TimeDelta::days(LISTED_DAYS);
        let (found, more) = parts
            .store
            .registration_events(since, page.after, page.size, &caller.subject, now)
            .await?;
        let last = found.last().filter(|_| more);
        Ok(Response::new(ListRegistrationEventsResponse {
            next_page_token: last.map(wire::event_token).unwrap_or_default(),
            events: found.iter().map(wire::event).collect(),
        }))
    }

    async fn list_event_registrations(
        &self,
        request: Request<ListEventRegistrationsRequest>,
    ) -> Result<Response<ListEventRegistrationsResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let ListEventRegistrationsRequest {
            event_id,
            page_size,
            page_token,
        } = request.into_inner();
        let page = deliveries::page(page_size, &page_token, "")
            .map_err(|violations| invalid_argument(&violations))?;
        let known = parts.store.event(&event_id).await?;
        let (event, taken) = known.ok_or_else(|| {
            with_reason(
                Code::NotFound,
                "NOT_FOUND",
                "There is no event of this id that people can register for.",
            )
        })?;
        let now = parts.now();
        let (found, more) = parts
            .store
            .registrations(&event_id, page.after, page.size, &caller.subject, now)
            .await?;
        let last = found.last().filter(|_| more);
        Ok(Response::new(ListEventRegistrationsResponse {
            next_page_token: last
                .map(|last| deliveries::page_token(last.message.create_time, last.message.id))
                .unwrap_or_default(),
            event: Some(wire::counted(&event, taken)),
            registrations: found.iter().map(wire::registration).collect(),
        }))
    }
}

impl Parts {
    /// Makes sure that an event that a person registers for is known, so that its places are counted. Without a content
    /// service, registrations are not counted.
    pub(super) async fn know_event(&self, id: &str) -> Result<(), Status> {
        let Some(content) = &self.content else {
            return Ok(());
        };
        if self.store.event(id).await?.is_some() {
            return Ok(());
        }
        let event = content.event(id).await.map_err(|status| {
            tracing::warn!(code = ?status.code(), "cannot read an event of the content service");
            Status::unavailable("temporarily unavailable, please try again")
        })?;
        // The id of a series is answered with its next occurrence.
        let event = event.filter(|event| event.id == id).ok_or_else(|| {
            with_reason(
                Code::FailedPrecondition,
                "EVENT_UNKNOWN",
                "This event doesn't exist. Please choose one of our events.",
            )
        })?;
        let now = self.now();
        if event.ends_at <= now {
            return Err(no_place(&NoPlace::Over));
        }
        Ok(self.store.learn_events(vec![event], now).await?)
    }
}

pub(super) fn no_place(refused: &NoPlace) -> Status {
    let (reason, text) = refused.words();
    with_reason(Code::FailedPrecondition, reason, &text)
}
