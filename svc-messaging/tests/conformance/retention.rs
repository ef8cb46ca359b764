//! Retention deletes expired data and nothing else.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{Message, MessageMeta, SubscribeRequest};
use service_kit::source::Clock as _;
use svc_messaging::domain::retention::{Over, Retention};
use test_kit::on_both_databases;

use crate::{
    Bench,
    serving::{Serving, enquiry, spam},
};

on_both_databases!(test_kit::bench::empty: each_kind_has_its_retention);

async fn each_kind_has_its_retention(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let network = Some("203.0.113.0/24");
    serving.create(enquiry(1), network).await.expect("accepted");
    serving.create(spam(2), network).await.expect("accepted");
    let meta = MessageMeta {
        thread_id: "heart".into(),
        created_at: None,
    };
    serving
        .create(
            Message {
                meta: Some(meta),
                ..enquiry(3)
            },
            network,
        )
        .await
        .expect("accepted");
    serving.create(enquiry(4), network).await.expect("accepted");
    let done = "UPDATE messages SET status = 'done' WHERE id = (SELECT id FROM messages WHERE kind = 'enquiry' AND status = 'new' LIMIT 1)";
    assert_eq!(bench.test.execute(done).await, 1);
    for email in ["pending@visitor.example", "gone@visitor.example"] {
        let request = SubscribeRequest {
            email: email.to_owned(),
            check: None,
        };
        serving
            .newsletter()
            .subscribe(request)
            .await
            .expect("answered");
    }
    let gone = serving
        .store
        .subscription("gone@visitor.example")
        .await
        .expect("an answer")
        .expect("kept");
    serving
        .store
        .unsubscribe(gone.id, serving.clock.now())
        .await
        .expect("ended");
    let retention = Retention::default();
    let mut before = 0;
    for (days, messages, networks, subscriptions) in [
        (6, 0, 0, 0),
        (8, 0, 0, 1),
        (29, 0, 0, 0),
        (31, 1, 3, 1),
        (364, 0, 0, 0),
        (366, 2, 0, 0),
        (729, 0, 0, 0),
        (731, 1, 0, 0),
    ] {
        serving.pass(TimeDelta::days(days - before));
        before = days;
        let now = serving.clock.now();
        let over = serving.store.over(&retention, now).await.expect("counted");
        let removed = serving
            .store
            .retain(&retention, now)
            .await
            .expect("removed");
        let counts = (removed.messages, removed.networks, removed.subscriptions);
        assert_eq!(counts, (messages, networks, subscriptions), "day {days}");
        assert_eq!(
            (over.messages, over.subscriptions),
            (messages, subscriptions),
            "day {days}"
        );
        let left = serving.store.over(&retention, now).await.expect("counted");
        assert_eq!(left, Over::default(), "day {days}");
    }
    assert_eq!(bench.test.scalar("SELECT count(*) FROM messages").await, 0);
    bench.end().await;
}
