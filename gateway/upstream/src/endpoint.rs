//! One address of an upstream: its connection, its load, and whether it is ejected.

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

/// Pause after a failed attempt to connect while calls wait for a connection.
const PAUSE_URGENT: Duration = Duration::from_millis(50);
/// Pause while other addresses serve; doubled after each failure, up to the maximum.
const PAUSE_MIN: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Consecutive tries without an answer after which an address is ejected.
const FAILURES_MAX: u32 = 5;
/// First ejection time; doubled each further time, up to the maximum.
const EJECTION_MIN: Duration = Duration::from_secs(1);
const EJECTION_MAX: Duration = Duration::from_secs(30);

/// State that the endpoints of one upstream share.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// Number of state changes of all endpoints; wakes calls that wait for a connection.
    pub(super) changes: watch::Sender<u64>,
    /// Number of connections made so far.
    pub(super) connections: watch::Sender<u64>,
    /// Signals a lost connection or a failed attempt to connect: names may resolve differently now.
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
    pub(super) surroundings: Arc<Surroundings>,
    in_flight: AtomicUsize,
    link: Mutex<Link>,
    record: Mutex<Record>,
    /// Cancelled when the upstream no longer has this address.
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
    /// Tries without an answer since the last answer, or since [`FAILURES_MAX`] was last reached.
    failures: u32,
    /// All of these tries timed out.
    is_silent: bool,
    answered_at: Option<Instant>,
    ejected_until: Option<Instant>,
    ejections: u32,
}

/// A call under way at an endpoint.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) connection: Connection,
    began: Instant,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.endpoint.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How a try at an endpoint failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Symptom {
    /// The connection broke, or the service returned UNAVAILABLE.
    Broken,
    /// Nothing arrived before the timeout.
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

    /// Returns its connection, if there is an open one.
    pub(super) fn connection(&self) -> Option<Connection> {
        let mut link = self.link.lock();
        let Link::Up { connection, .. } = &*link else {
            return None;
        };
        let open = connection.for_call();
        if open.is_none() {
            *link = Link::Idle;
        }
        open
    }

    /// Records the start of a call at this endpoint.
    pub(super) fn lease(self: &Arc<Self>, connection: Connection) -> Lease {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        Lease {
            endpoint: Arc::clone(self),
            connection,
            began: Instant::now(),
        }
    }

    pub(super) fn is_ejected(&self, now: Instant) -> bool {
        let until = self.record.lock().ejected_until;
        until.is_some_and(|until| now < until)
    }

    /// Returns a token that is cancelled when the upstream no longer has this address.
    pub(super) fn gone(&self) -> CancellationToken {
        self.gone.clone()
    }

    /// Marks the endpoint as removed.
    pub(super) fn leave(&self) {
        self.gone.cancel();
    }

    /// Starts to connect, unless a connection exists or an attempt has just failed. Returns whether an attempt is under
    /// way.
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

    /// Drops its connection; calls under way on it continue.
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
                tracing::error!(%error, "upstream connection panicked");
            }
            meters.connections.dec();
            if let Some(alive) = endpoint.upgrade() {
                alive.disconnected(number);
            }
        }
        Err(error) => {
            if times == 0 {
                tracing::warn!(%address, %error, "cannot connect to an upstream");
            }
            alive.failed_to_connect(times.saturating_add(1));
        }
    }
}

impl Lease {
    /// The service answered, with whatever status.
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

    /// Whether the endpoint answered other calls during this one: then the call is slow, but the service is alive.
    pub(super) fn is_merely_slow(&self) -> bool {
        let answered_at = self.endpoint.record.lock().answered_at;
        answered_at.is_some_and(|at| at > self.began)
    }

    /// Records a try without an answer. After several in a row the address is ejected: calls avoid it for a while.
    ///
    /// `may_eject` returns whether another address is left; the last one is never ejected. A silent connection is
    /// replaced even there.
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
            "upstream address ejected: it does not answer"
        );
        self.surroundings.changed();
    }
}
