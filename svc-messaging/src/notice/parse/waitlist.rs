//! Validation of notices about the waiting list.

use hospital_proto::messaging::v1::{
    WaitlistEvent as WireWaitlistEvent, WaitlistNotice, WaitlistRemoval as WireRemoval,
};
use service_kit::input::Violations;

use super::{attendant, day, department, doctor, reference, time, url};
use crate::mail::content::{Content, Removal, Waitlist, WaitlistEvent, WaitlistRemoved};

pub(super) fn waitlist(
    violations: &mut Violations,
    name: &str,
    notice: WaitlistNotice,
) -> Option<Content> {
    let reference = reference(violations, "waitlist.reference", &notice.reference);
    let department = department(violations, "waitlist.department", &notice.department);
    let doctor = doctor(violations, "waitlist.doctor", &notice.doctor);
    let event = match notice.event() {
        WireWaitlistEvent::Joined => joined(violations, &notice.date),
        WireWaitlistEvent::Unspecified | WireWaitlistEvent::Offered => offered(violations, &notice),
        WireWaitlistEvent::Removed => {
            let removal = violations.take("waitlist.removal", removal(notice.removal()));
            let date = violations.take("waitlist.date", day(&notice.date));
            return Some(Content::WaitlistRemoved(WaitlistRemoved {
                name: name.to_owned(),
                reference: reference?,
                department: department?,
                date: date?,
                removal: removal?,
            }));
        }
    };
    let offer_url = url(violations, "waitlist.offerUrl", notice.offer_url);
    Some(Content::Waitlist(Waitlist {
        name: name.to_owned(),
        reference: reference?,
        department: department?,
        doctor: doctor?,
        event: event?,
        offer_url: offer_url?,
    }))
}

fn removal(removal: WireRemoval) -> Result<Removal, &'static str> {
    match removal {
        WireRemoval::Unspecified => Err("Send the reason of the removal"),
        WireRemoval::Asked => Ok(Removal::Asked),
        WireRemoval::OtherAppointment => Ok(Removal::OtherAppointment),
        WireRemoval::Unreachable => Ok(Removal::Unreachable),
        WireRemoval::NoTimes => Ok(Removal::NoTimes),
    }
}

fn joined(violations: &mut Violations, date: &str) -> Option<WaitlistEvent> {
    if date.is_empty() {
        return Some(WaitlistEvent::Joined { date: None });
    }
    let date = violations.take("waitlist.date", day(date))?;
    Some(WaitlistEvent::Joined { date: Some(date) })
}

fn offered(violations: &mut Violations, notice: &WaitlistNotice) -> Option<WaitlistEvent> {
    let starts_at = violations.take("waitlist.startsAt", time(notice.starts_at));
    let hold_until = violations.take("waitlist.holdUntil", time(notice.hold_until));
    let attendant = attendant(
        violations,
        [
            "waitlist.attendantName",
            "waitlist.feeRupees",
            "waitlist.place",
        ],
        (&notice.attendant_name, notice.fee_rupees, &notice.place),
    );
    Some(WaitlistEvent::Offered {
        starts_at: starts_at?,
        hold_until: hold_until?,
        attendant: attendant?,
    })
}
