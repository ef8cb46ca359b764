//! Rate limits: a maximum number of calls in *any* window, for a visitor, a network in several sizes, or a subject.
//!
//! The limits of a call follow from its class, which the contract sets. This process counts all calls it receives.
//! Where gateways share a Redis, a call must be within the limits there, too.

mod headers;
mod local;
mod log;
mod metrics;
mod quotas;
mod redis;
#[cfg(test)]
mod tests;

use std::{
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use gateway_api::CreateQuota;
use gateway_http::{problem::Problem, request::client_address::ClientNetwork};
use parking_lot::Mutex;

use self::{
    local::{Census, Claim, LimitState, Local, Verdict},
    metrics::RateMetrics,
    quotas::{Limit, Quotas, limits},
    redis::Shared,
};

pub use self::quotas::RateConfig;
pub(crate) use self::{
    headers::Allowance,
    quotas::{Caller, Class},
};

/// Refused requests are logged at most once in this many sweeps.
const SWEEPS_PER_LINE: usize = 60;

/// Counts every request, before any other work for it.
#[derive(Debug)]
pub struct RateLimit {
    local: Local,
    shared: Option<Shared>,
    started: Instant,
    metrics: &'static RateMetrics,
    /// Requests refused since the last log line about them.
    refused: AtomicU64,
    sweeps: AtomicUsize,
    census: Mutex<[Census; Local::shards()]>,
}

impl RateLimit {
    /// Starts the limiter. With Redis, connects in the background.
    pub fn start(config: &RateConfig) -> Self {
        let metrics = metrics::get();
        let quotas = Quotas::new(config);
        let time_max = Duration::from_millis(config.redis_timeout_ms_max);
        let secret = config.rate_hash_secret.as_deref();
        let server = config.redis_url.as_ref();
        Self {
            local: Local::new(quotas),
            shared: server.map(|server| Shared::start(server, secret, time_max, metrics)),
            started: Instant::now(),
            metrics,
            refused: AtomicU64::new(0),
            sweeps: AtomicUsize::new(0),
            census: Mutex::default(),
        }
    }

    /// Counts a call, unless one of its limits is exhausted.
    ///
    /// # Errors
    /// 429 with `Retry-After` and the state of the limits. A refused call is not counted, so that waiting helps.
    pub(crate) async fn count(
        &self,
        class: Class,
        caller: &Caller<'_>,
    ) -> Result<Allowance, Problem> {
        match self.decide(class, caller).await {
            Verdict::Accepted(states) => Ok(Allowance(states)),
            Verdict::Refused(states) => Err(self.refusal(class, states)),
        }
    }

    fn refusal(&self, class: Class, states: Vec<LimitState>) -> Problem {
        self.refused.fetch_add(1, Ordering::Relaxed);
        for state in states.iter().filter(|state| state.left == 0) {
            self.metrics.refused(class, state.limit);
        }
        let allowance = Allowance(states);
        let problem = Problem::rate_limited(allowance.retry_after_s());
        let fields = allowance.fields().into_iter();
        fields.fold(problem, |p, (name, value)| p.with_header(name, value))
    }

    /// Whether a network may try another token. Invalid tokens use up the limit that its staff share.
    ///
    /// # Errors
    /// As [`Self::count`].
    pub(crate) fn may_try_token(&self, network: ClientNetwork) -> Result<(), Problem> {
        match self.local.peek(&self.token_claims(network), self.now()) {
            Verdict::Accepted(_) => Ok(()),
            Verdict::Refused(states) => Err(self.refusal(Class::Staff, states)),
        }
    }

    /// Counts an invalid token.
    pub(crate) fn count_failed_token(&self, network: ClientNetwork) {
        self.local.record(&self.token_claims(network), self.now());
    }

    fn token_claims(&self, network: ClientNetwork) -> Vec<Claim> {
        let caller = Caller::of(network);
        self.local.claims(&caller, &[Limit::StaffNetwork])
    }

    async fn decide(&self, class: Class, caller: &Caller<'_>) -> Verdict {
        let claims = self.local.claims(caller, limits(class, caller.network));
        let Some(shared) = &self.shared else {
            return self.local.take(&claims, self.now());
        };
        // This gateway has seen only some of all calls. A call that exceeds a limit here exceeds it overall, so a flood
        // is not passed on to Redis.
        let verdict = self.local.peek(&claims, self.now());
        if matches!(verdict, Verdict::Refused(_)) {
            return verdict;
        }
        match shared.take(caller, &claims).await {
            Some(verdict) => {
                if matches!(verdict, Verdict::Accepted(_)) {
                    self.local.record(&claims, self.now());
                }
                verdict
            }
            None => self.local.take(&claims, self.now()),
        }
    }

    /// Returns the milliseconds since the start. Wraps after 49 days, which the logs allow for.
    fn now(&self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the clock wraps")]
        let now = self.started.elapsed().as_millis() as u32;
        now
    }

    /// Removes the idle keys of one shard, the next one at each call, and updates the metrics. Must be called every
    /// second.
    pub fn sweep(&self) {
        let sweep = self.sweeps.fetch_add(1, Ordering::Relaxed);
        let shard = sweep % Local::shards();
        let census = self.local.sweep(shard, self.now());
        let mut all = self.census.lock();
        all[shard] = census;
        self.metrics.census(&*all, self.local.uncounted());
        drop(all);
        if sweep.is_multiple_of(SWEEPS_PER_LINE) {
            let requests = self.refused.swap(0, Ordering::Relaxed);
            if requests > 0 {
                tracing::info!(requests, "requests refused by rate limits");
            }
        }
    }
}

impl CreateQuota for RateLimit {
    fn count(&self, network: ClientNetwork) -> BoxFuture<'_, Result<(), Problem>> {
        Box::pin(async move {
            let caller = Caller::of(network);
            self.count(Class::FormCreate, &caller).await.map(drop)
        })
    }
}
