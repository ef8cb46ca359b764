//! What one connection is doing and since when, and how it is told to end.
//!
//! Its own task writes it at every read, write and request; one task for all connections looks at it a few times a second. So
//! nothing that a client does or leaves undone needs a timer of its own, and a request costs a few stores.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Waker},
    time::Instant,
};

use futures::task::AtomicWaker;

use super::{config::Times, metrics::Closed};

/// Bytes a second that a client must take of an answer that waits for it.
const WRITE_RATE_MIN: u64 = 1024;
/// How long a connection of HTTP/2 has, once it was told that it ends, to say that it has heard.
const GOODBYE_MS_MAX: u64 = 5000;
/// How long a connection without a request yet may still send one when the process stops: it was let in a moment ago.
const LAST_REQUEST_MS_MAX: u64 = 1000;
/// Time in which this process did not run is not the clients' fault: a tick counts for no more than this.
const TICK_MS_MAX: u64 = 1000;

/// Milliseconds since the listener began, moved on by whoever looks at the connections.
#[derive(Debug)]
pub(super) struct Clock {
    now_ms: AtomicU64,
}

impl Clock {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            now_ms: AtomicU64::new(1),
        })
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.now_ms.load(Relaxed)
    }

    /// Adds what has passed since `last`, which becomes `now`.
    pub(super) fn advance(&self, last: &mut Instant, now: Instant) {
        let passed = now.saturating_duration_since(*last).as_millis();
        let passed = u64::try_from(passed)
            .unwrap_or(TICK_MS_MAX)
            .min(TICK_MS_MAX);
        self.now_ms.fetch_add(passed, Relaxed);
        *last = now;
    }
}

/// What a connection without a request under way waits for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(super) enum Stage {
    /// PROXY protocol header or TLS handshake.
    Opening = 0,
    /// The first byte of HTTP.
    Silent = 1,
    /// The rest of a request's head.
    Head = 2,
    /// The next request.
    Idle = 3,
    /// Its end, which it was told of.
    Leaving = 4,
}

/// How a connection is told to end. Greater ones win.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
pub(super) enum Order {
    /// Go on.
    None = 0,
    /// Make room, unless a request has begun meanwhile.
    MakeRoom = 1,
    /// Answer what is under way, take nothing new.
    Finish = 2,
    /// Now.
    Abort = 3,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Activity {
    clock: Arc<Clock>,
    number: u64,
    /// A [`Stage`] in the lowest byte, and since when in milliseconds above it.
    stage: AtomicU64,
    under_way: AtomicU32,
    is_http2: AtomicBool,
    written: AtomicU64,
    /// When a write first had to wait for the client, in milliseconds; 0 while none does.
    stalled_at_ms: AtomicU64,
    /// `written` when the present stage or stall began, or was last found to make progress.
    written_at_mark: AtomicU64,
    order: AtomicU8,
    waker: AtomicWaker,
}

impl Activity {
    pub(super) fn new(clock: Arc<Clock>, number: u64) -> Arc<Self> {
        let stage = packed(Stage::Opening, clock.now_ms());
        Arc::new(Self {
            clock,
            number,
            stage: AtomicU64::new(stage),
            under_way: AtomicU32::new(0),
            is_http2: AtomicBool::new(false),
            written: AtomicU64::new(0),
            stalled_at_ms: AtomicU64::new(0),
            written_at_mark: AtomicU64::new(0),
            order: AtomicU8::new(Order::None as u8),
            waker: AtomicWaker::new(),
        })
    }

    /// How many of its listener came before.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The connection is open: a request may come.
    pub(super) fn opened(&self) {
        self.enter(Stage::Silent);
    }

    /// Bytes came. Between two requests of HTTP/1.1 they are the next one's; HTTP/2 has much to say without a request.
    pub(super) fn has_read(&self) {
        match stage_of(self.stage.load(Relaxed)) {
            Stage::Silent => self.enter(Stage::Head),
            Stage::Idle if !self.is_http2.load(Relaxed) => self.enter(Stage::Head),
            _ => {}
        }
    }

    pub(super) fn has_written(&self, bytes: usize) {
        self.written.fetch_add(bytes as u64, Relaxed);
    }

    /// The client takes no more for now.
    pub(super) fn write_waits(&self) {
        if self.stalled_at_ms.load(Relaxed) == 0 {
            let written = self.written.load(Relaxed);
            self.written_at_mark.store(written, Relaxed);
            self.stalled_at_ms.store(self.clock.now_ms(), Relaxed);
        }
    }

    /// Everything that there was to send has been taken.
    pub(super) fn write_is_done(&self) {
        if self.stalled_at_ms.load(Relaxed) != 0 {
            self.stalled_at_ms.store(0, Relaxed);
        }
    }

    pub(super) fn begin_request(&self, is_http2: bool) {
        if is_http2 {
            self.is_http2.store(true, Relaxed);
        }
        self.under_way.fetch_add(1, Relaxed);
    }

    pub(super) fn end_request(&self) {
        if self.under_way.fetch_sub(1, Relaxed) == 1 && !self.is_leaving() {
            if self.stalled_at_ms.load(Relaxed) == 0 {
                let written = self.written.load(Relaxed);
                self.written_at_mark.store(written, Relaxed);
            }
            self.enter(Stage::Idle);
        }
    }

    /// Since when it has had no request under way, in milliseconds; `None` while one is.
    pub(super) fn waits_since_ms(&self) -> Option<u64> {
        (self.under_way.load(Relaxed) == 0).then(|| since_of(self.stage.load(Relaxed)))
    }

    /// Since when an answer has waited for the client to read; `None` while none does.
    pub(super) fn stalls_since_ms(&self) -> Option<u64> {
        Some(self.stalled_at_ms.load(Relaxed)).filter(|at| *at != 0)
    }

    pub(super) fn order(&self) -> Order {
        match self.order.load(Relaxed) {
            0 => Order::None,
            1 => Order::MakeRoom,
            2 => Order::Finish,
            _ => Order::Abort,
        }
    }

    /// Tells the connection's task.
    pub(super) fn tell(&self, order: Order) {
        self.order.fetch_max(order as u8, Relaxed);
        self.waker.wake();
    }

    /// A request came before room was made.
    pub(super) fn stay(&self) {
        let (was, is) = (Order::MakeRoom as u8, Order::None as u8);
        // Another order has come meanwhile: that one stands.
        self.order.compare_exchange(was, is, Relaxed, Relaxed).ok();
    }

    /// Whether a first request may be on its way to a process that stops.
    pub(super) fn may_still_ask(&self) -> bool {
        let found = self.stage.load(Relaxed);
        let is_new = matches!(
            stage_of(found),
            Stage::Opening | Stage::Silent | Stage::Head
        );
        let waited_ms = self.clock.now_ms().saturating_sub(since_of(found));
        is_new && self.under_way.load(Relaxed) == 0 && waited_ms < LAST_REQUEST_MS_MAX
    }

    /// Wakes the task that polls with `context` when an order comes.
    pub(super) fn listen(&self, context: &Context<'_>) {
        let waker: &Waker = context.waker();
        self.waker.register(waker);
    }

    /// Says that the connection was told of its end: it may not wait for the client for long.
    pub(super) fn leave(&self) {
        self.enter(Stage::Leaving);
    }

    /// Ends a connection whose stage has lasted too long; says which.
    pub(super) fn check(&self, times: &Times) -> Option<Closed> {
        if self.is_write_overdue(times.write_ms) {
            self.tell(Order::Abort);
            return Some(Closed::Write);
        }
        if self.under_way.load(Relaxed) > 0 || self.order() == Order::Abort {
            return None;
        }
        if self.order() == Order::Finish && !self.is_leaving() {
            // It may have been given time, which ends.
            self.waker.wake();
        }
        let found = self.stage.load(Relaxed);
        let (closed, limit_ms) = match stage_of(found) {
            Stage::Opening => (Closed::Handshake, times.handshake_ms),
            Stage::Silent => (Closed::FirstByte, times.first_byte_ms),
            Stage::Head => (Closed::Head, times.head_ms),
            Stage::Idle => (Closed::Idle, times.keep_alive_ms),
            Stage::Leaving => (Closed::Leaving, GOODBYE_MS_MAX),
        };
        let waited_ms = self.clock.now_ms().saturating_sub(since_of(found));
        if waited_ms < limit_ms {
            return None;
        }
        if closed != Closed::Idle {
            self.tell(Order::Abort);
            return Some(closed);
        }
        // With HTTP/2 the last bytes of an answer leave when the client makes room for them, long after it was given.
        if self.has_progressed(waited_ms) {
            let again = packed(Stage::Idle, self.clock.now_ms());
            self.stage
                .compare_exchange(found, again, Relaxed, Relaxed)
                .ok();
            return None;
        }
        self.leave();
        self.tell(Order::Finish);
        Some(closed)
    }

    fn is_write_overdue(&self, limit_ms: u64) -> bool {
        let Some(at_ms) = self.stalls_since_ms() else {
            return false;
        };
        let now_ms = self.clock.now_ms();
        let waited_ms = now_ms.saturating_sub(at_ms);
        if waited_ms < limit_ms {
            return false;
        }
        if !self.has_progressed(waited_ms) {
            return true;
        }
        // If all was taken in this moment, there is no stall to go on counting.
        self.stalled_at_ms
            .compare_exchange(at_ms, now_ms, Relaxed, Relaxed)
            .ok();
        false
    }

    /// Whether the client took enough since the mark; moves the mark.
    fn has_progressed(&self, waited_ms: u64) -> bool {
        let written = self.written.load(Relaxed);
        let taken = written.saturating_sub(self.written_at_mark.swap(written, Relaxed));
        taken.saturating_mul(1000) >= waited_ms.saturating_mul(WRITE_RATE_MIN)
    }

    fn is_leaving(&self) -> bool {
        stage_of(self.stage.load(Relaxed)) == Stage::Leaving
    }

    fn enter(&self, stage: Stage) {
        self.stage
            .store(packed(stage, self.clock.now_ms()), Relaxed);
    }
}

fn packed(stage: Stage, since_ms: u64) -> u64 {
    since_ms << 8 | u64::from(stage as u8)
}

fn since_of(packed: u64) -> u64 {
    packed >> 8
}

fn stage_of(packed: u64) -> Stage {
    match packed & 0xff {
        0 => Stage::Opening,
        1 => Stage::Silent,
        2 => Stage::Head,
        3 => Stage::Idle,
        _ => Stage::Leaving,
    }
}
