//! The input of the domain, independent of the contract.

use std::fmt;

/// A visitor's request, before validation.
#[derive(Clone, Default, PartialEq)]
pub struct Submission {
    pub request_id: String,
    pub answers: Option<SubmittedAnswers>,
}

impl fmt::Debug for Submission {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Submission(withheld)")
    }
}

/// The answers of a [`Submission`]; `None` or empty where nothing was answered.
#[derive(Clone, Default, PartialEq)]
pub struct SubmittedAnswers {
    pub age_years: Option<i32>,
    pub gender: String,
    pub height_cm: Option<f64>,
    pub weight_kg: Option<f64>,
    pub family_history: String,
    pub blood_pressure: String,
    pub activity_level: String,
    pub waist_circumference: String,
    pub sleep_hours: Option<f64>,
    pub sleep_quality: String,
    pub work_stress: String,
    pub relationships: String,
    pub strategies: Vec<String>,
    pub measures: SubmittedMeasures,
    /// Whether the answers may be stored.
    pub consent: bool,
}

impl fmt::Debug for SubmittedAnswers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SubmittedAnswers(withheld)")
    }
}

/// Answers to the extra questions; `None` or empty where nothing was answered.
#[derive(Clone, Default, PartialEq)]
pub struct SubmittedMeasures {
    pub waist_cm: Option<f64>,
    pub exertion: String,
    pub parents: String,
}

impl fmt::Debug for SubmittedMeasures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SubmittedMeasures(withheld)")
    }
}
