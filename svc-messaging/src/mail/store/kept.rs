//! Retained mails: listed for their recipients, deleted on request, and deleted after the retention period.

use std::fmt;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    outbox, retention, row,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use super::Channel;

/// Retention period after a mail was sent or expired, in days.
pub const RETENTION_DAYS: i64 = 30;
/// Maximum mails listed per person, and deleted per step of [`retain`].
const ROWS_MAX: i64 = 1000;
/// Maximum rows that one step deletes; other changes wait for it on SQLite.
const PURGE_ROWS_MAX: i64 = 100;

row! {
    /// A mail in the answer to a person's data access request.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct Sent {
        pub id: Uuid,
        /// See [`crate::mail::content::Content::kind`].
        pub kind: String,
        /// waiting, sent, suppressed, expired or failed.
        pub state: String,
        pub create_time: DateTime<Utc>,
        /// When it was sent or given up.
        pub end_time: Option<DateTime<Utc>>,
        /// Code of the language; `en` for English.
        pub language: String,
    }
}

/// Recipient of mails (e-mail address) or text messages (phone number).
#[derive(Clone, Copy)]
pub enum Recipient<'a> {
    Email(&'a str),
    Phone(&'a str),
}

impl fmt::Debug for Recipient<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Recipient(withheld)")
    }
}

impl Recipient<'_> {
    fn digest(self, keys: &Keys) -> [u8; 32] {
        match self {
            Self::Email(email) => Channel::Email.digest(keys, email),
            Self::Phone(phone) => Channel::Sms.digest(keys, phone),
        }
    }
}

/// Returns the newest 1000 mails to an address, or texts to a number.
///
/// # Errors
/// When the database fails.
pub async fn sent_to(
    database: &Database,
    keys: &Keys,
    recipient: Recipient<'_>,
) -> Result<Vec<Sent>, StoreError> {
    const LIST: &str = "\
SELECT id, kind, state, create_time, end_time, language FROM mails WHERE recipient_digest = $1 ORDER BY create_time DESC, id LIMIT $2";
    database
        .fetch_all(
            "SELECT mails",
            LIST,
            values![recipient.digest(keys), ROWS_MAX],
        )
        .await
}

/// Returns the mails about these subjects, regardless of recipient.
///
/// # Errors
/// When the database fails.
pub async fn sent_about(database: &Database, subjects: &[Uuid]) -> Result<Vec<Sent>, StoreError> {
    const LIST: &str = "\
SELECT id, kind, state, create_time, end_time, language FROM mails WHERE subject_id = $1 ORDER BY create_time DESC, id LIMIT $2";
    let mut sent = Vec::new();
    for subject in subjects {
        let some: Vec<Sent> = database
            .fetch_all("SELECT mails", LIST, values![*subject, ROWS_MAX])
            .await?;
        sent.extend(some);
    }
    Ok(sent)
}

/// Deletes every mail to an address or text to a number, including waiting ones. Returns their number.
///
/// # Errors
/// When the database fails.
pub async fn forget_recipient(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    recipient: Recipient<'_>,
) -> Result<u64, StoreError> {
    const FORGET: &str = "DELETE FROM mails WHERE recipient_digest = $1 RETURNING id";
    let digest = recipient.digest(keys);
    let removed = transaction.fetch_all(FORGET, values![digest]).await?;
    forget_messages(transaction, removed).await
}

/// Deletes every mail about these subjects, including waiting ones. Returns their number.
///
/// # Errors
/// When the database fails.
pub async fn forget_subjects(
    transaction: &mut Transaction<'_>,
    subjects: &[Uuid],
) -> Result<u64, StoreError> {
    const FORGET: &str = "DELETE FROM mails WHERE subject_id = $1 RETURNING id";
    let mut rows = 0;
    for subject in subjects {
        let removed = transaction.fetch_all(FORGET, values![*subject]).await?;
        rows += forget_messages(transaction, removed).await?;
    }
    Ok(rows)
}

async fn forget_messages(
    transaction: &mut Transaction<'_>,
    removed: Vec<(Uuid,)>,
) -> Result<u64, StoreError> {
    for (id,) in &removed {
        for statement in outbox::forget(&id.to_string()) {
            transaction.run([statement].into_iter().collect()).await?;
        }
    }
    Ok(removed.len() as u64)
}

/// Counts mails past their retention period: ended, or expired without an end, at least 30 days ago.
///
/// # Errors
/// When the database fails.
pub async fn over(database: &Database, now: DateTime<Utc>) -> Result<u64, StoreError> {
    const COUNT: &str = "\
SELECT (SELECT count(*) FROM mails WHERE end_time <= $1) + (SELECT count(*) FROM mails WHERE end_time IS NULL AND expire_time <= $1)";
    let (rows,): (i64,) = database
        .fetch_one("SELECT mails", COUNT, values![before(now)])
        .await?;
    Ok(u64::try_from(rows).unwrap_or_default())
}

/// Deletes the mails that [`over`] counts; returns their number.
///
/// # Errors
/// When the database fails.
pub async fn retain(database: &Database, now: DateTime<Utc>) -> Result<u64, StoreError> {
    retention::in_steps(database, "DELETE mails", || Retain { now }).await
}

fn before(now: DateTime<Utc>) -> DateTime<Utc> {
    now - TimeDelta::days(RETENTION_DAYS)
}

struct Retain {
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Retain {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const ENDED: &str =
            "DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE end_time <= $1 LIMIT $2)";
        const NEVER: &str = "\
DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE end_time IS NULL AND expire_time <= $1 LIMIT $2)";
        let mut rows = 0;
        for sql in [ENDED, NEVER] {
            let values = values![before(self.now), PURGE_ROWS_MAX];
            rows += transaction.execute(sql, values).await?;
        }
        Ok(Decision::Commit(rows))
    }
}
