//! Contract tests of the store, run on both databases.

use chrono::{DateTime, Utc};
use store_kit::{
    database::{Database, Limits},
    migrate,
};
use svc_content::store::{Revision, SCHEMA, Store};
use test_kit::{database::TestDatabase, keys::keys};
use tokio::task::JoinSet;

const WRITERS: i64 = 20;

/// Declares each test twice, on SQLite and on PostgreSQL.
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
    reads_back_the_last_revision_exactly,
    a_revision_has_one_row_and_its_latest_time,
    concurrent_starts_make_one_row,
    a_revision_outlives_the_store,
);

pub(crate) struct Bench {
    pub(crate) database: TestDatabase,
    pub(crate) open: Database,
    pub(crate) store: Store,
}

impl Bench {
    pub(crate) async fn of(database: TestDatabase) -> Self {
        let url = database.parsed_url();
        let open = Database::open(&url, Limits::default(), SCHEMA, &keys())
            .await
            .expect("a database");
        let store = Store::new(open.clone(), keys());
        Self {
            database,
            open,
            store,
        }
    }

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
    for _ in 0..2 {
        migrate::migrate(&url, &SCHEMA, &keys())
            .await
            .expect("a first migration, and a second one that does nothing");
    }
    let bench = promise(Bench::of(database).await).await;
    bench.open.close().await;
    bench.database.drop_if_exists().await;
}

fn loaded(revision: &str, second: i64) -> Revision {
    let at: DateTime<Utc> =
        DateTime::from_timestamp(1_763_700_000 + second, 123_456_789).expect("a time");
    Revision::new(revision, at)
}

async fn reads_back_the_last_revision_exactly(bench: Bench) -> Bench {
    assert_eq!(bench.store.latest().await.expect("an answer"), None);
    for revision in [loaded("aa", 0), loaded("bb", 1)] {
        bench
            .store
            .record(revision.clone())
            .await
            .expect("a record");
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
        bench
            .store
            .record(revision.clone())
            .await
            .expect("a record");
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
        let store = bench.store.clone();
        starts.spawn(async move { store.record(loaded("aa", second)).await });
    }
    for outcome in starts.join_all().await {
        outcome.expect("a record");
    }
    assert_eq!(bench.rows().await, 1);
    let latest = bench.store.latest().await.expect("an answer");
    assert_eq!(latest, Some(loaded("aa", WRITERS - 1)));
    bench
}

async fn a_revision_outlives_the_store(bench: Bench) -> Bench {
    bench.store.record(loaded("aa", 0)).await.expect("a record");
    bench.open.close().await;
    let bench = Bench::of(bench.database).await;
    assert_eq!(
        bench.store.latest().await.expect("an answer"),
        Some(loaded("aa", 0))
    );
    bench
}
