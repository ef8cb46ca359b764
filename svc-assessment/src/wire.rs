//! Converts between the contract and the domain.

use hospital_proto::assessment::v1 as proto;
use prost::Message as _;

use crate::{
    domain::{
        Answers, Assessment, Choice, IndianMeasures, IndianScores, Scores, Submission,
        SubmittedAnswers, SubmittedMeasures,
        summary::{GROUP_SIZE_MIN, Month, Summary},
    },
    scoring::RECOMMENDATIONS,
};

/// Converts a visitor's request, without validation.
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
    let measures = assessment.indian_measures.unwrap_or_default();
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
        measures: SubmittedMeasures {
            waist_cm: measures.waist,
            exertion: measures.activity,
            parents: measures.parents,
        },
        consent: assessment.consent,
    }
}

/// Returned beside the stored answers, but never stored.
#[derive(Clone, Debug)]
pub struct Beside {
    pub measures: IndianMeasures,
    pub scores: IndianScores,
}

/// Builds the response when the answers are stored.
pub fn assessment(assessment: &Assessment, beside: &Beside) -> proto::Assessment {
    let time = std::time::SystemTime::from(assessment.create_time);
    proto::Assessment {
        id: assessment.id.to_string(),
        create_time: Some(time.into()),
        consent: true,
        stored: true,
        ..unstored(&assessment.answers, &assessment.scores, beside)
    }
}

/// Builds the response when nothing is stored.
pub fn unstored(answers: &Answers, scores: &Scores, beside: &Beside) -> proto::Assessment {
    let measures = &beside.measures;
    let is_measured = *measures != IndianMeasures::default();
    proto::Assessment {
        result: Some(result(scores, &beside.scores)),
        consent: false,
        indian_measures: is_measured.then(|| proto::IndianMeasures {
            waist: measures.waist_cm,
            activity: text(measures.exertion),
            parents: text(measures.parents),
        }),
        ..checked(answers)
    }
}

fn result(scores: &Scores, indian: &IndianScores) -> proto::AssessmentResult {
    // At most 100.
    let score = indian
        .diabetes_score
        .map(|score| i32::try_from(score).unwrap_or(i32::MAX));
    proto::AssessmentResult {
        bmi: scores.bmi,
        bmi_category: text(scores.bmi_category),
        diabetes_risk: scores.diabetes_risk.as_str().to_owned(),
        stress_level: scores.stress_level.as_str().to_owned(),
        overall_level: scores.overall_level.as_str().to_owned(),
        recommendations: RECOMMENDATIONS.map(str::to_owned).into(),
        indian_bmi_category: text(indian.bmi_category),
        indian_diabetes_score: score,
        indian_diabetes_risk: indian.diabetes_risk.as_str().to_owned(),
    }
}

/// Builds the response to staff.
pub fn summary(month: Month, summary: Summary) -> proto::GetAssessmentSummaryResponse {
    let count = |people: u32| i32::try_from(people).unwrap_or(i32::MAX);
    let bands = |bands: Vec<crate::domain::summary::BandCount>| {
        let bands = bands.into_iter().map(|band| proto::BandCount {
            band: band.band,
            assessments: count(band.assessments),
        });
        bands.collect()
    };
    let results = summary.results.into_iter();
    proto::GetAssessmentSummaryResponse {
        month: month.to_string(),
        group_size_min: count(GROUP_SIZE_MIN),
        assessments: summary.assessments.map(count),
        results: results
            .map(|result| proto::ResultCounts {
                result: result.result,
                bands: bands(result.bands),
            })
            .collect(),
    }
}

/// Returns canonical bytes of the checked answers, by which a repeated request is recognised. The order of the
/// strategies makes no difference.
///
/// Every build stores hashes of these bytes, so they must not change. A field added to the contract later must be
/// absent from the bytes of answers without it. The extra measures are excluded, because they are not stored.
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
mod tests;
