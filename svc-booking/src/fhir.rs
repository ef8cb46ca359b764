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

/// A doctor or a clinic that sees patients.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Provider {
    pub kind: ProviderKind,
    /// Of the doctor, or of the clinic's session.
    pub id: String,
    pub name: String,
    /// 0: not known.
    pub fee_rupees: u32,
    /// Empty: not known.
    pub place: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProviderKind {
    /// Refers to a Practitioner.
    Doctor,
    /// Contained where it is referred to.
    Clinic,
}

impl Provider {
    /// The id of its schedule.
    pub fn schedule_id(&self) -> String {
        match self.kind {
            ProviderKind::Doctor => resource_id(&["doctor", &self.id]),
            ProviderKind::Clinic => resource_id(&["clinic", &self.id]),
        }
    }

    /// What other resources refer to, and what they must contain for it.
    fn actor(&self) -> (Value, Option<Value>) {
        let name = &self.name;
        match self.kind {
            ProviderKind::Doctor => {
                let reference = format!("Practitioner/{}", resource_id(&[&self.id]));
                (json!({ "reference": reference, "display": name }), None)
            }
            ProviderKind::Clinic => (
                json!({ "reference": "#clinic", "display": name }),
                Some(object(vec![
                    ("resourceType", json!("HealthcareService")),
                    ("id", json!("clinic")),
                    ("name", json!(name)),
                    ("location", self.location().into_iter().collect()),
                ])),
            ),
        }
    }

    /// Reference to the place, by its words alone.
    fn location(&self) -> Option<Value> {
        (!self.place.is_empty()).then(|| json!({ "type": "Location", "display": self.place }))
    }

    /// What R4 has no element for.
    fn comment(&self) -> Option<String> {
        (self.fee_rupees > 0).then(|| format!("Consultation fee: INR {}", self.fee_rupees))
    }

    /// A doctor as a resource of its own.
    pub fn practitioner(&self) -> Value {
        json!({
            "resourceType": "Practitioner",
            "id": resource_id(&[&self.id]),
            "identifier": [{ "system": DOCTOR_SYSTEM, "value": self.id }],
            "active": true,
            "name": [{ "text": self.name }],
        })
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
