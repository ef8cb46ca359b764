//! Announced changes invalidate cached API responses.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::{future::join_all, stream};
use hospital_proto::hospital::api::v1::{
    WatchChangesRequest, WatchChangesResponse,
    change_service_server::{ChangeService, ChangeServiceServer},
};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, transport::Server};

use crate::{
    announcer::Announcer,
    gateway_under_test::{GatewayUnderTest, eventually},
    library::Library,
};

struct Kept {
    gateway: GatewayUnderTest,
    library: Library,
    announcer: Announcer,
}

impl Kept {
    /// Caches two volumes that the gateway will not refresh without an announcement.
    async fn start() -> Self {
        let pool = crate::contract::pool();
        let announcer = Announcer::new();
        let library = Library::start_with(&pool, Some(&announcer)).await;
        let flags = ["--requests-in-flight-max=2000"];
        let gateway = GatewayUnderTest::start(pool, library.address, &flags).await;
        let kept = Self {
            gateway,
            library,
            announcer,
        };
        kept.listening().await;
        for id in ["1", "2"] {
            kept.library.write(id, "old");
            assert_eq!(kept.read(id, "").await, "old");
        }
        kept.library.write("1", "new");
        kept.library.write("2", "new");
        assert_eq!(kept.read("1", "").await, "old", "it is kept for an hour");
        kept
    }

    async fn read(&self, id: &str, query: &str) -> Value {
        let path = format!("/api/volumes/{id}{query}");
        self.gateway.get(&path).await.json()["text"].take()
    }

    /// Waits until the gateway watches for changes. Changes arrive in the order of their announcement.
    async fn listening(&self) {
        self.library.write("probe", "old");
        assert_eq!(self.read("probe", "").await, "old");
        eventually("a stream", async || self.announcer.streams() == 1).await;
        self.library.write("probe", "new");
        self.announcer.announce("1", &["/volumes/probe"]);
        eventually("the first change", async || {
            self.read("probe", "").await == "new"
        })
        .await;
    }
}

#[tokio::test]
async fn rereads_only_a_changed_path() {
    let kept = Kept::start().await;
    kept.announcer.announce("2", &["/volumes/1"]);
    eventually("the change", async || kept.read("1", "").await == "new").await;
    assert_eq!(kept.read("2", "").await, "old");
    kept.announcer.announce("3", &["/volumes"]);
    eventually("the change", async || kept.read("2", "").await == "new").await;
}

#[tokio::test]
async fn rereads_every_query_of_a_changed_path() {
    let kept = Kept::start().await;
    assert_eq!(kept.read("1", "?upper=true").await, "new");
    kept.library.write("1", "newer");
    assert_eq!(kept.read("1", "?upper=true").await, "new");
    kept.announcer.announce("2", &["/volumes/1"]);
    eventually("the change", async || {
        kept.read("1", "?upper=true").await == "newer"
    })
    .await;
}

#[tokio::test]
async fn rereads_only_a_changed_parameter_once() {
    const POETRY: &str = "/api/books?pageSize=5&subject=poetry";
    let kept = Kept::start().await;
    let read_by_a_thousand = async || {
        let answers = join_all((0..1000).map(|_| kept.gateway.get(POETRY))).await;
        assert!(answers.iter().all(|answer| answer.status == 200));
        kept.library.calls()
    };
    let before = kept.library.calls();
    assert_eq!(read_by_a_thousand().await, before + 1);
    kept.announcer.announce("2", &["/books?subject=prose"]);
    // Changes arrive in order: once this one is visible, the previous one has been applied.
    kept.announcer.announce("3", &["/volumes/1"]);
    eventually("the change", async || kept.read("1", "").await == "new").await;
    let before = kept.library.calls();
    assert_eq!(read_by_a_thousand().await, before, "prose is not poetry");
    kept.announcer.announce("4", &["/books?subject=poetry"]);
    eventually("the change", async || {
        kept.gateway.get(POETRY).await;
        kept.library.calls() == before + 1
    })
    .await;
    assert_eq!(read_by_a_thousand().await, before + 1);
}

#[tokio::test]
async fn reconnect_with_the_same_revision_changes_nothing() {
    let kept = Kept::start().await;
    kept.announcer.hang_up("1");
    eventually("another stream", async || kept.announcer.streams() == 2).await;
    // Later changes show that the new stream is watched and that the break invalidated nothing.
    kept.announcer.announce("2", &["/volumes/1"]);
    eventually("the change", async || kept.read("1", "").await == "new").await;
    assert_eq!(kept.read("2", "").await, "old");
}

#[tokio::test]
async fn reconnect_with_another_revision_invalidates_the_upstream() {
    let kept = Kept::start().await;
    kept.announcer.hang_up("2");
    eventually("the change", async || {
        kept.read("1", "").await == "new" && kept.read("2", "").await == "new"
    })
    .await;
}

#[tokio::test]
async fn serves_an_upstream_without_change_streams() {
    let (gateway, library) = crate::gateway_under_test::start(&[]).await;
    library.write("1", "old");
    for _ in 0..5 {
        assert_eq!(gateway.get("/api/volumes/1").await.json()["text"], "old");
    }
    assert_eq!(library.calls(), 1);
}

/// A service without a change stream; counts the calls to `WatchChanges`.
#[derive(Clone, Default)]
struct Silent(Arc<Asked>);

#[derive(Default)]
struct Asked {
    times: AtomicUsize,
    traceparent: Mutex<String>,
}

#[tonic::async_trait]
impl ChangeService for Silent {
    type WatchChangesStream = stream::Empty<Result<WatchChangesResponse, Status>>;

    async fn watch_changes(
        &self,
        request: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        let traceparent = request.metadata().get("traceparent");
        let traceparent = traceparent.map_or("", |value| value.to_str().unwrap());
        traceparent.clone_into(&mut self.0.traceparent.lock());
        self.0.times.fetch_add(1, Ordering::SeqCst);
        Err(Status::unimplemented("no changes are offered"))
    }
}

impl Silent {
    /// Starts a gateway in front of this service. The service closes connections of this age.
    async fn start(&self, connection_age: Duration) -> GatewayUnderTest {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = ChangeServiceServer::new(self.clone());
        tokio::spawn(async move {
            Server::builder()
                .max_connection_age(connection_age)
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener))
                .await
                .unwrap();
        });
        GatewayUnderTest::start(crate::contract::pool(), address, &[]).await
    }

    fn times(&self) -> usize {
        self.0.times.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn tries_the_change_stream_once_per_connection() {
    let silent = Silent::default();
    let gateway = silent.start(Duration::from_hours(1)).await;
    eventually("the question", async || silent.times() == 1).await;
    for _ in 0..5 {
        gateway.get("/api/volumes/1").await;
    }
    assert_eq!(silent.times(), 1);

    let silent = Silent::default();
    let gateway = silent.start(Duration::from_millis(100)).await;
    eventually("the second question", async || {
        // A visitor's call opens the new connection.
        gateway.get("/api/volumes/1").await;
        silent.times() >= 2
    })
    .await;
}

#[tokio::test]
async fn change_stream_makes_no_trace() {
    let silent = Silent::default();
    let _gateway = silent.start(Duration::from_hours(1)).await;
    eventually("the question", async || silent.times() == 1).await;
    let traceparent = silent.0.traceparent.lock();
    assert!(traceparent.ends_with("-00"), "`{traceparent}`");
}
