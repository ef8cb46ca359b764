//! Rows of appointments, contacts, seats and events.

use chrono::{DateTime, Utc};
use service_kit::input::{email_to_look_up, phone_to_look_up};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::{Statement, Value},
    values,
};
use uuid::Uuid;

use super::CONTACTS;
use crate::domain::{
    change::{Appointment, Change, Contact},
    seats::Seat,
    status::Status,
};

pub(super) const BY_ID: &str = "\
SELECT appointments.id, reference, department_id, doctor_id, starts_at, status, version, appointments.create_time, update_time,
       key_id, patient_name, email, phone, reason, notes
FROM appointments LEFT JOIN contacts ON contacts.id = appointments.id
WHERE appointments.id = $1";

const INSERT: &str = "\
INSERT INTO appointments (id, reference, department_id, doctor_id, starts_at, status, version, create_time, update_time)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Optimistic concurrency: an update names the version that was read, one less than the new one.
pub(super) const UPDATE: &str = "\
UPDATE appointments SET department_id = $2, doctor_id = $3, starts_at = $4, status = $5, version = $6, update_time = $7
WHERE id = $1 AND version = $6 - 1";

const INSERT_CONTACT: &str = "\
INSERT INTO contacts (id, key_id, patient_name, email, phone, reason, notes, email_index, phone_index, create_time)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

const TAKE: &str = "\
INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id) VALUES ($1, $2, $3, 'appointment', $4)";

const FREE: &str = "DELETE FROM seats WHERE resource = $1 AND starts_at = $2 AND seat = $3";

const INSERT_EVENT: &str = "\
INSERT INTO events (appointment_id, version, kind, actor, detail, create_time) VALUES ($1, $2, $3, $4, '{}', $5)";

/// An appointment as stored, with its contact unless it was erased.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct AppointmentRow {
    id: Uuid,
    reference: String,
    department_id: String,
    doctor_id: Option<String>,
    starts_at: DateTime<Utc>,
    status: String,
    version: i64,
    create_time: DateTime<Utc>,
    update_time: DateTime<Utc>,
    key_id: Option<String>,
    patient_name: Option<Vec<u8>>,
    email: Option<Vec<u8>>,
    phone: Option<Vec<u8>>,
    reason: Option<Vec<u8>>,
    notes: Option<Vec<u8>>,
}

impl AppointmentRow {
    /// Opens what is sealed.
    pub(super) fn open(self, keys: &Keys) -> Result<Appointment, StoreError> {
        let open = |column, sealed: &Option<Vec<u8>>| {
            let key_id = self.key_id.as_deref().unwrap_or_default();
            let sealed = sealed.as_deref().unwrap_or_default();
            CONTACTS.open(keys, key_id, self.id, column, sealed)
        };
        let contact = if self.key_id.is_some() {
            Some(Contact {
                patient_name: open("patient_name", &self.patient_name)?,
                email: open("email", &self.email)?,
                phone: open("phone", &self.phone)?,
                reason: open("reason", &self.reason)?,
                notes: open("notes", &self.notes)?,
            })
        } else {
            None
        };
        let status = Status::parse(&self.status).ok_or(StoreError::Corrupt {
            column: "appointments.status",
        })?;
        Ok(Appointment {
            id: self.id,
            reference: self.reference,
            department_id: self.department_id,
            doctor_id: self.doctor_id,
            starts_at: self.starts_at,
            status,
            version: self.version,
            create_time: self.create_time,
            update_time: self.update_time,
            contact,
        })
    }
}

pub(super) fn insert(appointment: &Appointment) -> Statement {
    Statement::new(
        INSERT,
        values![
            appointment.id,
            &appointment.reference,
            &appointment.department_id,
            appointment.doctor_id.as_ref(),
            appointment.starts_at,
            appointment.status.as_str(),
            appointment.version,
            appointment.create_time,
            appointment.update_time
        ],
    )
}

pub(super) fn update_values(appointment: &Appointment) -> Vec<Value> {
    values![
        appointment.id,
        &appointment.department_id,
        appointment.doctor_id.as_ref(),
        appointment.starts_at,
        appointment.status.as_str(),
        appointment.version,
        appointment.update_time
    ]
}

pub(super) fn insert_contact(
    keys: &Keys,
    id: Uuid,
    contact: &Contact,
    create_time: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    let seal = |column, plain: &str| CONTACTS.seal(keys, id, column, plain);
    Ok(Statement::new(
        INSERT_CONTACT,
        values![
            id,
            keys.active(),
            seal("patient_name", &contact.patient_name)?,
            seal("email", &contact.email)?,
            seal("phone", &contact.phone)?,
            seal("reason", &contact.reason)?,
            seal("notes", &contact.notes)?,
            email_index(keys, &contact.email),
            phone_index(keys, &contact.phone),
            create_time
        ],
    ))
}

fn email_index(keys: &Keys, email: &str) -> [u8; 32] {
    keys.digest("contacts.email", email_to_look_up(email).as_bytes())
}

fn phone_index(keys: &Keys, phone: &str) -> [u8; 32] {
    keys.digest("contacts.phone", phone_to_look_up(phone).as_bytes())
}

pub(super) fn take(seat: &Seat, appointment_id: Uuid) -> Statement {
    Statement::new(
        TAKE,
        values![
            seat.resource.as_str(),
            seat.starts_at,
            seat.number,
            appointment_id
        ],
    )
}

pub(super) fn free(seat: &Seat) -> Statement {
    Statement::new(
        FREE,
        values![seat.resource.as_str(), seat.starts_at, seat.number],
    )
}

pub(super) fn event(change: &Change) -> Statement {
    let appointment = &change.appointment;
    Statement::new(
        INSERT_EVENT,
        values![
            appointment.id,
            appointment.version,
            change.event,
            &change.actor,
            appointment.update_time
        ],
    )
}
