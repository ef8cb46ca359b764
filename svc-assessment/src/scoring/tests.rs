//! Golden cases of both vector files, which the browser runs too.

use serde::Deserialize;

use super::*;
use crate::domain::{
    Checked, Choice as _, IndianMeasures, Submission, SubmittedAnswers, SubmittedMeasures, parse,
};

/// A file of `vectors/`, in the JSON form that the browser sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors<R> {
    #[serde(rename = "about")]
    _about: String,
    /// Only in `scoring.json`.
    #[serde(default)]
    recommendations: Vec<String>,
    cases: Vec<Case<R>>,
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<R> {
    name: String,
    answers: RawAnswers,
    result: R,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    name: String,
    answers: RawAnswers,
    fields: Vec<String>,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawAnswers {
    personal_info: RawPersonal,
    diabetes_risk: RawDiabetes,
    stress_evaluation: RawStress,
    coping_strategies: RawCoping,
    indian_measures: RawMeasures,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawPersonal {
    age: Option<i32>,
    gender: String,
    height: Option<f64>,
    weight: Option<f64>,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawDiabetes {
    family_history: String,
    blood_pressure: String,
    activity_level: String,
    waist_circumference: String,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct RawStress {
    sleep_hours: Option<f64>,
    sleep_quality: String,
    work_stress: String,
    relationships: String,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RawCoping {
    strategies: Vec<String>,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RawMeasures {
    waist: Option<f64>,
    activity: String,
    parents: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RawResult {
    bmi: Option<f64>,
    bmi_category: String,
    diabetes_risk: String,
    stress_level: String,
    overall_level: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct RawIndianResult {
    #[serde(rename = "indianBmiCategory")]
    bmi_category: String,
    #[serde(rename = "indianDiabetesScore")]
    diabetes_score: Option<u32>,
    #[serde(rename = "indianDiabetesRisk")]
    diabetes_risk: String,
}

impl RawAnswers {
    fn submission(self, consent: bool) -> Submission {
        let answers = SubmittedAnswers {
            age_years: self.personal_info.age,
            gender: self.personal_info.gender,
            height_cm: self.personal_info.height,
            weight_kg: self.personal_info.weight,
            family_history: self.diabetes_risk.family_history,
            blood_pressure: self.diabetes_risk.blood_pressure,
            activity_level: self.diabetes_risk.activity_level,
            waist_circumference: self.diabetes_risk.waist_circumference,
            sleep_hours: self.stress_evaluation.sleep_hours,
            sleep_quality: self.stress_evaluation.sleep_quality,
            work_stress: self.stress_evaluation.work_stress,
            relationships: self.stress_evaluation.relationships,
            strategies: self.coping_strategies.strategies,
            measures: SubmittedMeasures {
                waist_cm: self.indian_measures.waist,
                exertion: self.indian_measures.activity,
                parents: self.indian_measures.parents,
            },
            consent,
        };
        Submission {
            request_id: "0123456789abcdef".to_owned(),
            answers: Some(answers),
        }
    }
}

fn scoring_vectors() -> Vectors<RawResult> {
    serde_json::from_str(include_str!("../../vectors/scoring.json")).expect("the vectors")
}

fn indian_vectors() -> Vectors<RawIndianResult> {
    serde_json::from_str(include_str!("../../vectors/indian.json")).expect("the vectors")
}

/// Returns the cases with their parsed answers.
fn checked<R>(vectors: Vectors<R>) -> Vec<(String, Answers, IndianMeasures, R)> {
    let cases = vectors.cases.into_iter().map(|case| {
        let Checked {
            answers, measures, ..
        } = parse(&case.answers.submission(false)).expect(&case.name);
        (case.name, answers, measures, case.result)
    });
    cases.collect()
}

fn result(rules: &Rules, answers: &Answers) -> RawResult {
    let scores = score_by(rules, answers);
    RawResult {
        bmi: scores.bmi,
        bmi_category: text(scores.bmi_category),
        diabetes_risk: scores.diabetes_risk.as_str().to_owned(),
        stress_level: scores.stress_level.as_str().to_owned(),
        overall_level: scores.overall_level.as_str().to_owned(),
    }
}

fn indian_result(
    rules: &indian::Rules,
    answers: &Answers,
    measures: &IndianMeasures,
) -> RawIndianResult {
    let scores = indian::score_by(rules, answers, measures);
    RawIndianResult {
        bmi_category: text(scores.bmi_category),
        diabetes_score: scores.diabetes_score,
        diabetes_risk: scores.diabetes_risk.as_str().to_owned(),
    }
}

fn text(category: Option<BmiCategory>) -> String {
    category.map_or("", |category| category.as_str()).to_owned()
}

#[test]
fn every_golden_case_scores_as_recorded() {
    let cases = checked(scoring_vectors());
    assert!(cases.len() >= 70);
    for (name, answers, _, expected) in cases {
        assert_eq!(result(&RULES, &answers), expected, "{name}");
    }
}

#[test]
fn every_indian_golden_case_scores_as_recorded() {
    let cases = checked(indian_vectors());
    assert!(cases.len() >= 80);
    for (name, answers, measures, expected) in cases {
        let scored = indian_result(&indian::RULES, &answers, &measures);
        assert_eq!(scored, expected, "{name}");
    }
}

#[test]
fn recommendations_equal_those_of_the_browser() {
    assert_eq!(scoring_vectors().recommendations, RECOMMENDATIONS);
}

#[test]
fn refuses_impossible_answers_by_field() {
    let refused = scoring_vectors().refused.into_iter();
    for case in refused.chain(indian_vectors().refused) {
        for consent in [false, true] {
            let found = parse(&case.answers.clone().submission(consent)).expect_err(&case.name);
            let fields: Vec<_> = found.into_iter().map(|violation| violation.field).collect();
            assert_eq!(fields, case.fields, "{}", case.name);
        }
    }
}

/// Returns whether some case scores differently under changed rules.
fn is_noticed(change: impl Fn(&mut Rules)) -> bool {
    let mut rules = RULES;
    change(&mut rules);
    checked(scoring_vectors())
        .into_iter()
        .any(|(_, answers, _, expected)| result(&rules, &answers) != expected)
}

fn is_noticed_by_indian(change: impl Fn(&mut indian::Rules)) -> bool {
    let mut rules = indian::RULES;
    change(&mut rules);
    checked(indian_vectors())
        .into_iter()
        .any(|(_, answers, measures, expected)| {
            indian_result(&rules, &answers, &measures) != expected
        })
}

/// A tenth is the smallest step that people type: each threshold has a case on either side of it.
#[test]
fn every_threshold_is_covered_by_a_case() {
    let thresholds: [fn(&mut Rules) -> &mut f64; 4] = [
        |rules| &mut rules.bmi[0],
        |rules| &mut rules.bmi[1],
        |rules| &mut rules.bmi[2],
        |rules| &mut rules.sleep_hours_min,
    ];
    for (number, threshold) in thresholds.into_iter().enumerate() {
        for step in [-0.1, 0.1] {
            assert!(
                is_noticed(|rules| *threshold(rules) += step),
                "{number} by {step}"
            );
        }
    }
    let points: [fn(&mut Rules) -> &mut u32; 11] = [
        |rules| &mut rules.family_history,
        |rules| &mut rules.high_blood_pressure,
        |rules| &mut rules.low_activity,
        |rules| &mut rules.high_waist,
        |rules| &mut rules.diabetes[0],
        |rules| &mut rules.diabetes[1],
        |rules| &mut rules.little_sleep,
        |rules| &mut rules.poor_sleep,
        |rules| &mut rules.high_work_stress,
        |rules| &mut rules.stress[0],
        |rules| &mut rules.stress[1],
    ];
    for (number, points) in points.into_iter().enumerate() {
        assert!(is_noticed(|rules| *points(rules) += 1), "{number} up");
        assert!(is_noticed(|rules| *points(rules) -= 1), "{number} down");
    }
    // Two points would not change any level: the other answers score in twos, and the limits are odd.
    assert!(is_noticed(|rules| rules.poor_relationships = 0));
    assert!(is_noticed(|rules| rules.poor_relationships = 3));
}

#[test]
fn every_indian_threshold_is_covered_by_a_case() {
    let measured: [fn(&mut indian::Rules) -> &mut [f64]; 3] = [
        |rules| &mut rules.bmi,
        |rules| &mut rules.waist_cm_female,
        |rules| &mut rules.waist_cm_male,
    ];
    for (number, limits) in measured.into_iter().enumerate() {
        for at in 0..limits(&mut indian::RULES.clone()).len() {
            for step in [-0.1, 0.1] {
                let is_noticed = is_noticed_by_indian(|rules| limits(rules)[at] += step);
                assert!(is_noticed, "{number}, limit {at} by {step}");
            }
        }
    }
    for at in 0..2 {
        for step in [-1, 1] {
            let is_noticed = is_noticed_by_indian(|rules| rules.age_years[at] += step);
            assert!(is_noticed, "age {at} by {step}");
        }
    }
    // Scores come in tens.
    let points: [fn(&mut indian::Rules) -> &mut [u32; 2]; 5] = [
        |rules| &mut rules.age,
        |rules| &mut rules.waist,
        |rules| &mut rules.exertion,
        |rules| &mut rules.parents,
        |rules| &mut rules.bands,
    ];
    for (number, points) in points.into_iter().enumerate() {
        for at in 0..2 {
            let up = is_noticed_by_indian(|rules| points(rules)[at] += 10);
            let down = is_noticed_by_indian(|rules| points(rules)[at] -= 10);
            assert!(up && down, "{number}, step {at}");
        }
    }
}
