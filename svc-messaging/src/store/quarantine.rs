//! Quarantined messages: count, age and daily digest, without visitors' input.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};

use super::{Store, keyed::derived};
use crate::{
    domain::mailboxes::Mailbox,
    mail::{
        self, Address, Cause, NewMail,
        content::{Content, Held},
        store,
    },
};

/// Maximum messages listed in a digest.
const NAMED_MAX: i64 = 20;
/// Maximum delay of a digest; an older one is useless.
const DIGEST_WITHIN: TimeDelta = TimeDelta::hours(20);

const COUNT: &str = "SELECT count(*), min(create_time) FROM messages WHERE status = 'quarantined'";

/// Summary of the quarantine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Quarantine {
    pub waiting: u64,
    /// When the oldest message arrived.
    pub since: Option<DateTime<Utc>>,
}

/// Mails postponed by the recipients' sending limits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Postponed {
    /// Notices caused by patients.
    pub notices: u64,
    /// Mails caused by forms.
    pub others: u64,
    /// When the oldest of these notices was requested.
    pub oldest: Option<DateTime<Utc>>,
}

impl Store {
    /// Counts the postponed mails.
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

    /// Counts the messages in quarantine.
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

    /// Creates the digest of a day. Idempotent per day; does nothing if the quarantine is empty.
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
            language: None,
            cause: Cause::Staff,
            expire_time: self.now + DIGEST_WITHIN,
        };
        transaction
            .run(mail::insert(&self.keys, &mail, self.now)?)
            .await?;
        Ok(Decision::Commit(()))
    }
}
