//! Looks at every upstream in turn of a few seconds, whether anybody calls it or not: what visitors can be told of it.
//!
//! A look is `grpc.health.v1.Health/Check` of the whole server, over the connections that calls use. It takes no place of the bulkhead and
//! says nothing to the breaker or the balancer: those judge by calls alone.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
    time::Duration,
};

use chrono::{DateTime, Utc};
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
use crate::request::trace;

/// From one look at an upstream to the next.
const INTERVAL: Duration = Duration::from_secs(5);
/// For a look, the wait for a connection included. Who has not answered then is not there.
const TIME_MAX: Duration = Duration::from_secs(2);
/// A check reads nothing and answers within a millisecond: an upstream that needs longer than this is short of something.
const PROMPT_MAX: Duration = Duration::from_millis(500);
/// A state that was seen longer ago says nothing: two looks that took all their time, and one more.
const AGE_MAX: Duration = Duration::from_secs(20);

/// What can be said of an upstream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum State {
    /// It answers.
    Works,
    /// It answers late, or not everybody.
    Late,
    /// It answers nobody.
    Away,
    /// Nobody has looked yet, or not for [`AGE_MAX`].
    Unknown,
}

/// A state and when it was seen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Sight {
    pub(crate) state: State,
    pub(crate) seen_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    state: State,
    at: DateTime<Utc>,
    /// Wall clocks jump; how old it is goes by this one.
    instant: Instant,
}

/// The states of all upstreams. Ends its looks when it is dropped.
#[derive(Debug)]
pub(crate) struct Outlook {
    by_package: BTreeMap<Arc<str>, Arc<Watched>>,
    _looking: JoinSet<()>,
}

#[derive(Debug)]
struct Watched {
    upstream: Weak<Upstream>,
    seen: RwLock<Option<Seen>>,
}

impl Outlook {
    /// Begins to look. Must be called inside a tokio runtime.
    pub(crate) fn start(upstreams: &Upstreams, clock: &Arc<dyn Clock>) -> Self {
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

    /// What can be said of the upstream of a package now. Waits for nothing. A package without an upstream is served by nobody.
    pub(crate) fn of(&self, package: &str) -> Sight {
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

/// What calls found out since counts more than the look: a breaker that refuses them is what visitors meet.
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
    /// `struggles`: how many tries had timed out and how many calls had found no place at the look before.
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
            // The others may answer.
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

/// A service need not offer a health check; one that says so has answered.
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
        // A status of a newer contract is an answer too.
        assert_eq!(answered(77, Duration::ZERO), State::Works);
        assert_eq!(refused(&Status::unimplemented("")), State::Works);
        assert_eq!(refused(&Status::resource_exhausted("")), State::Late);
        assert_eq!(refused(&Status::unavailable("")), State::Away);
    }
}
