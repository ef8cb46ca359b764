//! The results of an assessment, by the rules of the specification. Pure; `vectors/scoring.json` holds the golden cases.
//!
//! What each result needs: BMI both height and weight; diabetes family history, blood pressure and activity level; stress
//! sleep hours, sleep quality and work stress; the overall level all three. Waist and relationships are never asked: they
//! count when they are there and are not missed when they are not. A result that lacks an input is
//! `Unknown`, even where the known answers alone would reach the highest band: a guess about health that
//! leaves out half of the questions is worse than none.

use crate::domain::{
    ActivityLevel, Answers, BloodPressure, BmiCategory, DiabetesRisk, OverallLevel, Relationships,
    Scores, SleepQuality, StressLevel, Waist, WorkStress, YesNo,
};

/// Under this many hours of sleep a night is a sign of stress.
const SLEEP_HOURS_MIN: f64 = 6.0;

/// How much attention something deserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Low,
    Moderate,
    High,
}

impl Level {
    /// From a score: `high` points or more, `moderate` points or more, or less.
    fn of(score: u32, moderate: u32, high: u32) -> Self {
        if score >= high {
            Self::High
        } else if score >= moderate {
            Self::Moderate
        } else {
            Self::Low
        }
    }
}

/// Scores what was answered.
pub fn score(answers: &Answers) -> Scores {
    let bmi = body_mass_index(answers);
    let diabetes = diabetes_level(answers);
    let stress = stress_level(answers);
    let overall = bmi
        .zip(diabetes)
        .zip(stress)
        .map(|((bmi, diabetes), stress)| bmi_band(bmi).1.max(diabetes).max(stress));
    Scores {
        bmi: bmi.map(one_decimal),
        bmi_category: bmi.map(|bmi| bmi_band(bmi).0),
        diabetes_risk: match diabetes {
            None => DiabetesRisk::Unknown,
            Some(Level::Low) => DiabetesRisk::Low,
            Some(Level::Moderate) => DiabetesRisk::Moderate,
            Some(Level::High) => DiabetesRisk::High,
        },
        stress_level: match stress {
            None => StressLevel::Unknown,
            Some(Level::Low) => StressLevel::Low,
            Some(Level::Moderate) => StressLevel::Moderate,
            Some(Level::High) => StressLevel::High,
        },
        overall_level: match overall {
            None => OverallLevel::Unknown,
            Some(Level::Low) => OverallLevel::Low,
            Some(Level::Moderate) => OverallLevel::Moderate,
            Some(Level::High) => OverallLevel::High,
        },
    }
}

/// Kilograms per square metre, unrounded.
fn body_mass_index(answers: &Answers) -> Option<f64> {
    let height_m = answers.height_cm? / 100.0;
    Some(answers.weight_kg? / (height_m * height_m))
}

/// Decided by the unrounded value, as the specification's "under" has it: 18.48 is underweight though it shows as 18.5.
fn bmi_band(bmi: f64) -> (BmiCategory, Level) {
    if bmi < 18.5 {
        (BmiCategory::Underweight, Level::Low)
    } else if bmi < 25.0 {
        (BmiCategory::Normal, Level::Low)
    } else if bmi < 30.0 {
        (BmiCategory::Overweight, Level::Moderate)
    } else {
        (BmiCategory::Obese, Level::High)
    }
}

/// Halves go up, as `Math.round` does in the browser (every BMI is positive).
fn one_decimal(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn diabetes_level(answers: &Answers) -> Option<Level> {
    let score = points(answers.family_history? == YesNo::Yes, 2)
        + points(answers.blood_pressure? == BloodPressure::High, 2)
        + points(answers.activity_level? == ActivityLevel::Low, 1)
        + points(answers.waist_circumference == Some(Waist::High), 1);
    Some(Level::of(score, 2, 4))
}

fn stress_level(answers: &Answers) -> Option<Level> {
    let score = points(answers.sleep_hours? < SLEEP_HOURS_MIN, 2)
        + points(answers.sleep_quality? == SleepQuality::Poor, 2)
        + points(answers.work_stress? == WorkStress::High, 2)
        + points(answers.relationships == Some(Relationships::Poor), 1);
    Some(Level::of(score, 3, 5))
}

fn points(applies: bool, points: u32) -> u32 {
    if applies { points } else { 0 }
}
