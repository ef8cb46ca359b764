//! Any sequence of changes and restarts: what visitors read is what the versions say, and no published page ends in
//! nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

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

const STEPS: u32 = 60;
const STEPS_BETWEEN_RESTARTS: u32 = 20;
const IDS: [&str; 3] = ["icu", "wards", "labour-room"];

#[derive(Debug)]
struct Model {
    versions: Vec<Body>,
    /// Index of the live version.
    live: Option<usize>,
}

impl Model {
    fn latest(&self) -> &Body {
        self.versions.last().expect("a version")
    }

    fn save(&mut self, body: Body) {
        if body != *self.latest() {
            self.versions.push(body);
        }
    }

    fn publish(&mut self) {
        self.live = Some(self.versions.len() - 1);
    }
}

struct Walk {
    store: Store,
    models: BTreeMap<&'static str, Model>,
    published: BTreeSet<String>,
    /// A failure is repeated by its seed.
    random: StdRng,
    check: Check,
}

fn kind() -> &'static Kind {
    Kind::of("service").expect("a kind")
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_000_000, 0).expect("a time")
}

impl Walk {
    async fn seeded(store: Store) -> Self {
        let check: Check =
            Arc::new(|live| records::load(&Sources::embedded(), live, None).map(drop));
        let all = records::of_sources(&Sources::embedded()).expect("the files");
        let model = |id: &'static str| {
            let is_own = |record: &&Live| record.kind == kind() && record.id == id;
            let own = all.iter().find(is_own).expect("a record");
            let versions = vec![own.body.clone()];
            (
                id,
                Model {
                    versions,
                    live: Some(0),
                },
            )
        };
        let models = IDS.map(model).into();
        let taken = store.take_files(all, false, check.clone(), (now(), "files".to_owned()));
        taken.await.expect("seeded");
        Self {
            store,
            models,
            published: BTreeSet::new(),
            random: StdRng::seed_from_u64(28),
            check,
        }
    }

    /// Makes one change, sometimes of a version that is not current.
    async fn step(&mut self, number: u32) {
        let id = IDS[self.random.random_range(0..IDS.len())];
        let row = self.store.record_row(kind(), id).await.expect("read");
        let stale = self.random.random_range(0..8) == 0;
        let etag = row.expect("a record").etag;
        let target = Target {
            kind: kind(),
            id: id.to_owned(),
            etag: if stale { "stale".to_owned() } else { etag },
            author: Author {
                subject: "editor".to_owned(),
                name: "Arjun Pai".to_owned(),
            },
            now: now() + TimeDelta::seconds(number.into()),
            next_etag: format!("step-{number}"),
        };
        let outcome = match self.random.random_range(0..5) {
            0 | 1 => self.save(id, target, number).await,
            2 => self.publish(id, target).await,
            3 => self.archive(id, target).await,
            _ => self.revert(id, target).await,
        };
        let is_stale = outcome == RecordOutcome::EtagMismatch;
        assert_eq!(stale, is_stale, "step {number}: {outcome:?}");
    }

    /// Some bodies can't be published: an empty text, or another record's address.
    async fn save(&mut self, id: &str, target: Target, number: u32) -> RecordOutcome {
        let (field, value) = match self.random.random_range(0..4) {
            0 => ("description", String::new()),
            1 => ("slug", format!("{id}-{}", self.random.random_range(0..3))),
            2 => ("slug", "wards-0".to_owned()),
            _ => ("description", format!("Text {number}.")),
        };
        let model = self.models.get_mut(id).expect("a model");
        let mut body = model.latest().clone();
        body.insert(field.to_owned(), json!(value));
        let outcome = self.store.save_record(target, body.clone()).await;
        let outcome = outcome.expect("an outcome");
        if matches!(outcome, RecordOutcome::Done(_)) {
            model.save(body);
        }
        outcome
    }

    async fn publish(&mut self, id: &str, target: Target) -> RecordOutcome {
        let (publication, check) = (Publication::default(), self.check.clone());
        let outcome = self.store.publish_record(target, publication, check).await;
        let outcome = outcome.expect("an outcome");
        if matches!(outcome, RecordOutcome::Done(_)) {
            self.models.get_mut(id).expect("a model").publish();
        }
        outcome
    }

    async fn archive(&mut self, id: &str, target: Target) -> RecordOutcome {
        let redirect = "/services".to_owned();
        let outcome = self
            .store
            .archive_record(target, redirect, self.check.clone())
            .await;
        let outcome = outcome.expect("an outcome");
        if matches!(outcome, RecordOutcome::Done(_)) {
            self.models.get_mut(id).expect("a model").live = None;
        }
        outcome
    }

    async fn revert(&mut self, id: &str, target: Target) -> RecordOutcome {
        let model = self.models.get_mut(id).expect("a model");
        let at = self.random.random_range(0..model.versions.len());
        let goes_live = self.random.random_range(0..2) == 0;
        let check = goes_live.then(|| self.check.clone());
        let version = i64::try_from(at + 1).expect("small");
        let outcome = self.store.revert_record(target, version, check).await;
        let outcome = outcome.expect("an outcome");
        if matches!(outcome, RecordOutcome::Done(_)) {
            model.save(model.versions[at].clone());
            if goes_live {
                model.publish();
            }
        }
        outcome
    }

    /// Compares what visitors read with the models.
    async fn read(&mut self, number: u32) {
        let live = self.store.live_records().await.expect("records");
        let whole = records::load(&Sources::embedded(), &live, None);
        assert!(whole.is_ok(), "step {number}: {:?}", whole.err());
        let own = live.into_iter().filter(|record| record.kind == kind());
        let read: BTreeMap<String, Body> = own.map(|record| (record.id, record.body)).collect();
        for (id, model) in &self.models {
            let wanted = model.live.map(|at| &model.versions[at]);
            assert_eq!(read.get(*id), wanted, "step {number}: {id}");
            self.published
                .extend(wanted.map(|body| kind().path_of(body)));
        }
        let paths = |body| [vec![kind().path_of(body)], kind().other_paths_of(body)].concat();
        let pages: BTreeSet<String> = read.values().flat_map(paths).collect();
        let moved = records::lead_on(self.store.moved_pages().await.expect("pages"));
        for path in &self.published {
            let to = moved.get(path);
            let leads_on = to.is_some_and(|to| pages.contains(to) || to == "/services");
            assert!(
                pages.contains(path) || leads_on,
                "step {number}: {path} {to:?}"
            );
        }
    }
}

async fn the_live_content_is_what_the_versions_say(bench: Bench) -> Bench {
    let mut walk = Walk::seeded(bench.store.clone()).await;
    for number in 0..STEPS {
        walk.step(number).await;
        if number % STEPS_BETWEEN_RESTARTS == 0 {
            let url = bench.database.parsed_url();
            let open = Database::open(&url, Limits::default(), SCHEMA, &keys()).await;
            walk.store = Store::new(open.expect("a database"), keys());
        }
        walk.read(number).await;
    }
    let versions = walk.models.values().map(|model| model.versions.len());
    assert!(versions.sum::<usize>() > 2 * IDS.len());
    bench
}
