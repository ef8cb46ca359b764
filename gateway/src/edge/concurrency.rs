//! Concurrency limit with load shedding: excess requests are refused at once with `Retry-After`, instead of queueing until
//! every deadline has passed.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::problem::Problem;

/// One limit for the whole process.
#[derive(Debug)]
pub struct Concurrency(Semaphore);

impl Concurrency {
    /// Admits `requests_max` concurrent requests.
    pub fn new(requests_max: usize) -> Self {
        Self(Semaphore::new(requests_max.min(Semaphore::MAX_PERMITS)))
    }

    /// A permit for one request, held until it is answered; a problem 503 if none is left.
    pub fn admit(&self) -> Result<SemaphorePermit<'_>, Problem> {
        self.0.try_acquire().map_err(|_| Problem::overloaded())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheds_beyond_the_limit_and_recovers() {
        let limit = Concurrency::new(1);
        let held = limit.admit().unwrap();
        assert_eq!(limit.admit().unwrap_err().status().as_u16(), 503);
        drop(held);
        assert!(limit.admit().is_ok());
    }
}
