//! Transactional outbox: a message is written in the unit of work it belongs to, and delivered afterwards at least
//! once.
//!
//! A message waits in a lane. Each lane has its own worker and pace, so a busy or slow lane does not delay another.
//!
//! A message waits until its `not_before`; a reminder has one in the future. One worker at a time leases it. Failed
//! deliveries are retried with exponential backoff. A message is dead after 20 attempts, or when its receiver rejects
//! it permanently. Dead messages can be listed and resent. Receivers deduplicate by the message's id.
//!
//! Payloads hold ids, never personal text; the receiver fetches the data it needs.

mod metrics;
mod observe;
mod worker;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::trace;
use tracing::Span;
use uuid::Uuid;

use crate::{
    database::Database,
    error::StoreError,
    retention, row,
    sql::{Sql, Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};

pub use observe::observe;
pub use worker::{Deliver, DeliveryError, Lane, Pace, Worker};

/// Lane of messages that name no lane.
pub const DEFAULT_LANE: &str = "";
/// Maximum payload in bytes.
pub const PAYLOAD_BYTES_MAX: usize = 16 * 1024;
/// Retention of a delivered message in days; until then its delivery time can be looked up.
pub const DELIVERED_RETENTION_DAYS: i64 = 7;
/// Retention of a dead message in days. The metric `outbox_dead` alerts long before.
pub const DEAD_RETENTION_DAYS: i64 = 90;
/// Maximum length of a stored error, in characters.
const ERROR_CHARS_MAX: usize = 300;
const PURGE_ROWS_MAX: i64 = 100;

/// A message to be delivered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewMessage {
    /// Unique; generated before the unit of work so retries reuse it. The receiver deduplicates by it.
    pub id: Uuid,
    /// Event type, for example `appointment.booked`.
    pub kind: &'static str,
    /// Id of the appointment, post, … that the message is about.
    pub subject: String,
    /// JSON, at most 16 KiB, without personal data.
    pub payload: String,
    /// Earliest delivery time.
    pub not_before: DateTime<Utc>,
}

row! {
    /// A message in delivery, or listed.
    #[derive(Clone, Debug, Eq, PartialEq)]
    pub struct Message {
        /// Deduplication key.
        pub id: Uuid,
        /// Event type.
        pub kind: String,
        /// Id of the entity that the message is about.
        pub subject: String,
        /// JSON.
        pub payload: String,
        /// Earliest delivery time.
        pub not_before: DateTime<Utc>,
        /// Delivery attempts, including the current one.
        pub attempts: i64,
        /// Last delivery error; empty if none.
        pub last_error: String,
        /// Trace position at which it was written. `None`: scheduled for later, or written outside any trace.
        pub traceparent: Option<String>,
    }
}

/// Limit of each count of [`depth`], which runs every 15 s. Hundreds of thousands of reminders may be waiting.
pub const COUNTED_MAX: i64 = 10_000;

/// Number of messages in a lane. [`COUNTED_MAX`] means that many or more.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Depth {
    /// Undelivered, including future reminders.
    pub waiting: u64,
    /// Undelivered and due.
    pub due: u64,
    /// Dead, across all lanes.
    pub dead: u64,
    /// `not_before` of the oldest due message; `None` when nothing is due.
    pub oldest_due: Option<DateTime<Utc>>,
}

const INSERT: &str = "\
INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, traceparent, lane) \
VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)";

/// As [`INSERT`], but ignores a message that already exists.
const INSERT_ONCE: &str = "\
INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, traceparent, lane) \
VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING";

/// Builds the statement that writes a message, in the unit of work it belongs to. A message due immediately is
/// delivered in the trace of the current span. A message for later gets its own trace.
///
/// # Errors
/// When the payload is too large.
pub fn insert(message: &NewMessage, now: DateTime<Utc>) -> Result<Statement, StoreError> {
    insertion(INSERT, DEFAULT_LANE, message, now)
}

/// As [`insert`], but does nothing when the id already exists: for messages whose id is derived from their subject.
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

/// Builds the statement that deletes a subject's waiting messages of a kind, such as the reminder of a cancelled visit.
pub fn withdraw(kind: &'static str, subject: &str) -> Statement {
    const DELETE: &str = "\
DELETE FROM outbox_messages WHERE subject = $1 AND kind = $2 AND delivered_time IS NULL AND dead_time IS NULL";
    Statement::new(DELETE, values![subject, kind])
}

/// Builds the statements that delete every undelivered message about a subject, dead ones included: the person was
/// erased.
pub fn forget(subject: &str) -> [Statement; 2] {
    // Two statements, because each partial index covers only its own rows.
    const WAITING: &str = "\
DELETE FROM outbox_messages WHERE subject = $1 AND delivered_time IS NULL AND dead_time IS NULL";
    const DEAD: &str = "DELETE FROM outbox_messages WHERE subject = $1 AND dead_time IS NOT NULL";
    [WAITING, DEAD].map(|sql| Statement::new(sql, values![subject]))
}

/// Builds the statement that reschedules a subject's waiting messages of a kind and resets their attempts. The reset
/// keeps a failing delivery in progress from scheduling an earlier retry.
pub fn postpone(kind: &'static str, subject: &str, not_before: DateTime<Utc>) -> Statement {
    const UPDATE: &str = "\
UPDATE outbox_messages SET not_before = $3, due_time = $3, attempts = 0, last_error = '' WHERE subject = $1 AND kind = $2 AND delivered_time IS NULL AND dead_time IS NULL";
    Statement::new(UPDATE, values![subject, kind, not_before])
}

/// Leases due messages of a lane until `$2`. The lease of a crashed worker simply expires.
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

/// Outcome of a delivery.
enum Ending {
    Delivered,
    /// To be retried at this time.
    Later(DateTime<Utc>, String),
    Dead(String),
    /// Not attempted; any worker may lease it immediately.
    Untried,
}

struct End {
    message: Message,
    ending: Ending,
    now: DateTime<Utc>,
    /// Span of the delivery.
    span: Span,
}

impl End {
    fn statement(&self) -> Statement {
        // A failure counts only for the lease of this attempt. A success is recorded whichever worker reports it.
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
        match &self.ending {
            Ending::Delivered => Statement::new(DELIVERED, values![id, self.now]),
            Ending::Later(at, error) => {
                Statement::new(LATER, values![id, attempts, *at, clip(error)])
            }
            Ending::Dead(error) => {
                Statement::new(DEAD, values![id, attempts, self.now, clip(error)])
            }
            Ending::Untried => Statement::new(UNTRIED, values![id, attempts, self.now]),
        }
    }
}

/// Records deliveries that ended at about the same time: one round trip and one commit for all of them.
struct Record(Vec<End>);

#[async_trait::async_trait]
impl UnitOfWork for Record {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        let script = self.0.iter().map(End::statement).collect();
        transaction.run(script).await?;
        Ok(Decision::Commit(()))
    }
}

/// Query of [`depth`]: `$1` is the time, `$2` [`COUNTED_MAX`], `$3` the lane. Each count reads at most `$2` index
/// entries and no row.
pub const DEPTH: &str = "\
SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox_messages
                              WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $3 LIMIT $2) AS counted) AS waiting,
       (SELECT count(*) FROM (SELECT 1 FROM outbox_messages
                              WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $3 AND not_before <= $1
                              LIMIT $2) AS counted) AS due,
       (SELECT count(*) FROM (SELECT 1 FROM outbox_messages WHERE dead_time IS NOT NULL LIMIT $2) AS counted) AS dead,
       (SELECT min(not_before) FROM outbox_messages
        WHERE delivered_time IS NULL AND dead_time IS NULL AND lane = $3 AND not_before <= $1) AS oldest_due";

/// Returns the number of messages in a lane, for metrics.
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

/// Returns at most `messages_max` dead messages, the oldest first.
pub async fn dead(database: &Database, messages_max: u32) -> Result<Vec<Message>, StoreError> {
    const SELECT: &str = "\
SELECT id, kind, subject, payload, not_before, attempts, last_error, traceparent FROM outbox_messages
WHERE dead_time IS NOT NULL ORDER BY dead_time, id LIMIT $1";
    database
        .fetch_all("SELECT outbox_messages", SELECT, values![messages_max])
        .await
}

/// Resends one dead message, or all; returns their number.
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

/// Deletes messages delivered more than 7 days ago or dead for more than 90 days; returns their number.
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
