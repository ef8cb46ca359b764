//! Edits of the roster by staff, and the appointments that they leave uncovered.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    sql::{Lock, Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    ADVANCE, ROSTER, roster_within,
    rows::{write_holiday, write_leave, write_session},
};
use crate::{
    domain::{
        availability::Span,
        roster::{
            Leave, Roster, Seed, Session,
            change::{Edit, Edited, uncovered},
        },
    },
    store::{
        lists::{joined, text_in},
        uncovered::{BookedRow, booked, select_booked},
    },
};

const SESSIONS_MAX: usize = 5_000;
const LEAVES_MAX: usize = 5_000;
const HOLIDAYS_MAX: usize = 1_000;
/// Maximum booked appointments checked per edit: 60 days of 18 slots of one resource, or one day of all resources.
const BOOKED_MAX: i64 = 50_000;

pub(super) struct EditRoster {
    pub(super) edit: Edit,
    pub(super) request: Option<RequestKey>,
    pub(super) actor: String,
    /// Id of a created session or leave.
    pub(super) id: Uuid,
    pub(super) seed: Arc<Seed>,
    pub(super) keys: Keys,
    pub(super) now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for EditRoster {
    type Outcome = Edited;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<Edited>, StoreError> {
        transaction.lock_all(&[Lock::Exclusive(ROSTER)]).await?;
        if let Some(request) = &self.request {
            match requests::find(transaction, request, self.now).await? {
                Found::New => {}
                Found::Reused => return Ok(Decision::Rollback(Edited::RequestIdReused)),
                Found::Repeated { subject } => {
                    let roster = roster_within(transaction, &self.seed, self.now).await?;
                    let affected = self.affected(transaction, &roster, &roster).await?;
                    return Ok(Decision::Rollback(Edited::Done {
                        id: subject,
                        affected,
                        repeated: true,
                    }));
                }
            }
        }
        let before = roster_within(transaction, &self.seed, self.now).await?;
        let id = match self.statement(&before) {
            Ok((statement, id)) => {
                let mut script = Script::new();
                script.push(statement);
                if let Some(request) = &self.request {
                    script.push(requests::insert(request, &id, self.now));
                }
                transaction.run(script).await?;
                id
            }
            Err(refused) => return Ok(Decision::Rollback(refused)),
        };
        transaction.execute(ADVANCE, values![]).await?;
        let after = roster_within(transaction, &self.seed, self.now).await?;
        let affected = self.affected(transaction, &before, &after).await?;
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: self.edit.action(),
            subject: id.clone(),
            detail: format!("{} affected", affected.len()),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(Edited::Done {
            id,
            affected,
            repeated: false,
        }))
    }
}

impl EditRoster {
    /// Returns the statement that writes the edit, and the id of its subject.
    fn statement(&self, before: &Roster) -> Result<(Statement, String), Edited> {
        let version_of = |id: &str| {
            let session = before.sessions.iter().find(|session| session.id == id);
            session
                .map(|session| session.version)
                .ok_or(Edited::NotFound)
        };
        let checked = |id: &str, version: i64| match version_of(id)? {
            present if present == version => Ok(()),
            _ => Err(Edited::EtagMismatch),
        };
        Ok(match &self.edit {
            Edit::CreateSession(_) if before.sessions.len() >= SESSIONS_MAX => {
                return Err(Edited::Full);
            }
            Edit::CreateSession(session) => {
                let id = self.id.to_string();
                let session = Session {
                    id: id.clone(),
                    ..session.clone()
                };
                (write_session(&session, self.now), id)
            }
            Edit::UpdateSession {
                id,
                version,
                session,
            } => {
                checked(id, *version)?;
                let session = Session {
                    id: id.clone(),
                    version: version + 1,
                    ..session.clone()
                };
                (write_session(&session, self.now), id.clone())
            }
            Edit::DeleteSession { id, version } => {
                checked(id, *version)?;
                let delete = Statement::new("DELETE FROM sessions WHERE id = $1", values![id]);
                (delete, id.clone())
            }
            Edit::CreateLeave(_) if before.leaves.len() >= LEAVES_MAX => return Err(Edited::Full),
            Edit::CreateLeave(leave) => {
                let leave = Leave {
                    id: self.id,
                    ..leave.clone()
                };
                (write_leave(&leave, self.now), self.id.to_string())
            }
            Edit::DeleteLeave(id) => {
                if !before.leaves.iter().any(|leave| leave.id == *id) {
                    return Err(Edited::NotFound);
                }
                let delete = Statement::new("DELETE FROM leaves WHERE id = $1", values![*id]);
                (delete, id.to_string())
            }
            Edit::WriteHoliday(date, name) => {
                let is_new = !before.holidays.contains_key(date);
                if is_new && before.holidays.len() >= HOLIDAYS_MAX {
                    return Err(Edited::Full);
                }
                (write_holiday(*date, name, self.now), date.to_string())
            }
            Edit::DeleteHoliday(date) => {
                if !before.holidays.contains_key(date) {
                    return Err(Edited::NotFound);
                }
                let date = date.to_string();
                let delete = Statement::new("DELETE FROM holidays WHERE date = $1", values![&date]);
                (delete, date)
            }
        })
    }

    /// Returns the booked appointments that are now uncovered. Their contacts stay sealed, because decryption would
    /// prolong the roster's lock.
    async fn affected(
        &self,
        transaction: &mut Transaction<'_>,
        before: &Roster,
        after: &Roster,
    ) -> Result<Vec<Uuid>, StoreError> {
        const BOOKED: Sql = text_in!(
            select_booked!(
                "appointments.starts_at >= $2 AND appointments.starts_at < $3 AND seats.resource"
            ),
            1,
            " ORDER BY appointments.starts_at, appointments.id LIMIT $4"
        );
        let until_max = Span::bookable(self.now).moments().1;
        let Some((resources, from, until)) = self.edit.reach(before, self.now, until_max) else {
            return Ok(Vec::new());
        };
        let rows: Vec<BookedRow> = transaction
            .fetch_all(BOOKED, values![joined(&resources), from, until, BOOKED_MAX])
            .await?;
        let affected = uncovered(booked(rows), after);
        Ok(affected.into_iter().map(|found| found.id).collect())
    }
}
