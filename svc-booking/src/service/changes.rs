//! The change stream, by which gateways invalidate what they keep of free times.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures::{Stream, StreamExt as _, stream};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse, change_service_server::ChangeService,
};
use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    broadcast::{self, Receiver, error::RecvError},
    watch,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::domain::roster::Department;

/// Callers that watch at once. A gateway needs one.
const WATCHERS_MAX: usize = 64;
/// Changes that a slow watcher may be behind. Beyond, it is told that everything changed.
const BEHIND_MAX: usize = 256;
/// What depends on the roster.
const EVERYTHING: [&str; 4] = [
    "/availability",
    "/free-times",
    "/next-available",
    "/departments",
];

/// What others can see of this service has changed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Names this process: what another one counted says nothing here.
    process: Uuid,
    count: Arc<AtomicU64>,
    changes: broadcast::Sender<WatchChangesResponse>,
}

impl Seen {
    pub fn new(process: Uuid) -> Self {
        Self {
            process,
            count: Arc::default(),
            changes: broadcast::channel(BEHIND_MAX).0,
        }
    }

    fn revision(&self) -> String {
        format!("{}-{}", self.process, self.count.load(Ordering::Acquire))
    }

    fn publish(&self, paths: Vec<String>) {
        self.count.fetch_add(1, Ordering::AcqRel);
        // An error says that nobody watches.
        let _ = self.changes.send(WatchChangesResponse {
            revision: self.revision(),
            paths,
        });
    }

    /// Seats of a department came or went. Callers name it by its id or by its label.
    pub fn seats_changed(&self, department: &Department) {
        let label = department.name.replace(' ', "+");
        self.publish(vec![
            format!("/availability?department={}", department.id),
            format!("/availability?department={label}"),
            "/free-times".to_owned(),
        ]);
    }

    /// The roster is another.
    pub fn roster_changed(&self) {
        self.publish(EVERYTHING.map(str::to_owned).to_vec());
    }
}

/// Serves `hospital.api.v1.ChangeService`.
#[derive(Debug)]
pub struct ChangeRpcs {
    seen: Seen,
    places: Arc<Semaphore>,
    /// True once the process stops: a stream would keep it from stopping.
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
    changes: Receiver<WatchChangesResponse>,
    stopping: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Watcher {
    /// `None` when the process stops.
    async fn next(&mut self) -> Option<WatchChangesResponse> {
        let change = tokio::select! {
            _ = self.stopping.wait_for(|is_stopping| *is_stopping) => return None,
            change = self.changes.recv() => change,
        };
        match change {
            Ok(change) => Some(change),
            Err(RecvError::Lagged(_)) => Some(WatchChangesResponse {
                revision: self.seen.revision(),
                paths: EVERYTHING.map(str::to_owned).to_vec(),
            }),
            Err(RecvError::Closed) => None,
        }
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
        // In this order: what comes between the two is in the revision and comes as a change too.
        let changes = self.seen.changes.subscribe();
        let first = WatchChangesResponse {
            revision: self.seen.revision(),
            paths: Vec::new(),
        };
        let watcher = Watcher {
            seen: self.seen.clone(),
            changes,
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
