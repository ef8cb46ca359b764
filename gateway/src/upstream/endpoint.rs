//! One address of an upstream: its connection, how busy it is, and whether it is to be left alone for a while.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{sync::watch, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    connection::{Connection, Target},
    metrics::Meters,
};

/// Pause after an attempt to connect failed, while calls wait for a connection.
const PAUSE_URGENT: Duration = Duration::from_millis(50);
/// The same while other addresses serve; doubled after each failure.
const PAUSE_MIN: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Tries in a row without an answer after which an address is ejected.
const FAILURES_MAX: u32 = 5;
/// Ejected for this long at first, twice as long each further time.
const EJECTION_MIN: Duration = Duration::from_secs(1);
const EJECTION_MAX: Duration = Duration::from_secs(30);

/// What an endpoint tells its upstream.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// How often the state of any endpoint has changed; who waits for a connection looks again.
    pub(super) changes: watch::Sender<u64>,
    /// How many connections were made so far.
    pub(super) connections: watch::Sender<u64>,
    /// An attempt to connect has failed: names may have moved.
    pub(super) lost: tokio::sync::Notify,
    pub(super) meters: Meters,
}

impl Surroundings {
    pub(super) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

/// One address.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) address: SocketAddr,
    pub(super) target: Arc<Target>,
    surroundings: Arc<Surroundings>,
    in_flight: AtomicUsize,
    link: Mutex<Link>,
    record: Mutex<Record>,
    /// Cancelled when the address is no longer one of its upstream's.
    gone: CancellationToken,
}

#[derive(Debug)]
enum Link {
    Idle,
    Connecting,
    Up { connection: Connection, number: u64 },
    Failed { at: Instant, times: u32 },
}

#[derive(Debug, Default)]
struct Record {
    /// Tries without an answer since the last answer.
    failures: u32,
    /// All of them because nothing came at all.
    is_silent: bool,
    answered_at: Option<Instant>,
    ejected_until: Option<Instant>,
    ejections: u32,
}

/// One call that is at work at an endpoint.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) connection: Connection,
    began: Instant,
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.endpoint.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a failed try says of its endpoint.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Symptom {
    /// The connection broke, or the service says that it is not available.
    Broken,
    /// Nothing came in time.
    Silent,
}

impl Endpoint {
    pub(super) fn new(
        address: SocketAddr,
        target: Arc<Target>,
        surroundings: Arc<Surroundings>,
    ) -> Self {
        Self {
            address,
            target,
            surroundings,
            in_flight: AtomicUsize::new(0),
            link: Mutex::new(Link::Idle),
            record: Mutex::default(),
            gone: CancellationToken::new(),
        }
    }

    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    /// Its connection, if it has one that is open.
    pub(super) fn connection(&self) -> Option<Connection> {
        let mut link = self.link.lock();
        match &*link {
            Link::Up { connection, .. } if !connection.is_closed() => Some(connection.clone()),
            Link::Up { .. } => {
                *link = Link::Idle;
                None
            }
            Link::Idle | Link::Connecting | Link::Failed { .. } => None,
        }
    }

    /// Notes that a call begins at it.
    pub(super) fn visit(self: &Arc<Self>, connection: Connection) -> Visit {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        Visit {
            endpoint: Arc::clone(self),
            connection,
            began: Instant::now(),
        }
    }

    pub(super) fn is_ejected(&self, now: Instant) -> bool {
        let until = self.record.lock().ejected_until;
        until.is_some_and(|until| now < until)
    }

    /// Cancelled when the address is no longer one of its upstream's.
    pub(super) fn gone(&self) -> CancellationToken {
        self.gone.clone()
    }

    /// Says so.
    pub(super) fn leave(&self) {
        self.gone.cancel();
    }

    /// Begins to connect, unless it is connected or an attempt failed just now. Returns whether an attempt is under way.
    pub(super) fn connect(self: &Arc<Self>, is_urgent: bool) -> bool {
        let mut link = self.link.lock();
        let times = match &*link {
            Link::Connecting => return true,
            Link::Up { .. } => return false,
            Link::Idle => 0,
            Link::Failed { at, times } => {
                let pause = if is_urgent {
                    PAUSE_URGENT
                } else {
                    (PAUSE_MIN * 2_u32.pow((*times).min(5))).min(PAUSE_MAX)
                };
                if at.elapsed() < pause {
                    return false;
                }
                *times
            }
        };
        *link = Link::Connecting;
        tokio::spawn(open(
            Arc::downgrade(self),
            self.address,
            Arc::clone(&self.target),
            times,
        ));
        true
    }

    /// Drops its connection; calls under way on it go on.
    fn disconnect(&self) {
        let mut link = self.link.lock();
        if matches!(*link, Link::Up { .. }) {
            *link = Link::Idle;
        }
    }

    fn connected(&self, connection: Connection) -> u64 {
        let mut number = 0;
        self.surroundings.connections.send_modify(|count| {
            *count += 1;
            number = *count;
        });
        *self.link.lock() = Link::Up { connection, number };
        self.surroundings.meters.connections.inc();
        self.surroundings.changed();
        number
    }

    fn failed_to_connect(&self, times: u32) {
        let at = Instant::now();
        *self.link.lock() = Link::Failed { at, times };
        self.surroundings.meters.connect_failures.inc();
        self.surroundings.lost.notify_one();
        self.surroundings.changed();
    }

    fn disconnected(&self, which: u64) {
        let mut link = self.link.lock();
        if matches!(&*link, Link::Up { number, .. } if *number == which) {
            *link = Link::Idle;
        }
        drop(link);
        self.surroundings.lost.notify_one();
        self.surroundings.changed();
    }
}

async fn open(endpoint: Weak<Endpoint>, address: SocketAddr, target: Arc<Target>, times: u32) {
    let opened = Connection::open(address, &target).await;
    // The address may have been removed meanwhile.
    let Some(alive) = endpoint.upgrade() else {
        return;
    };
    match opened {
        Ok((connection, driver)) => {
            let meters = alive.surroundings.meters.clone();
            let number = alive.connected(connection);
            drop(alive);
            if let Err(error) = driver.await {
                tracing::error!(%error, "a connection to an upstream panicked");
            }
            meters.connections.dec();
            if let Some(alive) = endpoint.upgrade() {
                alive.disconnected(number);
            }
        }
        Err(error) => {
            if times == 0 {
                tracing::warn!(%address, %error, "an upstream cannot be connected to");
            }
            alive.failed_to_connect(times.saturating_add(1));
        }
    }
}

impl Visit {
    /// The service answered, whatever it said.
    pub(super) fn answered(&self) {
        let mut record = self.endpoint.record.lock();
        let now = Instant::now();
        record.failures = 0;
        record.answered_at = Some(now);
        if record
            .ejected_until
            .is_some_and(|until| now > until + EJECTION_MAX)
        {
            record.ejected_until = None;
            record.ejections = 0;
        }
    }

    /// Whether others were answered while this call waited: then the call is slow, and the service alive.
    pub(super) fn is_merely_slow(&self) -> bool {
        let answered_at = self.endpoint.record.lock().answered_at;
        answered_at.is_some_and(|at| at > self.began)
    }

    /// Notes a try without an answer. After several in a row the address is ejected: no call goes there for a while.
    ///
    /// `may_eject` says whether another address is left; the last one is never ejected, but a connection on which nothing
    /// comes any more is replaced also there.
    pub(super) fn failed(&self, symptom: Symptom, may_eject: impl FnOnce() -> bool) {
        let endpoint = &*self.endpoint;
        let mut record = endpoint.record.lock();
        record.is_silent = symptom == Symptom::Silent && (record.failures == 0 || record.is_silent);
        record.failures += 1;
        if record.failures < FAILURES_MAX {
            return;
        }
        record.failures = 0;
        let is_silent = record.is_silent;
        drop(record);
        if may_eject() {
            endpoint.eject();
        }
        if is_silent || endpoint.is_ejected(Instant::now()) {
            endpoint.disconnect();
        }
    }
}

impl Endpoint {
    fn eject(&self) {
        let mut record = self.record.lock();
        let time = EJECTION_MIN * 2_u32.pow(record.ejections.min(5));
        let time = time.min(EJECTION_MAX);
        record.ejections += 1;
        record.ejected_until = Some(Instant::now() + time);
        drop(record);
        self.surroundings.meters.ejections.inc();
        tracing::warn!(
            address = %self.address,
            ms = time.as_millis(),
            "an address of an upstream is ejected: it does not answer"
        );
        self.surroundings.changed();
    }
}
