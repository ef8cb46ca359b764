//! How much is at work at once. What comes beyond is shed at once, with the time to come back, instead of queueing
//! until everybody's deadline has passed.

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::problem::Problem;

/// One limit for the whole process.
#[derive(Debug)]
pub struct Concurrency(Semaphore);

impl Concurrency {
    /// Lets `requests_max` requests be at work at once.
    pub fn new(requests_max: usize) -> Self {
        Self(Semaphore::new(requests_max.min(Semaphore::MAX_PERMITS)))
    }

    /// A place for one request, held until it is answered; a problem 503 if there is none.
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
