//! Watches every upstream's change stream (`hospital.api.v1.ChangeService`) and invalidates the paths it names.

use std::{
    collections::{HashMap, hash_map::Entry},
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};

use gateway_http::{metrics::Metrics, request::trace};
use gateway_upstream::{Replica, Upstream, Upstreams};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse, change_service_client::ChangeServiceClient,
};
use tokio::{
    sync::watch,
    task::{AbortHandle, JoinSet},
};
use tonic::{Code, Request, Status};

use super::Changes;

/// Backoff before a stream is opened again; doubled until the upstream answers.
const PAUSE_MIN: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// Wait before an upstream without a change stream is tried again over the same connection. A proxy behind the
/// connection may have switched to a newer version.
const PAUSE_UNOFFERED: Duration = Duration::from_hours(1);
/// Maximum paths of one message; with more, every answer of the upstream is invalidated.
const PATHS_MAX: usize = 1000;

/// One task per upstream; dropping this stops them.
#[derive(Debug)]
pub struct Watchers(#[expect(dead_code, reason = "held for its drop")] JoinSet<()>);

impl Watchers {
    /// Starts a watcher for every upstream, whether it is up or not.
    pub fn start(upstreams: &Upstreams, changes: &Arc<Changes>, metrics: &'static Metrics) -> Self {
        let mut tasks = JoinSet::new();
        for upstream in upstreams.services() {
            let (upstream, changes) = (Arc::clone(upstream), Arc::clone(changes));
            tasks.spawn(watch_all(upstream, changes, metrics));
        }
        Self(tasks)
    }
}

/// Watches every address of an upstream, because each announces only its own changes.
async fn watch_all(upstream: Arc<Upstream>, changes: Arc<Changes>, metrics: &'static Metrics) {
    let mut tasks: JoinSet<()> = JoinSet::new();
    let mut addresses: HashMap<SocketAddr, AbortHandle> = HashMap::new();
    let mut altered = upstream.changes();
    loop {
        altered.mark_unchanged();
        addresses.retain(|_, task| !task.is_finished());
        for replica in upstream.replicas() {
            if let Entry::Vacant(place) = addresses.entry(replica.address()) {
                let watcher = Watcher {
                    replica,
                    upstream: Arc::clone(&upstream),
                    changes: Arc::clone(&changes),
                    metrics,
                    revision: None,
                    pause: PAUSE_MIN,
                };
                place.insert(tasks.spawn(watcher.run()));
            }
        }
        tokio::select! {
            ended = altered.changed() => if ended.is_err() { return },
            // Its address may have come back meanwhile.
            Some(_) = tasks.join_next() => {}
        }
    }
}

struct Watcher {
    replica: Replica,
    upstream: Arc<Upstream>,
    changes: Arc<Changes>,
    metrics: &'static Metrics,
    /// Last revision received.
    revision: Option<String>,
    pause: Duration,
}

/// Counts an open stream until it is dropped.
struct Open<'a> {
    metrics: &'static Metrics,
    packages: &'a [Arc<str>],
}

impl<'a> Open<'a> {
    fn new(metrics: &'static Metrics, packages: &'a [Arc<str>]) -> Self {
        metrics.watching(packages, 1);
        Self { metrics, packages }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.metrics.watching(self.packages, -1);
    }
}

impl Watcher {
    /// Follows one stream after the other until the upstream no longer has the address.
    async fn run(mut self) {
        self.metrics.watching(self.upstream.packages(), 0);
        loop {
            let ended = self.listen().await;
            tracing::debug!(
                packages = ?self.upstream.packages(),
                code = ?ended.code(),
                pause_ms = self.pause.as_millis(),
                "the change stream is closed"
            );
            let mut connections = self.upstream.connections();
            let pause = async {
                if ended.code() == Code::Unimplemented {
                    until_it_may_be_offered(&mut connections, PAUSE_UNOFFERED).await;
                }
                // Jitter, or all gateways would reconnect at once.
                let jitter = rand::random_range(0.75..=1.0);
                tokio::time::sleep(self.pause.mul_f64(jitter)).await;
            };
            tokio::select! {
                () = pause => {}
                () = self.replica.gone() => return,
            }
            self.pause = (self.pause * 2).min(PAUSE_MAX);
        }
    }

    /// Follows the stream until it ends, and returns the reason.
    async fn listen(&mut self) -> Status {
        let Some(connection) = self.replica.connection().await else {
            return Status::unavailable("cannot connect to the address");
        };
        let origin = connection.origin();
        let mut client = ChangeServiceClient::with_origin(connection, origin);
        let mut request = Request::new(WatchChangesRequest {});
        // Not traced, as in the services: this call would only take up room among visitors' traces.
        trace::leave_out(request.metadata_mut());
        let mut stream = match client.watch_changes(request).await {
            Ok(answer) => answer.into_inner(),
            Err(status) => return status,
        };
        let upstream = Arc::clone(&self.upstream);
        let mut open = None;
        loop {
            let message = tokio::select! {
                message = stream.message() => message,
                () = self.replica.gone() => return Status::ok("the address was removed"),
            };
            match message {
                Ok(Some(message)) => {
                    self.pause = PAUSE_MIN;
                    self.apply(message, open.is_none());
                    open.get_or_insert_with(|| Open::new(self.metrics, upstream.packages()));
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
            self.changes.invalidate_packages(self.upstream.packages());
        } else if !paths.is_empty() {
            self.metrics.change("paths");
            self.changes.invalidate_paths(&paths);
        }
    }
}

/// Waits for a new connection, which may lead to a newer version of the service, but at most `pause_max`.
async fn until_it_may_be_offered(connections: &mut watch::Receiver<u64>, pause_max: Duration) {
    connections.mark_unchanged();
    // An error means that the channel is closed: no other connection will follow.
    let _ = tokio::time::timeout(pause_max, connections.changed()).await;
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn retries_an_unimplemented_watch_on_a_new_connection_or_later() {
        let (made, mut connections) = watch::channel(0);
        made.send_replace(1);
        let started = Instant::now();
        until_it_may_be_offered(&mut connections, SOON).await;
        let waited = started.elapsed();
        assert!(waited >= SOON, "the connection that was asked is not new");
        let connect = async {
            tokio::time::sleep(SOON).await;
            made.send_replace(2);
        };
        let waiting = until_it_may_be_offered(&mut connections, PAUSE_UNOFFERED);
        let both = futures::future::join(waiting, connect);
        let both = tokio::time::timeout(Duration::from_secs(10), both).await;
        assert!(both.is_ok(), "nobody saw the new connection");
    }
}
