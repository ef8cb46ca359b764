//! Results of an assessment, by the rules of the specification. All functions are pure. `vectors/*.json` hold the
//! golden cases, which the browser runs too.
//!
//! BMI needs height and weight. Diabetes risk needs family history, blood pressure and activity level. Stress needs
//! sleep hours, sleep quality and work stress. The overall level needs all three results. Waist and relationships are
//! never asked: they count if present and are not required. A result that lacks an input is `Unknown`, even if the
//! known answers alone reach the highest band. A guess about health that omits half of the questions is worse than
//! none.

pub mod indian;

use crate::domain::{
    ActivityLevel, Answers, BloodPressure, BmiCategory, DiabetesRisk, OverallLevel, Relationships,
    Scores, SleepQuality, StressLevel, Waist, WorkStress, YesNo,
};

/// Advice for everyone, independent of the results.
pub const RECOMMENDATIONS: [&str; 6] = [
    "At least 150 minutes of moderate exercise a week",
    "7-9 hours of sleep a night",
    "Plenty of vegetables, fruit, pulses and whole grains, with little salt, sugar and fried food",
    "No tobacco, and little or no alcohol",
    "A few minutes each day for something that calms you, and time with people you trust",
    "Blood pressure, blood sugar and weight checked as often as your doctor advises",
];

/// Every threshold and weight of the specification. Tests vary each and expect a golden case to fail.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Lowest BMI (kg/m²) of Normal, Overweight and Obese.
    bmi: [f64; 3],
    family_history: u32,
    high_blood_pressure: u32,
    low_activity: u32,
    high_waist: u32,
    /// Lowest points of a moderate and of a high diabetes risk.
    diabetes: [u32; 2],
    /// Fewer hours of sleep per night count as a sign of stress.
    sleep_hours_min: f64,
    little_sleep: u32,
    poor_sleep: u32,
    high_work_stress: u32,
    poor_relationships: u32,
    /// Lowest points of moderate and of high stress.
    stress: [u32; 2],
}

const RULES: Rules = Rules {
    bmi: [18.5, 25.0, 30.0],
    family_history: 2,
    high_blood_pressure: 2,
    low_activity: 1,
    high_waist: 1,
    diabetes: [2, 4],
    sleep_hours_min: 6.0,
    little_sleep: 2,
    poor_sleep: 2,
    high_work_stress: 2,
    poor_relationships: 1,
    stress: [3, 5],
};

/// Severity of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Low,
    Moderate,
    High,
}

impl Level {
    /// Returns the level of a score: `high` points or more, `moderate` points or more, or fewer.
    fn of(score: u32, [moderate, high]: [u32; 2]) -> Self {
        if score >= high {
            Self::High
        } else if score >= moderate {
            Self::Moderate
        } else {
            Self::Low
        }
    }
}

/// Scores the answers.
pub fn score(answers: &Answers) -> Scores {
    score_by(&RULES, answers)
}

fn score_by(rules: &Rules, answers: &Answers) -> Scores {
    let bmi = body_mass_index(answers);
    let band = bmi.map(|bmi| bmi_band(rules, bmi));
    let diabetes = diabetes_level(rules, answers);
    let stress = stress_level(rules, answers);
    let overall = band
        .zip(diabetes)
        .zip(stress)
        .map(|(((_, bmi), diabetes), stress)| bmi.max(diabetes).max(stress));
    Scores {
        bmi: bmi.map(one_decimal),
        bmi_category: band.map(|(category, _)| category),
        diabetes_risk: risk(diabetes),
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

fn risk(level: Option<Level>) -> DiabetesRisk {
    match level {
        None => DiabetesRisk::Unknown,
        Some(Level::Low) => DiabetesRisk::Low,
        Some(Level::Moderate) => DiabetesRisk::Moderate,
        Some(Level::High) => DiabetesRisk::High,
    }
}

/// Returns kilograms per square metre. Squares centimetres, not metres: 1.6 is not exact in binary, and 64 kg at 160 cm
/// would be under 25.
fn body_mass_index(answers: &Answers) -> Option<f64> {
    let height_cm = answers.height_cm?;
    Some(answers.weight_kg? * 10_000.0 / (height_cm * height_cm))
}

/// Compares the exact value, as the specification's "under" requires.
fn bmi_category([normal, overweight, obese]: [f64; 3], bmi: f64) -> BmiCategory {
    if bmi < normal {
        BmiCategory::Underweight
    } else if bmi < overweight {
        BmiCategory::Normal
    } else if bmi < obese {
        BmiCategory::Overweight
    } else {
        BmiCategory::Obese
    }
}

fn bmi_band(rules: &Rules, bmi: f64) -> (BmiCategory, Level) {
    let category = bmi_category(rules.bmi, bmi);
    let level = match category {
        BmiCategory::Underweight | BmiCategory::Normal => Level::Low,
        BmiCategory::Overweight => Level::Moderate,
        BmiCategory::Obese => Level::High,
    };
    (category, level)
}

/// Rounds down: a value under a limit is never shown as the limit.
fn one_decimal(value: f64) -> f64 {
    (value * 10.0).floor() / 10.0
}

fn diabetes_level(rules: &Rules, answers: &Answers) -> Option<Level> {
    let score = points(answers.family_history? == YesNo::Yes, rules.family_history)
        + points(
            answers.blood_pressure? == BloodPressure::High,
            rules.high_blood_pressure,
        )
        + points(
            answers.activity_level? == ActivityLevel::Low,
            rules.low_activity,
        )
        + points(
            answers.waist_circumference == Some(Waist::High),
            rules.high_waist,
        );
    Some(Level::of(score, rules.diabetes))
}

fn stress_level(rules: &Rules, answers: &Answers) -> Option<Level> {
    let score = points(
        answers.sleep_hours? < rules.sleep_hours_min,
        rules.little_sleep,
    ) + points(
        answers.sleep_quality? == SleepQuality::Poor,
        rules.poor_sleep,
    ) + points(
        answers.work_stress? == WorkStress::High,
        rules.high_work_stress,
    ) + points(
        answers.relationships == Some(Relationships::Poor),
        rules.poor_relationships,
    );
    Some(Level::of(score, rules.stress))
}

fn points(applies: bool, points: u32) -> u32 {
    if applies { points } else { 0 }
}

#[cfg(test)]
mod tests;
