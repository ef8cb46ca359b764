//! The roster: read whole, kept in memory, and read again when its revision is another.

use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use service_kit::source::Ids;
use store_kit::{
    audit,
    database::Database,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RequestKey},
    sql::{Lock, Script, Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::rows::{AppointmentRow, select_appointments};
use crate::domain::{
    availability::Span,
    calendar::{parse_date, today},
    change::Appointment,
    roster::{
        Leave, Roster, Seed, Session, Weekdays,
        change::{Edit, Edited, uncovered},
    },
    seats::Resource,
};

const SESSIONS_MAX: usize = 5_000;
const LEAVES_MAX: usize = 5_000;
const HOLIDAYS_MAX: usize = 1_000;
/// Booked appointments that one edit is checked against, and those that it names.
const BOOKED_MAX: i64 = 20_000;
const AFFECTED_MAX: usize = 500;

/// Shared by whoever books, held alone by whoever changes the roster.
pub(super) const ROSTER: &str = "roster";

const REVISION: &str = "SELECT revision FROM roster_head WHERE id = 1";
const SESSIONS: &str = "\
SELECT id, department_id, doctor_id, name, weekdays, from_minutes, until_minutes, seats, by_name_only, valid_from, valid_until, version
FROM sessions ORDER BY id";
/// Leave that is over does not matter any more.
const LEAVES: &str = "SELECT id, resource, from_date, until_date, reason FROM leaves WHERE until_date >= $1 ORDER BY from_date, id";
const HOLIDAYS: &str = "SELECT date, name FROM holidays ORDER BY date";

const WRITE_SESSION: &str = "\
INSERT INTO sessions (id, department_id, doctor_id, name, weekdays, from_minutes, until_minutes, seats, by_name_only, valid_from,
                      valid_until, version, create_time, update_time)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
ON CONFLICT (id) DO UPDATE SET department_id = excluded.department_id, doctor_id = excluded.doctor_id, name = excluded.name,
    weekdays = excluded.weekdays, from_minutes = excluded.from_minutes, until_minutes = excluded.until_minutes,
    seats = excluded.seats, by_name_only = excluded.by_name_only, valid_from = excluded.valid_from,
    valid_until = excluded.valid_until, version = excluded.version, update_time = excluded.update_time";
const WRITE_LEAVE: &str = "\
INSERT INTO leaves (id, resource, from_date, until_date, reason, create_time) VALUES ($1, $2, $3, $4, $5, $6)";
const WRITE_HOLIDAY: &str = "\
INSERT INTO holidays (date, name, create_time) VALUES ($1, $2, $3) ON CONFLICT (date) DO UPDATE SET name = excluded.name";
const ADVANCE: &str = "UPDATE roster_head SET revision = revision + 1 WHERE id = 1";

#[derive(sqlx::FromRow)]
struct SessionRow {
    id: String,
    department_id: String,
    doctor_id: Option<String>,
    name: String,
    weekdays: i64,
    from_minutes: i64,
    until_minutes: i64,
    seats: i64,
    by_name_only: bool,
    valid_from: Option<String>,
    valid_until: Option<String>,
    version: i64,
}

impl SessionRow {
    fn session(self) -> Result<Session, StoreError> {
        let corrupt = |column| StoreError::Corrupt { column };
        let day = |text: Option<String>, column| match text {
            None => Ok(None),
            Some(text) => parse_date(&text).map(Some).ok_or_else(|| corrupt(column)),
        };
        let minutes = |minutes, column| u16::try_from(minutes).map_err(|_| corrupt(column));
        Ok(Session {
            id: self.id,
            department_id: self.department_id,
            doctor_id: self.doctor_id,
            name: self.name,
            weekdays: Weekdays::of_bits(self.weekdays)
                .ok_or_else(|| corrupt("sessions.weekdays"))?,
            from_minutes: minutes(self.from_minutes, "sessions.from_minutes")?,
            until_minutes: minutes(self.until_minutes, "sessions.until_minutes")?,
            seats: u32::try_from(self.seats).map_err(|_| corrupt("sessions.seats"))?,
            by_name_only: self.by_name_only,
            valid_from: day(self.valid_from, "sessions.valid_from")?,
            valid_until: day(self.valid_until, "sessions.valid_until")?,
            version: self.version,
        })
    }
}

#[derive(sqlx::FromRow)]
struct LeaveRow {
    id: Uuid,
    resource: String,
    from_date: String,
    until_date: String,
    reason: String,
}

impl LeaveRow {
    fn leave(self) -> Result<Leave, StoreError> {
        let day = |text: &str, column| parse_date(text).ok_or(StoreError::Corrupt { column });
        Ok(Leave {
            from: day(&self.from_date, "leaves.from_date")?,
            until: day(&self.until_date, "leaves.until_date")?,
            id: self.id,
            resource: Resource::named(self.resource),
            reason: self.reason,
        })
    }
}

fn write_session(session: &Session, now: DateTime<Utc>) -> Statement {
    let day = |date: Option<NaiveDate>| date.map(|date| date.to_string());
    Statement::new(
        WRITE_SESSION,
        values![
            &session.id,
            &session.department_id,
            session.doctor_id.as_ref(),
            &session.name,
            session.weekdays.bits(),
            i64::from(session.from_minutes),
            i64::from(session.until_minutes),
            session.seats,
            session.by_name_only,
            day(session.valid_from),
            day(session.valid_until),
            session.version,
            now
        ],
    )
}

fn write_leave(leave: &Leave, now: DateTime<Utc>) -> Statement {
    Statement::new(
        WRITE_LEAVE,
        values![
            leave.id,
            leave.resource.as_str(),
            leave.from.to_string(),
            leave.until.to_string(),
            &leave.reason,
            now
        ],
    )
}

fn write_holiday(date: NaiveDate, name: &str, now: DateTime<Utc>) -> Statement {
    Statement::new(WRITE_HOLIDAY, values![date.to_string(), name, now])
}

/// The roster of one database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Rosters {
    database: Database,
    keys: Keys,
    seed: Arc<Seed>,
    known: Arc<RwLock<Option<Arc<Roster>>>>,
}

impl Rosters {
    /// On an open database, which begins with `seed` when it has no roster yet.
    pub fn new(database: Database, keys: Keys, seed: Seed) -> Self {
        Self {
            database,
            keys,
            seed: Arc::new(seed),
            known: Arc::default(),
        }
    }

    /// The roster as last read. Who decides by it compares its revision within the transaction, and reads it again when it is another.
    pub async fn known(&self, now: DateTime<Utc>) -> Result<Arc<Roster>, StoreError> {
        match self.in_memory() {
            Some(roster) => Ok(roster),
            None => self.read(now).await,
        }
    }

    fn in_memory(&self) -> Option<Arc<Roster>> {
        // Whoever holds the lock only copies a pointer: nothing there can panic.
        self.known.read().ok()?.clone()
    }

    /// Reads the roster anew; seeds it when there is none.
    pub async fn read(&self, now: DateTime<Utc>) -> Result<Arc<Roster>, StoreError> {
        let mut roster = self.fetch(now).await?;
        if roster.revision == 0 {
            let work = SeedRoster {
                seed: Arc::clone(&self.seed),
                now,
            };
            self.database.write("INSERT sessions", work).await?;
            roster = self.fetch(now).await?;
            roster.warn_of_ending_holidays(now);
        }
        let roster = Arc::new(roster);
        if let Ok(mut known) = self.known.write() {
            *known = Some(Arc::clone(&roster));
        }
        Ok(roster)
    }

    /// Read between two equal revisions, so that it is of one moment.
    async fn fetch(&self, now: DateTime<Utc>) -> Result<Roster, StoreError> {
        let database = &self.database;
        let (mut revision,): (i64,) = database
            .fetch_one("SELECT roster_head", REVISION, values![])
            .await?;
        loop {
            let sessions: Vec<SessionRow> = database
                .fetch_all("SELECT sessions", SESSIONS, values![])
                .await?;
            let leaves: Vec<LeaveRow> = database
                .fetch_all("SELECT leaves", LEAVES, values![today(now).to_string()])
                .await?;
            let holidays: Vec<(String, String)> = database
                .fetch_all("SELECT holidays", HOLIDAYS, values![])
                .await?;
            let (after,): (i64,) = database
                .fetch_one("SELECT roster_head", REVISION, values![])
                .await?;
            if after == revision {
                return roster(&self.seed, revision, sessions, leaves, holidays);
            }
            revision = after;
        }
    }

    /// Changes the roster by a staff call.
    pub async fn edit(
        &self,
        edit: Edit,
        request: Option<RequestKey>,
        actor: &str,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Result<Edited, StoreError> {
        let work = EditRoster {
            edit,
            request,
            actor: actor.to_owned(),
            id: ids.uuid_at(now),
            seed: Arc::clone(&self.seed),
            keys: self.keys.clone(),
            now,
        };
        let edited = self.database.write("UPDATE sessions", work).await?;
        self.read(now).await?;
        Ok(edited)
    }
}

fn roster(
    seed: &Seed,
    revision: i64,
    sessions: Vec<SessionRow>,
    leaves: Vec<LeaveRow>,
    holidays: Vec<(String, String)>,
) -> Result<Roster, StoreError> {
    let holiday = |(date, name): (String, String)| {
        let date = parse_date(&date).ok_or(StoreError::Corrupt {
            column: "holidays.date",
        })?;
        Ok((date, name))
    };
    Ok(Roster {
        revision,
        departments: Arc::clone(&seed.departments),
        sessions: sessions
            .into_iter()
            .map(SessionRow::session)
            .collect::<Result<_, _>>()?,
        leaves: leaves
            .into_iter()
            .map(LeaveRow::leave)
            .collect::<Result<_, _>>()?,
        holidays: holidays
            .into_iter()
            .map(holiday)
            .collect::<Result<_, StoreError>>()?,
    })
}

/// Reads the roster within a transaction that holds its lock.
async fn roster_within(
    transaction: &mut Transaction<'_>,
    seed: &Seed,
    now: DateTime<Utc>,
) -> Result<Roster, StoreError> {
    let (revision,): (i64,) = transaction.fetch_one(REVISION, values![]).await?;
    let sessions = transaction.fetch_all(SESSIONS, values![]).await?;
    let leaves = transaction
        .fetch_all(LEAVES, values![today(now).to_string()])
        .await?;
    let holidays = transaction.fetch_all(HOLIDAYS, values![]).await?;
    roster(seed, revision, sessions, leaves, holidays)
}

/// Writes the configured roster into a database that has none.
struct SeedRoster {
    seed: Arc<Seed>,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for SeedRoster {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        transaction.lock_all(&[Lock::Exclusive(ROSTER)]).await?;
        let (revision,): (i64,) = transaction.fetch_one(REVISION, values![]).await?;
        if revision > 0 {
            return Ok(Decision::Rollback(()));
        }
        // Rows by themselves: thousands of them in one statement would have more placeholders than a database takes.
        for session in &self.seed.sessions {
            let mut script = Script::new();
            script.push(write_session(session, self.now));
            transaction.run(script).await?;
        }
        for leave in self.seed.leaves() {
            let mut script = Script::new();
            script.push(write_leave(&leave, self.now));
            transaction.run(script).await?;
        }
        for (date, name) in &self.seed.holidays {
            let mut script = Script::new();
            script.push(write_holiday(*date, name, self.now));
            transaction.run(script).await?;
        }
        transaction.execute(ADVANCE, values![]).await?;
        Ok(Decision::Commit(()))
    }
}

struct EditRoster {
    edit: Edit,
    request: Option<RequestKey>,
    actor: String,
    /// Of what is created.
    id: Uuid,
    seed: Arc<Seed>,
    keys: Keys,
    now: DateTime<Utc>,
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
    /// What writes the edit, and the id of its subject.
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
            Edit::WriteHoliday(..) if before.holidays.len() >= HOLIDAYS_MAX => {
                return Err(Edited::Full);
            }
            Edit::WriteHoliday(date, name) => {
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

    /// Booked appointments that nobody covers any more, at most 500.
    async fn affected(
        &self,
        transaction: &mut Transaction<'_>,
        before: &Roster,
        after: &Roster,
    ) -> Result<Vec<Appointment>, StoreError> {
        const BOOKED: Sql = Sql::differing(
            select_appointments!(
                "WHERE status = 'booked' AND appointments.starts_at >= $2 AND appointments.starts_at < $3 AND delete_time IS NULL \
                 AND seats.resource IN (SELECT value FROM json_each('[\"' || replace($1, ',', '\",\"') || '\"]')) \
                 ORDER BY appointments.starts_at, appointments.id LIMIT $4"
            ),
            select_appointments!(
                "WHERE status = 'booked' AND appointments.starts_at >= $2 AND appointments.starts_at < $3 AND delete_time IS NULL \
                 AND seats.resource = ANY(string_to_array($1, ',')) \
                 ORDER BY appointments.starts_at, appointments.id LIMIT $4"
            ),
        );
        let until_max = Span::bookable(self.now).moments().1;
        let Some((resources, from, until)) = self.edit.reach(before, self.now, until_max) else {
            return Ok(Vec::new());
        };
        let rows: Vec<AppointmentRow> = transaction
            .fetch_all(
                BOOKED,
                values![super::joined(&resources), from, until, BOOKED_MAX],
            )
            .await?;
        let booked = rows
            .into_iter()
            .map(|row| row.open(&self.keys))
            .collect::<Result<Vec<_>, _>>()?;
        let mut affected = uncovered(booked, after);
        affected.truncate(AFFECTED_MAX);
        Ok(affected)
    }
}
