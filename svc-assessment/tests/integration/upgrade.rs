//! Databases written by other builds: the previous and the next.

use chrono::{DateTime, TimeDelta, Utc};
use hospital_proto::assessment::v1::{
    Assessment, AssessmentResult, CopingStrategies, CreateAssessmentRequest,
    DeleteAssessmentRequest, DiabetesRisk, PersonalInfo, StressEvaluation,
    assessment_service_client::AssessmentServiceClient,
};
use serde::Deserialize;
use svc_assessment::{Arguments, domain, scoring::RECOMMENDATIONS};
use test_kit::database::TestDatabase;
use tonic::{Code, service::Routes};
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::Bench;

/// The build that wrote the rows.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// With precise times and request ids in the row.
    First,
    /// With the day, and request keys that are kept for 30 days.
    Second,
}

mod first {
    use super::{Bench, Format};

    test_kit::on_both_databases!(crate::upgrade::of_the_first_format: rows_are_kept, keeps_no_precise_time);

    async fn rows_are_kept(bench: Bench) {
        super::rows_are_kept_and_requests_recognised(bench, Format::First).await;
    }

    async fn keeps_no_precise_time(bench: Bench) {
        super::keeps_no_precise_time(bench, Format::First).await;
    }
}

mod second {
    use super::{Bench, Format};

    test_kit::on_both_databases!(crate::upgrade::of_the_second_format: rows_are_kept, rows_can_be_removed);

    async fn rows_are_kept(bench: Bench) {
        super::rows_are_kept_and_requests_recognised(bench, Format::Second).await;
    }

    async fn rows_can_be_removed(bench: Bench) {
        super::rows_can_be_removed(bench, Format::Second).await;
    }
}

mod newer {
    use super::works_on_the_schema_of_the_build_after;

    test_kit::on_both_databases!(test_kit::bench::empty: works_on_the_schema_of_the_build_after);
}

/// Stored values of the previous build, as read from its own columns. Ids and times differ between the databases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    request_id: String,
    age_years: Option<i32>,
    gender: Option<String>,
    height_cm: Option<f64>,
    weight_kg: Option<f64>,
    family_history: Option<String>,
    blood_pressure: Option<String>,
    activity_level: Option<String>,
    waist_circumference: Option<String>,
    sleep_hours: Option<f64>,
    sleep_quality: Option<String>,
    work_stress: Option<String>,
    relationships: Option<String>,
    coping_strategies: Vec<String>,
    bmi: Option<f64>,
    bmi_category: String,
    diabetes_risk: String,
    stress_level: String,
    overall_level: String,
    sqlite: Receipt,
    postgres: Receipt,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Receipt {
    id: Uuid,
    create_time: DateTime<Utc>,
}

impl Format {
    fn rows(self) -> Vec<Expected> {
        let json = match self {
            Self::First => include_str!("../fixtures/v1.json"),
            Self::Second => include_str!("../fixtures/v2.json"),
        };
        let rows: Vec<Expected> = serde_json::from_str(json).expect("the rows");
        assert!(rows.len() >= 12);
        rows
    }
}

impl Expected {
    fn receipt(&self, bench: &Bench) -> Receipt {
        if bench.test.is_sqlite() {
            self.sqlite
        } else {
            self.postgres
        }
    }

    fn indian_bmi_category(&self) -> &'static str {
        let Some((height_cm, weight_kg)) = self.height_cm.zip(self.weight_kg) else {
            return "";
        };
        let metres = height_cm / 100.0;
        match weight_kg / (metres * metres) {
            bmi if bmi < 18.5 => "Underweight",
            bmi if bmi < 23.0 => "Normal",
            bmi if bmi < 25.0 => "Overweight",
            _ => "Obese",
        }
    }

    /// Returns the request that created the row.
    fn request(&self) -> CreateAssessmentRequest {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        CreateAssessmentRequest {
            request_id: self.request_id.clone(),
            assessment: Some(Assessment {
                personal_info: Some(PersonalInfo {
                    age: self.age_years,
                    gender: text(&self.gender),
                    height: self.height_cm,
                    weight: self.weight_kg,
                }),
                diabetes_risk: Some(DiabetesRisk {
                    family_history: text(&self.family_history),
                    blood_pressure: text(&self.blood_pressure),
                    activity_level: text(&self.activity_level),
                    waist_circumference: text(&self.waist_circumference),
                }),
                stress_evaluation: Some(StressEvaluation {
                    sleep_hours: self.sleep_hours,
                    sleep_quality: text(&self.sleep_quality),
                    work_stress: text(&self.work_stress),
                    relationships: text(&self.relationships),
                }),
                coping_strategies: Some(CopingStrategies {
                    strategies: self.coping_strategies.clone(),
                }),
                consent: true,
                ..Assessment::default()
            }),
        }
    }

    /// Returns the previous build's response, except for the time of day.
    fn answer(&self, receipt: Receipt) -> Assessment {
        let day = domain::day(receipt.create_time);
        Assessment {
            id: receipt.id.to_string(),
            result: Some(AssessmentResult {
                bmi: self.bmi,
                bmi_category: self.bmi_category.clone(),
                diabetes_risk: self.diabetes_risk.clone(),
                stress_level: self.stress_level.clone(),
                overall_level: self.overall_level.clone(),
                // Not stored by any build.
                recommendations: RECOMMENDATIONS.map(str::to_owned).into(),
                indian_bmi_category: self.indian_bmi_category().to_owned(),
                indian_diabetes_score: None,
                indian_diabetes_risk: "Not enough information".to_owned(),
            }),
            stored: true,
            create_time: Some(std::time::SystemTime::from(day).into()),
            ..self.request().assessment.expect("an assessment")
        }
    }
}

async fn of_the_first_format(is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/v1.db");
        return TestDatabase::sqlite_of(file.as_ref());
    }
    TestDatabase::postgres_of(include_str!("../fixtures/v1.sql")).await
}

async fn of_the_second_format(is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/v2.db");
        return TestDatabase::sqlite_of(file.as_ref());
    }
    TestDatabase::postgres_of(include_str!("../fixtures/v2.sql")).await
}

async fn client(bench: &Bench, now: DateTime<Utc>) -> AssessmentServiceClient<Routes> {
    AssessmentServiceClient::new(bench.served(&Arguments::default(), now).await.routes)
}

/// The response to a retry is read from all columns of the row; `store.rs` tests that.
async fn rows_are_kept_and_requests_recognised(bench: Bench, format: Format) {
    let rows = format.rows();
    let count = bench.test.scalar("SELECT count(*) FROM assessments").await;
    assert_eq!(usize::try_from(count), Ok(rows.len()));
    for row in rows {
        let receipt = row.receipt(&bench);
        // A day later, while a retry is still recognised.
        let mut client = client(&bench, receipt.create_time + TimeDelta::days(1)).await;
        let mut request = row.request();
        let answer = client.create_assessment(request.clone()).await;
        let answer = answer.expect("accepted").into_inner().assessment;
        assert_eq!(answer, Some(row.answer(receipt)));
        let changed = request.assessment.as_mut().expect("an assessment");
        changed.personal_info = Some(PersonalInfo {
            age: Some(101),
            ..PersonalInfo::default()
        });
        let refused = client.create_assessment(request).await;
        let refused = refused.expect_err("refused");
        assert_eq!(refused.code(), Code::InvalidArgument);
        let details = refused.get_error_details();
        let info = details.error_info().expect("ErrorInfo");
        assert_eq!(info.reason, "REQUEST_ID_REUSED");
    }
    let count = bench.test.scalar("SELECT count(*) FROM assessments").await;
    assert_eq!(usize::try_from(count), Ok(format.rows().len()));
    bench.end().await;
}

async fn rows_can_be_removed(bench: Bench, format: Format) {
    for row in format.rows() {
        let receipt = row.receipt(&bench);
        let mut client = client(&bench, receipt.create_time + TimeDelta::days(1)).await;
        let request = DeleteAssessmentRequest {
            assessment_id: receipt.id.to_string(),
        };
        client.delete_assessment(request).await.expect("removed");
        let again = client.create_assessment(row.request()).await;
        let again = again.expect_err("it does not come back");
        assert_eq!(again.code(), Code::NotFound);
    }
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM assessments").await,
        0
    );
    bench.end().await;
}

async fn keeps_no_precise_time(bench: Bench, format: Format) {
    let left = "SELECT count(*) FROM assessments_v1";
    assert_eq!(bench.test.scalar(left).await, 0);
    let days = "SELECT count(DISTINCT create_time) FROM assessments";
    assert_eq!(bench.test.scalar(days).await, 1);
    let days = "SELECT count(DISTINCT create_time) FROM request_keys";
    assert_eq!(bench.test.scalar(days).await, 1);
    let keys = bench.test.scalar("SELECT count(*) FROM request_keys").await;
    assert_eq!(usize::try_from(keys), Ok(format.rows().len()));
    bench.database.close().await;
    if let Some(path) = bench.test.url.strip_prefix("sqlite:") {
        let bytes = std::fs::read(path).expect("the file");
        for row in format.rows() {
            let precise = row.sqlite.create_time.to_rfc3339();
            let is_there = bytes
                .windows(precise.len())
                .any(|part| part == precise.as_bytes());
            assert!(!is_there, "{precise} in the file");
        }
    }
    bench.end().await;
}

async fn works_on_the_schema_of_the_build_after(bench: Bench) {
    bench
        .migrate_further("ALTER TABLE assessments ADD COLUMN channel text")
        .await;
    // As after a rollback. Reopening migrates too, which must do nothing.
    let bench = bench.reopen().await;
    bench.database.ready().await.expect("ready");
    let row = Format::First.rows().remove(1);
    let mut client = client(&bench, row.sqlite.create_time).await;
    for _ in 0..2 {
        let answer = client.create_assessment(row.request()).await;
        let assessment = answer.expect("accepted").into_inner().assessment;
        let result = assessment.expect("an assessment").result;
        assert_eq!(result, row.answer(row.sqlite).result);
    }
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM assessments").await,
        1
    );
    bench.end().await;
}
