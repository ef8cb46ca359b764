//! Refuses calls to an upstream that answers nobody, and lets one at a time through to find out when it does again.
//!
//! The crates were looked at: `recloser` lets every call through while it tries, and shows no state to count;
//! `tower-resilience-circuitbreaker` wraps a clonable service with owned requests, and a call with retries is none.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use prometheus_client::metrics::gauge::Gauge;

/// What happened longer ago says nothing about now.
const WINDOW: Duration = Duration::from_secs(10);
/// The window moves in steps of this length.
const STEP: Duration = Duration::from_secs(1);
const STEPS: usize = 10;
/// Fewer calls are no sign of anything.
const CALLS_MIN: u32 = 20;
/// Opens when one call of this many fails.
const FAILURES_ONE_IN: u32 = 2;
/// Open for this long at first, and twice as long after each trial that fails.
const OPEN_MIN: Duration = Duration::from_secs(1);
const OPEN_MAX: Duration = Duration::from_secs(8);

/// Circuit breaker of one upstream. Counts calls as they end, retries included.
#[derive(Debug)]
pub(super) struct Breaker {
    inner: Mutex<Inner>,
    /// 0 closed, 1 open, 2 on trial.
    gauge: Gauge,
}

#[derive(Debug)]
struct Inner {
    state: State,
    window: Window,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed,
    /// Refuses until then; then one call is a trial.
    Open {
        until: Instant,
        lasts: Duration,
    },
    /// One call is under way that decides.
    Trial {
        lasts: Duration,
    },
}

/// Leave for one call. Dropped without a verdict, it says nothing: the caller has gone, or the call was merely slow.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    breaker: &'a Breaker,
    /// When it was given, if it is for the trial.
    trial: Option<Instant>,
}

impl Breaker {
    pub(super) fn new(gauge: Gauge) -> Self {
        gauge.set(0);
        Self {
            inner: Mutex::new(Inner {
                state: State::Closed,
                window: Window::default(),
            }),
            gauge,
        }
    }

    /// Lets a call through, unless the upstream is known to answer nobody.
    pub(super) fn admit(&self, now: Instant) -> Option<Pass<'_>> {
        let mut inner = self.inner.lock();
        let trial = match inner.state {
            State::Closed => None,
            State::Open { until, lasts } if now >= until => {
                inner.state = State::Trial { lasts };
                self.gauge.set(2);
                Some(now)
            }
            State::Open { .. } | State::Trial { .. } => return None,
        };
        Some(Pass {
            breaker: self,
            trial,
        })
    }

    /// Whether a call that is under way may be tried again.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.inner.lock().state, State::Open { .. })
    }

    /// Whether a call would be refused, or be the trial that decides.
    pub(super) fn refuses(&self) -> bool {
        !matches!(self.inner.lock().state, State::Closed)
    }

    fn open(&self, inner: &mut Inner, now: Instant, lasts: Duration) {
        let until = now + lasts;
        inner.state = State::Open { until, lasts };
        self.gauge.set(1);
    }
}

impl Pass<'_> {
    /// The upstream answered, whatever it said.
    pub(super) fn succeeded(mut self, now: Instant) {
        let mut inner = self.breaker.inner.lock();
        if self.trial.take().is_some() {
            inner.state = State::Closed;
            inner.window = Window::default();
            self.breaker.gauge.set(0);
        } else {
            inner.window.add(now, false);
        }
    }

    /// The upstream did not answer. Returns whether calls are refused from now on that were not before.
    pub(super) fn failed(mut self, now: Instant) -> bool {
        let mut inner = self.breaker.inner.lock();
        if let State::Trial { lasts } = inner.state
            && self.trial.take().is_some()
        {
            self.breaker
                .open(&mut inner, now, (lasts * 2).min(OPEN_MAX));
            return false;
        }
        inner.window.add(now, true);
        let opens = matches!(inner.state, State::Closed) && inner.window.is_bad();
        if opens {
            self.breaker.open(&mut inner, now, OPEN_MIN);
        }
        opens
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let Some(until) = self.trial else {
            return;
        };
        let mut inner = self.breaker.inner.lock();
        if let State::Trial { lasts } = inner.state {
            // Already over: the next call is the next trial.
            inner.state = State::Open { until, lasts };
            self.breaker.gauge.set(1);
        }
    }
}

/// Calls and failures of the last ten seconds.
#[derive(Debug, Default)]
struct Window {
    steps: [Step; STEPS],
    newest: usize,
    began: Option<Instant>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Step {
    calls: u32,
    failures: u32,
}

impl Window {
    fn add(&mut self, now: Instant, is_failure: bool) {
        let began = *self.began.get_or_insert(now);
        let passed = now.saturating_duration_since(began);
        if passed >= WINDOW + STEP {
            *self = Self::default();
            self.began = Some(now);
        } else {
            let mut began = began;
            while now.saturating_duration_since(began) >= STEP {
                began += STEP;
                self.newest = (self.newest + 1) % STEPS;
                self.steps[self.newest] = Step::default();
            }
            self.began = Some(began);
        }
        let step = &mut self.steps[self.newest];
        step.calls += 1;
        step.failures += u32::from(is_failure);
    }

    fn is_bad(&self) -> bool {
        let calls: u32 = self.steps.iter().map(|step| step.calls).sum();
        let failures: u32 = self.steps.iter().map(|step| step.failures).sum();
        calls >= CALLS_MIN && failures * FAILURES_ONE_IN >= calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A breaker and the time that it is told.
    struct Told {
        breaker: Breaker,
        now: Instant,
    }

    impl Told {
        fn new() -> Self {
            Self {
                breaker: Breaker::new(Gauge::default()),
                now: Instant::now(),
            }
        }

        fn admit(&self) -> Option<Pass<'_>> {
            self.breaker.admit(self.now)
        }

        fn fail(&self, times: u32) {
            for _ in 0..times {
                self.admit().expect("closed").failed(self.now);
            }
        }

        fn succeed(&self, times: u32) {
            for _ in 0..times {
                self.admit().expect("closed").succeeded(self.now);
            }
        }
    }

    #[test]
    fn opens_at_half_of_twenty_and_not_before() {
        let told = Told::new();
        told.fail(CALLS_MIN - 1);
        assert!(told.admit().is_some(), "too few calls");
        told.fail(1);
        assert!(told.admit().is_none());
        assert_eq!(told.breaker.gauge.get(), 1);

        let half = Told::new();
        half.succeed(11);
        half.fail(10);
        assert!(half.admit().is_some(), "10 of 21 is less than half");
        half.fail(1);
        assert!(half.admit().is_none());
    }

    #[test]
    fn one_trial_at_a_time_decides() {
        let mut told = Told::new();
        told.fail(CALLS_MIN);
        told.now += OPEN_MIN;
        let trial = told.admit().expect("the trial");
        assert!(told.admit().is_none(), "a second trial");
        trial.failed(told.now);
        told.now += OPEN_MIN;
        assert!(told.admit().is_none(), "open for twice as long");
        told.now += OPEN_MIN;
        told.succeed(1);
        told.fail(CALLS_MIN - 1);
        assert!(told.admit().is_some(), "old failures are forgotten");
    }

    #[test]
    fn a_trial_whose_caller_goes_leaves_room_for_the_next() {
        let mut told = Told::new();
        told.fail(CALLS_MIN);
        told.now += OPEN_MIN;
        drop(told.admit().expect("the trial"));
        told.succeed(1);
        assert_eq!(told.breaker.gauge.get(), 0);
    }

    #[test]
    fn what_is_long_ago_does_not_count() {
        let mut told = Told::new();
        told.fail(CALLS_MIN - 1);
        told.now += WINDOW + STEP;
        told.fail(CALLS_MIN - 1);
        assert!(told.admit().is_some());
        told.now += WINDOW / 2;
        told.fail(1);
        assert!(told.admit().is_none(), "half the window is not long ago");
    }
}
