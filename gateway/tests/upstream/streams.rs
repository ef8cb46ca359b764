//! Change streams over several addresses.

use crate::{
    contract::pool,
    gateway_under_test::{GatewayUnderTest, eventually},
    replica::{Replica, upstream},
};

#[tokio::test]
async fn change_stream_moves_to_another_address() {
    let pool = pool();
    let (mut one, mut other) = (Replica::start(&pool).await, Replica::start(&pool).await);
    let upstream = upstream("streams", &[one.address, other.address]);
    let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
    let streams =
        |one: &Replica, other: &Replica| one.announcer.streams() + other.announcer.streams();
    eventually("a stream", async || streams(&one, &other) == 1).await;
    for replica in [&one, &other] {
        let mut volumes = replica.seen.volumes.lock();
        volumes.insert("1".to_owned(), ("old".to_owned(), 1));
    }
    assert_eq!(gateway.get("/api/volumes/1").await.json()["text"], "old");
    let is_at_one = one.announcer.streams() == 1;
    let (first, second) = if is_at_one {
        (&mut one, &mut other)
    } else {
        (&mut other, &mut one)
    };
    first.kill();
    eventually("a stream at the other address", async || {
        second.announcer.streams() == 1
    })
    .await;
    second
        .seen
        .volumes
        .lock()
        .insert("1".to_owned(), ("new".to_owned(), 2));
    second.announcer.announce("2", &["/volumes/1"]);
    eventually("the change", async || {
        gateway.get("/api/volumes/1").await.json()["text"] == "new"
    })
    .await;
    assert_eq!(streams(&one, &other), 2, "one stream at a time");
}
