//! Breaks each rule once by hand. Tests with the real process cover the detection of whole broken systems.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta};
use uuid::Uuid;

use super::*;
use crate::{
    history::{History, Shown, Sight},
    rows::{AppointmentRow, EntryRow, EventRow, Rows, SeatRow},
    world::{Place, World},
};

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn world() -> World {
    World::new(NaiveDate::from_ymd_opt(2026, 11, 21).expect("a day"), 1)
}

/// Returns a slot with a single seat.
fn place(number: usize) -> Place {
    world().race(number)
}

fn shown(number: u128, version: i64, at: &Place, secret: &str) -> Outcome {
    Outcome::Appointment(Shown {
        id: id(number),
        reference: format!("SH-{number}"),
        version,
        is_booked: true,
        department: at.department.clone(),
        starts_at: at.starts_at,
        secret: secret.to_owned(),
    })
}

fn call(from: u64, operation: Operation, outcome: Outcome) -> Call {
    Call {
        client: 0,
        invoked: from,
        completed: from + 5,
        operation,
        outcome,
    }
}

fn create(from: u64, key: usize, number: u128, at: &Place) -> Call {
    let operation = Operation::Create {
        key,
        person: key,
        place: at.clone(),
        hold: None,
    };
    call(from, operation, shown(number, 1, at, "first"))
}

fn row(number: u128, version: i64, at: &Place) -> AppointmentRow {
    AppointmentRow {
        id: id(number),
        department_id: at.department.clone(),
        starts_at: at.starts_at,
        status: "booked".into(),
        version,
        delete_time: None,
        email_index: Some(number.to_be_bytes().to_vec()),
        network: Some(number.to_be_bytes().to_vec()),
        proof: "unproven".into(),
    }
}

fn seat(holder: u128, kind: &str, at: &Place) -> SeatRow {
    SeatRow {
        resource: "clinic:dermatology-1".into(),
        starts_at: at.starts_at,
        seat: 1,
        holder_kind: kind.into(),
        holder_id: id(holder),
        expire_time: None,
    }
}

fn event(number: u128, version: i64, kind: &str) -> EventRow {
    EventRow {
        appointment_id: id(number),
        version,
        kind: format!("appointment.{kind}"),
    }
}

/// Returns consistent evidence: a single appointment, booked with key 1.
fn sound() -> Evidence {
    let at = place(0);
    Evidence {
        world: world(),
        history: History {
            calls: vec![create(10, 1, 1, &at)],
            sights: Vec::new(),
            began: DateTime::UNIX_EPOCH,
        },
        ending: Rows {
            seats: vec![seat(1, "appointment", &at)],
            appointments: vec![row(1, 1, &at)],
            entries: Vec::new(),
            events: vec![event(1, 1, "booked")],
        },
        keys: HashMap::from([(id(1), 1)]),
        kills: 0,
        races: Vec::new(),
    }
}

/// Returns the broken rules, with the final tables as the last snapshot.
fn broken(mut evidence: Evidence) -> HashSet<Rule> {
    let from = 1_000;
    evidence.history.sights.push(Sight {
        from,
        until: from + 5,
        time: DateTime::UNIX_EPOCH + TimeDelta::microseconds(1_000),
        rows: evidence.ending.clone(),
    });
    let found = check(&evidence);
    found.into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_sound_history_has_no_findings() {
    assert_eq!(broken(sound()), HashSet::new());
}

#[test]
fn a_seat_sold_twice_is_found_in_tables_and_responses() {
    let at = place(0);
    let mut evidence = sound();
    evidence.ending.seats.push(seat(2, "appointment", &at));
    evidence.ending.appointments.push(row(2, 1, &at));
    assert!(broken(evidence).contains(&Rule::SoldOnce));
    let mut evidence = sound();
    evidence.history.calls.push(create(20, 2, 2, &at));
    assert!(broken(evidence).contains(&Rule::SoldOnce));
}

#[test]
fn a_seat_and_an_appointment_belong_together() {
    let mut evidence = sound();
    evidence.ending.seats.clear();
    assert!(broken(evidence).contains(&Rule::OneSeat));
    let mut evidence = sound();
    evidence.ending.seats[0].holder_id = id(9);
    assert!(broken(evidence).contains(&Rule::OneSeat));
    let mut evidence = sound();
    evidence.ending.seats[0].starts_at = place(1).starts_at;
    assert!(broken(evidence).contains(&Rule::OneSeat));
}

#[test]
fn an_acknowledged_write_must_be_stored() {
    let mut evidence = sound();
    evidence.ending = Rows::default();
    assert!(broken(evidence).contains(&Rule::NothingLost));
    let mut evidence = sound();
    let cancel = Operation::Cancel {
        appointment: id(1),
        secret: "first".into(),
        version: 1,
    };
    let at = place(0);
    evidence
        .history
        .calls
        .push(call(20, cancel, shown(1, 2, &at, "")));
    assert!(broken(evidence).contains(&Rule::NothingLost));
}

#[test]
fn an_unrequested_row_is_found() {
    let mut evidence = sound();
    evidence.history.calls.clear();
    assert!(broken(evidence).contains(&Rule::NothingInvented));
    let mut evidence = sound();
    evidence.ending.events.push(event(1, 2, "cancelled"));
    evidence.ending.appointments[0].version = 2;
    evidence.ending.appointments[0].status = "cancelled".into();
    evidence.ending.seats.clear();
    let found = broken(evidence);
    assert!(found.contains(&Rule::NothingInvented), "{found:?}");
    assert!(found.contains(&Rule::KeptWhileMoving), "{found:?}");
}

#[test]
fn a_key_makes_one_appointment() {
    let at = place(1);
    let mut evidence = sound();
    evidence.history.calls.push(create(20, 1, 2, &at));
    evidence.ending.seats.push(seat(2, "appointment", &at));
    evidence.ending.appointments.push(row(2, 1, &at));
    evidence.ending.events.push(event(2, 1, "booked"));
    evidence.keys.insert(id(2), 1);
    assert_eq!(broken(evidence), HashSet::from([Rule::OncePerKey]));
}

#[test]
fn a_refusal_needs_another_holder_of_the_seat() {
    let refused = |from, at: &Place| Call {
        outcome: Outcome::Refused {
            reason: "SLOT_TAKEN".into(),
        },
        ..create(from, 7, 7, at)
    };
    let mut evidence = sound();
    evidence.history.calls.push(refused(20, &place(0)));
    assert_eq!(broken(evidence), HashSet::new());
    let mut evidence = sound();
    evidence.history.calls.push(refused(20, &place(1)));
    assert_eq!(broken(evidence), HashSet::from([Rule::FreeIsFree]));
    // A hold explains the refusal while it lasts.
    let asked = Operation::Hold {
        place: place(1),
        tab: 0,
    };
    let promise = Outcome::Held {
        hold: id(5),
        expire_time: DateTime::UNIX_EPOCH + TimeDelta::seconds(1),
    };
    for (from, expected) in [
        (900_000, HashSet::new()),
        (1_200_000, HashSet::from([Rule::FreeIsFree])),
    ] {
        let mut evidence = sound();
        let held = call(15, asked.clone(), promise.clone());
        evidence
            .history
            .calls
            .extend([held, refused(from, &place(1))]);
        assert_eq!(broken(evidence), expected);
    }
}

#[test]
fn holds_and_offers_have_an_end_and_one_owner() {
    let mut evidence = sound();
    evidence.ending.seats.push(seat(5, "hold", &place(1)));
    assert_eq!(broken(evidence), HashSet::from([Rule::HoldsEnd]));
    let mut evidence = sound();
    evidence.history.calls.push(opened_entry(6, 20));
    evidence.ending.entries.push(offered(6, Some("link")));
    assert_eq!(broken(evidence), HashSet::from([Rule::OneOffer]));
}

/// Returns an entry with an offer, without its seat.
fn offered(number: u128, proof: Option<&str>) -> EntryRow {
    EntryRow {
        id: id(number),
        state: "offered".into(),
        proof: proof.map(str::to_owned),
        offer_starts_at: Some(place(1).starts_at),
        offer_expire_time: Some(place(1).starts_at),
        appointment_id: None,
    }
}

fn opened_entry(number: u128, from: u64) -> Call {
    let entry = id(number);
    let look = Operation::Look {
        entry,
        by_mail: true,
    };
    let is_offered = false;
    call(from, look, Outcome::Entry { entry, is_offered })
}

fn opened(number: u128, from: u64) -> Call {
    let prove = Operation::Prove {
        appointment: id(number),
        secret: "mailed".into(),
    };
    call(from, prove, shown(number, 1, &place(0), ""))
}

#[test]
fn a_proof_comes_from_a_mail() {
    let proven = || {
        let mut evidence = sound();
        evidence.ending.appointments[0].proof = "link".into();
        evidence
    };
    let by_mail = HashSet::from([Rule::ProvenByMail]);
    assert_eq!(broken(proven()), by_mail);
    for (from, expected) in [(20, HashSet::new()), (2_000, by_mail.clone())] {
        let mut evidence = proven();
        evidence.history.calls.push(opened(1, from));
        assert_eq!(broken(evidence), expected, "opened at {from}");
    }
    let mut evidence = sound();
    evidence.ending.entries.push(offered(6, Some("unproven")));
    assert!(broken(evidence).is_superset(&by_mail));
}

#[test]
fn responses_to_strangers_reveal_no_person() {
    let refused = |reason: &str| {
        let operation = Operation::Create {
            key: 2,
            person: 1,
            place: place(1),
            hold: None,
        };
        let mut evidence = sound();
        let reason = reason.to_owned();
        let refused = call(20, operation, Outcome::Refused { reason });
        evidence.history.calls.push(refused);
        broken(evidence)
    };
    assert_eq!(refused("NETWORK_APPOINTMENTS_MAX"), HashSet::new());
    for reason in ["SAME_DAY", "APPOINTMENTS_MAX"] {
        assert_eq!(
            refused(reason),
            HashSet::from([Rule::StrangersLearnNothing])
        );
    }
}

#[test]
fn a_network_has_few_unproven_appointments() {
    let mut evidence = sound();
    for number in 2..=5 {
        let at = place(usize::try_from(number).expect("a few"));
        let key = usize::try_from(number).expect("a few");
        evidence.history.calls.push(create(20, key, number, &at));
        evidence.ending.seats.push(seat(number, "appointment", &at));
        evidence.ending.appointments.push(AppointmentRow {
            network: evidence.ending.appointments[0].network.clone(),
            ..row(number, 1, &at)
        });
        evidence.ending.events.push(event(number, 1, "booked"));
        evidence.keys.insert(id(number), key);
    }
    assert_eq!(broken(evidence), HashSet::from([Rule::NetworkLimits]));
}

#[test]
fn a_person_has_one_appointment_of_a_department_and_day() {
    let at = place(1);
    let mut evidence = sound();
    evidence.history.calls.push(create(20, 2, 2, &at));
    evidence.ending.seats.push(seat(2, "appointment", &at));
    let email_index = evidence.ending.appointments[0].email_index.clone();
    evidence.ending.appointments.push(AppointmentRow {
        email_index,
        ..row(2, 1, &at)
    });
    for (number, row) in (1..).zip(&mut evidence.ending.appointments) {
        row.proof = "link".into();
        evidence.history.calls.push(opened(number, 30));
    }
    evidence.ending.events.push(event(2, 1, "booked"));
    evidence.keys.insert(id(2), 2);
    assert_eq!(broken(evidence), HashSet::from([Rule::PersonLimits]));
}

#[test]
fn a_replaced_secret_opens_nothing() {
    let to = place(1);
    let mut evidence = sound();
    let r#move = Operation::Move {
        key: 9,
        appointment: id(1),
        secret: "first".into(),
        version: 1,
        place: to.clone(),
    };
    let read = Operation::Read {
        appointment: id(1),
        secret: "first".into(),
    };
    evidence.history.calls.extend([
        call(20, r#move, shown(1, 2, &to, "second")),
        call(30, read, shown(1, 2, &to, "")),
    ]);
    evidence.ending.events.push(event(1, 2, "moved"));
    evidence.ending.appointments = vec![row(1, 2, &to)];
    evidence.ending.seats = vec![seat(1, "appointment", &to)];
    assert_eq!(broken(evidence), HashSet::from([Rule::OldLinkClosed]));
}

#[test]
fn leave_lists_every_affected_appointment() {
    let leave = |appointments| {
        let operation = Operation::Leave {
            resource: "clinic:dermatology-1".into(),
            day: place(0).day(),
        };
        let outcome = Outcome::Affected {
            leave: id(3),
            appointments,
        };
        call(20, operation, outcome)
    };
    let mut evidence = sound();
    evidence.history.calls.push(leave(vec![id(1)]));
    assert_eq!(broken(evidence), HashSet::new());
    let mut evidence = sound();
    evidence.history.calls.push(leave(Vec::new()));
    assert_eq!(broken(evidence), HashSet::from([Rule::LeaveKnown]));
}

#[test]
fn a_server_error_is_a_finding() {
    let mut evidence = sound();
    let why = "Internal: internal error".to_owned();
    let look = Operation::Look {
        entry: id(4),
        by_mail: false,
    };
    let fault = call(20, look, Outcome::Unknown { why });
    evidence.history.calls.push(fault);
    assert_eq!(broken(evidence), HashSet::from([Rule::NoFault]));
}
