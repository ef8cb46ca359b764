//! One suite of promises of the store, kept by both databases.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use svc_content::store::{self, Revision, Store};
use tokio::task::JoinSet;

use test_kit::database::TestDatabase;

const CONNECTIONS_MAX: u32 = 8;
const WRITERS: i64 = 20;

/// Each promise as a test on SQLite and one on PostgreSQL.
macro_rules! on_both_databases {
    ($($promise:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                crate::store::run(test_kit::database::TestDatabase::sqlite(), super::$promise).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                crate::store::run(test_kit::database::TestDatabase::postgres().await, super::$promise).await;
            })+
        }
    };
}

pub(crate) use on_both_databases;

on_both_databases!(
    the_last_loaded_revision_is_read_back_exactly,
    a_revision_has_one_row_and_its_latest_time,
    concurrent_starts_make_one_row,
    what_is_recorded_outlives_the_store,
);

pub(crate) struct Bench {
    pub(crate) database: TestDatabase,
    pub(crate) store: Arc<dyn Store>,
}

impl Bench {
    async fn rows(&self) -> i64 {
        self.database
            .scalar("SELECT count(*) FROM content_revision")
            .await
    }
}

pub(crate) async fn run<F: Future<Output = Bench>>(
    database: TestDatabase,
    promise: impl FnOnce(Bench) -> F,
) {
    let url = database.parsed_url();
    store::migrate(&url).await.expect("a first migration");
    store::migrate(&url)
        .await
        .expect("a second one does nothing");
    let store = store::open(&url, CONNECTIONS_MAX).await.expect("a store");
    let bench = promise(Bench { database, store }).await;
    bench.database.drop_if_exists().await;
}

fn loaded(revision: &str, second: i64) -> Revision {
    let at: DateTime<Utc> =
        DateTime::from_timestamp(1_763_700_000 + second, 123_456_789).expect("a time");
    Revision::new(revision, at)
}

async fn the_last_loaded_revision_is_read_back_exactly(bench: Bench) -> Bench {
    assert_eq!(bench.store.latest().await.expect("an answer"), None);
    for revision in [loaded("aa", 0), loaded("bb", 1)] {
        bench.store.record(&revision).await.expect("a record");
        assert_eq!(
            bench.store.latest().await.expect("an answer"),
            Some(revision)
        );
    }
    bench
}

async fn a_revision_has_one_row_and_its_latest_time(bench: Bench) -> Bench {
    for revision in [
        loaded("aa", 0),
        loaded("bb", 5),
        loaded("aa", 9),
        loaded("aa", 1),
    ] {
        bench.store.record(&revision).await.expect("a record");
    }
    assert_eq!(bench.rows().await, 2);
    assert_eq!(
        bench.store.latest().await.expect("an answer"),
        Some(loaded("aa", 9))
    );
    bench
}

async fn concurrent_starts_make_one_row(bench: Bench) -> Bench {
    let mut starts = JoinSet::new();
    for second in 0..WRITERS {
        let store = Arc::clone(&bench.store);
        starts.spawn(async move { store.record(&loaded("aa", second)).await });
    }
    for outcome in starts.join_all().await {
        outcome.expect("a record");
    }
    assert_eq!(bench.rows().await, 1);
    let latest = bench.store.latest().await.expect("an answer");
    assert_eq!(latest, Some(loaded("aa", WRITERS - 1)));
    bench
}

async fn what_is_recorded_outlives_the_store(bench: Bench) -> Bench {
    bench
        .store
        .record(&loaded("aa", 0))
        .await
        .expect("a record");
    let Bench { database, store } = bench;
    drop(store);
    let store = store::open(&database.parsed_url(), CONNECTIONS_MAX)
        .await
        .expect("a store");
    assert_eq!(
        store.latest().await.expect("an answer"),
        Some(loaded("aa", 0))
    );
    Bench { database, store }
}
