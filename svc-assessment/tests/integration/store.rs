//! One suite of the store's guarantees, for both databases.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Ids, RandomIds};
use store_kit::{creation::Creation, keys::Keys, requests::RequestKey};
use svc_assessment::{
    domain::{self, Assessment, Submission, SubmittedAnswers, retention::REQUEST_DAYS},
    scoring::score,
    store::{CREATE, Store},
    wire,
};
use test_kit::on_both_databases;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::Bench;

const WRITERS: usize = 20;

on_both_databases!(test_kit::bench::empty:
    every_column_is_read_back,
    columns_hold_the_values_of_their_names,
    stores_only_the_day,
    recognises_a_retry_for_a_day,
    refuses_other_answers_with_the_same_request_id,
    a_late_retry_does_not_restore_a_removed_assessment,
    a_removal_wins_over_a_concurrent_retry,
    refuses_column_values_that_no_build_wrote,
    concurrent_retries_make_one_row,
    concurrent_assessments_are_all_kept,
    rows_outlive_the_store,
);

fn nothing_answered() -> SubmittedAnswers {
    SubmittedAnswers {
        consent: true,
        ..SubmittedAnswers::default()
    }
}

/// Returns answers with a different value in every column, as far as the choices allow.
fn everything_answered() -> SubmittedAnswers {
    SubmittedAnswers {
        age_years: Some(52),
        gender: "female".to_owned(),
        height_cm: Some(161.5),
        weight_kg: Some(78.25),
        family_history: "yes".to_owned(),
        blood_pressure: "normal".to_owned(),
        activity_level: "low".to_owned(),
        waist_circumference: "high".to_owned(),
        sleep_hours: Some(6.5),
        sleep_quality: "excellent".to_owned(),
        work_stress: "moderate".to_owned(),
        relationships: "poor".to_owned(),
        strategies: vec!["Healthy diet".to_owned(), "Social support".to_owned()],
        measures: domain::SubmittedMeasures::default(),
        consent: true,
    }
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_763_700_000, 123_456_789).expect("a time")
}

fn create(keys: &Keys, request_id: &str, sent: SubmittedAnswers) -> (RequestKey, Assessment) {
    let submission = Submission {
        request_id: request_id.to_owned(),
        answers: Some(sent),
    };
    let checked = domain::parse(&submission).expect("valid answers");
    let (request_id, answers) = (checked.request_id.expect("consent"), checked.answers);
    let body = wire::canonical(&answers);
    let request = RequestKey::new(keys, CREATE, request_id.as_str(), &body).kept_days(REQUEST_DAYS);
    let scores = score(&answers);
    let assessment = Assessment::new(RandomIds.uuid(), now(), answers, scores);
    (request, assessment)
}

fn store(bench: &Bench) -> Store {
    Store::new(bench.database.clone(), bench.keys.clone())
}

async fn rows(bench: &Bench) -> i64 {
    bench.test.scalar("SELECT count(*) FROM assessments").await
}

async fn created(store: &Store, request: &RequestKey, assessment: &Assessment) {
    let creation = store.create(request.clone(), assessment.clone()).await;
    assert_eq!(
        creation.expect("a create"),
        Creation::Created(assessment.clone())
    );
}

async fn every_column_is_read_back(bench: Bench) {
    let store = store(&bench);
    for (number, sent) in [everything_answered(), nothing_answered()]
        .into_iter()
        .enumerate()
    {
        let request_id = format!("0123456789abcdef-{number}");
        let (request, assessment) = create(&bench.keys, &request_id, sent);
        created(&store, &request, &assessment).await;
        // The stored assessment is returned, and nothing of the retry.
        let (_, mut again) = create(&bench.keys, &request_id, nothing_answered());
        again.create_time += TimeDelta::days(1);
        again.answers.age_years = Some(99);
        let repeated = store.create(request, again).await.expect("an answer");
        assert_eq!(repeated, Creation::Repeated(assessment));
    }
    assert_eq!(rows(&bench).await, 2);
    bench.end().await;
}

async fn columns_hold_the_values_of_their_names(bench: Bench) {
    for (number, sent) in [everything_answered(), nothing_answered()]
        .into_iter()
        .enumerate()
    {
        let request_id = format!("0123456789abcdef-{number}");
        let (request, assessment) = create(&bench.keys, &request_id, sent);
        created(&store(&bench), &request, &assessment).await;
    }
    let everything = "SELECT count(*) FROM assessments WHERE age_years = 52 AND gender = 'female' AND height_cm = 161.5 \
         AND weight_kg = 78.25 AND family_history = 'yes' AND blood_pressure = 'normal' AND activity_level = 'low' \
         AND waist_circumference = 'high' AND sleep_hours = 6.5 AND sleep_quality = 'excellent' AND work_stress = 'moderate' \
         AND relationships = 'poor' AND coping_strategies = '[\"Healthy diet\",\"Social support\"]' AND bmi = 30.0 \
         AND bmi_category = 'Obese' AND diabetes_risk = 'High Risk' AND stress_level = 'Low Stress' \
         AND overall_level = 'High'";
    assert_eq!(bench.test.scalar(everything).await, 1);
    let nothing = "SELECT count(*) FROM assessments WHERE age_years IS NULL AND gender IS NULL AND height_cm IS NULL \
         AND weight_kg IS NULL AND family_history IS NULL AND blood_pressure IS NULL AND activity_level IS NULL \
         AND waist_circumference IS NULL AND sleep_hours IS NULL AND sleep_quality IS NULL AND work_stress IS NULL \
         AND relationships IS NULL AND coping_strategies = '[]' AND bmi IS NULL AND bmi_category IS NULL \
         AND diabetes_risk = 'Not enough information'";
    assert_eq!(bench.test.scalar(nothing).await, 1);
    bench.end().await;
}

async fn stores_only_the_day(bench: Bench) {
    let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
    created(&store(&bench), &request, &assessment).await;
    // 2025-11-21T04:40:00Z was the 21st in India.
    let day = if bench.test.is_sqlite() {
        "SELECT count(*) FROM assessments, request_keys WHERE assessments.create_time LIKE '2025-11-21T00:00:00%' \
         AND request_keys.create_time = assessments.create_time AND request_keys.expire_time LIKE '2025-11-23T00:00:00%'"
    } else {
        "SELECT count(*) FROM assessments, request_keys WHERE assessments.create_time = '2025-11-21T00:00:00Z' \
         AND request_keys.create_time = assessments.create_time AND request_keys.expire_time = '2025-11-23T00:00:00Z'"
    };
    assert_eq!(bench.test.scalar(day).await, 1);
    if bench.test.is_sqlite() {
        // Row ids would increase in the order of the log.
        let ordered = "SELECT count(*) FROM sqlite_schema WHERE name IN ('assessments', 'request_keys') \
                       AND sql LIKE '%WITHOUT ROWID%'";
        assert_eq!(bench.test.scalar(ordered).await, 2);
    }
    bench.end().await;
}

async fn recognises_a_retry_for_a_day(bench: Bench) {
    let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
    created(&store(&bench), &request, &assessment).await;
    let later = |moment: &str| {
        let moment = moment.parse().expect("a moment");
        let Assessment {
            answers, scores, ..
        } = assessment.clone();
        Assessment::new(RandomIds.uuid(), moment, answers, scores)
    };
    // The end of the next day in India, and the start of the one after.
    let last = later("2025-11-22T18:29:59Z");
    let repeated = store(&bench).create(request.clone(), last).await;
    assert_eq!(
        repeated.expect("an answer"),
        Creation::Repeated(assessment.clone())
    );
    created(&store(&bench), &request, &later("2025-11-22T18:30:00Z")).await;
    assert_eq!(rows(&bench).await, 2);
    bench.end().await;
}

async fn refuses_other_answers_with_the_same_request_id(bench: Bench) {
    let (request, first) = create(&bench.keys, "0123456789abcdef", everything_answered());
    created(&store(&bench), &request, &first).await;
    let (request, other) = create(&bench.keys, "0123456789abcdef", nothing_answered());
    let refused = store(&bench).create(request, other).await;
    assert_eq!(refused.expect("an answer"), Creation::RequestIdReused);
    assert_eq!(rows(&bench).await, 1);
    bench.end().await;
}

async fn a_late_retry_does_not_restore_a_removed_assessment(bench: Bench) {
    let store = store(&bench);
    let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
    let (other_request, other) = create(&bench.keys, "fedcba9876543210", everything_answered());
    created(&store, &request, &assessment).await;
    created(&store, &other_request, &other).await;
    // The same id twice, and an unknown one.
    for id in [assessment.id, assessment.id, RandomIds.uuid()] {
        store.delete(id).await.expect("removed");
    }
    assert_eq!(rows(&bench).await, 1);
    let again = store.create(request, assessment.clone()).await;
    assert_eq!(again.expect("an answer"), Creation::Removed);
    // The stored answers' hash is erased, so different answers cannot be distinguished from these.
    let (changed, assessment) = create(&bench.keys, "0123456789abcdef", nothing_answered());
    let again = store.create(changed, assessment).await;
    assert_eq!(again.expect("an answer"), Creation::Removed);
    let forgotten = "SELECT count(*) FROM request_keys WHERE length(fingerprint) = 0";
    assert_eq!(bench.test.scalar(forgotten).await, 1);
    let kept = store.create(other_request, other.clone()).await;
    assert_eq!(kept.expect("an answer"), Creation::Repeated(other));
    assert_eq!(rows(&bench).await, 1);
    bench.end().await;
}

async fn a_removal_wins_over_a_concurrent_retry(bench: Bench) {
    let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
    created(&store(&bench), &request, &assessment).await;
    let mut callers = JoinSet::new();
    for number in 0..WRITERS {
        let (store, request, assessment) = (store(&bench), request.clone(), assessment.clone());
        callers.spawn(async move {
            if number % 2 == 0 {
                return store.delete(assessment.id).await.expect("removed");
            }
            let answer = store.create(request, assessment).await.expect("an answer");
            assert!(matches!(answer, Creation::Repeated(_) | Creation::Removed));
        });
    }
    callers.join_all().await;
    assert_eq!(rows(&bench).await, 0);
    bench.end().await;
}

async fn refuses_column_values_that_no_build_wrote(bench: Bench) {
    let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
    created(&store(&bench), &request, &assessment).await;
    for (change, column, repair) in [
        (
            "UPDATE assessments SET gender = 'lost'",
            "assessments.gender",
            "UPDATE assessments SET gender = 'female'",
        ),
        (
            "UPDATE assessments SET coping_strategies = '[\"Luck\"]'",
            "assessments.coping_strategies",
            "UPDATE assessments SET coping_strategies = '[]'",
        ),
        (
            "UPDATE assessments SET overall_level = ''",
            "assessments.overall_level",
            "UPDATE assessments SET overall_level = 'High'",
        ),
    ] {
        assert_eq!(bench.test.execute(change).await, 1);
        let creation = store(&bench)
            .create(request.clone(), assessment.clone())
            .await;
        let error = creation.expect_err("an error").to_string();
        assert!(error.contains(column), "{error}");
        assert_eq!(bench.test.execute(repair).await, 1);
    }
    bench.end().await;
}

async fn concurrent_retries_make_one_row(bench: Bench) {
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let store = store(&bench);
        let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
        writers.spawn(async move {
            match store.create(request, assessment).await.expect("an answer") {
                Creation::Created(assessment) => (true, assessment.id),
                Creation::Repeated(assessment) => (false, assessment.id),
                refused => panic!("the answers are the same: {refused:?}"),
            }
        });
    }
    let answers = writers.join_all().await;
    assert_eq!(answers.len(), WRITERS);
    assert_eq!(answers.iter().filter(|(is_first, _)| *is_first).count(), 1);
    let ids: HashSet<Uuid> = answers.into_iter().map(|(_, id)| id).collect();
    assert_eq!(ids.len(), 1, "every caller learns of the same assessment");
    assert_eq!(rows(&bench).await, 1);
    bench.end().await;
}

async fn concurrent_assessments_are_all_kept(bench: Bench) {
    let mut writers = JoinSet::new();
    for number in 0..WRITERS {
        let store = store(&bench);
        let request_id = format!("0123456789abcdef-{number}");
        let (request, assessment) = create(&bench.keys, &request_id, everything_answered());
        writers.spawn(async move { created(&store, &request, &assessment).await });
    }
    writers.join_all().await;
    assert_eq!(rows(&bench).await, i64::try_from(WRITERS).expect("few"));
    bench.end().await;
}

async fn rows_outlive_the_store(bench: Bench) {
    let (request, assessment) = create(&bench.keys, "0123456789abcdef", everything_answered());
    created(&store(&bench), &request, &assessment).await;
    let bench = bench.reopen().await;
    let again = store(&bench).create(request, assessment.clone()).await;
    assert_eq!(again.expect("an answer"), Creation::Repeated(assessment));
    bench.end().await;
}
