//! The waitlist of full days, and the background sweep of offers.

mod desk;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1::{
    AcceptOfferRequest, AcceptOfferResponse, CreateWaitlistEntryRequest,
    CreateWaitlistEntryResponse, GetWaitlistEntryRequest, GetWaitlistEntryResponse,
    LeaveWaitlistRequest, LeaveWaitlistResponse, ListWaitlistEntriesRequest,
    ListWaitlistEntriesResponse, OfferWaitlistTimeRequest, OfferWaitlistTimeResponse,
    RemoveWaitlistEntryRequest, RemoveWaitlistEntryResponse,
    waitlist_service_server::WaitlistService,
};
use service_kit::{
    language::Language,
    status::{invalid_argument, removed, request_id_reused, with_reason},
};
use store_kit::{creation, error::StoreError, requests::RequestKey};
use tonic::{Code, Request, Response, Status};

use super::{
    ATTEMPTS_MAX,
    appointments::{READ, WRITE},
    caller::{Client, WAITLIST_SECRET, name, unknown},
    changes::WAITLIST,
    refusals::{link_replaced, refused, roster_changes},
    traced,
};
use crate::{
    Parts,
    domain::{
        availability::{AvailabilityQuery, Span, TakenSeats},
        calendar::parse_date,
        change::{MessageIds, references},
        proof::Proof,
        roster::Roster,
        waitlist::{Entry, EntryState, NewEntry as Wanted, may_be_offered},
    },
    secret::Given,
    store::{Access, By, EntryAction, EntryOutcome, JOIN, JoinOutcome, NewEntry, Reached, Wish},
    wire,
};

/// Interval of the sweep.
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

    /// Returns the response to a join, new or replayed.
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
        by: &By,
        action: EntryAction,
    ) -> Result<(Entry, EntryOutcome), Status> {
        let parts = &self.0;
        let entry = self.reach(id, &by.access).await?;
        traced::concerns(&entry.reference);
        let now = parts.now();
        for _ in 0..ATTEMPTS_MAX {
            let roster = parts.store.rosters.read(now).await?;
            let message_ids = MessageIds::new(parts.ids.as_ref(), now);
            let (action, by) = (action.clone(), by.clone());
            let outcome = parts
                .store
                .act_on_entry(entry.id, action, by, message_ids, roster, now)
                .await?;
            if outcome != EntryOutcome::RosterChanged {
                let department_id = &entry.department_id;
                if matches!(outcome, EntryOutcome::Booked(_)) {
                    parts.appointment_changed(department_id, now).await;
                } else {
                    parts.seats_changed(department_id, now).await;
                }
                parts.seen.list_changed(WAITLIST);
                return Ok((entry, outcome));
            }
        }
        Err(roster_changes())
    }

    /// Returns whether the wanted day has a free time.
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
        "We're no longer holding this time for you. We'll e-mail you when another one is available.",
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
        let client = Client::of(&request, &parts.keys);
        let language = Language::of_metadata(request.metadata());
        let request = request.into_inner();
        let body = wire::entry_fingerprint(&request);
        let key = |request_id: &str| RequestKey::new(&parts.keys, JOIN, request_id, &body);
        // Idempotent replay: a retry of an accepted entry gets the same response, even if the rules would now refuse
        // it.
        if let Some(entry) = parts
            .store
            .recall_entry(&key(&request.request_id), now)
            .await?
        {
            let roster = parts.store.rosters.known(now).await?;
            return Ok(self.joined(entry, &roster, true));
        }
        let form = wire::entry_form(request);
        parts.not_own("email", &form.email)?;
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
            language,
            request: key(request_id.as_str()),
            network: client.network,
            message_id: parts.ids.uuid_at(now),
        };
        match parts.store.join_waitlist(new, now).await? {
            JoinOutcome::Joined(entry) => {
                parts.seen.list_changed(WAITLIST);
                Ok(self.joined(*entry, &roster, false))
            }
            JoinOutcome::Repeated(entry) => Ok(self.joined(*entry, &roster, true)),
            JoinOutcome::TooMany => Err(precondition(
                "NETWORK_WAITLIST_MAX",
                "Too many people on your network are on the waiting list. Please call reception.",
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
        // The mailed link was opened, but the entry could not be proven.
        let is_refused = entry.proof == Some(Proof::Unproven)
            && entry.state(now) == EntryState::Waiting
            && self.0.store.entry_given(entry.id, &access) == Given::ByMail;
        let roster = self.0.store.rosters.read(now).await?;
        let mut entry = wire::entry(entry, &roster, now);
        if is_refused {
            "WAITLIST_MAX".clone_into(&mut entry.unproven_reason);
        }
        Ok(Response::new(GetWaitlistEntryResponse {
            entry: Some(entry),
        }))
    }

    async fn accept_offer(
        &self,
        request: Request<AcceptOfferRequest>,
    ) -> Result<Response<AcceptOfferResponse>, Status> {
        let by = self.0.by(&request, WRITE, WAITLIST_SECRET)?;
        let id = request.into_inner().entry_id;
        let action = EntryAction::Accept {
            appointment_id: self.0.ids.uuid_at(self.0.now()),
            references: references(&self.0.site.reference_prefix, self.0.ids.as_ref()),
        };
        let (entry, outcome) = self.act(&id, &by, action).await?;
        match outcome {
            EntryOutcome::Booked(appointment) => {
                // The appointment's secret is of the same kind as the entry's: mailed, or from a response.
                let is_owner = matches!(by.access, Access::Secret(_));
                let given = self.0.store.entry_given(entry.id, &by.access);
                // The call's own span names the waitlist entry.
                traced::part(&appointment.reference)
                    .in_scope(|| traced::done(&appointment.reference, "accepted"));
                let roster = self.0.store.rosters.known(self.0.now()).await?;
                let given = is_owner.then_some(given);
                let appointment =
                    self.0
                        .shown_to_patient(*appointment, &roster, given, by.language);
                Ok(Response::new(AcceptOfferResponse {
                    appointment: Some(appointment),
                }))
            }
            EntryOutcome::Left(_)
            | EntryOutcome::EtagMismatch
            | EntryOutcome::NotWaiting
            | EntryOutcome::OfferOver => Err(offer_over()),
            EntryOutcome::Refused(reason) => Err(refused(reason, self.0.store.limits())),
            EntryOutcome::RosterChanged => Err(roster_changes()),
            EntryOutcome::Unknown => Err(unknown()),
        }
    }

    async fn leave_waitlist(
        &self,
        request: Request<LeaveWaitlistRequest>,
    ) -> Result<Response<LeaveWaitlistResponse>, Status> {
        let by = self.0.by(&request, WRITE, WAITLIST_SECRET)?;
        let id = request.into_inner().entry_id;
        match self.act(&id, &by, EntryAction::Leave).await?.1 {
            EntryOutcome::Left(entry) => {
                traced::done(&entry.reference, "left");
                let now = self.0.now();
                let roster = self.0.store.rosters.known(now).await?;
                Ok(Response::new(LeaveWaitlistResponse {
                    entry: Some(wire::entry(*entry, &roster, now)),
                }))
            }
            EntryOutcome::Booked(_)
            | EntryOutcome::EtagMismatch
            | EntryOutcome::NotWaiting
            | EntryOutcome::OfferOver
            | EntryOutcome::Refused(_)
            | EntryOutcome::Unknown => Err(unknown()),
            EntryOutcome::RosterChanged => Err(roster_changes()),
        }
    }

    async fn list_waitlist_entries(
        &self,
        request: Request<ListWaitlistEntriesRequest>,
    ) -> Result<Response<ListWaitlistEntriesResponse>, Status> {
        self.list(request).await
    }

    async fn offer_waitlist_time(
        &self,
        request: Request<OfferWaitlistTimeRequest>,
    ) -> Result<Response<OfferWaitlistTimeResponse>, Status> {
        self.offer(request).await
    }

    async fn remove_waitlist_entry(
        &self,
        request: Request<RemoveWaitlistEntryRequest>,
    ) -> Result<Response<RemoveWaitlistEntryResponse>, Status> {
        self.remove(request).await
    }
}

/// Deletes expired holds and offers, and offers free seats to waiting entries, until dropped.
pub async fn pass_offers_on(parts: Arc<Parts>) {
    loop {
        tokio::time::sleep(SWEEP_INTERVAL).await;
        if let Err(error) = sweep(&parts).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "waitlist offers were not swept; retrying"
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
        parts.seen.list_changed(WAITLIST);
    }
    parts.store.sweep_codes(now).await?;
    let wishes = parts.store.wishes(now).await?;
    if wishes.is_empty() {
        return Ok(());
    }
    let span = Span::bookable(now);
    let (roster, taken) = parts.seats_of(Roster::all_resources, span, now).await?;
    let is_same_day = |one: &Wish, other: &Wish| {
        (&one.department_id, &one.date) == (&other.department_id, &other.date)
    };
    for day in wishes.chunk_by(is_same_day) {
        offer_day(parts, day, &roster, &taken, now).await?;
    }
    Ok(())
}

/// Offers the free times of a department's day to waiting entries. Writes only when an entry wants a free time.
async fn offer_day(
    parts: &Parts,
    wishes: &[Wish],
    roster: &Arc<Roster>,
    taken: &TakenSeats,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(Wish { department_id, .. }) = wishes.first() else {
        return Ok(());
    };
    let mut waiting: BTreeMap<&str, i64> = BTreeMap::new();
    let mut wanted_by: BTreeMap<DateTime<Utc>, Vec<&str>> = BTreeMap::new();
    for wish in wishes {
        waiting.insert(&wish.doctor_id, wish.entries);
        for starts_at in free_times(wish, roster, taken, now) {
            wanted_by
                .entry(starts_at)
                .or_default()
                .push(&wish.doctor_id);
        }
    }
    for (starts_at, doctors) in wanted_by {
        let is_wanted = |doctor: &&str| waiting.get(*doctor).is_some_and(|count| *count > 0);
        if !doctors.iter().any(is_wanted) {
            continue;
        }
        let id = parts.ids.uuid_at(now);
        let roster = Arc::clone(roster);
        let offered = parts
            .store
            .offer_time(department_id, starts_at, id, roster, now)
            .await?;
        if let Some(offered) = offered {
            let doctor = offered.doctor_id.as_deref().unwrap_or_default();
            if let Some(count) = waiting.get_mut(doctor) {
                *count -= 1;
            }
            parts.seats_changed(department_id, now).await;
            parts.seen.list_changed(WAITLIST);
        }
    }
    Ok(())
}

/// Returns the free times that can still be offered to an entry of this wish.
fn free_times(
    wish: &Wish,
    roster: &Roster,
    taken: &TakenSeats,
    now: DateTime<Utc>,
) -> Vec<DateTime<Utc>> {
    let doctor = roster.doctor_of(&wish.doctor_id, Some(&wish.department_id));
    let department = roster.department(&wish.department_id);
    let (Some(department), Ok(doctor), Some(date)) = (department, doctor, parse_date(&wish.date))
    else {
        return Vec::new();
    };
    let span = Span {
        from: date,
        to: date,
    };
    let days = AvailabilityQuery::of(roster, department, doctor, span).days(taken, now);
    days.into_iter()
        .flat_map(|day| day.slots)
        .filter(|slot| slot.free.is_some() && may_be_offered(slot.starts_at, roster, now))
        .map(|slot| slot.starts_at)
        .collect()
}
