//! Deletes expired data in batches of limited size.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox, requests, retention,
    sql::{Row, Script, Statement, Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{Store, privacy::PersonalRows};
use crate::domain::retention::{ACTOR, Limits, Over, Retention};

/// Maximum rows of a kind deleted per transaction.
const BATCH: i64 = 200;

/// Maximum rows found per query, and how many of them one transaction deletes by key.
const FOUND_MAX: i64 = 5000;
const KEYED_BATCH: usize = 100;

/// Kind of expired rows that identify a person.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Contacts,
    Consultations,
    Entries,
}

impl Kind {
    /// Returns the query for the ids of expired rows.
    fn expired(self, limits: Limits) -> (&'static str, Vec<Value>) {
        // Scans contacts first: they are few compared to all past appointments.
        const CONTACTS: &str = "\
SELECT contacts.id FROM contacts CROSS JOIN appointments WHERE appointments.id = contacts.id AND appointments.starts_at < $1 LIMIT $2";
        const CONSULTATIONS: &str = "SELECT id FROM consultations WHERE date < $1 LIMIT $2";
        const ENTRIES: &str = "SELECT id FROM waitlist_entries WHERE date < $1 LIMIT $2";
        match self {
            Self::Contacts => (CONTACTS, values![limits.visits, BATCH]),
            Self::Consultations => (
                CONSULTATIONS,
                values![limits.consultations.to_string(), BATCH],
            ),
            Self::Entries => (ENTRIES, values![limits.waitlist_entries.to_string(), BATCH]),
        }
    }

    fn rows(self, ids: Vec<Uuid>) -> PersonalRows {
        let mut rows = PersonalRows::default();
        match self {
            Self::Contacts => rows.appointments = ids,
            Self::Consultations => rows.consultations = ids,
            Self::Entries => rows.entries = ids,
        }
        rows
    }

    /// Returns the word of the audit log.
    fn as_str(self) -> &'static str {
        match self {
            Self::Contacts => "contacts",
            Self::Consultations => "consultations",
            Self::Entries => "waitlist entries",
        }
    }
}

impl Store {
    /// Deletes expired data in batches and returns the number of rows of each kind. Safe to interrupt; the next run
    /// continues.
    ///
    /// # Errors
    /// Fails if the database fails. Completed batches stay deleted.
    pub async fn retain(
        &self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Over, StoreError> {
        let limits = retention.limits(now);
        let over = Over {
            // Before contacts: the erasure of a contact also clears its network, which would then not be counted.
            networks: self.forget_networks(limits.networks).await?,
            contacts: self.remove(Kind::Contacts, limits, now).await?,
            consultations: self.remove(Kind::Consultations, limits, now).await?,
            waitlist_entries: self.remove(Kind::Entries, limits, now).await?,
            leave_requests: self.remove_leave_requests(limits.leave_requests).await?,
            seats: self.remove_seats(limits.visits).await?,
            events: self.remove_events(limits.histories).await?,
            audit_entries: audit::prune(
                &self.database,
                &self.keys,
                ACTOR,
                limits.audit_entries,
                now,
            )
            .await?,
        };
        // The outbox worker does the same, if there is one.
        requests::purge(&self.database, now).await?;
        outbox::purge(&self.database, now).await?;
        Ok(over)
    }

    /// Counts the rows that [`Self::retain`] would delete.
    ///
    /// # Errors
    /// Fails if the database fails.
    pub async fn over(
        &self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Over, StoreError> {
        const COUNT: &str = "\
SELECT (SELECT count(*) FROM contacts CROSS JOIN appointments WHERE appointments.id = contacts.id AND appointments.starts_at < $1),
       (SELECT count(*) FROM consultations WHERE date < $2),
       (SELECT count(*) FROM waitlist_entries WHERE date < $3),
       (SELECT count(*) FROM appointments WHERE network IS NOT NULL AND create_time < $4)
       + (SELECT count(*) FROM waitlist_entries WHERE network IS NOT NULL AND create_time < $4)
       + (SELECT count(*) FROM consultations WHERE network IS NOT NULL AND create_time < $4)
       + (SELECT count(*) FROM events WHERE network IS NOT NULL AND create_time < $4),
       (SELECT count(*) FROM audit_entries WHERE create_time < $5),
       (SELECT count(*) FROM seats WHERE starts_at < $1 AND holder_kind <> 'offer'),
       (SELECT count(*) FROM events JOIN appointments ON appointments.id = appointment_id WHERE starts_at < $6),
       (SELECT count(*) FROM leave_requests WHERE until_date < $7)";
        let limits = retention.limits(now);
        let rows: (i64, i64, i64, i64, i64, i64, i64, i64) = self
            .database
            .fetch_one(
                "SELECT retention",
                COUNT,
                values![
                    limits.visits,
                    limits.consultations.to_string(),
                    limits.waitlist_entries.to_string(),
                    limits.networks,
                    limits.audit_entries,
                    limits.histories,
                    limits.leave_requests.to_string()
                ],
            )
            .await?;
        let counted = |rows: i64| u64::try_from(rows).unwrap_or_default();
        Ok(Over {
            contacts: counted(rows.0),
            consultations: counted(rows.1),
            waitlist_entries: counted(rows.2),
            networks: counted(rows.3),
            audit_entries: counted(rows.4),
            seats: counted(rows.5),
            events: counted(rows.6),
            leave_requests: counted(rows.7),
        })
    }

    /// Deletes seats of visits that started before a moment; an offer's seat is deleted with its entry.
    async fn remove_seats(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        const OVER: &str = "SELECT resource, starts_at, seat FROM seats WHERE starts_at < $1 AND holder_kind <> 'offer' LIMIT $2";
        const DELETE: &str =
            "DELETE FROM seats WHERE resource = $1 AND starts_at = $2 AND seat = $3";
        let delete = |(resource, starts_at, seat): (String, DateTime<Utc>, i64)| {
            Statement::new(DELETE, values![resource, starts_at, seat])
        };
        self.remove_keyed("SELECT seats", OVER, before, delete)
            .await
    }

    /// Deletes the history of visits that started before a moment.
    async fn remove_events(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        const OVER: &str = "\
SELECT appointment_id, events.version FROM events JOIN appointments ON appointments.id = appointment_id
WHERE starts_at < $1 LIMIT $2";
        const DELETE: &str = "DELETE FROM events WHERE appointment_id = $1 AND version = $2";
        let delete = |(id, version): (Uuid, i64)| Statement::new(DELETE, values![id, version]);
        self.remove_keyed("SELECT events", OVER, before, delete)
            .await
    }

    /// Deletes requests for leave whose last day is before a day. Leave of the roster stays.
    async fn remove_leave_requests(&self, before: NaiveDate) -> Result<u64, StoreError> {
        const OVER: &str = "SELECT id FROM leave_requests WHERE until_date < $1 LIMIT $2";
        const DELETE: &str = "DELETE FROM leave_requests WHERE id = $1";
        let delete = |(id,): (Uuid,)| Statement::new(DELETE, values![id]);
        self.remove_keyed("SELECT leave_requests", OVER, before.to_string(), delete)
            .await
    }

    /// Finds rows with a read that blocks no booking, and deletes them by key, until none is left.
    async fn remove_keyed<K: Row>(
        &self,
        summary: &'static str,
        over: &'static str,
        before: impl Into<Value> + Clone + Send + Sync,
        delete: impl Fn(K) -> Statement + Send + Sync,
    ) -> Result<u64, StoreError> {
        let mut removed = 0;
        loop {
            let values: Vec<Value> = vec![before.clone().into(), FOUND_MAX.into()];
            let found: Vec<K> = self.database.fetch_all(summary, over, values).await?;
            if found.is_empty() {
                return Ok(removed);
            }
            removed += found.len() as u64;
            let statements: Vec<Statement> = found.into_iter().map(&delete).collect();
            for some in statements.chunks(KEYED_BATCH) {
                let work = RemoveKeyed(some.to_vec());
                self.database.write("DELETE retention", work).await?;
            }
        }
    }

    async fn forget_networks(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        let step = || ForgetNetworks { before };
        retention::in_steps(&self.database, "DELETE retention", step).await
    }

    async fn remove(
        &self,
        kind: Kind,
        limits: Limits,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        let step = || Remove {
            kind,
            limits,
            keys: self.keys.clone(),
            now,
        };
        retention::in_steps(&self.database, "DELETE retention", step).await
    }
}

struct RemoveKeyed(Vec<Statement>);

#[async_trait]
impl UnitOfWork for RemoveKeyed {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let script: Script = self.0.iter().cloned().collect();
        transaction.run(script).await?;
        Ok(Decision::Commit(()))
    }
}

struct ForgetNetworks {
    before: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for ForgetNetworks {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const FORGET: [&str; 4] = [
            "UPDATE appointments SET network = NULL WHERE id IN
(SELECT id FROM appointments WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
            "UPDATE waitlist_entries SET network = NULL WHERE id IN
(SELECT id FROM waitlist_entries WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
            "UPDATE consultations SET network = NULL WHERE id IN
(SELECT id FROM consultations WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
            "UPDATE events SET network = NULL WHERE (appointment_id, version) IN
(SELECT appointment_id, version FROM events WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
        ];
        let mut rows = 0;
        for sql in FORGET {
            rows += transaction
                .execute(sql, values![self.before, BATCH])
                .await?;
        }
        Ok(Decision::Commit(rows))
    }
}

struct Remove {
    kind: Kind,
    limits: Limits,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Remove {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        let (sql, values) = self.kind.expired(self.limits);
        let found: Vec<(Uuid,)> = transaction.fetch_all(sql, values).await?;
        if found.is_empty() {
            return Ok(Decision::Rollback(0));
        }
        let ids: Vec<Uuid> = found.into_iter().map(|(id,)| id).collect();
        let count = ids.len();
        let rows = self.kind.rows(ids);
        rows.erase(transaction, ACTOR, self.now).await?;
        let entry = audit::Entry {
            actor: ACTOR.to_owned(),
            action: "retention.removed",
            subject: String::new(),
            detail: format!("{count} {}", self.kind.as_str()),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(u64::try_from(count).unwrap_or(u64::MAX)))
    }
}
