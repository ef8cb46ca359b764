//! Concurrent units of work: PostgreSQL retries conflicting ones, SQLite runs them one at a time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use futures::future::join_all;
use service_kit::deadline;
use store_kit::{
    error::StoreError,
    sql::Transaction,
    url::DatabaseKind,
    values,
    work::{Decision, UnitOfWork},
};
use test_kit::database::TestDatabase;
use tokio::sync::Barrier;

use super::fixture::{execute, on_both, open, postgres, value};

on_both!(the_loser_of_a_race_reads_the_winner, a_deadlock_is_retried);

/// Waits a moment for the other units. SQLite runs one at a time, so there no other arrives.
async fn meet(kind: DatabaseKind, others: &Barrier) {
    if kind == DatabaseKind::Postgres {
        drop(tokio::time::timeout(Duration::from_millis(200), others.wait()).await);
    }
}

/// Reads, lets all others read, and takes the seat if it was free.
struct Race {
    me: String,
    everybody: Arc<Barrier>,
    is_first_try: AtomicBool,
}

#[async_trait]
impl UnitOfWork for Race {
    type Outcome = String;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<String>, StoreError> {
        const FIND: &str = "SELECT holder FROM seats WHERE seat = 'last'";
        const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ('last', $1)";
        let holder: Option<(String,)> = transaction.fetch_optional(FIND, values![]).await?;
        if self.is_first_try.swap(false, Ordering::SeqCst) {
            meet(transaction.kind(), &self.everybody).await;
        }
        if let Some((holder,)) = holder {
            return Ok(Decision::Rollback(holder));
        }
        transaction.execute(INSERT, values![&self.me]).await?;
        Ok(Decision::Commit(self.me.clone()))
    }
}

async fn the_loser_of_a_race_reads_the_winner(database: &TestDatabase) {
    let database = open(database).await;
    let everybody = Arc::new(Barrier::new(8));
    let races = (0..8).map(|number| {
        let race = Race {
            me: format!("visitor {number}"),
            everybody: Arc::clone(&everybody),
            is_first_try: AtomicBool::new(true),
        };
        database.write("race", race)
    });
    let holders: Vec<_> = join_all(races)
        .await
        .into_iter()
        .map(|outcome| outcome.expect("an answer"))
        .collect();
    let winner: String = value(&database, "SELECT holder FROM seats").await;
    assert_eq!(holders, vec![winner; 8]);
}

/// Counts a table's rows after waiting for a lock, and adds one.
struct CountBehindLock {
    me: &'static str,
    both: Arc<Barrier>,
}

#[async_trait]
impl UnitOfWork for CountBehindLock {
    type Outcome = i64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<i64>, StoreError> {
        const COUNT: &str = "SELECT count(*) FROM seats";
        const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ($1, 'visitor')";
        // A stricter isolation level would take its snapshot here, before the lock is held.
        let (_,): (i64,) = transaction.fetch_one(COUNT, values![]).await?;
        self.both.wait().await;
        transaction.lock("seats").await?;
        let (rows,): (i64,) = transaction.fetch_one(COUNT, values![]).await?;
        transaction.execute(INSERT, values![self.me]).await?;
        Ok(Decision::Commit(rows))
    }
}

/// B8: units of work read committed rows, whatever the default isolation level of the server or of the role.
#[tokio::test]
async fn a_waiter_reads_what_the_last_lock_holder_committed() {
    const STRICTER: &str = "DO $do$ BEGIN EXECUTE format( \
        'ALTER DATABASE %I SET default_transaction_isolation = $$repeatable read$$', current_database()); END $do$";
    let test = postgres().await;
    open(&test).await.close().await;
    test.execute(STRICTER).await;
    let database = open(&test).await;
    let both = Arc::new(Barrier::new(2));
    let count = |me| {
        let both = Arc::clone(&both);
        database.write("count", CountBehindLock { me, both })
    };
    let (here, there) = tokio::join!(count("here"), count("there"));
    let mut rows = [here.expect("counted"), there.expect("counted")];
    rows.sort_unstable();
    assert_eq!(rows, [0, 1]);
    database.close().await;
    test.drop_if_exists().await;
}

/// Writes two rows in sequence.
struct Cross {
    accounts: [i64; 2],
    both: Arc<Barrier>,
    is_first_try: AtomicBool,
}

#[async_trait]
impl UnitOfWork for Cross {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const ADD: &str = "UPDATE accounts SET balance = balance + 1 WHERE id = $1";
        transaction.execute(ADD, values![self.accounts[0]]).await?;
        if self.is_first_try.swap(false, Ordering::SeqCst) {
            meet(transaction.kind(), &self.both).await;
        }
        transaction.execute(ADD, values![self.accounts[1]]).await?;
        Ok(Decision::Commit(()))
    }
}

async fn a_deadlock_is_retried(database: &TestDatabase) {
    let database = open(database).await;
    execute(
        &database,
        &["INSERT INTO accounts (id, balance) VALUES (1, 0), (2, 0)"],
    )
    .await
    .expect("accounts");
    let both = Arc::new(Barrier::new(2));
    let cross = |accounts| Cross {
        accounts,
        both: Arc::clone(&both),
        is_first_try: AtomicBool::new(true),
    };
    // PostgreSQL checks for deadlocks after a second, and a busy machine adds to that.
    let patiently = |write| deadline::scope(Duration::from_secs(20), write);
    let (here, there) = tokio::join!(
        patiently(database.write("cross", cross([1, 2]))),
        patiently(database.write("cross", cross([2, 1]))),
    );
    here.expect("one way");
    there.expect("the other way");
    let least: i64 = value(&database, "SELECT min(balance) FROM accounts").await;
    assert_eq!(least, 2);
}
