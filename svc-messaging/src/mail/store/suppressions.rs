//! Suppressed addresses: addresses that do not exist get no mail for 30 days. Staff can list them, ask the patient for
//! another one, or lift the suppression.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::input::email_to_look_up;
use store_kit::{
    audit,
    database::Database,
    error::StoreError,
    keys::Keys,
    retention, row,
    sealed::{Digest, SealedTable},
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use crate::domain::Personal;

/// Days for which mails to an address are suppressed.
pub const SUPPRESSION_DAYS: i64 = 30;
const PURGE_ROWS_MAX: i64 = 100;

/// Sealed columns and digests of the `suppressions` table.
pub const SUPPRESSIONS: SealedTable = SealedTable {
    table: "suppressions",
    columns: &["email"],
    digests: &[Digest {
        column: "email_digest",
        of: "email",
        make: digest,
    }],
};

/// An address whose mails bounced or were refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Suppression {
    pub id: Uuid,
    pub email: Personal,
    /// Status codes, for example `5.1.1`.
    pub reason: String,
    pub create_time: DateTime<Utc>,
    pub expire_time: DateTime<Utc>,
}

/// Input of [`add`].
pub(super) struct New<'a> {
    pub(super) id: Uuid,
    pub(super) email: &'a str,
    pub(super) reason: &'a str,
}

row! {
    struct Row {
        id: Uuid,
        key_id: String,
        email: Vec<u8>,
        reason: String,
        create_time: DateTime<Utc>,
        expire_time: DateTime<Utc>,
    }
}

impl Row {
    fn open(self, keys: &Keys) -> Result<Suppression, StoreError> {
        let email = SUPPRESSIONS.open(keys, &self.key_id, self.id, "email", &self.email)?;
        Ok(Suppression {
            id: self.id,
            email: Personal::kept(email),
            reason: self.reason,
            create_time: self.create_time,
            expire_time: self.expire_time,
        })
    }
}

/// Returns the digest by which the suppression of an address is looked up.
pub(crate) fn digest(keys: &Keys, email: &str) -> [u8; 32] {
    keys.digest("suppressions.email", email_to_look_up(email).as_bytes())
}

/// Suppresses mails to an address, or extends an existing suppression.
pub(super) async fn add(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    new: &New<'_>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    const UPSERT: &str = "\
INSERT INTO suppressions (id, key_id, email, email_digest, reason, create_time, expire_time) VALUES ($1, $2, $3, $4, $5, $6, $7) \
ON CONFLICT (email_digest) DO UPDATE SET reason = excluded.reason, expire_time = excluded.expire_time";
    let email = SUPPRESSIONS.seal(keys, new.id, "email", new.email)?;
    let values = values![
        new.id,
        keys.active(),
        email,
        digest(keys, new.email),
        new.reason,
        now,
        now + TimeDelta::days(SUPPRESSION_DAYS)
    ];
    transaction.execute(UPSERT, values).await?;
    Ok(())
}

pub(super) async fn is_suppressed(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    email: &str,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    const KNOWN: &str =
        "SELECT count(*) FROM suppressions WHERE email_digest = $1 AND expire_time > $2";
    let (rows,): (i64,) = transaction
        .fetch_one(KNOWN, values![digest(keys, email), now])
        .await?;
    Ok(rows > 0)
}

/// Deletes the suppression of a person's address.
pub(crate) async fn forget(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    email: &str,
) -> Result<(), StoreError> {
    const FORGET: &str = "DELETE FROM suppressions WHERE email_digest = $1";
    transaction
        .execute(FORGET, values![digest(keys, email)])
        .await?;
    Ok(())
}

/// Returns a page of suppressions, newest first. `after` is the last row of the previous page.
///
/// # Errors
/// When the database fails, or an address cannot be decrypted.
pub async fn list(
    database: &Database,
    keys: &Keys,
    after: (DateTime<Utc>, Uuid),
    now: DateTime<Utc>,
    rows_max: u32,
) -> Result<Vec<Suppression>, StoreError> {
    const LIST: &str = "\
SELECT id, key_id, email, reason, create_time, expire_time FROM suppressions \
WHERE (create_time, id) < ($1, $2) AND expire_time > $3 ORDER BY create_time DESC, id DESC LIMIT $4";
    let rows: Vec<Row> = database
        .fetch_all(
            "SELECT suppressions",
            LIST,
            values![after.0, after.1, now, rows_max],
        )
        .await?;
    rows.into_iter().map(|row| row.open(keys)).collect()
}

/// Lifts a suppression; returns whether it existed. Writes an audit entry.
#[derive(Debug)]
pub struct Lift {
    pub keys: Keys,
    pub id: Uuid,
    pub actor: String,
    pub now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Lift {
    type Outcome = bool;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<bool>, StoreError> {
        const LIFT: &str = "DELETE FROM suppressions WHERE id = $1";
        if transaction.execute(LIFT, values![self.id]).await? == 0 {
            return Ok(Decision::Rollback(false));
        }
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: "suppression.lifted",
            subject: self.id.to_string(),
            detail: String::new(),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(true))
    }
}

/// Counts expired suppressions.
///
/// # Errors
/// When the database fails.
pub async fn over(database: &Database, now: DateTime<Utc>) -> Result<u64, StoreError> {
    const COUNT: &str = "SELECT count(*) FROM suppressions WHERE expire_time <= $1";
    let (rows,): (i64,) = database
        .fetch_one("SELECT suppressions", COUNT, values![now])
        .await?;
    Ok(u64::try_from(rows).unwrap_or_default())
}

/// Deletes the suppressions that [`over`] counts; returns their number.
///
/// # Errors
/// When the database fails.
pub async fn retain(database: &Database, now: DateTime<Utc>) -> Result<u64, StoreError> {
    retention::in_steps(database, "DELETE suppressions", || Retain { now }).await
}

struct Retain {
    now: DateTime<Utc>,
}

#[async_trait]
impl UnitOfWork for Retain {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const OVER: &str = "\
DELETE FROM suppressions WHERE id IN (SELECT id FROM suppressions WHERE expire_time <= $1 LIMIT $2)";
        let rows = transaction
            .execute(OVER, values![self.now, PURGE_ROWS_MAX])
            .await?;
        Ok(Decision::Commit(rows))
    }
}
