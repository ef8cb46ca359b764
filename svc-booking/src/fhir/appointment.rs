//! `Appointment` (R4, 12.8).

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use service_kit::language::Language;
use uuid::Uuid;

use super::{Department, Naming, Provider, REFERENCE_SYSTEM, instant, object, slot::slot_id};
use crate::domain::{calendar::SLOT_MINUTES, status::Status};

/// The part of an appointment that other systems may read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AppointmentEntry {
    pub id: Uuid,
    pub reference: String,
    /// Starts at 1 and grows with each change.
    pub version: i64,
    pub create_time: DateTime<Utc>,
    pub update_time: DateTime<Utc>,
    pub starts_at: DateTime<Utc>,
    pub status: Status,
    pub department: Department,
    /// `None` if the appointment has no seat any more.
    pub provider: Option<Provider>,
    /// `None` once the person has been erased.
    pub patient: Option<Patient>,
}

/// The patient's contact data. `Debug` withholds every field to keep personal data out of logs.
#[derive(Clone, Eq, PartialEq)]
pub struct Patient {
    pub name: String,
    pub phone: String,
    pub email: String,
    /// Language in which the person reads; `None` is English, or unknown.
    pub language: Option<Language>,
}

impl fmt::Debug for Patient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Patient(withheld)")
    }
}

impl AppointmentEntry {
    /// Returns the FHIR resource.
    pub fn resource(&self, naming: Naming<'_>) -> Value {
        let mut contained = Vec::new();
        let mut participants = Vec::new();
        let mut slots = Vec::new();
        if let Some(provider) = &self.provider {
            let (actor, resource) = provider.actor();
            contained.extend(resource);
            participants.push(json!({ "actor": actor, "status": "accepted" }));
            let slot = slot_id(provider, self.starts_at);
            slots.push(json!({ "reference": format!("Slot/{slot}") }));
        }
        let actor = match &self.patient {
            Some(patient) => {
                contained.push(patient.resource());
                json!({ "reference": "#patient" })
            }
            // R4 requires an appointment to have a participant, and a participant to have an actor.
            None => json!({ "display": "Patient (erased)" }),
        };
        participants.push(json!({ "actor": actor, "status": "accepted" }));
        let place = self.provider.as_ref().and_then(Provider::location);
        participants.extend(place.map(|place| json!({ "actor": place, "status": "accepted" })));
        let minutes = i64::from(SLOT_MINUTES);
        let ends_at = self.starts_at + TimeDelta::minutes(minutes);
        object(vec![
            ("resourceType", json!("Appointment")),
            ("id", json!(self.id)),
            (
                "meta",
                json!({
                    "versionId": self.version.to_string(),
                    "lastUpdated": instant(self.update_time),
                }),
            ),
            ("contained", Value::Array(contained)),
            (
                "identifier",
                json!([{ "system": naming.system(REFERENCE_SYSTEM), "value": self.reference }]),
            ),
            ("status", json!(status(self.status))),
            ("specialty", json!([self.department.concept(naming)])),
            ("start", json!(instant(self.starts_at))),
            ("end", json!(instant(ends_at))),
            ("minutesDuration", json!(minutes)),
            ("slot", Value::Array(slots)),
            ("created", json!(instant(self.create_time))),
            (
                "comment",
                json!(self.provider.as_ref().and_then(Provider::comment)),
            ),
            ("participant", Value::Array(participants)),
        ])
    }
}

impl Patient {
    fn resource(&self) -> Value {
        let telecom: Vec<Value> = [("phone", &self.phone), ("email", &self.email)]
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(system, value)| json!({ "system": system, "value": value }))
            .collect();
        object(vec![
            ("resourceType", json!("Patient")),
            ("id", json!("patient")),
            ("name", json!([{ "text": self.name }])),
            ("telecom", Value::Array(telecom)),
            (
                "communication",
                self.language.map_or(Value::Null, communication),
            ),
        ])
    }
}

/// Returns the preferred language (BCP 47).
fn communication(language: Language) -> Value {
    let coding = json!([{ "system": "urn:ietf:bcp:47", "code": language.code() }]);
    let concept = json!({ "coding": coding, "text": language.name() });
    json!([{ "language": concept, "preferred": true }])
}

/// Returns the code of http://hl7.org/fhir/appointmentstatus.
fn status(status: Status) -> &'static str {
    match status {
        Status::Booked => "booked",
        Status::Arrived | Status::InConsultation => "arrived",
        Status::Completed => "fulfilled",
        Status::Cancelled => "cancelled",
        Status::NoShow => "noshow",
    }
}
