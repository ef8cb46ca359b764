//! Contract tests of the store, run on both databases.

use std::{collections::HashSet, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Ids, RandomIds};
use store_kit::{creation::Creation, keys::Keys, requests::RequestKey, row, sealed, values};
use svc_messaging::{
    domain::{
        self, Message, Submission, SubmittedMessage, SubmittedMeta, SubmittedRegistration,
        UnixTime, mailboxes::Mailboxes,
    },
    spam::Evidence,
    store::{CREATE, Incoming, Received, SCHEMA, Store},
    wire,
};
use test_kit::on_both_databases;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::Bench;

const WRITERS: usize = 20;

on_both_databases!(test_kit::bench::empty:
    every_column_is_read_back,
    no_column_holds_clear_text,
    refuses_another_message_with_the_same_request_id,
    a_late_retry_does_not_restore_a_removed_message,
    refuses_column_values_that_no_build_wrote,
    reseals_rows_with_a_new_key,
    sealed_tables_are_indexed,
    concurrent_retries_make_one_row,
    concurrent_messages_are_all_kept,
    rows_outlive_the_store,
);

fn comment() -> SubmittedMessage {
    SubmittedMessage {
        name: "Kamala Test".to_owned(),
        email: "kamala@visitor.example".to_owned(),
        phone: "+91 80 0000 0199".to_owned(),
        subject: "New blog comment on heart".to_owned(),
        message: "ನಮಸ್ಕಾರ, it's \"quoted\"; --".to_owned(),
        meta: SubmittedMeta {
            thread_id: "healthy-heart".to_owned(),
            write_time: Some(UnixTime {
                seconds: 1_763_600_000,
                nanos: 654_321_000,
            }),
        },
        registration: None,
    }
}

fn registration() -> SubmittedMessage {
    SubmittedMessage {
        email: String::new(),
        subject: "Registration: Heart walk, Saturday 28 November 2026".to_owned(),
        meta: SubmittedMeta::default(),
        registration: Some(SubmittedRegistration {
            event_id: "heart-walk-2026-11-28".to_owned(),
            people: 3,
        }),
        ..comment()
    }
}

fn enquiry() -> SubmittedMessage {
    SubmittedMessage {
        subject: "Visiting hours".to_owned(),
        meta: SubmittedMeta::default(),
        ..comment()
    }
}

fn incoming(keys: &Keys, request_id: &str, sent: SubmittedMessage) -> Incoming {
    let submission = Submission {
        request_id: request_id.to_owned(),
        message: Some(sent),
    };
    let (request_id, new) = domain::parse(submission).expect("a valid message");
    let body = wire::canonical(&new);
    let now: DateTime<Utc> = DateTime::from_timestamp(1_763_700_000, 123_456_789).expect("a time");
    Incoming {
        request: RequestKey::new(keys, CREATE, request_id.as_str(), &body),
        id: RandomIds.uuid(),
        new,
        evidence: Evidence::default(),
        network: None,
        now,
    }
}

fn store(bench: &Bench) -> Store {
    store_with(bench, bench.keys.clone())
}

fn store_with(bench: &Bench, keys: Keys) -> Store {
    Store::new(
        bench.database.clone(),
        keys,
        Arc::new(Mailboxes::embedded()),
    )
}

async fn received(store: &Store, incoming: &Incoming) -> Creation<Message> {
    match store.receive(incoming.clone()).await.expect("an answer") {
        Received::Kept(creation) => *creation,
        refused => panic!("nothing speaks against it: {refused:?}"),
    }
}

async fn created(store: &Store, incoming: &Incoming) -> Message {
    let Creation::Created(message) = received(store, incoming).await else {
        panic!("it is the first of its request");
    };
    assert_eq!(
        (message.id, &message.new),
        (incoming.id, &incoming.new),
        "what was sent"
    );
    message
}

async fn every_column_is_read_back(bench: Bench) {
    let store = store(&bench);
    let bare = SubmittedMessage {
        email: String::new(),
        phone: String::new(),
        ..comment()
    };
    let reachable_by_mail = SubmittedMessage {
        phone: String::new(),
        ..comment()
    };
    let mut messages = 0;
    for sent in [
        enquiry(),
        comment(),
        registration(),
        bare,
        reachable_by_mail,
    ] {
        let first = incoming(&bench.keys, &format!("0123456789abcdef-{messages}"), sent);
        let message = created(&store, &first).await;
        // A retry returns the stored message, unaffected by the retry's own content.
        let mut again = first.clone();
        again.id = RandomIds.uuid();
        again.now += TimeDelta::hours(1);
        again.new.name = again.new.subject.clone();
        let repeated = received(&store, &again).await;
        assert_eq!(repeated, Creation::Repeated(message));
        messages += 1;
    }
    assert_eq!(rows(&bench).await, messages);
    bench.end().await;
}

row! {
    struct KeptRow {
        status: String,
        key_id: String,
        name: Vec<u8>,
        email: Vec<u8>,
        phone: Vec<u8>,
        subject: Vec<u8>,
        message: Vec<u8>,
        email_digest: Vec<u8>,
        phone_digest: Vec<u8>,
    }
}

async fn no_column_holds_clear_text(bench: Bench) {
    const SELECT: &str = "SELECT status, key_id, name, email, phone, subject, message, email_digest, phone_digest FROM messages";
    let sent = incoming(&bench.keys, "0123456789abcdef", enquiry());
    created(&store(&bench), &sent).await;
    let row: KeptRow = bench
        .database
        .fetch_one("SELECT messages", SELECT, values![])
        .await
        .expect("the row");
    let sent = enquiry();
    for (sealed, plain) in [
        (row.name, sent.name),
        (row.email, sent.email),
        (row.phone, sent.phone),
        (row.subject, sent.subject),
        (row.message, sent.message),
    ] {
        let windows = sealed.windows(plain.len());
        assert_eq!(windows.filter(|part| *part == plain.as_bytes()).count(), 0);
        // Version byte, nonce, text and authentication tag.
        assert_eq!(sealed.len(), 1 + 12 + plain.len() + 16, "{plain}");
    }
    assert_eq!((row.status.as_str(), row.key_id.as_str()), ("new", "k1"));
    let digest = |purpose, value: &str| bench.keys.digest(purpose, value.as_bytes()).to_vec();
    assert_eq!(
        row.email_digest,
        digest("messages.email", "kamala@visitor.example")
    );
    assert_eq!(row.phone_digest, digest("messages.phone", "+918000000199"));
    bench.end().await;
}

async fn refuses_another_message_with_the_same_request_id(bench: Bench) {
    let store = store(&bench);
    created(
        &store,
        &incoming(&bench.keys, "0123456789abcdef", enquiry()),
    )
    .await;
    let other = incoming(&bench.keys, "0123456789abcdef", comment());
    let refused = received(&store, &other).await;
    assert_eq!(refused, Creation::RequestIdReused);
    assert_eq!(rows(&bench).await, 1);
    bench.end().await;
}

async fn a_late_retry_does_not_restore_a_removed_message(bench: Bench) {
    let store = store(&bench);
    let sent = incoming(&bench.keys, "0123456789abcdef", enquiry());
    created(&store, &sent).await;
    assert_eq!(bench.test.execute("DELETE FROM messages").await, 1);
    let again = received(&store, &sent).await;
    assert_eq!(again, Creation::Removed);
    assert_eq!(rows(&bench).await, 0);
    bench.end().await;
}

async fn refuses_column_values_that_no_build_wrote(bench: Bench) {
    let store = store(&bench);
    let sent = incoming(&bench.keys, "0123456789abcdef", enquiry());
    created(&store, &sent).await;
    assert_eq!(
        bench
            .test
            .execute("UPDATE messages SET status = 'lost'")
            .await,
        1
    );
    let error = store.receive(sent).await.expect_err("an error");
    assert!(error.to_string().contains("messages.status"), "{error}");
    bench.end().await;
}

async fn reseals_rows_with_a_new_key(bench: Bench) {
    let old = test_kit::keys::FILE.replace("active = \"k1\"", "active = \"k0\"");
    let old = Keys::parse(&old).expect("keys");
    let sent = incoming(&old, "0123456789abcdef", comment());
    let message = created(&store_with(&bench, old), &sent).await;
    // The message and the mail that forwards it.
    for rows in [2, 0] {
        let mut rotated = 0;
        for table in SCHEMA.sealed {
            let done = sealed::rotate(&bench.database, &bench.keys, *table).await;
            rotated += done.expect("a rotation").rows;
        }
        assert_eq!(rotated, rows);
    }
    // Digests are independent of the sealing key, so the request is still recognised.
    let only_new = test_kit::keys::FILE.replace("k0 = ", "k9 = ");
    let only_new = Keys::parse(&only_new).expect("keys");
    let again = incoming(&only_new, "0123456789abcdef", comment());
    let repeated = received(&store_with(&bench, only_new), &again).await;
    assert_eq!(repeated, Creation::Repeated(message));
    bench.end().await;
}

async fn concurrent_retries_make_one_row(bench: Bench) {
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let store = store(&bench);
        let sent = incoming(&bench.keys, "0123456789abcdef", enquiry());
        writers.spawn(async move {
            match received(&store, &sent).await {
                Creation::Created(message) => (true, message.id),
                Creation::Repeated(message) => (false, message.id),
                refused => panic!("the message is the same: {refused:?}"),
            }
        });
    }
    let answers = writers.join_all().await;
    assert_eq!(answers.len(), WRITERS);
    assert_eq!(answers.iter().filter(|(is_first, _)| *is_first).count(), 1);
    let ids: HashSet<Uuid> = answers.into_iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), 1, "every caller learns of the same message");
    assert_eq!(rows(&bench).await, 1);
    bench.end().await;
}

async fn concurrent_messages_are_all_kept(bench: Bench) {
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let store = store(&bench);
        let id = format!("0123456789abcdef-{number}");
        let sent = incoming(&bench.keys, &id, enquiry());
        writers.spawn(async move { drop(created(&store, &sent).await) });
    }
    writers.join_all().await;
    assert_eq!(rows(&bench).await, i64::try_from(WRITERS).expect("few"));
    bench.end().await;
}

async fn rows_outlive_the_store(bench: Bench) {
    let sent = incoming(&bench.keys, "0123456789abcdef", enquiry());
    let message = created(&store(&bench), &sent).await;
    let bench = bench.reopen().await;
    let again = received(&store(&bench), &sent).await;
    assert_eq!(again, Creation::Repeated(message));
    bench.end().await;
}

async fn rows(bench: &Bench) -> i64 {
    bench.test.scalar("SELECT count(*) FROM messages").await
}

async fn sealed_tables_are_indexed(bench: Bench) {
    bench.sealed_tables_are_indexed().await;
}
