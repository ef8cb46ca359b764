//! SQLite has one writer, so one task writes: it takes every unit of work that waits and commits them together, because the
//! `fsync` of a commit costs more than all the rest.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use async_trait::async_trait;
use futures::FutureExt as _;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{
    sync::{Mutex, mpsc, oneshot},
    task::JoinHandle,
    time::timeout,
};
use tracing::{Instrument as _, Span};

use crate::{
    database::{BUSY_TIMEOUT, CALL_TIMEOUT},
    error::StoreError,
    sql::{Connection, Transaction},
    work::{Decision, UnitOfWork, catch_panic},
};

/// A unit of work may take this long once it is its turn: nobody waits for it longer, and the others wait for it.
const UNIT_TIMEOUT: Duration = CALL_TIMEOUT;
/// So long after the last change the write-ahead log is emptied. It holds what was removed since, an erased person too, until it is
/// written over, which on a quiet site takes days.
const IDLE: Duration = Duration::from_secs(1);

/// A unit of work that waits for the writer, without its outcome's type.
#[async_trait]
trait Waiting: Send {
    /// Runs it; whether there is something to keep.
    async fn run(&mut self, transaction: &mut Transaction<'_>) -> Result<bool, StoreError>;

    /// Tells the caller, after the commit.
    fn reply(self: Box<Self>, committed: Result<(), StoreError>);

    /// Whether the caller has gone.
    fn is_abandoned(&self) -> bool;
}

struct Queued<W: UnitOfWork> {
    work: W,
    outcome: Result<W::Outcome, StoreError>,
    reply: oneshot::Sender<Result<W::Outcome, StoreError>>,
    span: Span,
}

#[async_trait]
impl<W: UnitOfWork> Waiting for Queued<W> {
    async fn run(&mut self, transaction: &mut Transaction<'_>) -> Result<bool, StoreError> {
        // One that fails, panics or does not end is undone alone; the writer goes on.
        let run = catch_panic(self.work.run(transaction).instrument(self.span.clone()));
        let decision = timeout(UNIT_TIMEOUT, run)
            .await
            .unwrap_or(Err(StoreError::Deadline));
        match decision {
            Ok(Decision::Commit(outcome)) => {
                self.outcome = Ok(outcome);
                Ok(true)
            }
            Ok(Decision::Rollback(outcome)) => {
                self.outcome = Ok(outcome);
                Ok(false)
            }
            Err(error) => {
                self.outcome = Err(error.clone());
                Err(error)
            }
        }
    }

    fn reply(self: Box<Self>, committed: Result<(), StoreError>) {
        let outcome = committed.and(self.outcome);
        // An error here means that the caller has gone meanwhile; a request id finds what was written.
        drop(self.reply.send(outcome));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}

/// Bounds of the writer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Units of work that wait; one more is refused.
    pub(crate) queue_max: usize,
    /// Units of work in one commit.
    pub(crate) batch_max: usize,
}

/// The way to the task that writes.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: Mutex<Option<mpsc::Sender<Box<dyn Waiting>>>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl std::fmt::Debug for dyn Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Waiting")
    }
}

impl Writer {
    /// Starts the task. It connects when there is something to write, and again after a connection has failed.
    pub(crate) fn start(options: SqliteConnectOptions, bounds: Bounds) -> Self {
        let (queue, waiting) = mpsc::channel(bounds.queue_max);
        let task = tokio::spawn(supervise(
            options,
            Arc::new(Mutex::new(waiting)),
            bounds.batch_max,
        ));
        Self {
            queue: Mutex::new(Some(queue)),
            task: Mutex::new(Some(task)),
        }
    }

    /// Queues a unit of work and waits until it is committed or undone.
    pub(crate) async fn write<W: UnitOfWork>(
        &self,
        work: W,
        span: Span,
    ) -> Result<W::Outcome, StoreError> {
        let (reply, outcome) = oneshot::channel();
        let queued = Box::new(Queued {
            work,
            outcome: Err(StoreError::Stopped),
            reply,
            span,
        });
        let queue = self.queue.lock().await.clone().ok_or(StoreError::Stopped)?;
        queue.try_send(queued).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => StoreError::Stopped,
        })?;
        drop(queue);
        outcome.await.map_err(|_| StoreError::Stopped)?
    }

    /// Finishes what was accepted.
    pub(crate) async fn close(&self) {
        // Without a sender the task ends once the queue is empty.
        self.queue.lock().await.take();
        if let Some(task) = self.task.lock().await.take()
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the writer of the database failed");
        }
    }
}

type Queue = Arc<Mutex<mpsc::Receiver<Box<dyn Waiting>>>>;

/// Starts the writer again when it panics; what it held at that moment is answered as stopped.
async fn supervise(options: SqliteConnectOptions, queue: Queue, batch_max: usize) {
    loop {
        let write = write_until_closed(&options, &queue, batch_max);
        if AssertUnwindSafe(write).catch_unwind().await.is_ok() {
            return;
        }
        tracing::error!("the writer of the database panicked and starts again");
    }
}

async fn write_until_closed(options: &SqliteConnectOptions, queue: &Queue, batch_max: usize) {
    let mut queue = queue.lock().await;
    let mut connection = None;
    let mut batch = Vec::new();
    // Whether the write-ahead log holds anything.
    let mut is_logged = true;
    loop {
        let received = queue.recv_many(&mut batch, batch_max);
        let received = match &mut connection {
            Some(connection) if is_logged => {
                let Ok(count) = timeout(IDLE, received).await else {
                    is_logged = !empty_log(connection).await;
                    continue;
                };
                count
            }
            _ => received.await,
        };
        if received == 0 {
            break;
        }
        // Callers whose deadline has passed are skipped; an overload would be worked off for nobody otherwise.
        batch.retain(|waiting| !waiting.is_abandoned());
        if batch.is_empty() {
            continue;
        }
        let committed = commit(options, &mut connection, &mut batch).await;
        is_logged = is_logged || !matches!(committed, Ok(false));
        if committed.is_err() {
            // Whatever state the connection is in, closing it undoes what is open.
            connection = None;
        }
        for waiting in batch.drain(..) {
            waiting.reply(committed.clone().map(|_| ()));
        }
    }
    if let Some(connection) = connection
        && let Err(error) = connection.close().await
    {
        tracing::warn!(%error, "the connection of the writer did not close");
    }
}

/// Commits a batch; replies follow the commit, since who shares a transaction shares its fate. Gives whether anything was written.
async fn commit(
    options: &SqliteConnectOptions,
    connection: &mut Option<SqliteConnection>,
    batch: &mut [Box<dyn Waiting>],
) -> Result<bool, StoreError> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(SqliteConnection::connect_with(options).await?),
    };
    run(connection, "BEGIN IMMEDIATE; SAVEPOINT unit").await?;
    let last = batch.len() - 1;
    let mut is_written = false;
    for (number, waiting) in batch.iter_mut().enumerate() {
        // Those before it in the batch may have taken the time that its caller had.
        let kept = if waiting.is_abandoned() {
            Ok(false)
        } else {
            waiting
                .run(&mut Transaction(Connection::Sqlite(connection)))
                .await
        };
        is_written |= matches!(kept, Ok(true));
        let end = match (&kept, number == last) {
            (Ok(true), true) => "COMMIT",
            (Ok(true), false) => "RELEASE unit; SAVEPOINT unit",
            (_, true) => "ROLLBACK TO unit; COMMIT",
            (_, false) => "ROLLBACK TO unit",
        };
        // A full disk ends the whole transaction. Then it is that error which everybody gets, not the one of the rollback.
        run(connection, end)
            .await
            .map_err(|error| kept.err().unwrap_or(error))?;
    }
    Ok(is_written)
}

/// Moves the write-ahead log into the database and empties it; whether that went. Somebody who reads at that moment keeps it back.
async fn empty_log(connection: &mut SqliteConnection) -> bool {
    // Nobody who writes now shall wait long for one who reads.
    const SHORT: &str = "PRAGMA busy_timeout = 50";
    let emptied = async {
        run(connection, SHORT).await?;
        let checkpoint = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
            .fetch_one(&mut *connection)
            .await;
        let usual = format!("PRAGMA busy_timeout = {}", BUSY_TIMEOUT.as_millis());
        sqlx::query(AssertSqlSafe(usual))
            .execute(&mut *connection)
            .await?;
        // Only now: whoever writes next waits as long as ever, also when this failed.
        let (is_kept,): (bool,) = checkpoint?;
        Ok::<bool, StoreError>(!is_kept)
    };
    emptied.await.unwrap_or_else(|error| {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the write-ahead log was not emptied"
        );
        false
    })
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), StoreError> {
    sqlx::query(sql).execute(connection).await?;
    Ok(())
}
