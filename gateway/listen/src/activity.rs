//! State of one connection: its stage, since when, and the order to end it.
//!
//! The connection's task updates the state at every read, write and request. A single task checks all connections a few
//! times a second. So no behaviour of a client needs a separate timer, and a request costs a few stores.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Waker},
    time::Instant,
};

use futures::task::AtomicWaker;

use super::{config::Times, flow::Flow, metrics::Closed};

/// Milliseconds in which an HTTP/2 client must acknowledge the end of its connection (GOAWAY).
const GOAWAY_MS_MAX: u64 = 5000;
/// Milliseconds in which a connection may still send its first request during shutdown, because it was accepted only a
/// moment ago.
const LAST_REQUEST_MS_MAX: u64 = 1000;
/// Maximum milliseconds that a tick counts for. Clients must not pay for time in which this process did not run.
const TICK_MS_MAX: u64 = 1000;

/// Length of a generation, in write timeouts. A part of an answer must make progress at least once in two generations,
/// because other answers of its connection may be served first.
const GENERATION_WRITE_TIMEOUTS: u64 = 2;
const GENERATIONS: usize = 3;

/// Milliseconds since the listener started, advanced by the task that checks the connections.
#[derive(Debug)]
pub(super) struct Clock {
    now_ms: AtomicU64,
    generation_ms: u64,
}

/// Period in which a part of an answer last made progress, as an index into `Activity::answers_waiting`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Generation(usize);

impl Clock {
    pub(super) fn new(times: &Times) -> Arc<Self> {
        Arc::new(Self {
            now_ms: AtomicU64::new(1),
            generation_ms: times.write_ms.max(1) * GENERATION_WRITE_TIMEOUTS,
        })
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.now_ms.load(Relaxed)
    }

    fn generation(&self) -> Generation {
        Self::nth(self.now_ms() / self.generation_ms)
    }

    /// Returns the generation before the last. Parts in it have made no progress for at least one whole generation.
    fn overdue_generation(&self) -> Generation {
        Self::nth(self.now_ms() / self.generation_ms + 1)
    }

    fn nth(number: u64) -> Generation {
        Generation(usize::try_from(number).unwrap_or_default() % GENERATIONS)
    }

    /// Advances the clock by the time since `last`, and sets `last` to `now`.
    pub(super) fn advance(&self, last: &mut Instant, now: Instant) {
        let passed = now.saturating_duration_since(*last).as_millis();
        let passed_ms = u64::try_from(passed).unwrap_or(u64::MAX);
        self.now_ms.fetch_add(passed_ms.min(TICK_MS_MAX), Relaxed);
        *last = now;
    }
}

/// What a connection waits for while no request is under way.
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
    /// The end of the connection, which has been announced to the client.
    Leaving = 4,
}

/// Event that may change the stage of a connection.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The PROXY protocol header and the TLS handshake have arrived.
    Opened,
    /// Bytes were received.
    Read,
    /// No request is under way any more.
    RequestsEnded,
    /// The end was announced to the client.
    EndAnnounced,
}

impl Stage {
    /// The transition table. Returns `None` for an event that does not change the stage.
    fn after(self, event: Event, is_http2: bool) -> Option<Self> {
        match (event, self) {
            (Event::Opened, _) => Some(Self::Silent),
            (Event::Read, Self::Silent) => Some(Self::Head),
            // Between two requests of HTTP/1.1, bytes begin the next one. HTTP/2 also sends bytes outside requests.
            (Event::Read, Self::Idle) if !is_http2 => Some(Self::Head),
            (Event::Read, _) | (Event::RequestsEnded, Self::Leaving) => None,
            (Event::RequestsEnded, _) => Some(Self::Idle),
            (Event::EndAnnounced, _) => Some(Self::Leaving),
        }
    }

    /// Returns the maximum milliseconds without a request under way, and the reason for closing after them.
    fn limit(self, times: &Times) -> (u64, Closed) {
        match self {
            Self::Opening => (times.handshake_ms, Closed::Handshake),
            Self::Silent => (times.first_byte_ms, Closed::FirstByte),
            Self::Head => (times.head_ms, Closed::Head),
            Self::Idle => (times.keep_alive_ms, Closed::Idle),
            Self::Leaving => (GOAWAY_MS_MAX, Closed::Leaving),
        }
    }
}

/// A [`Stage`] in the lowest byte, and its start in milliseconds above it. One word, so that both change together.
#[derive(Debug)]
struct StageCell(AtomicU64);

impl StageCell {
    fn new(stage: Stage, since_ms: u64) -> Self {
        Self(AtomicU64::new(since_ms << 8 | u64::from(stage as u8)))
    }

    fn load(&self) -> (Stage, u64) {
        let word = self.0.load(Relaxed);
        let stage = match word & 0xff {
            0 => Stage::Opening,
            1 => Stage::Silent,
            2 => Stage::Head,
            3 => Stage::Idle,
            _ => Stage::Leaving,
        };
        (stage, word >> 8)
    }

    fn store(&self, stage: Stage, since_ms: u64) {
        self.0
            .store(since_ms << 8 | u64::from(stage as u8), Relaxed);
    }
}

/// Order to end a connection. The greater order wins.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
pub(super) enum Order {
    /// Continue.
    None = 0,
    /// Close to make room, unless a request has begun in the meantime.
    MakeRoom = 1,
    /// Answer the requests under way, and accept no new ones.
    Finish = 2,
    /// Close now.
    Abort = 3,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Activity {
    clock: Arc<Clock>,
    number: u64,
    stage: StageCell,
    /// Unfinished requests and parts of answers.
    under_way: AtomicU32,
    /// End of the last idle time, in milliseconds.
    busy_since_ms: AtomicU64,
    is_http2: AtomicBool,
    /// Bytes on the socket; a write waits while TCP has no room.
    socket: Flow,
    /// Bodies of answers; they wait while HTTP or TCP has no room. Only [`Self::check`] begins and ends waits.
    answers: Flow,
    /// Number of waiting parts of answers, by generation.
    answers_waiting: [AtomicU32; GENERATIONS],
    order: AtomicU8,
    waker: AtomicWaker,
}

impl Activity {
    pub(super) fn new(clock: Arc<Clock>, number: u64) -> Arc<Self> {
        Arc::new(Self {
            stage: StageCell::new(Stage::Opening, clock.now_ms()),
            clock,
            number,
            under_way: AtomicU32::new(0),
            busy_since_ms: AtomicU64::new(0),
            is_http2: AtomicBool::new(false),
            socket: Flow::default(),
            answers: Flow::default(),
            answers_waiting: Default::default(),
            order: AtomicU8::new(Order::None as u8),
            waker: AtomicWaker::new(),
        })
    }

    /// Returns the number of connections that its listener accepted earlier.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Marks the connection as open: a request may arrive.
    pub(super) fn opened(&self) {
        self.apply(Event::Opened);
    }

    /// Records received bytes.
    pub(super) fn record_read(&self) {
        self.apply(Event::Read);
    }

    /// Marks the connection as HTTP/2.
    pub(super) fn set_http2(&self) {
        self.is_http2.store(true, Relaxed);
    }

    pub(super) fn record_written(&self, bytes: usize) {
        self.socket.take(bytes);
    }

    /// Records that TCP accepts no more bytes for now.
    pub(super) fn begin_write_wait(&self) {
        self.socket.wait(self.clock.now_ms());
    }

    /// Records that TCP has accepted all pending bytes.
    pub(super) fn end_write_wait(&self) {
        self.socket.end_wait();
    }

    pub(super) fn begin_request(&self, is_http2: bool) {
        if is_http2 {
            self.set_http2();
        }
        if self.under_way.fetch_add(1, Relaxed) == 0 {
            self.busy_since_ms.store(self.clock.now_ms(), Relaxed);
        }
    }

    /// Counts another holder of a request; each needs its own `end_request`.
    pub(super) fn hold_request(&self) {
        self.under_way.fetch_add(1, Relaxed);
    }

    pub(super) fn end_request(&self) {
        if self.under_way.fetch_sub(1, Relaxed) == 1 {
            self.apply(Event::RequestsEnded);
        }
    }

    /// Records that a part of an answer begins to wait for the client.
    pub(super) fn begin_answer_wait(&self) -> Generation {
        let generation = self.clock.generation();
        self.waiting(generation).fetch_add(1, Relaxed);
        generation
    }

    /// Records that the client took this many bytes of an answer's body.
    pub(super) fn record_taken(&self, bytes: usize) {
        self.answers.take(bytes);
    }

    /// Moves a part of an answer that made progress to the current generation.
    pub(super) fn record_progress(&self, generation: &mut Generation) {
        let now = self.clock.generation();
        if *generation != now {
            self.waiting(now).fetch_add(1, Relaxed);
            self.end_answer_wait(*generation);
            *generation = now;
        }
    }

    pub(super) fn end_answer_wait(&self, generation: Generation) {
        self.waiting(generation).fetch_sub(1, Relaxed);
    }

    fn waiting(&self, generation: Generation) -> &AtomicU32 {
        &self.answers_waiting[generation.0]
    }

    /// Returns since when no request has been under way, in milliseconds; `None` while one is.
    pub(super) fn waits_since_ms(&self) -> Option<u64> {
        (self.under_way.load(Relaxed) == 0).then(|| self.stage.load().1)
    }

    /// Returns since when an answer has waited for the client, in milliseconds; `None` while none does.
    pub(super) fn stalls_since_ms(&self) -> Option<u64> {
        let flows = [&self.socket, &self.answers];
        flows.into_iter().filter_map(Flow::waits_since_ms).min()
    }

    /// Returns since when requests have been under way, in milliseconds; `None` while none are.
    pub(super) fn busy_since_ms(&self) -> Option<u64> {
        (self.under_way.load(Relaxed) > 0).then(|| self.busy_since_ms.load(Relaxed))
    }

    pub(super) fn order(&self) -> Order {
        match self.order.load(Relaxed) {
            0 => Order::None,
            1 => Order::MakeRoom,
            2 => Order::Finish,
            _ => Order::Abort,
        }
    }

    /// Sends an order to the connection's task.
    pub(super) fn send(&self, order: Order) {
        self.order.fetch_max(order as u8, Relaxed);
        self.waker.wake();
    }

    /// Withdraws [`Order::MakeRoom`], because a request has begun.
    pub(super) fn withdraw_make_room(&self) {
        let (was, is) = (Order::MakeRoom as u8, Order::None as u8);
        // If another order has arrived meanwhile, it remains in force.
        self.order.compare_exchange(was, is, Relaxed, Relaxed).ok();
    }

    /// Whether a first request may still be on its way during shutdown.
    pub(super) fn may_send_first_request(&self) -> bool {
        let (stage, since_ms) = self.stage.load();
        let is_new = matches!(stage, Stage::Opening | Stage::Silent | Stage::Head);
        let waited_ms = self.clock.now_ms().saturating_sub(since_ms);
        is_new && self.under_way.load(Relaxed) == 0 && waited_ms < LAST_REQUEST_MS_MAX
    }

    /// Registers the task that polls with `context`, so that an order wakes it.
    pub(super) fn register(&self, context: &Context<'_>) {
        let waker: &Waker = context.waker();
        self.waker.register(waker);
    }

    /// Enters [`Stage::Leaving`]: the end is announced, and the client has little time left.
    pub(super) fn announce_end(&self) {
        self.apply(Event::EndAnnounced);
    }

    /// Ends the connection if its stage has lasted too long, and returns the reason.
    pub(super) fn check(&self, times: &Times) -> Option<Closed> {
        if self.order() == Order::Abort {
            return None;
        }
        if self.is_stalled(times.write_ms) {
            self.send(Order::Abort);
            return Some(Closed::Write);
        }
        if self.under_way.load(Relaxed) > 0 {
            return None;
        }
        let (stage, since_ms) = self.stage.load();
        if self.order() == Order::Finish && stage != Stage::Leaving {
            // Its grace period for a first request may have ended.
            self.waker.wake();
        }
        let (limit_ms, closed) = stage.limit(times);
        if self.clock.now_ms().saturating_sub(since_ms) < limit_ms {
            return None;
        }
        // A browser that connected ahead of time, or is between two requests, may be about to send one. Without a
        // GOAWAY it could not know that resending the request is safe.
        let is_usable = stage == Stage::Idle || stage == Stage::Head && self.is_http2.load(Relaxed);
        if is_usable {
            self.announce_end();
            self.send(Order::Finish);
        } else {
            self.send(Order::Abort);
        }
        Some(closed)
    }

    /// Whether the client takes too little: of all waiting answers together, or of one while it takes others.
    fn is_stalled(&self, limit_ms: u64) -> bool {
        let now_ms = self.clock.now_ms();
        if self.answers_waiting.iter().any(|n| n.load(Relaxed) > 0) {
            self.answers.wait(now_ms);
        } else {
            self.answers.end_wait();
        }
        let overdue = self.waiting(self.clock.overdue_generation());
        overdue.load(Relaxed) > 0
            || self.answers.is_overdue(now_ms, limit_ms)
            || self.socket.is_overdue(now_ms, limit_ms)
    }

    fn apply(&self, event: Event) {
        let (stage, _) = self.stage.load();
        if let Some(next) = stage.after(event, self.is_http2.load(Relaxed)) {
            self.stage.store(next, self.clock.now_ms());
        }
    }
}
