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

use super::{config::Times, flow::Flow, metrics::Closed};

/// Time in which a client of HTTP/2 must acknowledge that its connection ends (GOAWAY).
const GOODBYE_MS_MAX: u64 = 5000;
/// How long a connection without a request yet may still send one when the process stops: it was let in a moment ago.
const LAST_REQUEST_MS_MAX: u64 = 1000;
/// Time in which this process did not run is not the clients' fault: a tick counts for no more than this.
const TICK_MS_MAX: u64 = 1000;

/// A part of an answer makes progress at least once in two generations, which are this many write timeouts long: other answers of
/// its connection may be served first.
const GENERATION_WRITE_TIMEOUTS: u64 = 2;
const GENERATIONS: usize = 3;

/// Milliseconds since the listener began, advanced by the task that checks the connections.
#[derive(Debug)]
pub(super) struct Clock {
    now_ms: AtomicU64,
    generation_ms: u64,
}

/// When a part of an answer last made progress, as an index of `Activity::answers_waiting`.
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

    /// The generation before the last: what is in it has made no progress for one whole generation.
    fn overdue_generation(&self) -> Generation {
        Self::nth(self.now_ms() / self.generation_ms + 1)
    }

    fn nth(number: u64) -> Generation {
        Generation(usize::try_from(number).unwrap_or_default() % GENERATIONS)
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
    /// Requests and parts of answers that are not done.
    under_way: AtomicU32,
    /// When the last idle time ended, in milliseconds.
    busy_since_ms: AtomicU64,
    is_http2: AtomicBool,
    /// Bytes on the socket: a write waits while TCP has no room.
    socket: Flow,
    /// Bodies of answers: they wait while HTTP or TCP has no room. Only [`Self::check`] begins and ends waits.
    answers: Flow,
    /// Parts of answers that wait, by generation.
    answers_waiting: [AtomicU32; GENERATIONS],
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
            busy_since_ms: AtomicU64::new(0),
            is_http2: AtomicBool::new(false),
            socket: Flow::default(),
            answers: Flow::default(),
            answers_waiting: Default::default(),
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

    /// The client speaks HTTP/2.
    pub(super) fn speaks_http2(&self) {
        self.is_http2.store(true, Relaxed);
    }

    pub(super) fn has_written(&self, bytes: usize) {
        self.socket.take(bytes);
    }

    /// TCP takes no more for now.
    pub(super) fn write_waits(&self) {
        self.socket.wait(self.clock.now_ms());
    }

    /// TCP has taken everything that there was to send.
    pub(super) fn write_is_done(&self) {
        self.socket.end_wait();
    }

    pub(super) fn begin_request(&self, is_http2: bool) {
        if is_http2 {
            self.speaks_http2();
        }
        if self.under_way.fetch_add(1, Relaxed) == 0 {
            self.busy_since_ms.store(self.clock.now_ms(), Relaxed);
        }
    }

    /// One more `end_request` will follow.
    pub(super) fn hold_request(&self) {
        self.under_way.fetch_add(1, Relaxed);
    }

    pub(super) fn end_request(&self) {
        if self.under_way.fetch_sub(1, Relaxed) == 1 && !self.is_leaving() {
            self.enter(Stage::Idle);
        }
    }

    /// A part of an answer waits for the client from now on.
    pub(super) fn answer_waits(&self) -> Generation {
        let generation = self.clock.generation();
        self.waiting(generation).fetch_add(1, Relaxed);
        generation
    }

    /// The client took this much of an answer's body.
    pub(super) fn answer_taken(&self, bytes: usize) {
        self.answers.take(bytes);
    }

    /// A part of an answer that was in this generation makes progress.
    pub(super) fn answer_progresses(&self, generation: &mut Generation) {
        let now = self.clock.generation();
        if *generation != now {
            self.waiting(now).fetch_add(1, Relaxed);
            self.answer_waits_no_more(*generation);
            *generation = now;
        }
    }

    pub(super) fn answer_waits_no_more(&self, generation: Generation) {
        self.waiting(generation).fetch_sub(1, Relaxed);
    }

    fn waiting(&self, generation: Generation) -> &AtomicU32 {
        &self.answers_waiting[generation.0]
    }

    /// Since when it has had no request under way, in milliseconds; `None` while one is.
    pub(super) fn waits_since_ms(&self) -> Option<u64> {
        (self.under_way.load(Relaxed) == 0).then(|| since_of(self.stage.load(Relaxed)))
    }

    /// Since when an answer has waited for the client, in milliseconds; `None` while none does.
    pub(super) fn stalls_since_ms(&self) -> Option<u64> {
        let flows = [&self.socket, &self.answers];
        flows.into_iter().filter_map(Flow::waits_since_ms).min()
    }

    /// Since when it has had requests under way, in milliseconds; `None` while it has none.
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

    /// Ends a connection whose stage has lasted too long, and returns which.
    pub(super) fn check(&self, times: &Times) -> Option<Closed> {
        if self.order() == Order::Abort {
            return None;
        }
        if self.is_stalled(times.write_ms) {
            self.tell(Order::Abort);
            return Some(Closed::Write);
        }
        if self.under_way.load(Relaxed) > 0 {
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
        if self.clock.now_ms().saturating_sub(since_of(found)) < limit_ms {
            return None;
        }
        // A browser that has connected ahead, or is between two requests, may be about to send one. Without a goodbye it would not know
        // that it may send it again.
        let is_usable = stage_of(found) == Stage::Idle
            || stage_of(found) == Stage::Head && self.is_http2.load(Relaxed);
        if is_usable {
            self.leave();
            self.tell(Order::Finish);
        } else {
            self.tell(Order::Abort);
        }
        Some(closed)
    }

    /// Whether answers wait for a client that takes too little: of all of them together, or of one while it takes others.
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
