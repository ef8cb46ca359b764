//! `Slot` (R4, 12.10).

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::{Provider, instant, object, resource_id};
use crate::domain::calendar::{IST, SLOT_MINUTES};

/// Whether a slot can be booked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SlotStatus {
    /// At least one seat is free.
    Free,
    /// Every seat is taken.
    Busy,
    /// The resource is off duty (leave, holiday), or the slot is outside the bookable period.
    Unavailable,
}

/// One slot of a doctor or a clinic. A clinic with several seats is one slot, which is busy once all seats are taken.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SlotEntry {
    pub provider: Provider,
    pub starts_at: DateTime<Utc>,
    pub status: SlotStatus,
}

impl SlotEntry {
    /// Returns the FHIR resource.
    pub fn resource(&self) -> Value {
        let schedule = format!("Schedule/{}", self.provider.schedule_id());
        let ends_at = self.starts_at + TimeDelta::minutes(i64::from(SLOT_MINUTES));
        let status = match self.status {
            SlotStatus::Free => "free",
            SlotStatus::Busy => "busy",
            SlotStatus::Unavailable => "busy-unavailable",
        };
        object(vec![
            ("resourceType", json!("Slot")),
            ("id", json!(slot_id(&self.provider, self.starts_at))),
            ("schedule", json!({ "reference": schedule })),
            ("status", json!(status)),
            ("start", json!(instant(self.starts_at))),
            ("end", json!(instant(ends_at))),
        ])
    }
}

pub(super) fn slot_id(provider: &Provider, starts_at: DateTime<Utc>) -> String {
    let time = starts_at.with_timezone(&IST).format("%Y%m%dT%H%M");
    resource_id(&[&provider.schedule_id(), &time.to_string()])
}
