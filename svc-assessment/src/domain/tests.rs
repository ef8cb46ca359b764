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
    #[serde(rename = "recommendations")]
    _recommendations: Vec<String>,
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

impl From<RawAnswers> for SubmittedAnswers {
    fn from(raw: RawAnswers) -> Self {
        Self {
            age_years: raw.personal_info.age,
            gender: raw.personal_info.gender,
            height_cm: raw.personal_info.height,
            weight_kg: raw.personal_info.weight,
            family_history: raw.diabetes_risk.family_history,
            blood_pressure: raw.diabetes_risk.blood_pressure,
            activity_level: raw.diabetes_risk.activity_level,
            waist_circumference: raw.diabetes_risk.waist_circumference,
            sleep_hours: raw.stress_evaluation.sleep_hours,
            sleep_quality: raw.stress_evaluation.sleep_quality,
            work_stress: raw.stress_evaluation.work_stress,
            relationships: raw.stress_evaluation.relationships,
            strategies: raw.coping_strategies.strategies,
            consent: true,
        }
    }
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../vectors/scoring.json")).expect("the vectors")
}

fn request(answers: SubmittedAnswers) -> Submission {
    Submission {
        answers: Some(answers),
        request_id: REQUEST_ID.to_owned(),
    }
}

fn fields(request: Submission) -> Vec<String> {
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
        let (_, answers) = parse(request(case.answers.into())).expect(&case.name);
        let scores = score(&answers);
        let RawResult {
            bmi,
            bmi_category,
            diabetes_risk,
            stress_level,
            overall_level,
        } = case.result;
        assert_eq!(scores.bmi, bmi, "{}", case.name);
        let category = scores.bmi_category.map_or("", Choice::as_str);
        assert_eq!(category, bmi_category, "{}", case.name);
        assert_eq!(
            scores.diabetes_risk.as_str(),
            diabetes_risk,
            "{}",
            case.name
        );
        assert_eq!(scores.stress_level.as_str(), stress_level, "{}", case.name);
        assert_eq!(
            scores.overall_level.as_str(),
            overall_level,
            "{}",
            case.name
        );
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

fn nothing_answered() -> SubmittedAnswers {
    SubmittedAnswers {
        consent: true,
        ..SubmittedAnswers::default()
    }
}

#[test]
fn ranges_include_their_ends() {
    for (age, height, weight, sleep_hours) in [(1, 50.0, 2.0, 0.0), (120, 250.0, 400.0, 24.0)] {
        let answers = SubmittedAnswers {
            age_years: Some(age),
            height_cm: Some(height),
            weight_kg: Some(weight),
            sleep_hours: Some(sleep_hours),
            ..nothing_answered()
        };
        assert!(parse(request(answers)).is_ok());
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let answers = SubmittedAnswers {
            height_cm: Some(value),
            ..nothing_answered()
        };
        assert_eq!(fields(request(answers)), ["personalInfo.height"]);
    }
}

#[test]
fn nothing_is_stored_without_consent() {
    assert_eq!(fields(request(SubmittedAnswers::default())), ["consent"]);
}

#[test]
fn everything_wrong_is_reported_at_once() {
    assert_eq!(fields(Submission::default()), ["requestId", "assessment"]);
    let wrong = Submission {
        request_id: "short".to_owned(),
        answers: Some(SubmittedAnswers {
            age_years: Some(0),
            ..SubmittedAnswers::default()
        }),
    };
    assert_eq!(fields(wrong), ["requestId", "personalInfo.age", "consent"]);
}

#[test]
fn every_choice_is_found_by_its_text_and_by_no_other() {
    fn check<T: Choice + PartialEq + fmt::Debug>() {
        for choice in T::ALL {
            assert_eq!(T::find(choice.as_str()), Some(*choice));
        }
        assert_eq!(T::find(""), None);
        assert_eq!(T::find("unheard of"), None);
    }
    check::<Strategy>();
    check::<BmiCategory>();
    check::<DiabetesRisk>();
    check::<StressLevel>();
    check::<OverallLevel>();
}

#[test]
fn a_day_is_the_date_in_india() {
    let moment = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
    for (of, is) in [
        ("2025-11-21T18:29:59.999999Z", "2025-11-21T00:00:00Z"),
        ("2025-11-21T18:30:00Z", "2025-11-22T00:00:00Z"),
        ("2025-11-22T00:00:00Z", "2025-11-22T00:00:00Z"),
        ("2025-11-22T12:34:56.789012Z", "2025-11-22T00:00:00Z"),
    ] {
        assert_eq!(day(moment(of)), moment(is), "{of}");
        assert_eq!(day(day(moment(of))), moment(is), "{of}");
    }
}

#[test]
fn no_answer_is_in_the_debug_text() {
    let sent = request(SubmittedAnswers {
        age_years: Some(77),
        gender: "female".to_owned(),
        ..nothing_answered()
    });
    let (request_id, answers) = parse(sent.clone()).expect("valid");
    let scores = score(&answers);
    let text = format!(
        "{sent:?} {:?} {request_id:?} {answers:?} {scores:?}",
        sent.answers
    );
    for personal in ["77", "female", REQUEST_ID, "Not enough"] {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
}
