//! What an assessment is: checks every answer, reports all violations at once, and keeps only what passed.

use std::{collections::BTreeSet, fmt, ops::RangeInclusive};

use chrono::{DateTime, SubsecRound, Utc};
use hospital_proto::assessment::v1::{
    Assessment, AssessmentResult, CopingStrategies, CreateAssessmentRequest, DiabetesRisk,
    PersonalInfo, StressEvaluation,
};
use prost::Message as _;
use service_kit::input::{RequestId, Violation, Violations};
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub const AGE_YEARS: RangeInclusive<i32> = 1..=120;
pub const HEIGHT_CM: RangeInclusive<f64> = 50.0..=250.0;
pub const WEIGHT_KG: RangeInclusive<f64> = 2.0..=400.0;
/// A night.
pub const SLEEP_HOURS: RangeInclusive<f64> = 0.0..=24.0;

/// An answer that is chosen from a few: the enum, and the text each variant has on the wire and in the database.
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

/// See `choices!`.
pub trait Choice: Copy + 'static {
    /// In the order of the form.
    const ALL: &'static [Self];

    fn as_str(self) -> &'static str;
}

choices! {
    Gender { Male = "male", Female = "female" }
    YesNo { Yes = "yes", No = "no" }
    BloodPressure { Normal = "normal", High = "high" }
    ActivityLevel { High = "high", Moderate = "moderate", Low = "low" }
    /// Never asked, kept in the payload and in the scoring.
    Waist { Normal = "normal", High = "high" }
    SleepQuality { Excellent = "excellent", Good = "good", Poor = "poor" }
    WorkStress { Low = "low", Moderate = "moderate", High = "high" }
    /// Never asked, kept in the payload and in the scoring.
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
}

/// What was answered; `None` where nothing was. Its `Debug` shows nothing, so that no log line can.
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

/// An assessment that passed every check, its visitor's consent included.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// SHA-256 of the request id: enough to find a repetition, and nothing to look a visitor up by.
    pub request_key: [u8; 32],
    pub answers: Answers,
}

/// What the server adds to a draft, once, when it first stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    pub id: Uuid,
    pub create_time: DateTime<Utc>,
    pub result: AssessmentResult,
}

impl Receipt {
    /// Microseconds are what both databases keep; a repeated answer must equal the first one.
    pub fn new(id: Uuid, now: DateTime<Utc>, result: AssessmentResult) -> Self {
        Self {
            id,
            create_time: now.trunc_subsecs(6),
            result,
        }
    }
}

impl Draft {
    /// SHA-256 of the answers as checked: the order of the strategies makes no difference.
    pub fn fingerprint(&self) -> [u8; 32] {
        Sha256::digest(self.to_proto().encode_to_vec()).into()
    }

    /// The answer to the visitor, for the row that `receipt` names.
    pub fn accepted(&self, receipt: Receipt) -> Assessment {
        Assessment {
            id: receipt.id.to_string(),
            result: Some(receipt.result),
            create_time: Some(prost_types::Timestamp {
                seconds: receipt.create_time.timestamp(),
                nanos: i32::try_from(receipt.create_time.timestamp_subsec_nanos())
                    .unwrap_or(i32::MAX),
            }),
            ..self.to_proto()
        }
    }

    fn to_proto(&self) -> Assessment {
        let answers = &self.answers;
        Assessment {
            id: String::new(),
            personal_info: Some(PersonalInfo {
                age: answers.age_years,
                gender: text(answers.gender),
                height: answers.height_cm,
                weight: answers.weight_kg,
            }),
            diabetes_risk: Some(DiabetesRisk {
                family_history: text(answers.family_history),
                blood_pressure: text(answers.blood_pressure),
                activity_level: text(answers.activity_level),
                waist_circumference: text(answers.waist_circumference),
            }),
            stress_evaluation: Some(StressEvaluation {
                sleep_hours: answers.sleep_hours,
                sleep_quality: text(answers.sleep_quality),
                work_stress: text(answers.work_stress),
                relationships: text(answers.relationships),
            }),
            coping_strategies: Some(CopingStrategies {
                strategies: answers
                    .strategies
                    .iter()
                    .map(|strategy| strategy.as_str().to_owned())
                    .collect(),
            }),
            consent: true,
            result: None,
            create_time: None,
        }
    }
}

fn text(choice: Option<impl Choice>) -> String {
    choice.map_or("", Choice::as_str).to_owned()
}

/// Checks a request. The error holds every violation, in the order of the form.
pub fn parse(request: CreateAssessmentRequest) -> Result<Draft, Vec<Violation>> {
    let mut form = Form::default();
    let request_id = form
        .violations
        .take("requestId", RequestId::parse(&request.request_id));
    let Some(assessment) = request.assessment else {
        form.add("assessment", "Send the answers");
        return Err(form.violations.into_vec());
    };
    let answers = form.answers(&assessment);
    if !assessment.consent {
        form.add(
            "consent",
            "Agree to have the answers kept, or do not send them",
        );
    }
    let draft = request_id.map(|request_id| Draft {
        request_key: Sha256::digest(request_id.as_str()).into(),
        answers,
    });
    form.violations.into_result(draft)
}

/// Checks the answers one by one.
#[derive(Default)]
struct Form {
    violations: Violations,
}

impl Form {
    fn add(&mut self, field: &str, description: impl Into<String>) {
        self.violations.add(field, description);
    }

    fn answers(&mut self, raw: &Assessment) -> Answers {
        let personal = raw.personal_info.clone().unwrap_or_default();
        let diabetes = raw.diabetes_risk.clone().unwrap_or_default();
        let stress = raw.stress_evaluation.clone().unwrap_or_default();
        let coping = raw.coping_strategies.clone().unwrap_or_default();
        // Fields are checked in the order in which they are written: that of the form.
        Answers {
            age_years: self.range("personalInfo.age", personal.age, &AGE_YEARS, "years"),
            gender: self.choice("personalInfo.gender", &personal.gender),
            height_cm: self.range(
                "personalInfo.height",
                personal.height,
                &HEIGHT_CM,
                "centimetres",
            ),
            weight_kg: self.range(
                "personalInfo.weight",
                personal.weight,
                &WEIGHT_KG,
                "kilograms",
            ),
            family_history: self.choice("diabetesRisk.familyHistory", &diabetes.family_history),
            blood_pressure: self.choice("diabetesRisk.bloodPressure", &diabetes.blood_pressure),
            activity_level: self.choice("diabetesRisk.activityLevel", &diabetes.activity_level),
            waist_circumference: self.choice(
                "diabetesRisk.waistCircumference",
                &diabetes.waist_circumference,
            ),
            sleep_hours: self.range(
                "stressEvaluation.sleepHours",
                stress.sleep_hours,
                &SLEEP_HOURS,
                "hours",
            ),
            sleep_quality: self.choice("stressEvaluation.sleepQuality", &stress.sleep_quality),
            work_stress: self.choice("stressEvaluation.workStress", &stress.work_stress),
            relationships: self.choice("stressEvaluation.relationships", &stress.relationships),
            strategies: self.strategies(&coping.strategies),
        }
    }

    /// NaN and infinity are in no range, so they are refused too.
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
        let choice = find(raw);
        if choice.is_none() {
            self.add(field, format!("Choose one of: {}", offered::<T>()));
        }
        choice
    }

    /// One violation, however many labels are unknown: the form has one field for all of them.
    fn strategies(&mut self, raw: &[String]) -> BTreeSet<Strategy> {
        let known: Option<BTreeSet<_>> = raw.iter().map(|label| find(label)).collect();
        if known.is_none() {
            self.add(
                "copingStrategies.strategies",
                format!("Choose among: {}", offered::<Strategy>()),
            );
        }
        known.unwrap_or_default()
    }
}

fn find<T: Choice>(raw: &str) -> Option<T> {
    T::ALL.iter().copied().find(|choice| choice.as_str() == raw)
}

fn offered<T: Choice>() -> String {
    let all: Vec<_> = T::ALL.iter().map(|choice| choice.as_str()).collect();
    all.join(", ")
}

#[cfg(test)]
mod tests;
