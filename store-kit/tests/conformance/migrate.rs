//! Schema migrations run in order, also with two concurrent migrators, and tolerate a rollback to an older build.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use futures::future::join_all;
use sqlx::{
    Connection as _, PgConnection, SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    keys::Keys,
    migrate::{Backfill, Schema, migrate},
    sql::Transaction,
    url::DatabaseKind,
    values,
};
use test_kit::{database::TestDatabase, keys::keys};
use tonic::{Code, Status};

use super::fixture::{SCHEMA, execute, on_both, open, postgres, value};

on_both!(
    starts_on_a_newer_schema,
    an_older_schema_is_migrated_or_reported,
    concurrent_migrators_migrate_once,
    a_backfill_runs_once_and_resumes,
    a_changed_migration_is_refused,
);

/// Returns the schema of a later build: the fixture's plus these migrations, for both databases.
fn later(
    migrations: &[(i64, &'static str, &'static str)],
    backfills: &'static [&'static dyn Backfill],
) -> Schema {
    let of = |base: &Migrator, sql: fn(&(i64, &'static str, &'static str)) -> &'static str| {
        let mut all: Vec<_> = base.iter().cloned().collect();
        all.extend(migrations.iter().map(|migration| {
            let text = sql(migration);
            let no_transaction = text.starts_with("-- no-transaction");
            let kind = MigrationType::Simple;
            Migration::new(
                migration.0,
                "later".into(),
                kind,
                text.into_sql_str(),
                no_transaction,
            )
        }));
        &*Box::leak(Box::new(Migrator::with_migrations(all)))
    };
    Schema {
        sqlite: of(SCHEMA.sqlite, |migration| migration.1),
        postgres: of(SCHEMA.postgres, |migration| migration.2),
        backfills,
        sealed: SCHEMA.sealed,
    }
}

const ADD_COLUMN: &str = "ALTER TABLE seats ADD COLUMN price bigint NOT NULL DEFAULT 0";
const ADD_COLUMN_SQLITE: &str = "ALTER TABLE seats ADD COLUMN price INTEGER NOT NULL DEFAULT 0";

async fn opened(test: &TestDatabase, schema: Schema) -> Result<Database, StoreError> {
    Database::open(&test.parsed_url(), Limits::default(), schema, &keys()).await
}

async fn starts_on_a_newer_schema(test: &TestDatabase) {
    let newer = later(&[(2, ADD_COLUMN_SQLITE, ADD_COLUMN)], &[]);
    migrate(&test.parsed_url(), &newer, &keys())
        .await
        .expect("a newer schema");
    let database = opened(test, newer).await.expect("a newer build");
    database.ready().await.expect("ready");
    // The later build also had a newer kit.
    execute(
        &database,
        &["INSERT INTO _store_kit_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'later', true, '', 0)"],
    )
    .await
    .expect("a later kit");
    database.close().await;
    for _ in 0..2 {
        migrate(&test.parsed_url(), &SCHEMA, &keys())
            .await
            .expect("nothing to do");
        let database = opened(test, SCHEMA).await.expect("it starts");
        database.ready().await.expect("ready");
        database.close().await;
    }
    let database = opened(test, SCHEMA).await.expect("it starts");
    execute(
        &database,
        &["INSERT INTO seats (seat, holder) VALUES ('a', 'b')"],
    )
    .await
    .expect("it works");
    assert_eq!(test.scalar("SELECT price FROM seats").await, 0);
}

async fn an_older_schema_is_migrated_or_reported(test: &TestDatabase) {
    let url = test.parsed_url();
    let told = async |schema, missing: &str| {
        if url.kind() == DatabaseKind::Sqlite {
            return;
        }
        let database = opened(test, schema).await.expect("it starts");
        let error = database.ready().await.expect_err("an older schema");
        assert!(
            matches!(&error, StoreError::NotMigrated { missing: found } if found == missing),
            "{error:?}"
        );
        assert!(error.to_string().contains("`migrate`"));
        assert_eq!(Status::from(error).code(), Code::Unavailable);
        database.close().await;
    };
    told(SCHEMA, "store-kit migration 5").await;
    open(test).await.close().await;
    let newer = later(&[(2, ADD_COLUMN_SQLITE, ADD_COLUMN)], &[]);
    told(newer, "migration 2").await;
    if url.kind() == DatabaseKind::Postgres {
        migrate(&url, &newer, &keys())
            .await
            .expect("a newer schema");
    }
    let database = opened(test, newer).await.expect("it starts");
    database.ready().await.expect("ready");
    let count: i64 = value(&database, "SELECT count(price) FROM seats").await;
    assert_eq!(count, 0);
}

async fn concurrent_migrators_migrate_once(test: &TestDatabase) {
    const SLOW_SQLITE: &str = "\
INSERT INTO seats (seat, holder) SELECT 'made', count(*) FROM \
(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000000) SELECT n FROM numbers)";
    const SLOW: &str = "INSERT INTO seats (seat, holder) SELECT 'made', pg_sleep(1)::text";
    // Waits for every older snapshot, but not for a migrator that waits for it.
    const INDEX: &str =
        "-- no-transaction\nCREATE INDEX CONCURRENTLY seats_holder ON seats (holder)";
    const INDEX_SQLITE: &str = "CREATE INDEX seats_holder ON seats (holder)";
    let schema = later(
        &[
            (2, SLOW_SQLITE, SLOW),
            (3, INDEX_SQLITE, INDEX),
            (4, ADD_COLUMN_SQLITE, ADD_COLUMN),
        ],
        &[],
    );
    let (url, keys) = (test.parsed_url(), keys());
    for outcome in join_all((0..4).map(|_| migrate(&url, &schema, &keys))).await {
        outcome.expect("a schema");
    }
    assert_eq!(
        test.scalar("SELECT count(*) FROM _sqlx_migrations WHERE success")
            .await,
        4
    );
    assert_eq!(test.scalar("SELECT count(*) FROM seats").await, 1);
}

/// An index on a large table may take arbitrarily long, and so may waiting for the table's users.
#[tokio::test]
async fn a_migration_has_no_time_limit() {
    let test = postgres().await;
    let database = open(&test).await;
    // The server's own limits must not apply either.
    execute(
        &database,
        &["DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 1000', current_database()); \
           EXECUTE format('ALTER DATABASE %I SET lock_timeout = 1000', current_database()); END $$"],
    )
    .await
    .expect("limits");
    let mut user = PgConnection::connect(&test.url)
        .await
        .expect("a connection");
    sqlx::raw_sql("BEGIN; LOCK TABLE seats IN ACCESS EXCLUSIVE MODE")
        .execute(&mut user)
        .await
        .expect("a lock");
    let schema = later(&[(2, "", "SELECT pg_sleep(5)"), (3, "", ADD_COLUMN)], &[]);
    let (url, keys) = (test.parsed_url(), keys());
    let (migrated, ()) = tokio::join!(migrate(&url, &schema, &keys), async {
        tokio::time::sleep(std::time::Duration::from_secs(9)).await;
        user.close().await.expect("its end");
    });
    migrated.expect("a schema");
    assert_eq!(
        test.scalar("SELECT count(*) FROM _sqlx_migrations WHERE success")
            .await,
        3
    );
    test.drop_if_exists().await;
}

/// Renames ten seats per step, and counts them in `accounts`.
#[derive(Debug)]
struct Rename {
    steps: AtomicUsize,
    fails_at: AtomicUsize,
}

#[async_trait]
impl Backfill for Rename {
    fn name(&self) -> &'static str {
        "rename-holders"
    }

    async fn step(&self, transaction: &mut Transaction<'_>, _: &Keys) -> Result<usize, StoreError> {
        const RENAME: &str = "\
UPDATE seats SET holder = 'new' WHERE seat IN (SELECT seat FROM seats WHERE holder = 'old' ORDER BY seat LIMIT 10)";
        const COUNT: &str = "UPDATE accounts SET balance = balance + $1";
        let rows = transaction.execute(RENAME, values![]).await?;
        let count = i64::try_from(rows).expect("ten");
        transaction.execute(COUNT, values![count]).await?;
        if self.steps.fetch_add(1, Ordering::SeqCst) == self.fails_at.load(Ordering::SeqCst) {
            return Err(StoreError::IdentifiersTaken);
        }
        Ok(usize::try_from(rows).expect("ten"))
    }
}

async fn a_backfill_runs_once_and_resumes(test: &TestDatabase) {
    let rename: &'static Rename = Box::leak(Box::new(Rename {
        steps: AtomicUsize::new(0),
        fails_at: AtomicUsize::new(2),
    }));
    let backfills: &'static [&'static dyn Backfill] =
        Box::leak(Box::new([rename as &dyn Backfill]));
    let schema = later(&[], backfills);
    let (url, keys) = (test.parsed_url(), keys());
    let database = open(test).await;
    for number in 0..45_i64 {
        let seat = super::fixture::unit(move |transaction| {
            Box::pin(async move {
                const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ($1, 'old')";
                transaction
                    .execute(INSERT, values![format!("{number:02}")])
                    .await?;
                Ok(store_kit::work::Decision::Commit(()))
            })
        });
        database.write("seat", seat).await.expect("a seat");
    }
    execute(
        &database,
        &["INSERT INTO accounts (id, balance) VALUES (1, 0)"],
    )
    .await
    .expect("a count");
    database.close().await;
    let renamed = async || {
        test.scalar("SELECT count(*) FROM seats WHERE holder = 'new'")
            .await
    };
    let counted = async || test.scalar("SELECT balance FROM accounts").await;

    migrate(&url, &schema, &keys)
        .await
        .expect_err("the third step fails");
    assert_eq!(
        (renamed().await, counted().await),
        (20, 20),
        "two steps are kept, the third is not"
    );
    let pending = async {
        let database = opened(test, schema).await?;
        database.ready().await
    };
    if url.kind() == DatabaseKind::Postgres {
        let error = pending.await.expect_err("it is not done");
        assert!(
            matches!(error, StoreError::NotMigrated { missing } if missing == "backfill rename-holders")
        );
    }
    rename.fails_at.store(usize::MAX, Ordering::SeqCst);
    for outcome in join_all((0..3).map(|_| migrate(&url, &schema, &keys))).await {
        outcome.expect("the rest");
    }
    assert_eq!((renamed().await, counted().await), (45, 45));
    // Three earlier steps, three of ten or five rows, one that finds none.
    assert_eq!(rename.steps.load(Ordering::SeqCst), 7);
    let database = opened(test, schema).await.expect("it starts");
    database.ready().await.expect("ready");
    execute(
        &database,
        &["UPDATE seats SET holder = 'old' WHERE seat = '00'"],
    )
    .await
    .expect("later");
    migrate(&url, &schema, &keys).await.expect("nothing to do");
    assert_eq!(renamed().await, 44, "completed work is not repeated");
}

async fn a_changed_migration_is_refused(test: &TestDatabase) {
    let url = test.parsed_url();
    let first = later(&[(2, ADD_COLUMN_SQLITE, ADD_COLUMN)], &[]);
    migrate(&url, &first, &keys()).await.expect("a schema");
    let changed = later(&[(2, "SELECT 1", "SELECT 1")], &[]);
    let error = migrate(&url, &changed, &keys())
        .await
        .expect_err("it was changed");
    assert!(matches!(error, StoreError::Migrate(_)), "{error:?}");
    // The next migrator must not find it locked.
    migrate(&url, &first, &keys()).await.expect("nothing to do");
}
