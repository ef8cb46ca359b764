//! SQLite has one writer, so one task writes. It commits all waiting units of work together, because the `fsync` of a
//! commit costs more than everything else.

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
    connect::{BUSY_TIMEOUT, CALL_TIMEOUT},
    error::StoreError,
    sql::{Connection, Transaction},
    work::{Decision, UnitOfWork, catch_panic},
};

/// Time limit of a unit of work once its turn has come. No caller waits longer, and other units wait behind it.
const UNIT_TIMEOUT: Duration = CALL_TIMEOUT;
/// Idle time after the last change before the write-ahead log is emptied. The log keeps deleted data, an erased
/// person's included, until it is overwritten. On a quiet site that takes days.
const IDLE: Duration = Duration::from_secs(1);

/// A waiting unit of work, without the type of its outcome.
#[async_trait]
trait Waiting: Send {
    /// Runs the unit of work; returns whether it has writes to commit.
    async fn run(&mut self, transaction: &mut Transaction<'_>) -> Result<bool, StoreError>;

    /// Sends the outcome to the caller, after the commit.
    fn reply(self: Box<Self>, committed: Result<(), StoreError>);

    /// Returns whether the caller has gone.
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
        // A unit that fails, panics or times out is rolled back alone; the writer continues.
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
        // Fails only when the caller has gone; a retry with its request id finds the write.
        drop(self.reply.send(outcome));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}

/// Limits of the writer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Maximum waiting units of work; further ones are refused.
    pub(crate) queue_max: usize,
    /// Maximum units of work per commit.
    pub(crate) batch_max: usize,
}

/// Handle of the writer task.
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
    /// Starts the task. It connects when there is something to write, and reconnects after a failure.
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

    /// Queues a unit of work and waits until it is committed or rolled back.
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

    /// Finishes accepted work.
    pub(crate) async fn close(&self) {
        // Without a sender the task ends when the queue is empty.
        self.queue.lock().await.take();
        if let Some(task) = self.task.lock().await.take()
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the database writer failed");
        }
    }
}

type Queue = Arc<Mutex<mpsc::Receiver<Box<dyn Waiting>>>>;

/// Restarts the writer after a panic; callers of the batch in progress get the error `Stopped`.
async fn supervise(options: SqliteConnectOptions, queue: Queue, batch_max: usize) {
    loop {
        let write = write_until_closed(&options, &queue, batch_max);
        if AssertUnwindSafe(write).catch_unwind().await.is_ok() {
            return;
        }
        tracing::error!("the database writer panicked; restarting it");
    }
}

async fn write_until_closed(options: &SqliteConnectOptions, queue: &Queue, batch_max: usize) {
    let mut queue = queue.lock().await;
    let mut connection = None;
    let mut batch = Vec::new();
    // Whether the write-ahead log may hold data.
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
        // Skips callers whose deadline has passed; under overload the writer would otherwise work for callers that have
        // gone.
        batch.retain(|waiting| !waiting.is_abandoned());
        if batch.is_empty() {
            continue;
        }
        let committed = commit(options, &mut connection, &mut batch).await;
        is_logged = is_logged || !matches!(committed, Ok(false));
        if committed.is_err() {
            // Closing the connection rolls back open changes, whatever its state.
            connection = None;
        }
        for waiting in batch.drain(..) {
            waiting.reply(committed.clone().map(|_| ()));
        }
    }
    if let Some(connection) = connection
        && let Err(error) = connection.close().await
    {
        tracing::warn!(%error, "the writer's connection was not closed");
    }
}

/// Commits a batch; returns whether anything was written. Replies follow the commit, because all units in a transaction
/// share its result.
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
        // Earlier units of the batch may have used up this caller's time.
        let outcome = if waiting.is_abandoned() {
            Ok(false)
        } else {
            waiting
                .run(&mut Transaction(Connection::Sqlite(connection)))
                .await
        };
        let is_kept = matches!(outcome, Ok(true));
        is_written |= is_kept;
        let end = match (is_kept, number == last) {
            (true, false) => "RELEASE unit; SAVEPOINT unit",
            (false, false) => "ROLLBACK TO unit",
            (true, true) => "COMMIT",
            (false, true) => "ROLLBACK TO unit; COMMIT",
        };
        // A full disk ends the whole transaction, so this fails too. Every caller then gets the unit's error, which
        // names the cause.
        if let Err(error) = run(connection, end).await {
            return Err(outcome.err().unwrap_or(error));
        }
    }
    Ok(is_written)
}

/// Moves the write-ahead log into the database and truncates it; returns whether that succeeded. A concurrent reader
/// prevents it.
async fn empty_log(connection: &mut SqliteConnection) -> bool {
    // Short, so that a concurrent reader does not delay writers.
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
        // Evaluated after the usual timeout is restored, also when the checkpoint failed.
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
