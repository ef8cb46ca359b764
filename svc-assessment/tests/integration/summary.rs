//! The monthly summary for staff.

use chrono::{DateTime, Utc};
use hospital_proto::assessment::v1::{
    BandCount, GetAssessmentSummaryRequest, GetAssessmentSummaryResponse, ResultCounts,
};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{
    audit::{self, Verdict},
    creation::Creation,
    requests::RequestKey,
};
use svc_assessment::{
    domain::{
        Answers, Assessment, BmiCategory, DiabetesRisk, OverallLevel, Scores, StressLevel,
        summary::Month,
    },
    store::{CREATE, Store},
};
use test_kit::on_both_databases;
use tokio::task::JoinSet;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

use crate::{
    Bench,
    serving::{READ, Serving, at},
};

on_both_databases!(test_kit::bench::empty:
    counts_a_completed_month,
    a_published_month_never_changes,
    a_month_with_few_people_publishes_nothing,
    requires_a_staff_token_with_the_scope,
    concurrent_readers_get_the_first_result,
);

const DECEMBER: &str = "2026-12-01T00:00:00Z";

fn healthy() -> Scores {
    Scores {
        bmi: Some(22.0),
        bmi_category: Some(BmiCategory::Normal),
        diabetes_risk: DiabetesRisk::Low,
        stress_level: StressLevel::Moderate,
        overall_level: OverallLevel::Moderate,
    }
}

fn nothing_known() -> Scores {
    Scores {
        bmi: None,
        bmi_category: None,
        diabetes_risk: DiabetesRisk::Unknown,
        stress_level: StressLevel::Low,
        overall_level: OverallLevel::Unknown,
    }
}

fn ill() -> Scores {
    Scores {
        bmi: Some(31.0),
        bmi_category: Some(BmiCategory::Obese),
        diabetes_risk: DiabetesRisk::High,
        stress_level: StressLevel::Moderate,
        overall_level: OverallLevel::High,
    }
}

fn store(bench: &Bench) -> Store {
    Store::new(bench.database.clone(), bench.keys.clone())
}

/// Stores assessments; returns the id of the first.
async fn keep(bench: &Bench, count: usize, scores: &Scores, now: DateTime<Utc>) -> uuid::Uuid {
    let mut first = None;
    for _ in 0..count {
        let id = RandomIds.uuid();
        let request = RequestKey::new(&bench.keys, CREATE, &id.to_string(), &[]);
        let assessment = Assessment::new(id, now, Answers::default(), scores.clone());
        let created = store(bench).create(request, assessment.clone()).await;
        assert_eq!(created.expect("kept"), Creation::Created(assessment));
        first.get_or_insert(id);
    }
    first.expect("one at least")
}

async fn ask(serving: &mut Serving, month: &str) -> Result<GetAssessmentSummaryResponse, Status> {
    let request = GetAssessmentSummaryRequest {
        month: month.to_owned(),
    };
    let request = serving.staff(READ, request);
    let answer = serving.client.get_assessment_summary(request).await;
    answer.map(tonic::Response::into_inner)
}

fn counts(result: &str, bands: &[(&str, i32)]) -> ResultCounts {
    let bands = bands.iter().map(|(band, assessments)| BandCount {
        band: (*band).to_owned(),
        assessments: *assessments,
    });
    ResultCounts {
        result: result.to_owned(),
        bands: bands.collect(),
    }
}

/// Stores 40 assessments in November, and some on the days before and after; returns the id of the first.
async fn november(bench: &Bench) -> uuid::Uuid {
    let first = keep(bench, 24, &healthy(), at("2026-10-31T18:30:00Z")).await;
    keep(bench, 4, &ill(), at("2026-11-30T18:29:59Z")).await;
    keep(bench, 12, &nothing_known(), at("2026-11-15T12:00:00Z")).await;
    keep(bench, 7, &ill(), at("2026-10-31T18:29:59Z")).await;
    keep(bench, 5, &ill(), at("2026-11-30T18:30:00Z")).await;
    first
}

fn said_of_november() -> GetAssessmentSummaryResponse {
    GetAssessmentSummaryResponse {
        month: "2026-11".to_owned(),
        group_size_min: 10,
        assessments: Some(40),
        results: vec![
            // Underweight and Overweight (none), Obese (4), and the next smallest.
            counts("bmiCategory", &[("Normal", 24), ("Others", 16)]),
            counts("diabetesRisk", &[("Low Risk", 24), ("Others", 16)]),
            counts("stressLevel", &[("Moderate Stress", 28), ("Others", 12)]),
            counts("overallLevel", &[("Moderate", 24), ("Others", 16)]),
        ],
    }
}

async fn counts_a_completed_month(bench: Bench) {
    november(&bench).await;
    let mut serving = Serving::start(&bench, at(DECEMBER)).await;
    let said = ask(&mut serving, "2026-11").await.expect("counted");
    assert_eq!(said, said_of_november());
    for (month, now) in [("2026-12", DECEMBER), ("2026-11", "2026-11-30T18:29:59Z")] {
        serving.clock.set(at(now));
        let refused = ask(&mut serving, month).await.expect_err("refused");
        assert_eq!(refused.code(), Code::InvalidArgument);
        let details = refused.get_details_bad_request().expect("violations");
        assert_eq!(details.field_violations[0].field, "month");
    }
    let entry = "SELECT count(*) FROM audit_entries WHERE actor = 'editor@sampige' AND action = 'assessments.counted' \
                 AND subject = '2026-11' AND detail = ''";
    assert_eq!(bench.test.scalar(entry).await, 1);
    let entries = "SELECT count(*) FROM audit_entries";
    assert_eq!(bench.test.scalar(entries).await, 1);
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { entries: 1, .. }) => {}
        broken => panic!("{broken:?}"),
    }
    serving.stop().await;
    bench.end().await;
}

async fn a_published_month_never_changes(bench: Bench) {
    let first = november(&bench).await;
    let mut serving = Serving::start(&bench, at(DECEMBER)).await;
    for _ in 0..2 {
        let said = ask(&mut serving, "2026-11").await.expect("counted");
        assert_eq!(said, said_of_november());
        // A difference would reveal this person's results.
        store(&bench).delete(first).await.expect("removed");
    }
    let everything = "DELETE FROM assessments";
    assert_eq!(bench.test.execute(everything).await, 51);
    let said = ask(&mut serving, "2026-11").await.expect("counted");
    assert_eq!(said, said_of_november());
    let entries = "SELECT count(*) FROM audit_entries";
    assert_eq!(bench.test.scalar(entries).await, 3);
    let broken = "UPDATE month_summaries SET summary = '{\"assessments\":40}'";
    assert_eq!(bench.test.execute(broken).await, 1);
    let refused = ask(&mut serving, "2026-11").await.expect_err("refused");
    assert_eq!(refused.code(), Code::Internal);
    serving.stop().await;
    bench.end().await;
}

async fn a_month_with_few_people_publishes_nothing(bench: Bench) {
    keep(&bench, 9, &healthy(), at("2026-11-15T12:00:00Z")).await;
    keep(&bench, 10, &healthy(), at("2026-10-15T12:00:00Z")).await;
    let mut serving = Serving::start(&bench, at(DECEMBER)).await;
    let few = ask(&mut serving, "2026-11").await.expect("counted");
    assert_eq!((few.assessments, few.results), (None, Vec::new()));
    let nobody = ask(&mut serving, "1999-01").await.expect("counted");
    assert_eq!((nobody.assessments, nobody.results), (None, Vec::new()));
    let ten = ask(&mut serving, "2026-10").await.expect("counted");
    assert_eq!(ten.assessments, Some(10));
    assert_eq!(ten.results.len(), 4);
    assert!(ten.results.iter().all(|result| result.bands.is_empty()));
    let rows = "SELECT count(*) FROM month_summaries WHERE month = '2026-10'";
    assert_eq!(bench.test.scalar(rows).await, 1);
    let rows = "SELECT count(*) FROM month_summaries";
    assert_eq!(bench.test.scalar(rows).await, 1);
    serving.stop().await;
    bench.end().await;
}

async fn requires_a_staff_token_with_the_scope(bench: Bench) {
    november(&bench).await;
    let mut serving = Serving::start(&bench, at(DECEMBER)).await;
    let message = GetAssessmentSummaryRequest {
        month: "2026-11".to_owned(),
    };
    let stranger = Request::new(message.clone());
    let refused = serving.client.get_assessment_summary(stranger).await;
    let refused = refused.expect_err("refused");
    assert_eq!(refused.code(), Code::Unauthenticated);
    let other = serving.staff("appointments:read", message);
    let refused = serving.client.get_assessment_summary(other).await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    let entries = "SELECT count(*) FROM audit_entries";
    assert_eq!(bench.test.scalar(entries).await, 0);
    serving.stop().await;
    bench.end().await;
}

async fn concurrent_readers_get_the_first_result(bench: Bench) {
    november(&bench).await;
    let now = at(DECEMBER);
    let month = Month::parse("2026-11", now).expect("a month");
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        let store = store(&bench);
        callers.spawn(async move {
            let said = store.summary(month, "editor@sampige", now).await;
            said.expect("counted").assessments
        });
    }
    assert_eq!(callers.join_all().await, [Some(40); 8]);
    let rows = "SELECT count(*) FROM month_summaries";
    assert_eq!(bench.test.scalar(rows).await, 1);
    let entries = "SELECT count(*) FROM audit_entries";
    assert_eq!(bench.test.scalar(entries).await, 8);
    bench.end().await;
}
