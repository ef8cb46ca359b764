//! Holds: a seat that is kept for a few minutes while a form is filled in.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    book::slot,
    joined,
    rosters::{ROSTER, is_current},
    rows::{self, Holder, SeatRow},
};
use crate::domain::{
    hold::HOLDS_OF_NETWORK_MAX,
    roster::Roster,
    seats::{Seat, SeatsAt, Wanted},
};

/// A hold that is asked for.
#[derive(Clone, Debug)]
pub struct NewHold {
    pub id: Uuid,
    pub wanted: Wanted,
    /// Keyed hash of who asks: a visitor has one hold.
    pub visitor: [u8; 32],
    /// Keyed hash of the network that it comes from.
    pub network: [u8; 32],
    /// The hold that it takes the place of, if it is known.
    pub replaces: Option<Uuid>,
    pub expire_time: DateTime<Utc>,
}

/// What became of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum HoldOutcome {
    Held(Seat),
    SlotTaken,
    /// The network has as many holds as it may have; the first is over then.
    TooMany(DateTime<Utc>),
    RosterChanged,
}

const BY_VISITOR: &str = "SELECT id FROM holds WHERE visitor = $1 OR id = $2";
const OF_NETWORK: &str = "\
SELECT count(*), min(expire_time) FROM holds WHERE network = $1 AND expire_time > $2 AND visitor <> $3";
const INSERT: &str =
    "INSERT INTO holds (id, visitor, network, expire_time) VALUES ($1, $2, $3, $4)";
const FORGET: &str = "DELETE FROM holds WHERE id = $1";
const HOLDS_REMOVED_MAX: i64 = 1000;

/// Removes the row of a hold; its seat is removed by itself.
pub(super) fn forget(id: Uuid) -> Statement {
    Statement::new(FORGET, values![id])
}

impl Store {
    /// Keeps a seat for a while.
    pub async fn hold(
        &self,
        new: NewHold,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<HoldOutcome, StoreError> {
        let work = Hold { new, roster, now };
        self.database.write("INSERT holds", work).await
    }

    /// Gives a hold back; gives its seat if it had one.
    pub async fn release(&self, id: Uuid) -> Result<Option<Seat>, StoreError> {
        self.database.write("DELETE holds", Release { id }).await
    }

    /// Removes the rows of holds that are over; gives how many. Their seats are free already.
    pub async fn sweep_holds(&self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        self.database.write("DELETE holds", Sweep { now }).await
    }
}

struct Hold {
    new: NewHold,
    roster: Arc<Roster>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Hold {
    type Outcome = HoldOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<HoldOutcome>, StoreError> {
        let new = &self.new;
        let slot = slot(&new.wanted.department_id, new.wanted.starts_at);
        let network = format!("holds {:02x?}", new.network);
        // Tabs of one browser ask at once, and each would replace what the others do not see yet.
        let visitor = format!("holds of {:02x?}", new.visitor);
        transaction
            .lock_all(&[
                Lock::Shared(ROSTER),
                Lock::Exclusive(&slot),
                Lock::Exclusive(&network),
                Lock::Exclusive(&visitor),
            ])
            .await?;
        if !is_current(transaction, &self.roster).await? {
            return Ok(Decision::Rollback(HoldOutcome::RosterChanged));
        }
        let before: Vec<(Uuid,)> = transaction
            .fetch_all(BY_VISITOR, values![new.visitor, new.replaces])
            .await?;
        let (holds, first): (i64, Option<DateTime<Utc>>) = transaction
            .fetch_one(OF_NETWORK, values![new.network, self.now, new.visitor])
            .await?;
        if holds >= HOLDS_OF_NETWORK_MAX {
            let until = first.unwrap_or(self.now);
            return Ok(Decision::Rollback(HoldOutcome::TooMany(until)));
        }
        let resources: Vec<_> = new.wanted.resources().collect();
        let mine: Vec<Uuid> = before.into_iter().map(|(id,)| id).collect();
        let rows: Vec<SeatRow> = transaction
            .fetch_all(
                rows::SEATS_AT,
                values![
                    joined(&resources),
                    new.wanted.starts_at,
                    mine.first().copied()
                ],
            )
            .await?;
        let seats: Vec<_> = rows
            .into_iter()
            .map(SeatRow::held)
            .collect::<Result<_, _>>()?;
        let seats = SeatsAt::new(seats, mine.clone(), self.now);
        let Some((seat, stale)) = seats.free(&new.wanted) else {
            return Ok(Decision::Rollback(HoldOutcome::SlotTaken));
        };
        let mut clearing = Script::new();
        for id in &mine {
            clearing.push(rows::free_all(*id));
            clearing.push(forget(*id));
        }
        transaction.run(clearing).await?;
        // By itself: it may be the row of the hold that just went.
        if let Some(stale) = &stale {
            transaction
                .run([rows::free(stale)].into_iter().collect())
                .await?;
        }
        let mut script = Script::new();
        script.push(rows::take(
            &seat,
            Holder::Hold,
            new.id,
            Some(new.expire_time),
        ));
        script.push(Statement::new(
            INSERT,
            values![new.id, new.visitor, new.network, new.expire_time],
        ));
        transaction.run(script).await?;
        Ok(Decision::Commit(HoldOutcome::Held(seat)))
    }
}

struct Release {
    id: Uuid,
}

#[async_trait]
impl UnitOfWork for Release {
    type Outcome = Option<Seat>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Option<Seat>>, StoreError> {
        const SEATS: &str = "\
SELECT resource, starts_at, seat, holder_id, expire_time FROM seats WHERE holder_id = $1 AND holder_kind = 'hold'";
        let row: Option<SeatRow> = transaction.fetch_optional(SEATS, values![self.id]).await?;
        let Some(row) = row else {
            return Ok(Decision::Rollback(None));
        };
        let held = row.held()?;
        let mut script = Script::new();
        script.push(rows::free(&held));
        script.push(forget(self.id));
        transaction.run(script).await?;
        Ok(Decision::Commit(Some(held.seat)))
    }
}

struct Sweep {
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Sweep {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const SEATS: &str = "\
DELETE FROM seats WHERE holder_kind = 'hold' AND holder_id IN
(SELECT id FROM holds WHERE expire_time <= $1 ORDER BY expire_time LIMIT $2) AND expire_time <= $1";
        const HOLDS: &str = "\
DELETE FROM holds WHERE id IN (SELECT id FROM holds WHERE expire_time <= $1 ORDER BY expire_time LIMIT $2)";
        let values = || values![self.now, HOLDS_REMOVED_MAX];
        transaction.execute(SEATS, values()).await?;
        let removed = transaction.execute(HOLDS, values()).await?;
        Ok(if removed == 0 {
            Decision::Rollback(0)
        } else {
            Decision::Commit(removed)
        })
    }
}
