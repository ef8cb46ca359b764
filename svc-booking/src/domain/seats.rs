//! Seats: the unit of capacity that a booking takes from a resource. An appointment, hold or offer has exactly one
//! seat.

use std::{collections::BTreeSet, fmt};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A doctor or clinic that has seats: `doctor:doc-06` or `clinic:general-medicine-1`. Builds before rosters also sold
/// seats of `department:cardiology`.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Resource(String);

impl Resource {
    pub fn doctor(id: &str) -> Self {
        Self(format!("doctor:{id}"))
    }

    pub fn clinic(session_id: &str) -> Self {
        Self(format!("clinic:{session_id}"))
    }

    /// Returns the resource of a whole department, which builds before rosters sold. It is never on duty; its seats
    /// count against those of the department.
    pub fn department(id: &str) -> Self {
        Self(format!("department:{id}"))
    }

    /// Wraps a resource name from a database column or a staff call.
    pub fn named(name: String) -> Self {
        Self(name)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the doctor's id; `None` for other resources.
    pub fn doctor_id(&self) -> Option<&str> {
        self.0.strip_prefix("doctor:")
    }

    /// Returns the session id of the clinic; `None` for other resources.
    pub fn clinic_id(&self) -> Option<&str> {
        self.0.strip_prefix("clinic:")
    }

    /// Sort key for assigning free seats: clinics before doctors, then by name.
    pub fn preference(&self) -> (bool, &str) {
        (self.doctor_id().is_some(), &self.0)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One unit of capacity at one time. Two holders never have the same seat.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Seat {
    pub resource: Resource,
    pub starts_at: DateTime<Utc>,
    /// Starts at 1.
    pub number: u32,
}

/// A seat row, whose holder may have expired.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct HeldSeat {
    pub seat: Seat,
    pub holder_id: Uuid,
    /// Time from which the seat is free; `None` means it never expires.
    pub expire_time: Option<DateTime<Utc>>,
}

impl HeldSeat {
    pub fn is_held(&self, now: DateTime<Utc>) -> bool {
        self.expire_time.is_none_or(|until| now < until)
    }
}

/// A resource on duty in a slot, and its capacity.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OnDuty {
    pub resource: Resource,
    /// At least 1.
    pub seats: u32,
    /// Assigned only to visitors who choose this resource.
    pub by_name_only: bool,
}

/// A wanted visit: a department at a time, or one of its doctors.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wanted {
    pub department_id: String,
    pub doctor_id: Option<String>,
    pub starts_at: DateTime<Utc>,
    /// All resources of the department on duty at that time, in order of preference.
    pub on_duty: Vec<OnDuty>,
}

impl Wanted {
    /// Returns the resources whose seats satisfy the wish.
    fn candidates(&self) -> impl Iterator<Item = &OnDuty> {
        self.on_duty.iter().filter(|duty| match &self.doctor_id {
            Some(id) => duty.resource.doctor_id() == Some(id),
            None => !duty.by_name_only,
        })
    }

    /// Returns whether any suitable resource is on duty.
    pub fn is_covered(&self) -> bool {
        self.candidates().next().is_some()
    }

    /// Returns every resource whose seats at that time the decision needs.
    pub fn resources(&self) -> impl Iterator<Item = Resource> {
        let legacy = Resource::department(&self.department_id);
        let on_duty = self.on_duty.iter().map(|duty| duty.resource.clone());
        on_duty.chain([legacy])
    }
}

/// Number of held seats of each resource at one time.
pub trait Taken {
    fn of(&self, resource: &Resource) -> usize;
}

/// Returns the suitable resources with a free seat, in order of preference. Counts taken seats regardless of their
/// numbers, because the resource may have had more seats earlier. Seats of the whole department, sold by builds before
/// rosters, count against its total.
pub fn with_free_seat<'a>(
    wanted: &'a Wanted,
    taken: &'a impl Taken,
) -> impl Iterator<Item = &'a OnDuty> {
    let legacy = taken.of(&Resource::department(&wanted.department_id));
    let is_full = legacy > 0 && {
        let seats: usize = wanted.on_duty.iter().map(|duty| duty.seats as usize).sum();
        let held: usize = wanted
            .on_duty
            .iter()
            .map(|duty| taken.of(&duty.resource))
            .sum();
        held + legacy >= seats
    };
    wanted
        .candidates()
        .filter(move |duty| !is_full && taken.of(&duty.resource) < duty.seats as usize)
}

/// The seats at one time, at the moment of a decision.
#[derive(Clone, Debug, Default)]
pub struct SeatsAt {
    seats: Vec<HeldSeat>,
    now: DateTime<Utc>,
    /// Holders whose seats count as free: the hold or appointment that the new seat replaces.
    mine: Vec<Uuid>,
}

impl SeatsAt {
    pub fn new(seats: Vec<HeldSeat>, mine: Vec<Uuid>, now: DateTime<Utc>) -> Self {
        Self { seats, now, mine }
    }

    fn is_held(&self, held: &HeldSeat) -> bool {
        held.is_held(self.now) && !self.mine.contains(&held.holder_id)
    }

    /// Returns all seats of a holder, expired or not.
    pub fn of_holder(&self, id: Uuid) -> impl Iterator<Item = &HeldSeat> {
        self.seats.iter().filter(move |held| held.holder_id == id)
    }

    /// Returns a free seat. Prefers a suitable seat that is already `mine`, else takes the lowest free number of the
    /// first resource with a free seat. Also returns the row, if any, to delete before the seat can be taken.
    pub fn free(&self, wanted: &Wanted) -> Option<(Seat, Option<HeldSeat>)> {
        let free: Vec<&OnDuty> = with_free_seat(wanted, self).collect();
        let kept = self.seats.iter().find(|held| {
            self.mine.contains(&held.holder_id)
                && held.is_held(self.now)
                && held.seat.starts_at == wanted.starts_at
                && free.iter().any(|duty| duty.resource == held.seat.resource)
        });
        if let Some(kept) = kept {
            return Some((kept.seat.clone(), Some(kept.clone())));
        }
        let duty = free.first()?;
        let taken: BTreeSet<u32> = self.numbers(&duty.resource).collect();
        let number = (1..=duty.seats).find(|number| !taken.contains(number))?;
        let seat = Seat {
            resource: duty.resource.clone(),
            starts_at: wanted.starts_at,
            number,
        };
        let before = self.seats.iter().find(|held| held.seat == seat);
        Some((seat, before.cloned()))
    }

    fn numbers(&self, resource: &Resource) -> impl Iterator<Item = u32> {
        self.seats
            .iter()
            .filter(move |held| held.seat.resource == *resource && self.is_held(held))
            .map(|held| held.seat.number)
    }
}

impl Taken for SeatsAt {
    fn of(&self, resource: &Resource) -> usize {
        self.numbers(resource).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(minutes: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + minutes * 60, 0).expect("a moment")
    }

    fn duty(resource: Resource, seats: u32) -> OnDuty {
        OnDuty {
            resource,
            seats,
            by_name_only: false,
        }
    }

    fn wanted(doctor_id: Option<&str>, on_duty: Vec<OnDuty>) -> Wanted {
        Wanted {
            department_id: "ent".into(),
            doctor_id: doctor_id.map(str::to_owned),
            starts_at: moment(0),
            on_duty,
        }
    }

    fn held(resource: &Resource, number: u32, holder: u128, expire_time: Option<i64>) -> HeldSeat {
        HeldSeat {
            seat: Seat {
                resource: resource.clone(),
                starts_at: moment(0),
                number,
            },
            holder_id: Uuid::from_u128(holder),
            expire_time: expire_time.map(moment),
        }
    }

    fn at(seats: Vec<HeldSeat>, mine: &[u128]) -> SeatsAt {
        SeatsAt::new(
            seats,
            mine.iter().map(|id| Uuid::from_u128(*id)).collect(),
            moment(-100),
        )
    }

    #[test]
    fn clinics_are_filled_first_and_by_name_only_doctors_are_skipped() {
        let (clinic, doctor) = (Resource::clinic("ent-1"), Resource::doctor("d"));
        let mut by_name = duty(Resource::doctor("x"), 1);
        by_name.by_name_only = true;
        let all = vec![duty(clinic.clone(), 1), duty(doctor.clone(), 1), by_name];
        let any = wanted(None, all.clone());
        let first = held(&clinic, 1, 1, None);
        let second = held(&doctor, 1, 2, None);
        let seat = |seats: Vec<HeldSeat>| at(seats, &[]).free(&any).map(|(seat, _)| seat.resource);
        assert_eq!(seat(vec![]), Some(clinic));
        assert_eq!(seat(vec![first.clone()]), Some(doctor));
        assert_eq!(seat(vec![first, second]), None);
        let named = wanted(Some("x"), all);
        assert_eq!(
            at(vec![], &[]).free(&named).map(|(seat, _)| seat.resource),
            Some(Resource::doctor("x"))
        );
    }

    #[test]
    fn a_seat_of_an_expired_hold_is_free_and_its_row_is_deleted_first() {
        let doctor = Resource::doctor("d");
        let any = wanted(None, vec![duty(doctor.clone(), 1)]);
        let over = held(&doctor, 1, 1, Some(-100));
        let (seat, before) = at(vec![over.clone()], &[]).free(&any).expect("a seat");
        assert_eq!((seat, before), (over.seat.clone(), Some(over)));
        let running = held(&doctor, 1, 1, Some(-99));
        assert_eq!(at(vec![running.clone()], &[]).free(&any), None);
        assert!(
            at(vec![running], &[1]).free(&any).is_some(),
            "it is one's own"
        );
    }

    #[test]
    fn seats_of_the_whole_department_count_against_its_total() {
        let doctor = Resource::doctor("d");
        let legacy = Resource::department("ent");
        let named = wanted(
            Some("d"),
            vec![duty(doctor.clone(), 1), duty(Resource::clinic("c"), 1)],
        );
        let one = held(&legacy, 1, 1, None);
        assert!(at(vec![one.clone()], &[]).free(&named).is_some());
        assert_eq!(
            at(vec![one, held(&legacy, 4, 2, None)], &[]).free(&named),
            None
        );
    }

    #[test]
    fn seats_above_a_lowered_number_count() {
        let clinic = Resource::clinic("c");
        let any = wanted(None, vec![duty(clinic.clone(), 2)]);
        let seats = vec![held(&clinic, 3, 1, None), held(&clinic, 4, 2, None)];
        assert_eq!(at(seats, &[]).free(&any), None);
    }
}
