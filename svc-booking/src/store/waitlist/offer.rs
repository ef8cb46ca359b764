//! Offers: a seat that comes free goes to one at a time, then to the next.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    outbox,
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{BY_ID, EntryRow, FOR_UPDATE, IN_LINE, LINE_MAX, SET_OFFER, SET_STATE};
use crate::{
    domain::{
        calendar::{IST, SlotTime, leaves_notice, parse_date, today},
        roster::Roster,
        seats::SeatsAt,
        waitlist::{EntryState, OFFER_TIME, OFFERED, OFFERS_MAX},
    },
    store::{
        book::slot,
        joined,
        rosters::{ROSTER, is_current},
        rows::{self, Holder, SeatRow},
    },
};

/// A seat that may have come free.
pub(in crate::store) struct Offer<'a> {
    pub(in crate::store) department_id: &'a str,
    pub(in crate::store) starts_at: DateTime<Utc>,
    pub(in crate::store) message_id: Uuid,
}

/// Offers a free seat of that time to the first in line who can use it. The caller holds the locks of the roster and of the slot.
pub(in crate::store) async fn offer(
    transaction: &mut Transaction<'_>,
    offer: &Offer<'_>,
    roster: &Roster,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let Offer {
        department_id,
        starts_at,
        message_id,
    } = *offer;
    let local = starts_at.with_timezone(&IST);
    let date = local.date_naive();
    let Some(slot) = SlotTime::at(local.time()) else {
        return Ok(false);
    };
    let department = roster.department(department_id);
    // Who accepts at the last moment must still leave the desk its notice.
    let is_open = leaves_notice(starts_at, now + OFFER_TIME)
        && roster.closed(date, None, None, now).is_none();
    if !is_open || department.is_none() {
        return Ok(false);
    }
    let line: Vec<EntryRow> = transaction
        .fetch_all(IN_LINE, values![department_id, date.to_string(), LINE_MAX])
        .await?;
    if line.is_empty() {
        return Ok(false);
    }
    let any = roster.wanted(department_id, None, date, slot);
    let resources: Vec<_> = any.resources().collect();
    let rows: Vec<SeatRow> = transaction
        .fetch_all(
            rows::SEATS_AT,
            values![joined(&resources), starts_at, None::<Uuid>],
        )
        .await?;
    let seats = rows
        .into_iter()
        .map(SeatRow::held)
        .collect::<Result<_, _>>()?;
    let seats = SeatsAt::new(seats, Vec::new(), now);
    for row in line {
        let wanted = roster.wanted(department_id, row.doctor_id.as_deref(), date, slot);
        let Some((seat, stale)) = seats.free(&wanted) else {
            continue;
        };
        let expire_time = now + OFFER_TIME;
        // Two times of a day may come free at once: who is offered one of them meanwhile is not offered the other.
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
        return Ok(true);
    }
    Ok(false)
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
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        let slot = slot(&self.department_id, self.starts_at);
        transaction
            .lock_all(&[Lock::Shared(ROSTER), Lock::Exclusive(&slot)])
            .await?;
        if !is_current(transaction, &self.roster).await? {
            return Ok(Decision::Rollback(false));
        }
        let next = Offer {
            department_id: &self.department_id,
            starts_at: self.starts_at,
            message_id: self.message_id,
        };
        Ok(
            if offer(transaction, &next, &self.roster, self.now).await? {
                Decision::Commit(true)
            } else {
                Decision::Rollback(false)
            },
        )
    }
}

/// Writes the end of an offer: its seat goes, and the entry waits again at the end of the line, or ends.
pub(super) async fn end_offer(
    transaction: &mut Transaction<'_>,
    row: &EntryRow,
    state: EntryState,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let mut script = Script::new();
    script.push(rows::free_all(row.id));
    script.push(Statement::new(
        SET_STATE,
        values![row.id, state.as_str(), now, None::<Uuid>],
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
        let state = match EntryState::parse(&row.state) {
            Some(EntryState::Waiting | EntryState::Offered) if is_past => EntryState::Ended,
            Some(EntryState::Offered) if is_over && row.offers >= OFFERS_MAX => EntryState::Ended,
            Some(EntryState::Offered) if is_over => EntryState::Waiting,
            _ => return Ok(Decision::Rollback(())),
        };
        end_offer(transaction, &row, state, self.now).await?;
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

/// An entry, with the locks of the time that it is offered and of the person, as it is until the end of the transaction.
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
        let names = known
            .persons()
            .map(|persons| persons.locks())
            .unwrap_or_default();
        let mut locks = vec![Lock::Shared(ROSTER), Lock::Exclusive(&entry)];
        locks.extend(slot.as_deref().map(Lock::Exclusive));
        locks.extend(names.iter().map(|name| Lock::Exclusive(name)));
        transaction.lock_all(&locks).await?;
        // As it is from now on: it may have been offered a time while its locks were waited for, and whoever makes an offer has the lock
        // of the time only.
        row = transaction.fetch_optional(FOR_UPDATE, values![id]).await?;
        if row.as_ref().map(|row| row.offer_starts_at) == Some(known.offer_starts_at) {
            return Ok(row);
        }
    }
    Ok(None)
}
