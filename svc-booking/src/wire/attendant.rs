//! Converts departments and their attendants into the contract's messages.

use chrono::{DateTime, Utc};
use hospital_proto::booking::v1 as proto;

use crate::domain::{
    calendar::{time_label, time_of},
    roster::{Attendant, Department, ListedAttendant, Roster, Sitting, VideoClinic},
};

pub fn department(
    department: &Department,
    roster: &Roster,
    now: DateTime<Utc>,
) -> proto::Department {
    let attendants = roster.attendants(department, now).into_iter();
    proto::Department {
        id: department.id.clone(),
        name: department.name.clone(),
        bookable: department.bookable,
        doctor_ids: roster
            .doctors()
            .filter(|doctor| doctor.department_id == department.id)
            .map(|doctor| doctor.id.to_owned())
            .collect(),
        attendants: attendants.map(listed).collect(),
        video: department.video.map(video),
    }
}

fn video(clinic: VideoClinic) -> proto::VideoClinic {
    proto::VideoClinic {
        fee_rupees: rupees(clinic.fee_rupees),
        hours: Some(sitting(clinic.hours)),
    }
}

fn listed(listed: ListedAttendant) -> proto::Attendant {
    proto::Attendant {
        by_name_only: listed.by_name_only,
        sittings: listed.sittings.into_iter().map(sitting).collect(),
        ..attendant(listed.attendant)
    }
}

fn sitting(sitting: Sitting) -> proto::Sitting {
    proto::Sitting {
        weekdays: sitting.weekdays.iter().map(|day| day.to_string()).collect(),
        from: time_label(time_of(sitting.from_minutes)),
        until: time_label(time_of(sitting.until_minutes)),
    }
}

/// Converts the attendant of a booking, without weekly hours.
pub fn shown_attendant(shown: Option<Attendant>) -> Option<proto::Attendant> {
    shown.map(attendant)
}

fn attendant(attendant: Attendant) -> proto::Attendant {
    let doctor_id = attendant.resource.doctor_id().unwrap_or_default();
    proto::Attendant {
        doctor_id: doctor_id.to_owned(),
        resource: attendant.resource.to_string(),
        name: attendant.name,
        fee_rupees: rupees(attendant.fee_rupees),
        place: attendant.place,
        ..proto::Attendant::default()
    }
}

/// Fees are at most 100,000.
pub(crate) fn rupees(rupees: u32) -> i32 {
    i32::try_from(rupees).unwrap_or(i32::MAX)
}
