//! Single flight: concurrent requests for one key share one piece of work, which belongs to none of them.
//!
//! The caller that starts a flight also polls its work, so a flight without other callers needs no task. If that caller
//! leaves, the work continues in a task. A flight has a separate time budget, so no caller's deadline cancels it for
//! the others.

use std::{
    collections::HashMap,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures::{FutureExt as _, future::BoxFuture};
use gateway_http::{
    problem::Problem,
    request::{
        panic, task,
        trace::{self, RequestTrace},
    },
};
use parking_lot::Mutex;
use tokio::{runtime::Handle, sync::watch};

use super::{
    changes::Basis,
    representation::{Draft, Representation},
};

/// Maximum number of concurrent flights; further requests for uncached keys are refused. A flight outlives the caller
/// that started it, so the limit on concurrent requests does not bound flights.
const FLIGHTS_MAX: usize = 1024;

/// Result of the work of a flight.
#[derive(Debug)]
pub enum Made {
    /// An answer to cache.
    Draft(Draft),
    /// The service reports that the resource does not exist, which is a valid answer too.
    Absent(Problem, Basis),
    /// The request was refused, or the work failed.
    Refused(Problem),
}

/// Result that a flight delivers to its callers.
pub(super) type Outcome = Result<Arc<Representation>, Problem>;

/// The flights of one store, by key.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<Arc<[u8]>, Option<Announcement>>>);

/// Passes the outcome to callers that joined; `None` until the first one joins.
type Announcement = watch::Sender<Option<Outcome>>;

/// A caller's part in a flight.
#[derive(Debug)]
pub(super) enum Flight {
    Started(Lead),
    Joined(watch::Receiver<Option<Outcome>>),
}

impl Flight {
    /// Waits for the flight to end.
    pub(super) async fn outcome(self) -> Outcome {
        let mut announced = match self {
            Self::Started(lead) => return lead.await,
            Self::Joined(announced) => announced,
        };
        match announced.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or_else(|| Err(Problem::internal())),
            // The flight ended without an outcome: code after the work itself panicked.
            Err(_) => Err(Problem::internal()),
        }
    }
}

/// The work of a flight, polled by the caller that started it. If dropped before the end, a task continues it.
pub(super) struct Lead {
    work: Option<BoxFuture<'static, Outcome>>,
    trace: Option<RequestTrace>,
}

impl Future for Lead {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let outcome = match &mut self.work {
            Some(work) => std::task::ready!(work.poll_unpin(context)),
            None => Err(Problem::internal()),
        };
        self.work = None;
        Poll::Ready(outcome)
    }
}

impl Drop for Lead {
    fn drop(&mut self) {
        // Without a runtime, the process is about to end.
        if let Some(work) = self.work.take()
            && Handle::try_current().is_ok()
        {
            drop(task::spawn(work, self.trace.take()));
        }
    }
}

impl fmt::Debug for Lead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lead").finish_non_exhaustive()
    }
}

impl Flights {
    /// Joins the flight for `key`, or starts one. The work runs within `budget`, and `settle` turns its result into the
    /// outcome. With `is_seen` the flight belongs to the current request's trace, otherwise to none.
    ///
    /// # Errors
    /// 503 when too many flights are under way.
    pub(super) fn join_or_start<M, S>(
        self: &Arc<Self>,
        key: &[u8],
        budget: Duration,
        is_seen: bool,
        making: impl FnOnce() -> M,
        settle: impl FnOnce(Arc<[u8]>, Made) -> S + Send + 'static,
    ) -> Result<Flight, Problem>
    where
        M: Future<Output = Made> + Send + 'static,
        S: Future<Output = Outcome> + Send,
    {
        let mut flights = self.0.lock();
        if let Some(announcement) = flights.get_mut(key) {
            let announcement = announcement.get_or_insert_with(|| watch::Sender::new(None));
            return Ok(Flight::Joined(announcement.subscribe()));
        }
        if flights.len() >= FLIGHTS_MAX {
            return Err(Problem::overloaded());
        }
        let key: Arc<[u8]> = Arc::from(key);
        flights.insert(Arc::clone(&key), None);
        drop(flights);
        let mut guard = Guard {
            flights: Arc::clone(self),
            key: Some(Arc::clone(&key)),
        };
        let making = making();
        let work = async move {
            let making = tokio::time::timeout(budget, panic::contain(making));
            let made = match making.await {
                Ok(Ok(made)) => made,
                Ok(Err(panicked)) => Made::Refused(panicked),
                Err(_) => Made::Refused(Problem::deadline_exceeded()),
            };
            let outcome = settle(key, made).await;
            // Before the outcome is announced, so that later callers do not join a finished flight.
            if let Some(announcement) = guard.remove() {
                announcement.send_replace(Some(outcome.clone()));
            }
            outcome
        };
        Ok(Flight::Started(Lead {
            work: Some(work.boxed()),
            trace: trace::current().filter(|_| is_seen),
        }))
    }

    /// Whether a flight for this key is under way.
    pub(super) fn has(&self, key: &[u8]) -> bool {
        self.0.lock().contains_key(key)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().len()
    }
}

/// Removes the flight when its work ends, even by a panic.
struct Guard {
    flights: Arc<Flights>,
    key: Option<Arc<[u8]>>,
}

impl Guard {
    fn remove(&mut self) -> Option<Announcement> {
        let key = self.key.take()?;
        self.flights.0.lock().remove(&key)?
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.remove());
    }
}
