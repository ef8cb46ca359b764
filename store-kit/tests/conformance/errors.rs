//! gRPC statuses of errors from real databases.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use service_kit::deadline;
use sqlx::{Connection as _, PgConnection};
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    keys::SealError,
    migrate::migrate,
    values,
    work::Decision,
};
use test_kit::{database::TestDatabase, keys};
use tonic::{Code, Status};

use super::{
    files::assert_storage_full,
    fixture::{self, SCHEMA, execute, on_both, open, postgres, unit},
};

on_both!(program_errors_are_internal);

fn code(error: StoreError) -> Code {
    let status = Status::from(error);
    for secret in ["canary", "INSERT", "seats"] {
        assert!(!status.message().contains(secret), "{}", status.message());
    }
    status.code()
}

/// Runs a call with a deadline longer than any limit of the database.
async fn patiently<T>(call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    deadline::scope(Duration::from_secs(25), call).await
}

async fn program_errors_are_internal(database: &TestDatabase) {
    let database = open(database).await;
    for statements in [
        &[
            "INSERT INTO seats (seat, holder) VALUES ('canary', 'a')",
            "INSERT INTO seats (seat, holder) VALUES ('canary', 'b')",
        ][..],
        &["INSERT INTO seats (seat) VALUES ('canary')"],
        &["INSERT INTO seats VALUES ('canary'"],
        &["UPDATE canary SET seat = 1"],
    ] {
        let error = execute(&database, statements).await.expect_err("refused");
        assert!(!error.is_unavailable(), "{error:?}");
        assert_eq!(code(error), Code::Internal);
    }
}

/// SQLSTATEs that a server returns for reasons of its own, raised by a real server.
#[tokio::test]
async fn every_postgres_error_class_has_a_status() {
    macro_rules! raise {
        ($($code:literal => $answer:ident),+ $(,)?) => {
            [$((
                $code,
                concat!("DO $$ BEGIN RAISE EXCEPTION 'canary' USING ERRCODE = '", $code, "'; END $$"),
                Code::$answer,
            )),+]
        };
    }
    // https://www.postgresql.org/docs/current/errcodes-appendix.html
    let cases = raise![
        "57014" => DeadlineExceeded, "55P03" => DeadlineExceeded,
        "08006" => Unavailable, "08001" => Unavailable, "3D000" => Unavailable, "40001" => Unavailable,
        "40P01" => Unavailable, "53100" => Unavailable, "53200" => Unavailable, "53300" => Unavailable,
        "55000" => Unavailable, "57P01" => Unavailable, "57P03" => Unavailable, "58030" => Unavailable,
        "22003" => Internal, "22021" => Internal, "23502" => Internal, "23503" => Internal,
        "23505" => Internal, "23514" => Internal, "25006" => Internal, "28P01" => Internal,
        "42601" => Internal, "42P01" => Internal, "42501" => Internal, "P0001" => Internal, "XX000" => Internal,
    ];
    let test = postgres().await;
    let database = open(&test).await;
    for (sqlstate, statement, answer) in cases {
        let tries = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&tries);
        let raise = unit(move |transaction| {
            counted.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move {
                transaction.execute(statement, values![]).await?;
                Ok(Decision::Commit(()))
            })
        });
        let error = database.write("raise", raise).await.expect_err("raised");
        if sqlstate == "53100" {
            assert_storage_full(&Status::from(error.clone()));
        }
        assert_eq!(code(error), answer, "{sqlstate}");
        // Only a conflict with another transaction is retried, five attempts in all.
        let is_conflict = ["40001", "40P01", "23505"].contains(&sqlstate);
        let expected = if is_conflict { 5 } else { 1 };
        assert_eq!(tries.load(Ordering::SeqCst), expected, "{sqlstate}");
    }
    database.ready().await.expect("ready");
    test.drop_if_exists().await;
}

#[tokio::test]
async fn postgres_cancels_slow_statements() {
    let test = postgres().await;
    let database = open(&test).await;
    execute(
        &database,
        &["INSERT INTO accounts (id, balance) VALUES (1, 0)"],
    )
    .await
    .expect("an account");
    let mut holder = PgConnection::connect(&test.url)
        .await
        .expect("a connection");
    sqlx::raw_sql("BEGIN; UPDATE accounts SET balance = 1")
        .execute(&mut holder)
        .await
        .expect("a lock");
    let (slept, waited) = tokio::join!(
        patiently(execute(&database, &["SELECT pg_sleep(60)"])),
        patiently(execute(&database, &["UPDATE accounts SET balance = 2"])),
    );
    for (ended, sqlstate) in [(slept, "57014"), (waited, "55P03")] {
        let error = ended.expect_err("ended");
        assert!(format!("{error:?}").contains(sqlstate), "{error:?}");
        assert_eq!(code(error), Code::DeadlineExceeded);
    }
    holder.close().await.expect("its end");
    test.drop_if_exists().await;
}

#[tokio::test]
async fn a_lost_database_is_unavailable() {
    let test = postgres().await;
    let database = open(&test).await;
    let killed = execute(
        &database,
        &["SELECT pg_terminate_backend(pg_backend_pid())"],
    )
    .await;
    assert_eq!(code(killed.expect_err("killed")), Code::Unavailable);
    database.ready().await.expect("another connection");
    test.drop_if_exists().await;
    fixture::until("the connections are gone", async || {
        execute(&database, &["SELECT 1"]).await.is_err()
    })
    .await;
    let error = execute(&database, &["SELECT 1"])
        .await
        .expect_err("dropped");
    assert_eq!(code(error), Code::Unavailable);
}

#[tokio::test]
async fn an_unreachable_server_is_unavailable() {
    // A port that was just in use, where nothing listens now.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let port = listener.local_addr().expect("a port").port();
    drop(listener);
    let url = format!("postgres://nobody@127.0.0.1:{port}/nothing")
        .parse()
        .expect("a URL");
    let database = Database::open(&url, Limits::default(), SCHEMA, &keys::keys())
        .await
        .expect("it starts while its database is away");
    for error in [
        patiently(execute(&database, &["SELECT 1"]))
            .await
            .expect_err("away"),
        database.ready().await.expect_err("away"),
    ] {
        assert!(error.is_unavailable(), "{error:?}");
        assert_eq!(code(error), Code::Unavailable);
    }
    let error = migrate(&url, &SCHEMA, &keys::keys())
        .await
        .expect_err("away");
    assert_eq!(code(error), Code::Unavailable);
}

#[tokio::test]
async fn a_file_locked_by_another_writer_is_unavailable() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    let disturbance = test.disturb().await;
    let error = patiently(execute(&database, &["DELETE FROM seats"]))
        .await
        .expect_err("locked");
    assert!(matches!(&error, StoreError::Database(cause)
        if cause.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() == Some("5")));
    assert_eq!(code(error), Code::Unavailable);
    test.repair(disturbance).await;
}

/// While the writer waits for the lock, a later call waits for that attempt first. It gets the error before its own
/// deadline.
#[tokio::test]
async fn calls_queued_behind_a_locked_file_fail_before_their_deadline() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    let disturbance = test.disturb().await;
    let late = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        execute(&database, &["DELETE FROM seats"]).await
    };
    let (first, late) = tokio::join!(execute(&database, &["DELETE FROM seats"]), late);
    for refused in [first, late] {
        assert_eq!(code(refused.expect_err("locked")), Code::Unavailable);
    }
    test.repair(disturbance).await;
}

/// Covers errors that do not come from a database; the compiler keeps the list complete.
#[test]
fn every_other_error_has_a_status() {
    let expected = |error: &StoreError| match error {
        StoreError::Busy | StoreError::Stopped | StoreError::NotMigrated { .. } => {
            Code::Unavailable
        }
        StoreError::Deadline => Code::DeadlineExceeded,
        StoreError::File { .. }
        | StoreError::Migrate(_)
        | StoreError::Database(_)
        | StoreError::Waited
        | StoreError::Panicked
        | StoreError::Sealed(_)
        | StoreError::Corrupt { .. }
        | StoreError::TooLarge { .. }
        | StoreError::IdentifiersTaken => Code::Internal,
    };
    for error in [
        StoreError::Busy,
        StoreError::Stopped,
        StoreError::NotMigrated {
            missing: "migration 2".into(),
        },
        StoreError::Deadline,
        StoreError::File {
            path: PathBuf::from("canary"),
            source: Arc::new(std::io::Error::other("canary")),
        },
        sqlx::migrate::MigrateError::VersionMismatch(1).into(),
        sqlx::Error::RowNotFound.into(),
        StoreError::Panicked,
        SealError::UnknownKey("canary".into()).into(),
        SealError::Broken.into(),
        StoreError::Corrupt { column: "canary" },
        StoreError::TooLarge {
            what: "canary",
            bytes: 2,
            bytes_max: 1,
        },
        StoreError::IdentifiersTaken,
    ] {
        let answer = expected(&error);
        assert_eq!(code(error.clone()), answer, "{error:?}");
    }
    for error in [
        sqlx::Error::PoolTimedOut,
        sqlx::Error::PoolClosed,
        sqlx::Error::WorkerCrashed,
        sqlx::Error::Io(std::io::ErrorKind::ConnectionRefused.into()),
    ] {
        assert_eq!(code(error.into()), Code::Unavailable);
    }
}

#[tokio::test]
async fn a_file_that_is_not_a_database_fails_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    std::fs::write(
        &path,
        "no database, but a text that is long enough ".repeat(50),
    )
    .expect("a file");
    for url in [
        format!("sqlite:{}", path.display()),
        format!("sqlite:{}/below/test.db", path.display()),
    ] {
        let url = url.parse().expect("a URL");
        let opened = Database::open(&url, Limits::default(), SCHEMA, &keys::keys()).await;
        assert_eq!(code(opened.expect_err("no database")), Code::Internal);
    }
}
