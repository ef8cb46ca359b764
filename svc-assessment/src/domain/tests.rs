use serde::Deserialize;

use super::*;
use crate::scoring::score;

const REQUEST_ID: &str = "0123456789abcdef";

/// `vectors/scoring.json`, in the JSON form that the browser sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    #[serde(rename = "about")]
    _about: String,
    cases: Vec<Case>,
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    answers: RawAnswers,
    result: RawResult,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    name: String,
    answers: RawAnswers,
    fields: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
#[derive(Default)]
struct RawAnswers {
    personal_info: RawPersonal,
    diabetes_risk: RawDiabetes,
    stress_evaluation: RawStress,
    coping_strategies: RawCoping,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawPersonal {
    age: Option<i32>,
    gender: String,
    height: Option<f64>,
    weight: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawDiabetes {
    family_history: String,
    blood_pressure: String,
    activity_level: String,
    waist_circumference: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawStress {
    sleep_hours: Option<f64>,
    sleep_quality: String,
    work_stress: String,
    relationships: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RawCoping {
    strategies: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RawResult {
    bmi: Option<f64>,
    bmi_category: String,
    diabetes_risk: String,
    stress_level: String,
    overall_level: String,
}

impl From<RawAnswers> for Assessment {
    fn from(raw: RawAnswers) -> Self {
        Self {
            personal_info: Some(PersonalInfo {
                age: raw.personal_info.age,
                gender: raw.personal_info.gender,
                height: raw.personal_info.height,
                weight: raw.personal_info.weight,
            }),
            diabetes_risk: Some(DiabetesRisk {
                family_history: raw.diabetes_risk.family_history,
                blood_pressure: raw.diabetes_risk.blood_pressure,
                activity_level: raw.diabetes_risk.activity_level,
                waist_circumference: raw.diabetes_risk.waist_circumference,
            }),
            stress_evaluation: Some(StressEvaluation {
                sleep_hours: raw.stress_evaluation.sleep_hours,
                sleep_quality: raw.stress_evaluation.sleep_quality,
                work_stress: raw.stress_evaluation.work_stress,
                relationships: raw.stress_evaluation.relationships,
            }),
            coping_strategies: Some(CopingStrategies {
                strategies: raw.coping_strategies.strategies,
            }),
            consent: true,
            ..Self::default()
        }
    }
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../vectors/scoring.json")).expect("the vectors")
}

fn request(assessment: Assessment) -> CreateAssessmentRequest {
    CreateAssessmentRequest {
        assessment: Some(assessment),
        request_id: REQUEST_ID.to_owned(),
    }
}

fn fields(request: CreateAssessmentRequest) -> Vec<String> {
    let violations = parse(request).expect_err("violations");
    violations
        .into_iter()
        .map(|violation| violation.field)
        .collect()
}

#[test]
fn every_golden_case_scores_as_written() {
    let cases = vectors().cases;
    assert!(cases.len() >= 25);
    for case in cases {
        let draft = parse(request(case.answers.into())).expect(&case.name);
        let expected = AssessmentResult {
            bmi: case.result.bmi,
            bmi_category: case.result.bmi_category,
            diabetes_risk: case.result.diabetes_risk,
            stress_level: case.result.stress_level,
            overall_level: case.result.overall_level,
        };
        assert_eq!(score(&draft.answers), expected, "{}", case.name);
    }
}

#[test]
fn every_impossible_answer_is_refused_at_its_field() {
    for case in vectors().refused {
        assert_eq!(
            fields(request(case.answers.into())),
            case.fields,
            "{}",
            case.name
        );
    }
}

#[test]
fn ranges_include_their_ends() {
    for (age, height, weight, sleep_hours) in [(1, 50.0, 2.0, 0.0), (120, 250.0, 400.0, 24.0)] {
        let assessment = Assessment {
            personal_info: Some(PersonalInfo {
                age: Some(age),
                height: Some(height),
                weight: Some(weight),
                ..PersonalInfo::default()
            }),
            stress_evaluation: Some(StressEvaluation {
                sleep_hours: Some(sleep_hours),
                ..StressEvaluation::default()
            }),
            consent: true,
            ..Assessment::default()
        };
        assert!(parse(request(assessment)).is_ok());
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let assessment = Assessment {
            personal_info: Some(PersonalInfo {
                height: Some(value),
                ..PersonalInfo::default()
            }),
            consent: true,
            ..Assessment::default()
        };
        assert_eq!(fields(request(assessment)), ["personalInfo.height"]);
    }
}

#[test]
fn nothing_is_stored_without_consent() {
    assert_eq!(fields(request(Assessment::default())), ["consent"]);
}

#[test]
fn everything_wrong_is_reported_at_once() {
    assert_eq!(
        fields(CreateAssessmentRequest::default()),
        ["requestId", "assessment"]
    );
    let wrong = CreateAssessmentRequest {
        request_id: "short".to_owned(),
        assessment: Some(Assessment {
            personal_info: Some(PersonalInfo {
                age: Some(0),
                ..PersonalInfo::default()
            }),
            ..Assessment::default()
        }),
    };
    assert_eq!(fields(wrong), ["requestId", "personalInfo.age", "consent"]);
}

#[test]
fn the_fingerprint_sees_answers_only() {
    let of = |labels: &[&str], id: &str| {
        let draft = parse(request(Assessment {
            id: id.to_owned(),
            coping_strategies: Some(CopingStrategies {
                strategies: labels.iter().map(|&label| label.to_owned()).collect(),
            }),
            consent: true,
            ..Assessment::default()
        }));
        draft.expect("valid").fingerprint()
    };
    let first = of(&["Healthy diet", "Regular exercise"], "");
    assert_eq!(
        first,
        of(
            &["Regular exercise", "Healthy diet", "Healthy diet"],
            "output only"
        )
    );
    assert_ne!(first, of(&["Regular exercise"], ""));
}

#[test]
fn no_answer_is_in_the_debug_text() {
    let assessment = Assessment {
        personal_info: Some(PersonalInfo {
            age: Some(77),
            gender: "female".to_owned(),
            ..PersonalInfo::default()
        }),
        consent: true,
        ..Assessment::default()
    };
    let text = format!("{:?}", parse(request(assessment)).expect("valid").answers);
    assert_eq!(text, "Answers(withheld)");
}
