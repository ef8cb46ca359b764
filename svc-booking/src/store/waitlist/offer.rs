//! Offers: a freed seat is offered to one entry at a time.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::{Lock, Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{BY_ID, EntryRow, FOR_UPDATE, SET_OFFER, SET_STATE, select_entries};
use crate::{
    domain::{
        calendar::{IST, SlotTime, parse_date, today},
        roster::Roster,
        seats::SeatsAt,
        waitlist::{EndReason, EntryState, OFFER_TIME, OFFERED, OFFERS_MAX, may_be_offered},
    },
    store::{
        lists::{joined, text_in},
        locks::{address_lock, slot},
        rosters::{ROSTER, is_current},
        rows::{self, Holder, SeatRow},
    },
};

/// A slot in which a seat may have become free.
pub(in crate::store) struct Offer<'a> {
    pub(in crate::store) department_id: &'a str,
    pub(in crate::store) starts_at: DateTime<Utc>,
    pub(in crate::store) message_id: Uuid,
}

/// The wish of an entry that received an offer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Offered {
    /// `None` for any doctor.
    pub doctor_id: Option<String>,
}

/// Outcome of an offer to one entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Given {
    Offered(Offered),
    /// An entry ahead of it wants this time.
    NotFirst,
    /// No seat is free, or the entry is not waiting.
    NotFree,
    /// The roster has changed since it was read; it must be read again.
    RosterChanged,
}

/// Stands for entries without a wanted doctor in a list of doctors.
const ANY: &str = "*";
/// Maximum entries tried for one seat: the first ones may concurrently receive an offer for another slot.
const CANDIDATES_MAX: i64 = 8;

/// Selects proven entries with a matching wish, in queue order. Also selects entries of builds that required no proof.
const FITTING: Sql = text_in!(
    select_entries!(
        "WHERE department_id = $1 AND date = $2 AND state = 'waiting' AND (proof IS NULL OR proof <> 'unproven') \
         AND COALESCE(doctor_id, '*')"
    ),
    3,
    " ORDER BY queue_time, id LIMIT $4"
);

/// Offers a free seat of a slot to the first matching entry. The caller must hold the locks of the roster and of the
/// slot.
pub(in crate::store) async fn offer(
    transaction: &mut Transaction<'_>,
    offer: &Offer<'_>,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Result<Option<Offered>, StoreError> {
    Ok(
        match offer_to(transaction, offer, None, roster, now).await? {
            Given::Offered(offered) => Some(offered),
            Given::NotFirst | Given::NotFree | Given::RosterChanged => None,
        },
    )
}

/// Like [`offer`], but with `only`, to no other entry than this one.
async fn offer_to(
    transaction: &mut Transaction<'_>,
    offer: &Offer<'_>,
    only: Option<Uuid>,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Result<Given, StoreError> {
    let Offer {
        department_id,
        starts_at,
        message_id,
    } = *offer;
    let local = starts_at.with_timezone(&IST);
    let date = local.date_naive();
    let Some(slot) = SlotTime::at(local.time()) else {
        return Ok(Given::NotFree);
    };
    if !may_be_offered(starts_at, roster, now) || roster.department(department_id).is_none() {
        return Ok(Given::NotFree);
    }
    let seats = seats_at(transaction, offer, slot, roster, now).await?;
    let wanted = |doctor: Option<&str>| roster.wanted(department_id, doctor, date, slot);
    let is_free = |doctor: &&str| seats.free(&wanted(Some(*doctor))).is_some();
    let own = roster
        .doctors()
        .filter(|doctor| doctor.department_id == department_id);
    let doctors = own.map(|doctor| doctor.id).filter(is_free);
    let any = seats.free(&wanted(None)).map(|_| ANY);
    let fitting: Vec<&str> = any.into_iter().chain(doctors).collect();
    if fitting.is_empty() {
        return Ok(Given::NotFree);
    }
    let find = values![
        department_id,
        date.to_string(),
        fitting.join(","),
        CANDIDATES_MAX
    ];
    let line: Vec<EntryRow> = transaction.fetch_all(FITTING, find).await?;
    for row in line {
        let Some((seat, stale)) = seats.free(&wanted(row.doctor_id.as_deref())) else {
            continue;
        };
        if only.is_some_and(|id| id != row.id) {
            return Ok(Given::NotFirst);
        }
        let expire_time = now + OFFER_TIME;
        // Two slots of a day may become free at once. An entry that receives one offer concurrently must not receive
        // the other.
        let offered = values![row.id, starts_at, expire_time, now];
        if transaction.execute(SET_OFFER, offered).await? == 0 {
            continue;
        }
        transaction
            .run(stale.iter().map(rows::free).collect())
            .await?;
        let message = outbox::NewMessage {
            id: message_id,
            kind: OFFERED,
            subject: row.id.to_string(),
            payload: format!(r#"{{"waitlistEntryId":"{}"}}"#, row.id),
            not_before: now,
        };
        let mut script = Script::new();
        script.push(rows::take(&seat, Holder::Offer, row.id, Some(expire_time)));
        script.push(outbox::insert(&message, now)?);
        transaction.run(script).await?;
        return Ok(Given::Offered(Offered {
            doctor_id: row.doctor_id,
        }));
    }
    Ok(Given::NotFree)
}

/// Reads the department's seats at that time.
async fn seats_at(
    transaction: &mut Transaction<'_>,
    offer: &Offer<'_>,
    slot: SlotTime,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Result<SeatsAt, StoreError> {
    let any = roster.wanted(offer.department_id, None, today(offer.starts_at), slot);
    let resources: Vec<_> = any.resources().collect();
    let rows: Vec<SeatRow> = transaction
        .fetch_all(
            rows::SEATS_AT,
            values![joined(&resources), offer.starts_at, None::<Uuid>],
        )
        .await?;
    let seats = rows
        .into_iter()
        .map(SeatRow::held)
        .collect::<Result<_, _>>()?;
    Ok(SeatsAt::new(seats, Vec::new(), now))
}

pub(super) struct OfferTime {
    pub(super) department_id: String,
    pub(super) starts_at: DateTime<Utc>,
    pub(super) message_id: Uuid,
    pub(super) roster: Arc<Roster>,
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for OfferTime {
    type Outcome = Option<Offered>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Option<Offered>>, StoreError> {
        Ok(match self.give(transaction, None).await? {
            Given::Offered(offered) => Decision::Commit(Some(offered)),
            Given::NotFirst | Given::NotFree | Given::RosterChanged => Decision::Rollback(None),
        })
    }
}

impl OfferTime {
    async fn give(
        &self,
        transaction: &mut Transaction<'_>,
        only: Option<Uuid>,
    ) -> Result<Given, StoreError> {
        let slot = slot(&self.department_id, self.starts_at);
        transaction
            .lock_all(&[Lock::Shared(ROSTER), Lock::Exclusive(&slot)])
            .await?;
        if !is_current(transaction, &self.roster).await? {
            return Ok(Given::RosterChanged);
        }
        let next = Offer {
            department_id: &self.department_id,
            starts_at: self.starts_at,
            message_id: self.message_id,
        };
        offer_to(transaction, &next, only, &self.roster, self.now).await
    }
}

/// Offers a time to one entry for staff, with an audit entry.
pub(super) struct OfferTo {
    pub(super) id: Uuid,
    pub(super) time: OfferTime,
    pub(super) noted: Option<audit::Entry>,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for OfferTo {
    type Outcome = Given;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Given>, StoreError> {
        let given = self.time.give(transaction, Some(self.id)).await?;
        if !matches!(given, Given::Offered(_)) {
            return Ok(Decision::Rollback(given));
        }
        if let Some(noted) = &self.noted {
            audit::append(transaction, &self.keys, noted, self.time.now).await?;
        }
        Ok(Decision::Commit(given))
    }
}

/// Ends an offer: frees its seat, and either ends the entry or, without a reason, puts it at the end of the queue.
pub(super) async fn end_offer(
    transaction: &mut Transaction<'_>,
    row: &EntryRow,
    reason: Option<EndReason>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let state = reason.map_or(EntryState::Waiting, |_| EntryState::Ended);
    let mut script = Script::new();
    script.push(rows::free_all(row.id));
    script.push(Statement::new(
        SET_STATE,
        values![
            row.id,
            state.as_str(),
            now,
            None::<Uuid>,
            reason.map(EndReason::as_str)
        ],
    ));
    script.push(outbox::withdraw(OFFERED, &row.id.to_string()));
    transaction.run(script).await
}

pub(super) struct EndOffer {
    pub(super) id: Uuid,
    pub(super) roster: Arc<Roster>,
    pub(super) message_id: Uuid,
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for EndOffer {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let Some(row) = locked(transaction, self.id).await? else {
            return Ok(Decision::Rollback(()));
        };
        let is_past = parse_date(&row.date).is_some_and(|date| date < today(self.now));
        let is_over = row.offer_expire_time.is_some_and(|until| until <= self.now);
        let reason = match EntryState::parse(&row.state) {
            Some(EntryState::Waiting | EntryState::Offered) if is_past => Some(EndReason::DayPast),
            Some(EntryState::Offered) if is_over && row.offers >= OFFERS_MAX => {
                Some(EndReason::OffersExpired)
            }
            Some(EntryState::Offered) if is_over => None,
            _ => return Ok(Decision::Rollback(())),
        };
        end_offer(transaction, &row, reason, self.now).await?;
        if let Some(starts_at) = row.offer_starts_at
            && is_current(transaction, &self.roster).await?
        {
            let next = Offer {
                department_id: &row.department_id,
                starts_at,
                message_id: self.message_id,
            };
            offer(transaction, &next, &self.roster, self.now).await?;
        }
        Ok(Decision::Commit(()))
    }
}

/// Reads an entry and locks it, its offered slot and its address until the end of the transaction.
pub(super) async fn locked(
    transaction: &mut Transaction<'_>,
    id: Uuid,
) -> Result<Option<EntryRow>, StoreError> {
    let entry = format!("entry {id}");
    let mut row: Option<EntryRow> = transaction.fetch_optional(BY_ID, values![id]).await?;
    while let Some(known) = row {
        let slot = known
            .offer_starts_at
            .map(|at| slot(&known.department_id, at));
        let address = known.email_index.as_deref().map(address_lock);
        let mut locks = vec![Lock::Shared(ROSTER), Lock::Exclusive(&entry)];
        locks.extend(slot.as_deref().map(Lock::Exclusive));
        locks.extend(address.as_deref().map(Lock::Exclusive));
        transaction.lock_all(&locks).await?;
        // Reads the row again under its locks. It may have received an offer while this transaction waited for them. An
        // offering transaction holds only the slot's lock.
        row = transaction.fetch_optional(FOR_UPDATE, values![id]).await?;
        if row.as_ref().map(|row| row.offer_starts_at) == Some(known.offer_starts_at) {
            return Ok(row);
        }
    }
    Ok(None)
}
