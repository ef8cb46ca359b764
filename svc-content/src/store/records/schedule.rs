//! Units of work that end the times at which a record is to be published or archived.

use async_trait::async_trait;
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};

use super::{
    RecordOutcome, RecordRow, Target,
    publish::SCHEDULE,
    work::{current, done, entry},
};
use crate::store::Store;

const FAIL_SCHEDULE: &str = "\
UPDATE records SET publish_version = 0, publish_at = NULL, unpublish_at = NULL, schedule_problem = $4 \
WHERE kind = $1 AND id = $2 AND lang = 'en' AND etag = $3";

/// Which times of a record are cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    pub publish: bool,
    pub unpublish: bool,
}

pub(in crate::store) struct Unschedule {
    pub(super) target: Target,
    pub(super) times: Times,
    pub(super) keys: Keys,
}

#[async_trait]
impl UnitOfWork for Unschedule {
    type Outcome = RecordOutcome;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<RecordOutcome>, StoreError> {
        let Self { target, times, .. } = self;
        let row = match current(transaction, target).await? {
            Ok(row) => row,
            Err(outcome) => return Ok(Decision::Rollback(outcome)),
        };
        let (version, publish_at) = if times.publish {
            (0, None)
        } else {
            (row.publish_version, row.publish_at)
        };
        // A record that is neither live nor to be published can't leave the site.
        let never_live = row.live_version == 0 && publish_at.is_none();
        let is_kept = !times.unpublish && !never_live;
        let unpublish_at = row.unpublish_at.filter(|_| is_kept);
        if (publish_at, unpublish_at) == (row.publish_at, row.unpublish_at) {
            return Ok(Decision::Rollback(RecordOutcome::Done(Box::new(row))));
        }
        let Target { kind, id, .. } = target;
        let etag = &target.next_etag;
        let values = values![kind.name, id, version, publish_at, unpublish_at, etag];
        transaction.execute(SCHEDULE, values).await?;
        let detail = match (publish_at, unpublish_at) {
            (None, None) => "no time is left",
            (Some(_), _) => "unpublication",
            (None, Some(_)) => "publication",
        };
        let entry = entry(&target.author, "record.unscheduled", kind, id, detail);
        audit::append(transaction, &self.keys, &entry, target.now).await?;
        done(transaction, target).await
    }
}

pub(in crate::store) struct FailSchedule {
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) etag: String,
    pub(super) problem: String,
}

#[async_trait]
impl UnitOfWork for FailSchedule {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let values = values![&self.kind, &self.id, &self.etag, &self.problem];
        transaction.execute(FAIL_SCHEDULE, values).await?;
        Ok(Decision::Commit(()))
    }
}

impl Store {
    /// Cancels the times at which a record is to be published or archived.
    pub async fn unschedule_record(
        &self,
        target: Target,
        times: Times,
    ) -> Result<RecordOutcome, StoreError> {
        let keys = self.keys.clone();
        let work = Unschedule {
            target,
            times,
            keys,
        };
        self.database().write("UPDATE records", work).await
    }

    /// Notes why a publication by time failed, and ends its time.
    pub async fn fail_schedule(&self, row: &RecordRow, problem: &str) -> Result<(), StoreError> {
        let work = FailSchedule {
            kind: row.kind.clone(),
            id: row.id.clone(),
            etag: row.etag.clone(),
            problem: problem.chars().take(500).collect(),
        };
        self.database().write("UPDATE records", work).await
    }
}
