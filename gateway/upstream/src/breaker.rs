//! Refuses calls to an upstream that does not answer. Lets one call at a time through to detect its recovery.
//!
//! Existing crates do not fit. `recloser` lets every call through while half-open, and exposes no state to count.
//! `tower-resilience-circuitbreaker` wraps a clonable service with owned requests, which a call with retries is not.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use prometheus_client::metrics::gauge::Gauge;

/// Length of the sliding window; older outcomes do not count.
const WINDOW: Duration = Duration::from_secs(10);
/// The window moves in steps of this length.
const STEP: Duration = Duration::from_secs(1);
const STEPS: usize = 10;
/// Minimum calls in the window before the breaker may open.
const CALLS_MIN: u32 = 20;
/// Opens when at least one call in this many fails.
const FAILURES_ONE_IN: u32 = 2;
/// First open time; doubled after each failed trial, up to the maximum.
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
    /// Refuses calls until `until`; then one call is the trial.
    Open {
        until: Instant,
        lasts: Duration,
    },
    /// One call is under way; its outcome closes or reopens the breaker.
    Trial {
        lasts: Duration,
    },
}

/// Permission for one call. Dropping it without a verdict counts as no evidence: the caller left, or the call was
/// merely slow.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    breaker: &'a Breaker,
    /// When the trial was admitted, if this call is the trial.
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

    /// Admits a call, unless the breaker is open.
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

    /// Whether the breaker is open, so that a call under way must not be retried.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.inner.lock().state, State::Open { .. })
    }

    /// Whether a new call would be refused, or would be the trial.
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
    /// The upstream answered, with whatever status.
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

    /// The upstream did not answer. Returns true if this opens the breaker.
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
            // Already past: the next call is the next trial.
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

    /// A breaker with a controlled clock.
    struct TestBreaker {
        breaker: Breaker,
        now: Instant,
    }

    impl TestBreaker {
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
    fn opens_at_half_of_twenty_calls() {
        let breaker = TestBreaker::new();
        breaker.fail(CALLS_MIN - 1);
        assert!(breaker.admit().is_some(), "too few calls");
        breaker.fail(1);
        assert!(breaker.admit().is_none());
        assert_eq!(breaker.breaker.gauge.get(), 1);

        let half = TestBreaker::new();
        half.succeed(11);
        half.fail(10);
        assert!(half.admit().is_some(), "10 of 21 is less than half");
        half.fail(1);
        assert!(half.admit().is_none());
    }

    #[test]
    fn admits_one_trial_at_a_time() {
        let mut breaker = TestBreaker::new();
        breaker.fail(CALLS_MIN);
        breaker.now += OPEN_MIN;
        let trial = breaker.admit().expect("the trial");
        assert!(breaker.admit().is_none(), "a second trial");
        trial.failed(breaker.now);
        breaker.now += OPEN_MIN;
        assert!(breaker.admit().is_none(), "open for twice as long");
        breaker.now += OPEN_MIN;
        breaker.succeed(1);
        breaker.fail(CALLS_MIN - 1);
        assert!(breaker.admit().is_some(), "old failures are forgotten");
    }

    #[test]
    fn the_open_time_doubles_up_to_its_maximum() {
        let mut breaker = TestBreaker::new();
        breaker.fail(CALLS_MIN);
        breaker.now += OPEN_MIN;
        for lasts in [OPEN_MIN * 2, OPEN_MIN * 4, OPEN_MAX, OPEN_MAX] {
            breaker.admit().expect("the trial").failed(breaker.now);
            breaker.now += lasts.saturating_sub(Duration::from_millis(1));
            assert!(breaker.admit().is_none(), "open for {lasts:?}");
            breaker.now += Duration::from_millis(1);
        }
        assert!(breaker.admit().is_some());
    }

    #[test]
    fn abandoned_trial_makes_way_for_the_next() {
        let mut breaker = TestBreaker::new();
        breaker.fail(CALLS_MIN);
        breaker.now += OPEN_MIN;
        drop(breaker.admit().expect("the trial"));
        breaker.succeed(1);
        assert_eq!(breaker.breaker.gauge.get(), 0);
    }

    #[test]
    fn ignores_outcomes_outside_the_window() {
        let mut breaker = TestBreaker::new();
        breaker.fail(CALLS_MIN - 1);
        breaker.now += WINDOW + STEP;
        breaker.fail(CALLS_MIN - 1);
        assert!(breaker.admit().is_some());
        breaker.now += WINDOW / 2;
        breaker.fail(1);
        assert!(breaker.admit().is_none(), "half the window is not long ago");
    }
}
