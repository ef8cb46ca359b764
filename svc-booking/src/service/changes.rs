//! Paths of the change stream, by which gateways invalidate their cached free times and refresh the lists of staff. A
//! change of a list names no entry.

use std::sync::Arc;

use change_rpc::Announcer;
use uuid::Uuid;

use crate::domain::roster::Department;

/// The staff's lists of appointments.
const APPOINTMENTS: &str = "/appointments";
/// The staff's list of those who wait.
pub(super) const WAITLIST: &str = "/waitlist-entries";
/// The staff's list of video consultations.
pub(super) const CONSULTATIONS: &str = "/consultations";
/// Paths that depend on the roster.
const ROSTER: [&str; 5] = [
    "/availability",
    "/free-times",
    "/next-available",
    "/departments",
    APPOINTMENTS,
];
/// Paths that cover every change.
const EVERYTHING: &[&str] = &[
    "/availability",
    "/free-times",
    "/next-available",
    "/departments",
    APPOINTMENTS,
    WAITLIST,
    CONSULTATIONS,
];

/// Publishes changes that other components can see. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Seen(pub Arc<Announcer>);

impl Seen {
    pub fn new(process: Uuid) -> Self {
        Self(Arc::new(Announcer::new(process, EVERYTHING)))
    }

    /// Publishes a change of a department's seats. Callers use either its id or its label in the URL.
    pub fn seats_changed(&self, department: &Department) {
        self.0.publish(seats_of(department));
    }

    /// Publishes a change of an appointment and of its department's seats. A former department has no seats.
    pub fn appointment_changed(&self, department: Option<&Department>) {
        let mut paths = department.map(seats_of).unwrap_or_default();
        paths.push(APPOINTMENTS.to_owned());
        self.0.publish(paths);
    }

    /// Publishes a change of [`WAITLIST`] or [`CONSULTATIONS`].
    pub(super) fn list_changed(&self, path: &'static str) {
        self.0.publish([path]);
    }

    /// Publishes a change of the roster.
    pub fn roster_changed(&self) {
        self.0.publish(ROSTER);
    }
}

fn seats_of(department: &Department) -> Vec<String> {
    let label = department.name.replace(' ', "+");
    vec![
        format!("/availability?department={}", department.id),
        format!("/availability?department={label}"),
        "/free-times".to_owned(),
    ]
}
