//! Transactional outbox: a message is written in the unit of work that it belongs to and delivered afterwards, at least once.
//!
//! A message waits in a lane; each lane has a worker and a pace of its own, so that what is much or slow in one lane holds up no other.
//!
//! A message waits until its `not_before` (a reminder is a message with a future one), is leased by one worker at a time, tried
//! again with growing pauses, and is dead after 20 tries or when its receiver says that it never will take it. Dead messages are
//! listed and can be sent again. Its id is the key by which a receiver knows a message that it got before.
//!
//! Payloads hold ids and no person's words: the receiver asks for what it needs.

mod observed;
mod worker;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::trace;
use tracing::Span;
use uuid::Uuid;

use crate::{
    database::Database,
    error::StoreError,
    retention,
    sql::{Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

pub use observed::observe;
pub use worker::{Deliver, DeliveryError, Lane, Pace, Worker};

/// The lane of messages that name none.
pub const DEFAULT_LANE: &str = "";
/// Longest payload in bytes.
pub const PAYLOAD_BYTES_MAX: usize = 16 * 1024;
/// How long a delivered message is kept, to answer when it was delivered.
pub const DELIVERED_RETENTION_DAYS: i64 = 7;
/// How long a dead message is kept. The metric `outbox_dead` alerts long before.
pub const DEAD_RETENTION_DAYS: i64 = 90;
/// Longest text of an error that is kept, in characters.
const ERROR_CHARS_MAX: usize = 300;
const PURGE_ROWS_MAX: i64 = 1000;

/// A message to be delivered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewMessage {
    /// Never given before, and made before the unit of work, which may run again. Known to the receiver as the key of deduplication.
    pub id: Uuid,
    /// What it is about, for example `appointment.booked`.
    pub kind: &'static str,
    /// Whom it is about: id of an appointment, a post, …
    pub subject: String,
    /// JSON, at most 16 KiB, without personal data.
    pub payload: String,
    /// Not delivered earlier.
    pub not_before: DateTime<Utc>,
}

/// A message that is being delivered, or that is listed.
#[derive(Clone, Debug, Eq, PartialEq, sqlx::FromRow)]
pub struct Message {
    /// Key of deduplication.
    pub id: Uuid,
    /// What it is about.
    pub kind: String,
    /// Whom it is about.
    pub subject: String,
    /// JSON.
    pub payload: String,
    /// When it was to be delivered at the earliest.
    pub not_before: DateTime<Utc>,
    /// How often it was tried, this time included.
    pub attempts: i64,
    /// What went wrong last; empty before anything did.
    pub last_error: String,
    /// Where in a trace it was written. `None`: it was to wait, or was written outside of any trace.
    pub traceparent: Option<String>,
}

/// Messages that [`depth`] counts at most: it is asked every 15 s, beside hundreds of thousands of reminders of weeks to come.
pub const COUNTED_MAX: i64 = 10_000;

/// How many messages of a lane there are. [`COUNTED_MAX`] stands for that many and more.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Depth {
    /// Not delivered yet, reminders of the future included.
    pub waiting: u64,
    /// Those of them whose time has come.
    pub due: u64,
    /// Given up, of all lanes.
    pub dead: u64,
    /// Since when the oldest one that should have been delivered waits; `None` when nothing is due.
    pub oldest_due: Option<DateTime<Utc>>,
}

const INSERT: &str = "\
INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, traceparent, lane) \
VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)";

/// As [`INSERT`], for a message that may be there already.
const INSERT_ONCE: &str = "\
INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, traceparent, lane) \
VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING";

/// Writes a message in the unit of work of what it is about. One that is due at once is delivered in the trace of the present span; a
/// reminder of next week has a trace of its own.
///
/// # Errors
/// When the payload is too large.
pub fn insert(message: &NewMessage, now: DateTime<Utc>) -> Result<Statement, StoreError> {
    insertion(INSERT, DEFAULT_LANE, message, now)
}

/// As [`insert`], and harmless when there is a message of this id: for a message whose id its subject decides.
///
/// # Errors
/// As [`insert`].
pub fn insert_once(message: &NewMessage, now: DateTime<Utc>) -> Result<Statement, StoreError> {
    insert_once_in(DEFAULT_LANE, message, now)
}

/// As [`insert_once`], in a lane that the service's receiver serves ([`Deliver::lanes`]).
///
/// # Errors
/// As [`insert`].
pub fn insert_once_in(
    lane: &'static str,
    message: &NewMessage,
    now: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    insertion(INSERT_ONCE, lane, message, now)
}

fn insertion(
    sql: &'static str,
    lane: &'static str,
    message: &NewMessage,
    now: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    let bytes = message.payload.len();
    if bytes > PAYLOAD_BYTES_MAX {
        return Err(StoreError::TooLarge {
            what: "outbox payload",
            bytes,
            bytes_max: PAYLOAD_BYTES_MAX,
        });
    }
    let traceparent = (message.not_before <= now)
        .then(|| trace::position(&Span::current()))
        .flatten();
    Ok(Statement::new(
        sql,
        values![
            message.id,
            message.kind,
            &message.subject,
            &message.payload,
            message.not_before,
            now,
            traceparent.as_ref().map(trace::format),
            lane
        ],
    ))
}

/// Removes what of a kind waits about a subject, such as the reminder of a visit that was cancelled.
pub fn withdraw(kind: &'static str, subject: &str) -> Statement {
    const DELETE: &str = "\
DELETE FROM outbox_messages WHERE subject = $1 AND kind = $2 AND delivered_time IS NULL AND dead_time IS NULL";
    Statement::new(DELETE, values![subject, kind])
}

/// Removes everything about a subject that was not delivered, of whatever kind, the dead too: the subject's person was erased.
pub fn forget(subject: &str) -> [Statement; 2] {
    // Two statements, since each has an index that knows only its rows.
    const WAITING: &str = "\
DELETE FROM outbox_messages WHERE subject = $1 AND delivered_time IS NULL AND dead_time IS NULL";
    const DEAD: &str = "DELETE FROM outbox_messages WHERE subject = $1 AND dead_time IS NOT NULL";
    [WAITING, DEAD].map(|sql| Statement::new(sql, values![subject]))
}

/// Moves what of a kind waits about a subject to another time, and begins anew to count its tries: a delivery that is under way and
/// fails must not be tried again before that time.
pub fn postpone(kind: &'static str, subject: &str, not_before: DateTime<Utc>) -> Statement {
    const UPDATE: &str = "\
UPDATE outbox_messages SET not_before = $3, due_time = $3, attempts = 0, last_error = '' WHERE subject = $1 AND kind = $2 AND delivered_time IS NULL AND dead_time IS NULL";
    Statement::new(UPDATE, values![subject, kind, not_before])
}

/// Takes messages of a lane that are due, for as long as the lease. The lease of a worker that dies ends by itself.
const LEASE: Sql = Sql::differing(
    "\
UPDATE outbox_messages SET attempts = attempts + 1, due_time = $2
WHERE id IN (SELECT id FROM outbox_messages WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $4 AND due_time <= $1
             ORDER BY due_time LIMIT $3)
RETURNING id, kind, subject, payload, not_before, attempts, last_error, traceparent",
    "\
UPDATE outbox_messages SET attempts = attempts + 1, due_time = $2
WHERE id IN (SELECT id FROM outbox_messages WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $4 AND due_time <= $1
             ORDER BY due_time LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING id, kind, subject, payload, not_before, attempts, last_error, traceparent",
);

struct Lease {
    lane: &'static str,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    messages_max: i64,
}

#[async_trait::async_trait]
impl UnitOfWork for Lease {
    type Outcome = Vec<Message>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Vec<Message>>, StoreError> {
        let mut messages: Vec<Message> = transaction
            .fetch_all(
                LEASE,
                values![self.now, self.until, self.messages_max, self.lane],
            )
            .await?;
        if messages.is_empty() {
            return Ok(Decision::Rollback(messages));
        }
        messages.sort_by_key(|message| message.not_before);
        Ok(Decision::Commit(messages))
    }
}

/// What became of a delivery.
enum Ending {
    Delivered,
    /// Tried again at that time.
    Later(DateTime<Utc>, String),
    Dead(String),
    /// It was not tried: somebody else may have it at once.
    Untried,
}

struct End {
    message: Message,
    ending: Ending,
    now: DateTime<Utc>,
}

#[async_trait::async_trait]
impl UnitOfWork for End {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        // Only whoever holds the lease of this try may say how it ended badly; that it was delivered is true whoever says it.
        const DELIVERED: &str = "\
UPDATE outbox_messages SET delivered_time = $2, dead_time = NULL, last_error = '' WHERE id = $1 AND delivered_time IS NULL";
        const LATER: &str = "\
UPDATE outbox_messages SET due_time = $3, last_error = $4
WHERE id = $1 AND attempts = $2 AND delivered_time IS NULL AND dead_time IS NULL";
        const DEAD: &str = "\
UPDATE outbox_messages SET dead_time = $3, last_error = $4
WHERE id = $1 AND attempts = $2 AND delivered_time IS NULL AND dead_time IS NULL";
        const UNTRIED: &str = "\
UPDATE outbox_messages SET due_time = $3, attempts = attempts - 1
WHERE id = $1 AND attempts = $2 AND delivered_time IS NULL AND dead_time IS NULL";
        let (id, attempts) = (self.message.id, self.message.attempts);
        let clip = |error: &str| error.chars().take(ERROR_CHARS_MAX).collect::<String>();
        let (sql, values) = match &self.ending {
            Ending::Delivered => (DELIVERED, values![id, self.now]),
            Ending::Later(at, error) => (LATER, values![id, attempts, *at, clip(error)]),
            Ending::Dead(error) => (DEAD, values![id, attempts, self.now, clip(error)]),
            Ending::Untried => (UNTRIED, values![id, attempts, self.now]),
        };
        transaction.execute(sql, values).await?;
        Ok(Decision::Commit(()))
    }
}

/// The query of [`depth`]: `$1` is the time, `$2` [`COUNTED_MAX`], `$3` the lane. It reads at most so many entries of each index, and
/// no row.
pub const DEPTH: &str = "\
SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox_messages
                              WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $3 LIMIT $2) AS counted) AS waiting,
       (SELECT count(*) FROM (SELECT 1 FROM outbox_messages
                              WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $3 AND not_before <= $1
                              LIMIT $2) AS counted) AS due,
       (SELECT count(*) FROM (SELECT 1 FROM outbox_messages WHERE dead_time IS NOT NULL LIMIT $2) AS counted) AS dead,
       (SELECT min(not_before) FROM outbox_messages
        WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $3 AND not_before <= $1) AS oldest_due";

/// How many messages of a lane there are, for the metrics.
///
/// # Errors
/// When the database fails.
pub async fn depth(
    database: &Database,
    lane: &str,
    now: DateTime<Utc>,
) -> Result<Depth, StoreError> {
    let values = values![now, COUNTED_MAX, lane];
    let (waiting, due, dead, oldest_due): (i64, i64, i64, Option<DateTime<Utc>>) = database
        .fetch_one("SELECT outbox_messages", DEPTH, values)
        .await?;
    let counted = |rows: i64| u64::try_from(rows).unwrap_or_default();
    Ok(Depth {
        waiting: counted(waiting),
        due: counted(due),
        dead: counted(dead),
        oldest_due,
    })
}

/// At most `messages_max` dead messages, the oldest first.
pub async fn dead(database: &Database, messages_max: u32) -> Result<Vec<Message>, StoreError> {
    const SELECT: &str = "\
SELECT id, kind, subject, payload, not_before, attempts, last_error, traceparent FROM outbox_messages
WHERE dead_time IS NOT NULL ORDER BY dead_time, id LIMIT $1";
    database
        .fetch_all("SELECT outbox_messages", SELECT, values![messages_max])
        .await
}

/// Sends dead messages again, all or one; gives how many.
pub async fn resend(
    database: &Database,
    id: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<u64, StoreError> {
    database
        .write("UPDATE outbox_messages", Resend { id, now })
        .await
}

struct Resend {
    id: Option<Uuid>,
    now: DateTime<Utc>,
}

#[async_trait::async_trait]
impl UnitOfWork for Resend {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const ALL: &str = "\
UPDATE outbox_messages SET dead_time = NULL, attempts = 0, due_time = $1 WHERE dead_time IS NOT NULL";
        const ONE: &str = "\
UPDATE outbox_messages SET dead_time = NULL, attempts = 0, due_time = $1 WHERE dead_time IS NOT NULL AND id = $2";
        let rows = match self.id {
            None => transaction.execute(ALL, values![self.now]).await?,
            Some(id) => transaction.execute(ONE, values![self.now, id]).await?,
        };
        Ok(Decision::Commit(rows))
    }
}

/// Removes what was delivered 7 days ago and what died 90 days ago; gives how many.
pub async fn purge(database: &Database, now: DateTime<Utc>) -> Result<u64, StoreError> {
    retention::in_steps(database, "DELETE outbox_messages", || Purge { now }).await
}

struct Purge {
    now: DateTime<Utc>,
}

#[async_trait::async_trait]
impl UnitOfWork for Purge {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        const DELETE: &str = "\
DELETE FROM outbox_messages WHERE id IN
(SELECT id FROM outbox_messages WHERE delivered_time <= $1 OR dead_time <= $2 LIMIT $3)";
        let removed = transaction
            .execute(
                DELETE,
                values![
                    self.now - TimeDelta::days(DELIVERED_RETENTION_DAYS),
                    self.now - TimeDelta::days(DEAD_RETENTION_DAYS),
                    PURGE_ROWS_MAX
                ],
            )
            .await?;
        Ok(Decision::Commit(removed))
    }
}
