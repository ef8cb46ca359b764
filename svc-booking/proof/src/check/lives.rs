//! Checks the history of each appointment: every version was requested, and every acknowledged change is stored.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::{Calls, Findings, Rule};
use crate::{
    history::{Call, Operation, Outcome},
    rows::AppointmentRow,
    trial::Evidence,
    world::{Place, day},
};

const BOOKED: &str = "appointment.booked";
const MOVED: &str = "appointment.moved";
const CANCELLED: &str = "appointment.cancelled";

pub(super) fn check(evidence: &Evidence, calls: &Calls<'_>, findings: &mut Findings) {
    let rows: HashMap<Uuid, &AppointmentRow> = evidence
        .ending
        .appointments
        .iter()
        .map(|row| (row.id, row))
        .collect();
    let mut events: HashMap<Uuid, BTreeMap<i64, &str>> = HashMap::new();
    for event in &evidence.ending.events {
        let own = events.entry(event.appointment_id).or_default();
        own.insert(event.version, &event.kind);
    }
    let none = BTreeMap::new();
    for row in rows.values() {
        let own = events.get(&row.id).unwrap_or(&none);
        explained(evidence, calls, row, own, findings);
    }
    acknowledged(calls, &rows, &events, findings);
    once(calls, &rows, findings);
    links(calls, findings);
    accepted_once(calls, findings);
    answers_of_holds(evidence, findings);
}

/// Checks that every version of an appointment was requested, and that the row matches the last one.
fn explained(
    evidence: &Evidence,
    calls: &Calls<'_>,
    row: &AppointmentRow,
    events: &BTreeMap<i64, &str>,
    findings: &mut Findings,
) {
    let id = row.id;
    let mut places: Vec<Place> = Vec::new();
    for (version, kind) in events {
        let possible: Vec<Option<Place>> = match *kind {
            BOOKED => births(evidence, calls, id),
            MOVED => changes_to(calls, id, *version, true),
            CANCELLED => changes_to(calls, id, *version, false),
            _ => Vec::new(),
        };
        if possible.is_empty() {
            findings.add(
                Rule::NothingInvented,
                format!("version {version} of {id} ({kind}) was not requested"),
            );
        }
        if *kind != CANCELLED {
            places = possible.into_iter().flatten().collect();
        }
    }
    let fits =
        |place: &Place| place.starts_at == row.starts_at && place.department == row.department_id;
    // The place of an accepted offer is unknown if no response arrived.
    if !places.is_empty() && !places.iter().any(fits) {
        findings.add(
            Rule::NothingInvented,
            format!(
                "{id} is at {} of {}, where nobody put it",
                row.starts_at, row.department_id
            ),
        );
    }
    let last = events.last_key_value();
    let is_cancelled = last.is_some_and(|(_, kind)| *kind == CANCELLED);
    if last.map(|(version, _)| *version) != Some(row.version) || is_cancelled == row.is_live() {
        findings.add(Rule::NothingLost, format!("{id} contradicts its history"));
    }
}

/// Returns the places where an appointment may have been created. Empty if it was never requested.
fn births(evidence: &Evidence, calls: &Calls<'_>, id: Uuid) -> Vec<Option<Place>> {
    let key = evidence.keys.get(&id);
    let creates = key.and_then(|key| calls.creates.get(key));
    let booked = creates
        .into_iter()
        .flatten()
        .filter(|call| call.outcome.may_have_happened())
        .filter_map(|call| match &call.operation {
            Operation::Create { place, .. } => Some(Some(place.clone())),
            _ => None,
        });
    let entries = evidence.ending.entries.iter();
    let accepted = entries
        .filter(|entry| entry.appointment_id == Some(id))
        .flat_map(|entry| calls.accepts(entry.id))
        .filter(|call| call.outcome.may_have_happened())
        .map(|call| call.outcome.appointment().map(shown_place));
    booked.chain(accepted).collect()
}

fn shown_place(shown: &crate::history::Shown) -> Place {
    Place {
        department: shown.department.clone(),
        doctor: None,
        starts_at: shown.starts_at,
    }
}

/// Returns the requests that may have created this version: the destinations of moves, or `None` for cancellations.
fn changes_to(calls: &Calls<'_>, id: Uuid, version: i64, wants_moves: bool) -> Vec<Option<Place>> {
    calls
        .changes(id)
        .filter(|(_, named)| *named == version - 1)
        .filter_map(|(call, _)| match &call.operation {
            Operation::Move { place, .. } if wants_moves => Some(Some(place.clone())),
            Operation::Cancel { .. } if !wants_moves => Some(None),
            _ => None,
        })
        .collect()
}

/// Checks that every acknowledged change is in the tables.
fn acknowledged(
    calls: &Calls<'_>,
    rows: &HashMap<Uuid, &AppointmentRow>,
    events: &HashMap<Uuid, BTreeMap<i64, &str>>,
    findings: &mut Findings,
) {
    let kind = |id: Uuid, version: i64| {
        let own = events.get(&id)?;
        own.get(&version).copied()
    };
    let mut moved: HashMap<(Uuid, i64), usize> = HashMap::new();
    for call in calls.all {
        let Some(shown) = call.outcome.appointment() else {
            continue;
        };
        let id = shown.id;
        if !rows.contains_key(&id) {
            findings.add(
                Rule::NothingLost,
                format!("{id} was acknowledged but is not stored"),
            );
            continue;
        }
        match &call.operation {
            Operation::Move {
                key,
                appointment,
                version,
                place,
                ..
            } => {
                // A retried move returns the present state of the appointment.
                let is_later = shown.version > version + 1;
                let is_place =
                    shown.starts_at == place.starts_at && shown.department == place.department;
                let is_there = shown.version > *version
                    && kind(id, version + 1) == Some(MOVED)
                    && (is_later || is_place);
                if *appointment != id || !is_there {
                    findings.add(
                        Rule::NothingLost,
                        format!("a move of {appointment} was acknowledged but is not stored"),
                    );
                }
                if *moved.entry((id, *version)).or_insert(*key) != *key {
                    findings.add(
                        Rule::NothingLost,
                        format!("two moves of version {version} of {id} were acknowledged"),
                    );
                }
            }
            Operation::Cancel { .. }
                if shown.is_booked || rows.get(&id).is_some_and(|row| row.is_live()) =>
            {
                findings.add(
                    Rule::NothingLost,
                    format!("a cancellation of {id} was acknowledged but is not stored"),
                );
            }
            Operation::Read { appointment, .. } | Operation::Prove { appointment, .. } => {
                fresh(calls, call, *appointment, shown.version, findings);
            }
            _ => {}
        }
    }
}

/// Checks that a read returns at least the version acknowledged before it.
fn fresh(calls: &Calls<'_>, read: &Call, id: Uuid, version: i64, findings: &mut Findings) {
    let before = calls
        .of(id)
        .filter(|call| call.completed < read.invoked)
        .filter_map(|call| call.outcome.appointment())
        .map(|shown| shown.version)
        .max();
    if before.is_some_and(|before| before > version) {
        findings.add(
            Rule::NothingLost,
            format!("{id} was read as version {version} after a later one was acknowledged"),
        );
    }
}

/// Checks that a key has one live appointment: only a cancelled one may be followed by another.
fn once(calls: &Calls<'_>, rows: &HashMap<Uuid, &AppointmentRow>, findings: &mut Findings) {
    for (key, creates) in &calls.creates {
        let shown = creates.iter().filter_map(|call| call.outcome.appointment());
        let live: HashSet<Uuid> = shown
            .map(|shown| shown.id)
            .filter(|id| rows.get(id).is_some_and(|row| row.is_live()))
            .collect();
        if live.len() > 1 {
            findings.add(
                Rule::OncePerKey,
                format!("the booking with key {key} was acknowledged as several appointments"),
            );
        }
    }
}

/// Checks that a secret replaced by an acknowledged move opens nothing afterwards.
fn links(calls: &Calls<'_>, findings: &mut Findings) {
    for own in calls.of_appointment.values() {
        let replaced = own.iter().filter_map(|call| match &call.operation {
            Operation::Move { key, secret, .. } if call.outcome.appointment().is_some() => {
                Some((*key, secret, call.completed))
            }
            _ => None,
        });
        for (key, old, since) in replaced {
            let opened = own.iter().find(|call| {
                let (Operation::Read {
                    secret,
                    appointment,
                }
                | Operation::Prove {
                    secret,
                    appointment,
                }
                | Operation::Move {
                    secret,
                    appointment,
                    ..
                }
                | Operation::Cancel {
                    secret,
                    appointment,
                    ..
                }) = &call.operation
                else {
                    return false;
                };
                let is_same =
                    call.outcome.appointment().map(|shown| shown.id) == Some(*appointment);
                // A retry of the same move is accepted: its sender may not have received the new secret.
                let is_again =
                    matches!(&call.operation, Operation::Move { key: own, .. } if *own == key);
                secret == old && call.invoked > since && is_same && !is_again
            });
            if let Some(call) = opened {
                findings.add(
                    Rule::OldLinkClosed,
                    format!("a replaced secret was accepted: {:?}", call.operation),
                );
            }
        }
    }
}

/// Checks that an offer becomes one appointment at most.
fn accepted_once(calls: &Calls<'_>, findings: &mut Findings) {
    for entry in calls.of_entry.keys() {
        let ids: HashSet<Uuid> = calls
            .accepts(*entry)
            .filter_map(|call| Some(call.outcome.appointment()?.id))
            .collect();
        if ids.len() > 1 {
            findings.add(
                Rule::OneOffer,
                format!("the offer of {entry} became several appointments"),
            );
        }
    }
}

/// Checks that no hold exceeds the configured lifetime.
fn answers_of_holds(evidence: &Evidence, findings: &mut Findings) {
    let longest = u64::from(evidence.world.hold_seconds) * 1_000_000 + 50_000;
    for call in &evidence.history.calls {
        if let Outcome::Held { expire_time, hold } = &call.outcome
            && evidence.history.micros(*expire_time) > call.completed + longest
        {
            findings.add(Rule::HoldsEnd, format!("{hold} lasts too long"));
        }
    }
}

/// Checks that every appointment on a resource on leave was reported when the leave was entered.
pub(super) fn leaves(evidence: &Evidence, findings: &mut Findings) {
    let ended: HashSet<Uuid> = evidence
        .history
        .calls
        .iter()
        .filter_map(|call| match &call.operation {
            Operation::EndLeave { leave } => Some(*leave),
            _ => None,
        })
        .collect();
    for call in &evidence.history.calls {
        let (
            Operation::Leave {
                resource,
                day: away,
            },
            Outcome::Affected {
                leave,
                appointments,
            },
        ) = (&call.operation, &call.outcome)
        else {
            continue;
        };
        if ended.contains(leave) {
            continue;
        }
        let booked = evidence.ending.seats.iter().filter(|seat| {
            seat.holder_kind == "appointment"
                && seat.resource == *resource
                && day(seat.starts_at) == *away
        });
        for seat in booked.filter(|seat| !appointments.contains(&seat.holder_id)) {
            findings.add(
                Rule::LeaveKnown,
                format!(
                    "{} is booked with {resource}, who is away on {away}, and the desk was not told",
                    seat.holder_id
                ),
            );
        }
    }
}
