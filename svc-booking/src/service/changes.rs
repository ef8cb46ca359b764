//! The change stream, by which gateways invalidate their cached free times and refresh the lists of staff.

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

/// Maximum concurrent watchers. A gateway needs one.
const WATCHERS_MAX: usize = 64;
/// Buffered changes per watcher. A slower watcher receives a single change for everything.
const BEHIND_MAX: usize = 256;
/// The staff's lists of appointments. A change names no appointment.
const APPOINTMENTS: &str = "/appointments";
/// The staff's list of those who wait.
pub(super) const WAITLIST: &str = "/waitlist-entries";
/// The staff's list of video consultations.
pub(super) const CONSULTATIONS: &str = "/consultations";
/// Paths that depend on the roster.
const EVERYTHING: [&str; 5] = [
    "/availability",
    "/free-times",
    "/next-available",
    "/departments",
    APPOINTMENTS,
];

/// Publishes changes that other components can see. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Identifies this process: counts of different processes are not comparable.
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
        // An error means that there are no watchers.
        let _ = self.changes.send(WatchChangesResponse {
            revision: self.revision(),
            paths,
        });
    }

    /// Publishes a change of a department's seats. Callers use either its id or its label in the URL.
    pub fn seats_changed(&self, department: &Department) {
        self.publish(seats_of(department));
    }

    /// Publishes a change of an appointment and of its department's seats. A former department has no seats.
    pub fn appointment_changed(&self, department: Option<&Department>) {
        let mut paths = department.map(seats_of).unwrap_or_default();
        paths.push(APPOINTMENTS.to_owned());
        self.publish(paths);
    }

    /// Publishes a change of [`WAITLIST`] or [`CONSULTATIONS`]. It names no entry.
    pub(super) fn list_changed(&self, path: &'static str) {
        self.publish(vec![path.to_owned()]);
    }

    /// Publishes a change of the roster.
    pub fn roster_changed(&self) {
        self.publish(EVERYTHING.map(str::to_owned).to_vec());
    }
}

fn seats_of(department: &Department) -> Vec<String> {
    let label = department.name.replace(' ', "+");
    vec![
        format!("/availability?department={}", department.id),
        format!("/availability?department={label}"),
        "/free-times".to_owned(),
    ]
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
    changes: Receiver<WatchChangesResponse>,
    stopping: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Watcher {
    /// Returns the next change; `None` when the process stops.
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
        // Subscribe first: a change between the two calls is then both in the revision and in the stream.
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
