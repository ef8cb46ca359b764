//! Schema and setup shared by these suites.

use std::{marker::PhantomData, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use sqlx::migrate::Migrator;
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    keys::Keys,
    migrate::{Schema, migrate},
    sealed::{Digest, SealedTable},
    sql::{Row, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use test_kit::{database::TestDatabase, process::PATIENCE};

static SQLITE: Migrator = sqlx::migrate!("tests/migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("tests/migrations/postgres");

pub(crate) const PATIENTS: SealedTable = SealedTable {
    table: "patients",
    columns: &["name", "phone"],
    digests: &[Digest {
        column: "phone_index",
        of: "phone",
        make: phone_index,
    }],
};

pub(crate) fn phone_index(keys: &Keys, phone: &str) -> [u8; 32] {
    keys.digest("patients.phone", phone.as_bytes())
}

pub(crate) const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[],
    sealed: &[PATIENTS],
};

/// Generates a test on each database for every case.
macro_rules! on_both {
    ($($case:ident),+ $(,)?) => {
        $(
            mod $case {
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn sqlite() {
                    super::$case(&test_kit::database::TestDatabase::sqlite()).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn postgres() {
                    let database = crate::conformance::fixture::postgres().await;
                    super::$case(&database).await;
                    database.drop_if_exists().await;
                }
            }
        )+
    };
}
pub(crate) use on_both;

pub(crate) async fn postgres() -> TestDatabase {
    TestDatabase::postgres().await
}

/// Migrates and opens a database.
pub(crate) async fn open(database: &TestDatabase) -> Database {
    open_with(database, Limits::default(), &test_kit::keys::keys()).await
}

pub(crate) async fn open_with(database: &TestDatabase, limits: Limits, keys: &Keys) -> Database {
    let url = database.parsed_url();
    migrate(&url, &SCHEMA, keys).await.expect("a schema");
    Database::open(&url, limits, SCHEMA, keys)
        .await
        .expect("a database")
}

/// Returns the only value of a query, read by the code under test.
pub(crate) async fn value<T>(database: &Database, sql: &'static str) -> T
where
    (T,): Row,
{
    let row: (T,) = database
        .fetch_one("SELECT", sql, values![])
        .await
        .expect("a value");
    row.0
}

/// Runs statements without values through a unit of work.
pub(crate) async fn execute(
    database: &Database,
    statements: &'static [&'static str],
) -> Result<(), StoreError> {
    let run = unit(move |transaction| {
        Box::pin(async move {
            for statement in statements {
                transaction.execute(*statement, values![]).await?;
            }
            Ok(Decision::Commit(()))
        })
    });
    database.write("test", run).await
}

/// A unit of work from a closure.
pub(crate) struct Unit<F, T>(F, PhantomData<fn() -> T>);

pub(crate) fn unit<F, T>(run: F) -> Unit<F, T>
where
    F: for<'a, 'c> Fn(&'a mut Transaction<'c>) -> BoxFuture<'a, Result<Decision<T>, StoreError>>,
{
    Unit(run, PhantomData)
}

#[async_trait]
impl<F, T> UnitOfWork for Unit<F, T>
where
    F: for<'a, 'c> Fn(&'a mut Transaction<'c>) -> BoxFuture<'a, Result<Decision<T>, StoreError>>
        + Send
        + Sync
        + 'static,
    T: Send + 'static,
{
    type Outcome = T;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<T>, StoreError> {
        (self.0)(transaction).await
    }
}

/// A unit of work with a query that no database finishes.
pub(crate) fn endless() -> impl UnitOfWork<Outcome = i64> {
    const COUNT: &str = "\
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n FROM numbers) SELECT count(*) FROM numbers";
    unit(|transaction| {
        Box::pin(async move {
            let (count,): (i64,) = transaction.fetch_one(COUNT, values![]).await?;
            Ok(Decision::Commit(count))
        })
    })
}

/// Returns a fixed time plus `seconds`.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_000_000 + seconds, 0).expect("a moment")
}

/// Polls until the condition holds.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut is_so: impl FnMut() -> F) {
    let asked = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked)
        .await
        .unwrap_or_else(|_| panic!("never: {what}"));
}
