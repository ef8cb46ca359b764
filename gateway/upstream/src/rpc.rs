//! One unary call to an upstream: its bulkhead slot, its deadline, and at most two retries if it is safe to repeat.

use std::{
    fmt,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use gateway_http::request::{log_budget, trace};
use service_kit::source::Clock;
use tonic::{Code, Status};
use tower::retry::budget::{Budget, TpsBudget};

use super::{
    Upstream, Upstreams,
    attempt::{Evidence, Failure},
    call::is_failure,
    health_checks::HealthChecks,
    metrics::{BREAKER, BULKHEAD},
};

pub use super::call::{Call, Effect, Reply};

/// Reserved before the request's deadline, so that time is left to write the answer.
const MARGIN: Duration = Duration::from_millis(100);
/// Maximum retries of one call.
const RETRIES_MAX: u32 = 2;
/// Backoff before the first retry, doubled each time; jitter extends it to up to twice as long. No backoff if another
/// address is left.
const BACKOFF: Duration = Duration::from_millis(20);
/// Minimum timeout of a try that leaves time for a retry. If another address is left, a try gets half of the remaining
/// time.
const TRY_MIN: Duration = Duration::from_millis(500);
/// Retry budget: at most a fifth of the calls of the last ten seconds, and always ten a second.
const BUDGET_WINDOW: Duration = Duration::from_secs(10);
const BUDGET_SHARE: f32 = 0.2;
const BUDGET_PER_SECOND_MIN: u32 = 10;

/// Calls upstreams.
#[derive(Debug)]
pub struct RpcClient {
    upstreams: Upstreams,
}

impl RpcClient {
    /// Creates a client for these services.
    pub fn new(upstreams: Upstreams) -> Self {
        Self { upstreams }
    }

    /// Returns the package of the upstream with this name, such as `booking` for `hospital.booking.v1`.
    pub fn package_named(&self, name: &str) -> Option<Arc<str>> {
        self.upstreams.package_named(name).cloned()
    }

    /// Starts the health checks of the upstreams.
    pub fn health_checks(&self, clock: &Arc<dyn Clock>) -> HealthChecks {
        HealthChecks::start(&self.upstreams, clock)
    }

    /// Makes `call`, which may take until shortly before its deadline.
    ///
    /// # Errors
    /// The upstream's own status, or UNAVAILABLE or DEADLINE_EXCEEDED from the gateway. UNKNOWN if a call that must not
    /// be repeated was cut off: it may have been processed.
    pub async fn call(&self, call: &Call<'_>) -> Result<Reply, Status> {
        let package = call.package;
        let Some(upstream) = self.upstreams.get(package) else {
            tracing::error!(package, "no upstream is configured for this package");
            return Err(Status::unavailable("no upstream is configured"));
        };
        upstream.call(call).await
    }
}

impl Upstream {
    async fn call(&self, call: &Call<'_>) -> Result<Reply, Status> {
        let Some(_permit) = self.bulkhead.enter(call.effect) else {
            self.meters.refused(BULKHEAD);
            return Err(Status::unavailable("too many calls in flight"));
        };
        let Some(pass) = self.breaker.admit(Instant::now()) else {
            self.meters.refused(BREAKER);
            return Err(Status::unavailable("the upstream does not answer"));
        };
        let in_flight = self.meters.begin();
        self.budget.0.deposit();
        let outcome = self.tries(call).await;
        let evidence = match &outcome {
            Ok(_) => Evidence::Alive,
            Err(failure) => failure.evidence(call.effect),
        };
        match evidence {
            Evidence::Alive => pass.succeeded(Instant::now()),
            Evidence::Outage => {
                if pass.failed(Instant::now()) {
                    tracing::warn!(
                        upstream = self.packages.first().map(|name| &**name),
                        "circuit breaker opened: the upstream does not answer"
                    );
                }
            }
            Evidence::Inconclusive => drop(pass),
        }
        let result = outcome.map_err(|failure| {
            let status = failure.into_status(call.effect);
            log(call, &status);
            status
        });
        in_flight.end(result.as_ref().map_or_else(Status::code, |_| Code::Ok));
        result
    }

    async fn tries(&self, call: &Call<'_>) -> Result<Reply, Failure> {
        let mut tried: Vec<SocketAddr> = Vec::new();
        let mut retry = 0;
        loop {
            let Some(left) = time_left(call.deadline) else {
                // No try was made, so this is no evidence about the upstream.
                return Err(Failure::TimedOut { is_slow: true });
            };
            let time = self.time_of_try(call.effect, retry, left);
            let failure = match self.attempt(call, time, retry, &mut tried).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let Some(reason) = failure.retry_reason(call.effect) else {
                return Err(failure);
            };
            // A try that used all the remaining time leaves none for another.
            let is_over = matches!(failure, Failure::TimedOut { .. }) && time == left;
            if is_over || retry == RETRIES_MAX || self.breaker.is_open() {
                return Err(failure);
            }
            // A call that no service has processed costs none of them anything.
            if !matches!(failure, Failure::Unsent(_)) && !self.budget.0.withdraw() {
                self.meters.budget_exhausted.inc();
                return Err(failure);
            }
            self.meters.retried(reason);
            if !self.balancer.has_other(&tried) {
                let backoff = BACKOFF * 2_u32.pow(retry);
                let jitter = backoff.mul_f64(rand::random_range(0.0..1.0));
                tokio::time::sleep(backoff + jitter).await;
            }
            retry += 1;
        }
    }

    /// Returns the timeout of a try. Time for a retry is reserved only if another address is left: a single slow
    /// address would only get the same call again.
    fn time_of_try(&self, effect: Effect, retry: u32, left: Duration) -> Duration {
        let half = left / 2;
        let is_last = retry == RETRIES_MAX || !effect.is_repeatable() || half < TRY_MIN;
        if is_last || !self.balancer.has_choice() {
            left
        } else {
            half
        }
    }
}

/// Returns the time until shortly before the deadline; `None` if it has passed.
fn time_left(deadline: Instant) -> Option<Duration> {
    let remaining = deadline.saturating_duration_since(Instant::now());
    let time = remaining.saturating_sub(MARGIN.min(remaining / 2));
    (!time.is_zero()).then_some(time)
}

/// Logs calls that ended without an answer or with a failure of the service. Calls refused by the gateway are counted
/// but not logged: there can be as many of them as requests.
fn log(call: &Call<'_>, status: &Status) {
    if is_failure(status.code()) && log_budget::take() {
        tracing::warn!(
            trace_id = trace::current_trace_id(),
            rpc = call.name,
            code = ?status.code(),
            error = status.message(),
            "upstream call failed"
        );
    }
}

/// Limits the retries at one upstream.
pub(super) struct RetryBudget(TpsBudget);

impl RetryBudget {
    pub(super) fn new() -> Self {
        Self(TpsBudget::new(
            BUDGET_WINDOW,
            BUDGET_PER_SECOND_MIN,
            BUDGET_SHARE,
        ))
    }
}

impl fmt::Debug for RetryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryBudget").finish_non_exhaustive()
    }
}
