//! Assessments: validates every answer, reports all violations at once, and keeps only valid answers.

pub mod retention;
mod submission;
pub mod summary;

use std::{collections::BTreeSet, fmt, ops::RangeInclusive};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use service_kit::input::{RequestId, Violation, Violations};
use uuid::Uuid;

pub use submission::{Submission, SubmittedAnswers, SubmittedMeasures};

pub const AGE_YEARS: RangeInclusive<i32> = 1..=120;
pub const HEIGHT_CM: RangeInclusive<f64> = 50.0..=250.0;
pub const WEIGHT_KG: RangeInclusive<f64> = 2.0..=400.0;
/// Waist circumference.
pub const WAIST_CM: RangeInclusive<f64> = 30.0..=250.0;
/// Sleep per night.
pub const SLEEP_HOURS: RangeInclusive<f64> = 0.0..=24.0;

/// Defines enums of fixed choices, with the text of each variant on the wire and in the database.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ })+) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = $text] $variant,)+
        }

        impl Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        })+
    };
}

/// An answer or result from a fixed set of choices. See `choices!`.
pub trait Choice: Copy + 'static {
    /// All choices, in the order of the form.
    const ALL: &'static [Self];

    fn as_str(self) -> &'static str;

    /// Returns the choice with this text, if any.
    fn find(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|choice| choice.as_str() == text)
    }
}

choices! {
    Gender { Male = "male", Female = "female" }
    YesNo { Yes = "yes", No = "no" }
    BloodPressure { Normal = "normal", High = "high" }
    ActivityLevel { High = "high", Moderate = "moderate", Low = "low" }
    /// Never asked, but part of the payload and the scoring.
    Waist { Normal = "normal", High = "high" }
    SleepQuality { Excellent = "excellent", Good = "good", Poor = "poor" }
    WorkStress { Low = "low", Moderate = "moderate", High = "high" }
    /// Never asked, but part of the payload and the scoring.
    Relationships { Good = "good", Poor = "poor" }
    Strategy {
        RegularExercise = "Regular exercise",
        Meditation = "Meditation/Mindfulness",
        HealthyDiet = "Healthy diet",
        SocialSupport = "Social support",
        Counseling = "Professional counseling",
        Hobbies = "Hobbies/Recreation",
        TimeManagement = "Time management",
        DeepBreathing = "Deep breathing exercises"
    }
    /// Regular exercise and strenuous work; input of the Indian Diabetes Risk Score.
    Exertion { Both = "both", Either = "either", Neither = "neither" }
    /// Input of the Indian Diabetes Risk Score.
    ParentsWithDiabetes { None = "none", One = "one", Both = "both" }
    BmiCategory { Underweight = "Underweight", Normal = "Normal", Overweight = "Overweight", Obese = "Obese" }
    DiabetesRisk { Low = "Low Risk", Moderate = "Moderate Risk", High = "High Risk", Unknown = "Not enough information" }
    StressLevel { Low = "Low Stress", Moderate = "Moderate Stress", High = "High Stress", Unknown = "Not enough information" }
    OverallLevel { Low = "Low", Moderate = "Moderate", High = "High", Unknown = "Not enough information" }
}

/// The answers; `None` where not answered. `Debug` withholds them, so they cannot reach a log.
#[derive(Clone, Default, PartialEq)]
pub struct Answers {
    pub age_years: Option<i32>,
    pub gender: Option<Gender>,
    pub height_cm: Option<f64>,
    pub weight_kg: Option<f64>,
    pub family_history: Option<YesNo>,
    pub blood_pressure: Option<BloodPressure>,
    pub activity_level: Option<ActivityLevel>,
    pub waist_circumference: Option<Waist>,
    pub sleep_hours: Option<f64>,
    pub sleep_quality: Option<SleepQuality>,
    pub work_stress: Option<WorkStress>,
    pub relationships: Option<Relationships>,
    pub strategies: BTreeSet<Strategy>,
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Answers(withheld)")
    }
}

/// Answers to the extra questions; `None` where not answered. Never stored, and withheld by `Debug`.
#[derive(Clone, Default, PartialEq)]
pub struct IndianMeasures {
    pub waist_cm: Option<f64>,
    pub exertion: Option<Exertion>,
    pub parents: Option<ParentsWithDiabetes>,
}

impl fmt::Debug for IndianMeasures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("IndianMeasures(withheld)")
    }
}

/// Results by the rules for people in India. Never stored.
#[derive(Clone, PartialEq)]
pub struct IndianScores {
    /// `None` when height or weight was not answered.
    pub bmi_category: Option<BmiCategory>,
    /// 0 to 100; `None` when an input was not answered.
    pub diabetes_score: Option<u32>,
    pub diabetes_risk: DiabetesRisk,
}

impl fmt::Debug for IndianScores {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("IndianScores(withheld)")
    }
}

/// Results of an assessment.
#[derive(Clone, PartialEq)]
pub struct Scores {
    /// Kilograms per square metre, one decimal; `None` when height or weight was not answered.
    pub bmi: Option<f64>,
    /// `None` as for `bmi`.
    pub bmi_category: Option<BmiCategory>,
    pub diabetes_risk: DiabetesRisk,
    pub stress_level: StressLevel,
    pub overall_level: OverallLevel,
}

impl fmt::Debug for Scores {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Scores(withheld)")
    }
}

/// An assessment stored with its visitor's consent.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// Random; never logged.
    pub id: Uuid,
    /// The [`day`] only: a precise time could be matched with a log or a trace.
    pub create_time: DateTime<Utc>,
    pub answers: Answers,
    pub scores: Scores,
}

impl Assessment {
    pub fn new(id: Uuid, now: DateTime<Utc>, answers: Answers, scores: Scores) -> Self {
        Self {
            id,
            create_time: day(now),
            answers,
            scores,
        }
    }
}

/// Returns the date of an instant in India (UTC+05:30) as midnight UTC of that date, so readers in both zones see the
/// same date.
pub fn day(moment: DateTime<Utc>) -> DateTime<Utc> {
    const INDIA_OFFSET: TimeDelta = TimeDelta::minutes(5 * 60 + 30);
    let date = (moment + INDIA_OFFSET).date_naive();
    date.and_time(NaiveTime::MIN).and_utc()
}

/// A valid request.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// Present with consent: the answers are stored once per id. `None`: nothing is stored.
    pub request_id: Option<RequestId>,
    pub answers: Answers,
    pub measures: IndianMeasures,
}

/// Validates a request. The error holds every violation, in the order of the form. The request id counts only with
/// consent.
pub fn parse(request: &Submission) -> Result<Checked, Vec<Violation>> {
    let mut form = Form::default();
    let Some(submitted) = &request.answers else {
        form.add("assessment", "Send the answers");
        return Err(form.violations.into_vec());
    };
    let request_id = if submitted.consent {
        let request_id = RequestId::parse(&request.request_id);
        form.violations.take("requestId", request_id).map(Some)
    } else {
        Some(None)
    };
    let answers = form.answers(submitted);
    let measures = form.measures(&submitted.measures);
    form.violations
        .into_result(request_id.map(|request_id| Checked {
            request_id,
            answers,
            measures,
        }))
}

/// Validates the answers one by one.
#[derive(Default)]
struct Form {
    violations: Violations,
}

impl Form {
    fn add(&mut self, field: &str, description: impl Into<String>) {
        self.violations.add(field, description);
    }

    fn answers(&mut self, raw: &SubmittedAnswers) -> Answers {
        // Fields are checked in the order written here, which is that of the form.
        Answers {
            age_years: self.range("personalInfo.age", raw.age_years, &AGE_YEARS, "years"),
            gender: self.choice("personalInfo.gender", &raw.gender),
            height_cm: self.range(
                "personalInfo.height",
                raw.height_cm,
                &HEIGHT_CM,
                "centimetres",
            ),
            weight_kg: self.range(
                "personalInfo.weight",
                raw.weight_kg,
                &WEIGHT_KG,
                "kilograms",
            ),
            family_history: self.choice("diabetesRisk.familyHistory", &raw.family_history),
            blood_pressure: self.choice("diabetesRisk.bloodPressure", &raw.blood_pressure),
            activity_level: self.choice("diabetesRisk.activityLevel", &raw.activity_level),
            waist_circumference: self
                .choice("diabetesRisk.waistCircumference", &raw.waist_circumference),
            sleep_hours: self.range(
                "stressEvaluation.sleepHours",
                raw.sleep_hours,
                &SLEEP_HOURS,
                "hours",
            ),
            sleep_quality: self.choice("stressEvaluation.sleepQuality", &raw.sleep_quality),
            work_stress: self.choice("stressEvaluation.workStress", &raw.work_stress),
            relationships: self.choice("stressEvaluation.relationships", &raw.relationships),
            strategies: self.strategies(&raw.strategies),
        }
    }

    fn measures(&mut self, raw: &SubmittedMeasures) -> IndianMeasures {
        IndianMeasures {
            waist_cm: self.range(
                "indianMeasures.waist",
                raw.waist_cm,
                &WAIST_CM,
                "centimetres",
            ),
            exertion: self.choice("indianMeasures.activity", &raw.exertion),
            parents: self.choice("indianMeasures.parents", &raw.parents),
        }
    }

    /// Adds a violation if the value is outside the range. NaN and infinity are in no range, so they are refused too.
    fn range<T: PartialOrd + fmt::Display>(
        &mut self,
        field: &str,
        raw: Option<T>,
        range: &RangeInclusive<T>,
        unit: &str,
    ) -> Option<T> {
        let value = raw?;
        if range.contains(&value) {
            return Some(value);
        }
        self.add(
            field,
            format!(
                "Enter a number between {} and {} ({unit})",
                range.start(),
                range.end()
            ),
        );
        None
    }

    fn choice<T: Choice>(&mut self, field: &str, raw: &str) -> Option<T> {
        if raw.is_empty() {
            return None;
        }
        let choice = T::find(raw);
        if choice.is_none() {
            self.add(field, format!("Choose one of: {}", offered::<T>()));
        }
        choice
    }

    /// Adds one violation however many labels are unknown, because the form has one field for all of them.
    fn strategies(&mut self, raw: &[String]) -> BTreeSet<Strategy> {
        let known: Option<BTreeSet<_>> = raw.iter().map(|label| Strategy::find(label)).collect();
        if known.is_none() {
            self.add(
                "copingStrategies.strategies",
                format!("Choose among: {}", offered::<Strategy>()),
            );
        }
        known.unwrap_or_default()
    }
}

fn offered<T: Choice>() -> String {
    let all: Vec<_> = T::ALL.iter().map(|choice| choice.as_str()).collect();
    all.join(", ")
}

#[cfg(test)]
mod tests;
