//! PostgreSQL: a concurrent insert of the same key waits for the first one and then does nothing.

use async_trait::async_trait;
use service_kit::database::{self, DatabaseKind, DatabaseUrl};
use sqlx::{PgPool, migrate::Migrator};
use tracing::Instrument;

use super::{Creation, EarlierRow, Store, StoreError, require_schema, strategies_json, text};
use crate::domain::{Draft, Receipt};

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

#[derive(Debug)]
pub(super) struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    pub(super) async fn open(url: &DatabaseUrl, connections_max: u32) -> Result<Self, StoreError> {
        let pool = database::open_postgres(url, connections_max).await?;
        require_schema(&MIGRATIONS, schema_version(&pool).await?)?;
        Ok(Self { pool })
    }
}

pub(super) async fn migrate(url: &DatabaseUrl) -> Result<(), StoreError> {
    let pool = database::open_postgres(url, 1).await?;
    MIGRATIONS.run(&pool).await?;
    pool.close().await;
    Ok(())
}

/// `None` in a database that was never migrated.
async fn schema_version(pool: &PgPool) -> Result<Option<i64>, sqlx::Error> {
    let migrated: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(pool)
        .await?;
    if !migrated {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success")
        .fetch_one(pool)
        .await
}

#[async_trait]
impl Store for PostgresStore {
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
        .execute(&self.pool)
        .instrument(database::span("INSERT assessments", DatabaseKind::Postgres))
        .await?;
        if inserted.rows_affected() == 1 {
            return Ok(Creation::Stored);
        }
        let earlier: EarlierRow = sqlx::query_as(
            "SELECT id, create_time, fingerprint, bmi, bmi_category, diabetes_risk, stress_level, overall_level \
             FROM assessments WHERE request_key = $1",
        )
        .bind(draft.request_key.as_slice())
        .fetch_one(&self.pool)
        .instrument(database::span("SELECT assessments", DatabaseKind::Postgres))
        .await?;
        Ok(earlier.creation(&fingerprint))
    }
}
