//! Watches every upstream's change stream (`hospital.api.v1.ChangeService`) and invalidates what it names.

use std::{sync::Arc, time::Duration};

use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse, change_service_client::ChangeServiceClient,
};
use tokio::task::JoinSet;
use tonic::{Code, Status};

use super::Changes;
use crate::{
    middleware::metrics::Metrics,
    upstreams::{Source, Upstreams},
};

/// Backoff before a stream is opened again; doubled until the upstream answers.
const PAUSE_MIN: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Wait before an upstream without a change stream is asked again: a newer version of it may offer one.
const PAUSE_UNOFFERED: Duration = Duration::from_mins(1);
/// Paths of one message; with more, every answer of the upstream is invalidated.
const PATHS_MAX: usize = 1000;

/// One task per upstream; they end when this is dropped.
#[derive(Debug)]
pub(crate) struct Watchers(
    #[expect(dead_code, reason = "held for what its drop does")] JoinSet<()>,
);

impl Watchers {
    /// Watches all of them, whether they are up or not.
    pub(crate) fn start(
        upstreams: &Upstreams,
        changes: &Arc<Changes>,
        metrics: &'static Metrics,
    ) -> Self {
        let mut tasks = JoinSet::new();
        for source in upstreams.sources() {
            let watcher = Watcher {
                source,
                changes: Arc::clone(changes),
                metrics,
                revision: None,
                pause: PAUSE_MIN,
            };
            tasks.spawn(watcher.run());
        }
        Self(tasks)
    }
}

struct Watcher {
    source: Source,
    changes: Arc<Changes>,
    metrics: &'static Metrics,
    /// The last one received.
    revision: Option<String>,
    pause: Duration,
}

impl Watcher {
    async fn run(mut self) {
        loop {
            let ended = self.listen().await;
            self.metrics.watching(&self.source.packages, false);
            let is_offered = ended.code() != Code::Unimplemented;
            let pause = if is_offered {
                self.pause
            } else {
                PAUSE_UNOFFERED
            };
            tracing::debug!(
                packages = ?self.source.packages,
                code = ?ended.code(),
                pause_ms = pause.as_millis(),
                "the change stream is closed"
            );
            // Jitter, or all gateways would reconnect at once.
            tokio::time::sleep(pause.mul_f64(rand::random_range(0.75..=1.0))).await;
            if is_offered {
                self.pause = (self.pause * 2).min(PAUSE_MAX);
            }
        }
    }

    /// Follows the stream until it ends; returns why it did.
    async fn listen(&mut self) -> Status {
        let mut client = ChangeServiceClient::new(self.source.channel.clone());
        let mut stream = match client.watch_changes(WatchChangesRequest {}).await {
            Ok(answer) => answer.into_inner(),
            Err(status) => return status,
        };
        let mut is_first = true;
        loop {
            match stream.message().await {
                Ok(Some(message)) => {
                    self.pause = PAUSE_MIN;
                    if is_first {
                        self.metrics.watching(&self.source.packages, true);
                    }
                    self.apply(message, is_first);
                    is_first = false;
                }
                Ok(None) => return Status::ok("the stream ended"),
                Err(status) => return status,
            }
        }
    }

    fn apply(&mut self, message: WatchChangesResponse, is_first: bool) {
        let WatchChangesResponse { revision, paths } = message;
        let is_new = self.revision.as_ref() != Some(&revision);
        self.revision = Some(revision);
        // A change was missed while disconnected, or the upstream cannot name the paths.
        let is_everything = is_new && (is_first || paths.is_empty()) || paths.len() > PATHS_MAX;
        if is_everything {
            self.metrics.change("everything");
            self.changes.invalidate_packages(&self.source.packages);
        } else if !paths.is_empty() {
            self.metrics.change("paths");
            self.changes.invalidate_paths(&paths);
        }
    }
}
