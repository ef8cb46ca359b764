//! The change stream, which gateways use to invalidate their caches.

use std::{pin::Pin, sync::Arc};

use futures::{Stream, StreamExt, stream};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse, change_service_server::ChangeService,
};
use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    broadcast::{Receiver, error::RecvError},
    watch,
};
use tonic::{Request, Response, Status};

use crate::{error::AnswerError, posts::Posts};

/// Maximum concurrent watchers. Each gateway needs one.
const WATCHERS_MAX: usize = 64;

#[derive(Debug)]
pub(crate) struct Changes {
    posts: Arc<Posts>,
    places: Arc<Semaphore>,
    /// True once the process stops. An open stream would delay the shutdown.
    stopping: watch::Receiver<bool>,
}

impl Changes {
    pub(crate) fn new(posts: Arc<Posts>, stopping: watch::Receiver<bool>) -> Self {
        Self {
            posts,
            places: Arc::new(Semaphore::new(WATCHERS_MAX)),
            stopping,
        }
    }
}

struct Watcher {
    posts: Arc<Posts>,
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
            Err(RecvError::Lagged(_)) => Some(self.posts.everything_changed()),
            Err(RecvError::Closed) => None,
        }
    }
}

#[tonic::async_trait]
impl ChangeService for Changes {
    type WatchChangesStream =
        Pin<Box<dyn Stream<Item = Result<WatchChangesResponse, Status>> + Send>>;

    async fn watch_changes(
        &self,
        _request: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        // Before posts are loaded, the revision is provisional. A gateway that received it would invalidate its whole
        // cache just when the cache is needed most. The gateway retries soon.
        if !self.posts.are_known() {
            return Err(AnswerError::Starting.into());
        }
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| AnswerError::TooManyWatchers)?;
        // Subscribe first: a change in between is then both in the revision and in the stream, so none is lost.
        let changes = self.posts.watch();
        let first = WatchChangesResponse {
            revision: self.posts.revision(),
            paths: Vec::new(),
        };
        let watcher = Watcher {
            posts: Arc::clone(&self.posts),
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
mod tests {
    use super::*;
    use crate::{domain::Content, files::Sources};

    #[tokio::test]
    async fn invalidates_everything_for_a_slow_watcher() {
        let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
        let posts = Arc::new(Posts::new(Arc::new(content)));
        let (_stop, stopping) = watch::channel(false);
        let changes = Changes::new(Arc::clone(&posts), stopping);
        let starting = changes.watch_changes(Request::new(WatchChangesRequest {}));
        let refused = starting.await.map(drop).expect_err("not yet");
        assert_eq!(refused.code(), tonic::Code::Unavailable);
        posts.assume_known();
        let request = || Request::new(WatchChangesRequest {});
        let mut stream = changes
            .watch_changes(request())
            .await
            .expect("a stream")
            .into_inner();
        let first = stream.next().await.expect("a message").expect("a change");
        assert!(first.paths.is_empty() && first.revision.ends_with("-0"));
        for number in 0..1_000 {
            posts.notify(WatchChangesResponse {
                revision: number.to_string(),
                paths: vec![format!("/blogs/{number}")],
            });
        }
        let second = stream.next().await.expect("a message").expect("a change");
        assert_eq!(second, posts.everything_changed());
        assert_eq!(second.paths, ["/blogs", "/search"]);
        let later = stream.next().await.expect("a message").expect("a change");
        assert_eq!(later.paths.len(), 1, "and then what is still waiting");
    }

    #[tokio::test]
    async fn limits_the_watchers() {
        let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
        let posts = Arc::new(Posts::new(Arc::new(content)));
        let (_stop, stopping) = watch::channel(false);
        posts.assume_known();
        let changes = Changes::new(posts, stopping);
        let mut streams = Vec::new();
        for _ in 0..WATCHERS_MAX {
            let request = Request::new(WatchChangesRequest {});
            streams.push(changes.watch_changes(request).await.expect("a stream"));
        }
        let refusal = |outcome: Result<_, Status>| outcome.map(drop).expect_err("refused").code();
        let one_more = changes
            .watch_changes(Request::new(WatchChangesRequest {}))
            .await;
        assert_eq!(refusal(one_more), tonic::Code::ResourceExhausted);
        streams.pop();
        let request = Request::new(WatchChangesRequest {});
        assert!(changes.watch_changes(request).await.is_ok());
    }
}
