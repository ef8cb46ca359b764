//! Idempotency: a create with a request id (AIP-155) is executed once, however often and however concurrently it is
//! sent.
//!
//! The table holds only keyed hashes, so neither the id nor the body can be guessed from it. A row names the subject
//! that the request created, not the reply: a retry returns the subject's current state. Rows expire after 30 days, or
//! earlier if a service sets [`RequestKey::kept_days`].

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    database::Database,
    error::StoreError,
    keys::Keys,
    retention, row,
    sql::{Statement, Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};

/// Default retention in days during which a retry is recognised; [`RequestKey::kept_days`] overrides it.
pub const RETENTION_DAYS: i64 = 30;
/// Fingerprint of a row whose body was erased; matches every body.
const ERASED_FINGERPRINT: &[u8] = &[];
/// Maximum rows deleted by one step of [`purge`].
const PURGE_ROWS_MAX: i64 = 100;

/// Key that makes a create safe to retry: keyed hashes of the caller's request id and of the request's content.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RequestKey {
    hashes: Hashes,
    /// Hashes under the previous index key, if configured: they find rows written before the keys changed.
    previous: Option<Hashes>,
    retention_days: i64,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Hashes {
    key: [u8; 32],
    fingerprint: [u8; 32],
}

impl RequestKey {
    /// Builds the key of a request. `kind` separates the ids of different calls. `body` is the request in canonical
    /// form: equal requests have equal bodies.
    pub fn new(keys: &Keys, kind: &str, request_id: &str, body: &[u8]) -> Self {
        Self::of_digests(
            keys,
            kind,
            Sha256::digest(request_id).into(),
            Sha256::digest(body).into(),
        )
    }

    /// As [`Self::new`], from SHA-256 hashes of the request id and of the body, as earlier builds stored them.
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

    /// Returns the values of `request_key IN ($1, $2)`.
    pub fn keys(&self) -> Vec<Value> {
        values![
            self.hashes.key,
            self.previous.map(|hashes| Vec::from(hashes.key))
        ]
    }

    /// Sets the retention in days during which a retry is recognised: for requests that should leave no trace for long.
    #[must_use]
    pub fn kept_days(self, days: u16) -> Self {
        Self {
            retention_days: days.into(),
            ..self
        }
    }

    /// Returns whether a row's fingerprint matches this body, or the row's body was erased.
    fn is_of(&self, fingerprint: &[u8]) -> bool {
        let mut known = [Some(self.hashes), self.previous].into_iter().flatten();
        fingerprint == ERASED_FINGERPRINT || known.any(|hashes| hashes.fingerprint == fingerprint)
    }

    fn expire_time(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::days(self.retention_days)
    }
}

/// Result of looking a request up.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Found {
    /// Not seen before, or expired.
    New,
    /// Seen before.
    Repeated {
        /// Id of the subject that it created.
        subject: String,
    },
    /// The request id belongs to a different request.
    Reused,
}

const FIND: &str = "\
SELECT fingerprint, subject, expire_time FROM request_keys WHERE request_key IN ($1, $2)";
const INSERT: &str = "\
INSERT INTO request_keys (request_key, fingerprint, subject, create_time, expire_time) VALUES ($1, $2, $3, $4, $5)";

row! {
    /// A row of `request_keys`.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct Recorded {
        /// Keyed hash of the request's body.
        pub fingerprint: Vec<u8>,
        /// Id of the subject that the request created.
        pub subject: String,
        /// When the row no longer counts.
        pub expire_time: DateTime<Utc>,
    }
}

/// Looks a request up, within the unit of work that executes it if [`Found::New`].
pub async fn find(
    transaction: &mut Transaction<'_>,
    request: &RequestKey,
    now: DateTime<Utc>,
) -> Result<Found, StoreError> {
    let rows = transaction.fetch_all(FIND, request.keys()).await?;
    let is_recorded = !rows.is_empty();
    let found = found(rows, request, now);
    if is_recorded && found == Found::New {
        transaction
            .run([forget(request)].into_iter().collect())
            .await?;
    }
    Ok(found)
}

/// Looks a request up outside a unit of work.
pub async fn recall(
    database: &Database,
    request: &RequestKey,
    now: DateTime<Utc>,
) -> Result<Found, StoreError> {
    let rows = database
        .fetch_all("SELECT request_keys", FIND, request.keys())
        .await?;
    Ok(found(rows, request, now))
}

/// Decides about a request by the rows of its [`RequestKey::keys`], for a unit of work that reads them together with
/// other state. Before such a unit records a new request, it deletes these rows ([`forget`]): they have expired.
pub fn found(rows: Vec<Recorded>, request: &RequestKey, now: DateTime<Utc>) -> Found {
    match rows.into_iter().max_by_key(|row| row.expire_time) {
        Some(row) if row.expire_time <= now => Found::New,
        Some(row) if request.is_of(&row.fingerprint) => Found::Repeated {
            subject: row.subject,
        },
        Some(_) => Found::Reused,
        None => Found::New,
    }
}

/// Parses the id that a request key names.
///
/// # Errors
/// When it is not a UUID.
pub fn subject_id(subject: &str) -> Result<Uuid, StoreError> {
    subject.parse().map_err(|_| StoreError::Corrupt {
        column: "request_keys.subject",
    })
}

/// Builds the row that records a request, in the unit of work that found it new. If the same request was committed
/// concurrently, the row violates the primary key. The unit of work then runs again and finds the other request's
/// subject.
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

/// Builds the statement that deletes a request's rows.
pub fn forget(request: &RequestKey) -> Statement {
    const DELETE: &str = "DELETE FROM request_keys WHERE request_key IN ($1, $2)";
    Statement::new(DELETE, request.keys())
}

/// Lets a repeated request create a new subject, in the unit of work that found the old one ended (cancelled).
pub fn replace(request: &RequestKey, subject: &str, now: DateTime<Utc>) -> Statement {
    const UPDATE: &str = "\
UPDATE request_keys SET subject = $3, create_time = $4, expire_time = $5 WHERE request_key IN ($1, $2)";
    let mut values = request.keys();
    values.extend(values![subject, now, request.expire_time(now)]);
    Statement::new(UPDATE, values)
}

/// Erases the fingerprint of the request's body, in the unit of work that deletes the subject: the body is part of the
/// erased data. The row stays until it expires. A retry with any body therefore finds the subject removed and creates
/// nothing.
pub fn forget_body(subject: &str) -> Statement {
    const UPDATE: &str = "UPDATE request_keys SET fingerprint = $2 WHERE subject = $1";
    Statement::new(UPDATE, values![subject, ERASED_FINGERPRINT])
}

/// Deletes expired rows; returns their number.
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
