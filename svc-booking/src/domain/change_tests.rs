use proptest::prelude::*;

use super::*;
use crate::domain::{
    appointment::{AppointmentForm, BookingRequest},
    resources::Resources,
};

/// Saturday, 21 November 2026, 3:00 PM IST.
fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

fn booking() -> Booking {
    let request = BookingRequest {
        appointment: AppointmentForm {
            patient_name: "Asha Rao".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0000".to_owned(),
            date: "2026-11-23".to_owned(),
            time: "10:00 AM".to_owned(),
            department: "Cardiology".to_owned(),
            doctor_id: "doc-06".to_owned(),
            ..AppointmentForm::default()
        },
        request_id: "0123456789abcdef".to_owned(),
    };
    let parsed = NewAppointment::parse(&request, &Resources::embedded(), now());
    let (_, appointment) = parsed.expect("valid");
    Booking {
        id: Uuid::from_u128(1),
        message_id: Uuid::from_u128(2),
        references: vec!["SH-AAAA-AAAA".to_owned(), "SH-BBBB-BBBB".to_owned()],
        appointment,
    }
}

fn held(resource: Resource, number: u32, expire_time: Option<DateTime<Utc>>) -> HeldSeat {
    HeldSeat {
        seat: Seat {
            resource,
            starts_at: booking().appointment.starts_at(),
            number,
        },
        expire_time,
    }
}

fn decided(state: &State) -> Decided {
    decide(state, &Command::Book(booking()), now())
}

fn change(state: &State) -> Change {
    match decided(state) {
        Decided::Change(change) => *change,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_booking_takes_the_first_seats() {
    let change = change(&State::default());
    let seats: Vec<_> = change
        .taken
        .iter()
        .map(|seat| (seat.resource.as_str(), seat.number))
        .collect();
    assert_eq!(seats, [("doctor:doc-06", 1), ("department:cardiology", 1)]);
    assert_eq!(change.appointment.reference, "SH-AAAA-AAAA");
    assert_eq!(
        (change.appointment.version, change.event),
        (1, "appointment.booked")
    );
    assert_eq!(change.messages.len(), 1);
    assert!(change.freed.is_empty());
}

#[test]
fn a_doctor_who_is_taken_is_taken_though_the_department_has_seats() {
    let state = State {
        seats: vec![held(Resource::doctor("doc-06"), 1, None)],
        ..State::default()
    };
    assert_eq!(decided(&state), Decided::SlotTaken);
}

#[test]
fn a_hold_counts_until_it_expires_and_is_given_back_then() {
    let until = |at| State {
        seats: vec![held(Resource::doctor("doc-06"), 1, Some(at))],
        ..State::default()
    };
    let second = chrono::TimeDelta::seconds(1);
    assert_eq!(decided(&until(now() + second)), Decided::SlotTaken);
    let change = change(&until(now()));
    assert_eq!(change.freed, change.taken[..1]);
}

#[test]
fn a_repeated_request_gets_what_it_made_unless_that_was_cancelled() {
    let before = change(&State::default()).appointment;
    for status in Status::ALL {
        let state = State {
            repeated: Some(Appointment {
                status,
                ..before.clone()
            }),
            ..State::default()
        };
        let is_repeated = matches!(decided(&state), Decided::Repeated(_));
        assert_eq!(is_repeated, status != Status::Cancelled, "{status:?}");
    }
}

#[test]
fn references_that_are_taken_are_passed_over() {
    let taken = |references: &[&str]| State {
        references_taken: references.iter().map(|text| (*text).to_owned()).collect(),
        ..State::default()
    };
    let second = change(&taken(&["SH-AAAA-AAAA"]));
    assert_eq!(second.appointment.reference, "SH-BBBB-BBBB");
    let none = taken(&["SH-AAAA-AAAA", "SH-BBBB-BBBB"]);
    assert_eq!(decided(&none), Decided::ReferencesTaken);
}

#[test]
fn references_are_readable() {
    assert_eq!(reference(Uuid::nil()), "SH-2222-2222");
    let spread = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    for seed in 0..1000_u128 {
        let text = reference(Uuid::from_u128(seed.wrapping_mul(spread)));
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(lengths, [2, 4, 4]);
        assert!(
            !text[3..].contains(['0', '1', 'I', 'L', 'O', 'U']),
            "{text}"
        );
    }
}

proptest! {
    /// Whoever held what, a seat that is given is one of the resource, nobody holds it, and never more are held than there are.
    #[test]
    fn no_seat_is_given_twice(seats in proptest::collection::btree_map(1_u32..8, proptest::option::of(-90_i64..90), 0..8)) {
        let state = State {
            seats: seats
                .iter()
                .map(|(number, seconds)| {
                    let expire_time = seconds.map(|seconds| now() + chrono::TimeDelta::seconds(seconds));
                    held(Resource::department("cardiology"), *number, expire_time)
                })
                .collect(),
            ..State::default()
        };
        let live = state.seats.iter().filter(|held| held.is_held(now())).count();
        match decided(&state) {
            Decided::Change(change) => {
                prop_assert!(live < 4);
                let seat = &change.taken[1];
                prop_assert!((1..=4).contains(&seat.number));
                let holder = state.seats.iter().find(|held| held.seat == *seat);
                prop_assert!(holder.is_none_or(|held| !held.is_held(now())));
                prop_assert_eq!(change.freed.contains(seat), holder.is_some());
            }
            Decided::SlotTaken => prop_assert!(live >= 4),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
