//! Bound values are read back unchanged, and a script runs all of its statements.

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    database::Database,
    error::StoreError,
    row,
    sql::{Script, Sql, Statement, Value},
    url::DatabaseKind,
    values,
    work::Decision,
};
use test_kit::database::TestDatabase;
use uuid::Uuid;

use super::fixture::{at, on_both, open, unit};

on_both!(
    every_value_is_read_as_it_was_bound,
    a_script_is_atomic,
    texts_may_differ_by_database,
);

row! {
    #[derive(Debug, PartialEq)]
    struct Everything {
        a_text: Option<String>,
        a_bytes: Option<Vec<u8>>,
        an_integer: Option<i64>,
        a_real: Option<f64>,
        a_boolean: Option<bool>,
        a_uuid: Option<Uuid>,
        a_time: Option<DateTime<Utc>>,
    }
}

const INSERT: &str = "\
INSERT INTO every_value (id, a_text, a_bytes, an_integer, a_real, a_boolean, a_uuid, a_time) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const SELECT: &str = "\
SELECT a_text, a_bytes, an_integer, a_real, a_boolean, a_uuid, a_time FROM every_value WHERE id = $1";

impl Everything {
    fn values(&self, id: i64) -> Vec<Value> {
        values![
            id,
            self.a_text.clone(),
            self.a_bytes.clone(),
            self.an_integer,
            self.a_real,
            self.a_boolean,
            self.a_uuid,
            self.a_time
        ]
    }
}

async fn keep(database: &Database, script: Script) -> Result<(), StoreError> {
    let run = unit(move |transaction| {
        let script = script.clone();
        Box::pin(async move {
            transaction.run(script).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("script", run).await
}

async fn every_value_is_read_as_it_was_bound(database: &TestDatabase) {
    let database = open(database).await;
    let full = Everything {
        a_text: Some("ಸಂಪಿಗೆ 'hospital'; $1 --".into()),
        a_bytes: Some(vec![0, 1, 255, 0]),
        an_integer: Some(i64::MIN),
        a_real: Some(-0.1),
        a_boolean: Some(true),
        a_uuid: Some(Uuid::from_u128(7)),
        a_time: Some(at(0) + TimeDelta::microseconds(123_456)),
    };
    let nothing = Everything {
        a_text: None,
        a_bytes: None,
        an_integer: None,
        a_real: None,
        a_boolean: None,
        a_uuid: None,
        a_time: None,
    };
    let empty = Everything {
        a_text: Some(String::new()),
        a_bytes: Some(Vec::new()),
        an_integer: Some(i64::MAX),
        a_real: Some(f64::MAX),
        a_boolean: Some(false),
        a_uuid: Some(Uuid::nil()),
        a_time: Some(at(0)),
    };
    for (id, row) in (1..).zip([full, nothing, empty]) {
        let script = Script::from_iter([Statement::new(INSERT, row.values(id))]);
        keep(&database, script).await.expect("a row");
        let found: Everything = database
            .fetch_one("SELECT", SELECT, values![id])
            .await
            .expect("a row");
        assert_eq!(found, row);
    }
    // Both databases store microseconds: a value compared later must equal the written one.
    let precise = at(0) + TimeDelta::nanoseconds(123_456_789);
    let row: (DateTime<Utc>,) = database
        .fetch_one(
            "SELECT",
            Sql::differing("SELECT $1", "SELECT $1::timestamptz"),
            values![precise],
        )
        .await
        .expect("a time");
    assert_eq!(row.0, at(0) + TimeDelta::microseconds(123_456));
    // Times sort as text in chronological order, whatever their fraction.
    let times = [0, 1, 999, 1_000, 500_000, 500_100, 999_999, 1_000_000];
    let mut script = Script::new();
    for (id, micros) in (100..).zip(times) {
        const TIME: &str = "INSERT INTO every_value (id, a_time) VALUES ($1, $2)";
        let time = at(0) + TimeDelta::microseconds(micros);
        script.push(Statement::new(TIME, values![id, time]));
    }
    keep(&database, script).await.expect("times");
    let sorted: Vec<(i64,)> = database
        .fetch_all(
            "SELECT",
            "SELECT id FROM every_value WHERE id >= 100 ORDER BY a_time",
            values![],
        )
        .await
        .expect("rows");
    let ids: Vec<_> = sorted.into_iter().map(|row| row.0).collect();
    assert_eq!(ids, (100..108).collect::<Vec<i64>>());
}

async fn a_script_is_atomic(database: &TestDatabase) {
    const TAKE: &str = "INSERT INTO seats (seat, holder) VALUES ($2, $1)";
    const OPEN: &str = "INSERT INTO accounts (id, balance) VALUES ($1, $2)";
    const PAY: &str = "UPDATE accounts SET balance = balance - $1 WHERE id = $2";
    let database = open(database).await;
    keep(&database, Script::new()).await.expect("nothing to do");
    keep(
        &database,
        Script::from_iter([
            Statement::new(OPEN, values![1_i64, 10_i64]),
            Statement::new(TAKE, values!["first", "a"]),
            Statement::new(TAKE, values!["second", "b"]),
        ]),
    )
    .await
    .expect("three rows");
    keep(
        &database,
        Script::from_iter([
            Statement::new(PAY, values![3_i64, 1_i64]),
            Statement::new("DELETE FROM seats WHERE seat = $1", values!["a"]),
        ]),
    )
    .await
    .expect("two changes");
    let broken = keep(
        &database,
        Script::from_iter([
            Statement::new(PAY, values![5_i64, 1_i64]),
            Statement::new(TAKE, values!["third", "b"]),
        ]),
    )
    .await;
    assert!(broken.expect_err("b is taken").is_unique_violation());
    let balance: i64 = super::fixture::value(&database, "SELECT balance FROM accounts").await;
    assert_eq!(balance, 7);
    let seats: Vec<(String, String)> = database
        .fetch_all("SELECT", "SELECT seat, holder FROM seats", values![])
        .await
        .expect("seats");
    assert_eq!(seats, [("b".to_owned(), "second".to_owned())]);
}

async fn texts_may_differ_by_database(database: &TestDatabase) {
    let database = open(database).await;
    let text = Sql::differing("SELECT 'sqlite'", "SELECT 'postgresql'");
    let row: (String,) = database
        .fetch_one("SELECT", text, values![])
        .await
        .expect("a row");
    assert_eq!(row.0, database.kind().system_name());
    let sees = unit(|transaction| {
        let kind = transaction.kind();
        Box::pin(async move { Ok(Decision::Rollback(kind)) })
    });
    let kind: DatabaseKind = database.write("test", sees).await.expect("a kind");
    assert_eq!(kind, database.kind());
    let nothing = database
        .fetch_one::<(i64,)>("SELECT", "SELECT id FROM accounts", values![])
        .await;
    assert!(
        matches!(nothing, Err(StoreError::Database(error)) if matches!(*error, sqlx::Error::RowNotFound))
    );
}
