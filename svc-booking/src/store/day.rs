//! Queries of the day list. They use readers only, so they never wait for the writer or hold it.

use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{error::StoreError, values};
use uuid::Uuid;

use super::{
    Store,
    rows::{AppointmentRow, select_appointments},
};
use crate::domain::{calendar::start_of, change::Appointment, seats::Resource};

/// Changes with every booking, change, erasure and deletion of a day's appointments.
const STATE: &str = "\
SELECT count(*), CAST(COALESCE(sum(version), 0) AS bigint), count(contacts.id)
FROM appointments LEFT JOIN contacts ON contacts.id = appointments.id
WHERE starts_at >= $1 AND starts_at < $2 AND delete_time IS NULL";

/// By department, doctor or clinic, and time. A cancelled appointment has no seat, so it is listed with its doctor.
const PAGE: &str = select_appointments!(
    "WHERE appointments.starts_at >= $1 AND appointments.starts_at < $2 AND delete_time IS NULL \
     AND (department_id, COALESCE(seats.resource, 'doctor:' || doctor_id, ''), appointments.starts_at, appointments.id) > ($3, $4, $5, $6) \
     ORDER BY department_id, COALESCE(seats.resource, 'doctor:' || doctor_id, ''), appointments.starts_at, appointments.id LIMIT $7"
);

/// State of a day's appointments. Equal states have equal lists.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DayState {
    pub appointments: i64,
    /// Sum of the versions.
    pub versions: i64,
    /// Appointments with personal data, which are not erased.
    pub contacts: i64,
}

impl Store {
    /// Returns the state of a day in Asia/Kolkata.
    ///
    /// # Errors
    /// Fails if the database fails.
    pub async fn day_state(&self, date: NaiveDate) -> Result<DayState, StoreError> {
        let (from, until) = span(date);
        let (appointments, versions, contacts) = self
            .database
            .fetch_one("SELECT appointments", STATE, values![from, until])
            .await?;
        Ok(DayState {
            appointments,
            versions,
            contacts,
        })
    }

    /// Returns the next `rows_max` appointments of a day after `last`, by department, doctor or clinic, and time. For
    /// internal use: performs no access check and adds no audit entry.
    ///
    /// # Errors
    /// Fails if the database fails or a row cannot be decrypted with these keys.
    pub async fn day_page(
        &self,
        date: NaiveDate,
        last: Option<&Appointment>,
        rows_max: u32,
    ) -> Result<Vec<Appointment>, StoreError> {
        let (from, until) = span(date);
        let resource = last.and_then(listed_with);
        let values = values![
            from,
            until,
            last.map_or("", |last| last.department_id.as_str()),
            resource.as_ref().map_or("", Resource::as_str),
            last.map_or(from, |last| last.starts_at),
            last.map_or(Uuid::nil(), |last| last.id),
            rows_max
        ];
        let rows: Vec<AppointmentRow> = self
            .database
            .fetch_all("SELECT appointments", PAGE, values)
            .await?;
        rows.into_iter().map(|row| row.open(&self.keys)).collect()
    }
}

/// Returns the doctor or clinic under which the day list has an appointment.
pub fn listed_with(appointment: &Appointment) -> Option<Resource> {
    let doctor = || appointment.doctor_id.as_deref().map(Resource::doctor);
    appointment.resource.clone().or_else(doctor)
}

/// Start and exclusive end.
fn span(date: NaiveDate) -> (DateTime<Utc>, DateTime<Utc>) {
    (start_of(date), start_of(date.succ_opt().unwrap_or(date)))
}
