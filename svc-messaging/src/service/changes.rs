//! The change stream, by which gateways refresh the lists of staff. A change names a list, and no entry of it.

use std::{pin::Pin, sync::Arc};

use async_trait::async_trait;
use futures::{Stream, StreamExt as _, stream};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse, change_service_server::ChangeService,
};
use store_kit::outbox::{Deliver, DeliveryError, Lane, Message};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::delivery::Courier;

/// Maximum concurrent watchers. A gateway needs one.
const WATCHERS_MAX: usize = 64;
/// API paths of the lists, in the order of [`List`].
const PATHS: [&str; 3] = ["/messages", "/deliveries", "/suppressions"];

/// A list of staff.
#[derive(Clone, Copy, Debug)]
pub enum List {
    Messages,
    Deliveries,
    Suppressions,
}

/// Number of changes of each list.
type Counts = [u64; PATHS.len()];

/// Publishes changes of lists. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Identifies this process: counts of different processes are not comparable.
    process: Uuid,
    counts: watch::Sender<Counts>,
}

impl Seen {
    pub fn new(process: Uuid) -> Self {
        Self {
            process,
            counts: watch::Sender::default(),
        }
    }

    /// Publishes a change of these lists.
    pub fn changed(&self, lists: &[List]) {
        self.counts.send_modify(|counts| {
            for list in lists {
                counts[*list as usize] += 1;
            }
        });
    }

    fn revision(&self, counts: &Counts) -> String {
        format!("{}-{}", self.process, counts.iter().sum::<u64>())
    }
}

/// Delivers mails, and publishes that the list of deliveries changed.
#[derive(Debug)]
pub struct SeenCourier {
    pub courier: Courier,
    pub seen: Seen,
}

#[async_trait]
impl Deliver for SeenCourier {
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        let delivered = self.courier.deliver(message).await;
        // A bounce at once also stops further mails to the address.
        self.seen.changed(&[List::Deliveries, List::Suppressions]);
        delivered
    }

    fn lanes(&self) -> Vec<Lane> {
        self.courier.lanes()
    }
}

/// Serves `hospital.api.v1.ChangeService`.
#[derive(Debug)]
pub struct ChangeRpcs {
    seen: Seen,
    places: Arc<Semaphore>,
    /// True once the process is stopping: an open stream would delay the shutdown.
    stopping: watch::Receiver<bool>,
}

impl ChangeRpcs {
    pub fn new(seen: Seen, stopping: watch::Receiver<bool>) -> Self {
        Self {
            seen,
            places: Arc::new(Semaphore::new(WATCHERS_MAX)),
            stopping,
        }
    }
}

struct Watcher {
    seen: Seen,
    counts: watch::Receiver<Counts>,
    /// Counts that the watcher has received.
    sent: Counts,
    stopping: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Watcher {
    /// Returns the lists that changed since the last call; `None` when the process stops.
    async fn next(&mut self) -> Option<WatchChangesResponse> {
        tokio::select! {
            _ = self.stopping.wait_for(|is_stopping| *is_stopping) => return None,
            changed = self.counts.changed() => changed.ok()?,
        }
        let counts = *self.counts.borrow_and_update();
        let changed = PATHS.iter().zip(counts.iter().zip(&self.sent));
        let changed = changed.filter(|(_, (now, sent))| now != sent);
        let paths = changed.map(|(path, _)| (*path).to_owned()).collect();
        self.sent = counts;
        Some(WatchChangesResponse {
            revision: self.seen.revision(&counts),
            paths,
        })
    }
}

#[tonic::async_trait]
impl ChangeService for ChangeRpcs {
    type WatchChangesStream =
        Pin<Box<dyn Stream<Item = Result<WatchChangesResponse, Status>> + Send>>;

    async fn watch_changes(
        &self,
        _request: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| Status::resource_exhausted("too many callers watch for changes"))?;
        let mut counts = self.seen.counts.subscribe();
        let sent = *counts.borrow_and_update();
        let first = WatchChangesResponse {
            revision: self.seen.revision(&sent),
            paths: Vec::new(),
        };
        let watcher = Watcher {
            seen: self.seen.clone(),
            counts,
            sent,
            stopping: self.stopping.clone(),
            _place: place,
        };
        let later = stream::unfold(watcher, |mut watcher| async {
            let change = watcher.next().await?;
            Some((Ok(change), watcher))
        });
        let all = stream::once(async { Ok(first) }).chain(later);
        Ok(Response::new(Box::pin(all)))
    }
}
