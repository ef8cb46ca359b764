//! The doctor of a consultation. Indian telemedicine practice requires that the patient is told the doctor's name and
//! registration number.

use service_kit::input::Violation;

use super::{super::roster::Roster, Consultation, Update};

pub(super) const REGISTRATION_CHARS_MAX: usize = 40;

/// The allotted doctor.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Doctor {
    pub id: String,
    /// Registration number with a medical council, as the patient was told.
    pub registration: String,
}

/// Choice of doctors of an update.
#[derive(Clone, Copy, Debug)]
pub struct Doctors<'a> {
    pub roster: &'a Roster,
    /// Last registration number of the doctor that the update names.
    pub registration: Option<&'a str>,
}

/// Returns the ids of the doctors who can be allotted: those of the department, or all if it has none.
pub fn doctor_ids<'a>(roster: &'a Roster, department_id: Option<&str>) -> Vec<&'a str> {
    let is_theirs = |id: &str| department_id == Some(id);
    let mut ids: Vec<&str> = roster
        .doctors()
        .filter(|doctor| is_theirs(doctor.department_id))
        .map(|doctor| doctor.id)
        .collect();
    if ids.is_empty() {
        ids = roster.doctors().map(|doctor| doctor.id).collect();
    }
    // Ordered by id; a doctor of several departments is listed once for each.
    ids.dedup();
    ids
}

/// Returns the doctor after an update.
pub(super) fn doctor_after(
    before: &Consultation,
    update: &Update,
    doctors: Doctors<'_>,
) -> Result<Option<Doctor>, Violation> {
    let present = before.doctor.as_ref();
    let Some(id) = update.doctor_id.as_ref().or(present.map(|one| &one.id)) else {
        return match update.registration {
            Some(_) => Err(Violation::new("doctorId", "Choose the doctor")),
            None => Ok(None),
        };
    };
    let present = present.filter(|present| present.id == *id);
    // A doctor who has left the roster keeps the consultation.
    let may_be =
        || doctor_ids(doctors.roster, before.department_id.as_deref()).contains(&id.as_str());
    if present.is_none() && !may_be() {
        return Err(Violation::new(
            "doctorId",
            "Choose a doctor of this department",
        ));
    }
    let registration = update.registration.as_deref();
    let registration = registration
        .or(present.map(|present| present.registration.as_str()))
        .or(doctors.registration)
        .ok_or_else(|| {
            let wanted = "Give the doctor's registration number. It is kept for the next time.";
            Violation::new("doctorRegistration", wanted)
        })?;
    Ok(Some(Doctor {
        id: id.clone(),
        registration: registration.to_owned(),
    }))
}

#[cfg(test)]
#[path = "doctor_tests.rs"]
mod tests;
