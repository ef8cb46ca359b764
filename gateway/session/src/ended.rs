//! Ended sessions: a cookie cannot be taken back, so the gateway remembers which ones no longer count.

mod file;

use std::{fs, io, path::Path, sync::Arc};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use service_kit::source::Clock;
use tokio::sync::watch;

use self::file::{EndedFile, Line};
use super::{error::SessionError, expiring::Expiring, secrets::Mark, session::Session};

/// Maximum number of ended sessions that are remembered. Beyond it, the one that expires first is dropped.
const ENTRIES_MAX: usize = 100_000;

/// What ends.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    /// One session.
    Session(&'a str),
    /// The sessions that belong to one at the issuer, by the mark of its `sid`.
    IssuerSession(Mark),
    /// All sessions of a person.
    Person(&'a str),
}

impl Target<'_> {
    fn mark(self) -> Mark {
        match self {
            Self::Session(id) => Mark::of("id", id.as_bytes()),
            Self::IssuerSession(sid) => sid,
            Self::Person(subject) => Mark::of("sub", subject.as_bytes()),
        }
    }
}

/// Returns the mark of a session's id at the issuer. Cookies hold it instead of an id of any length.
pub(crate) fn sid_mark(sid: &str) -> Mark {
    Mark::of("sid", sid.as_bytes())
}

/// The ended sessions, in memory and in the optional file.
#[derive(Debug)]
pub(crate) struct Ended {
    shared: Arc<Shared>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug)]
struct Shared {
    /// Per mark, the time in milliseconds: sessions that were issued until then have ended.
    memory: Mutex<Expiring<i64>>,
    file: Option<EndedFile>,
    /// Number of ends so far, for responses that outlive their request.
    count: watch::Sender<u64>,
}

impl Ended {
    /// Reads the file, or creates it.
    pub(crate) fn open(path: Option<&Path>, clock: Arc<dyn Clock>) -> Result<Self, SessionError> {
        let mut shared = Shared {
            memory: Mutex::new(Expiring::new(ENTRIES_MAX)),
            file: None,
            count: watch::Sender::default(),
        };
        if let Some(path) = path {
            let open = || -> io::Result<EndedFile> {
                let file = EndedFile::open(path)?;
                file.read(|line| shared.remember(clock.now(), line))?;
                Ok(file)
            };
            let opened = open().map_err(|source| SessionError::Unreadable {
                setting: "STAFF_ENDED_FILE",
                path: path.to_owned(),
                source,
            });
            shared.file = Some(opened?);
        }
        Ok(Self {
            shared: Arc::new(shared),
            clock,
        })
    }

    /// Returns a receiver that is notified of every end that this process learns of.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.shared.count.subscribe()
    }

    /// Whether a session has ended, here or in another gateway with the same file.
    pub(crate) fn contains(&self, session: &Session) -> bool {
        let now = self.clock.now();
        self.shared.refresh(now);
        let memory = self.shared.memory.lock();
        let issued = session.issued.timestamp_millis();
        let has_ended = |target: Target<'_>| {
            let entry = memory.get(now.timestamp_millis(), target.mark());
            entry.is_some_and(|entry| issued <= entry.value)
        };
        has_ended(Target::Session(&session.id))
            || has_ended(Target::Person(&session.subject))
            || session
                .sid
                .is_some_and(|sid| has_ended(Target::IssuerSession(sid)))
    }

    /// Ends the sessions that were issued until `issued`. `until` is when the last of them would have expired.
    ///
    /// Takes effect in this process at once. The returned future completes when the file is written; a failure is
    /// logged.
    pub(crate) async fn end(
        &self,
        target: Target<'_>,
        issued: DateTime<Utc>,
        until: DateTime<Utc>,
    ) {
        let now = self.clock.now();
        let line = Line {
            mark: target.mark(),
            issued: issued.timestamp_millis(),
            until: until.timestamp_millis(),
        };
        self.shared.remember(now, line);
        if self.shared.file.is_none() {
            return;
        }
        // A task of its own: a browser that closes the connection must not cancel the write.
        let written = tokio::spawn(Arc::clone(&self.shared).persist(now, line)).await;
        let stopping = |_| Err(io::Error::other("the runtime is stopping"));
        if let Err(error) = written.unwrap_or_else(stopping) {
            tracing::error!(
                error = &error as &(dyn std::error::Error + 'static),
                "an ended session was not written to STAFF_ENDED_FILE; a restart would revive it"
            );
        }
    }
}

impl Shared {
    fn remember(&self, now: DateTime<Utc>, line: Line) {
        let now = now.timestamp_millis();
        if line.until <= now {
            return;
        }
        let mut memory = self.memory.lock();
        let earlier = memory.get(now, line.mark);
        let (issued, until) = earlier.map_or((line.issued, line.until), |earlier| {
            (
                line.issued.max(earlier.value),
                line.until.max(earlier.until),
            )
        });
        if memory.insert(now, line.mark, issued, until) {
            tracing::error!(
                entries_max = ENTRIES_MAX,
                "too many ended sessions; the one that expires first counts again"
            );
        }
        drop(memory);
        self.count.send_modify(|count| *count += 1);
    }

    /// Reads what other gateways wrote.
    fn refresh(&self, now: DateTime<Utc>) {
        if let Some(file) = &self.file
            && let Err(error) = file.refresh(|line| self.remember(now, line))
        {
            tracing::error!(
                error = &error as &(dyn std::error::Error + 'static),
                "STAFF_ENDED_FILE cannot be read; sessions that other gateways ended still count"
            );
        }
    }

    async fn persist(self: Arc<Self>, now: DateTime<Utc>, line: Line) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let lock = file.lock().await?;
        let work = move || self.write(now, line, &lock);
        tokio::task::spawn_blocking(work)
            .await
            .map_err(io::Error::other)?
    }

    fn write(&self, now: DateTime<Utc>, line: Line, lock: &fs::File) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let all = || {
            let memory = self.memory.lock();
            let kept = memory.live(now.timestamp_millis());
            kept.map(|(mark, entry)| Line {
                mark,
                issued: entry.value,
                until: entry.until,
            })
            .collect()
        };
        file.append(line, lock, |line| self.remember(now, line), all)
    }
}

#[cfg(test)]
mod tests;
