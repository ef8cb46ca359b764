//! The writer's connection.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::{
    Waiting,
    checkpoints::{Checkpoints, LOG_PAGES_MAX},
};
use crate::{
    connect::{BUSY_TIMEOUT, CALL_TIMEOUT, open_sqlite},
    error::StoreError,
};

/// Time limit of a unit of work once its turn has come. No caller waits longer, and other units wait behind it.
const UNIT_TIMEOUT: Duration = CALL_TIMEOUT;
/// Steps of SQLite between two looks at the clock: some tens of microseconds.
const STEPS_PER_LOOK: i32 = 1000;
/// Maximum wait for readers when the log is emptied; writers wait behind it.
const EMPTY_TIMEOUT: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Session {
    connection: Connection,
    checkpoints: Checkpoints,
    limit: Arc<Limit>,
}

impl Session {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = open_sqlite(path, BUSY_TIMEOUT)?;
        let limit = Arc::new(Limit::new());
        let clock = Arc::clone(&limit);
        connection.progress_handler(STEPS_PER_LOOK, Some(move || clock.is_over()))?;
        Ok(Self {
            checkpoints: Checkpoints::of(&connection, path, LOG_PAGES_MAX),
            connection,
            limit,
        })
    }

    /// Commits a batch; returns whether anything was written. Units in a transaction share its result.
    pub(super) fn commit(&mut self, batch: &mut [Box<dyn Waiting>]) -> Result<bool, StoreError> {
        self.run("BEGIN IMMEDIATE")?;
        let mut is_written = false;
        for waiting in batch {
            // Earlier units of the batch may have used up this caller's time.
            if waiting.is_abandoned() {
                continue;
            }
            self.run("SAVEPOINT unit")?;
            self.limit.start(UNIT_TIMEOUT);
            let outcome = waiting.run(&mut self.connection);
            self.limit.end();
            let is_kept = matches!(outcome, Ok(true));
            is_written |= is_kept;
            let undone = if is_kept {
                Ok(())
            } else {
                self.run("ROLLBACK TO unit")
            };
            // A full disk or an interrupted write ends the whole transaction, so this fails too. Every caller then gets
            // the unit's error, which names the cause.
            if let Err(error) = undone.and_then(|()| self.run("RELEASE unit")) {
                return Err(outcome.err().unwrap_or(error));
            }
        }
        self.run("COMMIT")?;
        Ok(is_written)
    }

    /// Keeps the write-ahead log short; see [`Checkpoints`].
    pub(super) fn checkpoint(&mut self) {
        self.checkpoints.after_commit(&self.connection);
    }

    /// Moves the write-ahead log into the database and truncates it; returns whether that succeeded. A concurrent
    /// reader prevents it.
    pub(super) fn empty_log(&self) -> bool {
        let emptied = || {
            self.connection.busy_timeout(EMPTY_TIMEOUT)?;
            let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
            let is_busy = self.connection.query_row(checkpoint, [], |row| row.get(0));
            self.connection.busy_timeout(BUSY_TIMEOUT)?;
            is_busy.map(|is_busy: bool| !is_busy)
        };
        emptied().unwrap_or_else(|error| {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the write-ahead log was not emptied"
            );
            false
        })
    }

    fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

/// End of the running unit's time, shared with SQLite's progress handler.
#[derive(Debug)]
struct Limit {
    opened: Instant,
    /// Microseconds after `opened`; [`u64::MAX`] between units.
    end_us: AtomicU64,
}

impl Limit {
    fn new() -> Self {
        Self {
            opened: Instant::now(),
            end_us: AtomicU64::new(u64::MAX),
        }
    }

    fn now_us(&self) -> u64 {
        // Half a million years fit.
        u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn start(&self, time: Duration) {
        let time_us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let end_us = self.now_us().saturating_add(time_us);
        // The progress handler runs in the same thread.
        self.end_us.store(end_us, Ordering::Relaxed);
    }

    fn end(&self) {
        self.end_us.store(u64::MAX, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.now_us() > self.end_us.load(Ordering::Relaxed)
    }
}
