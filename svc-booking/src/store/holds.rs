//! Holds: a seat reserved for a few minutes while its visitor fills in the form.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    row,
    sql::{Lock, Script, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    lists::joined,
    locks::slot,
    rosters::{ROSTER, is_current},
    rows::{self, Holder, SeatRow},
};
use crate::domain::{
    calendar::{parse_date, today},
    hold::{HELD_WINDOW, HeldByNetwork, HeldTime, HoldLimit, LiveHold},
    roster::Roster,
    seats::{Resource, Seat, SeatsAt, Wanted},
};

/// A requested hold.
#[derive(Clone, Debug)]
pub struct NewHold {
    pub id: Uuid,
    pub wanted: Wanted,
    /// Keyed hash of the visitor, who can have one hold only.
    pub visitor: [u8; 32],
    /// Keyed hash of the network of the request.
    pub network: [u8; 32],
    /// The previous hold to replace, if known.
    pub replaces: Option<Uuid>,
    pub expire_time: DateTime<Utc>,
}

/// Outcome of a requested hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum HoldOutcome {
    Held(Seat),
    SlotTaken,
    /// The network has reached a limit; `until` is the latest end of the refusal.
    TooMany {
        limit: HoldLimit,
        until: DateTime<Utc>,
    },
    RosterChanged,
}

const BY_VISITOR: &str = "\
SELECT id, network, department_id, date, create_time, expire_time FROM holds WHERE visitor = $1 OR id = $2";
const OF_NETWORK: &str = "\
SELECT holds.id, department_id, date, holds.expire_time, seats.resource
FROM holds LEFT JOIN seats ON seats.holder_id = holds.id AND seats.holder_kind = 'hold'
WHERE network = $1 AND holds.expire_time > $2 ORDER BY holds.expire_time LIMIT $3";
const HELD_BEFORE: &str = "\
SELECT since, held_seconds FROM held_times WHERE network = $1 AND department_id = $2 AND date = $3 AND since > $4";
const INSERT: &str = "\
INSERT INTO holds (id, visitor, network, expire_time, department_id, date, create_time) VALUES ($1, $2, $3, $4, $5, $6, $7)";
const FORGET: &str = "DELETE FROM holds WHERE id = $1";
/// Adds to the held time of the current window, or starts a new window.
const ADD_HELD: &str = "\
INSERT INTO held_times (network, department_id, date, since, held_seconds) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (network, department_id, date) DO UPDATE SET
    held_seconds = CASE WHEN held_times.since > $6 THEN held_times.held_seconds ELSE 0 END + excluded.held_seconds,
    since = CASE WHEN held_times.since > $6 THEN held_times.since ELSE excluded.since END";
/// Held times written per round trip.
const NOTED_AT_ONCE: usize = 50;
/// Maximum live holds read per network; above the number allowed.
const OF_NETWORK_ROWS_MAX: i64 = 100;
const HOLDS_REMOVED_MAX: i64 = 1000;

row! {
    /// The row of an ended hold.
    struct Ended {
        id: Uuid,
        network: Vec<u8>,
        department_id: Option<String>,
        date: Option<String>,
        create_time: Option<DateTime<Utc>>,
        expire_time: DateTime<Utc>,
    }
}

/// Returns statements that add the duration of holds which ended without a booking. Each row is written once and in a
/// fixed order, because concurrent writers of the same rows could otherwise deadlock.
fn notes(ended: &[Ended], now: DateTime<Utc>) -> Vec<Statement> {
    let mut held: BTreeMap<(&[u8], &str, &str), i64> = BTreeMap::new();
    for hold in ended {
        if let (Some(department_id), Some(date), Some(since)) =
            (&hold.department_id, &hold.date, hold.create_time)
        {
            let seconds = (now.min(hold.expire_time) - since).num_seconds();
            *held
                .entry((&hold.network, department_id, date))
                .or_default() += seconds.max(0);
        }
    }
    let window = now - HELD_WINDOW;
    held.into_iter()
        .map(|((network, department_id, date), seconds)| {
            let values = values![network, department_id, date, now, seconds, window];
            Statement::new(ADD_HELD, values)
        })
        .collect()
}

row! {
    struct LiveRow {
        id: Uuid,
        department_id: Option<String>,
        date: Option<String>,
        expire_time: DateTime<Utc>,
        resource: Option<String>,
    }
}

impl LiveRow {
    fn live(self) -> LiveHold {
        let date = self.date.as_deref().and_then(parse_date);
        LiveHold {
            day: self.department_id.zip(date),
            resource: self.resource.map(Resource::named),
            expire_time: self.expire_time,
        }
    }
}

/// Returns the statement that deletes a hold's row. Its seat is deleted separately.
pub(super) fn forget(id: Uuid) -> Statement {
    Statement::new(FORGET, values![id])
}

impl Store {
    /// Reserves a seat for a limited time.
    pub async fn hold(
        &self,
        new: NewHold,
        roster: Arc<Roster>,
        now: DateTime<Utc>,
    ) -> Result<HoldOutcome, StoreError> {
        let work = Hold { new, roster, now };
        self.database.write("INSERT holds", work).await
    }

    /// Releases a hold. Returns its seat, if it had one.
    pub async fn release(&self, id: Uuid, now: DateTime<Utc>) -> Result<Option<Seat>, StoreError> {
        let work = Release { id, now };
        self.database.write("DELETE holds", work).await
    }

    /// Deletes expired holds and outdated held times. Returns the number of deleted holds. Their seats became free at
    /// expiry.
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
        // Serialises a browser's tabs: concurrent holds would not see, and so not replace, each other.
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
        let before: Vec<Ended> = transaction
            .fetch_all(BY_VISITOR, values![new.visitor, new.replaces])
            .await?;
        let mine: Vec<Uuid> = before.iter().map(|hold| hold.id).collect();
        let held = self.held_by_network(transaction, &mine).await?;
        if let Some((limit, until)) = held.limit(&new.wanted, &self.roster) {
            return Ok(Decision::Rollback(HoldOutcome::TooMany { limit, until }));
        }
        let resources: Vec<_> = new.wanted.resources().collect();
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
        for hold in &before {
            clearing.push(rows::free_all(hold.id));
            clearing.push(forget(hold.id));
        }
        clearing.extend(notes(&before, self.now));
        transaction.run(clearing).await?;
        // In a separate script, because the row may belong to the hold that was just deleted.
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
            values![
                new.id,
                new.visitor,
                new.network,
                new.expire_time,
                &new.wanted.department_id,
                today(new.wanted.starts_at).to_string(),
                self.now
            ],
        ));
        transaction.run(script).await?;
        Ok(Decision::Commit(HoldOutcome::Held(seat)))
    }
}

impl Hold {
    /// Reads the network's live holds, except those that this hold replaces, and its held time on the wanted day.
    async fn held_by_network(
        &self,
        transaction: &mut Transaction<'_>,
        mine: &[Uuid],
    ) -> Result<HeldByNetwork, StoreError> {
        let NewHold {
            wanted, network, ..
        } = &self.new;
        let find = values![*network, self.now, OF_NETWORK_ROWS_MAX];
        let live: Vec<LiveRow> = transaction.fetch_all(OF_NETWORK, find).await?;
        let date = today(wanted.starts_at).to_string();
        let since = self.now - HELD_WINDOW;
        let find = values![*network, &wanted.department_id, date, since];
        let before: Option<(DateTime<Utc>, i64)> =
            transaction.fetch_optional(HELD_BEFORE, find).await?;
        Ok(HeldByNetwork {
            live: live
                .into_iter()
                .filter(|hold| !mine.contains(&hold.id))
                .map(LiveRow::live)
                .collect(),
            before: before.map(|(since, seconds)| HeldTime {
                since,
                held: TimeDelta::seconds(seconds),
            }),
        })
    }
}

struct Release {
    id: Uuid,
    now: DateTime<Utc>,
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
        let ended: Vec<Ended> = transaction
            .fetch_all(BY_VISITOR, values![None::<[u8; 32]>, self.id])
            .await?;
        let mut script = Script::new();
        script.push(rows::free(&held));
        script.push(forget(self.id));
        script.extend(notes(&ended, self.now));
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
DELETE FROM holds WHERE id IN (SELECT id FROM holds WHERE expire_time <= $1 ORDER BY expire_time LIMIT $2)
RETURNING id, network, department_id, date, create_time, expire_time";
        const HELD_TIMES: &str = "DELETE FROM held_times WHERE since <= $1";
        let values = || values![self.now, HOLDS_REMOVED_MAX];
        transaction.execute(SEATS, values()).await?;
        let ended: Vec<Ended> = transaction.fetch_all(HOLDS, values()).await?;
        let forgotten = values![self.now - HELD_WINDOW];
        let forgotten = transaction.execute(HELD_TIMES, forgotten).await?;
        if ended.is_empty() && forgotten == 0 {
            return Ok(Decision::Rollback(0));
        }
        for chunk in notes(&ended, self.now).chunks(NOTED_AT_ONCE) {
            transaction.run(chunk.iter().cloned().collect()).await?;
        }
        let removed = u64::try_from(ended.len()).unwrap_or(u64::MAX);
        Ok(Decision::Commit(removed))
    }
}
