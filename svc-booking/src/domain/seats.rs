//! Seats: what a booking takes, and of whom.

use std::fmt;

use chrono::{DateTime, Utc};

use super::resources::{DOCTOR_CAPACITY, Department, Doctor};

/// Who or what has seats, for example `doctor:doc-06` or `department:cardiology`.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Resource(String);

impl Resource {
    pub fn doctor(id: &str) -> Self {
        Self(format!("doctor:{id}"))
    }

    pub fn department(id: &str) -> Self {
        Self(format!("department:{id}"))
    }

    /// The resource of a column.
    pub fn stored(name: String) -> Self {
        Self(name)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One place at one time. Two appointments never have the same.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Seat {
    pub resource: Resource,
    pub starts_at: DateTime<Utc>,
    /// From 1.
    pub number: u32,
}

/// A resource of which a booking takes one seat. A resource has seats 1 to `capacity` in every slot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SeatClaim {
    pub resource: Resource,
    pub capacity: u32,
}

/// The seats that an appointment takes: the doctor's, if one was chosen, and one of the department.
pub(crate) fn claims(department: &Department, doctor: Option<&Doctor>) -> Vec<SeatClaim> {
    let doctor = doctor.map(|doctor| SeatClaim {
        resource: Resource::doctor(&doctor.id),
        capacity: DOCTOR_CAPACITY,
    });
    let department = SeatClaim {
        resource: Resource::department(&department.id),
        capacity: department.capacity,
    };
    doctor.into_iter().chain([department]).collect()
}
