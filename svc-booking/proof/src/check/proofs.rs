//! Checks who has proven an address, and which refusals other callers see.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Calls, Findings, Rule};
use crate::{
    history::{Micros, Operation, Outcome},
    rows::Rows,
    trial::Evidence,
};

/// Refusals that only callers with a mailed link may see, on a move or an acceptance.
const TOLD_TO_OWNERS: [&str; 3] = ["SAME_DAY", "APPOINTMENTS_MAX", "WAITLIST_MAX"];

pub(super) fn check(evidence: &Evidence, calls: &Calls<'_>, findings: &mut Findings) {
    let (appointments, entries) = opened(calls);
    let sights = evidence.history.sights.iter();
    let ending = [(Micros::MAX, &evidence.ending)];
    for (until, rows) in sights.map(|sight| (sight.until, &sight.rows)).chain(ending) {
        proven(until, rows, &appointments, &entries, findings);
    }
    for call in calls.all {
        let (Operation::Create { .. } | Operation::Join { .. }, Outcome::Refused { reason }) =
            (&call.operation, &call.outcome)
        else {
            continue;
        };
        if TOLD_TO_OWNERS.contains(&reason.as_str()) {
            findings.add(
                Rule::StrangersLearnNothing,
                format!("{:?} was refused with {reason}", call.operation),
            );
        }
    }
}

/// Returns the times from which appointments and entries may be proven: the first opening of their mailed link.
fn opened(calls: &Calls<'_>) -> (HashMap<Uuid, Micros>, HashMap<Uuid, Micros>) {
    let mut appointments: HashMap<Uuid, Micros> = HashMap::new();
    let mut entries: HashMap<Uuid, Micros> = HashMap::new();
    for call in calls.all {
        let (since, id) = match &call.operation {
            Operation::Prove { appointment, .. } => (&mut appointments, *appointment),
            Operation::Look {
                entry,
                by_mail: true,
            } => (&mut entries, *entry),
            _ => continue,
        };
        let first = since.entry(id).or_insert(Micros::MAX);
        *first = call.invoked.min(*first);
    }
    (appointments, entries)
}

fn proven(
    until: Micros,
    rows: &Rows,
    appointments: &HashMap<Uuid, Micros>,
    entries: &HashMap<Uuid, Micros>,
    findings: &mut Findings,
) {
    let is_opened =
        |opened: &HashMap<Uuid, Micros>, id: Uuid| opened.get(&id).is_some_and(|at| *at <= until);
    let accepted = |id: Uuid| {
        let mut own = rows
            .entries
            .iter()
            .filter(|entry| entry.appointment_id == Some(id));
        own.any(|entry| is_opened(entries, entry.id))
    };
    for row in rows.appointments.iter().filter(|row| row.is_proven()) {
        if !is_opened(appointments, row.id) && !accepted(row.id) {
            findings.add(
                Rule::ProvenByMail,
                format!(
                    "{} is proven, and nobody has opened a mail about it",
                    row.id
                ),
            );
        }
    }
    for entry in &rows.entries {
        let is_proven = entry.proof.as_deref() == Some("link");
        if is_proven && !is_opened(entries, entry.id) {
            findings.add(
                Rule::ProvenByMail,
                format!(
                    "{} is proven, and nobody has opened a mail about it",
                    entry.id
                ),
            );
        }
        if matches!(entry.state.as_str(), "offered" | "booked") && !is_proven {
            findings.add(
                Rule::ProvenByMail,
                format!("{} was offered a time but is not proven", entry.id),
            );
        }
    }
}
