//! SQLite: one writing connection, so writers wait in the pool instead of failing.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl, SqlitePools};
use sqlx::migrate::Migrator;
use tracing::Instrument;

use super::{Creation, EarlierRow, Store, StoreError, strategies_json, text};
use crate::domain::{Draft, Receipt};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

#[derive(Debug)]
pub(super) struct SqliteStore {
    pools: SqlitePools,
}

impl SqliteStore {
    pub(super) async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let pools = database::open_sqlite(url).await?;
        MIGRATIONS.run(&pools.write).await?;
        Ok(Self { pools })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn create(&self, draft: &Draft, receipt: &Receipt) -> Result<Creation, StoreError> {
        let fingerprint = draft.fingerprint();
        let answers = &draft.answers;
        let result = &receipt.result;
        let inserted = sqlx::query(
            "INSERT INTO assessments (id, request_key, fingerprint, age_years, gender, height_cm, weight_kg, \
             family_history, blood_pressure, activity_level, waist_circumference, sleep_hours, sleep_quality, \
             work_stress, relationships, coping_strategies, bmi, bmi_category, diabetes_risk, stress_level, \
             overall_level, create_time) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, \
             $21, $22) \
             ON CONFLICT (request_key) DO NOTHING",
        )
        .bind(receipt.id)
        .bind(draft.request_key.as_slice())
        .bind(fingerprint.as_slice())
        .bind(answers.age_years)
        .bind(text(answers.gender))
        .bind(answers.height_cm)
        .bind(answers.weight_kg)
        .bind(text(answers.family_history))
        .bind(text(answers.blood_pressure))
        .bind(text(answers.activity_level))
        .bind(text(answers.waist_circumference))
        .bind(answers.sleep_hours)
        .bind(text(answers.sleep_quality))
        .bind(text(answers.work_stress))
        .bind(text(answers.relationships))
        .bind(strategies_json(draft))
        .bind(result.bmi)
        .bind(&result.bmi_category)
        .bind(&result.diabetes_risk)
        .bind(&result.stress_level)
        .bind(&result.overall_level)
        .bind(receipt.create_time)
        .execute(&self.pools.write)
        .instrument(database::span("INSERT assessments", DatabaseKind::Sqlite))
        .await?;
        if inserted.rows_affected() == 1 {
            return Ok(Creation::Stored);
        }
        let earlier: EarlierRow = sqlx::query_as(
            "SELECT id, create_time, fingerprint, bmi, bmi_category, diabetes_risk, stress_level, overall_level \
             FROM assessments WHERE request_key = $1",
        )
        .bind(draft.request_key.as_slice())
        .fetch_one(&self.pools.read)
        .instrument(database::span("SELECT assessments", DatabaseKind::Sqlite))
        .await?;
        Ok(earlier.creation(&fingerprint))
    }
}
