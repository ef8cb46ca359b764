//! Units of work are atomic under concurrency.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use futures::future::join_all;
use service_kit::deadline;
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    sql::Transaction,
    url::DatabaseKind,
    values,
    work::{Decision, UnitOfWork},
};
use test_kit::database::TestDatabase;
use tokio::{runtime::Handle, sync::Semaphore};
use tonic::{Code, Status};

use super::fixture::{endless, on_both, open, open_with, unit};

on_both!(
    a_unit_is_committed_or_rolled_back_as_decided,
    a_failing_or_panicking_unit_affects_no_other,
    a_unit_whose_caller_has_gone_is_not_run,
    units_beyond_the_queue_limit_are_refused,
    an_endless_unit_times_out,
    closing_finishes_accepted_units,
    readiness_follows_the_database,
);

/// How a [`Hold`] ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum End {
    Commit,
    Rollback,
    Fail,
    Panic,
}

/// Takes a seat.
struct Hold {
    seat: String,
    end: End,
}

impl Hold {
    fn new(seat: &str, end: End) -> Self {
        Self {
            seat: seat.to_owned(),
            end,
        }
    }
}

#[async_trait]
impl UnitOfWork for Hold {
    type Outcome = End;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<End>, StoreError> {
        const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ($1, $2)";
        transaction
            .execute(INSERT, values![&self.seat, "somebody"])
            .await?;
        match self.end {
            End::Commit => Ok(Decision::Commit(self.end)),
            End::Rollback => Ok(Decision::Rollback(self.end)),
            End::Fail => Err(StoreError::IdentifiersTaken),
            End::Panic => panic!("injected"),
        }
    }
}

async fn seats(database: &Database) -> Vec<String> {
    let rows: Vec<(String,)> = database
        .fetch_all(
            "SELECT seats",
            "SELECT seat FROM seats ORDER BY seat",
            values![],
        )
        .await
        .expect("seats");
    rows.into_iter().map(|row| row.0).collect()
}

/// Holds the only writer (PostgreSQL: the only connection) until `until` has a permit. Returns once it is held.
async fn occupy(database: &Database, until: &Arc<Semaphore>) -> tokio::task::JoinHandle<()> {
    let held = Arc::new(Semaphore::new(0));
    let (database, until, holds) = (database.clone(), Arc::clone(until), Arc::clone(&held));
    let runtime = Handle::current();
    let occupied = tokio::spawn(async move {
        let wait = unit(move |transaction| {
            let (until, holds) = (Arc::clone(&until), Arc::clone(&holds));
            let (runtime, kind) = (runtime.clone(), transaction.kind());
            Box::pin(async move {
                holds.add_permits(1);
                drop(match kind {
                    // A unit of the writer runs in its thread and must not wait for anything asynchronously.
                    DatabaseKind::Sqlite => runtime.block_on(until.acquire()),
                    DatabaseKind::Postgres => until.acquire().await,
                });
                Ok(Decision::Rollback(()))
            })
        });
        let written = database.write("occupy", wait);
        deadline::scope(Duration::from_secs(20), written)
            .await
            .expect("it ends");
    });
    held.acquire().await.expect("it is held").forget();
    occupied
}

async fn a_unit_is_committed_or_rolled_back_as_decided(database: &TestDatabase) {
    let database = open(database).await;
    for (seat, end) in [("kept", End::Commit), ("undone", End::Rollback)] {
        let outcome = database.write("test", Hold::new(seat, end)).await;
        assert_eq!(outcome.expect("an outcome"), end);
    }
    let failed = database.write("test", Hold::new("failed", End::Fail)).await;
    assert!(matches!(failed, Err(StoreError::IdentifiersTaken)));
    let panicked = database
        .write("test", Hold::new("panicked", End::Panic))
        .await;
    assert!(matches!(panicked, Err(StoreError::Panicked)));
    let twice = database.write("test", Hold::new("kept", End::Commit)).await;
    assert!(twice.expect_err("a second one").is_unique_violation());
    assert_eq!(seats(&database).await, ["kept"]);
}

async fn a_failing_or_panicking_unit_affects_no_other(database: &TestDatabase) {
    const ENDS: [End; 4] = [End::Commit, End::Fail, End::Panic, End::Rollback];
    let database = open(database).await;
    let writes = (0..200).map(|number| {
        let hold = Hold::new(&format!("{number:03}"), ENDS[number % 4]);
        database.write("test", hold)
    });
    let outcomes = join_all(writes).await;
    for (number, outcome) in outcomes.into_iter().enumerate() {
        match ENDS[number % 4] {
            End::Fail => assert!(matches!(outcome, Err(StoreError::IdentifiersTaken))),
            End::Panic => assert!(matches!(outcome, Err(StoreError::Panicked))),
            end => assert_eq!(outcome.expect("an outcome"), end),
        }
    }
    let kept: Vec<_> = (0..200)
        .step_by(4)
        .map(|number| format!("{number:03}"))
        .collect();
    assert_eq!(seats(&database).await, kept);
}

async fn a_unit_whose_caller_has_gone_is_not_run(database: &TestDatabase) {
    let limits = Limits {
        connections_max: 1,
        ..Limits::default()
    };
    let database = open_with(database, limits, &test_kit::keys::keys()).await;
    let until = Arc::new(Semaphore::new(0));
    let occupied = occupy(&database, &until).await;
    let has_run = Arc::new(AtomicBool::new(false));
    let ran = Arc::clone(&has_run);
    let late = unit(move |_| {
        ran.store(true, Ordering::SeqCst);
        Box::pin(async { Ok(Decision::Commit(())) })
    });
    let written = database.write("late", late);
    let given_up = deadline::scope(Duration::from_millis(100), written).await;
    let error = given_up.expect_err("nobody's turn");
    assert!(matches!(error, StoreError::Deadline), "{error:?}");
    assert_eq!(Status::from(error).code(), Code::DeadlineExceeded);
    until.add_permits(1);
    occupied.await.expect("the first one");
    database
        .write("test", Hold::new("after", End::Commit))
        .await
        .expect("a turn");
    assert!(!has_run.load(Ordering::SeqCst));
}

async fn units_beyond_the_queue_limit_are_refused(database: &TestDatabase) {
    let limits = Limits {
        connections_max: 1,
        write_queue_max: 4,
        write_batch_max: 2,
    };
    let database = open_with(database, limits, &test_kit::keys::keys()).await;
    let until = Arc::new(Semaphore::new(0));
    let occupied = occupy(&database, &until).await;
    let refused = AtomicUsize::new(0);
    let writes = (0..20).map(async |number| {
        let written = database.write("test", Hold::new(&number.to_string(), End::Commit));
        match deadline::scope(Duration::from_secs(20), written).await {
            Ok(_) => {}
            Err(error) => {
                if database.kind() == DatabaseKind::Sqlite {
                    assert!(matches!(error, StoreError::Busy), "{error:?}");
                }
                assert_eq!(Status::from(error).code(), Code::Unavailable);
                refused.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    // PostgreSQL's pool refuses after three seconds, SQLite's queue immediately.
    let release = async {
        super::fixture::until("somebody is refused", async || {
            refused.load(Ordering::SeqCst) > 0
        })
        .await;
        until.add_permits(1);
    };
    tokio::join!(join_all(writes), release);
    occupied.await.expect("the first one");
    let kept = seats(&database).await.len();
    assert_eq!(kept + refused.load(Ordering::SeqCst), 20);
}

async fn an_endless_unit_times_out(database: &TestDatabase) {
    let limits = Limits {
        connections_max: 1,
        ..Limits::default()
    };
    let database = open_with(database, limits, &test_kit::keys::keys()).await;
    let written = deadline::scope(
        Duration::from_millis(50),
        database.write("endless", endless()),
    )
    .await;
    assert!(matches!(written, Err(StoreError::Deadline)));
    let next = database.write("test", Hold::new("next", End::Commit));
    deadline::scope(Duration::from_secs(10), next)
        .await
        .expect("the next one has its turn");
}

/// The writer would otherwise keep all others waiting.
#[tokio::test]
async fn a_unit_of_the_writer_must_not_wait() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    let waits = unit(|transaction| {
        Box::pin(async move {
            const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ('waits', 'nobody')";
            transaction.execute(INSERT, values![]).await?;
            tokio::task::yield_now().await;
            Ok(Decision::Commit(()))
        })
    });
    let (waited, mate) = tokio::join!(
        database.write("waits", waits),
        database.write("test", Hold::new("mate", End::Commit)),
    );
    assert!(matches!(waited, Err(StoreError::Waited)), "{waited:?}");
    mate.expect("it was not concerned");
    assert_eq!(seats(&database).await, ["mate"]);
}

async fn closing_finishes_accepted_units(database: &TestDatabase) {
    let test = database;
    let database = open(test).await;
    let writes =
        (0..50).map(|number| database.write("test", Hold::new(&number.to_string(), End::Commit)));
    // All writes are polled before the close.
    let (outcomes, ()) = tokio::join!(join_all(writes), database.close());
    let kept = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    if database.kind() == DatabaseKind::Sqlite {
        assert_eq!(kept, 50);
    }
    for error in outcomes.into_iter().filter_map(Result::err) {
        assert_eq!(Status::from(error).code(), Code::Unavailable);
    }
    let stored = test.scalar("SELECT count(*) FROM seats").await;
    assert_eq!(usize::try_from(stored).expect("a count"), kept);
    let after = database
        .write("test", Hold::new("after", End::Commit))
        .await;
    assert_eq!(
        Status::from(after.expect_err("the end")).code(),
        Code::Unavailable
    );
    database.ready().await.expect_err("the end");
}

async fn readiness_follows_the_database(database: &TestDatabase) {
    let test = database;
    let database = open(test).await;
    database.ready().await.expect("ready");
    let disturbance = test.disturb().await;
    let error = database.ready().await.expect_err("disturbed");
    assert_eq!(Status::from(error).code(), Code::Unavailable);
    test.repair(disturbance).await;
    super::fixture::until("ready again", async || database.ready().await.is_ok()).await;
    database
        .write("test", Hold::new("after", End::Commit))
        .await
        .expect("it writes again");
}

/// Panics outside the handling of a unit's panics, which brings the writer down.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("injected");
    }
}

#[async_trait]
impl UnitOfWork for PanicsWhenDropped {
    type Outcome = ();

    async fn run(&self, _: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        Ok(Decision::Commit(()))
    }
}

#[tokio::test]
async fn a_panicked_writer_restarts() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    for number in 0..5 {
        let (_, mate) = tokio::join!(
            database.write("panic", PanicsWhenDropped),
            database.write("test", Hold::new(&format!("mate {number}"), End::Commit)),
        );
        // It was in the same batch: its commit is uncertain, and the caller may retry.
        if let Err(error) = mate {
            assert_eq!(Status::from(error).code(), Code::Unavailable);
        }
        database.ready().await.expect("ready");
        let next = Hold::new(&format!("next {number}"), End::Commit);
        database.write("test", next).await.expect("it writes again");
    }
    database.close().await;
    let stored = test
        .scalar("SELECT count(*) FROM seats WHERE seat LIKE 'next%'")
        .await;
    assert_eq!(stored, 5);
}
