//! Change streams over several addresses.

use crate::{
    contract::pool,
    gateway_under_test::{GatewayUnderTest, eventually},
    replica::{Replica, upstream},
};

#[tokio::test]
async fn every_address_is_watched_because_each_announces_its_own_changes() {
    let pool = pool();
    let (mut one, other) = (Replica::start(&pool).await, Replica::start(&pool).await);
    let upstream = upstream("streams", &[one.address, other.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    for replica in [&one, &other] {
        eventually("a stream", async || replica.announcer.streams() == 1).await;
    }
    let has = |text: &str| {
        for replica in [&one, &other] {
            let mut volumes = replica.seen.volumes.lock();
            volumes.insert("1".to_owned(), (text.to_owned(), 1));
        }
    };
    let shown = async || gateway.get("/api/volumes/1").await.json()["text"].clone();
    has("first");
    eventually("the first text", async || shown().await == "first").await;
    for (replica, text) in [(&one, "second"), (&other, "third")] {
        has(text);
        assert_ne!(shown().await, text, "the answer is cached");
        replica.announcer.announce("2", &["/volumes/1"]);
        eventually("the change", async || shown().await == text).await;
    }
    one.kill();
    other
        .seen
        .volumes
        .lock()
        .insert("1".to_owned(), ("fourth".to_owned(), 1));
    other.announcer.announce("3", &["/volumes/1"]);
    eventually("the change", async || shown().await == "fourth").await;
    assert_eq!(other.announcer.streams(), 1, "one stream for each address");
}
