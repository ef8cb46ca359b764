//! Free times between the contract and the domain.

use hospital_proto::booking::v1 as proto;
use service_kit::input::{Violation, Violations};

use super::timestamp;
use crate::domain::{
    availability::{Day, Slot},
    calendar::IST,
    roster::{Department, Doctor, Roster},
};

pub fn free_times(department: &Department, days: Vec<Day>) -> proto::DepartmentFreeTimes {
    let day = |day: Day| {
        let labels = |of: fn(&Slot) -> bool| {
            let slots = day.slots.iter().filter(|slot| of(slot));
            slots.map(|slot| slot.time.label()).collect()
        };
        proto::FreeDay {
            date: day.date.to_string(),
            free: labels(|slot| slot.available),
            full: labels(|slot| slot.staffed && !slot.available),
            closed_reason: day.closed_reason,
            ..proto::FreeDay::default()
        }
    };
    proto::DepartmentFreeTimes {
        department: department.id.clone(),
        days: days.into_iter().map(day).collect(),
        resources: Vec::new(),
    }
}

/// Whose next free time is asked for.
#[derive(Debug)]
pub enum NextAvailable {
    Doctors(Vec<String>),
    /// Every doctor of the roster.
    EveryDoctor,
    Department(String),
}

/// Reads a list of ids that may be separated by commas. Empty ones count towards the limit of the contract, too.
pub fn next_available_request(
    request: &proto::ListNextAvailableRequest,
    doctors_max: usize,
) -> Result<NextAvailable, Vec<Violation>> {
    let mut violations = Violations::default();
    let ids: Vec<String> = request
        .doctors
        .iter()
        .flat_map(|ids| ids.split(','))
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    let department = request.department.trim();
    if ids.is_empty() == department.is_empty() {
        violations.add("doctors", "Name doctors or a department, and not both");
    } else if ids.len().max(request.doctors.len()) > doctors_max {
        violations.add("doctors", format!("Name at most {doctors_max} doctors"));
    }
    if !violations.is_empty() {
        return Err(violations.into_vec());
    }
    Ok(match ids.as_slice() {
        [] => NextAvailable::Department(department.to_owned()),
        [all] if all == "*" => NextAvailable::EveryDoctor,
        _ => NextAvailable::Doctors(ids),
    })
}

/// A department, and a doctor unless any will do.
pub(super) type Question<'a> = (&'a Department, Option<Doctor<'a>>);

impl NextAvailable {
    /// What is asked for, of what the roster knows: unknown doctors are left out.
    pub fn questions<'a>(
        &self,
        roster: &'a Roster,
        doctors_max: usize,
    ) -> Result<Vec<Question<'a>>, Vec<Violation>> {
        let of_doctor =
            |doctor: Doctor<'a>| Some((roster.department(doctor.department_id)?, Some(doctor)));
        Ok(match self {
            Self::Department(name) => {
                let department = roster.department(name).ok_or_else(|| {
                    vec![Violation::new(
                        "department",
                        "Choose a department of the list",
                    )]
                })?;
                vec![(department, None)]
            }
            Self::EveryDoctor => roster
                .doctors()
                .filter_map(of_doctor)
                .take(doctors_max)
                .collect(),
            Self::Doctors(ids) => ids
                .iter()
                .filter_map(|id| roster.doctors().find(|doctor| doctor.id == id))
                .filter_map(of_doctor)
                .collect(),
        })
    }
}

pub fn next_available(
    department: &Department,
    doctor: Option<Doctor<'_>>,
    slot: Option<Slot>,
) -> proto::NextAvailable {
    let local = slot.as_ref().map(|slot| slot.starts_at.with_timezone(&IST));
    proto::NextAvailable {
        doctor: doctor
            .map(|doctor| doctor.id.to_owned())
            .unwrap_or_default(),
        department: department.id.clone(),
        date: local
            .map(|local| local.date_naive().to_string())
            .unwrap_or_default(),
        time: slot
            .as_ref()
            .map(|slot| slot.time.label())
            .unwrap_or_default(),
        starts_at: slot.map(|slot| timestamp(slot.starts_at)),
        resource: None,
    }
}
