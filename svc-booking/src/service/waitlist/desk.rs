//! The staff's calls on the waitlist. Every call, including reads, is recorded in the audit log.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{
    ListWaitlistEntriesRequest, ListWaitlistEntriesResponse, OfferWaitlistTimeRequest,
    OfferWaitlistTimeResponse, RemoveWaitlistEntryRequest, RemoveWaitlistEntryResponse,
};
use service_kit::status::invalid_argument;
use tonic::{Request, Response, Status};

use super::{WAITLIST, WaitlistRpcs, free_times, precondition};
use crate::{
    domain::{
        availability::Span,
        proof::Proof,
        roster::Roster,
        waitlist::{Entry, EntryState},
    },
    service::{
        ATTEMPTS_MAX,
        appointments::{READ, WRITE},
        caller::unknown,
        desk::page_size,
        refusals::{etag_mismatch, roster_changes},
        traced,
    },
    store::{Access, By, EntryAction, EntryOutcome, GivenTime, Wish},
    wire,
};

impl WaitlistRpcs {
    fn staff<T>(&self, request: &Request<T>, scope: &str) -> Result<Access, Status> {
        let caller = self.0.staff(request, scope)?;
        Ok(Access::Staff(caller.subject))
    }

    pub(super) async fn list(
        &self,
        request: Request<ListWaitlistEntriesRequest>,
    ) -> Result<Response<ListWaitlistEntriesResponse>, Status> {
        let access = self.staff(&request, READ)?;
        let request = request.into_inner();
        let parts = &self.0;
        let now = parts.now();
        let roster = parts.store.rosters.known(now).await?;
        let size = page_size(request.page_size)?;
        let filter = wire::entry_filter(&request, size, &roster)
            .map_err(|violations| invalid_argument(&violations))?;
        let (page, more) = parts.store.list_entries(&filter, &access, now).await?;
        let last = page.last().filter(|_| more);
        Ok(Response::new(ListWaitlistEntriesResponse {
            next_page_token: last.map(wire::entry_token).unwrap_or_default(),
            entries: page
                .into_iter()
                .map(|entry| wire::entry(entry, &roster, now))
                .collect(),
        }))
    }

    pub(super) async fn offer(
        &self,
        request: Request<OfferWaitlistTimeRequest>,
    ) -> Result<Response<OfferWaitlistTimeResponse>, Status> {
        let access = self.staff(&request, WRITE)?;
        let request = request.into_inner();
        let parts = &self.0;
        let now = parts.now();
        let mut entry = self.reach(&request.entry_id, &access).await?;
        traced::concerns(&entry.reference);
        if entry.etag() != request.etag {
            return Err(etag_mismatch());
        }
        if entry.state != EntryState::Waiting {
            return Err(not_waiting());
        }
        if entry.proof == Some(Proof::Unproven) {
            if !request.spoken {
                return Err(precondition(
                    "UNPROVEN",
                    "The person has not confirmed their e-mail address. Offer a time once you have spoken to them.",
                ));
            }
            entry = parts.store.prove_entry_at_desk(entry, &access, now).await?;
            if entry.proof == Some(Proof::Unproven) {
                return Err(precondition(
                    "WAITLIST_MAX",
                    "This e-mail address already waits for this day, or for 4 days.",
                ));
            }
        }
        let roster = self.give_time(&entry, &access, now).await?;
        traced::done(&entry.reference, "offered");
        parts.seats_changed(&entry.department_id, now).await;
        parts.seen.list_changed(WAITLIST);
        let entry = parts.store.entry(entry.id).await?.ok_or_else(unknown)?;
        Ok(Response::new(OfferWaitlistTimeResponse {
            entry: Some(wire::entry(entry, &roster, now)),
        }))
    }

    /// Offers the earliest free time of its day to an entry, unless an entry ahead of it wants that time. Returns the
    /// roster of the offer.
    async fn give_time(
        &self,
        entry: &Entry,
        access: &Access,
        now: DateTime<Utc>,
    ) -> Result<Arc<Roster>, Status> {
        let parts = &self.0;
        let wish = Wish {
            department_id: entry.department_id.clone(),
            date: entry.date.to_string(),
            doctor_id: entry.doctor_id.clone().unwrap_or_default(),
            entries: 1,
        };
        let span = Span {
            from: entry.date,
            to: entry.date,
        };
        let resources = |roster: &Roster| roster.resources(&entry.department_id);
        let mut is_wanted_by_others = false;
        'attempts: for _ in 0..ATTEMPTS_MAX {
            let (roster, taken) = parts.seats_of(resources, span, now).await?;
            for starts_at in free_times(&wish, &roster, &taken, now) {
                let id = parts.ids.uuid_at(now);
                let given = parts
                    .store
                    .offer_time_to(entry, starts_at, id, Arc::clone(&roster), access, now)
                    .await?;
                match given {
                    GivenTime::Offered(_) => return Ok(roster),
                    GivenTime::NotFirst => is_wanted_by_others = true,
                    GivenTime::NotFree => {}
                    GivenTime::RosterChanged => {
                        parts.store.rosters.read(now).await?;
                        continue 'attempts;
                    }
                }
            }
            return Err(if is_wanted_by_others {
                precondition(
                    "NOT_FIRST",
                    "Another person has waited longer for the free time and is offered it first.",
                )
            } else {
                precondition(
                    "NO_FREE_TIME",
                    "No time of this day is free now. The next one is offered by e-mail.",
                )
            });
        }
        Err(roster_changes())
    }

    pub(super) async fn remove(
        &self,
        request: Request<RemoveWaitlistEntryRequest>,
    ) -> Result<Response<RemoveWaitlistEntryResponse>, Status> {
        let by = By {
            access: self.staff(&request, WRITE)?,
            network: None,
            language: None,
        };
        let request = request.into_inner();
        let removal =
            wire::removal(request.reason()).map_err(|violations| invalid_argument(&violations))?;
        let now = self.0.now();
        let action = EntryAction::Remove {
            removal,
            etag: request.etag,
            message_id: self.0.ids.uuid_at(now),
        };
        match self.act(&request.entry_id, &by, action).await?.1 {
            EntryOutcome::Left(entry) => {
                traced::done(&entry.reference, "removed");
                let roster = self.0.store.rosters.known(now).await?;
                Ok(Response::new(RemoveWaitlistEntryResponse {
                    entry: Some(wire::entry(*entry, &roster, now)),
                }))
            }
            EntryOutcome::EtagMismatch => Err(etag_mismatch()),
            EntryOutcome::NotWaiting => Err(not_waiting()),
            EntryOutcome::RosterChanged => Err(roster_changes()),
            EntryOutcome::Booked(_)
            | EntryOutcome::OfferOver
            | EntryOutcome::Refused(_)
            | EntryOutcome::Unknown => Err(unknown()),
        }
    }
}

fn not_waiting() -> Status {
    precondition(
        "NOT_WAITING",
        "This entry is not waiting: it has an offer, is booked or has ended.",
    )
}
