//! Last registration number given for each doctor.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use store_kit::{error::StoreError, sql::Transaction, values};

use super::super::Store;
use crate::domain::consultation::Doctor;

const OF_DOCTOR: &str = "SELECT registration FROM doctor_registrations WHERE doctor_id = $1";

const UPSERT: &str = "\
INSERT INTO doctor_registrations (doctor_id, registration, update_time) VALUES ($1, $2, $3)
ON CONFLICT (doctor_id) DO UPDATE SET registration = excluded.registration, update_time = excluded.update_time";

/// More than a hospital has doctors.
const ALL: &str =
    "SELECT doctor_id, registration FROM doctor_registrations ORDER BY doctor_id LIMIT 1000";

impl Store {
    /// Returns the last registration number of each doctor by the doctor's id.
    ///
    /// # Errors
    /// Fails if the database fails.
    pub async fn doctor_registrations(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let rows: Vec<(String, String)> = self
            .database
            .fetch_all("SELECT doctor_registrations", ALL, values![])
            .await?;
        Ok(rows.into_iter().collect())
    }
}

pub(super) async fn registration_of(
    transaction: &mut Transaction<'_>,
    doctor_id: &str,
) -> Result<Option<String>, StoreError> {
    let found: Option<(String,)> = transaction
        .fetch_optional(OF_DOCTOR, values![doctor_id])
        .await?;
    Ok(found.map(|(registration,)| registration))
}

pub(super) async fn remember(
    transaction: &mut Transaction<'_>,
    doctor: &Doctor,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let values = values![doctor.id.as_str(), doctor.registration.as_str(), now];
    transaction.execute(UPSERT, values).await?;
    Ok(())
}
