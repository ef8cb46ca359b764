//! A create that is sent again is executed once.

use chrono::TimeDelta;
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use store_kit::{
    database::Database,
    error::StoreError,
    keys::Keys,
    requests::{self, Found, RETENTION_DAYS, RequestKey},
    sql::{Script, Statement},
    url::DatabaseUrl,
    values,
    work::Decision,
};
use test_kit::{
    database::TestDatabase,
    keys::{FILE, keys},
};

use super::fixture::{at, on_both, open, unit};

on_both!(
    a_request_is_new_once,
    a_request_expires,
    a_request_is_recognised_after_the_index_key_was_replaced,
    a_shorter_retention_is_respected,
    a_retry_with_an_erased_body_creates_nothing,
    one_of_many_concurrent_requests_is_new,
    expired_rows_are_deleted_in_steps,
);

fn key(request_id: &str, body: &str) -> RequestKey {
    RequestKey::new(&keys(), "seat", request_id, body.as_bytes())
}

/// Does what a service does: looks up the request, and creates the subject if the request is new.
async fn create(
    database: &Database,
    request: RequestKey,
    subject: String,
    seconds: i64,
) -> Result<Found, StoreError> {
    const INSERT: &str = "INSERT INTO seats (seat, holder) VALUES ($1, 'x')";
    let create = unit(move |transaction| {
        let (request, subject) = (request.clone(), subject.clone());
        Box::pin(async move {
            let found = requests::find(transaction, &request, at(seconds)).await?;
            if found != Found::New {
                return Ok(Decision::Rollback(found));
            }
            let mut script = Script::new();
            script.push(Statement::new(INSERT, values![&subject]));
            script.push(requests::insert(&request, &subject, at(seconds)));
            transaction.run(script).await?;
            Ok(Decision::Commit(found))
        })
    });
    database.write("create", create).await
}

async fn a_request_is_new_once(database: &TestDatabase) {
    let database = open(database).await;
    let made = create(&database, key("one", "body"), "first".into(), 0).await;
    assert_eq!(made.expect("made"), Found::New);
    let again = create(&database, key("one", "body"), "second".into(), 60).await;
    let repeated = Found::Repeated {
        subject: "first".into(),
    };
    assert_eq!(again.expect("an answer"), repeated);
    let other = create(&database, key("one", "another body"), "third".into(), 60).await;
    assert_eq!(other.expect("an answer"), Found::Reused);
    // Ids of different calls are unrelated.
    let elsewhere = RequestKey::new(&keys(), "post", "one", b"body");
    for (request, expected) in [
        (key("one", "body"), repeated),
        (key("one", "another body"), Found::Reused),
        (key("two", "body"), Found::New),
        (elsewhere, Found::New),
    ] {
        let found = requests::recall(&database, &request, at(60)).await;
        assert_eq!(found.expect("an answer"), expected);
    }
    let digests = RequestKey::of_digests(
        &keys(),
        "seat",
        Sha256::digest("one").into(),
        Sha256::digest("body").into(),
    );
    assert_eq!(digests, key("one", "body"));
}

async fn a_request_expires(database: &TestDatabase) {
    let database = open(database).await;
    let retention = TimeDelta::days(RETENTION_DAYS).num_seconds();
    let made = create(&database, key("one", "body"), "first".into(), 0).await;
    assert_eq!(made.expect("made"), Found::New);
    let last = requests::recall(&database, &key("one", "x"), at(retention - 1)).await;
    assert_eq!(last.expect("an answer"), Found::Reused);
    let over = requests::recall(&database, &key("one", "x"), at(retention)).await;
    assert_eq!(over.expect("an answer"), Found::New);
    let anew = create(&database, key("one", "x"), "second".into(), retention).await;
    assert_eq!(anew.expect("made"), Found::New);
    let repeated = create(&database, key("one", "x"), "third".into(), retention + 1).await;
    assert_eq!(
        repeated.expect("an answer"),
        Found::Repeated {
            subject: "second".into()
        }
    );
}

/// B7: a create repeated after the keys were changed creates nothing more.
async fn a_request_is_recognised_after_the_index_key_was_replaced(database: &TestDatabase) {
    let database = open(database).await;
    let made = create(&database, key("one", "body"), "first".into(), 0).await;
    assert_eq!(made.expect("made"), Found::New);
    let replaced = |key: &str| {
        let old = FILE.split_once("index_key = ").expect("a key").1;
        let old = old.split_once('\n').expect("a line").0;
        let file = FILE.replace("CQkJ", key);
        let file = file.replace("[keys]", &format!("previous_index_key = {old}\n[keys]"));
        Keys::parse(&file).expect("keys")
    };
    let with = |keys: &Keys, body: &str| RequestKey::new(keys, "seat", "one", body.as_bytes());
    let new = replaced("CAgI");
    let again = create(&database, with(&new, "body"), "second".into(), 60).await;
    let repeated = |subject: &str| Found::Repeated {
        subject: subject.to_owned(),
    };
    assert_eq!(again.expect("an answer"), repeated("first"));
    let other = create(&database, with(&new, "another"), "third".into(), 60).await;
    assert_eq!(other.expect("an answer"), Found::Reused);
    let replace = unit(move |transaction| {
        let replace = requests::replace(&with(&replaced("CAgI"), "body"), "other", at(60));
        Box::pin(async move {
            transaction.run([replace].into_iter().collect()).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("replace", replace).await.expect("replaced");
    let found = requests::recall(&database, &with(&new, "body"), at(60)).await;
    assert_eq!(found.expect("an answer"), repeated("other"));
}

async fn a_shorter_retention_is_respected(database: &TestDatabase) {
    let database = open(database).await;
    let short = key("one", "body").kept_days(2);
    let made = create(&database, short.clone(), "first".into(), 0).await;
    assert_eq!(made.expect("made"), Found::New);
    let days = TimeDelta::days(2).num_seconds();
    // The retention stored in the row counts, whatever key is used for the lookup.
    for asked in [short, key("one", "body")] {
        let last = requests::recall(&database, &asked, at(days - 1)).await;
        let repeated = Found::Repeated {
            subject: "first".into(),
        };
        assert_eq!(last.expect("an answer"), repeated);
        let over = requests::recall(&database, &asked, at(days)).await;
        assert_eq!(over.expect("an answer"), Found::New);
    }
}

async fn a_retry_with_an_erased_body_creates_nothing(database: &TestDatabase) {
    let database = open(database).await;
    for request in ["one", "two"] {
        let made = create(&database, key(request, "body"), request.into(), 0).await;
        assert_eq!(made.expect("made"), Found::New);
    }
    let forget = unit(|transaction| {
        Box::pin(async move {
            let script = [requests::forget_body("one")].into_iter().collect();
            transaction.run(script).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("forget", forget).await.expect("forgotten");
    for (asked, found) in [
        (key("one", "body"), Some("one")),
        (key("one", "another body"), Some("one")),
        (key("two", "body"), Some("two")),
        (key("two", "another body"), None),
    ] {
        let expected = found.map_or(Found::Reused, |subject| Found::Repeated {
            subject: subject.into(),
        });
        let recalled = requests::recall(&database, &asked, at(60)).await;
        assert_eq!(recalled.expect("an answer"), expected);
    }
}

async fn one_of_many_concurrent_requests_is_new(database: &TestDatabase) {
    let database = open(database).await;
    let creates = (0..50).map(|number| {
        let subject = format!("subject {number}");
        create(&database, key("same", "body"), subject, 0)
    });
    let mut subjects = Vec::new();
    let mut new = 0;
    for found in join_all(creates).await {
        match found.expect("an answer") {
            Found::New => new += 1,
            Found::Repeated { subject } => subjects.push(subject),
            Found::Reused => panic!("all are equal"),
        }
    }
    assert_eq!((new, subjects.len()), (1, 49));
    let made: String = super::fixture::value(&database, "SELECT seat FROM seats").await;
    assert!(subjects.iter().all(|subject| *subject == made));
}

async fn expired_rows_are_deleted_in_steps(test: &TestDatabase) {
    let database = open(test).await;
    let retention = TimeDelta::days(RETENTION_DAYS).num_seconds();
    let rows = unit(|transaction| {
        Box::pin(async move {
            for number in 0..1500 {
                let time = at(i64::from(number >= 1200));
                let insert = requests::insert(&key(&number.to_string(), ""), "x", time);
                transaction.run(Script::from_iter([insert])).await?;
            }
            Ok(Decision::Commit(()))
        })
    });
    let written = database.write("rows", rows);
    service_kit::deadline::scope(std::time::Duration::from_secs(25), written)
        .await
        .expect("rows");
    let purged = requests::purge(&database, at(retention)).await;
    assert_eq!(purged.expect("removed"), 1200);
    assert_eq!(test.scalar("SELECT count(*) FROM request_keys").await, 300);
}

/// Neither the id nor the person can be found by guessing.
#[tokio::test]
async fn the_file_contains_only_keyed_hashes() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    let (id, body) = ("a-request-id-of-a-browser", "Asha Rao, 9845012345");
    let made = create(&database, key(id, body), "subject".into(), 0).await;
    assert_eq!(made.expect("made"), Found::New);
    database.close().await;
    let DatabaseUrl::Sqlite(path) = test.parsed_url() else {
        panic!("a file");
    };
    let bytes = std::fs::read(path).expect("a file");
    let holds = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    assert!(holds(b"subject"), "a stored text is found");
    for text in [id, body] {
        let digest = Sha256::digest(text);
        let hex: String = digest.iter().fold(String::new(), |mut hex, byte| {
            use std::fmt::Write as _;
            write!(hex, "{byte:02x}").expect("a text");
            hex
        });
        assert!(!holds(text.as_bytes()) && !holds(&digest) && !holds(hex.as_bytes()));
    }
}
