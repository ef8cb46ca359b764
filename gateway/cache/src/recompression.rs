//! Replaces quick compressions with the best one, one at a time, because each occupies a processor for about 50 ms.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::representation::Representation;

/// Maximum queue length: more representations than a site's visitors request within seconds.
const WAITING_MAX: usize = 256;

#[derive(Debug)]
pub(super) struct Recompression {
    turn: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Default for Recompression {
    fn default() -> Self {
        Self {
            turn: Arc::new(Semaphore::new(1)),
            places: Arc::new(Semaphore::new(WAITING_MAX)),
        }
    }
}

impl Recompression {
    /// Queues a representation. Skips it when the queue is full, or when the store has dropped it before its turn.
    pub(super) fn add(&self, representation: &Arc<Representation>) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return;
        };
        let turn = Arc::clone(&self.turn);
        let representation = Arc::downgrade(representation);
        tokio::spawn(async move {
            // The semaphore is never closed.
            let Ok(turn) = turn.acquire_owned().await else {
                return;
            };
            let work = move || {
                if let Some(representation) = representation.upgrade() {
                    representation.recompress();
                }
                drop((turn, place));
            };
            // A panic is logged by its hook, and the quick compression remains.
            _ = tokio::task::spawn_blocking(work).await;
        });
    }
}
