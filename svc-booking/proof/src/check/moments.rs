//! Who certainly, and who possibly, had a seat at which moment, from the answers alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::{Calls, Findings, Rule};
use crate::{
    history::{Call, Micros, Operation, Outcome},
    trial::Evidence,
    world::{Place, day},
};

/// What was under way when the process died may be written a little later.
const LATE: Micros = 1_000_000;
/// Clocks of one machine, read one after the other.
const SLACK: Micros = 50_000;

/// A place that an appointment was put to.
struct Placed<'a> {
    place: &'a Place,
    /// The version that it has there; `None` when no answer said it.
    shown: Option<(Uuid, i64)>,
    /// An answer said that it is there.
    is_certain: bool,
    call: &'a Call,
}

/// Every place that an appointment was or may have been put to.
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
                // A repeated call is answered by what has become of the appointment since.
                is_certain: shown
                    .is_some_and(|shown| shown.is_booked && shown.starts_at == place.starts_at),
                call,
            })
        })
}

/// A department, or the doctor who was asked for; a time; how many seats there are.
type SeatsAt = (String, DateTime<Utc>, usize);

/// At no moment do more patients certainly have a seat than there are.
pub(super) fn never_too_many(evidence: &Evidence, calls: &Calls<'_>, findings: &mut Findings) {
    let mut changes: BTreeMap<SeatsAt, Vec<(Micros, i32)>> = BTreeMap::new();
    let mut seen: HashMap<(Uuid, i64), Micros> = HashMap::new();
    for placed in placed(calls).filter(|placed| placed.is_certain) {
        let Some((id, version)) = placed.shown else {
            continue;
        };
        let from = placed.call.completed;
        // A repeated create says the same again.
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
                format!("{most} patients were told that they have one of {seats} seats of {name} at {starts_at}"),
            );
        }
    }
}

/// Somebody who may have had a seat.
struct Occupant {
    department: String,
    doctor: Option<String>,
    /// `None`: at any time of the day.
    starts_at: Option<DateTime<Utc>>,
    day: NaiveDate,
    from: Micros,
    until: Micros,
}

/// Who is refused a seat is refused because somebody may have it.
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

/// Seats that were there for certain during a call, and whether those who did not ask by name cannot have one of them.
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

/// Whoever waits has the times that were seen to be offered, and may have had any time of the day before leaving the list; whoever accepted
/// has one.
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
        // An offer ends by what its owner does, long before its time is over: one that nobody ended was seen at the end.
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
