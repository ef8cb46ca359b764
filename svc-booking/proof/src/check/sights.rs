//! Invariants of the tables at every single moment.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{Calls, Findings, Rule};
use crate::{
    history::Operation,
    rows::{AppointmentRow, Rows, SeatRow},
    trial::Evidence,
    world::{NETWORK_MAX, OPEN_MAX, World, day},
};

/// Tolerance for consecutive reads of clocks on one machine, plus the duration of a query.
const SLACK: TimeDelta = TimeDelta::milliseconds(1_000);

/// Checks one snapshot. `time` is the moment of the read, or slightly earlier.
pub(super) fn check(
    rows: &Rows,
    time: DateTime<Utc>,
    world: &World,
    keys: &HashMap<Uuid, usize>,
    findings: &mut Findings,
) {
    sold_once(rows, time, world, findings);
    one_seat(rows, findings);
    holds(rows, time, world, findings);
    offers(rows, time, findings);
    persons(rows, time, findings);
    once_per_key(rows, keys, findings);
}

fn sold_once(rows: &Rows, time: DateTime<Utc>, world: &World, findings: &mut Findings) {
    let mut taken: HashMap<(&str, DateTime<Utc>), usize> = HashMap::new();
    let mut places: HashMap<(&str, DateTime<Utc>, i64), usize> = HashMap::new();
    for seat in rows.seats.iter().filter(|seat| seat.is_held(time + SLACK)) {
        *taken.entry((&seat.resource, seat.starts_at)).or_default() += 1;
        *places
            .entry((&seat.resource, seat.starts_at, seat.seat))
            .or_default() += 1;
    }
    for ((resource, starts_at), count) in taken {
        let seats = world.seats_of(resource);
        if count > seats {
            findings.add(
                Rule::SoldOnce,
                format!("{resource} at {starts_at} has {seats} seats and more holders"),
            );
        }
    }
    for ((resource, starts_at, seat), count) in places {
        if count > 1 {
            findings.add(
                Rule::SoldOnce,
                format!("seat {seat} of {resource} at {starts_at} has several holders"),
            );
        }
    }
}

fn one_seat(rows: &Rows, findings: &mut Findings) {
    let seats = of_appointments(rows);
    for row in &rows.appointments {
        let own = seats.get(&row.id).map_or(&[][..], Vec::as_slice);
        let id = row.id;
        match (row.is_live(), own) {
            (true, [seat]) if seat.starts_at == row.starts_at => {}
            (false, []) => {}
            (true, []) => findings.add(Rule::OneSeat, format!("{id} is live and has no seat")),
            (true, [_]) => findings.add(Rule::OneSeat, format!("{id} has a seat at another time")),
            (true, _) => findings.add(Rule::OneSeat, format!("{id} has several seats")),
            (false, _) => findings.add(Rule::OneSeat, format!("{id} is cancelled and has a seat")),
        }
    }
    let known: HashSet<Uuid> = rows.appointments.iter().map(|row| row.id).collect();
    for holder in seats.keys().filter(|holder| !known.contains(holder)) {
        findings.add(
            Rule::OneSeat,
            format!("a seat belongs to {holder}, which is not an appointment"),
        );
    }
}

fn of_appointments(rows: &Rows) -> HashMap<Uuid, Vec<&SeatRow>> {
    let mut seats: HashMap<Uuid, Vec<&SeatRow>> = HashMap::new();
    for seat in &rows.seats {
        if seat.holder_kind == "appointment" {
            seats.entry(seat.holder_id).or_default().push(seat);
        }
    }
    seats
}

fn holds(rows: &Rows, time: DateTime<Utc>, world: &World, findings: &mut Findings) {
    let longest = time + SLACK + TimeDelta::seconds(world.hold_seconds.into());
    for seat in &rows.seats {
        let what = || format!("a seat of {} at {}", seat.resource, seat.starts_at);
        match (seat.holder_kind.as_str(), seat.expire_time) {
            ("hold" | "offer", None) => {
                findings.add(Rule::HoldsEnd, format!("{} is held without expiry", what()));
            }
            ("hold", Some(until)) if until > longest => {
                findings.add(Rule::HoldsEnd, format!("{} is held too long", what()));
            }
            _ => {}
        }
    }
}

fn offers(rows: &Rows, time: DateTime<Utc>, findings: &mut Findings) {
    let mut kept: HashMap<Uuid, Vec<&SeatRow>> = HashMap::new();
    for seat in rows.seats.iter().filter(|seat| seat.holder_kind == "offer") {
        kept.entry(seat.holder_id).or_default().push(seat);
    }
    for entry in &rows.entries {
        let own = kept.remove(&entry.id).unwrap_or_default();
        let is_open = entry.state == "offered"
            && entry
                .offer_expire_time
                .is_some_and(|until| until > time + SLACK);
        let fits = |seat: &SeatRow| Some(seat.starts_at) == entry.offer_starts_at;
        if is_open && !(own.len() == 1 && fits(own[0])) {
            findings.add(
                Rule::OneOffer,
                format!("{} is offered a time and has {} seats", entry.id, own.len()),
            );
        }
        if entry.state != "offered" && !own.is_empty() {
            findings.add(
                Rule::OneOffer,
                format!("{} is {} and has a seat", entry.id, entry.state),
            );
        }
    }
    for holder in kept.keys() {
        findings.add(
            Rule::OneOffer,
            format!("a seat is offered to {holder}, which is not waiting"),
        );
    }
}

fn persons(rows: &Rows, time: DateTime<Utc>, findings: &mut Findings) {
    let mut open: HashMap<&[u8], Vec<&AppointmentRow>> = HashMap::new();
    let mut unproven: HashMap<&[u8], usize> = HashMap::new();
    for row in rows.appointments.iter().filter(|row| row.is_open(time)) {
        match (&row.email_index, &row.network) {
            (Some(email), _) if row.is_proven() => open.entry(email).or_default().push(row),
            (_, Some(network)) if !row.is_proven() => *unproven.entry(network).or_default() += 1,
            _ => {}
        }
    }
    if let Some(most) = unproven
        .into_values()
        .max()
        .filter(|most| *most > NETWORK_MAX)
    {
        findings.add(
            Rule::NetworkLimits,
            format!("a network has {most} unproven open appointments"),
        );
    }
    for own in open.into_values() {
        let first = own[0].id;
        if own.len() > OPEN_MAX {
            findings.add(
                Rule::PersonLimits,
                format!(
                    "the person with {first} has more than {OPEN_MAX} proven open appointments"
                ),
            );
        }
        let mut days: Vec<_> = own
            .iter()
            .map(|row| (&row.department_id, day(row.starts_at)))
            .collect();
        days.sort_unstable();
        if let Some(twice) = days.windows(2).find(|pair| pair[0] == pair[1]) {
            let (department, day) = twice[0];
            findings.add(
                Rule::PersonLimits,
                format!("one person has two proven appointments in {department} on {day}"),
            );
        }
    }
}

fn once_per_key(rows: &Rows, keys: &HashMap<Uuid, usize>, findings: &mut Findings) {
    let mut live: HashMap<usize, usize> = HashMap::new();
    for row in rows.appointments.iter().filter(|row| row.is_live()) {
        if let Some(key) = keys.get(&row.id) {
            *live.entry(*key).or_default() += 1;
        }
    }
    for (key, _) in live.iter().filter(|(_, count)| **count > 1) {
        findings.add(
            Rule::OncePerKey,
            format!("the booking with key {key} was made more than once"),
        );
    }
}

/// Checks that a patient who certainly has an appointment has exactly one seat at every moment.
pub(super) fn while_moving(evidence: &Evidence, calls: &Calls<'_>, findings: &mut Findings) {
    for creates in calls.creates.values() {
        let booked = creates
            .iter()
            .find_map(|call| Some((call.completed, call.outcome.appointment()?.id)));
        let Some((since, first)) = booked else {
            continue;
        };
        // Moves keep the id; an implementation that changes ids is followed too.
        let mut ids = vec![first];
        let mut number = 0;
        while let Some(id) = ids.get(number).copied() {
            number += 1;
            for call in calls.of(id) {
                if let (Operation::Move { .. }, Some(shown)) =
                    (&call.operation, call.outcome.appointment())
                    && !ids.contains(&shown.id)
                {
                    ids.push(shown.id);
                }
            }
        }
        let until = ids
            .iter()
            .flat_map(|id| calls.changes(*id))
            .filter(|(call, _)| matches!(call.operation, Operation::Cancel { .. }))
            .map(|(call, _)| call.invoked)
            .min()
            .unwrap_or(u64::MAX);
        let certain = evidence
            .history
            .sights
            .iter()
            .filter(|sight| sight.from > since && sight.until < until);
        for sight in certain {
            let is_own = |row: &&AppointmentRow| ids.contains(&row.id) && row.is_live();
            let seats = sight.rows.appointments.iter().filter(is_own).count();
            if seats != 1 {
                let how = if seats == 0 { "no" } else { "more than one" };
                findings.add(
                    Rule::KeptWhileMoving,
                    format!("the patient of {first} had {how} appointment for a moment"),
                );
            }
        }
    }
}
