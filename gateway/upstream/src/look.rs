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
pub enum State {
    /// It answers promptly.
    Works,
    /// It answers late, or only some calls.
    Late,
    /// It does not answer.
    Away,
    /// Not checked yet, or not within 20 s.
    Unknown,
}

/// A state and the time of its check.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sight {
    /// State at that time.
    pub state: State,
    /// Time of the last health check; `None` before the first.
    pub seen_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    state: State,
    at: DateTime<Utc>,
    /// Age is measured by this clock, because wall clocks jump.
    instant: Instant,
}

/// States of all upstreams. Dropping this stops the checks.
#[derive(Debug)]
pub struct Outlook {
    by_package: BTreeMap<Arc<str>, Arc<Watched>>,
    _looking: JoinSet<()>,
}

#[derive(Debug)]
struct Watched {
    upstream: Weak<Upstream>,
    seen: RwLock<Option<Seen>>,
}

impl Outlook {
    /// Starts the checks. Must be called inside a tokio runtime.
    pub fn start(upstreams: &Upstreams, clock: &Arc<dyn Clock>) -> Self {
        let (mut by_package, mut looking) = (BTreeMap::new(), JoinSet::new());
        for upstream in upstreams.services() {
            let watched = Arc::new(Watched {
                upstream: Arc::downgrade(upstream),
                seen: RwLock::new(None),
            });
            for package in upstream.packages() {
                by_package.insert(Arc::clone(package), Arc::clone(&watched));
            }
            looking.spawn(run(watched, Arc::clone(clock)));
        }
        Self {
            by_package,
            _looking: looking,
        }
    }

    /// Returns the current state of a package's upstream without waiting. A package without an upstream counts as down.
    pub fn of(&self, package: &str) -> Sight {
        let Some(watched) = self.by_package.get(package) else {
            return Sight {
                state: State::Away,
                seen_at: None,
            };
        };
        let seen = *watched.seen.read();
        let is_refused = watched
            .upstream
            .upgrade()
            .is_none_or(|upstream| upstream.breaker.refuses());
        sight(seen, is_refused, Instant::now())
    }
}

/// The breaker takes precedence over the last check: visitors' calls are refused while it is open.
fn sight(seen: Option<Seen>, is_refused: bool, now: Instant) -> Sight {
    let seen = seen.filter(|seen| now.saturating_duration_since(seen.instant) < AGE_MAX);
    let state = match seen {
        _ if is_refused => State::Away,
        None => State::Unknown,
        Some(seen) => seen.state,
    };
    Sight {
        state,
        seen_at: seen.map(|seen| seen.at),
    }
}

async fn run(watched: Arc<Watched>, clock: Arc<dyn Clock>) {
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut struggles = None;
    loop {
        ticks.tick().await;
        let Some(upstream) = watched.upstream.upgrade() else {
            return;
        };
        let state = upstream.look(&mut struggles).await;
        *watched.seen.write() = Some(Seen {
            state,
            at: clock.now(),
            instant: Instant::now(),
        });
    }
}

impl Upstream {
    /// Checks the upstream's health. `struggles` holds the count of timed-out tries and of calls without a bulkhead
    /// slot at the last check.
    async fn look(&self, struggles: &mut Option<u64>) -> State {
        let now = self.meters.struggles();
        let has_struggled = struggles.replace(now).is_some_and(|before| before < now);
        let began = Instant::now();
        let checked = tokio::time::timeout(TIME_MAX, self.check()).await;
        let state = match checked {
            Ok(Ok(status)) => answered(status, began.elapsed()),
            Ok(Err(status)) => refused(&status),
            Err(_) => State::Away,
        };
        match state {
            State::Works if has_struggled => State::Late,
            // Other addresses may answer.
            State::Away if self.balancer.has_choice() && self.balancer.is_connected() => {
                State::Late
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

fn answered(status: i32, time: Duration) -> State {
    match ServingStatus::try_from(status) {
        Ok(ServingStatus::NotServing) => State::Away,
        _ if time > PROMPT_MAX => State::Late,
        _ => State::Works,
    }
}

/// A service need not offer a health check; an UNIMPLEMENTED or NOT_FOUND status is an answer too.
fn refused(status: &Status) -> State {
    match status.code() {
        Code::Unimplemented | Code::NotFound => State::Works,
        Code::ResourceExhausted => State::Late,
        _ => State::Away,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(state: State) -> Seen {
        Seen {
            state,
            at: DateTime::UNIX_EPOCH,
            instant: Instant::now(),
        }
    }

    #[test]
    fn a_breaker_that_refuses_counts_more_than_a_look() {
        let works = seen(State::Works);
        let now = works.instant;
        assert_eq!(sight(Some(works), false, now).state, State::Works);
        assert_eq!(sight(Some(works), true, now).state, State::Away);
        assert_eq!(sight(None, true, now).state, State::Away);
    }

    #[test]
    fn what_is_old_says_nothing() {
        let works = seen(State::Works);
        let almost = works.instant + AGE_MAX.saturating_sub(Duration::from_millis(1));
        assert_eq!(sight(Some(works), false, almost).state, State::Works);
        let sight = sight(Some(works), false, works.instant + AGE_MAX);
        assert_eq!((sight.state, sight.seen_at), (State::Unknown, None));
        assert!(AGE_MAX > (INTERVAL + TIME_MAX) * 2);
    }

    #[test]
    fn an_answer_says_whether_and_how_fast() {
        let (serving, not) = (
            ServingStatus::Serving as i32,
            ServingStatus::NotServing as i32,
        );
        assert_eq!(answered(serving, PROMPT_MAX), State::Works);
        assert_eq!(answered(serving, PROMPT_MAX * 2), State::Late);
        assert_eq!(answered(not, Duration::ZERO), State::Away);
        // A status from a newer contract is an answer too.
        assert_eq!(answered(77, Duration::ZERO), State::Works);
        assert_eq!(refused(&Status::unimplemented("")), State::Works);
        assert_eq!(refused(&Status::resource_exhausted("")), State::Late);
        assert_eq!(refused(&Status::unavailable("")), State::Away);
    }
}
