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
/// The staff's list of networks with many bookings.
const BURSTS: &str = "/booking-bursts";
/// The lists of leave that doctors ask for: those that wait for a decision, and each doctor's own.
const LEAVE_REQUESTS: [&str; 2] = ["/leave-requests", "/own-leave-requests"];
/// Lists with data of patients, and of doctors who ask for leave.
const PEOPLE: [&str; 6] = [
    APPOINTMENTS,
    WAITLIST,
    CONSULTATIONS,
    BURSTS,
    LEAVE_REQUESTS[0],
    LEAVE_REQUESTS[1],
];
/// Paths that depend on the roster. The lists of leave requests name what each leaves uncovered.
const ROSTER: [&str; 10] = [
    "/availability",
    "/free-times",
    "/next-available",
    "/departments",
    "/sessions",
    "/leaves",
    "/holidays",
    APPOINTMENTS,
    LEAVE_REQUESTS[0],
    LEAVE_REQUESTS[1],
];
/// Paths that cover every change.
const EVERYTHING: &[&str] = &[
    "/availability",
    "/free-times",
    "/next-available",
    "/departments",
    "/sessions",
    "/leaves",
    "/holidays",
    APPOINTMENTS,
    WAITLIST,
    CONSULTATIONS,
    BURSTS,
    LEAVE_REQUESTS[0],
    LEAVE_REQUESTS[1],
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
        paths.extend([APPOINTMENTS, BURSTS].map(str::to_owned));
        self.0.publish(paths);
    }

    /// Publishes a change of [`WAITLIST`] or [`CONSULTATIONS`].
    pub(super) fn list_changed(&self, path: &'static str) {
        self.0.publish([path]);
    }

    /// Publishes a change of a leave request.
    pub(super) fn leave_requests_changed(&self) {
        self.0.publish(LEAVE_REQUESTS);
    }

    /// Publishes that data of people was deleted, which may be in any of the lists.
    pub(super) fn people_deleted(&self) {
        self.0.publish(PEOPLE);
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
