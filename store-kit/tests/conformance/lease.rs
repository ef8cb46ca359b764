//! PostgreSQL connections of finished and of abandoned calls.

use std::time::Duration;

use service_kit::deadline;
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    values,
};
use test_kit::{database::TestDatabase, keys::keys};

use super::fixture;

/// Opens a pool of one connection.
async fn open(test: &TestDatabase) -> Database {
    let limits = Limits {
        connections_max: 1,
        ..Limits::default()
    };
    fixture::open_with(test, limits, &keys()).await
}

/// Returns the process of the server that serves the connection.
async fn backend(database: &Database) -> i64 {
    fixture::value(database, "SELECT pg_backend_pid()::bigint").await
}

#[tokio::test]
async fn a_finished_call_returns_its_connection_to_the_pool() {
    let test = fixture::postgres().await;
    let database = open(&test).await;
    let before = backend(&database).await;
    fixture::execute(&database, &["SELECT 1"])
        .await
        .expect("a change");
    fixture::execute(&database, &["SELECT nothing"])
        .await
        .expect_err("no such column");
    assert_eq!(backend(&database).await, before);
    database.close().await;
    test.drop_if_exists().await;
}

#[tokio::test]
async fn an_abandoned_call_closes_its_connection() {
    let test = fixture::postgres().await;
    let database = open(&test).await;
    let before = backend(&database).await;
    let sleep =
        database.fetch_one::<(i64,)>("SELECT", "SELECT 1::bigint FROM pg_sleep(60)", values![]);
    let outcome = deadline::scope(Duration::from_millis(50), sleep).await;
    assert!(matches!(outcome, Err(StoreError::Deadline)), "{outcome:?}");
    assert_ne!(backend(&database).await, before);
    database.close().await;
    test.drop_if_exists().await;
}
