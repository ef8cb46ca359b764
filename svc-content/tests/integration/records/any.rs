//! Any sequence of changes and restarts: what visitors read is what the versions say, and no published page ends in
//! nothing.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::json;
use store_kit::database::{Database, Limits};
use svc_content::{
    files::Sources,
    records::{self, Body, Kind, Live},
    store::{
        SCHEMA, Store,
        records::{Author, Check, Publication, RecordOutcome, Target},
    },
};
use test_kit::keys::keys;

use crate::store::{Bench, on_both_databases};

on_both_databases!(the_live_content_is_what_the_versions_say);

const STEPS: u64 = 60;
const IDS: [&str; 3] = ["icu", "wards", "labour-room"];

#[derive(Debug, Default)]
struct Model {
    versions: Vec<Body>,
    /// Index of the live version.
    live: Option<usize>,
}

fn kind() -> &'static Kind {
    Kind::of("service").expect("a kind")
}

fn of_kind(live: Vec<Live>) -> BTreeMap<String, Body> {
    let own = live.into_iter().filter(|record| record.kind == kind());
    own.map(|record| (record.id, record.body)).collect()
}

async fn the_live_content_is_what_the_versions_say(bench: Bench) -> Bench {
    let check: Check = Arc::new(|live| records::load(&Sources::embedded(), live, None).map(drop));
    let now = DateTime::<Utc>::from_timestamp(1_795_000_000, 0).expect("a time");
    let all = records::of_sources(&Sources::embedded()).expect("the files");
    let taken =
        bench
            .store
            .take_files(all.clone(), false, check.clone(), (now, "files".to_owned()));
    taken.await.expect("seeded");
    let mut models: BTreeMap<&str, Model> = BTreeMap::new();
    for id in IDS {
        let own = all
            .iter()
            .find(|record| record.kind == kind() && record.id == id);
        let body = own.unwrap_or_else(|| panic!("{id}")).body.clone();
        let versions = vec![body];
        models.insert(
            id,
            Model {
                versions,
                live: Some(0),
            },
        );
    }
    let mut published: Vec<String> = models
        .values()
        .map(|model| kind().path_of(&model.versions[0]))
        .collect();
    // A failure is repeated by its seed.
    let mut random = StdRng::seed_from_u64(28);
    let mut store = bench.store.clone();
    for step in 0..STEPS {
        let id = IDS[random.random_range(0..IDS.len())];
        let model = models.get_mut(id).expect("a model");
        let row = store
            .record_row(kind(), id)
            .await
            .expect("read")
            .expect("a record");
        let stale = random.random_range(0..8) == 0;
        let target = Target {
            kind: kind(),
            id: id.to_owned(),
            etag: if stale {
                "stale".to_owned()
            } else {
                row.etag.clone()
            },
            author: Author {
                subject: "editor".to_owned(),
                name: "Arjun Pai".to_owned(),
            },
            now: now + TimeDelta::seconds(i64::try_from(step).expect("small")),
            next_etag: format!("step-{step}"),
        };
        let latest = model.versions.last().expect("a version").clone();
        let outcome = match random.random_range(0..5) {
            0 | 1 => {
                let mut body = latest.clone();
                // Some bodies can't be published: an empty text, or another one's address.
                let (field, value) = match random.random_range(0..4) {
                    0 => ("description", String::new()),
                    1 => ("slug", format!("{id}-{}", random.random_range(0..3))),
                    2 => ("slug", "wards-0".to_owned()),
                    _ => ("description", format!("Text {step}.")),
                };
                body.insert(field.to_owned(), json!(value));
                let saved = store
                    .save_record(target, body.clone())
                    .await
                    .expect("an outcome");
                if matches!(saved, RecordOutcome::Done(_)) && body != latest {
                    model.versions.push(body);
                }
                saved
            }
            2 => {
                let publication = Publication::default();
                let done = store
                    .publish_record(target, publication, check.clone())
                    .await;
                let done = done.expect("an outcome");
                if matches!(done, RecordOutcome::Done(_)) {
                    model.live = Some(model.versions.len() - 1);
                }
                done
            }
            3 => {
                let done = store
                    .archive_record(target, "/services".to_owned(), check.clone())
                    .await;
                let done = done.expect("an outcome");
                if matches!(done, RecordOutcome::Done(_)) {
                    model.live = None;
                }
                done
            }
            _ => {
                let at = random.random_range(0..model.versions.len());
                let publishes = random.random_range(0..2) == 0;
                let own = publishes.then(|| check.clone());
                let number = i64::try_from(at + 1).expect("small");
                let done = store
                    .revert_record(target, number, own)
                    .await
                    .expect("an outcome");
                if matches!(done, RecordOutcome::Done(_)) {
                    let body = model.versions[at].clone();
                    if body != latest {
                        model.versions.push(body);
                    }
                    if publishes {
                        model.live = Some(model.versions.len() - 1);
                    }
                }
                done
            }
        };
        assert_eq!(
            stale,
            outcome == RecordOutcome::EtagMismatch,
            "step {step}: {outcome:?}"
        );
        if step % 20 == 19 {
            // As after a restart.
            let url = bench.database.parsed_url();
            let open = Database::open(&url, Limits::default(), SCHEMA, &keys()).await;
            store = Store::new(open.expect("a database"), keys());
        }
        let live = store.live_records().await.expect("records");
        records::load(&Sources::embedded(), &live, None)
            .unwrap_or_else(|problem| panic!("step {step}: {problem:?}"));
        let read = of_kind(live);
        let moved: BTreeMap<String, String> = store
            .moved_pages()
            .await
            .expect("pages")
            .into_iter()
            .collect();
        for (id, model) in &models {
            let wanted = model.live.map(|at| &model.versions[at]);
            assert_eq!(read.get(*id), wanted, "step {step}: {id}");
            published.extend(wanted.map(|body| kind().path_of(body)));
        }
        published.sort_unstable();
        published.dedup();
        let current: Vec<String> = read.values().map(|body| kind().path_of(body)).collect();
        for path in &published {
            let leads_on = moved
                .get(path)
                .is_some_and(|to| current.contains(to) || to == "/services");
            assert!(
                current.contains(path) || leads_on,
                "step {step}: {path} {moved:?}"
            );
        }
    }
    let counts: Vec<usize> = models.values().map(|model| model.versions.len()).collect();
    assert!(counts.iter().sum::<usize>() > 10, "{counts:?}");
    bench
}
