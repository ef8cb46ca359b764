//! `Schedule` (R4, 12.9).

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{Department, Naming, Provider, instant, object};

/// The period in which a doctor or a clinic can be booked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ScheduleEntry {
    pub provider: Provider,
    /// A doctor may have sessions in several departments.
    pub departments: Vec<Department>,
    /// Bookable period; the end is exclusive.
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl ScheduleEntry {
    /// Returns the FHIR resource.
    pub fn resource(&self, naming: Naming<'_>) -> Value {
        let (actor, contained) = self.provider.actor();
        object(vec![
            ("resourceType", json!("Schedule")),
            ("id", json!(self.provider.schedule_id())),
            ("contained", Value::Array(contained.into_iter().collect())),
            ("active", json!(true)),
            (
                "specialty",
                self.departments
                    .iter()
                    .map(|department| department.concept(naming))
                    .collect(),
            ),
            ("actor", json!([actor])),
            (
                "planningHorizon",
                json!({ "start": instant(self.from), "end": instant(self.until) }),
            ),
            ("comment", json!(self.provider.comment())),
        ])
    }
}
