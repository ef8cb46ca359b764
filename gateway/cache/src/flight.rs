//! Single flight: concurrent requests for one key share one task, which belongs to none of them.
//!
//! A flight has a separate time budget, so no caller's deadline cancels it for the others. It continues even if all
//! callers leave.

use std::{collections::HashMap, sync::Arc, time::Duration};

use gateway_http::{
    problem::Problem,
    request::{
        panic, task,
        trace::{self, RequestTrace},
    },
};
use parking_lot::Mutex;
use tokio::sync::watch;

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
pub(super) struct Flights(Mutex<HashMap<Arc<[u8]>, Flight>>);

/// A flight under way.
#[derive(Clone, Debug)]
pub(super) struct Flight(watch::Receiver<Option<Outcome>>);

impl Flight {
    /// Waits for the flight to end.
    pub(super) async fn outcome(mut self) -> Outcome {
        match self.0.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or_else(|| Err(Problem::internal())),
            // The flight ended without an outcome: code after the work itself panicked.
            Err(_) => Err(Problem::internal()),
        }
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
        if let Some(flight) = flights.get(key) {
            return Ok(flight.clone());
        }
        if flights.len() >= FLIGHTS_MAX {
            return Err(Problem::overloaded());
        }
        let key: Arc<[u8]> = Arc::from(key);
        let (sender, flight) = watch::channel(None);
        flights.insert(Arc::clone(&key), Flight(flight.clone()));
        drop(flights);
        let guard = Guard {
            flights: Arc::clone(self),
            key: Arc::clone(&key),
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
            // Before the outcome is sent, so that later callers do not join a finished flight.
            drop(guard);
            sender.send_replace(Some(outcome));
        };
        let trace: Option<RequestTrace> = trace::current().filter(|_| is_seen);
        drop(task::spawn(work, trace));
        Ok(Flight(flight))
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

/// Removes the flight when its task ends, even by a panic.
struct Guard {
    flights: Arc<Flights>,
    key: Arc<[u8]>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.flights.0.lock().remove(&self.key);
    }
}
