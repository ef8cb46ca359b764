//! Second score, for people in India: the BMI cut-offs for Asian Indians (Misra et al., J Assoc Physicians India 2009)
//! and the Indian Diabetes Risk Score (MDRF-IDRS; Mohan et al., J Assoc Physicians India 2005).

use super::{Level, bmi_category, body_mass_index, risk};
use crate::domain::{Answers, Exertion, Gender, IndianMeasures, IndianScores, ParentsWithDiabetes};

/// Every cut-off and weight. Tests vary each and expect a golden case to fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Lowest BMI (kg/m²) of Normal, Overweight and Obese.
    pub(super) bmi: [f64; 3],
    /// Ages in years from which points count, and those points.
    pub(super) age_years: [i32; 2],
    pub(super) age: [u32; 2],
    /// Waists in centimetres from which points count, and those points.
    pub(super) waist_cm_female: [f64; 2],
    pub(super) waist_cm_male: [f64; 2],
    pub(super) waist: [u32; 2],
    /// Points for only one of exercise and strenuous work, and for neither.
    pub(super) exertion: [u32; 2],
    /// Points for one parent with diabetes, and for both.
    pub(super) parents: [u32; 2],
    /// Lowest points of a moderate and of a high risk.
    pub(super) bands: [u32; 2],
}

pub(super) const RULES: Rules = Rules {
    bmi: [18.5, 23.0, 25.0],
    age_years: [35, 50],
    age: [20, 30],
    waist_cm_female: [80.0, 90.0],
    waist_cm_male: [90.0, 100.0],
    waist: [10, 20],
    exertion: [20, 30],
    parents: [10, 20],
    bands: [30, 60],
};

/// Scores the answers. The risk score needs age, gender and all three measures; otherwise it is `None`.
pub fn score(answers: &Answers, measures: &IndianMeasures) -> IndianScores {
    score_by(&RULES, answers, measures)
}

pub(super) fn score_by(
    rules: &Rules,
    answers: &Answers,
    measures: &IndianMeasures,
) -> IndianScores {
    let score = risk_score(rules, answers, measures);
    IndianScores {
        bmi_category: body_mass_index(answers).map(|bmi| bmi_category(rules.bmi, bmi)),
        diabetes_score: score,
        diabetes_risk: risk(score.map(|score| Level::of(score, rules.bands))),
    }
}

fn risk_score(rules: &Rules, answers: &Answers, measures: &IndianMeasures) -> Option<u32> {
    let waists_cm = match answers.gender? {
        Gender::Female => rules.waist_cm_female,
        Gender::Male => rules.waist_cm_male,
    };
    let exertion = match measures.exertion? {
        Exertion::Both => 0,
        Exertion::Either => rules.exertion[0],
        Exertion::Neither => rules.exertion[1],
    };
    let parents = match measures.parents? {
        ParentsWithDiabetes::None => 0,
        ParentsWithDiabetes::One => rules.parents[0],
        ParentsWithDiabetes::Both => rules.parents[1],
    };
    let age = reached(answers.age_years?, rules.age_years, rules.age);
    // Not rounded: 89.9 cm is under 90.
    let waist = reached(measures.waist_cm?, waists_cm, rules.waist);
    Some(age + waist + exertion + parents)
}

/// Returns the points of the highest limit that a value reaches.
fn reached<T: Copy + PartialOrd>(value: T, [first, second]: [T; 2], points: [u32; 2]) -> u32 {
    if value >= second {
        points[1]
    } else if value >= first {
        points[0]
    } else {
        0
    }
}
