//! Migrates appointments written by builds before store-kit: plain text, with the request id and an unkeyed hash of the
//! request.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    migrate::Backfill,
    outbox,
    requests::{self, RequestKey},
    row,
    sql::{Script, Transaction},
    values,
};
use uuid::Uuid;

use super::{CREATE, events, rows, sha256};
use crate::domain::{
    change::{Appointment, BOOKED, Change, PATIENT},
    contact::{Contact, DeskNote},
    proof::Proof,
    status::Status,
};

const ROWS_MAX: i64 = 100;

/// See the module documentation.
#[derive(Debug)]
pub(super) struct AppointmentsV1;

row! {
    struct OldRow {
        id: Uuid,
        request_id: String,
        request_fingerprint: Vec<u8>,
        reference: String,
        patient_name: String,
        email: String,
        phone: String,
        starts_at: DateTime<Utc>,
        reason: String,
        doctor_id: Option<String>,
        notes: String,
        department_id: String,
        status: String,
        created_at: DateTime<Utc>,
    }
}

row! {
    struct OldMessage {
        id: i64,
        created_at: DateTime<Utc>,
    }
}

#[async_trait]
impl Backfill for AppointmentsV1 {
    fn name(&self) -> &'static str {
        "appointments-v1"
    }

    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError> {
        const SELECT: &str = "\
SELECT id, request_id, request_fingerprint, reference, patient_name, email, phone, starts_at, reason, doctor_id, notes, department_id,
       status, created_at
FROM appointments_v1 LIMIT $1";
        let old: Vec<OldRow> = transaction.fetch_all(SELECT, values![ROWS_MAX]).await?;
        let count = old.len();
        for row in old {
            move_row(transaction, keys, row).await?;
        }
        Ok(count)
    }
}

async fn move_row(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    old: OldRow,
) -> Result<(), StoreError> {
    // Undelivered messages only; no build before this one delivered any.
    const MESSAGES: &str = "\
SELECT id, created_at FROM outbox_v1 WHERE appointment_id = $1 AND delivered_at IS NULL ORDER BY id";
    const FORGET_MESSAGES: &str = "DELETE FROM outbox_v1 WHERE appointment_id = $1";
    const FORGET: &str = "DELETE FROM appointments_v1 WHERE id = $1";
    let corrupt = |column| StoreError::Corrupt { column };
    let body: [u8; 32] = old
        .request_fingerprint
        .try_into()
        .map_err(|_| corrupt("appointments_v1.request_fingerprint"))?;
    let request = RequestKey::of_digests(keys, CREATE, sha256(&old.request_id), body);
    let status = Status::parse(&old.status).ok_or_else(|| corrupt("appointments_v1.status"))?;
    let contact = Contact {
        patient_name: old.patient_name,
        email: old.email,
        phone: old.phone,
        reason: old.reason,
        notes: old.notes,
    };
    let appointment = Appointment {
        id: old.id,
        reference: old.reference,
        department_id: old.department_id,
        doctor_id: old.doctor_id,
        starts_at: old.starts_at,
        status,
        consultation_time: None,
        version: 1,
        secret_generation: 0,
        create_time: old.created_at,
        update_time: old.created_at,
        resource: None,
        proof: if status.is_at_desk() {
            Proof::Desk
        } else {
            Proof::Unproven
        },
        contact: None,
        desk_note: DeskNote::default(),
        language: None,
    };
    let mut script = Script::new();
    script.push(requests::insert(
        &request,
        &appointment.id.to_string(),
        old.created_at,
    ));
    script.push(rows::insert(keys, &appointment, None));
    script.push(rows::write_contact(
        keys,
        appointment.id,
        &contact,
        old.created_at,
    )?);
    let messages: Vec<OldMessage> = transaction
        .fetch_all(MESSAGES, values![appointment.id])
        .await?;
    for message in messages {
        let moved = outbox::NewMessage {
            id: message_id(keys, appointment.id, message.id),
            kind: BOOKED,
            subject: appointment.id.to_string(),
            payload: format!(r#"{{"appointmentId":"{}"}}"#, appointment.id),
            not_before: message.created_at,
        };
        script.push(outbox::insert(&moved, message.created_at)?);
    }
    let change = Change::of(appointment, BOOKED, PATIENT);
    script.push(events::insert(&change, None));
    transaction.run(script).await?;
    let id = change.appointment.id;
    transaction.execute(FORGET_MESSAGES, values![id]).await?;
    transaction.execute(FORGET, values![id]).await?;
    Ok(())
}

/// Derives the message's id deterministically: a repeated migration gives the same id.
fn message_id(keys: &Keys, appointment_id: Uuid, number: i64) -> Uuid {
    let digest = keys.digest(
        "outbox-v1",
        &[appointment_id.as_bytes().as_slice(), &number.to_be_bytes()].concat(),
    );
    uuid::Builder::from_random_bytes(*digest.first_chunk().expect("a digest is longer than an id"))
        .into_uuid()
}
