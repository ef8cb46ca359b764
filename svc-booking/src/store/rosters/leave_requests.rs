//! Leave that doctors ask for. Every change holds the roster's lock: a request is checked against the leave of the
//! roster, and a granted one becomes leave.

mod rows;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::source::Ids;
use store_kit::{
    audit,
    creation::{self, Creation, New},
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    sql::{Lock, Script, Sql, Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{ROSTER, Rosters, edit::EditRoster};
use rows::{LeaveRequestRow, insert, update};

pub use rows::LEAVE_REQUESTS;

use crate::{
    domain::{
        availability::Span,
        calendar::{start_of, today},
        leave_request::{
            LeaveRequest, LeaveRequestState, Overlap, Ruled, Ruling, WAITING_MAX, Wanted,
        },
        roster::{
            Seed,
            change::{Edit, Edited},
        },
        seats::Resource,
    },
    store::lists::{joined, text_in},
};

/// Kind of the request keys of creates. Must never change, because it is part of the hashed key.
pub const REQUEST_LEAVE: &str = "leave-requests.create";

/// Maximum booked appointments counted for a page of requests.
const BOOKED_MAX: i64 = 20_000;

macro_rules! select_requests {
    ($rest:literal) => {
        concat!(
            "SELECT id, doctor_id, from_date, until_date, state, version, leave_id, create_time, update_time, key_id, reason, answer \
             FROM leave_requests ",
            $rest
        )
    };
}

const BY_ID: &str = select_requests!("WHERE id = $1");
const WAITING: &str = select_requests!("WHERE state = 'waiting' AND id > $1 ORDER BY id LIMIT $2");
const OF_DOCTOR: &str =
    select_requests!("WHERE doctor_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
/// Outcome of a doctor's request.
#[derive(Clone, Debug)]
pub enum Requested {
    /// Stored now, or by an earlier attempt.
    Answered(Box<Creation<LeaveRequest>>),
    Overlaps(Overlap),
    /// The doctor has [`WAITING_MAX`] waiting requests.
    TooMany,
}

impl Rosters {
    /// Stores a doctor's request, once per request key.
    pub async fn request_leave(
        &self,
        doctor_id: &str,
        wanted: Wanted,
        request: RequestKey,
        actor: &str,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Result<Requested, StoreError> {
        let asked = LeaveRequest {
            id: ids.uuid_at(now),
            doctor_id: doctor_id.to_owned(),
            from: wanted.from,
            until: wanted.until,
            reason: wanted.reason,
            state: LeaveRequestState::Waiting,
            answer: String::new(),
            version: 1,
            leave_id: None,
            create_time: now,
            update_time: now,
        };
        let work = RequestLeave {
            asked,
            request,
            actor: actor.to_owned(),
            keys: self.keys.clone(),
            now,
        };
        self.database.write("INSERT leave_requests", work).await
    }

    /// Decides on a waiting request of this version.
    pub async fn rule(
        &self,
        id: Uuid,
        version: i64,
        ruling: Ruling,
        actor: &str,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Result<Ruled, StoreError> {
        // As in `edit`: an empty database is seeded first.
        self.known(now).await?;
        let work = Rule {
            id,
            version,
            ruling,
            leave_id: ids.uuid_at(now),
            actor: actor.to_owned(),
            seed: Arc::clone(&self.seed),
            keys: self.keys.clone(),
            now,
        };
        let ruled = self.database.write("UPDATE leave_requests", work).await?;
        self.read(now).await?;
        Ok(ruled)
    }

    /// Returns a page of a doctor's requests, the latest first, and whether there is another page.
    pub async fn leave_requests_of(
        &self,
        doctor_id: &str,
        before: Option<Uuid>,
        size: usize,
    ) -> Result<(Vec<LeaveRequest>, bool), StoreError> {
        let values = values![doctor_id, before.unwrap_or(Uuid::max()), rows_max(size)];
        self.page(OF_DOCTOR, values, size).await
    }

    /// Returns a page of the waiting requests, the earliest first, and whether there is another page.
    pub async fn waiting_leave_requests(
        &self,
        after: Option<Uuid>,
        size: usize,
    ) -> Result<(Vec<LeaveRequest>, bool), StoreError> {
        let values = values![after.unwrap_or_default(), rows_max(size)];
        self.page(WAITING, values, size).await
    }

    async fn page(
        &self,
        sql: &'static str,
        values: Vec<Value>,
        size: usize,
    ) -> Result<(Vec<LeaveRequest>, bool), StoreError> {
        let mut rows: Vec<LeaveRequestRow> = self
            .database
            .fetch_all("SELECT leave_requests", sql, values)
            .await?;
        let more = rows.len() > size;
        rows.truncate(size);
        let page = rows.into_iter().map(|row| row.open(&self.keys));
        Ok((page.collect::<Result<_, _>>()?, more))
    }

    /// Returns for each request the number of booked appointments that granting it leaves uncovered: all that have a
    /// seat of the doctor in its days, from now on. One query.
    pub async fn uncovered_by(
        &self,
        page: &[LeaveRequest],
        now: DateTime<Utc>,
    ) -> Result<Vec<usize>, StoreError> {
        const BOOKED: Sql = text_in!(
            "SELECT seats.resource, appointments.starts_at FROM appointments JOIN seats ON seats.holder_id = appointments.id \
             WHERE status = 'booked' AND delete_time IS NULL \
             AND appointments.starts_at >= $2 AND appointments.starts_at < $3 AND seats.resource",
            1,
            " LIMIT $4"
        );
        let span = |request: &LeaveRequest| {
            let after = request.until.succ_opt().unwrap_or(request.until);
            (start_of(request.from).max(now), start_of(after))
        };
        let from = page.iter().map(|request| span(request).0).min();
        let until = page.iter().map(|request| span(request).1).max();
        let (Some(from), Some(until)) = (from, until) else {
            return Ok(Vec::new());
        };
        let resources: Vec<Resource> = page
            .iter()
            .map(|request| request.leave().resource)
            .collect();
        let until = until.min(Span::bookable(now).moments().1);
        let values = values![joined(&resources), from, until, BOOKED_MAX];
        let booked: Vec<(String, DateTime<Utc>)> = self
            .database
            .fetch_all("SELECT appointments", BOOKED, values)
            .await?;
        let count = |(request, resource): (&LeaveRequest, &Resource)| {
            let (from, until) = span(request);
            let is_hit = |(of, at): &&(String, DateTime<Utc>)| {
                of == resource.as_str() && (from..until).contains(at)
            };
            booked.iter().filter(is_hit).count()
        };
        Ok(page.iter().zip(&resources).map(count).collect())
    }
}

/// One row more than the page shows whether there is another page.
fn rows_max(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX).saturating_add(1)
}

struct RequestLeave {
    asked: LeaveRequest,
    request: RequestKey,
    actor: String,
    keys: Keys,
    now: DateTime<Utc>,
}

impl RequestLeave {
    /// Returns why a new request is refused.
    async fn refusal(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Option<Requested>, StoreError> {
        const OF_ROSTER: &str = "\
SELECT count(*) FROM leaves WHERE resource = $1 AND from_date <= $3 AND until_date >= $2";
        const OF_WAITING: &str = "\
SELECT count(*), coalesce(sum(CASE WHEN from_date <= $3 AND until_date >= $2 THEN 1 ELSE 0 END), 0)
FROM leave_requests WHERE doctor_id = $1 AND state = 'waiting'";
        let asked = &self.asked;
        let (from, until) = (asked.from.to_string(), asked.until.to_string());
        let resource = asked.leave().resource;
        let values = values![resource.as_str(), &from, &until];
        let (leaves,): (i64,) = transaction.fetch_one(OF_ROSTER, values).await?;
        let values = values![&asked.doctor_id, &from, &until];
        let (waiting, overlapping): (i64, i64) = transaction.fetch_one(OF_WAITING, values).await?;
        Ok(if leaves > 0 {
            Some(Requested::Overlaps(Overlap::Leave))
        } else if overlapping > 0 {
            Some(Requested::Overlaps(Overlap::Request))
        } else if waiting >= WAITING_MAX {
            Some(Requested::TooMany)
        } else {
            None
        })
    }
}

#[async_trait]
impl UnitOfWork for RequestLeave {
    type Outcome = Requested;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Requested>, StoreError> {
        transaction.lock_all(&[Lock::Exclusive(ROSTER)]).await?;
        let found = requests::find(transaction, &self.request, self.now).await?;
        if found == Found::New
            && let Some(refusal) = self.refusal(transaction).await?
        {
            return Ok(Decision::Rollback(refusal));
        }
        let asked = &self.asked;
        let mut script = Script::new();
        script.push(insert(&self.keys, asked)?);
        let new = New {
            request: &self.request,
            id: asked.id,
            subject: asked.clone(),
            script,
            now: self.now,
        };
        let open = |row: LeaveRequestRow| row.open(&self.keys);
        let answered = |creation| Requested::Answered(Box::new(creation));
        match creation::once(transaction, new, BY_ID, open).await? {
            Decision::Commit(made) => {
                let entry = audit::Entry {
                    actor: self.actor.clone(),
                    action: "leave_request.create",
                    subject: asked.id.to_string(),
                    detail: asked.doctor_id.clone(),
                };
                audit::append(transaction, &self.keys, &entry, self.now).await?;
                Ok(Decision::Commit(answered(made)))
            }
            Decision::Rollback(found) => Ok(Decision::Rollback(answered(found))),
        }
    }
}

struct Rule {
    id: Uuid,
    version: i64,
    ruling: Ruling,
    /// Id of the leave that a granted request becomes.
    leave_id: Uuid,
    actor: String,
    seed: Arc<Seed>,
    keys: Keys,
    now: DateTime<Utc>,
}

impl Rule {
    /// Enters the leave of a request. Its audit entry and its revision are those of any leave.
    async fn enter(
        &self,
        transaction: &mut Transaction<'_>,
        request: &LeaveRequest,
    ) -> Result<Edited, StoreError> {
        let edit = EditRoster {
            edit: Edit::CreateLeave(request.leave()),
            request: None,
            actor: self.actor.clone(),
            id: self.leave_id,
            seed: Arc::clone(&self.seed),
            keys: self.keys.clone(),
            now: self.now,
        };
        let (Decision::Commit(edited) | Decision::Rollback(edited)) = edit.run(transaction).await?;
        Ok(edited)
    }
}

#[async_trait]
impl UnitOfWork for Rule {
    type Outcome = Ruled;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Ruled>, StoreError> {
        transaction.lock_all(&[Lock::Exclusive(ROSTER)]).await?;
        let Self { keys, now, .. } = self;
        let row: Option<LeaveRequestRow> =
            transaction.fetch_optional(BY_ID, values![self.id]).await?;
        let Some(mut request) = row.map(|row| row.open(keys)).transpose()? else {
            return Ok(Decision::Rollback(Ruled::NotFound));
        };
        if matches!(&self.ruling, Ruling::Withdraw { doctor_id } if *doctor_id != request.doctor_id)
        {
            return Ok(Decision::Rollback(Ruled::NotFound));
        }
        if request.state != LeaveRequestState::Waiting || request.version != self.version {
            return Ok(Decision::Rollback(Ruled::Changed(request.state)));
        }
        let mut affected = Vec::new();
        match &self.ruling {
            Ruling::Withdraw { .. } => {}
            Ruling::Decline { answer } => request.answer.clone_from(answer),
            Ruling::Grant if request.until < today(*now) => {
                return Ok(Decision::Rollback(Ruled::Over));
            }
            Ruling::Grant => match self.enter(transaction, &request).await? {
                Edited::Done {
                    affected: uncovered,
                    ..
                } => {
                    affected = uncovered;
                    request.leave_id = Some(self.leave_id);
                }
                // A new leave without a request key is refused for one reason only.
                _ => return Ok(Decision::Rollback(Ruled::Full)),
            },
        }
        request.state = self.ruling.state();
        request.version += 1;
        request.update_time = *now;
        let mut script = Script::new();
        script.push(update(keys, &request)?);
        transaction.run(script).await?;
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: self.ruling.action(),
            subject: request.id.to_string(),
            detail: request.doctor_id.clone(),
        };
        audit::append(transaction, keys, &entry, *now).await?;
        Ok(Decision::Commit(Ruled::Done {
            request: Box::new(request),
            affected,
        }))
    }
}
