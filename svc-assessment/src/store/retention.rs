//! Removal of expired rows in bounded batches.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    retention,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};

use super::Store;
use crate::domain::retention::{Over, Retention};

/// Maximum rows removed per transaction.
const BATCH: i64 = 500;
/// Actor of removals in the audit log.
const ACTOR: &str = "retention";

#[derive(Clone, Copy, Debug)]
enum Kind {
    Assessments,
    /// By creation day, not by their own expiry time, which earlier builds set to 30 days.
    RequestKeys,
}

impl Store {
    /// Removes expired rows of each kind in batches; returns their numbers. Safe to interrupt: the next run continues.
    ///
    /// # Errors
    /// When the database fails. Rows removed until then stay removed.
    pub async fn retain(
        &self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Over, StoreError> {
        let limits = retention.limits(now);
        Ok(Over {
            assessments: self
                .remove(Kind::Assessments, limits.assessments, now)
                .await?,
            request_keys: self.remove(Kind::RequestKeys, limits.requests, now).await?,
            audit_entries: audit::prune(
                &self.database,
                &self.keys,
                ACTOR,
                limits.audit_entries,
                now,
            )
            .await?,
        })
    }

    /// Counts what [`Self::retain`] would remove.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn over(
        &self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Over, StoreError> {
        const COUNT: &str = "\
SELECT (SELECT count(*) FROM assessments WHERE create_time < $1),
       (SELECT count(*) FROM request_keys WHERE create_time < $2),
       (SELECT count(*) FROM audit_entries WHERE create_time < $3)";
        let limits = retention.limits(now);
        let rows: (i64, i64, i64) = self
            .database
            .fetch_one(
                "SELECT retention",
                COUNT,
                values![limits.assessments, limits.requests, limits.audit_entries],
            )
            .await?;
        let counted = |rows: i64| u64::try_from(rows).unwrap_or_default();
        Ok(Over {
            assessments: counted(rows.0),
            request_keys: counted(rows.1),
            audit_entries: counted(rows.2),
        })
    }

    async fn remove(
        &self,
        kind: Kind,
        before: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        let step = || Remove {
            kind,
            before,
            keys: self.keys.clone(),
            now,
        };
        retention::in_steps(&self.database, "DELETE retention", step).await
    }
}

struct Remove {
    kind: Kind,
    before: DateTime<Utc>,
    keys: Keys,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Remove {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const ASSESSMENTS: &str = "\
DELETE FROM assessments WHERE id IN (SELECT id FROM assessments WHERE create_time < $1 ORDER BY create_time LIMIT $2)";
        const REQUEST_KEYS: &str = "\
DELETE FROM request_keys WHERE request_key IN (SELECT request_key FROM request_keys WHERE create_time < $1 LIMIT $2)";
        let sql = match self.kind {
            Kind::Assessments => ASSESSMENTS,
            Kind::RequestKeys => REQUEST_KEYS,
        };
        let rows = transaction
            .execute(sql, values![self.before, BATCH])
            .await?;
        if rows == 0 {
            return Ok(Decision::Rollback(0));
        }
        // Request keys are not records about a person, so they get no entry.
        if matches!(self.kind, Kind::Assessments) {
            let entry = audit::Entry {
                actor: ACTOR.to_owned(),
                action: "retention.removed",
                subject: String::new(),
                detail: format!("{rows} assessments"),
            };
            audit::append(transaction, &self.keys, &entry, self.now).await?;
        }
        Ok(Decision::Commit(rows))
    }
}
