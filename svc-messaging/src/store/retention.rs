//! Retention: deletes expired rows in bounded batches.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    outbox, requests, retention,
    sql::{Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};

use super::Store;
use crate::{
    domain::retention::{Limits, Over, Retention},
    mail::{self, store::suppressions},
};

/// Maximum rows deleted per transaction.
const BATCH: i64 = 200;
/// Actor in audit entries.
const ACTOR: &str = "retention";

/// Kinds of expiring rows, in order of deletion.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Messages,
    /// Messages of registrations, with their places.
    Registrations,
    /// Events without registrations.
    Events,
    Networks,
    Subscriptions,
}

/// Cut-off times. `$1`: done, `$2`: spam, `$3`: comments, `$4`: any.
macro_rules! old_messages {
    () => {
        "(status = 'done' AND coalesce(update_time, create_time) < $1) \
         OR (status IN ('spam', 'quarantined') AND coalesce(update_time, create_time) < $2) \
         OR (kind = 'comment' AND create_time < $3) OR create_time < $4"
    };
}
/// `$1`: cut-off for the end of the event.
macro_rules! old_registrations {
    () => {
        "people IS NOT NULL AND thread_id IN (SELECT id FROM events WHERE ends_at < $1)"
    };
}
/// `$1`: cut-off for the end of the event.
macro_rules! old_events {
    () => {
        "ends_at < $1 AND NOT EXISTS (SELECT 1 FROM messages WHERE people IS NOT NULL AND thread_id = events.id)"
    };
}
/// `$1`: cut-off for the time of arrival.
macro_rules! old_networks {
    () => {
        "(network_digest IS NOT NULL OR text_digest IS NOT NULL) AND create_time < $1"
    };
}
/// Cut-off times. `$1`: pending, `$2`: unsubscribed.
macro_rules! old_subscriptions {
    () => {
        "(state = 'pending' AND update_time < $1) OR (state = 'unsubscribed' AND update_time < $2)"
    };
}

impl Kind {
    fn values(self, limits: &Limits) -> Vec<Value> {
        match self {
            Self::Messages => values![limits.done, limits.spam, limits.comments, limits.messages],
            Self::Registrations | Self::Events => values![limits.registrations],
            Self::Networks => values![limits.networks],
            Self::Subscriptions => values![limits.pending, limits.unsubscribed],
        }
    }

    fn count(self) -> &'static str {
        match self {
            Self::Messages => concat!("SELECT count(*) FROM messages WHERE ", old_messages!()),
            Self::Registrations => {
                concat!("SELECT count(*) FROM messages WHERE ", old_registrations!())
            }
            Self::Events => concat!("SELECT count(*) FROM events WHERE ", old_events!()),
            Self::Networks => concat!("SELECT count(*) FROM messages WHERE ", old_networks!()),
            Self::Subscriptions => {
                concat!(
                    "SELECT count(*) FROM subscriptions WHERE ",
                    old_subscriptions!()
                )
            }
        }
    }

    /// Returns the deletion; its last placeholder is the row limit.
    fn remove(self) -> &'static str {
        match self {
            Self::Messages => concat!(
                "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE ",
                old_messages!(),
                " LIMIT $5)"
            ),
            Self::Registrations => concat!(
                "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE ",
                old_registrations!(),
                " LIMIT $2)"
            ),
            Self::Events => concat!(
                "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE ",
                old_events!(),
                " LIMIT $2)"
            ),
            Self::Networks => concat!(
                "UPDATE messages SET network_digest = NULL, text_digest = NULL WHERE id IN (SELECT id FROM messages WHERE ",
                old_networks!(),
                " LIMIT $2)"
            ),
            Self::Subscriptions => concat!(
                "DELETE FROM subscriptions WHERE id IN (SELECT id FROM subscriptions WHERE ",
                old_subscriptions!(),
                " LIMIT $3)"
            ),
        }
    }
}

impl Store {
    /// Deletes expired rows, kind by kind and in batches; returns the numbers. Safe to interrupt: the next run
    /// continues.
    ///
    /// # Errors
    /// When the database fails. Completed batches stay deleted.
    pub async fn retain(
        &self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Over, StoreError> {
        let limits = retention.limits(now);
        let over = Over {
            messages: self.remove(Kind::Messages, &limits).await?,
            registrations: self.remove(Kind::Registrations, &limits).await?,
            networks: self.remove(Kind::Networks, &limits).await?,
            subscriptions: self.remove(Kind::Subscriptions, &limits).await?,
            mails: mail::store::retain(&self.database, now).await?,
            suppressions: suppressions::retain(&self.database, now).await?,
            audit_entries: audit::prune(
                &self.database,
                &self.keys,
                ACTOR,
                limits.audit_entries,
                now,
            )
            .await?,
        };
        self.remove(Kind::Events, &limits).await?;
        requests::purge(&self.database, now).await?;
        outbox::purge(&self.database, now).await?;
        Ok(over)
    }

    /// Counts what [`Self::retain`] would delete. The networks count includes messages that would themselves be
    /// deleted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn over(
        &self,
        retention: &Retention,
        now: DateTime<Utc>,
    ) -> Result<Over, StoreError> {
        const AUDIT: &str = "SELECT count(*) FROM audit_entries WHERE create_time < $1";
        let limits = retention.limits(now);
        Ok(Over {
            messages: self
                .count(Kind::Messages.count(), Kind::Messages.values(&limits))
                .await?,
            registrations: self
                .count(
                    Kind::Registrations.count(),
                    Kind::Registrations.values(&limits),
                )
                .await?,
            networks: self
                .count(Kind::Networks.count(), Kind::Networks.values(&limits))
                .await?,
            subscriptions: self
                .count(
                    Kind::Subscriptions.count(),
                    Kind::Subscriptions.values(&limits),
                )
                .await?,
            mails: mail::store::over(&self.database, now).await?,
            suppressions: suppressions::over(&self.database, now).await?,
            audit_entries: self.count(AUDIT, values![limits.audit_entries]).await?,
        })
    }

    async fn count(&self, sql: &'static str, values: Vec<Value>) -> Result<u64, StoreError> {
        let (rows,): (i64,) = self
            .database
            .fetch_one("SELECT retention", sql, values)
            .await?;
        Ok(u64::try_from(rows).unwrap_or_default())
    }

    async fn remove(&self, kind: Kind, limits: &Limits) -> Result<u64, StoreError> {
        let step = || Remove {
            kind,
            limits: *limits,
        };
        retention::in_steps(&self.database, "DELETE retention", step).await
    }
}

struct Remove {
    kind: Kind,
    limits: Limits,
}

#[async_trait]
impl UnitOfWork for Remove {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        let mut values = self.kind.values(&self.limits);
        values.push(BATCH.into());
        let rows = transaction.execute(self.kind.remove(), values).await?;
        Ok(Decision::Commit(rows))
    }
}
