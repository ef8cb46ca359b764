//! Rotations with broken rows, with a replaced index key, and with digests of older builds.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    keys::Keys,
    migrate::{Backfill, Schema, migrate},
    sealed::{Redigest, Rotated, rotate},
    sql::Transaction,
    values,
    work::Decision,
};
use test_kit::{database::TestDatabase, keys};
use uuid::Uuid;

use super::{
    super::fixture::{
        PATIENTS, SCHEMA, execute, on_both, open, open_with, phone_index, unit, until,
    },
    id, keep_all, old_keys, phone, sealed_with,
};

on_both!(
    a_broken_row_is_skipped_and_counted,
    digests_follow_the_index_key,
    digests_of_an_older_form_are_recomputed_once,
);

const NOBODY: [Uuid; 0] = [];

/// B7: a rotation continues after a row that does not open.
async fn a_broken_row_is_skipped_and_counted(test: &TestDatabase) {
    let keys = keys::keys();
    let database = open_with(test, Limits::default(), &keys).await;
    keep_all(&database, &old_keys(), (1..=450).collect(), "first".into())
        .await
        .expect("kept");
    // A value from another row: rows 7 and 300 are in different steps.
    for number in [7, 300] {
        let swap = unit(move |transaction| {
            Box::pin(async move {
                const SWAP: &str = "UPDATE patients SET name = (SELECT name FROM patients WHERE id = $2) WHERE id = $1";
                let values = values![id(number), id(number + 1)];
                transaction.execute(SWAP, values).await?;
                Ok(Decision::Commit(()))
            })
        });
        database.write("swap", swap).await.expect("swapped");
    }
    let broken = Rotated {
        rows: 448,
        broken: 2,
        broken_ids: vec![id(7), id(300)],
    };
    let rotated = rotate(&database, &keys, PATIENTS).await.expect("the rest");
    assert_eq!(rotated, broken);
    assert_eq!(
        sealed_with(&database, "k0").await,
        2,
        "they stay as they are"
    );
    let again = rotate(&database, &keys, PATIENTS).await.expect("nothing");
    assert_eq!(again, Rotated { rows: 0, ..broken });
}

/// Returns keys of which `k1` is active, with the old index key as the previous one if `has_previous`.
fn replaced_index_key(has_previous: bool) -> Keys {
    let (before, after) = keys::FILE.split_once("index_key = ").expect("a key");
    let (old, after) = after.split_once('\n').expect("a line");
    let new = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
    let previous = if has_previous {
        format!("previous_index_key = {old}\n")
    } else {
        String::new()
    };
    let file = format!("{before}index_key = \"{new}\"\n{previous}{after}");
    Keys::parse(&file).expect("keys")
}

async fn found(database: &Database, keys: &Keys, number: u128) -> Vec<Uuid> {
    const FIND: &str = "SELECT id FROM patients WHERE phone_index = $1 ORDER BY id";
    let phone = phone(number).expect("a phone");
    let rows: Vec<(Uuid,)> = database
        .fetch_all("SELECT patients", FIND, values![phone_index(keys, &phone)])
        .await
        .expect("an answer");
    rows.into_iter().map(|(id,)| id).collect()
}

/// B7: the index key is replaced, and the rotation is interrupted.
async fn digests_follow_the_index_key(test: &TestDatabase) {
    const ROWS: u128 = 3000;
    const LAST: u128 = 2999;
    let (old, keys) = (keys::keys(), replaced_index_key(true));
    let database = open_with(test, Limits::default(), &keys).await;
    keep_all(&database, &old, (1..=ROWS).collect(), "first".into())
        .await
        .expect("kept");
    assert_eq!(found(&database, &keys, 1).await, NOBODY);
    let previous = keys.previous().expect("a previous index key");
    assert_eq!(found(&database, &previous, 1).await, [id(1)]);
    let rotation = tokio::spawn({
        let (database, keys) = (database.clone(), keys.clone());
        async move { rotate(&database, &keys, PATIENTS).await }
    });
    until("the first step is done", async || {
        !found(&database, &keys, 1).await.is_empty()
    })
    .await;
    rotation.abort();
    assert!(rotation.await.is_err(), "it was interrupted");
    assert_eq!(found(&database, &previous, LAST).await, [id(LAST)]);
    rotate(&database, &keys, PATIENTS).await.expect("the rest");
    let only = replaced_index_key(false);
    for number in [1, 1000, LAST] {
        assert_eq!(found(&database, &only, number).await, [id(number)]);
    }
    let without = "SELECT count(*) FROM patients WHERE phone_index IS NULL";
    let expected = i64::try_from(ROWS / 3).expect("a count");
    assert_eq!(
        test.scalar(without).await,
        expected,
        "a person without a phone number"
    );
    let again = rotate(&database, &only, PATIENTS).await.expect("nothing");
    assert_eq!(again, Rotated::default());
}

const REDIGEST: Redigest = Redigest {
    name: "patients-phone",
    table: PATIENTS,
};

/// Fails after its second step, like a process killed at that point.
#[derive(Debug)]
struct Killed(AtomicUsize);

#[async_trait]
impl Backfill for Killed {
    fn name(&self) -> &'static str {
        REDIGEST.name
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        if self.0.fetch_add(1, Ordering::SeqCst) == 2 {
            return Err(StoreError::Stopped);
        }
        REDIGEST.step(transaction, keys).await
    }
}

/// B8: digests of older builds are recomputed.
async fn digests_of_an_older_form_are_recomputed_once(test: &TestDatabase) {
    const OLD_FORM: &[&str] =
        &["UPDATE patients SET phone_index = CAST(key_id AS BLOB) WHERE phone IS NOT NULL"];
    const OLD_FORM_POSTGRES: &[&str] =
        &["UPDATE patients SET phone_index = key_id::bytea WHERE phone IS NOT NULL"];
    let (url, keys) = (test.parsed_url(), keys::keys());
    let database = open(test).await;
    keep_all(&database, &old_keys(), (1..=450).collect(), "first".into())
        .await
        .expect("kept");
    let is_sqlite = test.is_sqlite();
    let old_form = if is_sqlite {
        OLD_FORM
    } else {
        OLD_FORM_POSTGRES
    };
    execute(&database, old_form).await.expect("an older form");
    let killed: &'static Killed = Box::leak(Box::new(Killed(AtomicUsize::new(0))));
    let with = |backfill: &'static dyn Backfill| Schema {
        backfills: Box::leak(Box::new([backfill])),
        ..SCHEMA
    };
    migrate(&url, &with(killed), &keys)
        .await
        .expect_err("killed");
    assert_eq!(found(&database, &keys, 1).await, [id(1)]);
    assert_eq!(found(&database, &keys, 449).await, NOBODY);
    // Completed rows are not processed again.
    let before = "UPDATE patients SET phone_index = NULL WHERE id IN (SELECT id FROM patients ORDER BY id LIMIT 1)";
    assert_eq!(test.execute(before).await, 1);
    migrate(&url, &with(&REDIGEST), &keys)
        .await
        .expect("the rest");
    assert_eq!(found(&database, &keys, 1).await, NOBODY);
    assert_eq!(found(&database, &keys, 449).await, [id(449)]);
    assert_eq!(
        sealed_with(&database, "k0").await,
        450,
        "they keep their key"
    );
    let progress = "SELECT count(*) FROM backfill_progress";
    assert_eq!(test.scalar(progress).await, 0);
}
