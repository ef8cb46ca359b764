use super::*;
use crate::{
    domain::parse,
    scoring::{indian, score},
};

fn answers(labels: &[&str], id: &str) -> Answers {
    let request = proto::CreateAssessmentRequest {
        request_id: "0123456789abcdef".to_owned(),
        assessment: Some(proto::Assessment {
            id: id.to_owned(),
            coping_strategies: Some(proto::CopingStrategies {
                strategies: labels.iter().map(|&label| label.to_owned()).collect(),
            }),
            indian_measures: Some(proto::IndianMeasures {
                waist: (!id.is_empty()).then_some(80.0),
                ..proto::IndianMeasures::default()
            }),
            consent: true,
            ..proto::Assessment::default()
        }),
    };
    parse(&submission(request)).expect("valid").answers
}

#[test]
fn canonical_bytes_depend_on_answers_only() {
    let first = canonical(&answers(&["Healthy diet", "Regular exercise"], ""));
    let labels = ["Regular exercise", "Healthy diet", "Healthy diet"];
    assert_eq!(first, canonical(&answers(&labels, "output only")));
    assert_ne!(first, canonical(&answers(&["Regular exercise"], "")));
}

#[test]
fn converts_every_field_of_the_contract_both_ways() {
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
        indian_measures: Some(proto::IndianMeasures {
            waist: Some(92.5),
            activity: "either".to_owned(),
            parents: "one".to_owned(),
        }),
        consent: true,
        ..proto::Assessment::default()
    };
    let request = proto::CreateAssessmentRequest {
        request_id: "0123456789abcdef".to_owned(),
        assessment: Some(sent.clone()),
    };
    let checked = parse(&submission(request)).expect("valid");
    let (answers, measures) = (checked.answers, checked.measures);
    let scores = score(&answers);
    let beside = Beside {
        scores: indian::score(&answers, &measures),
        measures,
    };
    let shown = unstored(&answers, &scores, &beside);
    let id = uuid::Uuid::from_u128(7);
    // 00:15 of the 22nd in India.
    let now = chrono::DateTime::from_timestamp(1_763_750_700, 123_456_789).expect("a time");
    let answer = assessment(&Assessment::new(id, now, answers, scores), &beside);
    let expected = proto::Assessment {
        id: id.to_string(),
        result: Some(proto::AssessmentResult {
            bmi: Some(31.1),
            bmi_category: "Obese".to_owned(),
            diabetes_risk: "High Risk".to_owned(),
            stress_level: "Moderate Stress".to_owned(),
            overall_level: "High".to_owned(),
            recommendations: RECOMMENDATIONS.map(str::to_owned).into(),
            indian_bmi_category: "Obese".to_owned(),
            indian_diabetes_score: Some(80),
            indian_diabetes_risk: "High Risk".to_owned(),
        }),
        // 2025-11-22T00:00:00Z
        create_time: Some(prost_types::Timestamp {
            seconds: 1_763_769_600,
            nanos: 0,
        }),
        stored: true,
        ..sent
    };
    assert_eq!(answer, expected);
    let nothing_kept = proto::Assessment {
        id: String::new(),
        create_time: None,
        stored: false,
        consent: false,
        ..expected
    };
    assert_eq!(shown, nothing_kept);
}
