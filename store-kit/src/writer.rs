//! SQLite has one writer, so one thread writes. It commits all waiting units of work together, because the `fsync` of a
//! commit costs more than everything else. Statements run in that thread: a driver with a thread of its own would cost
//! two task switches per statement, more than most statements themselves.

mod checkpoints;
mod session;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use rusqlite::Connection;
use tokio::sync::oneshot;
use tracing::Span;

use crate::{
    error::StoreError,
    sql::{self, Transaction},
    work::{Decision, UnitOfWork, catch_panic},
};
use session::Session;

/// Idle time after the last change before the write-ahead log is emptied. The log keeps deleted data, an erased
/// person's included, until it is overwritten. On a quiet site that takes days.
const IDLE: Duration = Duration::from_secs(1);

/// A waiting unit of work, without the type of its outcome.
trait Waiting: Send {
    /// Runs the unit of work; returns whether it has writes to commit.
    fn run(&mut self, connection: &mut Connection) -> Result<bool, StoreError>;

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

impl<W: UnitOfWork> Waiting for Queued<W> {
    fn run(&mut self, connection: &mut Connection) -> Result<bool, StoreError> {
        let mut transaction = Transaction(sql::Connection::Sqlite(connection));
        // A unit that fails, panics or times out is rolled back alone; the writer continues.
        let run = pin!(catch_panic(self.work.run(&mut transaction)));
        // Statements never wait here, so one poll runs the whole unit.
        let polled = self
            .span
            .in_scope(|| run.poll(&mut Context::from_waker(Waker::noop())));
        let (outcome, is_kept) = match polled {
            Poll::Ready(Ok(Decision::Commit(outcome))) => (Ok(outcome), Ok(true)),
            Poll::Ready(Ok(Decision::Rollback(outcome))) => (Ok(outcome), Ok(false)),
            Poll::Ready(Err(error)) => (Err(error.clone()), Err(error)),
            Poll::Pending => (Err(StoreError::Waited), Err(StoreError::Waited)),
        };
        self.outcome = outcome;
        is_kept
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

/// Handle of the writer's thread.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: Mutex<Option<SyncSender<Box<dyn Waiting>>>>,
    /// Completes when the thread has ended.
    ended: tokio::sync::Mutex<oneshot::Receiver<()>>,
}

impl std::fmt::Debug for dyn Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Waiting")
    }
}

impl Writer {
    /// Starts the thread. It connects when there is something to write, and reconnects after a failure.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub(crate) fn start(path: &Path, bounds: Bounds) -> Result<Self, StoreError> {
        let (queue, waiting) = sync_channel(bounds.queue_max);
        let (end, ended) = oneshot::channel();
        let file = path.to_owned();
        thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                supervise(&file, &waiting, bounds.batch_max);
                // Fails if nobody waits for the end.
                let _ = end.send(());
            })
            .map_err(|source| StoreError::File {
                path: path.to_owned(),
                source: Arc::new(source),
            })?;
        Ok(Self {
            queue: Mutex::new(Some(queue)),
            ended: ended.into(),
        })
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
        self.enqueue(queued)?;
        outcome.await.map_err(|_| StoreError::Stopped)?
    }

    fn enqueue(&self, queued: Box<dyn Waiting>) -> Result<(), StoreError> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = queue.as_ref().ok_or(StoreError::Stopped)?;
        queue.try_send(queued).map_err(|refused| match refused {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => StoreError::Stopped,
        })
    }

    /// Finishes accepted work.
    pub(crate) async fn close(&self) {
        // Without a sender the thread ends when the queue is empty.
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let mut ended = self.ended.lock().await;
        if !ended.is_terminated() && (&mut *ended).await.is_err() {
            tracing::error!("the database writer failed");
        }
    }
}

/// Restarts the writer after a panic; callers of the batch in progress get the error `Stopped`.
fn supervise(path: &Path, queue: &Receiver<Box<dyn Waiting>>, batch_max: usize) {
    while catch_unwind(AssertUnwindSafe(|| {
        write_until_closed(path, queue, batch_max);
    }))
    .is_err()
    {
        tracing::error!("the database writer panicked; restarting it");
    }
}

fn write_until_closed(path: &Path, queue: &Receiver<Box<dyn Waiting>>, batch_max: usize) {
    let mut session: Option<Session> = None;
    let mut batch = Vec::new();
    // Whether the write-ahead log may hold data.
    let mut is_logged = true;
    loop {
        let first = match &session {
            Some(session) if is_logged => match queue.recv_timeout(IDLE) {
                Err(RecvTimeoutError::Timeout) => {
                    is_logged = !session.empty_log();
                    continue;
                }
                received => received.ok(),
            },
            _ => queue.recv().ok(),
        };
        let Some(first) = first else { return };
        batch.push(first);
        batch.extend(queue.try_iter().take(batch_max - 1));
        // Skips callers whose deadline has passed; under overload the writer would otherwise work for callers that have
        // gone.
        batch.retain(|waiting| !waiting.is_abandoned());
        if batch.is_empty() {
            continue;
        }
        let committed =
            connected(path, &mut session).and_then(|session| session.commit(&mut batch));
        is_logged = is_logged || !matches!(committed, Ok(false));
        if committed.is_err() {
            // Closing the connection rolls back open changes, whatever its state.
            session = None;
        }
        for waiting in batch.drain(..) {
            waiting.reply(committed.clone().map(|_| ()));
        }
        if let Some(session) = &mut session {
            session.checkpoint();
        }
    }
}

fn connected<'s>(
    path: &Path,
    session: &'s mut Option<Session>,
) -> Result<&'s mut Session, StoreError> {
    Ok(match session {
        Some(session) => session,
        None => session.insert(Session::open(path)?),
    })
}
