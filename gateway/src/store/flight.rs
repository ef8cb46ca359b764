//! Single flight: of everybody who wants the same at the same time, nobody makes it; one task of its own does, for all.
//!
//! A flight has its own time, so that no caller's deadline ends it for the others, and it goes on when they all leave.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::{
    changes::Basis,
    representation::{Draft, Representation},
};
use crate::{
    problem::Problem,
    request::{
        panic, task,
        trace::{self, RequestTrace},
    },
};

/// Flights under way at most: beyond it what is not kept is refused. A flight outlives the caller who began it, so the limit on
/// concurrent requests does not bound them.
const FLIGHTS_MAX: usize = 1024;

/// What a flight makes.
#[derive(Debug)]
pub(crate) enum Made {
    Draft(Draft),
    /// There is no such thing, as the one who keeps it says: that is an answer as well.
    Absent(Problem, Basis),
    /// It is refused or cannot be made.
    Refused(Problem),
}

/// What a flight came to.
pub(super) type Outcome = Result<Arc<Representation>, Problem>;

/// The flights of one store, by key.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<Arc<[u8]>, Flight>>);

/// A flight under way.
#[derive(Clone, Debug)]
pub(super) struct Flight(watch::Receiver<Option<Outcome>>);

impl Flight {
    /// Waits for its end.
    pub(super) async fn outcome(mut self) -> Outcome {
        match self.0.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or_else(|| Err(Problem::internal())),
            // It ended without an outcome: what came after the making panicked.
            Err(_) => Err(Problem::internal()),
        }
    }
}

impl Flights {
    /// Joins the flight for `key`, or starts one that makes it within `budget` and has it settled by `settle`. With `is_seen` it
    /// is part of the current request's trace, else of none.
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
            // First, so that whoever comes after the outcome does not join a flight that is over.
            drop(guard);
            sender.send_replace(Some(outcome));
        };
        let trace: Option<RequestTrace> = trace::current().filter(|_| is_seen);
        drop(task::spawn(work, trace));
        Ok(Flight(flight))
    }

    /// Whether one for this key is under way.
    pub(super) fn has(&self, key: &[u8]) -> bool {
        self.0.lock().contains_key(key)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.lock().len()
    }
}

/// Removes a flight even if it panics.
struct Guard {
    flights: Arc<Flights>,
    key: Arc<[u8]>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.flights.0.lock().remove(&self.key);
    }
}
