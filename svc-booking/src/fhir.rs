//! The diary in HL7 FHIR R4 (4.0.1): pure builders of resources and search sets, from plain structures to JSON.
//!
//! A resource's id is the same whenever it is asked for. Who comes stands in an appointment as a contained patient with what the desk
//! needs to recognise and to call: never why they come.

mod appointment;
mod bundle;
mod schedule;
mod slot;

use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::domain::calendar::IST;

pub use appointment::{AppointmentEntry, Patient};
pub use bundle::{SearchSet, search_set};
pub use schedule::ScheduleEntry;
pub use slot::{SlotEntry, SlotStatus};

/// Media type of every answer (R4, 2.6.1).
pub const CONTENT_TYPE: &str = "application/fhir+json; charset=utf-8; fhirVersion=4.0";

/// Systems of identifiers and codes. They never change: other systems keep them.
const REFERENCE_SYSTEM: &str = "https://sampige.example/naming/appointment-reference";
const DOCTOR_SYSTEM: &str = "https://sampige.example/naming/doctor";
const DEPARTMENT_SYSTEM: &str = "https://sampige.example/naming/department";

/// Longest id of a resource (R4, data type `id`).
const ID_CHARS_MAX: usize = 64;

/// Who sees patients.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Provider {
    /// A doctor, by id: the name is in a profile of another team's.
    Doctor(String),
    /// A clinic, by the id of its session, with its name.
    Clinic { id: String, name: String },
}

impl Provider {
    /// The id of its schedule.
    pub fn schedule_id(&self) -> String {
        match self {
            Self::Doctor(id) => resource_id(&["doctor", id]),
            Self::Clinic { id, .. } => resource_id(&["clinic", id]),
        }
    }

    /// What other resources refer to, and what they must contain for it.
    fn actor(&self) -> (Value, Option<Value>) {
        match self {
            Self::Doctor(id) => {
                let reference = format!("Practitioner/{}", resource_id(&[id]));
                (json!({ "reference": reference }), None)
            }
            Self::Clinic { name, .. } => (
                json!({ "reference": "#clinic", "display": name }),
                Some(json!({ "resourceType": "HealthcareService", "id": "clinic", "name": name })),
            ),
        }
    }
}

/// A department of the hospital.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Department {
    pub id: String,
    pub name: String,
}

impl Department {
    fn concept(&self) -> Value {
        json!({
            "coding": [{ "system": DEPARTMENT_SYSTEM, "code": self.id, "display": self.name }],
            "text": self.name,
        })
    }
}

/// A doctor as a resource: the id, by which other teams find the profile.
pub fn practitioner(doctor_id: &str) -> Value {
    json!({
        "resourceType": "Practitioner",
        "id": resource_id(&[doctor_id]),
        "identifier": [{ "system": DOCTOR_SYSTEM, "value": doctor_id }],
        "active": true,
    })
}

/// An id of a resource, from the parts that make it unique. What R4 does not take, or is too long, becomes its hash.
fn resource_id(parts: &[&str]) -> String {
    let id = parts.join("-");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    if (1..=ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(is_plain) {
        return id;
    }
    let digest = Sha256::digest(parts.join("\n"));
    let mut hashed = String::with_capacity(32);
    // Half of the hash is enough to tell them apart.
    for byte in digest.iter().take(16) {
        // Writing to a String cannot fail.
        let _ = write!(hashed, "{byte:02x}");
    }
    hashed
}

/// Data type `instant`, on the hospital's clock.
fn instant(time: DateTime<Utc>) -> String {
    time.with_timezone(&IST)
        .to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

/// An object without the fields that are absent: R4 has no null and no empty list.
fn object(fields: Vec<(&'static str, Value)>) -> Value {
    let is_there = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().filter(|(_, value)| is_there(value));
    let fields: Map<String, Value> = fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Value::Object(fields)
}

#[cfg(test)]
#[path = "fhir/tests.rs"]
mod tests;
