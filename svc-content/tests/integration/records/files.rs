//! What content files bring to a database that has records.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::json;
use svc_content::{
    files::Sources,
    records::{self, Kind, Live},
    store::records::{Author, Check, FilesOutcome, Publication, RecordOutcome, Target},
};

use crate::store::{Bench, on_both_databases};

on_both_databases!(
    files_seed_once_and_replace_what_nobody_changed,
    files_that_do_not_fit_change_nothing,
);

fn check() -> Check {
    Arc::new(|live| records::load(&Sources::embedded(), live, None).map(drop))
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_000_000, 0).expect("a time")
}

fn embedded() -> Vec<Live> {
    records::of_sources(&Sources::embedded()).expect("the files")
}

fn set(records: &mut [Live], kind: &str, id: &str, field: &str, value: &str) {
    let mut all = records.iter_mut();
    let own = all.find(|record| record.kind.name == kind && record.id == id);
    let body = &mut own.expect("a record").body;
    body.insert(field.to_owned(), json!(value));
}

async fn take(bench: &Bench, records: Vec<Live>, again: bool) -> FilesOutcome {
    let etag = format!("etag-{again}");
    let taken = bench
        .store
        .take_files(records, again, check(), (now(), etag));
    taken.await.expect("an outcome")
}

async fn text(bench: &Bench, id: &str) -> String {
    let live = bench.store.live_records().await.expect("records");
    let own = live
        .iter()
        .find(|record| record.kind.name == "doctor" && record.id == id);
    let experience = own.and_then(|record| record.body["experience"].as_str());
    experience.unwrap_or_default().to_owned()
}

/// Publishes a change of a doctor as staff.
async fn publish(bench: &Bench, id: &str, experience: &str) {
    let kind = Kind::of("doctor").expect("a kind");
    let mut etag = row(bench, id).await;
    let mut body = bench
        .store
        .record_body(kind, id, 1)
        .await
        .expect("read")
        .expect("a body");
    body.insert("experience".to_owned(), json!(experience));
    for step in 0..2 {
        let target = Target {
            kind,
            id: id.to_owned(),
            etag: etag.clone(),
            author: Author {
                subject: "editor".to_owned(),
                name: "Arjun Pai".to_owned(),
            },
            now: now(),
            next_etag: format!("{id}-{step}"),
        };
        let done = if step == 0 {
            bench.store.save_record(target, body.clone()).await
        } else {
            bench
                .store
                .publish_record(target, Publication::default(), check())
                .await
        };
        let RecordOutcome::Done(row) = done.expect("an outcome") else {
            panic!("refused")
        };
        etag = row.etag;
    }
}

async fn row(bench: &Bench, id: &str) -> String {
    let kind = Kind::of("doctor").expect("a kind");
    let row = bench.store.record_row(kind, id).await.expect("read");
    row.expect("a record").etag
}

async fn files_seed_once_and_replace_what_nobody_changed(bench: Bench) -> Bench {
    let all = embedded();
    assert_eq!(
        take(&bench, all.clone(), false).await,
        FilesOutcome::Taken(all.len())
    );
    assert_eq!(
        take(&bench, all.clone(), true).await,
        FilesOutcome::Taken(0)
    );
    publish(&bench, "doc-02", "2 Years").await;
    let mut later = all.clone();
    for id in ["doc-01", "doc-02"] {
        set(&mut later, "doctor", id, "experience", "1 Year");
    }
    let mut new = later[0].clone();
    "doc-90".clone_into(&mut new.id);
    for (field, value) in [
        ("id", "doc-90"),
        ("slug", "dr-new"),
        ("name", "Dr. New"),
        ("registration_number", "KMC 90"),
    ] {
        new.body.insert(field.to_owned(), json!(value));
    }
    later.push(new);
    assert_eq!(
        take(&bench, later.clone(), false).await,
        FilesOutcome::Taken(0)
    );
    assert_eq!(text(&bench, "doc-01").await, "14 Years");
    assert_eq!(take(&bench, later, true).await, FilesOutcome::Taken(2));
    assert_eq!(text(&bench, "doc-01").await, "1 Year");
    assert_eq!(text(&bench, "doc-02").await, "2 Years", "staff changed it");
    assert_eq!(text(&bench, "doc-90").await, "1 Year");
    bench
}

async fn files_that_do_not_fit_change_nothing(bench: Bench) -> Bench {
    let all = embedded();
    take(&bench, all.clone(), false).await;
    let before = bench.store.live_records().await.expect("records");
    let mut later = all;
    set(&mut later, "doctor", "doc-01", "experience", "1 Year");
    set(&mut later, "doctor", "doc-03", "slug", "dr-aravind-bhat");
    let FilesOutcome::Broken(problem) = take(&bench, later, true).await else {
        panic!("taken")
    };
    assert!(problem.message.contains("dr-aravind-bhat"), "{problem:?}");
    assert_eq!(bench.store.live_records().await.expect("records"), before);
    bench
}
