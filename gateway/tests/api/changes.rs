//! Changes behind the API reach what is kept of it.

use serde_json::Value;

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
    /// With two volumes in the cache that nobody will ask the library for again by itself.
    async fn start() -> Self {
        let pool = crate::contract::pool();
        let announcer = Announcer::new();
        let library = Library::start_with(&pool, Some(&announcer)).await;
        let gateway = GatewayUnderTest::start(pool, library.address, &[]).await;
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

    /// Waits until the gateway watches: changes announced in order arrive in order.
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
async fn a_changed_path_is_read_again_and_others_are_not() {
    let kept = Kept::start().await;
    kept.announcer.announce("2", &["/volumes/1"]);
    eventually("the change", async || kept.read("1", "").await == "new").await;
    assert_eq!(kept.read("2", "").await, "old");
    kept.announcer.announce("3", &["/volumes"]);
    eventually("the change", async || kept.read("2", "").await == "new").await;
}

#[tokio::test]
async fn every_query_of_a_changed_path_is_read_again() {
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
async fn a_break_with_the_same_revision_changes_nothing() {
    let kept = Kept::start().await;
    kept.announcer.hang_up("1");
    eventually("another stream", async || kept.announcer.streams() == 2).await;
    // Later changes show that the new stream is followed, and that the break dropped nothing.
    kept.announcer.announce("2", &["/volumes/1"]);
    eventually("the change", async || kept.read("1", "").await == "new").await;
    assert_eq!(kept.read("2", "").await, "old");
}

#[tokio::test]
async fn a_break_with_another_revision_drops_everything_of_that_upstream() {
    let kept = Kept::start().await;
    kept.announcer.hang_up("2");
    eventually("the change", async || {
        kept.read("1", "").await == "new" && kept.read("2", "").await == "new"
    })
    .await;
}

#[tokio::test]
async fn an_upstream_without_changes_is_used_all_the_same() {
    let (gateway, library) = crate::gateway_under_test::start(&[]).await;
    library.write("1", "old");
    for _ in 0..5 {
        assert_eq!(gateway.get("/api/volumes/1").await.json()["text"], "old");
    }
    assert_eq!(library.calls(), 1);
}
