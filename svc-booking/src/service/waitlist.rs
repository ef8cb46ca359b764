//! The waitlist of full days, and the task that passes offers on.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{
    AcceptOfferRequest, AcceptOfferResponse, CreateWaitlistEntryRequest,
    CreateWaitlistEntryResponse, GetWaitlistEntryRequest, GetWaitlistEntryResponse,
    LeaveWaitlistRequest, LeaveWaitlistResponse, waitlist_service_server::WaitlistService,
};
use service_kit::status::{invalid_argument, removed, request_id_reused, with_reason};
use store_kit::{creation, error::StoreError, requests::RequestKey};
use tonic::{Code, Request, Response, Status};

use super::{
    ATTEMPTS_MAX,
    appointments::{READ, WRITE},
    caller::{WAITLIST_SECRET, name, unknown},
    refusals::{link_replaced, refused, roster_changes},
    traced,
};
use crate::{
    Parts,
    domain::{
        availability::{AvailabilityQuery, Span},
        change::{MessageIds, references},
        roster::Roster,
        waitlist::{ENTRIES_MAX, Entry, NewEntry as Wanted},
    },
    store::{Access, EntryAction, EntryOutcome, JOIN, JoinOutcome, NewEntry, Reached},
    wire,
};

/// How often offers that are over are passed on.
const SWEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Serves `hospital.booking.v1.WaitlistService`.
#[derive(Debug)]
pub struct WaitlistRpcs(pub Arc<Parts>);

impl WaitlistRpcs {
    async fn reach(&self, id: &str, access: &Access) -> Result<Entry, Status> {
        let name = name(id)?;
        match self.0.store.read_entry(&name, access, self.0.now()).await? {
            Reached::Found(entry) => Ok(entry),
            Reached::Unknown => Err(unknown()),
            Reached::LinkReplaced => Err(link_replaced()),
        }
    }

    /// What somebody is told who joined, now or by an earlier request.
    fn joined(
        &self,
        entry: Entry,
        roster: &Roster,
        replayed: bool,
    ) -> Response<CreateWaitlistEntryResponse> {
        let change = if replayed { "repeated" } else { "joined" };
        traced::concerns(&entry.reference);
        traced::done(&entry.reference, change);
        let secret = self.0.store.entry_secret(entry.id);
        let entry = wire::entry(entry, roster, self.0.now());
        let reply = CreateWaitlistEntryResponse {
            entry: Some(hospital_proto::booking::v1::WaitlistEntry { secret, ..entry }),
        };
        creation::reply(reply, replayed)
    }

    async fn act(
        &self,
        id: &str,
        access: Access,
        action: EntryAction,
    ) -> Result<(Entry, EntryOutcome), Status> {
        let parts = &self.0;
        let entry = self.reach(id, &access).await?;
        traced::concerns(&entry.reference);
        let now = parts.now();
        for _ in 0..ATTEMPTS_MAX {
            let roster = parts.store.rosters.read(now).await?;
            let message_ids = MessageIds::new(parts.ids.as_ref(), now);
            let (action, access) = (action.clone(), access.clone());
            let outcome = parts
                .store
                .act_on_entry(entry.id, action, access, message_ids, roster, now)
                .await?;
            if outcome != EntryOutcome::RosterChanged {
                parts.seats_changed(&entry.department_id, now).await;
                return Ok((entry, outcome));
            }
        }
        Err(roster_changes())
    }

    /// Whether a day has a free time for somebody.
    async fn is_free(&self, wanted: &Wanted, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let span = Span {
            from: wanted.date,
            to: wanted.date,
        };
        let resources = |roster: &Roster| roster.resources(&wanted.department_id);
        let (roster, taken) = self.0.seats_of(resources, span, now).await?;
        let id = wanted.doctor_id.as_deref().unwrap_or_default();
        let doctor = roster.doctor_of(id, Some(&wanted.department_id));
        let (Some(department), Ok(doctor)) = (roster.department(&wanted.department_id), doctor)
        else {
            return Ok(false);
        };
        let query = AvailabilityQuery::of(&roster, department, doctor, span);
        Ok(query.first_free(&taken, now).is_some())
    }
}

fn precondition(reason: &str, message: &str) -> Status {
    with_reason(Code::FailedPrecondition, reason, message)
}

fn offer_over() -> Status {
    precondition(
        "OFFER_OVER",
        "This time is not kept for you any more. You are told when another one comes free.",
    )
}

#[tonic::async_trait]
impl WaitlistService for WaitlistRpcs {
    async fn create_waitlist_entry(
        &self,
        request: Request<CreateWaitlistEntryRequest>,
    ) -> Result<Response<CreateWaitlistEntryResponse>, Status> {
        let parts = &self.0;
        let now = parts.now();
        let request = request.into_inner();
        let body = wire::entry_fingerprint(&request);
        let key = |request_id: &str| RequestKey::new(&parts.keys, JOIN, request_id, &body);
        // Idempotent replay: who is on the list already keeps the answer, even when the rules would refuse it now.
        if let Some(entry) = parts
            .store
            .recall_entry(&key(&request.request_id), now)
            .await?
        {
            let roster = parts.store.rosters.known(now).await?;
            return Ok(self.joined(entry, &roster, true));
        }
        let form = wire::entry_form(request);
        let roster = parts.store.rosters.read(now).await?;
        let (request_id, entry) = form
            .parse(&roster, now)
            .map_err(|violations| invalid_argument(&violations))?;
        if self.is_free(&entry, now).await? {
            return Err(precondition(
                "NOT_FULL",
                "This day has free times. Choose one of them.",
            ));
        }
        let new = NewEntry {
            id: parts.ids.uuid_at(now),
            references: references("WL", parts.ids.as_ref()),
            entry,
            request: key(request_id.as_str()),
        };
        match parts.store.join_waitlist(new, now).await? {
            JoinOutcome::Joined(entry) => Ok(self.joined(*entry, &roster, false)),
            JoinOutcome::Repeated(entry) => Ok(self.joined(*entry, &roster, true)),
            JoinOutcome::TooMany => Err(precondition(
                "WAITLIST_MAX",
                &format!(
                    "This phone number or e-mail address waits for this day already, or for {ENTRIES_MAX} days. \
                     Please call reception."
                ),
            )),
            JoinOutcome::RequestIdReused => Err(request_id_reused()),
            JoinOutcome::Removed => Err(removed()),
        }
    }

    async fn get_waitlist_entry(
        &self,
        request: Request<GetWaitlistEntryRequest>,
    ) -> Result<Response<GetWaitlistEntryResponse>, Status> {
        let access = self.0.access(&request, READ, WAITLIST_SECRET)?;
        let entry = self.reach(&request.into_inner().entry_id, &access).await?;
        let now = self.0.now();
        let roster = self.0.store.rosters.read(now).await?;
        Ok(Response::new(GetWaitlistEntryResponse {
            entry: Some(wire::entry(entry, &roster, now)),
        }))
    }

    async fn accept_offer(
        &self,
        request: Request<AcceptOfferRequest>,
    ) -> Result<Response<AcceptOfferResponse>, Status> {
        let access = self.0.access(&request, WRITE, WAITLIST_SECRET)?;
        let id = request.into_inner().entry_id;
        let action = EntryAction::Accept {
            appointment_id: self.0.ids.uuid_at(self.0.now()),
            references: references("SH", self.0.ids.as_ref()),
        };
        let is_owner = matches!(access, Access::Secret(_));
        match self.act(&id, access, action).await?.1 {
            EntryOutcome::Booked(appointment) => {
                // The span of the call names the place on the list.
                traced::part(&appointment.reference)
                    .in_scope(|| traced::done(&appointment.reference, "accepted"));
                let roster = self.0.store.rosters.known(self.0.now()).await?;
                let appointment = self.0.shown_to_patient(*appointment, &roster, is_owner);
                Ok(Response::new(AcceptOfferResponse {
                    appointment: Some(appointment),
                }))
            }
            EntryOutcome::Left(_) | EntryOutcome::OfferOver => Err(offer_over()),
            EntryOutcome::Refused(reason) => Err(refused(reason, self.0.store.open_max())),
            EntryOutcome::RosterChanged => Err(roster_changes()),
            EntryOutcome::Unknown => Err(unknown()),
        }
    }

    async fn leave_waitlist(
        &self,
        request: Request<LeaveWaitlistRequest>,
    ) -> Result<Response<LeaveWaitlistResponse>, Status> {
        let access = self.0.access(&request, WRITE, WAITLIST_SECRET)?;
        let id = request.into_inner().entry_id;
        match self.act(&id, access, EntryAction::Leave).await?.1 {
            EntryOutcome::Left(entry) => {
                traced::done(&entry.reference, "left");
                let now = self.0.now();
                let roster = self.0.store.rosters.known(now).await?;
                Ok(Response::new(LeaveWaitlistResponse {
                    entry: Some(wire::entry(*entry, &roster, now)),
                }))
            }
            EntryOutcome::Booked(_)
            | EntryOutcome::OfferOver
            | EntryOutcome::Refused(_)
            | EntryOutcome::Unknown => Err(unknown()),
            EntryOutcome::RosterChanged => Err(roster_changes()),
        }
    }
}

/// Ends holds and offers that are over and offers free seats to those who wait, until it is dropped.
pub async fn pass_offers_on(parts: Arc<Parts>) {
    loop {
        tokio::time::sleep(SWEEP_INTERVAL).await;
        if let Err(error) = sweep(&parts).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "offers could not be passed on; they are tried again"
            );
        }
    }
}

async fn sweep(parts: &Parts) -> Result<(), StoreError> {
    let now = parts.now();
    parts.store.sweep_holds(now).await?;
    let roster = parts.store.rosters.known(now).await?;
    let touched = parts
        .store
        .sweep_offers(Arc::clone(&roster), || parts.ids.uuid_at(now), now)
        .await?;
    for (department_id, _) in touched {
        parts.seats_changed(&department_id, now).await;
    }
    for (department_id, date) in parts.store.waited_for(now).await? {
        let span = Span {
            from: date,
            to: date,
        };
        let resources = |roster: &Roster| roster.resources(&department_id);
        let (roster, taken) = parts.seats_of(resources, span, now).await?;
        let Some(department) = roster.department(&department_id) else {
            continue;
        };
        // Doctors by name too: somebody may wait for one.
        let doctors = roster
            .doctors()
            .filter(|doctor| doctor.department_id == department_id);
        let mut free: Vec<DateTime<Utc>> = [None]
            .into_iter()
            .chain(doctors.map(Some))
            .flat_map(|doctor| {
                AvailabilityQuery::of(&roster, department, doctor, span).days(&taken, now)
            })
            .flat_map(|day| day.slots)
            .filter(|slot| slot.free.is_some())
            .map(|slot| slot.starts_at)
            .collect();
        free.sort_unstable();
        free.dedup();
        for starts_at in free {
            let id = parts.ids.uuid_at(now);
            let offered = parts
                .store
                .offer_time(&department_id, starts_at, id, Arc::clone(&roster), now)
                .await?;
            if offered {
                parts.seats_changed(&department_id, now).await;
            }
        }
    }
    Ok(())
}
