//! Rows of the roster.

use chrono::{DateTime, NaiveDate, Utc};
use store_kit::{error::StoreError, row, sql::Statement, values};
use uuid::Uuid;

use crate::domain::{
    calendar::parse_date,
    roster::{Leave, Seed, Session, Weekdays},
    seats::Resource,
};

pub(super) const SESSIONS: &str = "\
SELECT id, department_id, doctor_id, name, weekdays, from_minutes, until_minutes, seats, by_name_only, valid_from, valid_until, fee_rupees, place,
       version
FROM sessions ORDER BY id";
/// Omits leave that has ended.
pub(super) const LEAVES: &str = "SELECT id, resource, from_date, until_date, reason FROM leaves WHERE until_date >= $1 ORDER BY from_date, id";
pub(super) const HOLIDAYS: &str = "SELECT date, name FROM holidays ORDER BY date";

pub(super) const WRITE_SESSION: &str = "\
INSERT INTO sessions (id, department_id, doctor_id, name, weekdays, from_minutes, until_minutes, seats, by_name_only, valid_from,
                      valid_until, version, create_time, update_time, fee_rupees, place)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15)
ON CONFLICT (id) DO UPDATE SET department_id = excluded.department_id, doctor_id = excluded.doctor_id, name = excluded.name,
    weekdays = excluded.weekdays, from_minutes = excluded.from_minutes, until_minutes = excluded.until_minutes,
    seats = excluded.seats, by_name_only = excluded.by_name_only, valid_from = excluded.valid_from,
    valid_until = excluded.valid_until, version = excluded.version, update_time = excluded.update_time,
    fee_rupees = excluded.fee_rupees, place = excluded.place";
/// Keeps values that staff have entered in the meantime.
pub(super) const FILL_CLINIC: &str =
    "UPDATE sessions SET fee_rupees = $2, place = $3 WHERE id = $1 AND fee_rupees IS NULL";
pub(super) const WRITE_LEAVE: &str = "\
INSERT INTO leaves (id, resource, from_date, until_date, reason, create_time) VALUES ($1, $2, $3, $4, $5, $6)";
pub(super) const WRITE_HOLIDAY: &str = "\
INSERT INTO holidays (date, name, create_time) VALUES ($1, $2, $3) ON CONFLICT (date) DO UPDATE SET name = excluded.name";

row! {
    pub(super) struct SessionRow {
        pub(super) id: String,
        department_id: String,
        doctor_id: Option<String>,
        name: String,
        weekdays: i64,
        from_minutes: i64,
        until_minutes: i64,
        seats: i64,
        by_name_only: bool,
        valid_from: Option<String>,
        valid_until: Option<String>,
        /// `None`, like `place`, in rows written by builds before migration 0005.
        fee_rupees: Option<i64>,
        place: Option<String>,
        version: i64,
    }
}

impl SessionRow {
    /// Returns whether the row is a clinic without fee and place.
    pub(super) fn is_unfilled(&self) -> bool {
        self.doctor_id.is_none() && self.fee_rupees.is_none()
    }

    /// Converts the row; missing values come from the configured session with the same id.
    pub(super) fn session(self, seed: &Seed) -> Result<Session, StoreError> {
        let corrupt = |column| StoreError::Corrupt { column };
        let day = |text: Option<String>, column| match text {
            None => Ok(None),
            Some(text) => parse_date(&text).map(Some).ok_or_else(|| corrupt(column)),
        };
        let minutes = |minutes, column| u16::try_from(minutes).map_err(|_| corrupt(column));
        let configured = seed.sessions.iter().find(|session| session.id == self.id);
        let fee_rupees = match self.fee_rupees {
            Some(rupees) => u32::try_from(rupees).map_err(|_| corrupt("sessions.fee_rupees"))?,
            None => configured.map_or(0, |session| session.fee_rupees),
        };
        let place = self.place.or_else(|| Some(configured?.place.clone()));
        Ok(Session {
            id: self.id,
            department_id: self.department_id,
            doctor_id: self.doctor_id,
            name: self.name,
            weekdays: Weekdays::of_bits(self.weekdays)
                .ok_or_else(|| corrupt("sessions.weekdays"))?,
            from_minutes: minutes(self.from_minutes, "sessions.from_minutes")?,
            until_minutes: minutes(self.until_minutes, "sessions.until_minutes")?,
            seats: u32::try_from(self.seats).map_err(|_| corrupt("sessions.seats"))?,
            by_name_only: self.by_name_only,
            valid_from: day(self.valid_from, "sessions.valid_from")?,
            valid_until: day(self.valid_until, "sessions.valid_until")?,
            fee_rupees,
            place: place.unwrap_or_default(),
            version: self.version,
        })
    }
}

row! {
    pub(super) struct LeaveRow {
        id: Uuid,
        resource: String,
        from_date: String,
        until_date: String,
        reason: String,
    }
}

impl LeaveRow {
    pub(super) fn leave(self) -> Result<Leave, StoreError> {
        let day = |text: &str, column| parse_date(text).ok_or(StoreError::Corrupt { column });
        Ok(Leave {
            from: day(&self.from_date, "leaves.from_date")?,
            until: day(&self.until_date, "leaves.until_date")?,
            id: self.id,
            resource: Resource::named(self.resource),
            reason: self.reason,
        })
    }
}

pub(super) fn write_session(session: &Session, now: DateTime<Utc>) -> Statement {
    let day = |date: Option<NaiveDate>| date.map(|date| date.to_string());
    Statement::new(
        WRITE_SESSION,
        values![
            &session.id,
            &session.department_id,
            session.doctor_id.as_ref(),
            &session.name,
            session.weekdays.bits(),
            i64::from(session.from_minutes),
            i64::from(session.until_minutes),
            session.seats,
            session.by_name_only,
            day(session.valid_from),
            day(session.valid_until),
            session.version,
            now,
            session.fee_rupees,
            &session.place
        ],
    )
}

/// See [`FILL_CLINIC`].
pub(super) fn fill_clinic(session: &Session) -> Statement {
    Statement::new(
        FILL_CLINIC,
        values![&session.id, session.fee_rupees, &session.place],
    )
}

pub(super) fn write_leave(leave: &Leave, now: DateTime<Utc>) -> Statement {
    Statement::new(
        WRITE_LEAVE,
        values![
            leave.id,
            leave.resource.as_str(),
            leave.from.to_string(),
            leave.until.to_string(),
            &leave.reason,
            now
        ],
    )
}

pub(super) fn write_holiday(date: NaiveDate, name: &str, now: DateTime<Utc>) -> Statement {
    Statement::new(WRITE_HOLIDAY, values![date.to_string(), name, now])
}
