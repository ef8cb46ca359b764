//! Round trip of every column, with distinct values.

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::{
    Message, MessageStatus, SetMessageStatusRequest, SubscribeRequest,
};
use store_kit::{row, values};
use test_kit::on_both_databases;
use tonic::Request;
use uuid::Uuid;

use crate::{
    Bench,
    serving::{STAFF, Serving, enquiry, now, with},
};

on_both_databases!(test_kit::bench::empty: the_columns_of_a_message, the_columns_of_a_subscription);

row! {
    struct Row {
        reference: String,
        mailbox: String,
        signals: String,
        status: String,
        taken_by: String,
        version: i64,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        route_time: DateTime<Utc>,
        network_digest: Vec<u8>,
        text_digest: Vec<u8>,
    }
}

async fn the_columns_of_a_message(bench: Bench) {
    const SELECT: &str = "\
SELECT reference, mailbox, signals, status, taken_by, version, create_time, update_time, route_time, network_digest, text_digest FROM messages";
    let serving = Serving::start(&bench).await;
    let message = Message {
        subject: "My bill".to_owned(),
        message: "I looked at https://one.example and https://two.example but found nothing"
            .to_owned(),
        ..enquiry(1)
    };
    let text = "ilookedathttpsoneexampleandhttpstwoexamplebutfoundnothing";
    let sent = serving
        .create(message, Some("203.0.113.0/24"))
        .await
        .expect("accepted");
    let sent = sent.message.expect("a message");
    serving.pass(chrono::TimeDelta::minutes(3));
    let take = SetMessageStatusRequest {
        message_id: sent.id,
        status: MessageStatus::Taken.into(),
        etag: "1".to_owned(),
        ..SetMessageStatusRequest::default()
    };
    serving
        .inbox()
        .set_message_status(serving.staff("messages:write", take))
        .await
        .expect("taken");
    let row: Row = bench
        .database
        .fetch_one("SELECT messages", SELECT, values![])
        .await
        .expect("the row");
    assert_eq!(row.reference, sent.reference);
    assert_eq!(row.mailbox, "billing@sampige.example");
    assert_eq!(row.signals, "no_token,links");
    assert_eq!(
        (row.status.as_str(), row.taken_by.as_str(), row.version),
        ("taken", STAFF, 2)
    );
    assert_eq!((row.create_time, row.route_time), (now(), now()));
    assert_eq!(row.update_time, now() + chrono::TimeDelta::minutes(3));
    assert_eq!(
        row.network_digest,
        bench.keys.digest("client.network", b"203.0.113.0/24")
    );
    assert_eq!(
        row.text_digest,
        bench.keys.digest("messages.text", text.as_bytes())
    );
    bench.end().await;
}

row! {
    struct Subscription {
        id: Uuid,
        key_id: String,
        email: Vec<u8>,
        email_digest: Vec<u8>,
        state: String,
        generation: i64,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        asked_times: String,
        network_digest: Vec<u8>,
    }
}

async fn the_columns_of_a_subscription(bench: Bench) {
    const SELECT: &str = "\
SELECT id, key_id, email, email_digest, state, generation, create_time, update_time, asked_times, network_digest FROM subscriptions";
    const EMAIL: &str = "Kamala@Visitor.example";
    let serving = Serving::start(&bench).await;
    let mut newsletter = serving.newsletter();
    let subscribe = || SubscribeRequest {
        email: EMAIL.to_owned(),
        check: None,
    };
    newsletter
        .subscribe(Request::new(subscribe()))
        .await
        .expect("answered");
    serving.pass(chrono::TimeDelta::hours(2));
    let again = with(subscribe(), "client-network", "203.0.113.0/24");
    newsletter.subscribe(again).await.expect("answered");
    let row: Subscription = bench
        .database
        .fetch_one("SELECT subscriptions", SELECT, values![])
        .await
        .expect("the row");
    let later = now() + chrono::TimeDelta::hours(2);
    assert_eq!((row.create_time, row.update_time), (now(), later));
    assert_eq!(
        (row.key_id.as_str(), row.state.as_str(), row.generation),
        ("k1", "pending", 1)
    );
    assert_eq!(
        row.asked_times,
        format!("{},{}", now().timestamp(), later.timestamp())
    );
    let digest = bench
        .keys
        .digest("subscriptions.email", b"kamala@visitor.example");
    assert_eq!(row.email_digest, digest);
    assert_eq!(
        row.network_digest,
        bench.keys.digest("client.network", b"203.0.113.0/24")
    );
    assert!(
        !row.email
            .windows(6)
            .any(|part| part.eq_ignore_ascii_case(b"kamala")),
        "sealed"
    );
    let kept = serving
        .store
        .subscription("kamala@visitor.EXAMPLE")
        .await
        .expect("an answer")
        .expect("kept");
    assert_eq!((kept.id, kept.email.as_str()), (row.id, EMAIL));
    bench.end().await;
}
