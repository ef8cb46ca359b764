//! Serves `hospital.api.v1.ChangeService`: announces to gateways which API paths of a service changed.

use std::{
    fmt,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures::{Stream, StreamExt as _, stream};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse,
    change_service_server::{ChangeService, ChangeServiceServer},
};
use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    broadcast::{self, Receiver, error::RecvError},
    watch,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

pub use hospital_proto::hospital::api::v1::change_service_server::SERVICE_NAME;

/// Maximum concurrent watchers of a process. A gateway needs one.
const WATCHERS_MAX: usize = 64;
/// Maximum buffered changes of a watcher. A slower watcher receives a single change for everything.
const BEHIND_MAX: usize = 256;

/// Builds the gRPC service. Its streams end once `stopping` is true: an open stream would delay the shutdown.
pub fn server<S: Source>(
    source: Arc<S>,
    stopping: watch::Receiver<bool>,
) -> ChangeServiceServer<ChangeRpcs<S>> {
    ChangeServiceServer::new(ChangeRpcs {
        source,
        places: Arc::new(Semaphore::new(WATCHERS_MAX)),
        stopping,
    })
}

/// Changes of a service.
pub trait Source: fmt::Debug + Send + Sync + 'static {
    /// Returns the present revision, or an error while the service does not know it.
    fn revision(&self) -> Result<String, Status>;

    /// Subscribes to changes from now on.
    fn subscribe(&self) -> Receiver<WatchChangesResponse>;

    /// Returns a change of everything, for a watcher that missed some.
    fn everything(&self) -> WatchChangesResponse;
}

/// Publishes changes that this process makes.
#[derive(Debug)]
pub struct Announcer {
    /// Identifies this process: counts of different processes are not comparable.
    process: Uuid,
    count: AtomicU64,
    everything: &'static [&'static str],
    changes: broadcast::Sender<WatchChangesResponse>,
}

impl Announcer {
    /// `everything` lists the paths that cover every change.
    pub fn new(process: Uuid, everything: &'static [&'static str]) -> Self {
        Self {
            process,
            count: AtomicU64::new(0),
            everything,
            changes: channel(),
        }
    }

    /// Publishes a change of these paths.
    pub fn publish<P: Into<String>>(&self, paths: impl IntoIterator<Item = P>) {
        let count = self.count.fetch_add(1, Ordering::AcqRel) + 1;
        // An error means that there are no watchers.
        let _ = self.changes.send(WatchChangesResponse {
            revision: self.revision_at(count),
            paths: paths.into_iter().map(Into::into).collect(),
        });
    }

    fn revision_at(&self, count: u64) -> String {
        format!("{}-{count}", self.process)
    }

    fn present_revision(&self) -> String {
        self.revision_at(self.count.load(Ordering::Acquire))
    }
}

impl Source for Announcer {
    fn revision(&self) -> Result<String, Status> {
        Ok(self.present_revision())
    }

    fn subscribe(&self) -> Receiver<WatchChangesResponse> {
        self.changes.subscribe()
    }

    fn everything(&self) -> WatchChangesResponse {
        WatchChangesResponse {
            revision: self.present_revision(),
            paths: self.everything.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Returns a channel of changes that buffers as many for each watcher as it may be behind.
pub fn channel() -> broadcast::Sender<WatchChangesResponse> {
    broadcast::channel(BEHIND_MAX).0
}

/// The change stream over gRPC.
#[derive(Debug)]
pub struct ChangeRpcs<S> {
    source: Arc<S>,
    places: Arc<Semaphore>,
    stopping: watch::Receiver<bool>,
}

struct Watcher<S> {
    source: Arc<S>,
    changes: Receiver<WatchChangesResponse>,
    stopping: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl<S: Source> Watcher<S> {
    /// Returns the next change; `None` when the process stops.
    async fn next(&mut self) -> Option<WatchChangesResponse> {
        let change = tokio::select! {
            _ = self.stopping.wait_for(|is_stopping| *is_stopping) => return None,
            change = self.changes.recv() => change,
        };
        match change {
            Ok(change) => Some(change),
            Err(RecvError::Lagged(_)) => Some(self.source.everything()),
            Err(RecvError::Closed) => None,
        }
    }
}

#[tonic::async_trait]
impl<S: Source> ChangeService for ChangeRpcs<S> {
    type WatchChangesStream =
        Pin<Box<dyn Stream<Item = Result<WatchChangesResponse, Status>> + Send>>;

    async fn watch_changes(
        &self,
        _request: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| Status::resource_exhausted("too many watchers"))?;
        // Subscribe first: a change between the two calls is then both in the revision and in the stream.
        let changes = self.source.subscribe();
        let first = WatchChangesResponse {
            revision: self.source.revision()?,
            paths: Vec::new(),
        };
        let watcher = Watcher {
            source: Arc::clone(&self.source),
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

#[cfg(test)]
mod tests;
