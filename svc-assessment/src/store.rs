//! Stores assessments without anything that links one to a person. All SQL of the service is here.
//!
//! A row has a random id and the day. No log line or span of this service contains either. None of them distinguishes
//! visitors whose answers are stored from others. What remains, and who could use it:
//! - For two days, the `request_keys` row that recognises a retry: a keyed hash of the request id, the assessment's id,
//!   a keyed hash of the answers, and again the day. Following it takes the visitor's own request id *and* the key
//!   file.
//! - The order of writes within a day, in PostgreSQL's files (its log, and rows until they are moved) and in SQLite's
//!   log until its next checkpoint. SQLite's tables are in the order of random ids. Only a reader of the disk can see
//!   this order.
//! - A day with one assessment. The gateway's span of the call ends with 201 when answers were stored, so the time of
//!   day of that row can be found. Spans contain nothing about the visitor. Anyone who knows that a certain visitor was
//!   the only one to consent on a day has found the row. No stored data reveals that.
//! - The address of a removal contains the id. Removed rows are gone; if a removal failed, a proxy's log may keep the
//!   id.
//! - Audit entries have precise times, but concern staff: a month was counted, expired rows were removed. A visitor who
//!   removes their answers leaves no entry.

mod backfill;
mod retention;
mod summary;

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sqlx::migrate::Migrator;
use store_kit::{
    creation::{self, Creation, New},
    database::Database,
    error::StoreError,
    keys::Keys,
    migrate::Schema,
    requests::{self, RequestKey},
    row,
    sql::{Statement, Transaction},
    values,
    work::{Decision, UnitOfWork},
};
use uuid::Uuid;

use crate::domain::{Answers, Assessment, Choice, Scores, Strategy};

/// Kind of the request keys of creates. Must never change: it is part of the hashed value.
pub const CREATE: &str = "assessments.create";

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Schema that this build expects. Nothing is sealed, because no column holds a person's words.
pub const SCHEMA: Schema = Schema {
    sqlite: &SQLITE,
    postgres: &POSTGRES,
    backfills: &[&backfill::CoarsenTimes],
    sealed: &[],
};

const INSERT: &str = "\
INSERT INTO assessments (id, age_years, gender, height_cm, weight_kg, family_history, blood_pressure, activity_level, \
waist_circumference, sleep_hours, sleep_quality, work_stress, relationships, coping_strategies, bmi, bmi_category, \
diabetes_risk, stress_level, overall_level, create_time) \
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";
const SELECT: &str = "\
SELECT id, age_years, gender, height_cm, weight_kg, family_history, blood_pressure, activity_level, waist_circumference, \
sleep_hours, sleep_quality, work_stress, relationships, coping_strategies, bmi, bmi_category, diabetes_risk, stress_level, \
overall_level, create_time FROM assessments WHERE id = $1";

/// Assessments on a database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    /// Keys of the audit log.
    keys: Keys,
}

impl Store {
    /// Creates a store on a database of [`SCHEMA`].
    pub fn new(database: Database, keys: Keys) -> Self {
        Self { database, keys }
    }

    /// Stores an assessment once per request, however often and however concurrently it is called. A retry returns the
    /// stored assessment.
    ///
    /// # Errors
    /// When the database fails, or a column holds a value that no build has written.
    pub async fn create(
        &self,
        request: RequestKey,
        assessment: Assessment,
    ) -> Result<Creation<Assessment>, StoreError> {
        let create = Create {
            request,
            assessment,
        };
        self.database.write("INSERT assessments", create).await
    }

    /// Removes an assessment. A missing one counts as removed. A late retry of its create does not restore it, but
    /// returns that it was removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete(&self, id: Uuid) -> Result<(), StoreError> {
        self.database
            .write("DELETE assessments", Delete { id })
            .await
    }
}

struct Delete {
    id: Uuid,
}

#[async_trait]
impl UnitOfWork for Delete {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const DELETE: &str = "DELETE FROM assessments WHERE id = $1";
        // Runs first, so guessed ids cost one lookup of the primary key.
        if transaction.execute(DELETE, values![self.id]).await? == 0 {
            return Ok(Decision::Rollback(()));
        }
        let request = requests::forget_body(&self.id.to_string());
        transaction.run([request].into_iter().collect()).await?;
        Ok(Decision::Commit(()))
    }
}

struct Create {
    request: RequestKey,
    assessment: Assessment,
}

#[async_trait]
impl UnitOfWork for Create {
    type Outcome = Creation<Assessment>;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Self::Outcome>, StoreError> {
        let assessment = &self.assessment;
        let new = New {
            request: &self.request,
            id: assessment.id,
            subject: assessment.clone(),
            script: [insert(assessment)].into_iter().collect(),
            // The day here too: a precise time in `request_keys`, which names the assessment, would undo the coarse one
            // of its row.
            now: assessment.create_time,
        };
        creation::once(transaction, new, SELECT, AssessmentRow::parse).await
    }
}

/// Builds the insert of an assessment's row.
fn insert(assessment: &Assessment) -> Statement {
    let answers = &assessment.answers;
    let scores = &assessment.scores;
    let labels = answers.strategies.iter().map(|strategy| strategy.as_str());
    Statement::new(
        INSERT,
        values![
            assessment.id,
            answers.age_years,
            text(answers.gender),
            answers.height_cm,
            answers.weight_kg,
            text(answers.family_history),
            text(answers.blood_pressure),
            text(answers.activity_level),
            text(answers.waist_circumference),
            answers.sleep_hours,
            text(answers.sleep_quality),
            text(answers.work_stress),
            text(answers.relationships),
            labels.collect::<serde_json::Value>().to_string(),
            scores.bmi,
            text(scores.bmi_category),
            scores.diabetes_risk.as_str(),
            scores.stress_level.as_str(),
            scores.overall_level.as_str(),
            assessment.create_time,
        ],
    )
}

/// Returns an answer as stored in its column; NULL where not answered.
fn text(choice: Option<impl Choice>) -> Option<&'static str> {
    choice.map(Choice::as_str)
}

row! {
    struct AssessmentRow {
        id: Uuid,
        age_years: Option<i64>,
        gender: Option<String>,
        height_cm: Option<f64>,
        weight_kg: Option<f64>,
        family_history: Option<String>,
        blood_pressure: Option<String>,
        activity_level: Option<String>,
        waist_circumference: Option<String>,
        sleep_hours: Option<f64>,
        sleep_quality: Option<String>,
        work_stress: Option<String>,
        relationships: Option<String>,
        coping_strategies: String,
        bmi: Option<f64>,
        bmi_category: Option<String>,
        diabetes_risk: String,
        stress_level: String,
        overall_level: String,
        create_time: DateTime<Utc>,
    }
}

impl AssessmentRow {
    fn parse(self) -> Result<Assessment, StoreError> {
        let age_years = self.age_years.map(i32::try_from).transpose();
        Ok(Assessment {
            id: self.id,
            create_time: self.create_time,
            answers: Answers {
                age_years: age_years.map_err(|_| corrupt("assessments.age_years"))?,
                gender: some("assessments.gender", self.gender.as_deref())?,
                height_cm: self.height_cm,
                weight_kg: self.weight_kg,
                family_history: some("assessments.family_history", self.family_history.as_deref())?,
                blood_pressure: some("assessments.blood_pressure", self.blood_pressure.as_deref())?,
                activity_level: some("assessments.activity_level", self.activity_level.as_deref())?,
                waist_circumference: some(
                    "assessments.waist_circumference",
                    self.waist_circumference.as_deref(),
                )?,
                sleep_hours: self.sleep_hours,
                sleep_quality: some("assessments.sleep_quality", self.sleep_quality.as_deref())?,
                work_stress: some("assessments.work_stress", self.work_stress.as_deref())?,
                relationships: some("assessments.relationships", self.relationships.as_deref())?,
                strategies: strategies(&self.coping_strategies)?,
            },
            scores: Scores {
                bmi: self.bmi,
                bmi_category: some("assessments.bmi_category", self.bmi_category.as_deref())?,
                diabetes_risk: choice("assessments.diabetes_risk", &self.diabetes_risk)?,
                stress_level: choice("assessments.stress_level", &self.stress_level)?,
                overall_level: choice("assessments.overall_level", &self.overall_level)?,
            },
        })
    }
}

fn corrupt(column: &'static str) -> StoreError {
    StoreError::Corrupt { column }
}

fn choice<T: Choice>(column: &'static str, text: &str) -> Result<T, StoreError> {
    T::find(text).ok_or_else(|| corrupt(column))
}

fn some<T: Choice>(column: &'static str, text: Option<&str>) -> Result<Option<T>, StoreError> {
    text.map(|text| choice(column, text)).transpose()
}

fn strategies(json: &str) -> Result<BTreeSet<Strategy>, StoreError> {
    const COLUMN: &str = "assessments.coping_strategies";
    let labels: Vec<String> = serde_json::from_str(json).map_err(|_| corrupt(COLUMN))?;
    labels.iter().map(|label| choice(COLUMN, label)).collect()
}
