//! One suite of promises of the store, kept by both databases.

use std::{collections::HashSet, sync::Arc};

use chrono::{DateTime, Utc};
use hospital_proto::assessment::v1::{
    Assessment, CopingStrategies, CreateAssessmentRequest, PersonalInfo, StressEvaluation,
};
use service_kit::source::{Ids, RandomIds};
use svc_assessment::{
    domain::{self, Draft, Receipt},
    scoring::score,
    store::{self, Creation, Store},
};
use tokio::task::JoinSet;

use test_kit::database::TestDatabase;

const CONNECTIONS_MAX: u32 = 8;
const WRITERS: usize = 20;

macro_rules! on_both_databases {
    ($($promise:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::run(test_kit::database::TestDatabase::sqlite(), super::$promise).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::run(test_kit::database::TestDatabase::postgres().await, super::$promise).await;
            })+
        }
    };
}

on_both_databases!(
    what_was_stored_is_repeated_exactly,
    an_unanswered_question_is_null_and_an_answered_one_is_kept,
    other_answers_under_the_same_request_id_are_refused,
    concurrent_repetitions_make_one_row,
    concurrent_assessments_are_all_kept,
    what_is_stored_outlives_the_store,
);

struct Bench {
    database: TestDatabase,
    store: Arc<dyn Store>,
}

impl Bench {
    async fn rows(&self) -> i64 {
        self.database
            .scalar("SELECT count(*) FROM assessments")
            .await
    }
}

async fn run<F: Future<Output = Bench>>(database: TestDatabase, promise: impl FnOnce(Bench) -> F) {
    let url = database.parsed_url();
    store::migrate(&url).await.expect("a first migration");
    store::migrate(&url)
        .await
        .expect("a second one does nothing");
    let store = store::open(&url, CONNECTIONS_MAX).await.expect("a store");
    let bench = promise(Bench { database, store }).await;
    bench.database.drop_if_exists().await;
}

fn draft(request_id: &str, assessment: Assessment) -> Draft {
    domain::parse(CreateAssessmentRequest {
        request_id: request_id.to_owned(),
        assessment: Some(Assessment {
            consent: true,
            ..assessment
        }),
    })
    .expect("a valid assessment")
}

fn nothing_answered(request_id: &str) -> Draft {
    draft(request_id, Assessment::default())
}

fn answered(request_id: &str) -> Draft {
    let assessment = Assessment {
        personal_info: Some(PersonalInfo {
            age: Some(52),
            gender: "female".to_owned(),
            height: Some(161.5),
            weight: Some(58.2),
        }),
        stress_evaluation: Some(StressEvaluation {
            sleep_hours: Some(6.5),
            ..StressEvaluation::default()
        }),
        coping_strategies: Some(CopingStrategies {
            strategies: vec!["Healthy diet".to_owned()],
        }),
        ..Assessment::default()
    };
    draft(request_id, assessment)
}

fn new_receipt(draft: &Draft, nanos: u32) -> Receipt {
    let now: DateTime<Utc> = DateTime::from_timestamp(1_763_700_000, nanos).expect("a time");
    Receipt::new(RandomIds.uuid(), now, score(&draft.answers))
}

async fn what_was_stored_is_repeated_exactly(bench: Bench) -> Bench {
    for draft in [
        answered("0123456789abcdef"),
        nothing_answered("0123456789abcdef-empty"),
    ] {
        let first = new_receipt(&draft, 123_456_789);
        let stored = bench.store.create(&draft, &first).await.expect("a create");
        assert_eq!(stored, Creation::Stored);
        let again = bench
            .store
            .create(&draft, &new_receipt(&draft, 0))
            .await
            .expect("a create");
        assert_eq!(
            again,
            Creation::Repeated(first),
            "result and time, to the microsecond"
        );
    }
    assert_eq!(bench.rows().await, 2);
    bench
}

async fn an_unanswered_question_is_null_and_an_answered_one_is_kept(bench: Bench) -> Bench {
    for draft in [
        answered("0123456789abcdef"),
        nothing_answered("0123456789abcdef-empty"),
    ] {
        bench
            .store
            .create(&draft, &new_receipt(&draft, 0))
            .await
            .expect("a create");
    }
    let answered = "SELECT count(*) FROM assessments WHERE age_years = 52 AND gender = 'female' AND height_cm = 161.5 \
         AND weight_kg = 58.2 AND sleep_hours = 6.5 AND coping_strategies = '[\"Healthy diet\"]' AND bmi = 22.3 \
         AND bmi_category = 'Normal' AND sleep_quality IS NULL AND diabetes_risk = 'Not enough information'";
    assert_eq!(bench.database.scalar(answered).await, 1);
    let nothing = "SELECT count(*) FROM assessments WHERE age_years IS NULL AND gender IS NULL AND height_cm IS NULL \
         AND weight_kg IS NULL AND family_history IS NULL AND blood_pressure IS NULL AND activity_level IS NULL \
         AND waist_circumference IS NULL AND sleep_hours IS NULL AND sleep_quality IS NULL AND work_stress IS NULL \
         AND relationships IS NULL AND coping_strategies = '[]' AND bmi IS NULL AND bmi_category = ''";
    assert_eq!(bench.database.scalar(nothing).await, 1);
    bench
}

async fn other_answers_under_the_same_request_id_are_refused(bench: Bench) -> Bench {
    let id = "0123456789abcdef";
    let first = answered(id);
    bench
        .store
        .create(&first, &new_receipt(&first, 0))
        .await
        .expect("a create");
    let other = nothing_answered(id);
    let refused = bench
        .store
        .create(&other, &new_receipt(&other, 0))
        .await
        .expect("an answer");
    assert_eq!(refused, Creation::RequestIdReused);
    assert_eq!(bench.rows().await, 1);
    bench
}

async fn concurrent_repetitions_make_one_row(bench: Bench) -> Bench {
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let store = Arc::clone(&bench.store);
        writers.spawn(async move {
            let draft = answered("0123456789abcdef");
            let new = new_receipt(&draft, 0);
            match store.create(&draft, &new).await.expect("an answer") {
                Creation::Stored => (true, new.id),
                Creation::Repeated(earlier) => (false, earlier.id),
                Creation::RequestIdReused => panic!("the answers are the same"),
            }
        });
    }
    let answers = writers.join_all().await;
    assert_eq!(answers.len(), WRITERS);
    assert_eq!(answers.iter().filter(|(is_first, _)| *is_first).count(), 1);
    let ids: HashSet<_> = answers.into_iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), 1, "every caller learns of the same assessment");
    assert_eq!(bench.rows().await, 1);
    bench
}

async fn concurrent_assessments_are_all_kept(bench: Bench) -> Bench {
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let store = Arc::clone(&bench.store);
        writers.spawn(async move {
            let draft = answered(&format!("0123456789abcdef-{number}"));
            store
                .create(&draft, &new_receipt(&draft, 0))
                .await
                .expect("an answer")
        });
    }
    for creation in writers.join_all().await {
        assert_eq!(creation, Creation::Stored);
    }
    assert_eq!(bench.rows().await, i64::try_from(WRITERS).expect("few"));
    bench
}

async fn what_is_stored_outlives_the_store(bench: Bench) -> Bench {
    let draft = answered("0123456789abcdef");
    let first = new_receipt(&draft, 0);
    bench.store.create(&draft, &first).await.expect("a create");
    let Bench { database, store } = bench;
    drop(store);
    let store = store::open(&database.parsed_url(), CONNECTIONS_MAX)
        .await
        .expect("a store");
    let again = store
        .create(&draft, &new_receipt(&draft, 0))
        .await
        .expect("a create");
    assert_eq!(again, Creation::Repeated(first));
    Bench { database, store }
}
