//! Newsletters whose sending is stopped: the rest of their mails is withheld.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    outbox,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::{
    Store,
    newsletters::{FAN_OUT, present},
};
use crate::{domain::newsletter::Newsletter, mail};

/// Maximum waiting mails of stopped newsletters that are withheld per transaction.
const WITHHELD_BATCH: i64 = 100;

impl Store {
    /// Stops sending a newsletter. [`Self::withhold`] ends its waiting mails; until then, none of them is sent.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn stop_newsletter(
        &self,
        id: Uuid,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Stopped, StoreError> {
        let stop = Stop {
            keys: self.keys.clone(),
            id,
            actor: actor.to_owned(),
            now,
        };
        self.database.write("UPDATE newsletters", stop).await
    }

    /// Ends waiting mails of stopped newsletters; returns whether more may follow. Safe to interrupt.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn withhold(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        self.database.write("UPDATE mails", Withhold { now }).await
    }
}

/// Outcome of [`Store::stop_newsletter`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Stopped {
    /// Stopped now or earlier.
    Done(Box<Newsletter>),
    /// All mails have left: nothing can be stopped.
    Sent,
    Unknown,
}

struct Stop {
    keys: Keys,
    id: Uuid,
    actor: String,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Stop {
    type Outcome = Stopped;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        const STOP: &str = "\
UPDATE newsletters SET stop_time = $2, complete_time = coalesce(complete_time, $2) WHERE id = $1 AND stop_time IS NULL";
        // A fan-out in progress would clear `complete_time`.
        transaction.lock(FAN_OUT).await?;
        let Some(mut newsletter) = present(transaction, self.id).await? else {
            return Ok(Decision::Rollback(Stopped::Unknown));
        };
        if newsletter.stop_time.is_some() {
            return Ok(Decision::Rollback(Stopped::Done(Box::new(newsletter))));
        }
        if newsletter.complete_time.is_some() && newsletter.outcomes.waiting == 0 {
            return Ok(Decision::Rollback(Stopped::Sent));
        }
        transaction
            .execute(STOP, values![self.id, self.now])
            .await?;
        newsletter.stop_time = Some(self.now);
        newsletter.complete_time = newsletter.complete_time.or(Some(self.now));
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: "newsletter.stopped",
            subject: self.id.to_string(),
            detail: String::new(),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(Stopped::Done(Box::new(newsletter))))
    }
}

struct Withhold {
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Withhold {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        // A leased mail is being sent: its attempt records the outcome.
        const END: &str = "\
UPDATE mails SET state = 'suppressed', reason = 'stopped', end_time = $1, postponed_until = NULL WHERE id IN (\
SELECT m.id FROM newsletters n JOIN mails m ON m.newsletter_id = n.id \
WHERE n.stop_time IS NOT NULL AND m.state = 'waiting' AND (m.lease_time IS NULL OR m.lease_time <= $1) LIMIT $2) RETURNING id";
        // As `Take` does, so that no attempt begins meanwhile.
        transaction.lock("mails.take").await?;
        let ended: Vec<(Uuid,)> = transaction
            .fetch_all(END, values![self.now, WITHHELD_BATCH])
            .await?;
        if ended.is_empty() {
            return Ok(Decision::Rollback(false));
        }
        // Their outbox messages would hold up the next newsletter: its lane sends so many a minute.
        let withdrawn = ended
            .iter()
            .map(|(id,)| outbox::withdraw(mail::SEND, &id.to_string()));
        transaction.run(withdrawn.collect()).await?;
        Ok(Decision::Commit(true))
    }
}
