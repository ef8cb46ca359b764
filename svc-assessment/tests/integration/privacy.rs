//! Nothing is stored without consent, stored answers can be removed, and nothing written beside a row leads to it.

use std::{
    io,
    sync::{Arc, Mutex},
};

use hospital_proto::assessment::v1::{
    Assessment, DeleteAssessmentRequest, GetAssessmentSummaryRequest,
};
use test_kit::{bench::empty, on_both_databases, service::is_replay};
use tonic::{Code, Response};
use tonic_types::StatusExt as _;
use tracing_subscriber::fmt::{MakeWriter, format::FmtSpan};

use crate::{
    Bench,
    serving::{READ, Serving, answered, at, without_consent},
};

const REQUEST_ID: &str = "6f1d3a52-privacy-test";
const NOW: &str = "2026-11-21T09:30:00.123456Z";

on_both_databases!(test_kit::bench::empty:
    stores_nothing_without_consent,
    a_visitor_can_remove_stored_answers,
    scores_the_extra_measures_without_storing_them,
);

/// Counts the rows of all tables of the service.
async fn rows(bench: &Bench) -> i64 {
    let all = "SELECT (SELECT count(*) FROM assessments) + (SELECT count(*) FROM request_keys) \
               + (SELECT count(*) FROM audit_entries) + (SELECT count(*) FROM outbox_messages)";
    bench.test.scalar(all).await
}

fn says_nothing_was_created<T>(response: &Response<T>) -> bool {
    let said = response.metadata().get("resource-created");
    said.is_some_and(|said| said == "false")
}

async fn stores_nothing_without_consent(bench: Bench) {
    let mut serving = Serving::start(&bench, at(NOW)).await;
    let response = serving.client.create_assessment(without_consent()).await;
    let response = response.expect("scored");
    assert!(says_nothing_was_created(&response));
    assert!(!is_replay(&response));
    let scored = response.into_inner().assessment.expect("an assessment");
    let result = scored.result.clone().expect("a result");
    assert_eq!(result.overall_level, "High");
    assert_eq!(result.recommendations.len(), 6);
    let sent = without_consent().assessment.expect("answers");
    let expected = Assessment {
        result: Some(result),
        ..sent
    };
    assert_eq!(scored, expected, "no id, no time, nothing stored");
    assert_eq!(rows(&bench).await, 0);
    serving.stop().await;
    bench.end().await;
}

async fn a_visitor_can_remove_stored_answers(bench: Bench) {
    let mut serving = Serving::start(&bench, at(NOW)).await;
    let response = serving.client.create_assessment(answered(REQUEST_ID)).await;
    let response = response.expect("kept");
    assert!(!says_nothing_was_created(&response));
    let kept = response.into_inner().assessment.expect("an assessment");
    assert!(kept.stored && kept.consent);
    let remove = async |serving: &mut Serving, assessment_id: &str| {
        let request = DeleteAssessmentRequest {
            assessment_id: assessment_id.to_owned(),
        };
        serving.client.delete_assessment(request).await
    };
    for unknown in ["", "no id", "3ba36add-de33-43ea-ac27-ebfd3e6cfecd"] {
        remove(&mut serving, unknown).await.expect("no error");
    }
    assert_eq!(rows(&bench).await, 2, "the assessment and its request key");
    for _ in 0..2 {
        remove(&mut serving, &kept.id).await.expect("removed");
        let assessments = "SELECT count(*) FROM assessments";
        assert_eq!(bench.test.scalar(assessments).await, 0);
    }
    let again = serving.client.create_assessment(answered(REQUEST_ID)).await;
    let again = again.expect_err("it does not come back");
    assert_eq!(again.code(), Code::NotFound);
    let details = again.get_details_error_info().expect("a reason");
    assert_eq!(details.reason, "REMOVED");
    assert_eq!(rows(&bench).await, 1);
    serving.stop().await;
    bench.end().await;
}

async fn scores_the_extra_measures_without_storing_them(bench: Bench) {
    let mut serving = Serving::start(&bench, at(NOW)).await;
    let response = serving.client.create_assessment(answered(REQUEST_ID)).await;
    let kept = response.expect("kept").into_inner().assessment;
    let kept = kept.expect("an assessment");
    let result = kept.result.as_ref().expect("a result");
    assert_eq!(result.indian_bmi_category, "Obese");
    assert_eq!(result.indian_diabetes_score, Some(80));
    assert_eq!(result.indian_diabetes_risk, "High Risk");
    // The extra measures are not part of the request's fingerprint.
    let mut other = answered(REQUEST_ID);
    other.assessment.as_mut().expect("answers").indian_measures = None;
    let response = serving.client.create_assessment(other).await;
    let response = response.expect("repeated");
    assert!(is_replay(&response));
    let again = response.into_inner().assessment.expect("an assessment");
    assert_eq!(again.id, kept.id);
    assert_eq!(again.indian_measures, None);
    let result = again.result.expect("a result");
    assert_eq!(result.indian_diabetes_score, None);
    assert_eq!(result.indian_diabetes_risk, "Not enough information");
    assert_eq!(result.overall_level, "High");
    serving.stop().await;
    bench.end().await;
}

/// Collects the log, including spans and their fields.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        let bytes = self.0.lock().expect("a log");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Runs on one thread, so that everything the service does is logged here, at every level.
async fn logs_and_spans_identify_no_row(is_sqlite: bool) {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(FmtSpan::FULL)
        // The duration of a span could look like an answer.
        .without_time()
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    let logging = tracing::subscriber::set_default(subscriber);
    // With only one dispatcher, a callsite first reached on another test's thread would be disabled for all tests.
    let second = tracing::Dispatch::new(tracing_subscriber::registry());
    let bench = Bench::open(empty(is_sqlite).await).await;
    let mut serving = Serving::start(&bench, at(NOW)).await;
    let mut kept = Vec::new();
    for request_id in [REQUEST_ID, REQUEST_ID, "6f1d3a52-another-test"] {
        let response = serving.client.create_assessment(answered(request_id)).await;
        let assessment = response.expect("kept").into_inner().assessment;
        kept.push(assessment.expect("an assessment").id);
    }
    let before = log.text();
    let response = serving.client.create_assessment(without_consent()).await;
    response.expect("scored");
    let request = DeleteAssessmentRequest {
        assessment_id: kept[0].clone(),
    };
    let removed = serving.client.delete_assessment(request).await;
    removed.expect("removed");
    serving.clock.set(at("2026-12-02T00:00:00Z"));
    let summary = GetAssessmentSummaryRequest {
        month: "2026-11".to_owned(),
    };
    let summary = serving.staff(READ, summary);
    let summary = serving.client.get_assessment_summary(summary).await;
    summary.expect("counted");
    serving.stop().await;
    bench.test.drop_if_exists().await;
    drop((logging, second));

    let log = log.text();
    for there in ["CreateAssessment", "DeleteAssessment", "SELECT assessments"] {
        assert!(log.contains(there), "{there}: it would be seen");
    }
    // Storing and not storing an assessment must look alike.
    assert!(before.contains("CreateAssessment"));
    for telling in ["INSERT assessments", "DELETE assessments"] {
        assert!(!log.contains(telling), "{telling}");
    }
    let secrets = [
        REQUEST_ID,
        "6f1d3a52-another-test",
        "163.5",
        "83.25",
        "92.5",
        "female",
        "Obese",
        "Healthy diet",
    ];
    let simple = kept.iter().map(|id| id.replace('-', ""));
    for secret in secrets
        .map(str::to_owned)
        .into_iter()
        .chain(kept.clone())
        .chain(simple)
    {
        assert!(!log.contains(&secret), "{secret} is in the log");
    }
}

#[tokio::test]
async fn logs_and_spans_identify_no_row_on_sqlite() {
    logs_and_spans_identify_no_row(true).await;
}

#[tokio::test]
async fn logs_and_spans_identify_no_row_on_postgres() {
    logs_and_spans_identify_no_row(false).await;
}
