//! Rows of consultations and their SQL.

use chrono::{DateTime, NaiveTime, Utc};
use service_kit::{
    input::{email_to_look_up, phone_to_look_up},
    language::Language,
};
use store_kit::{
    error::StoreError,
    keys::Keys,
    row,
    sql::{Statement, Value},
    values,
};
use uuid::Uuid;

use super::CONSULTATIONS;
use crate::domain::{
    calendar::parse_date,
    consultation::{Consultation, ConsultationStatus, Doctor, Person},
};

/// Later than any stored day.
pub(super) const LAST_DAY: &str = "9999-12-31";
const TIME_FORMAT: &str = "%H:%M";

/// Purposes of the keyed hashes by which a person is found. Must never change.
const EMAIL_INDEX: &str = "consultations.email";
const PHONE_INDEX: &str = "consultations.phone";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, reference, date, time, status, version, create_time, update_time, key_id, patient_name, email, phone, \
             description, link, department_id, doctor_id, doctor_registration, language FROM consultations ",
            $rest
        )
    };
}

pub(in crate::store) use select;

pub(in crate::store) const BY_ID: &str = select!("WHERE id = $1");
pub(super) const BY_REFERENCE: &str = select!("WHERE reference = $1");
pub(super) const PAGE: &str =
    select!("WHERE date >= $2 AND date <= $3 AND (date, id) > ($4, $5) ORDER BY date, id LIMIT $1");
pub(super) const PAGE_OF_STATUS: &str = select!(
    "WHERE status = $6 AND date >= $2 AND date <= $3 AND (date, id) > ($4, $5) ORDER BY date, id LIMIT $1"
);

/// Counts a network's consultations that staff have not handled yet.
pub(super) const COUNT_REQUESTED: &str = "\
SELECT count(*) FROM consultations WHERE network = $1 AND network IS NOT NULL AND date >= $2 AND status = 'requested'";

pub(super) const REFERENCES_TAKEN: &str =
    "SELECT reference FROM consultations WHERE reference IN ($1, $2, $3, $4)";

const INSERT: &str = "\
INSERT INTO consultations (id, reference, date, time, status, version, create_time, update_time, key_id, patient_name, email, phone, \
description, link, email_index, phone_index, network, department_id, language)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";

/// Writes every sealed column, because `key_id` applies to all of them. Only staff update, so the person's language stays. Optimistic concurrency: the stored version must
/// be the previous one.
const UPDATE: &str = "\
UPDATE consultations SET date = $2, time = $3, status = $4, version = $5, update_time = $6, key_id = $7, patient_name = $8, email = $9, \
phone = $10, description = $11, link = $12, doctor_id = $13, doctor_registration = $14
WHERE id = $1 AND version = $5 - 1";

row! {
    /// A consultation as stored.
    #[derive(Debug)]
    pub(in crate::store) struct ConsultationRow {
        id: Uuid,
        reference: String,
        date: String,
        time: Option<String>,
        status: String,
        version: i64,
        create_time: DateTime<Utc>,
        update_time: DateTime<Utc>,
        key_id: String,
        patient_name: Vec<u8>,
        email: Option<Vec<u8>>,
        phone: Option<Vec<u8>>,
        description: Option<Vec<u8>>,
        link: Option<Vec<u8>>,
        department_id: Option<String>,
        doctor_id: Option<String>,
        doctor_registration: Option<String>,
        language: String,
    }
}

impl ConsultationRow {
    /// Decrypts the sealed columns.
    pub(in crate::store) fn open(self, keys: &Keys) -> Result<Consultation, StoreError> {
        let open =
            |column, sealed: &[u8]| CONSULTATIONS.open(keys, &self.key_id, self.id, column, sealed);
        let open_some = |column, sealed: &Option<Vec<u8>>| {
            sealed
                .as_deref()
                .map(|sealed| open(column, sealed))
                .transpose()
        };
        let person = Person {
            name: open("patient_name", &self.patient_name)?,
            email: open_some("email", &self.email)?,
            phone: open_some("phone", &self.phone)?,
            description: open_some("description", &self.description)?,
            link: open_some("link", &self.link)?,
        };
        let time = self.time.as_deref().map(|time| {
            NaiveTime::parse_from_str(time, TIME_FORMAT).map_err(|_| StoreError::Corrupt {
                column: "consultations.time",
            })
        });
        Ok(Consultation {
            id: self.id,
            reference: self.reference,
            date: parse_date(&self.date).ok_or(StoreError::Corrupt {
                column: "consultations.date",
            })?,
            time: time.transpose()?,
            status: ConsultationStatus::parse(&self.status).ok_or(StoreError::Corrupt {
                column: "consultations.status",
            })?,
            version: self.version,
            create_time: self.create_time,
            update_time: self.update_time,
            department_id: self.department_id,
            doctor: self.doctor_id.map(|id| Doctor {
                id,
                registration: self.doctor_registration.unwrap_or_default(),
            }),
            person,
            language: Language::of(&self.language),
        })
    }
}

pub(in crate::store) fn email_index(keys: &Keys, email: &str) -> [u8; 32] {
    keys.digest(EMAIL_INDEX, email_to_look_up(email).as_bytes())
}

pub(in crate::store) fn phone_index(keys: &Keys, phone: &str) -> [u8; 32] {
    keys.digest(PHONE_INDEX, phone_to_look_up(phone).as_bytes())
}

pub(super) fn insert(
    keys: &Keys,
    consultation: &Consultation,
    network: Option<[u8; 32]>,
) -> Result<Statement, StoreError> {
    let Person { email, phone, .. } = &consultation.person;
    let mut values = values![
        consultation.id,
        &consultation.reference,
        consultation.date.to_string(),
        time(consultation),
        consultation.status.as_str(),
        consultation.version,
        consultation.create_time,
        consultation.update_time
    ];
    values.extend(sealed(keys, consultation)?);
    values.extend(values![
        email.as_deref().map(|email| email_index(keys, email)),
        phone.as_deref().map(|phone| phone_index(keys, phone)),
        network,
        consultation.department_id.as_deref(),
        Language::code_or_en(consultation.language)
    ]);
    Ok(Statement::new(INSERT, values))
}

/// Returns the SQL and the values that replace the previous version.
pub(super) fn update(
    keys: &Keys,
    consultation: &Consultation,
) -> Result<(&'static str, Vec<Value>), StoreError> {
    let mut values = values![
        consultation.id,
        consultation.date.to_string(),
        time(consultation),
        consultation.status.as_str(),
        consultation.version,
        consultation.update_time
    ];
    values.extend(sealed(keys, consultation)?);
    let doctor = consultation.doctor.as_ref();
    values.extend(values![
        doctor.map(|doctor| doctor.id.as_str()),
        doctor.map(|doctor| doctor.registration.as_str())
    ]);
    Ok((UPDATE, values))
}

fn time(consultation: &Consultation) -> Option<String> {
    consultation
        .time
        .map(|time| time.format(TIME_FORMAT).to_string())
}

/// Returns the key's id and the sealed columns.
fn sealed(keys: &Keys, consultation: &Consultation) -> Result<Vec<Value>, StoreError> {
    let Person {
        name,
        email,
        phone,
        description,
        link,
    } = &consultation.person;
    let seal = |column, plain: &str| CONSULTATIONS.seal(keys, consultation.id, column, plain);
    let seal_some = |column, plain: &Option<String>| {
        plain
            .as_deref()
            .map(|plain| seal(column, plain))
            .transpose()
    };
    Ok(values![
        keys.active(),
        seal("patient_name", name)?,
        seal_some("email", email)?,
        seal_some("phone", phone)?,
        seal_some("description", description)?,
        seal_some("link", link)?
    ])
}
