//! Names, fees and places of attendants: doctors from the configuration, clinics and other doctors from their sessions.

use chrono::{DateTime, Utc};

use super::{Department, Roster, Session, Weekdays};
use crate::domain::{availability::Span, seats::Resource};

/// Maximum length of an attendant's name or place, in characters.
pub(super) const NAME_CHARS_MAX: usize = 120;
pub const PLACE_CHARS_MAX: usize = 120;
/// Maximum consultation fee, in rupees.
pub const FEE_RUPEES_MAX: u32 = 100_000;

/// A bookable doctor. The profile with the same id belongs to another service.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DoctorEntry {
    pub id: String,
    pub name: String,
    pub fee_rupees: u32,
    pub place: String,
}

/// A doctor or a clinic that sees patients.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attendant {
    pub resource: Resource,
    pub name: String,
    /// 0 if unknown.
    pub fee_rupees: u32,
    /// Empty if unknown.
    pub place: String,
}

/// Weekly hours of an attendant.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Sitting {
    /// Minutes after midnight in Asia/Kolkata.
    pub from_minutes: u16,
    /// Exclusive end.
    pub until_minutes: u16,
    pub weekdays: Weekdays,
}

/// Fee and weekly hours of a department's consultations by video.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct VideoClinic {
    pub fee_rupees: u32,
    pub hours: Sitting,
}

/// An attendant of a department, with its weekly hours there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedAttendant {
    pub attendant: Attendant,
    pub by_name_only: bool,
    pub sittings: Vec<Sitting>,
}

impl Roster {
    /// Returns the attendant of a seat in a department. Returns `None` for seats of a whole department, which builds
    /// before rosters sold. Falls back to the department's name for a doctor without an entry and for a clinic whose
    /// session was deleted.
    pub fn attendant(&self, resource: &Resource, department_id: &str) -> Option<Attendant> {
        let department = || {
            self.department(department_id)
                .map_or(department_id, |found| found.name.as_str())
        };
        if let Some(id) = resource.doctor_id() {
            return Some(match (self.doctor_entry(id), self.named_session(id)) {
                (Some(entry), _) => Attendant {
                    resource: resource.clone(),
                    name: entry.name.clone(),
                    fee_rupees: entry.fee_rupees,
                    place: entry.place.clone(),
                },
                (None, Some(session)) => Attendant::of_session(resource, session),
                (None, None) => Attendant::unnamed(resource, format!("{} doctor", department())),
            });
        }
        let id = resource.clinic_id()?;
        let session = self.sessions.iter().find(|session| session.id == id);
        Some(match session {
            Some(session) => Attendant::of_session(resource, session),
            None => Attendant::unnamed(resource, format!("{} clinic", department())),
        })
    }

    /// Returns the entry of a doctor in the configuration.
    pub(crate) fn doctor_entry(&self, id: &str) -> Option<&DoctorEntry> {
        self.doctor_entries.iter().find(|entry| entry.id == id)
    }

    /// Returns the first session of a doctor that has the doctor's name.
    fn named_session(&self, id: &str) -> Option<&Session> {
        let mut theirs = self.sessions.iter();
        theirs.find(|session| session.doctor_id.as_deref() == Some(id) && !session.name.is_empty())
    }

    /// Returns whether a doctor has neither an entry nor a session yet.
    pub(crate) fn is_new_doctor(&self, id: &str) -> bool {
        self.doctor_entry(id).is_none() && self.doctors().all(|doctor| doctor.id != id)
    }

    /// Logs roster doctors without a name, which an older build or another configuration added. Bookings cannot name
    /// them.
    pub fn warn_of_unnamed_doctors(&self) {
        let mut ids: Vec<&str> = self.doctors().map(|doctor| doctor.id).collect();
        ids.dedup();
        ids.retain(|id| self.doctor_entry(id).is_none() && self.named_session(id).is_none());
        if !ids.is_empty() {
            let doctors = ids.join(", ");
            tracing::warn!(%doctors, "doctors have a name neither in the roster nor in the resources file");
        }
    }

    /// Returns the attendants of a department that work on at least one bookable day, clinics first.
    pub fn attendants(&self, department: &Department, now: DateTime<Utc>) -> Vec<ListedAttendant> {
        let span = Span::bookable(now);
        let works = |session: &Session, resource: &Resource| {
            span.days()
                .any(|date| session.is_on(date) && !self.is_away(resource, date))
        };
        let mut listed: Vec<ListedAttendant> = Vec::new();
        let sessions = self.sessions.iter();
        for session in sessions.filter(|session| session.department_id == department.id) {
            let resource = session.resource();
            if !works(session, &resource) {
                continue;
            }
            let known = listed
                .iter_mut()
                .find(|known| known.attendant.resource == resource);
            match known {
                Some(known) => {
                    known.by_name_only &= session.by_name_only;
                    known.sittings.push(session.sitting());
                }
                None => listed.extend(self.attendant(&resource, &department.id).map(|attendant| {
                    ListedAttendant {
                        attendant,
                        by_name_only: session.by_name_only,
                        sittings: vec![session.sitting()],
                    }
                })),
            }
        }
        for one in &mut listed {
            one.sittings.sort_unstable();
        }
        listed.sort_by(|one, other| {
            let (one, other) = (&one.attendant.resource, &other.attendant.resource);
            one.preference().cmp(&other.preference())
        });
        listed
    }
}

impl Attendant {
    /// Formats the fee, for example `₹1,200`; returns `None` if it is unknown.
    pub fn fee_label(&self) -> Option<String> {
        let (lakhs, thousands, rest) = (
            self.fee_rupees / 100_000,
            self.fee_rupees / 1_000 % 100,
            self.fee_rupees % 1_000,
        );
        match (lakhs, thousands, rest) {
            (0, 0, 0) => None,
            (0, 0, _) => Some(format!("₹{rest}")),
            (0, ..) => Some(format!("₹{thousands},{rest:03}")),
            _ => Some(format!("₹{lakhs},{thousands:02},{rest:03}")),
        }
    }

    fn of_session(resource: &Resource, session: &Session) -> Self {
        Self {
            resource: resource.clone(),
            name: session.name.clone(),
            fee_rupees: session.fee_rupees,
            place: session.place.clone(),
        }
    }

    fn unnamed(resource: &Resource, name: String) -> Self {
        Self {
            resource: resource.clone(),
            name,
            fee_rupees: 0,
            place: String::new(),
        }
    }
}

impl Session {
    fn sitting(&self) -> Sitting {
        Sitting {
            from_minutes: self.from_minutes,
            until_minutes: self.until_minutes,
            weekdays: self.weekdays,
        }
    }
}
