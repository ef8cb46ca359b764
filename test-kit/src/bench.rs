//! Bench for service tests: a private database, and the service running on it at a chosen time.

use std::{marker::PhantomData, sync::Arc};

use chrono::{DateTime, Utc};
use service_kit::source::{FixedClock, RandomIds};
use store_kit::{
    database::{Database, Limits},
    keys::Keys,
    migrate,
    process::{Context, Served, Service},
};
use tokio::sync::watch;

use crate::database::TestDatabase;

/// Runs each test, an `async fn(Bench<…>)`, on both databases. `$start` is a function such as [`empty`], an
/// `async fn(is_sqlite: bool) -> TestDatabase`.
#[macro_export]
macro_rules! on_both_databases {
    ($start:path: $($promise:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                let database = $start(true).await;
                super::$promise($crate::bench::Bench::open(database).await).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                let database = $start(false).await;
                super::$promise($crate::bench::Bench::open(database).await).await;
            })+
        }
    };
}

/// Creates an empty database, SQLite or PostgreSQL.
pub async fn empty(is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        TestDatabase::sqlite()
    } else {
        TestDatabase::postgres().await
    }
}

/// A database with the schema of a service.
#[derive(Debug)]
pub struct Bench<S> {
    pub test: TestDatabase,
    pub database: Database,
    pub keys: Keys,
    service: PhantomData<S>,
}

impl<S: Service> Bench<S> {
    /// Migrates twice, to check that a second migration succeeds, then opens the database.
    pub async fn open(test: TestDatabase) -> Self {
        let keys = crate::keys::keys();
        let url = test.parsed_url();
        for time in ["first", "second"] {
            migrate::migrate(&url, &S::SCHEMA, &keys)
                .await
                .unwrap_or_else(|error| panic!("the {time} migration: {error:?}"));
        }
        let database = Database::open(&url, Limits::default(), S::SCHEMA, &keys)
            .await
            .expect("a database");
        Self {
            test,
            database,
            keys,
            service: PhantomData,
        }
    }

    /// Closes and reopens the database, as a restart of the service does.
    pub async fn reopen(self) -> Self {
        self.database.close().await;
        Self::open(self.test).await
    }

    /// Returns the context in which the service starts on this database.
    pub fn context(&self, clock: Arc<FixedClock>, stopping: watch::Receiver<bool>) -> Context {
        Context {
            database: self.database.clone(),
            keys: self.keys.clone(),
            clock,
            ids: Arc::new(RandomIds),
            stopping,
            is_development: true,
        }
    }

    /// Starts the service with a clock fixed at `now`.
    pub async fn served(&self, arguments: &S::Arguments, now: DateTime<Utc>) -> Served {
        let (_, stopping) = watch::channel(false);
        let context = self.context(Arc::new(FixedClock::new(now)), stopping);
        S::start(arguments, &context).await.expect("a service")
    }

    /// Simulates a later migration: applies `change` and records a schema version that this build does not know.
    pub async fn migrate_further(&self, change: &'static str) {
        self.test.execute(change).await;
        self.test
            .execute(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (9999, 'later', true, '\\x00', 0)",
            )
            .await;
    }

    /// Checks that every sealed table has an index on `key_id`, as [`store_kit::sealed`] requires. Without it,
    /// readiness checks and key rotation scan the whole table. The cost would go unnoticed until the table is large.
    pub async fn sealed_tables_are_indexed(self) {
        for table in S::SCHEMA.sealed {
            let table = table.table;
            let indexes = if self.test.is_sqlite() {
                format!(
                    "SELECT count(*) FROM pragma_index_list('{table}') AS list, pragma_index_info(list.name) AS info \
                     WHERE info.seqno = 0 AND info.name = 'key_id'"
                )
            } else {
                format!(
                    "SELECT count(*) FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] \
                     WHERE indrelid = '{table}'::regclass AND attname = 'key_id'"
                )
            };
            assert_eq!(self.test.scalar(indexes.leak()).await, 1, "{table}");
        }
        self.end().await;
    }

    /// Closes and removes the database.
    pub async fn end(self) {
        self.database.close().await;
        self.test.drop_if_exists().await;
    }
}
