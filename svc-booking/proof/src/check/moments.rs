//! Derives, from responses alone, which callers certainly or possibly had a seat at which moment.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::{Calls, Findings, Rule};
use crate::{
    history::{Call, Micros, Operation, Outcome},
    trial::Evidence,
    world::{Place, day},
};

/// Delay after a kill within which running work may still be written.
const LATE: Micros = 1_000_000;
/// Tolerance for consecutive reads of clocks on one machine.
const SLACK: Micros = 50_000;

/// A place where an appointment was or may have been put.
struct Placed<'a> {
    place: &'a Place,
    /// Id and version of the appointment there; `None` without a response.
    shown: Option<(Uuid, i64)>,
    /// A response confirms the place.
    is_certain: bool,
    call: &'a Call,
}

/// Returns every place where an appointment was or may have been put.
fn placed<'a>(calls: &Calls<'a>) -> impl Iterator<Item = Placed<'a>> {
    calls
        .all
        .iter()
        .filter(|call| call.outcome.may_have_happened())
        .filter_map(|call| {
            let (Operation::Create { place, .. } | Operation::Move { place, .. }) = &call.operation
            else {
                return None;
            };
            let shown = call.outcome.appointment();
            Some(Placed {
                place,
                shown: shown.map(|shown| (shown.id, shown.version)),
                // A retry returns the present state of the appointment.
                is_certain: shown
                    .is_some_and(|shown| shown.is_booked && shown.starts_at == place.starts_at),
                call,
            })
        })
}

/// Department, or the requested doctor; time; number of seats.
type SeatsAt = (String, DateTime<Utc>, usize);

/// Checks that at no moment more patients certainly have a seat than there are seats.
pub(super) fn never_too_many(evidence: &Evidence, calls: &Calls<'_>, findings: &mut Findings) {
    let mut changes: BTreeMap<SeatsAt, Vec<(Micros, i32)>> = BTreeMap::new();
    let mut seen: HashMap<(Uuid, i64), Micros> = HashMap::new();
    for placed in placed(calls).filter(|placed| placed.is_certain) {
        let Some((id, version)) = placed.shown else {
            continue;
        };
        let from = placed.call.completed;
        // A retried create returns the same version.
        if seen.insert((id, version), from).is_some() {
            continue;
        }
        let until = calls
            .changes(id)
            .filter(|(_, named)| *named >= version)
            .map(|(call, _)| call.invoked)
            .min();
        let until = until.unwrap_or(Micros::MAX);
        if until <= from {
            continue;
        }
        let place = placed.place;
        let department = place.department.clone();
        let mut keys = vec![(department.clone(), evidence.world.seats_in(&department))];
        if let Some(doctor) = &place.doctor {
            let resource = format!("doctor:{doctor}");
            let seats = evidence.world.seats_of(&resource);
            keys.push((resource, seats));
        }
        for (name, seats) in keys {
            let own = changes.entry((name, place.starts_at, seats)).or_default();
            own.extend([(from, 1), (until, -1)]);
        }
    }
    for ((name, starts_at, seats), mut changes) in changes {
        changes.sort_unstable();
        let mut count = 0;
        let mut most = 0;
        for (_, change) in changes {
            count += change;
            most = most.max(count);
        }
        if usize::try_from(most).unwrap_or_default() > seats {
            findings.add(
                Rule::SoldOnce,
                format!(
                    "{most} patients were promised one of {seats} seats of {name} at {starts_at}"
                ),
            );
        }
    }
}

/// A possible holder of a seat.
struct Occupant {
    department: String,
    doctor: Option<String>,
    /// `None` for any time of the day.
    starts_at: Option<DateTime<Utc>>,
    day: NaiveDate,
    from: Micros,
    until: Micros,
}

/// Checks that a refused seat may have been taken at that moment.
pub(super) fn refusals(evidence: &Evidence, calls: &Calls<'_>, findings: &mut Findings) {
    let mut occupants = appointments(calls);
    occupants.extend(holds(evidence));
    occupants.extend(waiting(evidence, calls));
    for call in calls.all {
        let (Operation::Hold { place, .. }
        | Operation::Create { place, .. }
        | Operation::Move { place, .. }) = &call.operation
        else {
            continue;
        };
        let is_taken =
            matches!(&call.outcome, Outcome::Refused { reason } if reason == "SLOT_TAKEN");
        if !is_taken {
            continue;
        }
        let (seats, by_name) = seats_at_least(evidence, place, call);
        let possible = occupants
            .iter()
            .filter(|occupant| occupant.from <= call.completed && call.invoked <= occupant.until)
            .filter(|occupant| may_be_at(occupant, place, by_name))
            .count();
        if possible < seats {
            findings.add(
                Rule::FreeIsFree,
                format!(
                    "{place:?} was refused at {} µs: {seats} seats, of which at most {possible} can have been taken",
                    call.invoked
                ),
            );
        }
    }
}

/// Returns the number of seats that certainly existed during a call, and whether they are for visitors who chose the
/// resource only.
fn seats_at_least(evidence: &Evidence, place: &Place, during: &Call) -> (usize, bool) {
    let calls = &evidence.history.calls;
    let ended = |leave: Option<Uuid>| {
        calls.iter().any(|call| {
            matches!(&call.operation, Operation::EndLeave { leave: own } if Some(*own) == leave)
                && call.outcome == Outcome::Done
                && call.completed < during.invoked
        })
    };
    let may_be_away = |resource: &str| {
        calls.iter().any(|call| {
            let leave = match &call.outcome {
                Outcome::Affected { leave, .. } => Some(*leave),
                Outcome::Refused { .. } => return false,
                _ => None,
            };
            matches!(&call.operation, Operation::Leave { resource: own, day: away }
                     if own == resource && *away == place.day())
                && call.invoked < during.completed
                && !ended(leave)
        })
    };
    let mut seats = 0;
    let mut by_name = true;
    for resource in evidence.world.candidates(place) {
        by_name &= resource.by_name_only;
        if !may_be_away(&resource.name) {
            seats += resource.seats;
        }
    }
    (seats, by_name)
}

fn may_be_at(occupant: &Occupant, place: &Place, by_name: bool) -> bool {
    let is_time = match occupant.starts_at {
        Some(starts_at) => starts_at == place.starts_at,
        None => occupant.day == place.day(),
    };
    let is_seat = match (&occupant.doctor, &place.doctor) {
        (Some(own), Some(wanted)) => own == wanted,
        (None, _) => !by_name,
        (Some(_), None) => true,
    };
    occupant.department == place.department && is_time && is_seat
}

fn appointments(calls: &Calls<'_>) -> Vec<Occupant> {
    placed(calls)
        .map(|placed| {
            let gone = placed.shown.and_then(|(id, version)| {
                calls
                    .changes(id)
                    .filter(|(call, named)| {
                        *named >= version && call.outcome.appointment().is_some()
                    })
                    .map(|(call, _)| call.completed)
                    .min()
            });
            Occupant {
                department: placed.place.department.clone(),
                doctor: placed.place.doctor.clone(),
                starts_at: Some(placed.place.starts_at),
                day: placed.place.day(),
                from: placed.call.invoked,
                until: gone.unwrap_or(Micros::MAX),
            }
        })
        .collect()
}

fn holds(evidence: &Evidence) -> impl Iterator<Item = Occupant> {
    let history = &evidence.history;
    let kept = Micros::from(evidence.world.hold_seconds) * 1_000_000;
    history.calls.iter().filter_map(move |call| {
        let Operation::Hold { place, .. } = &call.operation else {
            return None;
        };
        let until = match &call.outcome {
            Outcome::Held { expire_time, hold } => {
                let released = history.calls.iter().find(|other| {
                    other.operation == Operation::Release { hold: *hold }
                        && other.outcome == Outcome::Done
                });
                let over = history.micros(*expire_time) + SLACK;
                released.map_or(over, |released| released.completed.min(over))
            }
            Outcome::Unknown { .. } => call.completed + LATE + kept + SLACK,
            _ => return None,
        };
        Some(Occupant {
            department: place.department.clone(),
            doctor: place.doctor.clone(),
            starts_at: Some(place.starts_at),
            day: place.day(),
            from: call.invoked,
            until,
        })
    })
}

/// Returns the possible seats of waitlist entries. An entry may have had each time that was observed as its offer. An
/// entry that has left may have had any time of the day before. An accepted offer has its time.
fn waiting(evidence: &Evidence, calls: &Calls<'_>) -> Vec<Occupant> {
    let mut found = Vec::new();
    let mut offered: HashMap<Uuid, BTreeSet<DateTime<Utc>>> = HashMap::new();
    let sights = evidence.history.sights.iter().map(|sight| &sight.rows);
    for row in sights
        .chain([&evidence.ending])
        .flat_map(|rows| &rows.entries)
    {
        if let Some(starts_at) = row.offer_starts_at {
            offered.entry(row.id).or_default().insert(starts_at);
        }
    }
    for call in calls.all {
        let Operation::Join {
            department, day, ..
        } = &call.operation
        else {
            continue;
        };
        let entry = match &call.outcome {
            Outcome::Refused { .. } => continue,
            Outcome::Entry { entry, .. } => Some(*entry),
            _ => None,
        };
        let own = entry.and_then(|entry| calls.of_entry.get(&entry));
        let over = own.into_iter().flatten().filter_map(|call| {
            let is_over = matches!(
                (&call.operation, &call.outcome),
                (Operation::Quit { .. }, Outcome::Entry { .. })
                    | (Operation::Accept { .. }, Outcome::Appointment(_))
            );
            is_over.then_some(call.completed)
        });
        let over = over.min();
        let seen = entry.and_then(|entry| offered.get(&entry));
        // The owner may end an offer early, unobserved. An offer that no call has ended is in the observations.
        let times: Vec<Option<DateTime<Utc>>> = match (entry, over) {
            (Some(_), None) => seen.into_iter().flatten().copied().map(Some).collect(),
            _ => vec![None],
        };
        found.extend(times.into_iter().map(|starts_at| Occupant {
            department: department.clone(),
            doctor: None,
            starts_at,
            day: *day,
            from: call.invoked,
            until: over.unwrap_or(Micros::MAX),
        }));
    }
    for call in calls.all {
        if let (Operation::Accept { .. }, Some(shown)) =
            (&call.operation, call.outcome.appointment())
        {
            let gone = calls
                .changes(shown.id)
                .filter(|(call, _)| call.outcome.appointment().is_some())
                .map(|(call, _)| call.completed)
                .min();
            found.push(Occupant {
                department: shown.department.clone(),
                doctor: None,
                starts_at: Some(shown.starts_at),
                day: day(shown.starts_at),
                from: call.invoked,
                until: gone.unwrap_or(Micros::MAX),
            });
        }
    }
    found
}
