//! Databases of builds that required no proof: no row is lost, and older promises are kept.

use service_kit::source::{Ids as _, RandomIds};
use sqlx::migrate::Migrator;
use store_kit::migrate::{Schema, migrate};
use svc_booking::store::{SCHEMA, Wish};
use test_kit::{database::TestDatabase, keys::keys};

use crate::fixture::{Bench, Hospital, MONDAY, at, now};

/// The last migration of the older builds.
const BEFORE: i64 = 4;

const APPOINTMENTS_OF_SQLITE: &str = "\
INSERT INTO appointments (id, reference, department_id, starts_at, status, version, secret_generation, create_time, update_time) \
SELECT randomblob(16), 'SH-' || column1, 'ent', '2026-11-23T03:30:00+00:00', column1, 1, 1, '2026-11-20T03:30:00+00:00', \
       '2026-11-20T03:30:00+00:00' \
FROM (VALUES ('booked'), ('arrived'), ('completed'), ('cancelled'), ('no_show'))";
const ENTRIES_OF_SQLITE: &str = "\
INSERT INTO waitlist_entries (id, reference, department_id, date, state, queue_time, secret_hash, create_time, update_time) \
SELECT randomblob(16), 'WL-' || hex(randomblob(4)), 'urology', '2026-11-23', 'waiting', '2026-11-20T03:30:00+00:00', x'00', \
       '2026-11-20T03:30:00+00:00', '2026-11-20T03:30:00+00:00'";
const APPOINTMENTS_OF_POSTGRES: &str = "\
INSERT INTO appointments (id, reference, department_id, starts_at, status, version, secret_generation, create_time, update_time) \
SELECT gen_random_uuid(), 'SH-' || column1, 'ent', '2026-11-23T03:30:00Z', column1, 1, 1, '2026-11-20T03:30:00Z', '2026-11-20T03:30:00Z' \
FROM (VALUES ('booked'), ('arrived'), ('completed'), ('cancelled'), ('no_show')) AS statuses";
const ENTRIES_OF_POSTGRES: &str = "\
INSERT INTO waitlist_entries (id, reference, department_id, date, state, queue_time, secret_hash, create_time, update_time) \
SELECT gen_random_uuid(), 'WL-' || gen_random_uuid(), 'urology', '2026-11-23', 'waiting', '2026-11-20T03:30:00Z', decode('00', 'hex'), \
       '2026-11-20T03:30:00Z', '2026-11-20T03:30:00Z'";

fn statements(is_sqlite: bool) -> [&'static str; 2] {
    if is_sqlite {
        [APPOINTMENTS_OF_SQLITE, ENTRIES_OF_SQLITE]
    } else {
        [APPOINTMENTS_OF_POSTGRES, ENTRIES_OF_POSTGRES]
    }
}

fn up_to(migrator: &Migrator, version: i64) -> &'static Migrator {
    let known = migrator.iter().filter(|own| own.version <= version);
    Box::leak(Box::new(Migrator::with_migrations(
        known.cloned().collect(),
    )))
}

/// Creates an appointment of each status and a waiting entry, with the schema of the older builds.
async fn written_before(is_sqlite: bool) -> TestDatabase {
    let test = if is_sqlite {
        TestDatabase::sqlite()
    } else {
        TestDatabase::postgres().await
    };
    let before = Schema {
        sqlite: up_to(SCHEMA.sqlite, BEFORE),
        postgres: up_to(SCHEMA.postgres, BEFORE),
        ..SCHEMA
    };
    migrate(&test.parsed_url(), &before, &keys())
        .await
        .expect("migrated");
    for sql in statements(is_sqlite) {
        test.execute(sql).await;
    }
    test
}

async fn rows_of_older_builds_are_kept(bench: Bench) {
    let count = async |sql| bench.test.scalar(sql).await;
    // X6: no proof was required then; staff saw the patients who arrived.
    assert_eq!(count("SELECT count(*) FROM appointments").await, 5);
    let at_desk = "SELECT count(*) FROM appointments WHERE proof = 'desk' AND status IN ('arrived', 'completed')";
    assert_eq!(count(at_desk).await, 2);
    let unproven = "SELECT count(*) FROM appointments WHERE proof = 'unproven'";
    assert_eq!(count(unproven).await, 3);
    // Their people wrote in English.
    let english = "SELECT count(*) FROM appointments WHERE language = 'en'";
    assert_eq!(count(english).await, 5);
    // X5: an entry that joined without a mail to open keeps waiting, even one of an older build running beside this
    // one.
    let hospital = Hospital::of(&bench).await;
    bench
        .test
        .execute(statements(bench.test.is_sqlite())[1])
        .await;
    let wishes = hospital.store.wishes(now()).await.expect("no error");
    let waiting = Wish {
        department_id: "urology".to_owned(),
        date: MONDAY.to_owned(),
        doctor_id: String::new(),
        entries: 2,
    };
    assert_eq!(wishes, [waiting]);
    for time in ["9:00 AM", "10:00 AM"] {
        let roster = hospital.roster().await;
        let id = RandomIds.uuid();
        let offered = hospital
            .store
            .offer_time("urology", at(MONDAY, time), id, roster, now());
        assert!(offered.await.expect("no error").is_some(), "{time}");
    }
    bench.end().await;
}

test_kit::on_both_databases!(crate::before_proof::written_before: rows_of_older_builds_are_kept);
