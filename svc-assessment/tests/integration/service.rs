//! The program as deployed: over gRPC, on both databases, and without a database.

use hospital_proto::assessment::v1::{
    Assessment, CreateAssessmentRequest, PersonalInfo,
    assessment_service_client::AssessmentServiceClient,
};
use test_kit::{database::TestDatabase, service::is_replay};
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::{PROGRAM, serving};

const REQUEST_ID: &str = "6f1d3a52-process-test";

fn answered() -> CreateAssessmentRequest {
    let mut request = serving::answered(REQUEST_ID);
    let assessment = request.assessment.as_mut().expect("an assessment");
    assessment.indian_measures = None;
    request
}

async fn create(
    client: &mut AssessmentServiceClient<Channel>,
    request: CreateAssessmentRequest,
) -> Result<Assessment, Status> {
    let (created, _) = answered_by(client, request).await?;
    Ok(created)
}

/// Returns the service's response, and whether it is marked as a replay.
async fn answered_by(
    client: &mut AssessmentServiceClient<Channel>,
    request: CreateAssessmentRequest,
) -> Result<(Assessment, bool), Status> {
    let response = client.create_assessment(request).await?;
    let is_replay = is_replay(&response);
    let created = response.into_inner().assessment.expect("an assessment");
    Ok((created, is_replay))
}

fn violated_fields(status: &Status) -> Vec<String> {
    let details = status.get_error_details();
    let violations = &details.bad_request().expect("BadRequest").field_violations;
    violations
        .iter()
        .map(|violation| violation.field.clone())
        .collect()
}

async fn refuses_by_field(client: &mut AssessmentServiceClient<Channel>) {
    let invalid = create(client, CreateAssessmentRequest::default())
        .await
        .expect_err("refused");
    assert_eq!(invalid.code(), Code::InvalidArgument);
    assert_eq!(violated_fields(&invalid), ["assessment"]);
    let mut impossible = answered();
    impossible.request_id = String::new();
    let assessment = impossible.assessment.as_mut().expect("an assessment");
    assessment.personal_info = Some(PersonalInfo {
        age: Some(200),
        ..PersonalInfo::default()
    });
    let without_consent = CreateAssessmentRequest {
        assessment: Some(Assessment {
            consent: false,
            ..assessment.clone()
        }),
        ..CreateAssessmentRequest::default()
    };
    for (request, fields) in [
        (impossible, &["requestId", "personalInfo.age"][..]),
        (without_consent, &["personalInfo.age"]),
    ] {
        let invalid = create(client, request).await.expect_err("refused");
        assert_eq!(invalid.code(), Code::InvalidArgument);
        assert_eq!(violated_fields(&invalid), fields);
    }
}

async fn takes_assessments(database: TestDatabase) {
    if database.url.starts_with("postgres:") {
        PROGRAM.migrate(&database).await;
    }
    let process = PROGRAM
        .start(&database.url, &["--log-format", "json"])
        .await;
    for path in ["/healthz", "/readyz"] {
        process.wait_for(path, 200).await;
    }
    let mut client = AssessmentServiceClient::connect(process.url())
        .await
        .expect("a channel");

    let (first, is_replay) = answered_by(&mut client, answered())
        .await
        .expect("accepted");
    assert!(!is_replay);
    let result = first.result.as_ref().expect("a result");
    assert_eq!(result.bmi, Some(31.1));
    assert_eq!(result.bmi_category, "Obese");
    assert_eq!(result.diabetes_risk, "Moderate Risk");
    assert_eq!(result.stress_level, "Moderate Stress");
    assert_eq!(result.overall_level, "High");
    let time = first.create_time.expect("a time");
    assert_eq!((time.seconds % 86_400, time.nanos), (0, 0), "only the day");
    let again = answered_by(&mut client, answered()).await;
    assert_eq!(again.expect("accepted again"), (first.clone(), true));

    let mut other = answered();
    other
        .assessment
        .as_mut()
        .expect("an assessment")
        .coping_strategies = None;
    let reused = create(&mut client, other).await.expect_err("refused");
    assert_eq!(reused.code(), Code::InvalidArgument);
    let reason = reused.get_error_details();
    assert_eq!(
        reason.error_info().expect("ErrorInfo").reason,
        "REQUEST_ID_REUSED"
    );

    refuses_by_field(&mut client).await;

    assert_eq!(database.scalar("SELECT count(*) FROM assessments").await, 1);
    let (status, metrics) = process.get("/metrics").await;
    assert_eq!(status, 200);
    assert!(metrics.contains("CreateAssessment"), "{metrics}");

    drop(client);
    let log = process.stop().await;
    assert!(log.contains("ready"), "{log}");
    for personal in [
        "163.5",
        "83.25",
        "female",
        "Obese",
        "Healthy diet",
        first.id.as_str(),
        REQUEST_ID,
    ] {
        assert!(!log.contains(personal), "{personal} in the log");
        assert!(!metrics.contains(personal), "{personal} in the metrics");
    }
    database.drop_if_exists().await;
}

#[tokio::test]
async fn takes_assessments_on_sqlite() {
    takes_assessments(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn takes_assessments_on_postgres() {
    takes_assessments(TestDatabase::postgres().await).await;
}

async fn call(url: String) -> Result<(), Code> {
    let mut client = AssessmentServiceClient::connect(url)
        .await
        .expect("a channel");
    let created = create(&mut client, answered()).await;
    created.map(drop).map_err(|refused| refused.code())
}

/// A request that stores nothing needs no database.
#[tokio::test]
async fn scores_while_the_database_is_unavailable() {
    // Nothing listens on port 1.
    let process = PROGRAM
        .start("postgres://desk@127.0.0.1:1/hospital", &[])
        .await;
    let mut client = AssessmentServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let mut request = answered();
    let assessment = request.assessment.as_mut().expect("an assessment");
    assessment.consent = false;
    let scored = create(&mut client, request).await.expect("scored");
    assert_eq!((scored.stored, scored.id.as_str()), (false, ""));
    assert_eq!(scored.result.expect("a result").overall_level, "High");
    let kept = create(&mut client, answered()).await.expect_err("refused");
    assert_eq!(kept.code(), Code::Unavailable);
    drop(client);
    process.stop().await;
}

test_kit::service_keeps_its_promises!(crate::PROGRAM, super::call);

#[tokio::test]
async fn metrics_identify_the_service() {
    let database = TestDatabase::sqlite();
    let process = PROGRAM.start(&database.url, &[]).await;
    process
        .says_what_it_is("svc-assessment", "assessment")
        .await;
    process.stop().await;
}
