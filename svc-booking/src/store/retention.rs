//! Deletes expired data in batches of limited size.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox, requests, retention,
    sql::{Script, Statement, Transaction},
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

/// A kind of expiring rows.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Contacts,
    Consultations,
    Entries,
    Networks,
}

/// Scans contacts first: they are few compared to all past appointments.
const CONTACTS: &str = "\
SELECT contacts.id FROM contacts CROSS JOIN appointments WHERE appointments.id = contacts.id AND appointments.starts_at < $1 LIMIT $2";
const CONSULTATIONS: &str = "SELECT id FROM consultations WHERE date < $1 LIMIT $2";
const FORGET_NETWORKS: [&str; 4] = [
    "UPDATE appointments SET network = NULL WHERE id IN
(SELECT id FROM appointments WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
    "UPDATE waitlist_entries SET network = NULL WHERE id IN
(SELECT id FROM waitlist_entries WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
    "UPDATE consultations SET network = NULL WHERE id IN
(SELECT id FROM consultations WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
    "UPDATE events SET network = NULL WHERE (appointment_id, version) IN
(SELECT appointment_id, version FROM events WHERE network IS NOT NULL AND create_time < $1 LIMIT $2)",
];
const ENTRIES: &str = "SELECT id FROM waitlist_entries WHERE date < $1 LIMIT $2";

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
            networks: self.remove(Kind::Networks, limits, now).await?,
            contacts: self.remove(Kind::Contacts, limits, now).await?,
            consultations: self.remove(Kind::Consultations, limits, now).await?,
            waitlist_entries: self.remove(Kind::Entries, limits, now).await?,
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
       (SELECT count(*) FROM events JOIN appointments ON appointments.id = appointment_id WHERE starts_at < $6)";
        let limits = retention.limits(now);
        let rows: (i64, i64, i64, i64, i64, i64, i64) = self
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
                    limits.histories
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
        })
    }

    /// Deletes seats of visits that started before a moment; an offer's seat is deleted with its entry. Finds the rows
    /// with a read that blocks no booking, and deletes them by key.
    async fn remove_seats(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        const OVER: &str = "SELECT resource, starts_at, seat FROM seats WHERE starts_at < $1 AND holder_kind <> 'offer' LIMIT $2";
        const DELETE: &str =
            "DELETE FROM seats WHERE resource = $1 AND starts_at = $2 AND seat = $3";
        let mut removed = 0;
        loop {
            let found: Vec<(String, DateTime<Utc>, i64)> = self
                .database
                .fetch_all("SELECT seats", OVER, values![before, FOUND_MAX])
                .await?;
            if found.is_empty() {
                return Ok(removed);
            }
            removed += found.len() as u64;
            let delete = |(resource, starts_at, seat)| {
                let resource: String = resource;
                Statement::new(DELETE, values![resource, starts_at, seat])
            };
            self.remove_keyed(found.into_iter().map(delete)).await?;
        }
    }

    /// Like [`Self::remove_seats`], for the history of such visits.
    async fn remove_events(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        const OVER: &str = "\
SELECT appointment_id, events.version FROM events JOIN appointments ON appointments.id = appointment_id
WHERE starts_at < $1 LIMIT $2";
        const DELETE: &str = "DELETE FROM events WHERE appointment_id = $1 AND version = $2";
        let mut removed = 0;
        loop {
            let found: Vec<(Uuid, i64)> = self
                .database
                .fetch_all("SELECT events", OVER, values![before, FOUND_MAX])
                .await?;
            if found.is_empty() {
                return Ok(removed);
            }
            removed += found.len() as u64;
            let delete = |(id, version)| {
                let (id, version): (Uuid, i64) = (id, version);
                Statement::new(DELETE, values![id, version])
            };
            self.remove_keyed(found.into_iter().map(delete)).await?;
        }
    }

    async fn remove_keyed(
        &self,
        statements: impl Iterator<Item = Statement>,
    ) -> Result<(), StoreError> {
        let statements: Vec<Statement> = statements.collect();
        for some in statements.chunks(KEYED_BATCH) {
            let work = RemoveKeyed(some.to_vec());
            self.database.write("DELETE retention", work).await?;
        }
        Ok(())
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
        let Limits {
            visits,
            consultations,
            waitlist_entries,
            networks,
            ..
        } = self.limits;
        let (sql, values) = match self.kind {
            Kind::Networks => {
                let mut rows = 0;
                for sql in FORGET_NETWORKS {
                    rows += transaction.execute(sql, values![networks, BATCH]).await?;
                }
                return Ok(Decision::Commit(rows));
            }
            Kind::Contacts => (CONTACTS, values![visits, BATCH]),
            Kind::Consultations => (CONSULTATIONS, values![consultations.to_string(), BATCH]),
            Kind::Entries => (ENTRIES, values![waitlist_entries.to_string(), BATCH]),
        };
        let found: Vec<(Uuid,)> = transaction.fetch_all(sql, values).await?;
        if found.is_empty() {
            return Ok(Decision::Rollback(0));
        }
        let ids: Vec<Uuid> = found.into_iter().map(|(id,)| id).collect();
        let count = ids.len();
        let (rows, kind) = match self.kind {
            Kind::Consultations => {
                let consultations = ids;
                (
                    PersonalRows {
                        consultations,
                        ..PersonalRows::default()
                    },
                    "consultations",
                )
            }
            Kind::Entries => {
                let entries = ids;
                (
                    PersonalRows {
                        entries,
                        ..PersonalRows::default()
                    },
                    "waitlist entries",
                )
            }
            Kind::Contacts | Kind::Networks => {
                let appointments = ids;
                (
                    PersonalRows {
                        appointments,
                        ..PersonalRows::default()
                    },
                    "contacts",
                )
            }
        };
        rows.erase(transaction, ACTOR, self.now).await?;
        let entry = audit::Entry {
            actor: ACTOR.to_owned(),
            action: "retention.removed",
            subject: String::new(),
            detail: format!("{count} {kind}"),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(u64::try_from(count).unwrap_or(u64::MAX)))
    }
}
