//! Coarsens rows of the first format, whose times had microseconds.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    migrate::Backfill,
    requests::{self, RequestKey},
    row,
    sql::{Script, Statement, Transaction},
    values,
};
use uuid::Uuid;

use super::{CREATE, corrupt};
use crate::domain::day;

/// Rows per step.
const ROWS_MAX: i64 = 200;

const SELECT: &str =
    "SELECT id, request_key, fingerprint, create_time FROM assessments_v1 ORDER BY id LIMIT $1";
const MOVE: &str = "\
INSERT INTO assessments (id, age_years, gender, height_cm, weight_kg, family_history, blood_pressure, activity_level, \
waist_circumference, sleep_hours, sleep_quality, work_stress, relationships, coping_strategies, bmi, bmi_category, \
diabetes_risk, stress_level, overall_level, create_time) \
SELECT id, age_years, gender, height_cm, weight_kg, family_history, blood_pressure, activity_level, \
waist_circumference, sleep_hours, sleep_quality, work_stress, relationships, coping_strategies, bmi, \
NULLIF(bmi_category, ''), diabetes_risk, stress_level, overall_level, $2 \
FROM assessments_v1 WHERE id = $1";
const DELETE: &str = "DELETE FROM assessments_v1 WHERE id = $1";

/// Moves rows from `assessments_v1` to `assessments`, keeping only the day of their time. Ids stay the same, and a
/// retried request still finds its assessment.
#[derive(Debug)]
pub(super) struct CoarsenTimes;

#[async_trait]
impl Backfill for CoarsenTimes {
    fn name(&self) -> &'static str {
        "assessments-days"
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        let rows: Vec<PreciseRow> = transaction.fetch_all(SELECT, values![ROWS_MAX]).await?;
        let count = rows.len();
        for row in rows {
            let script = row.moved(keys)?;
            transaction.run(script).await?;
        }
        Ok(count)
    }
}

row! {
    struct PreciseRow {
        id: Uuid,
        /// SHA-256 of the request id.
        request_key: Vec<u8>,
        /// SHA-256 of the bytes that [`crate::wire::canonical`] returns.
        fingerprint: Vec<u8>,
        create_time: DateTime<Utc>,
    }
}

impl PreciseRow {
    fn moved(self, keys: &Keys) -> Result<Script, StoreError> {
        let request_id = <[u8; 32]>::try_from(self.request_key)
            .map_err(|_| corrupt("assessments_v1.request_key"))?;
        let fingerprint = <[u8; 32]>::try_from(self.fingerprint)
            .map_err(|_| corrupt("assessments_v1.fingerprint"))?;
        let request = RequestKey::of_digests(keys, CREATE, request_id, fingerprint);
        let day = day(self.create_time);
        let mut script = Script::new();
        script.push(Statement::new(MOVE, values![self.id, day]));
        script.push(requests::insert(&request, &self.id.to_string(), day));
        script.push(Statement::new(DELETE, values![self.id]));
        Ok(script)
    }
}
