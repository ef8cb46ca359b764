//! Messages in quarantine, for those who must look at them: how many wait and since when, without a word of what visitors wrote.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};

use super::{Store, derived};
use crate::{
    domain::mailboxes::Mailbox,
    mail::{
        self, Address, Cause, NewMail,
        content::{Content, Held},
        store,
    },
};

/// Messages that a digest names.
const NAMED_MAX: i64 = 20;
/// A digest of yesterday says nothing.
const DIGEST_WITHIN: TimeDelta = TimeDelta::hours(20);

const COUNT: &str = "SELECT count(*), min(create_time) FROM messages WHERE status = 'quarantined'";

/// What waits in quarantine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Quarantine {
    pub waiting: u64,
    /// When the oldest one came.
    pub since: Option<DateTime<Utc>>,
}

/// What is put off because too many mails went to its recipient.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Postponed {
    /// Notices that patients caused.
    pub notices: u64,
    /// What forms send.
    pub others: u64,
    /// When the oldest of the notices was asked for.
    pub oldest: Option<DateTime<Utc>>,
}

impl Store {
    /// How many mails are put off.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn postponed(&self) -> Result<Postponed, StoreError> {
        let (notices, others, oldest) = store::postponed(&self.database).await?;
        Ok(Postponed {
            notices,
            others,
            oldest,
        })
    }

    /// How many messages wait in quarantine.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn quarantine(&self) -> Result<Quarantine, StoreError> {
        let (waiting, since): (i64, Option<DateTime<Utc>>) = self
            .database
            .fetch_one("SELECT messages", COUNT, values![])
            .await?;
        Ok(Quarantine {
            waiting: u64::try_from(waiting).unwrap_or_default(),
            since,
        })
    }

    /// Makes the digest of a day, once however often it is asked for; none when nothing waits.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn digest(
        &self,
        day: NaiveDate,
        to: &Mailbox,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let digest = Digest {
            keys: self.keys.clone(),
            day,
            to: Address::new(&to.name, &to.address),
            now,
        };
        self.database.write("INSERT mails", digest).await
    }
}

struct Digest {
    keys: Keys,
    day: NaiveDate,
    to: Address,
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Digest {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const OLDEST: &str = "\
SELECT COALESCE(reference, ''), create_time, signals FROM messages WHERE status = 'quarantined' ORDER BY create_time LIMIT $1";
        let (waiting, since): (i64, Option<DateTime<Utc>>) =
            transaction.fetch_one(COUNT, values![]).await?;
        let Some(since) = since else {
            return Ok(Decision::Rollback(()));
        };
        let oldest: Vec<(String, DateTime<Utc>, String)> =
            transaction.fetch_all(OLDEST, values![NAMED_MAX]).await?;
        let held = oldest
            .into_iter()
            .map(|(reference, create_time, signals)| Held {
                reference,
                create_time,
                signals: signals.replace(',', ", "),
            });
        let name = self.day.to_string();
        let mail = NewMail {
            id: derived(&self.keys, "mail.quarantine.digest", name.as_bytes()),
            message_id: derived(&self.keys, "outbox.quarantine.digest", name.as_bytes()),
            subject_id: None,
            to: self.to.clone(),
            content: Content::Quarantine {
                waiting: waiting.unsigned_abs(),
                since,
                held: held.collect(),
            },
            cause: Cause::Staff,
            expire_time: self.now + DIGEST_WITHIN,
        };
        transaction
            .run(mail::insert(&self.keys, &mail, self.now)?)
            .await?;
        Ok(Decision::Commit(()))
    }
}
