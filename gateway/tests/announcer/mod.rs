//! A real `ChangeService` whose changes a test announces.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::{Stream, StreamExt as _, future, stream};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse,
    change_service_server::{ChangeService, ChangeServiceServer},
};
use parking_lot::Mutex;
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;
use tonic::{Request, Response, Status};

#[derive(Clone)]
pub(crate) struct Announcer(Arc<State>);

struct State {
    revision: Mutex<String>,
    /// `None` ends all open streams.
    sender: broadcast::Sender<Option<WatchChangesResponse>>,
    streams: AtomicUsize,
}

impl Announcer {
    pub(crate) fn new() -> Self {
        Self(Arc::new(State {
            revision: Mutex::new("1".to_owned()),
            sender: broadcast::channel(64).0,
            streams: AtomicUsize::new(0),
        }))
    }

    pub(crate) fn service(&self) -> ChangeServiceServer<Self> {
        ChangeServiceServer::new(self.clone())
    }

    /// Announces changed paths. Panics if no stream is open.
    pub(crate) fn announce(&self, revision: &str, paths: &[&str]) {
        revision.clone_into(&mut self.0.revision.lock());
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let revision = revision.to_owned();
        let listeners = self
            .0
            .sender
            .send(Some(WatchChangesResponse { revision, paths }));
        assert!(listeners.is_ok(), "nobody listens");
    }

    /// Ends all open streams; later streams start with `revision`.
    pub(crate) fn hang_up(&self, revision: &str) {
        revision.clone_into(&mut self.0.revision.lock());
        // An error only means that no stream is open.
        self.0.sender.send(None).ok();
    }

    /// Returns the number of streams opened so far.
    pub(crate) fn streams(&self) -> usize {
        self.0.streams.load(Ordering::SeqCst)
    }
}

#[tonic::async_trait]
impl ChangeService for Announcer {
    type WatchChangesStream =
        Pin<Box<dyn Stream<Item = Result<WatchChangesResponse, Status>> + Send>>;

    async fn watch_changes(
        &self,
        _: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        let later = BroadcastStream::new(self.0.sender.subscribe())
            .take_while(|message| future::ready(!matches!(message, Ok(None))))
            .filter_map(|message| future::ready(message.ok().flatten()));
        let revision = self.0.revision.lock().clone();
        let paths = Vec::new();
        let first = stream::iter([WatchChangesResponse { revision, paths }]);
        self.0.streams.fetch_add(1, Ordering::SeqCst);
        Ok(Response::new(Box::pin(first.chain(later).map(Ok))))
    }
}
