//! Converts between the contract and the domain.

use hospital_proto::assessment::v1 as proto;
use prost::Message as _;

use crate::domain::{Answers, Assessment, Choice, Scores, Submission, SubmittedAnswers};

/// What a visitor sent, unchecked.
pub fn submission(request: proto::CreateAssessmentRequest) -> Submission {
    Submission {
        request_id: request.request_id,
        answers: request.assessment.map(submitted),
    }
}

fn submitted(assessment: proto::Assessment) -> SubmittedAnswers {
    let personal = assessment.personal_info.unwrap_or_default();
    let diabetes = assessment.diabetes_risk.unwrap_or_default();
    let stress = assessment.stress_evaluation.unwrap_or_default();
    let coping = assessment.coping_strategies.unwrap_or_default();
    SubmittedAnswers {
        age_years: personal.age,
        gender: personal.gender,
        height_cm: personal.height,
        weight_kg: personal.weight,
        family_history: diabetes.family_history,
        blood_pressure: diabetes.blood_pressure,
        activity_level: diabetes.activity_level,
        waist_circumference: diabetes.waist_circumference,
        sleep_hours: stress.sleep_hours,
        sleep_quality: stress.sleep_quality,
        work_stress: stress.work_stress,
        relationships: stress.relationships,
        strategies: coping.strategies,
        consent: assessment.consent,
    }
}

/// The answer to the visitor.
pub fn assessment(assessment: &Assessment) -> proto::Assessment {
    let time = std::time::SystemTime::from(assessment.create_time);
    proto::Assessment {
        id: assessment.id.to_string(),
        result: Some(result(&assessment.scores)),
        create_time: Some(time.into()),
        ..checked(&assessment.answers)
    }
}

/// The scores as the contract has them.
pub fn result(scores: &Scores) -> proto::AssessmentResult {
    proto::AssessmentResult {
        bmi: scores.bmi,
        bmi_category: text(scores.bmi_category),
        diabetes_risk: scores.diabetes_risk.as_str().to_owned(),
        stress_level: scores.stress_level.as_str().to_owned(),
        overall_level: scores.overall_level.as_str().to_owned(),
        ..proto::AssessmentResult::default()
    }
}

/// Canonical bytes of the checked answers, from which a repeated request is recognised: the order of the strategies makes no
/// difference.
///
/// Every build stores hashes of these very bytes, so they do not change: a field that the contract gets later must be absent from
/// the bytes of answers without it.
pub fn canonical(answers: &Answers) -> Vec<u8> {
    checked(answers).encode_to_vec()
}

fn checked(answers: &Answers) -> proto::Assessment {
    let strategies = answers.strategies.iter();
    proto::Assessment {
        id: String::new(),
        personal_info: Some(proto::PersonalInfo {
            age: answers.age_years,
            gender: text(answers.gender),
            height: answers.height_cm,
            weight: answers.weight_kg,
        }),
        diabetes_risk: Some(proto::DiabetesRisk {
            family_history: text(answers.family_history),
            blood_pressure: text(answers.blood_pressure),
            activity_level: text(answers.activity_level),
            waist_circumference: text(answers.waist_circumference),
        }),
        stress_evaluation: Some(proto::StressEvaluation {
            sleep_hours: answers.sleep_hours,
            sleep_quality: text(answers.sleep_quality),
            work_stress: text(answers.work_stress),
            relationships: text(answers.relationships),
        }),
        coping_strategies: Some(proto::CopingStrategies {
            strategies: strategies
                .map(|strategy| strategy.as_str().to_owned())
                .collect(),
        }),
        consent: true,
        result: None,
        create_time: None,
        stored: false,
        indian_measures: None,
    }
}

fn text(choice: Option<impl Choice>) -> String {
    choice.map_or("", Choice::as_str).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::parse, scoring::score};

    fn answers(labels: &[&str], id: &str) -> Answers {
        let request = proto::CreateAssessmentRequest {
            request_id: "0123456789abcdef".to_owned(),
            assessment: Some(proto::Assessment {
                id: id.to_owned(),
                coping_strategies: Some(proto::CopingStrategies {
                    strategies: labels.iter().map(|&label| label.to_owned()).collect(),
                }),
                consent: true,
                ..proto::Assessment::default()
            }),
        };
        parse(submission(request)).expect("valid").1
    }

    #[test]
    fn the_canonical_bytes_see_answers_only() {
        let first = canonical(&answers(&["Healthy diet", "Regular exercise"], ""));
        let labels = ["Regular exercise", "Healthy diet", "Healthy diet"];
        assert_eq!(first, canonical(&answers(&labels, "output only")));
        assert_ne!(first, canonical(&answers(&["Regular exercise"], "")));
    }

    #[test]
    fn every_field_of_the_contract_reaches_the_domain_and_the_answer() {
        let sent = proto::Assessment {
            personal_info: Some(proto::PersonalInfo {
                age: Some(52),
                gender: "female".to_owned(),
                height: Some(163.5),
                weight: Some(83.25),
            }),
            diabetes_risk: Some(proto::DiabetesRisk {
                family_history: "yes".to_owned(),
                blood_pressure: "normal".to_owned(),
                activity_level: "low".to_owned(),
                waist_circumference: "high".to_owned(),
            }),
            stress_evaluation: Some(proto::StressEvaluation {
                sleep_hours: Some(5.25),
                sleep_quality: "excellent".to_owned(),
                work_stress: "moderate".to_owned(),
                relationships: "poor".to_owned(),
            }),
            coping_strategies: Some(proto::CopingStrategies {
                strategies: vec!["Meditation/Mindfulness".to_owned()],
            }),
            consent: true,
            ..proto::Assessment::default()
        };
        let request = proto::CreateAssessmentRequest {
            request_id: "0123456789abcdef".to_owned(),
            assessment: Some(sent.clone()),
        };
        let (_, answers) = parse(submission(request)).expect("valid");
        let scores = score(&answers);
        let id = uuid::Uuid::from_u128(7);
        // 00:15 of the 22nd in India.
        let now = chrono::DateTime::from_timestamp(1_763_750_700, 123_456_789).expect("a time");
        let answer = assessment(&Assessment::new(id, now, answers, scores));
        let expected = proto::Assessment {
            id: id.to_string(),
            result: Some(proto::AssessmentResult {
                bmi: Some(31.1),
                bmi_category: "Obese".to_owned(),
                diabetes_risk: "High Risk".to_owned(),
                stress_level: "Moderate Stress".to_owned(),
                overall_level: "High".to_owned(),
                ..proto::AssessmentResult::default()
            }),
            // 2025-11-22T00:00:00Z
            create_time: Some(prost_types::Timestamp {
                seconds: 1_763_769_600,
                nanos: 0,
            }),
            ..sent
        };
        assert_eq!(answer, expected);
    }
}
