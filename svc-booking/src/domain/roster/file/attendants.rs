//! Doctors of the resources file, the fees and places of its clinics, and its consultations by video.

use chrono::{NaiveTime, Weekday};
use serde::Deserialize;
use toml::Spanned;

use super::{Flaw, SessionEntry, time_of_day, working_days};
use crate::domain::{
    calendar::minutes_of,
    roster::{
        DoctorEntry, FEE_RUPEES_MAX, PLACE_CHARS_MAX, Sitting, VideoClinic,
        attendant::NAME_CHARS_MAX,
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDoctor {
    pub(super) id: Spanned<String>,
    name: Spanned<String>,
    fee_rupees: Spanned<u32>,
    place: Spanned<String>,
}

impl RawDoctor {
    pub(super) fn check(self, index: usize, above: &[DoctorEntry]) -> Result<DoctorEntry, Flaw> {
        let field = |name: &str| format!("doctors[{index}].{name}");
        let id = self.id.get_ref();
        if id.is_empty() || above.iter().any(|doctor| doctor.id == *id) {
            let message = "empty, or taken by a doctor above";
            return Err(Flaw::of(&self.id, field("id"), message));
        }
        let name = text(&self.name, NAME_CHARS_MAX, || field("name"))?;
        let fee_rupees = fee(&self.fee_rupees, || field("fee_rupees"))?;
        let place = text(&self.place, PLACE_CHARS_MAX, || field("place"))?;
        Ok(DoctorEntry {
            id: self.id.into_inner(),
            name,
            fee_rupees,
            place,
        })
    }
}

/// Consultations by video of a department.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawVideo {
    fee_rupees: Spanned<u32>,
    weekdays: Spanned<Vec<Weekday>>,
    #[serde(deserialize_with = "time_of_day")]
    from: NaiveTime,
    #[serde(deserialize_with = "time_of_day")]
    until: NaiveTime,
}

impl RawVideo {
    /// Checks the entry of the department at `index`.
    pub(super) fn check(self, index: usize) -> Result<VideoClinic, Flaw> {
        let field = |name: &str| format!("departments[{index}].video.{name}");
        if self.from >= self.until {
            let message = "must be later than `from`";
            return Err(Flaw::of(&self.fee_rupees, field("until"), message));
        }
        Ok(VideoClinic {
            fee_rupees: fee(&self.fee_rupees, || field("fee_rupees"))?,
            hours: Sitting {
                from_minutes: minutes_of(self.from),
                until_minutes: minutes_of(self.until),
                weekdays: working_days(&self.weekdays, || field("weekdays"))?,
            },
        })
    }
}

/// Returns a non-empty, single-line text.
fn text(
    value: &Spanned<String>,
    chars_max: usize,
    field: impl FnOnce() -> String,
) -> Result<String, Flaw> {
    let text = value.get_ref();
    if text.trim().is_empty() || text.chars().count() > chars_max || text.contains('\n') {
        let message = format!("one line of 1 to {chars_max} characters is expected");
        return Err(Flaw::of(value, field(), message));
    }
    Ok(text.trim().to_owned())
}

fn fee(value: &Spanned<u32>, field: impl FnOnce() -> String) -> Result<u32, Flaw> {
    let rupees = *value.get_ref();
    if (1..=FEE_RUPEES_MAX).contains(&rupees) {
        return Ok(rupees);
    }
    let message = format!("1 to {FEE_RUPEES_MAX} rupees are expected");
    Err(Flaw::of(value, field(), message))
}

/// Returns a clinic's fee and place; 0 and empty if unknown. A doctor has an entry with both, so a doctor's session
/// must have neither.
pub(super) fn clinic(
    session: &SessionEntry,
    index: usize,
    doctors: &[DoctorEntry],
) -> Result<(u32, String), Flaw> {
    let field = |name: &str| format!("sessions[{index}].{name}");
    let Some(doctor) = &session.doctor else {
        let rupees = session.fee_rupees.as_ref();
        let rupees = rupees.map(|rupees| fee(rupees, || field("fee_rupees")));
        let place = session.place.as_ref();
        let place = place.map(|place| text(place, PLACE_CHARS_MAX, || field("place")));
        return Ok((
            rupees.transpose()?.unwrap_or_default(),
            place.transpose()?.unwrap_or_default(),
        ));
    };
    let id = doctor.get_ref();
    if !doctors.iter().any(|entry| entry.id == *id) {
        let message = format!("no entry of [[doctors]] has the id '{id}'");
        return Err(Flaw::of(doctor, field("doctor"), message));
    }
    if session.fee_rupees.is_some() || session.place.is_some() {
        let message = "fee and place of a doctor are in its entry of [[doctors]]";
        return Err(Flaw::of(doctor, field("doctor"), message));
    }
    Ok((0, String::new()))
}
