//! Checkpoints move the write-ahead log into the database. In the writer's own thread one would delay every commit
//! behind it, so another thread copies most pages while the writer continues. The writer then copies the pages added
//! meanwhile. SQLite reuses the log from its beginning only after a complete checkpoint.

use std::{
    cell::Cell,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use rusqlite::Connection;

use crate::connect::{BUSY_TIMEOUT, open_sqlite};

/// Pages of the log at which it is moved: 128 MiB. A page that changes often is then written less often; with 8,000 pages,
/// one commit in a hundred took twice as long.
pub(super) const LOG_PAGES_MAX: i32 = 32_000;
/// Unmoved pages at which the writer takes over: some milliseconds of work.
const REST_PAGES: i32 = 1_000;
/// Maximum passes of the other thread; on a busy site each leaves fewer pages.
const PASSES_MAX: usize = 4;
const PASSIVE: &str = "PRAGMA wal_checkpoint(PASSIVE)";

thread_local! {
    /// Pages in the log after this thread's last commit.
    static LOG_PAGES: Cell<i32> = const { Cell::new(0) };
}

#[derive(Debug)]
pub(super) struct Checkpoints {
    /// `None`: the system started no thread, so the writer does all.
    start: Option<SyncSender<()>>,
    is_running: bool,
    is_done: Arc<AtomicBool>,
    pages_max: i32,
    /// Pages of the log at which the next checkpoint starts: more than `pages_max` if a reader kept the log from starting
    /// again.
    due_pages: i32,
}

impl Checkpoints {
    /// Replaces the automatic checkpoints of the writer's connection. The log is moved at `pages_max` pages.
    pub(super) fn of(connection: &Connection, path: &Path, pages_max: i32) -> Self {
        LOG_PAGES.set(0);
        connection.wal_hook(Some(|_, pages| {
            LOG_PAGES.set(pages);
            Ok(())
        }));
        let (start, starts) = sync_channel(1);
        let is_done = Arc::new(AtomicBool::new(false));
        let (path, done) = (path.to_owned(), Arc::clone(&is_done));
        let spawned = thread::Builder::new()
            .name("sqlite-log".to_owned())
            .spawn(move || move_log_on_demand(&path, &starts, &done));
        if let Err(error) = &spawned {
            tracing::warn!(%error, "checkpoints run in the writer: no thread");
        }
        Self {
            start: spawned.is_ok().then_some(start),
            is_running: false,
            is_done,
            pages_max,
            due_pages: pages_max,
        }
    }

    /// Starts a checkpoint if the log is long, or finishes one after the other thread.
    pub(super) fn after_commit(&mut self, connection: &Connection) {
        let pages = LOG_PAGES.get();
        if self.is_running {
            if self.is_done.swap(false, Ordering::AcqRel) {
                self.is_running = false;
                self.due_pages = pages.saturating_add(self.pages_max / 4);
                move_log(connection);
            }
        } else if pages >= self.due_pages {
            self.is_running = true;
            let is_started = self
                .start
                .as_ref()
                .is_some_and(|start| start.try_send(()).is_ok());
            if !is_started {
                self.is_done.store(true, Ordering::Release);
            }
        } else if pages < self.pages_max {
            self.due_pages = self.pages_max;
        }
    }
}

/// The other thread; it ends with its writer's connection.
fn move_log_on_demand(path: &Path, starts: &Receiver<()>, is_done: &AtomicBool) {
    while starts.recv().is_ok() {
        match open_sqlite(path, BUSY_TIMEOUT) {
            Ok(connection) => {
                let mut rests = (0..PASSES_MAX).map(|_| move_log(&connection));
                rests.find(|rest| rest.is_none_or(|rest| rest <= REST_PAGES));
            }
            Err(error) => failed(&error),
        }
        is_done.store(true, Ordering::Release);
    }
}

/// Moves the pages that no reader needs; returns the number of pages left in the log, or `None` on failure.
fn move_log(connection: &Connection) -> Option<i32> {
    let moved = connection.query_row(PASSIVE, [], |row| {
        let (logged, moved): (i32, i32) = (row.get(1)?, row.get(2)?);
        Ok(logged - moved)
    });
    moved.inspect_err(failed).ok()
}

fn failed(error: &rusqlite::Error) {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "a checkpoint of the write-ahead log failed"
    );
}

#[cfg(test)]
mod tests {
    use std::{
        path::PathBuf,
        time::{Duration, Instant},
    };

    use tempfile::TempDir;

    use super::*;

    const PAGES_MAX: i32 = 64;

    struct Writer {
        connection: Connection,
        checkpoints: Checkpoints,
        path: PathBuf,
        rows: i64,
        _folder: TempDir,
    }

    impl Writer {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.db");
            let connection = open_sqlite(&path, BUSY_TIMEOUT).unwrap();
            connection
                .execute("CREATE TABLE rows (bytes BLOB)", [])
                .unwrap();
            Self {
                checkpoints: Checkpoints::of(&connection, &path, PAGES_MAX),
                connection,
                path,
                rows: 0,
                _folder: folder,
            }
        }

        /// Writes until the condition holds for the pages in the log.
        fn write_until(&mut self, is_so: impl Fn(i32) -> bool) {
            let started = Instant::now();
            while !is_so(LOG_PAGES.get()) {
                assert!(started.elapsed() < Duration::from_secs(20), "never");
                self.connection
                    .execute("INSERT INTO rows VALUES (randomblob(3000))", [])
                    .unwrap();
                self.checkpoints.after_commit(&self.connection);
                self.rows += 1;
            }
        }
    }

    #[test]
    fn a_long_log_starts_again_while_the_writer_writes() {
        let mut writer = Writer::new();
        for _ in 0..3 {
            writer.write_until(|pages| pages >= PAGES_MAX);
            writer.write_until(|pages| pages < PAGES_MAX);
        }
    }

    #[test]
    fn a_reader_only_delays_the_new_start() {
        let mut writer = Writer::new();
        let reader = open_sqlite(&writer.path, BUSY_TIMEOUT).unwrap();
        reader
            .execute_batch("BEGIN; SELECT count(*) FROM rows")
            .unwrap();
        writer.write_until(|pages| pages >= 3 * PAGES_MAX);
        reader.execute_batch("ROLLBACK").unwrap();
        writer.write_until(|pages| pages < PAGES_MAX);
        let stored: i64 = reader
            .query_row("SELECT count(*) FROM rows", [], |row| row.get(0))
            .unwrap();
        assert_eq!(stored, writer.rows);
    }
}
