//! Converts free times between contract and domain.

use std::collections::BTreeSet;

use hospital_proto::booking::v1 as proto;
use service_kit::input::{Violation, Violations};

use super::{shown_attendant, timestamp};
use crate::domain::{
    availability::{Day, Slot},
    calendar::{IST, TIME_ZONE},
    closed::Closed,
    roster::{Department, Doctor, Roster},
    seats::Resource,
};

pub fn availability(
    department: &Department,
    days: Vec<Day>,
    roster: &Roster,
) -> proto::ListAvailabilityResponse {
    let resources = free_resources(&days);
    let attendants = resources
        .iter()
        .filter_map(|resource| shown_attendant(roster.attendant(resource, &department.id)));
    proto::ListAvailabilityResponse {
        attendants: attendants.collect(),
        days: days.into_iter().map(availability_day).collect(),
        time_zone: TIME_ZONE.to_owned(),
    }
}

fn availability_day(day: Day) -> proto::AvailabilityDay {
    let (closed_code, closed_detail, closed_reason) = closed(day.closed.as_ref());
    proto::AvailabilityDay {
        date: day.date.to_string(),
        closed_reason,
        slots: day
            .slots
            .into_iter()
            .map(|slot| proto::AvailabilitySlot {
                time: slot.time.label(),
                starts_at: Some(timestamp(slot.starts_at)),
                available: slot.free.is_some(),
                staffed: slot.staffed,
                resource: slot.free.map(|resource| resource.to_string()),
            })
            .collect(),
        closed_code,
        closed_detail,
    }
}

/// Returns code, detail and text of a closed day.
fn closed(closed: Option<&Closed>) -> (Option<i32>, Option<String>, String) {
    let Some(closed) = closed else {
        return (None, None, String::new());
    };
    let code = match closed {
        Closed::Past => proto::ClosedCode::Past,
        Closed::TooFar { .. } => proto::ClosedCode::TooFar,
        Closed::Sunday => proto::ClosedCode::Sunday,
        Closed::Holiday(_) => proto::ClosedCode::Holiday,
        Closed::NobodyOnDuty { .. } => proto::ClosedCode::NobodyOnDuty,
        Closed::NoSitting(_) => proto::ClosedCode::NoSitting,
        Closed::DoctorAway => proto::ClosedCode::DoctorAway,
        Closed::CallInstead => proto::ClosedCode::CallInstead,
        Closed::Full => proto::ClosedCode::Full,
        Closed::Ended => proto::ClosedCode::Ended,
    };
    (Some(code.into()), closed.detail(), closed.to_string())
}

/// Returns the distinct resources of the free slots, clinics first.
fn free_resources(days: &[Day]) -> Vec<Resource> {
    let slots = days.iter().flat_map(|day| &day.slots);
    let distinct: BTreeSet<&Resource> = slots.filter_map(|slot| slot.free.as_ref()).collect();
    distinct.into_iter().cloned().collect()
}

pub fn free_times(department: &Department, days: Vec<Day>) -> proto::DepartmentFreeTimes {
    let resources = free_resources(&days);
    let index = |slot: &Slot| {
        let free = slot.free.as_ref()?;
        let index = resources.iter().position(|resource| resource == free)?;
        i32::try_from(index).ok()
    };
    let day = |day: Day| {
        let labels = |of: fn(&Slot) -> bool| {
            let slots = day.slots.iter().filter(|slot| of(slot));
            slots.map(|slot| slot.time.label()).collect()
        };
        let (closed_code, closed_detail, closed_reason) = closed(day.closed.as_ref());
        proto::FreeDay {
            date: day.date.to_string(),
            free: labels(|slot| slot.free.is_some()),
            full: labels(|slot| slot.staffed && slot.free.is_none()),
            closed_reason,
            closed_code,
            closed_detail,
            free_resources: day.slots.iter().filter_map(index).collect(),
        }
    };
    proto::DepartmentFreeTimes {
        department: department.id.clone(),
        days: days.into_iter().map(day).collect(),
        resources: resources.iter().map(ToString::to_string).collect(),
    }
}

/// Subject of a request for the next free time.
#[derive(Debug)]
pub enum NextAvailable {
    Doctors(Vec<String>),
    /// Every doctor of the roster.
    EveryDoctor,
    Department(String),
}

/// Parses the subject and the number of days. Ids may also be separated by commas; empty ids count towards the
/// contract's limit, too.
pub fn next_available_request(
    request: &proto::ListNextAvailableRequest,
    doctors_max: usize,
    days_max: usize,
) -> Result<(NextAvailable, usize), Vec<Violation>> {
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
    let days = usize::try_from(request.days).unwrap_or(usize::MAX);
    if days > days_max {
        violations.add("days", format!("Ask for 0 to {days_max} days"));
    }
    if !violations.is_empty() {
        return Err(violations.into_vec());
    }
    let subject = match ids.as_slice() {
        [] => NextAvailable::Department(department.to_owned()),
        [all] if all == "*" => NextAvailable::EveryDoctor,
        _ => NextAvailable::Doctors(ids),
    };
    Ok((subject, days))
}

/// A department, and a doctor unless any will do.
pub(super) type Question<'a> = (&'a Department, Option<Doctor<'a>>);

impl NextAvailable {
    /// Returns the departments and doctors of the request; omits unknown doctors.
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
                        "Choose a department from the list",
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
    days: Vec<Day>,
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
        starts_at: slot.as_ref().map(|slot| timestamp(slot.starts_at)),
        resource: slot
            .and_then(|slot| slot.free)
            .map(|resource| resource.to_string()),
        days: days.into_iter().map(next_day).collect(),
    }
}

fn next_day(Day { date, slots, .. }: Day) -> proto::NextDay {
    let free = slots.into_iter().filter(|slot| slot.free.is_some());
    proto::NextDay {
        date: date.to_string(),
        times: free.map(|slot| slot.time.label()).collect(),
    }
}
