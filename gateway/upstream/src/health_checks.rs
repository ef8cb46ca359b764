//! Checks the health of every upstream every few seconds, regardless of traffic; the result is shown to visitors.
//!
//! The check is `grpc.health.v1.Health/Check` of the whole server, over the connections that calls use. It takes no
//! bulkhead slot and does not affect the breaker or the balancer: those judge by calls alone.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
    time::Duration,
};

use chrono::{DateTime, Utc};
use gateway_http::request::trace;
use parking_lot::RwLock;
use service_kit::source::Clock;
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior},
};
use tonic::{Code, Request, Status};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::{Upstream, Upstreams};

/// Interval between two checks of an upstream.
const INTERVAL: Duration = Duration::from_secs(5);
/// Timeout of a check, including the wait for a connection. An upstream that has not answered by then counts as down.
const TIME_MAX: Duration = Duration::from_secs(2);
/// Maximum duration of a prompt check. A check reads nothing and takes under a millisecond, so a slower upstream is
/// short of resources.
const PROMPT_MAX: Duration = Duration::from_millis(500);
/// Maximum age of a result. Longer than two checks that both time out and one more interval.
const AGE_MAX: Duration = Duration::from_secs(20);

/// Health of an upstream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HealthState {
    /// It answers promptly.
    Up,
    /// It answers late, or only some calls.
    Slow,
    /// It does not answer.
    Down,
    /// Not checked yet, or not within 20 s.
    Unknown,
}

/// A state and the time of its check.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Health {
    /// HealthState at that time.
    pub state: HealthState,
    /// Time of the last health check; `None` before the first.
    pub checked_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug)]
struct LastCheck {
    state: HealthState,
    at: DateTime<Utc>,
    /// Age is measured by this clock, because wall clocks jump.
    instant: Instant,
}

/// States of all upstreams. Dropping this stops the checks.
#[derive(Debug)]
pub struct HealthChecks {
    by_package: BTreeMap<Arc<str>, Arc<CheckedUpstream>>,
    _tasks: JoinSet<()>,
}

#[derive(Debug)]
struct CheckedUpstream {
    upstream: Weak<Upstream>,
    last: RwLock<Option<LastCheck>>,
}

impl HealthChecks {
    /// Starts the checks. Must be called inside a tokio runtime.
    pub fn start(upstreams: &Upstreams, clock: &Arc<dyn Clock>) -> Self {
        let (mut by_package, mut tasks) = (BTreeMap::new(), JoinSet::new());
        for upstream in upstreams.services() {
            let checked = Arc::new(CheckedUpstream {
                upstream: Arc::downgrade(upstream),
                last: RwLock::new(None),
            });
            for package in upstream.packages() {
                by_package.insert(Arc::clone(package), Arc::clone(&checked));
            }
            tasks.spawn(run(checked, Arc::clone(clock)));
        }
        Self {
            by_package,
            _tasks: tasks,
        }
    }

    /// Returns the current state of a package's upstream without waiting. A package without an upstream counts as down.
    pub fn of(&self, package: &str) -> Health {
        let Some(checked) = self.by_package.get(package) else {
            return Health {
                state: HealthState::Down,
                checked_at: None,
            };
        };
        let last = *checked.last.read();
        let is_refused = checked
            .upstream
            .upgrade()
            .is_none_or(|upstream| upstream.breaker.refuses());
        health(last, is_refused, Instant::now())
    }
}

/// The breaker takes precedence over the last check: visitors' calls are refused while it is open.
fn health(last: Option<LastCheck>, is_refused: bool, now: Instant) -> Health {
    let last = last.filter(|last| now.saturating_duration_since(last.instant) < AGE_MAX);
    let state = match last {
        _ if is_refused => HealthState::Down,
        None => HealthState::Unknown,
        Some(last) => last.state,
    };
    Health {
        state,
        checked_at: last.map(|last| last.at),
    }
}

async fn run(checked: Arc<CheckedUpstream>, clock: Arc<dyn Clock>) {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut overloads = None;
    loop {
        ticks.tick().await;
        let Some(upstream) = checked.upstream.upgrade() else {
            return;
        };
        let state = upstream.check_health(&mut overloads).await;
        *checked.last.write() = Some(LastCheck {
            state,
            at: clock.now(),
            instant: Instant::now(),
        });
    }
}

impl Upstream {
    /// Checks the upstream's health. `overloads` holds the count of timed-out tries and of calls without a bulkhead
    /// slot at the last check.
    async fn check_health(&self, overloads: &mut Option<u64>) -> HealthState {
        let now = self.meters.overloads();
        let was_overloaded = overloads.replace(now).is_some_and(|before| before < now);
        let began = Instant::now();
        let checked = tokio::time::timeout(TIME_MAX, self.check()).await;
        let state = match checked {
            Ok(Ok(status)) => answered(status, began.elapsed()),
            Ok(Err(status)) => refused(&status),
            Err(_) => HealthState::Down,
        };
        match state {
            HealthState::Up if was_overloaded => HealthState::Slow,
            // Other addresses may answer.
            HealthState::Down if self.balancer.has_choice() && self.balancer.is_connected() => {
                HealthState::Slow
            }
            state => state,
        }
    }

    async fn check(&self) -> Result<i32, Status> {
        let found = self.stream_connection().await?;
        let origin = found.connection.origin();
        let mut client = HealthClient::with_origin(found.connection, origin);
        let mut request = Request::new(HealthCheckRequest::default());
        trace::leave_out(request.metadata_mut());
        Ok(client.check(request).await?.into_inner().status)
    }
}

fn answered(status: i32, time: Duration) -> HealthState {
    match ServingStatus::try_from(status) {
        Ok(ServingStatus::NotServing) => HealthState::Down,
        _ if time > PROMPT_MAX => HealthState::Slow,
        _ => HealthState::Up,
    }
}

/// A service need not offer a health check; an UNIMPLEMENTED or NOT_FOUND status is an answer too.
fn refused(status: &Status) -> HealthState {
    match status.code() {
        Code::Unimplemented | Code::NotFound => HealthState::Up,
        Code::ResourceExhausted => HealthState::Slow,
        _ => HealthState::Down,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(state: HealthState) -> LastCheck {
        LastCheck {
            state,
            at: DateTime::UNIX_EPOCH,
            instant: Instant::now(),
        }
    }

    #[test]
    fn open_breaker_overrides_a_health_check() {
        let works = last(HealthState::Up);
        let now = works.instant;
        assert_eq!(health(Some(works), false, now).state, HealthState::Up);
        assert_eq!(health(Some(works), true, now).state, HealthState::Down);
        assert_eq!(health(None, true, now).state, HealthState::Down);
    }

    #[test]
    fn ignores_outdated_checks() {
        let works = last(HealthState::Up);
        let almost = works.instant + AGE_MAX.saturating_sub(Duration::from_millis(1));
        assert_eq!(health(Some(works), false, almost).state, HealthState::Up);
        let health = health(Some(works), false, works.instant + AGE_MAX);
        assert_eq!(
            (health.state, health.checked_at),
            (HealthState::Unknown, None)
        );
        assert!(AGE_MAX > (INTERVAL + TIME_MAX) * 2);
    }

    #[test]
    fn derives_health_and_latency_from_an_answer() {
        let (serving, not) = (
            ServingStatus::Serving as i32,
            ServingStatus::NotServing as i32,
        );
        assert_eq!(answered(serving, PROMPT_MAX), HealthState::Up);
        assert_eq!(answered(serving, PROMPT_MAX * 2), HealthState::Slow);
        assert_eq!(answered(not, Duration::ZERO), HealthState::Down);
        // A status from a newer contract is an answer too.
        assert_eq!(answered(77, Duration::ZERO), HealthState::Up);
        assert_eq!(refused(&Status::unimplemented("")), HealthState::Up);
        assert_eq!(refused(&Status::resource_exhausted("")), HealthState::Slow);
        assert_eq!(refused(&Status::unavailable("")), HealthState::Down);
    }
}
