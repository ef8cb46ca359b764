//! Rows of appointments, contacts, seats and events.

mod seats;

use chrono::{DateTime, Utc};
use service_kit::{
    input::{email_to_look_up, phone_to_look_up},
    language::Language,
};
use store_kit::{
    error::StoreError,
    keys::Keys,
    outbox, row,
    sql::{Script, Statement, Value},
    values,
};
use uuid::Uuid;

use super::{CONTACTS, events, notes};
use crate::{
    domain::{
        change::{Appointment, Change, Notice},
        contact::Contact,
        proof::Proof,
        seats::Resource,
        status::Status,
    },
    secret::{self, Given, Subject},
};

/// Selects appointments with contact and seat. The condition must exclude appointments that staff deleted.
macro_rules! select_appointments {
    ($where:literal) => {
        concat!(
            "SELECT appointments.id, reference, department_id, doctor_id, appointments.starts_at, status, version, secret_generation, \
             consultation_time, \
             secret_hash, proof, appointments.create_time, update_time, seats.resource, contacts.key_id, patient_name, email, phone, reason, \
             notes, desk_notes.key_id AS note_key_id, note AS desk_note, language \
             FROM appointments LEFT JOIN contacts ON contacts.id = appointments.id \
             LEFT JOIN desk_notes ON desk_notes.id = appointments.id \
             LEFT JOIN seats ON seats.holder_id = appointments.id ",
            $where
        )
    };
}
pub(super) use seats::{Holder, SEATS_AT, SeatRow, free, free_all, take};
pub(super) use select_appointments;

pub(super) const BY_ID: &str =
    select_appointments!("WHERE appointments.id = $1 AND delete_time IS NULL");

pub(super) const BY_REFERENCE: &str =
    select_appointments!("WHERE reference = $1 AND delete_time IS NULL");

const INSERT: &str = "\
INSERT INTO appointments (id, reference, department_id, doctor_id, starts_at, status, version, secret_generation, secret_hash, network,
                          create_time, update_time, proof, language)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

/// Optimistic concurrency: the stored version must be one less than the new one. A proof does not change the version,
/// so an update without a proof keeps the stored one. An update without a language keeps the stored one too, which may
/// be one of a newer build.
const UPDATE: &str = "\
UPDATE appointments SET department_id = $2, doctor_id = $3, starts_at = $4, status = $5, version = $6, secret_generation = $7,
                        secret_hash = $8, update_time = $9, delete_time = $10,
                        proof = COALESCE($11, proof), consultation_time = $12, language = COALESCE($13, language)
WHERE id = $1 AND version = $6 - 1";

/// Inserts or replaces a person's data.
const WRITE_CONTACT: &str = "\
INSERT INTO contacts (id, key_id, patient_name, email, phone, reason, notes, email_index, phone_index, create_time)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, patient_name = excluded.patient_name, email = excluded.email,
    phone = excluded.phone, reason = excluded.reason, notes = excluded.notes, email_index = excluded.email_index,
    phone_index = excluded.phone_index";

const FORGET_CONTACT: &str = "DELETE FROM contacts WHERE id = $1";

row! {
    /// An appointment as stored; without a contact once erased.
    #[derive(Debug)]
    pub(super) struct AppointmentRow {
        id: Uuid,
        reference: String,
        department_id: String,
        doctor_id: Option<String>,
        starts_at: DateTime<Utc>,
        status: String,
        version: i64,
        secret_generation: i64,
        consultation_time: Option<DateTime<Utc>>,
        pub(super) secret_hash: Option<Vec<u8>>,
        proof: String,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        resource: Option<String>,
        key_id: Option<String>,
        patient_name: Option<Vec<u8>>,
        email: Option<Vec<u8>>,
        phone: Option<Vec<u8>>,
        reason: Option<Vec<u8>>,
        notes: Option<Vec<u8>>,
        note_key_id: Option<String>,
        desk_note: Option<Vec<u8>>,
        language: String,
    }
}

impl AppointmentRow {
    /// Decrypts the sealed columns.
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
        let sealed = self.note_key_id.as_deref().zip(self.desk_note.as_deref());
        let desk_note = notes::open(keys, self.id, sealed)?;
        let status = Status::parse(&self.status).ok_or(StoreError::Corrupt {
            column: "appointments.status",
        })?;
        let status = match (status, self.consultation_time) {
            (Status::Arrived, Some(_)) => Status::InConsultation,
            (stored, _) => stored,
        };
        let proof = Proof::parse(&self.proof).ok_or(StoreError::Corrupt {
            column: "appointments.proof",
        })?;
        Ok(Appointment {
            id: self.id,
            reference: self.reference,
            department_id: self.department_id,
            doctor_id: self.doctor_id,
            starts_at: self.starts_at,
            status,
            consultation_time: self.consultation_time,
            version: self.version,
            secret_generation: self.secret_generation,
            create_time: self.create_time,
            update_time: self.update_time,
            resource: self.resource.map(Resource::named),
            proof,
            contact,
            desk_note,
            language: Language::of(&self.language),
        })
    }
}

/// Returns the hash to store; `None` if no secret was issued or none is valid any more.
fn secret_hash(keys: &Keys, appointment: &Appointment) -> Option<Vec<u8>> {
    let generation = appointment.secret_generation;
    (generation > 0).then(|| {
        let kind = Subject::Appointment;
        let secret = secret::derive(keys, kind, Given::InAnswer, appointment.id, generation);
        secret::hash(keys, kind, &secret).to_vec()
    })
}

pub(super) fn insert(
    keys: &Keys,
    appointment: &Appointment,
    network: Option<[u8; 32]>,
) -> Statement {
    Statement::new(
        INSERT,
        values![
            appointment.id,
            &appointment.reference,
            &appointment.department_id,
            appointment.doctor_id.as_ref(),
            appointment.starts_at,
            appointment.status.public().as_str(),
            appointment.version,
            appointment.secret_generation,
            secret_hash(keys, appointment),
            network,
            appointment.create_time,
            appointment.update_time,
            appointment.proof.as_str(),
            Language::code_or_en(appointment.language)
        ],
    )
}

/// Returns the SQL and the values that replace the previous version. `language` of `None` keeps the stored one.
pub(super) fn update(
    keys: &Keys,
    change: &Change,
    language: Option<&'static str>,
) -> (&'static str, Vec<Value>) {
    let appointment = &change.appointment;
    let hashed = secret_hash(keys, appointment).filter(|_| !change.deletes);
    let values = values![
        appointment.id,
        &appointment.department_id,
        appointment.doctor_id.as_ref(),
        appointment.starts_at,
        appointment.status.public().as_str(),
        appointment.version,
        appointment.secret_generation,
        hashed,
        appointment.update_time,
        change.deletes.then_some(appointment.update_time),
        change.proof.map(Proof::as_str),
        appointment.consultation_time,
        if change.deletes {
            Some(Language::code_or_en(None))
        } else {
            language
        }
    ];
    (UPDATE, values)
}

pub(super) fn write_contact(
    keys: &Keys,
    id: Uuid,
    contact: &Contact,
    create_time: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    let seal = |column, plain: &str| CONTACTS.seal(keys, id, column, plain);
    Ok(Statement::new(
        WRITE_CONTACT,
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

pub(super) fn forget_contact(id: Uuid) -> Statement {
    Statement::new(FORGET_CONTACT, values![id])
}

/// Returns the keyed hash by which staff find an e-mail address and open appointments are counted.
pub(super) fn email_index(keys: &Keys, email: &str) -> [u8; 32] {
    keys.digest("contacts.email", email_to_look_up(email).as_bytes())
}

/// Like [`email_index`], for a phone number.
pub(super) fn phone_index(keys: &Keys, phone: &str) -> [u8; 32] {
    keys.digest("contacts.phone", phone_to_look_up(phone).as_bytes())
}

/// Function that computes the keyed hash of an address or number.
pub(super) type Index = fn(&Keys, &str) -> [u8; 32];

/// Returns the lookup values of a person: the hashes of e-mail address and phone number, each with the current and the
/// previous index key. The previous key finds rows that `rotate-keys` has not reached yet. Used as
/// `email_index IN ($1, $2)` and `phone_index IN ($3, $4)`.
pub(super) fn lookups(
    keys: &Keys,
    (email, of_email): (Option<&str>, Index),
    (phone, of_phone): (Option<&str>, Index),
) -> Vec<Value> {
    let previous = keys.previous();
    let hashes = |text: Option<&str>, index: Index| {
        let hashed = |keys: Option<&Keys>| {
            let hash = text.zip(keys).map(|(text, keys)| index(keys, text));
            Value::from(hash.map(Vec::from))
        };
        [hashed(Some(keys)), hashed(previous.as_ref())]
    };
    [hashes(email, of_email), hashes(phone, of_phone)]
        .into_iter()
        .flatten()
        .collect()
}

/// Like [`lookups`], for appointments and waitlist entries.
pub(super) fn person(keys: &Keys, email: Option<&str>, phone: Option<&str>) -> Vec<Value> {
    lookups(keys, (email, email_index), (phone, phone_index))
}

/// Returns the statement that queues a notification about a version of an appointment.
pub(super) fn message(
    (id, version): (Uuid, i64),
    notice: &Notice,
    now: DateTime<Utc>,
) -> Result<Statement, StoreError> {
    let message = outbox::NewMessage {
        id: notice.id,
        kind: notice.kind,
        subject: id.to_string(),
        payload: format!(r#"{{"appointmentId":"{id}","version":{version}}}"#),
        not_before: notice.not_before,
    };
    outbox::insert(&message, now)
}

/// Returns the part of a change that must run first: on PostgreSQL, statements of one script do not see each other's
/// writes.
pub(super) fn clearing(change: &Change) -> Script {
    let appointment = &change.appointment;
    let subject = appointment.id.to_string();
    let withdrawn = change
        .withdrawn
        .iter()
        .map(|kind| outbox::withdraw(kind, &subject));
    change.freed.iter().map(free).chain(withdrawn).collect()
}

/// Returns the rest of a change. For `network`, see [`events::insert`].
pub(super) fn writing(
    keys: &Keys,
    change: &Change,
    network: Option<[u8; 32]>,
) -> Result<Script, StoreError> {
    let appointment = &change.appointment;
    let mut script = Script::new();
    if change.deletes {
        script.push(forget_contact(appointment.id));
    } else if let Some(contact) = appointment
        .contact
        .as_ref()
        .filter(|_| change.rewrites_contact)
    {
        script.push(write_contact(
            keys,
            appointment.id,
            contact,
            appointment.create_time,
        )?);
    }
    if change.rewrites_note {
        script.push(notes::write(keys, appointment.id, &appointment.desk_note)?);
    }
    if let Some(seat) = &change.taken {
        script.push(take(seat, Holder::Appointment, appointment.id, None));
    }
    script.push(events::insert(change, network));
    for notice in &change.messages {
        let about = (appointment.id, appointment.version);
        script.push(message(about, notice, appointment.update_time)?);
    }
    Ok(script)
}
