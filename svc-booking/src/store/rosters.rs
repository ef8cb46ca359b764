//! The roster: read as a whole, cached in memory, and read again when its revision changes.

mod edit;
mod leave_requests;
mod rows;

use std::{
    collections::HashSet,
    sync::{Arc, RwLock},
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use service_kit::source::Ids;
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    requests::RequestKey,
    sql::{Lock, Script, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

use edit::EditRoster;
use rows::{
    HOLIDAYS, LEAVES, LeaveRow, SESSIONS, SessionRow, fill_clinic, write_holiday, write_leave,
    write_session,
};

pub use leave_requests::{LEAVE_REQUESTS, REQUEST_LEAVE, Requested};

use crate::domain::{
    calendar::{parse_date, today},
    roster::{
        Roster, Seed, Session,
        change::{Edit, Edited},
    },
};

/// Lock name; shared by bookings, exclusive for roster edits.
pub(super) const ROSTER: &str = "roster";

const REVISION: &str = "SELECT revision FROM roster_head WHERE id = 1";
const ADVANCE: &str = "UPDATE roster_head SET revision = revision + 1 WHERE id = 1";

/// The roster of one database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Rosters {
    database: Database,
    keys: Keys,
    seed: Arc<Seed>,
    known: Arc<RwLock<Option<Arc<Roster>>>>,
}

impl Rosters {
    /// Wraps an open database; `seed` is the initial roster of an empty one.
    pub fn new(database: Database, keys: Keys, seed: Seed) -> Self {
        Self {
            database,
            keys,
            seed: Arc::new(seed),
            known: Arc::default(),
        }
    }

    /// Returns the cached roster. Decisions must compare its revision within their transaction and read it again if it
    /// differs.
    pub async fn known(&self, now: DateTime<Utc>) -> Result<Arc<Roster>, StoreError> {
        match self.in_memory() {
            Some(roster) => Ok(roster),
            None => self.read(now).await,
        }
    }

    fn in_memory(&self) -> Option<Arc<Roster>> {
        // Holders of this lock only copy a pointer and cannot panic, so it is never poisoned.
        self.known.read().ok()?.clone()
    }

    /// Returns the current roster. Needs one query if the cache is current, else reads the whole roster. Seeds an empty
    /// database.
    pub async fn read(&self, now: DateTime<Utc>) -> Result<Arc<Roster>, StoreError> {
        let (revision,): (i64,) = self
            .database
            .fetch_one("SELECT roster_head", REVISION, values![])
            .await?;
        if let Some(known) = self.in_memory().filter(|known| known.revision == revision) {
            return Ok(known);
        }
        let mut fetched = self.fetch(now).await?;
        if fetched.roster.revision == 0 {
            let work = SeedRoster {
                seed: Arc::clone(&self.seed),
                now,
            };
            self.database.write("INSERT sessions", work).await?;
            fetched = self.fetch(now).await?;
        }
        self.fill(&fetched).await;
        let roster = Arc::new(fetched.roster);
        roster.warn_of_unnamed_doctors();
        if let Ok(mut known) = self.known.write() {
            *known = Some(Arc::clone(&roster));
        }
        Ok(roster)
    }

    /// Stores the fee and place of clinics that an older build entered. A failure is only logged, because reads do not
    /// depend on the stored values. The next full read tries again.
    async fn fill(&self, fetched: &Fetched) {
        if fetched.unfilled.is_empty() {
            return;
        }
        let sessions = fetched.roster.sessions.iter();
        let clinics = sessions
            .filter(|session| fetched.unfilled.contains(&session.id))
            .cloned()
            .collect();
        let filled = self
            .database
            .write("UPDATE sessions", FillClinics { clinics })
            .await;
        if let Err(error) = filled {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "fees and places of clinics were not stored"
            );
        }
    }

    /// Reads the roster between two equal revisions, which makes it a consistent snapshot.
    async fn fetch(&self, now: DateTime<Utc>) -> Result<Fetched, StoreError> {
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
                let unfilled = sessions.iter().filter(|row| row.is_unfilled());
                return Ok(Fetched {
                    unfilled: unfilled.map(|row| row.id.clone()).collect(),
                    roster: roster(&self.seed, revision, sessions, leaves, holidays)?,
                });
            }
            revision = after;
        }
    }

    /// Applies a staff edit to the roster.
    pub async fn edit(
        &self,
        edit: Edit,
        request: Option<RequestKey>,
        actor: &str,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Result<Edited, StoreError> {
        // Seeds an empty database first: otherwise the edit would replace the seed.
        self.known(now).await?;
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

/// A roster as read from the database.
struct Fetched {
    roster: Roster,
    /// Ids of the clinics whose rows lack fee and place.
    unfilled: HashSet<String>,
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
        doctor_entries: Arc::clone(&seed.doctors),
        sessions: sessions
            .into_iter()
            .map(|row| row.session(seed))
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

/// Returns whether the roster is unchanged since a request was checked. The transaction must share the roster's lock.
pub(super) async fn is_current(
    transaction: &mut Transaction<'_>,
    roster: &Roster,
) -> Result<bool, StoreError> {
    let (revision,): (i64,) = transaction.fetch_one(REVISION, values![]).await?;
    Ok(revision == roster.revision)
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

/// Writes the configured roster into an empty database.
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
        // One row per statement: thousands of rows would exceed the placeholder limit of a statement.
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

/// Writes fee and place into rows that lack them.
struct FillClinics {
    clinics: Vec<Session>,
}

#[async_trait]
impl UnitOfWork for FillClinics {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        for clinic in &self.clinics {
            let mut script = Script::new();
            script.push(fill_clinic(clinic));
            transaction.run(script).await?;
        }
        Ok(Decision::Commit(()))
    }
}
