//! One suite of promises of the store, kept by both databases.

use std::{collections::HashSet, sync::Arc};

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::{CreateMessageRequest, Message, MessageMeta};
use service_kit::source::{Ids, RandomIds};
use svc_messaging::{
    domain::{self, Draft, Receipt},
    store::{self, Creation, Store},
};
use tokio::task::JoinSet;

use test_kit::database::TestDatabase;

const CONNECTIONS_MAX: u32 = 8;
const WRITERS: usize = 20;

macro_rules! on_both_databases {
    ($($promise:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::run(test_kit::database::TestDatabase::sqlite(), super::$promise).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::run(test_kit::database::TestDatabase::postgres().await, super::$promise).await;
            })+
        }
    };
}

on_both_databases!(
    what_was_stored_is_repeated_exactly,
    another_message_under_the_same_request_id_is_refused,
    concurrent_repetitions_make_one_row,
    concurrent_messages_are_all_kept,
    what_is_stored_outlives_the_store,
);

struct Bench {
    database: TestDatabase,
    store: Arc<dyn Store>,
}

impl Bench {
    async fn rows(&self) -> i64 {
        self.database.scalar("SELECT count(*) FROM messages").await
    }
}

async fn run<F: Future<Output = Bench>>(database: TestDatabase, promise: impl FnOnce(Bench) -> F) {
    let url = database.parsed_url();
    store::migrate(&url).await.expect("a first migration");
    store::migrate(&url)
        .await
        .expect("a second one does nothing");
    let store = store::open(&url, CONNECTIONS_MAX).await.expect("a store");
    let bench = promise(Bench { database, store }).await;
    bench.database.drop_if_exists().await;
}

fn draft(request_id: &str, subject: &str, meta: Option<MessageMeta>) -> Draft {
    domain::parse(CreateMessageRequest {
        request_id: request_id.to_owned(),
        message: Some(Message {
            name: "Kamala Test".to_owned(),
            email: "kamala@visitor.example".to_owned(),
            phone: "+91 80 0000 0199".to_owned(),
            subject: subject.to_owned(),
            message: "ನಮಸ್ಕಾರ, it's \"quoted\"; --".to_owned(),
            meta,
            ..Message::default()
        }),
    })
    .expect("a valid message")
}

fn enquiry(request_id: &str) -> Draft {
    draft(request_id, "Visiting hours", None)
}

fn new_receipt(nanos: u32) -> Receipt {
    let now: DateTime<Utc> = DateTime::from_timestamp(1_763_700_000, nanos).expect("a time");
    Receipt::new(RandomIds.uuid(), now)
}

async fn what_was_stored_is_repeated_exactly(bench: Bench) -> Bench {
    let comment = draft(
        "0123456789abcdef-comment",
        "New blog comment on heart",
        Some(MessageMeta {
            thread_id: "heart".to_owned(),
            created_at: None,
        }),
    );
    for message in [enquiry("0123456789abcdef"), comment] {
        let first = new_receipt(123_456_789);
        let stored = bench.store.create(&message, first).await.expect("a create");
        assert_eq!(stored, Creation::Stored);
        let again = bench
            .store
            .create(&message, new_receipt(0))
            .await
            .expect("a create");
        assert_eq!(again, Creation::Repeated(first), "to the microsecond");
    }
    assert_eq!(bench.rows().await, 2);
    bench
}

async fn another_message_under_the_same_request_id_is_refused(bench: Bench) -> Bench {
    let id = "0123456789abcdef";
    bench
        .store
        .create(&enquiry(id), new_receipt(0))
        .await
        .expect("a create");
    let other = draft(id, "Something else", None);
    let refused = bench
        .store
        .create(&other, new_receipt(0))
        .await
        .expect("an answer");
    assert_eq!(refused, Creation::RequestIdReused);
    assert_eq!(bench.rows().await, 1);
    bench
}

async fn concurrent_repetitions_make_one_row(bench: Bench) -> Bench {
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let store = Arc::clone(&bench.store);
        writers.spawn(async move {
            let new = new_receipt(0);
            match store
                .create(&enquiry("0123456789abcdef"), new)
                .await
                .expect("an answer")
            {
                Creation::Stored => (true, new.id),
                Creation::Repeated(earlier) => (false, earlier.id),
                Creation::RequestIdReused => panic!("the message is the same"),
            }
        });
    }
    let answers = writers.join_all().await;
    assert_eq!(answers.len(), WRITERS);
    assert_eq!(answers.iter().filter(|(is_first, _)| *is_first).count(), 1);
    let ids: HashSet<_> = answers.into_iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), 1, "every caller learns of the same message");
    assert_eq!(bench.rows().await, 1);
    bench
}

async fn concurrent_messages_are_all_kept(bench: Bench) -> Bench {
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let store = Arc::clone(&bench.store);
        writers.spawn(async move {
            let message = enquiry(&format!("0123456789abcdef-{number}"));
            store
                .create(&message, new_receipt(0))
                .await
                .expect("an answer")
        });
    }
    for creation in writers.join_all().await {
        assert_eq!(creation, Creation::Stored);
    }
    assert_eq!(bench.rows().await, i64::try_from(WRITERS).expect("few"));
    bench
}

async fn what_is_stored_outlives_the_store(bench: Bench) -> Bench {
    let first = new_receipt(0);
    let message = enquiry("0123456789abcdef");
    bench.store.create(&message, first).await.expect("a create");
    let Bench { database, store } = bench;
    drop(store);
    let store = store::open(&database.parsed_url(), CONNECTIONS_MAX)
        .await
        .expect("a store");
    let again = store
        .create(&message, new_receipt(0))
        .await
        .expect("a create");
    assert_eq!(again, Creation::Repeated(first));
    Bench { database, store }
}
