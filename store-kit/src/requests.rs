//! Idempotency: a create that carries a request id (AIP-155) is done once, however often and however concurrently it is sent.
//!
//! The table holds keyed hashes only: neither the id nor the body can be found out by trying. It names the subject that the
//! request made, not the answer: a repetition is answered by what has become of the subject since. Rows go after 30 days, or sooner where
//! a service says so.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    database::Database,
    error::StoreError,
    keys::Keys,
    retention,
    sql::{Statement, Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};

/// How long a repetition is recognised, unless [`RequestKey::kept_days`] says another time.
pub const RETENTION_DAYS: i64 = 30;
/// Rows that one step of [`purge`] removes.
const PURGE_ROWS_MAX: i64 = 1000;

/// What makes a create safe to repeat: the caller's id and what it asked for, as keyed hashes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RequestKey {
    hashes: Hashes,
    /// With the previous index key, while there is one: under them stands what was made before the keys changed.
    previous: Option<Hashes>,
    retention_days: i64,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Hashes {
    key: [u8; 32],
    fingerprint: [u8; 32],
}

impl RequestKey {
    /// The key of a request. `kind` keeps the ids of different calls apart; `body` is the request in a form in which equal
    /// requests are equal.
    pub fn new(keys: &Keys, kind: &str, request_id: &str, body: &[u8]) -> Self {
        Self::of_digests(
            keys,
            kind,
            Sha256::digest(request_id).into(),
            Sha256::digest(body).into(),
        )
    }

    /// As [`Self::new`], from SHA-256 of the request id and of the body: what builds before this one stored.
    pub fn of_digests(keys: &Keys, kind: &str, request_id: [u8; 32], body: [u8; 32]) -> Self {
        let hashes = |keys: &Keys| Hashes {
            key: keys.digest(&format!("request-id:{kind}"), &request_id),
            fingerprint: keys.digest(&format!("request-body:{kind}"), &body),
        };
        Self {
            hashes: hashes(keys),
            previous: keys.previous().as_ref().map(hashes),
            retention_days: RETENTION_DAYS,
        }
    }

    /// Values of `IN ($1, $2)`.
    fn keys(&self) -> Vec<Value> {
        values![
            self.hashes.key,
            self.previous.map(|hashes| Vec::from(hashes.key))
        ]
    }

    /// For what is to leave no trace for long: a repetition is recognised for so many days.
    #[must_use]
    pub fn kept_days(self, days: u16) -> Self {
        Self {
            retention_days: days.into(),
            ..self
        }
    }

    /// Whether a row with this fingerprint is of the same body, or its body was forgotten.
    fn is_of(&self, fingerprint: &[u8]) -> bool {
        let mut known = [Some(self.hashes), self.previous].into_iter().flatten();
        fingerprint.is_empty() || known.any(|hashes| hashes.fingerprint == fingerprint)
    }

    fn expire_time(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::days(self.retention_days)
    }
}

/// What is known of a request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Found {
    /// Not made before, or so long ago that it is forgotten.
    New,
    /// Made before; this is what it made.
    Repeated {
        /// Id of the subject.
        subject: String,
    },
    /// The request id belongs to a request for something else.
    Reused,
}

const FIND: &str = "\
SELECT fingerprint, subject, expire_time FROM request_keys WHERE request_key IN ($1, $2) ORDER BY expire_time DESC LIMIT 1";
const INSERT: &str = "\
INSERT INTO request_keys (request_key, fingerprint, subject, create_time, expire_time) VALUES ($1, $2, $3, $4, $5)";
const FORGET: &str = "DELETE FROM request_keys WHERE request_key IN ($1, $2) AND expire_time <= $3";

/// Looks a request up within the unit of work that makes it if it is [`Found::New`].
pub async fn find(
    transaction: &mut Transaction<'_>,
    request: &RequestKey,
    now: DateTime<Utc>,
) -> Result<Found, StoreError> {
    let row: Option<FoundRow> = transaction.fetch_optional(FIND, request.keys()).await?;
    let is_over = row.as_ref().is_some_and(|row| row.expire_time <= now);
    if is_over {
        let mut values = request.keys();
        values.push(now.into());
        transaction.execute(FORGET, values).await?;
    }
    Ok(found(row, request, now))
}

/// Looks a request up outside of a unit of work.
pub async fn recall(
    database: &Database,
    request: &RequestKey,
    now: DateTime<Utc>,
) -> Result<Found, StoreError> {
    let row = database
        .fetch_optional("SELECT request_keys", FIND, request.keys())
        .await?;
    Ok(found(row, request, now))
}

#[derive(sqlx::FromRow)]
struct FoundRow {
    fingerprint: Vec<u8>,
    subject: String,
    expire_time: DateTime<Utc>,
}

fn found(row: Option<FoundRow>, request: &RequestKey, now: DateTime<Utc>) -> Found {
    match row {
        Some(row) if row.expire_time <= now => Found::New,
        Some(row) if request.is_of(&row.fingerprint) => Found::Repeated {
            subject: row.subject,
        },
        Some(_) => Found::Reused,
        None => Found::New,
    }
}

/// The id that a request key names.
///
/// # Errors
/// When it is none.
pub fn subject_id(subject: &str) -> Result<Uuid, StoreError> {
    subject.parse().map_err(|_| StoreError::Corrupt {
        column: "request_keys.subject",
    })
}

/// The row that remembers a request, in the unit of work that found it to be new. When somebody else made the same request since, it
/// violates the primary key: the unit of work runs again and finds theirs.
pub fn insert(request: &RequestKey, subject: &str, now: DateTime<Utc>) -> Statement {
    Statement::new(
        INSERT,
        values![
            request.hashes.key,
            request.hashes.fingerprint,
            subject,
            now,
            request.expire_time(now)
        ],
    )
}

/// Lets a repeated request make something new, in the unit of work that found what it made before to be over (cancelled).
pub fn replace(request: &RequestKey, subject: &str, now: DateTime<Utc>) -> Statement {
    const UPDATE: &str = "\
UPDATE request_keys SET subject = $3, create_time = $4, expire_time = $5 WHERE request_key IN ($1, $2)";
    let mut values = request.keys();
    values.extend(values![subject, now, request.expire_time(now)]);
    Statement::new(UPDATE, values)
}

/// Forgets what was asked for, in the unit of work that removes what it made: its body is part of what somebody had erased. The row stays
/// for its time, so that a repetition, whatever its body, finds that the subject is gone and makes nothing anew.
pub fn forget_body(subject: &str) -> Statement {
    const UPDATE: &str = "UPDATE request_keys SET fingerprint = $2 WHERE subject = $1";
    Statement::new(UPDATE, values![subject, Vec::<u8>::new()])
}

/// Removes rows whose time is over; gives how many.
pub async fn purge(database: &Database, now: DateTime<Utc>) -> Result<u64, StoreError> {
    retention::in_steps(database, "DELETE request_keys", || Purge { now }).await
}

struct Purge {
    now: DateTime<Utc>,
}

#[async_trait::async_trait]
impl UnitOfWork for Purge {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const DELETE: &str = "\
DELETE FROM request_keys WHERE request_key IN \
(SELECT request_key FROM request_keys WHERE expire_time <= $1 LIMIT $2)";
        let removed = transaction
            .execute(DELETE, values![self.now, PURGE_ROWS_MAX])
            .await?;
        Ok(Decision::Commit(removed))
    }
}
