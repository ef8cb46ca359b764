//! With access to the database alone, the audit log cannot be changed undetected.

use chrono::TimeDelta;
use futures::future::join_all;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use store_kit::{
    audit::{self, Entry, FIELD_BYTES_MAX, SUBJECT_BYTES_MAX, Verdict},
    database::Database,
    error::StoreError,
    keys::Keys,
    work::Decision,
};
use test_kit::{database::TestDatabase, keys};
use uuid::Uuid;

use super::fixture::{at, execute, on_both, open, unit};

on_both!(
    an_appended_chain_is_intact,
    every_change_of_an_old_entry_is_detected,
    the_database_refuses_changes_of_entries,
    concurrent_appends_make_one_chain,
    pruning_is_recorded_in_the_chain,
    an_overlong_field_is_named,
    entries_of_one_unit_are_chained,
);

fn entry(number: i64) -> Entry {
    Entry {
        actor: "staff:7".into(),
        action: "appointment.read",
        subject: format!("appointment {number}"),
        detail: String::new(),
    }
}

pub(crate) async fn append(
    database: &Database,
    entry: Entry,
    seconds: i64,
) -> Result<(), StoreError> {
    let append = unit(move |transaction| {
        let entry = entry.clone();
        Box::pin(async move {
            // To the nanosecond, like a real clock: the hash must cover the stored value.
            let now = at(seconds) + TimeDelta::nanoseconds(1_234_567);
            audit::append(transaction, &keys::keys(), &entry, now).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("append", append).await
}

pub(crate) async fn filled(database: &TestDatabase, entries: i64) -> Database {
    let database = open(database).await;
    for number in 1..=entries {
        append(&database, entry(number), number)
            .await
            .expect("an entry");
    }
    database
}

async fn entries_of_one_unit_are_chained(database: &TestDatabase) {
    let database = filled(database, 2).await;
    let together = unit(|transaction| {
        Box::pin(async move {
            let entries = [3, 4, 5].map(entry);
            audit::append_all(transaction, &keys::keys(), &[], at(3)).await?;
            audit::append_all(transaction, &keys::keys(), &entries, at(3)).await?;
            Ok(Decision::Commit(()))
        })
    });
    database.write("append", together).await.expect("entries");
    append(&database, entry(6), 6).await.expect("an entry");
    let (entries, _) = intact(&database).await;
    assert_eq!(entries, 6);
}

async fn verdict(database: &Database) -> Verdict {
    audit::verify(database, &keys::keys())
        .await
        .expect("a verdict")
}

async fn intact(database: &Database) -> (u64, String) {
    match verdict(database).await {
        Verdict::Intact { entries, head } => (entries, head),
        broken @ Verdict::Broken { .. } => panic!("{broken:?}"),
    }
}

/// Runs statements as an attacker with the database's own password.
pub(crate) async fn tamper(database: &TestDatabase, sql: &str) {
    const SQLITE: &str =
        "DROP TRIGGER IF EXISTS audit_entries_stay; DROP TRIGGER IF EXISTS audit_entries_keep;";
    const POSTGRES: &str = "ALTER TABLE audit_entries DISABLE TRIGGER ALL;";
    if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url)
            .await
            .expect("the file");
        let sql = AssertSqlSafe(format!("{SQLITE}{sql}"));
        sqlx::raw_sql(sql)
            .execute(&mut connection)
            .await
            .expect("tampered");
        connection.close().await.expect("its end");
    } else {
        let mut connection = PgConnection::connect(&database.url)
            .await
            .expect("the server");
        let sql = AssertSqlSafe(format!("{POSTGRES}{sql}"));
        sqlx::raw_sql(sql)
            .execute(&mut connection)
            .await
            .expect("tampered");
        connection.close().await.expect("its end");
    }
}

async fn an_appended_chain_is_intact(test: &TestDatabase) {
    let database = open(test).await;
    assert_eq!(intact(&database).await, (0, "0:".into()));
    // More entries than one query reads.
    let append = unit(|transaction| {
        Box::pin(async move {
            for number in 1..=1003 {
                audit::append(transaction, &keys::keys(), &entry(number), at(number)).await?;
            }
            Ok(Decision::Commit(()))
        })
    });
    let written = database.write("append", append);
    service_kit::deadline::scope(std::time::Duration::from_secs(25), written)
        .await
        .expect("entries");
    let (entries, head) = intact(&database).await;
    assert_eq!(entries, 1003);
    assert!(head.starts_with("1003:") && head.len() == 5 + 64, "{head}");
    // The head belongs to this chain under this key.
    let other = keys::FILE.replace("CQkJ", "CAgI");
    let other = Keys::parse(&other).expect("other keys");
    let verdict = audit::verify(&database, &other).await.expect("a verdict");
    assert_eq!(verdict, Verdict::Broken { at: 1 });
    // B7: after a replacement of the index key, hashes of older keys still verify.
    let key = keys::FILE.split_once("index_key = ").expect("a key").1;
    let (key, _) = key.split_once('\n').expect("a line");
    let new = keys::FILE.replace("index_key = \"CQkJ", "index_key = \"CAgI");
    for older in [
        format!("previous_index_key = {key}"),
        format!("audit_keys = [{key}]"),
    ] {
        let replaced = Keys::parse(&new.replace("[keys]", &format!("{older}\n[keys]")));
        let verdict = audit::verify(&database, &replaced.expect("keys")).await;
        let expected = Verdict::Intact {
            entries,
            head: head.clone(),
        };
        assert_eq!(verdict.expect("a verdict"), expected);
    }
    // A rollback leaves no gap.
    let undone = unit(|transaction| {
        Box::pin(async move {
            audit::append(transaction, &keys::keys(), &entry(0), at(0)).await?;
            Ok(Decision::Rollback(()))
        })
    });
    database.write("undone", undone).await.expect("an outcome");
    assert_eq!(intact(&database).await, (entries, head));
}

/// Description, tampering statements, and the entry at which the chain breaks.
const CHANGES: &[(&str, &[&str], i64)] = &[
    (
        "an actor",
        &["UPDATE audit_entries SET actor = 'staff:8' WHERE seq = 3"],
        3,
    ),
    (
        "an action",
        &["UPDATE audit_entries SET action = 'x' WHERE seq = 1"],
        1,
    ),
    (
        "a subject",
        &["UPDATE audit_entries SET subject = 'x' WHERE seq = 5"],
        5,
    ),
    (
        "a detail",
        &["UPDATE audit_entries SET detail = 'x' WHERE seq = 4"],
        4,
    ),
    (
        "words that move between fields",
        &["UPDATE audit_entries SET subject = '', detail = subject WHERE seq = 2"],
        2,
    ),
    (
        "a time",
        &[
            "UPDATE audit_entries SET create_time = (SELECT create_time FROM audit_entries WHERE seq = 1) WHERE seq = 2",
        ],
        2,
    ),
    (
        "a hash",
        &[
            "UPDATE audit_entries SET hash = (SELECT hash FROM audit_entries WHERE seq = 1) WHERE seq = 2",
        ],
        2,
    ),
    (
        "the first removed",
        &["DELETE FROM audit_entries WHERE seq = 1"],
        1,
    ),
    (
        "one removed",
        &["DELETE FROM audit_entries WHERE seq = 3"],
        3,
    ),
    (
        "the last removed",
        &["DELETE FROM audit_entries WHERE seq = 5"],
        5,
    ),
    ("all removed", &["DELETE FROM audit_entries"], 1),
    (
        "one removed and the rest moved up",
        &[
            "DELETE FROM audit_entries WHERE seq = 3",
            "UPDATE audit_entries SET seq = seq - 1 WHERE seq = 4",
            "UPDATE audit_entries SET seq = seq - 1 WHERE seq = 5",
            "UPDATE audit_head SET seq = 4",
        ],
        3,
    ),
    (
        "one inserted",
        &[
            "UPDATE audit_entries SET seq = seq + 100 WHERE seq > 2",
            "INSERT INTO audit_entries SELECT 3, create_time, actor, action, subject, detail, hash FROM audit_entries WHERE seq = 2",
            "UPDATE audit_entries SET seq = seq - 99 WHERE seq > 100",
            "UPDATE audit_head SET seq = 6",
        ],
        3,
    ),
    (
        "two swapped",
        &[
            "UPDATE audit_entries SET seq = 100 WHERE seq = 2",
            "UPDATE audit_entries SET seq = 2 WHERE seq = 4",
            "UPDATE audit_entries SET seq = 4 WHERE seq = 100",
        ],
        2,
    ),
    ("one beyond the end", &["UPDATE audit_head SET seq = 6"], 6),
    (
        "the last removed, and one beyond it",
        &["UPDATE audit_entries SET seq = 6 WHERE seq = 5"],
        5,
    ),
    // The head row is changed consistently: only the chain itself records where it begins.
    (
        "the first ones cut off",
        &[
            "UPDATE audit_head SET pruned_seq = 2, pruned_hash = (SELECT hash FROM audit_entries WHERE seq = 2)",
            "DELETE FROM audit_entries WHERE seq <= 2",
        ],
        2,
    ),
];

async fn every_change_of_an_old_entry_is_detected(test: &TestDatabase) {
    let database = filled(test, 5).await;
    let (_, head) = intact(&database).await;
    let copy = "CREATE TABLE copy_entries AS SELECT * FROM audit_entries; CREATE TABLE copy_head AS SELECT * FROM audit_head;";
    tamper(test, copy).await;
    for (what, statements, place) in CHANGES {
        tamper(test, &statements.join(";")).await;
        assert_eq!(
            verdict(&database).await,
            Verdict::Broken { at: *place },
            "{what}"
        );
        let restore = "DELETE FROM audit_entries; DELETE FROM audit_head; \
            INSERT INTO audit_entries SELECT * FROM copy_entries; INSERT INTO audit_head SELECT * FROM copy_head;";
        tamper(test, restore).await;
        assert_eq!(intact(&database).await, (5, head.clone()), "{what}");
    }
    // Truncating the end and moving the head leaves an intact chain; only the head differs.
    let cut = "DELETE FROM audit_entries WHERE seq > 3; \
        UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM audit_entries WHERE seq = 3);";
    tamper(test, cut).await;
    let (entries, shorter) = intact(&database).await;
    assert_eq!(entries, 3);
    assert_ne!(shorter, head);
    assert!(shorter.starts_with("3:"));
}

async fn the_database_refuses_changes_of_entries(test: &TestDatabase) {
    let database = filled(test, 3).await;
    let (_, head) = intact(&database).await;
    for statement in [
        &["UPDATE audit_entries SET actor = 'nobody' WHERE seq = 1"],
        &["UPDATE audit_entries SET seq = 9 WHERE seq = 3"],
        &["DELETE FROM audit_entries WHERE seq = 3"],
        &["DELETE FROM audit_entries"],
    ] {
        execute(&database, statement)
            .await
            .expect_err("entries are immutable");
    }
    if test.url.starts_with("postgres") {
        execute(&database, &["TRUNCATE audit_entries"])
            .await
            .expect_err("it stays");
    }
    assert_eq!(intact(&database).await, (3, head));
}

async fn concurrent_appends_make_one_chain(test: &TestDatabase) {
    let database = open(test).await;
    let appends = (1..=50).map(|number| append(&database, entry(number), number));
    for outcome in join_all(appends).await {
        outcome.expect("an entry");
    }
    let (entries, _) = intact(&database).await;
    assert_eq!(entries, 50);
    assert_eq!(
        test.scalar("SELECT count(DISTINCT subject) FROM audit_entries")
            .await,
        50
    );
}

async fn pruning_is_recorded_in_the_chain(test: &TestDatabase) {
    let database = filled(test, 10).await;
    let prune = async |seconds, now| {
        audit::prune(
            &database,
            &keys::keys(),
            "job:retention",
            at(seconds),
            at(now),
        )
        .await
        .expect("pruned")
    };
    assert_eq!(prune(0, 100).await, 0);
    assert_eq!(intact(&database).await.0, 10);
    // Entries 1 to 4 are older than second 5.
    assert_eq!(prune(5, 100).await, 4);
    let (entries, head) = intact(&database).await;
    assert_eq!(entries, 7);
    assert!(head.starts_with("11:"));
    assert_eq!(test.scalar("SELECT min(seq) FROM audit_entries").await, 5);
    append(&database, entry(12), 200)
        .await
        .expect("the chain goes on");
    assert_eq!(intact(&database).await.0, 8);
    // The note of the first pruning is gone too; the note of the second records where the chain begins.
    assert_eq!(prune(150, 300).await, 7);
    assert_eq!(intact(&database).await.0, 2);
    // Entries newer than the pruning itself are kept, whatever time is requested.
    assert_eq!(prune(1_000_000, 250).await, 1);
    execute(&database, &["DELETE FROM audit_entries"])
        .await
        .expect_err("what is left stays");
    tamper(
        test,
        "UPDATE audit_head SET pruned_seq = seq, pruned_hash = hash; DELETE FROM audit_entries;",
    )
    .await;
    assert!(matches!(verdict(&database).await, Verdict::Broken { .. }));
}

async fn an_overlong_field_is_named(test: &TestDatabase) {
    type Set = fn(&mut Entry, String);
    let database = open(test).await;
    let fields: [(&str, usize, Set); 3] = [
        ("actor", FIELD_BYTES_MAX, |entry, text| entry.actor = text),
        ("subject", SUBJECT_BYTES_MAX, |entry, text| {
            entry.subject = text;
        }),
        ("detail", FIELD_BYTES_MAX, |entry, text| entry.detail = text),
    ];
    for (field, bytes_max, set) in fields {
        let mut entry = entry(1);
        set(&mut entry, "x".repeat(bytes_max + 1));
        let error = append(&database, entry.clone(), 0)
            .await
            .expect_err("too long");
        let message = error.to_string();
        assert!(
            message.contains(field) && message.contains(&bytes_max.to_string()),
            "{message}"
        );
        set(&mut entry, "x".repeat(bytes_max));
        append(&database, entry, 0).await.expect("just fits");
    }
    // B5: every id of a list is recorded, in as many entries as needed.
    let ids: Vec<Uuid> = (1..=201).map(Uuid::from_u128).collect();
    let entries = Entry::of_page("staff:7", "appointment.list", "201 appointments", &ids);
    assert_eq!(entries.len(), 2);
    for entry in entries {
        append(&database, entry, 0).await.expect("it fits");
    }
    assert_eq!(intact(&database).await.0, 5);
}
