//! Reads the causes of notices, and the person's other appointment.

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{error::StoreError, values};
use uuid::Uuid;

use super::{Store, rows};
use crate::domain::{
    calendar::{start_of, today},
    change::{Appointment, BOOKED},
};

/// Actor, and keyed hash of the network if stored.
type Caused = (String, Option<Vec<u8>>);

impl Store {
    /// Returns the cause of a version of an appointment.
    pub async fn caused(&self, id: Uuid, version: i64) -> Result<Option<Caused>, StoreError> {
        // A booking's network is stored in the appointment, where it is counted.
        const CAUSED: &str = "\
SELECT actor, CASE WHEN kind = $3 THEN appointments.network ELSE events.network END
FROM events JOIN appointments ON appointments.id = appointment_id WHERE appointment_id = $1 AND events.version = $2";
        self.database
            .fetch_optional("SELECT events", CAUSED, values![id, version, BOOKED])
            .await
    }

    /// Returns the reference of another open, proven appointment of the same address in the same department on the same
    /// day.
    pub async fn other_that_day(
        &self,
        appointment: &Appointment,
    ) -> Result<Option<String>, StoreError> {
        const OTHER: &str = "\
SELECT reference FROM appointments WHERE id IN (SELECT id FROM contacts WHERE email_index = $1)
  AND id <> $2 AND department_id = $3 AND starts_at >= $4 AND starts_at < $5 AND status = 'booked' AND proof <> 'unproven'
  AND delete_time IS NULL ORDER BY starts_at LIMIT 1";
        let Some(contact) = &appointment.contact else {
            return Ok(None);
        };
        let from: DateTime<Utc> = start_of(today(appointment.starts_at));
        let find = values![
            rows::email_index(&self.keys, &contact.email),
            appointment.id,
            &appointment.department_id,
            from,
            from + TimeDelta::days(1)
        ];
        let row: Option<(String,)> = self
            .database
            .fetch_optional("SELECT appointments", OTHER, find)
            .await?;
        Ok(row.map(|(reference,)| reference))
    }

    /// Returns the keyed hash of the network that a waitlist entry was created from, if stored.
    pub async fn network_of_entry(&self, id: Uuid) -> Result<Option<Vec<u8>>, StoreError> {
        self.network("SELECT network FROM waitlist_entries WHERE id = $1", id)
            .await
    }

    /// Like [`Self::network_of_entry`], for a consultation.
    pub async fn network_of_consultation(&self, id: Uuid) -> Result<Option<Vec<u8>>, StoreError> {
        self.network("SELECT network FROM consultations WHERE id = $1", id)
            .await
    }

    async fn network(&self, sql: &'static str, id: Uuid) -> Result<Option<Vec<u8>>, StoreError> {
        let row: Option<(Option<Vec<u8>>,)> = self
            .database
            .fetch_optional("SELECT network", sql, values![id])
            .await?;
        Ok(row.and_then(|(network,)| network))
    }
}

/// Returns the first 16 hexadecimal digits of a keyed hash, which identify a network in bursts and notices.
pub fn hex(hash: &[u8]) -> String {
    use std::fmt::Write as _;

    let mut digits = String::with_capacity(16);
    for byte in hash.iter().take(8) {
        // Writing to a String cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
