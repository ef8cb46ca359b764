//! The appointments in HL7 FHIR R4 (4.0.1): pure builders that convert plain structures into JSON resources and search
//! sets.
//!
//! A resource keeps the same id across requests. An appointment contains its patient with the data that the desk needs
//! to identify and call the person, but never the reason for the visit.

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

/// Media type of every response (R4, 2.6.1).
pub const CONTENT_TYPE: &str = "application/fhir+json; charset=utf-8; fhirVersion=4.0";

/// Base URL of the systems of identifiers and codes, without a trailing slash. Other programs store these systems, so
/// neither the base nor the names below it may change.
#[derive(Clone, Copy, Debug)]
pub struct Naming<'a>(pub &'a str);

impl Naming<'_> {
    fn system(self, name: &str) -> String {
        format!("{}/{name}", self.0)
    }
}

/// Names of the systems.
const REFERENCE_SYSTEM: &str = "appointment-reference";
const DOCTOR_SYSTEM: &str = "doctor";
const DEPARTMENT_SYSTEM: &str = "department";

/// Maximum length of a resource id (R4, data type `id`).
const ID_CHARS_MAX: usize = 64;

/// A doctor or a clinic that sees patients.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Provider {
    pub kind: ProviderKind,
    /// Id of the doctor, or of the clinic's session.
    pub id: String,
    pub name: String,
    /// 0 if unknown.
    pub fee_rupees: u32,
    /// Empty if unknown.
    pub place: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProviderKind {
    /// Referenced as a Practitioner.
    Doctor,
    /// Contained in the referring resource.
    Clinic,
}

impl Provider {
    /// Returns the id of the provider's schedule.
    pub fn schedule_id(&self) -> String {
        match self.kind {
            ProviderKind::Doctor => resource_id(&["doctor", &self.id]),
            ProviderKind::Clinic => resource_id(&["clinic", &self.id]),
        }
    }

    /// Returns the reference to the provider, and the resource that the referring resource must contain.
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

    /// Returns a reference to the location by its display text only.
    fn location(&self) -> Option<Value> {
        (!self.place.is_empty()).then(|| json!({ "type": "Location", "display": self.place }))
    }

    /// Returns the consultation fee as a comment, because R4 has no element for it.
    fn comment(&self) -> Option<String> {
        (self.fee_rupees > 0).then(|| format!("Consultation fee: INR {}", self.fee_rupees))
    }

    /// Returns the doctor as a standalone resource.
    pub fn practitioner(&self, naming: Naming<'_>) -> Value {
        json!({
            "resourceType": "Practitioner",
            "id": resource_id(&[&self.id]),
            "identifier": [{ "system": naming.system(DOCTOR_SYSTEM), "value": self.id }],
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
    fn concept(&self, naming: Naming<'_>) -> Value {
        json!({
            "coding": [{ "system": naming.system(DEPARTMENT_SYSTEM), "code": self.id, "display": self.name }],
            "text": self.name,
        })
    }
}

/// Builds a resource id from the parts that make it unique. An id that R4 forbids or that is too long is replaced by a
/// hash.
fn resource_id(parts: &[&str]) -> String {
    let id = parts.join("-");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    if (1..=ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(is_plain) {
        return id;
    }
    let digest = Sha256::digest(parts.join("\n"));
    let mut hashed = String::with_capacity(32);
    // Half of the hash is enough to avoid collisions.
    for byte in digest.iter().take(16) {
        // Writing to a String cannot fail.
        let _ = write!(hashed, "{byte:02x}");
    }
    hashed
}

/// Formats the data type `instant` in the hospital's time zone.
fn instant(time: DateTime<Utc>) -> String {
    time.with_timezone(&IST)
        .to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

/// Builds an object without absent fields: R4 has neither null nor empty lists.
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
