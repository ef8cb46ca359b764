use proptest::prelude::*;

use super::*;
use crate::domain::{
    appointment::{AppointmentForm, BookingRequest},
    roster::Seed,
    seats::HeldSeat,
};

const OPEN_MAX: usize = 4;
const UNPROVEN_MAX: u32 = 60;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(super) fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

pub(super) fn message_ids() -> MessageIds {
    MessageIds([2, 3, 4, 5].map(Uuid::from_u128))
}

/// Returns a booking with Cardiology's clinic, which has two seats, or with a doctor.
pub(super) fn booking(doctor_id: &str, time: &str) -> Booking {
    let request = BookingRequest {
        appointment: AppointmentForm {
            patient_name: "Asha Rao".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0000".to_owned(),
            date: "2026-11-23".to_owned(),
            time: time.to_owned(),
            department: "Cardiology".to_owned(),
            doctor_id: doctor_id.to_owned(),
            ..AppointmentForm::default()
        },
        request_id: "0123456789abcdef".to_owned(),
    };
    let parsed = NewAppointment::parse(&request, &Seed::embedded().roster(), now());
    let (_, appointment) = parsed.expect("valid");
    Booking {
        id: Uuid::from_u128(1),
        message_ids: message_ids(),
        references: vec!["SH-AAAA-AAAA".to_owned(), "SH-BBBB-BBBB".to_owned()],
        appointment,
        booker: Booker::Patient,
        language: None,
    }
}

fn of_doctor() -> Booking {
    booking("doc-06", "10:00 AM")
}

pub(super) fn held(
    resource: Resource,
    number: u32,
    holder: u128,
    expire_time: Option<DateTime<Utc>>,
) -> HeldSeat {
    HeldSeat {
        seat: Seat {
            resource,
            starts_at: of_doctor().appointment.wanted.starts_at,
            number,
        },
        holder_id: Uuid::from_u128(holder),
        expire_time,
    }
}

pub(super) fn at(seats: Vec<HeldSeat>, mine: &[u128]) -> SeatsAt {
    let mine = mine.iter().copied().map(Uuid::from_u128).collect();
    SeatsAt::new(seats, mine, now())
}

pub(super) fn with(seats: SeatsAt) -> State {
    State {
        seats,
        ..State::default()
    }
}

pub(super) fn decided(state: &State) -> Decided {
    book(state, &of_doctor(), UNPROVEN_MAX, now())
}

pub(super) fn made(decided: Decided) -> Change {
    match decided {
        Decided::Change(change) => *change,
        other => panic!("{other:?}"),
    }
}

pub(super) fn kinds(change: &Change) -> Vec<&'static str> {
    change.messages.iter().map(|notice| notice.kind).collect()
}

#[test]
fn a_booking_takes_one_seat_and_has_three_notices() {
    let change = made(decided(&with(at(vec![], &[]))));
    let seat = change.taken.clone().expect("a seat");
    assert_eq!(
        (seat.resource, seat.number),
        (Resource::doctor("doc-06"), 1)
    );
    let appointment = &change.appointment;
    assert_eq!(appointment.reference, "SH-AAAA-AAAA");
    assert_eq!((appointment.version, appointment.secret_generation), (1, 1));
    assert_eq!(appointment.doctor_id.as_deref(), Some("doc-06"));
    assert_eq!((change.event, change.actor.as_str()), (BOOKED, PATIENT));
    assert!(change.freed.is_empty() && change.rewrites_contact);
    assert_eq!(kinds(&change), [BOOKED, DAY_BEFORE, HOURS_BEFORE]);
    let visit = appointment.starts_at;
    let due: Vec<_> = change
        .messages
        .iter()
        .map(|notice| notice.not_before)
        .collect();
    let hours = |hours| visit - TimeDelta::hours(hours);
    assert_eq!(due, [now(), hours(24), hours(2)]);
    // A reminder whose time has passed is dropped, not sent immediately.
    let late = hours(24);
    let change = made(book(
        &with(at(vec![], &[])),
        &of_doctor(),
        UNPROVEN_MAX,
        late,
    ));
    assert_eq!(kinds(&change), [BOOKED, HOURS_BEFORE]);
}

#[test]
fn the_desk_books_beyond_the_limit_of_a_network_and_never_a_taken_seat() {
    let by_desk = |email: &str, arrived| {
        let mut booking = of_doctor();
        email.clone_into(&mut booking.appointment.contact.email);
        booking.booker = Booker::Staff {
            actor: "desk".to_owned(),
            arrived,
        };
        booking
    };
    let mut full = with(at(vec![], &[]));
    full.unproven_of_network = UNPROVEN_MAX.into();
    let refused = Decided::Refused(Refused::NetworkAppointmentsMax);
    assert_eq!(book(&full, &of_doctor(), UNPROVEN_MAX, now()), refused);
    for (email, arrived, status, secrets, notices) in [
        ("asha@example.com", false, Status::Booked, 1, 3),
        ("", false, Status::Booked, 0, 3),
        ("asha@example.com", true, Status::Arrived, 1, 0),
    ] {
        let booking = by_desk(email, arrived);
        let change = made(book(&full, &booking, UNPROVEN_MAX, now()));
        let Appointment {
            status: found,
            secret_generation,
            proof,
            ..
        } = change.appointment;
        assert_eq!((found, secret_generation), (status, secrets), "{email}");
        assert_eq!((proof, change.messages.len()), (Proof::Desk, notices));
        assert_eq!((change.event, change.actor.as_str()), (BOOKED, "desk"));
        let taken = held(Resource::doctor("doc-06"), 1, 9, None);
        let taken = with(at(vec![taken], &[]));
        let refused = Decided::Refused(Refused::SlotTaken);
        assert_eq!(book(&taken, &booking, UNPROVEN_MAX, now()), refused);
    }
}

#[test]
fn a_taken_doctor_is_refused_while_the_clinic_has_seats() {
    let doctor = held(Resource::doctor("doc-06"), 1, 9, None);
    let taken = Decided::Refused(Refused::SlotTaken);
    assert_eq!(decided(&with(at(vec![doctor], &[]))), taken);
}

#[test]
fn a_hold_counts_until_it_expires_and_is_then_replaced() {
    let until = |at| held(Resource::doctor("doc-06"), 1, 9, Some(at));
    let second = TimeDelta::seconds(1);
    let taken = Decided::Refused(Refused::SlotTaken);
    assert_eq!(decided(&with(at(vec![until(now() + second)], &[]))), taken);
    let over = until(now());
    let change = made(decided(&with(at(vec![over.clone()], &[]))));
    assert_eq!(change.freed, [over]);
}

#[test]
fn the_callers_hold_becomes_the_appointment_at_any_time() {
    let mut new = of_doctor();
    new.appointment.hold_id = Some(Uuid::from_u128(9));
    let there = held(
        Resource::doctor("doc-06"),
        1,
        9,
        Some(now() + TimeDelta::minutes(1)),
    );
    let state = with(at(vec![there.clone()], &[9]));
    let change = made(book(&state, &new, UNPROVEN_MAX, now()));
    assert_eq!(
        (change.taken.as_ref(), &change.freed[..]),
        (Some(&there.seat), &[there.clone()][..])
    );
    let mut elsewhere = there;
    elsewhere.seat.starts_at += TimeDelta::minutes(30);
    let state = with(at(vec![elsewhere.clone()], &[9]));
    let change = made(book(&state, &new, UNPROVEN_MAX, now()));
    assert_eq!(change.freed, [elsewhere.clone()]);
    assert_ne!(change.taken, Some(elsewhere.seat));
}

#[test]
fn a_retry_returns_its_appointment_unless_cancelled() {
    let before = made(decided(&with(at(vec![], &[])))).appointment;
    for status in Status::ALL {
        let state = State {
            repeated: Some(Appointment {
                status,
                ..before.clone()
            }),
            ..with(at(vec![], &[]))
        };
        let is_repeated = matches!(decided(&state), Decided::Repeated(_));
        assert_eq!(is_repeated, status != Status::Cancelled, "{status:?}");
    }
}

#[test]
fn taken_references_are_skipped() {
    let taken = |references: &[&str]| State {
        references_taken: references.iter().map(|text| (*text).to_owned()).collect(),
        ..with(at(vec![], &[]))
    };
    let second = made(decided(&taken(&["SH-AAAA-AAAA"])));
    assert_eq!(second.appointment.reference, "SH-BBBB-BBBB");
    let none = taken(&["SH-AAAA-AAAA", "SH-BBBB-BBBB"]);
    assert_eq!(decided(&none), Decided::Refused(Refused::ReferencesTaken));
}

fn open(department_id: &str, days: i64, minutes: i64) -> OpenAppointment {
    OpenAppointment {
        department_id: department_id.to_owned(),
        starts_at: of_doctor().appointment.wanted.starts_at
            + TimeDelta::days(days)
            + TimeDelta::minutes(minutes),
    }
}

fn place() -> OpenAppointment {
    open("cardiology", 0, 0)
}

#[test]
fn a_proven_address_has_one_per_department_and_day_and_four_in_total() {
    let having = |open: Vec<OpenAppointment>| one_too_many(&open, &place(), OPEN_MAX);
    let same_day = Some(Refused::SameDay);
    assert_eq!(having(vec![open("cardiology", 0, 240)]), same_day);
    // The day is that of Asia/Kolkata: 10:00 AM there is 4:30 AM UTC.
    assert_eq!(having(vec![open("cardiology", 0, -300)]), same_day);
    let elsewhere = vec![open("cardiology", 1, 0), open("ent", 0, 0)];
    assert_eq!(having(elsewhere), None);
    let three = vec![open("ent", 0, 0), open("ent", 1, 0), open("ent", 2, 0)];
    assert_eq!(having(three.clone()), None);
    let four = [three, vec![open("ent", 3, 0)]].concat();
    assert_eq!(having(four), Some(Refused::AppointmentsMax));
}

// X1: a taken time is refused first, then the network's limit. Nothing depends on the person.
#[test]
fn a_booking_is_refused_for_its_time_or_its_network() {
    let having = |unproven, seats| {
        decided(&State {
            unproven_of_network: unproven,
            ..with(at(seats, &[]))
        })
    };
    let most = i64::from(UNPROVEN_MAX);
    made(having(most - 1, vec![]));
    let too_many = Decided::Refused(Refused::NetworkAppointmentsMax);
    assert_eq!(having(most, vec![]), too_many);
    let doctor = held(Resource::doctor("doc-06"), 1, 9, None);
    let taken = Decided::Refused(Refused::SlotTaken);
    assert_eq!(having(most, vec![doctor]), taken);
    let booked = made(having(0, vec![]));
    assert_eq!(
        (booked.appointment.proof, booked.proof),
        (Proof::Unproven, None)
    );
}

#[test]
fn references_are_readable() {
    assert_eq!(reference("SH", Uuid::nil()), "SH-2222-2222");
    let spread = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    for seed in 0..1000_u128 {
        let text = reference("WL", Uuid::from_u128(seed.wrapping_mul(spread)));
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(lengths, [2, 4, 4]);
        assert!(
            !text[3..].contains(['0', '1', 'I', 'L', 'O', 'U']),
            "{text}"
        );
    }
}

proptest! {
    /// For any holders, an assigned seat is free and within the clinic's capacity.
    #[test]
    fn no_seat_is_assigned_twice(seats in proptest::collection::btree_map(1_u32..6, proptest::option::of(-90_i64..90), 0..6)) {
        let held: Vec<HeldSeat> = seats
            .iter()
            .map(|(number, seconds)| {
                let expire_time = seconds.map(|seconds| now() + TimeDelta::seconds(seconds));
                let mut held = held(Resource::clinic("cardiology-opd"), *number, 9, expire_time);
                held.seat.starts_at = booking("", "9:00 AM").appointment.wanted.starts_at;
                held
            })
            .collect();
        let live = held.iter().filter(|held| held.is_held(now())).count();
        let state = with(at(held.clone(), &[]));
        match book(&state, &booking("", "9:00 AM"), UNPROVEN_MAX, now()) {
            Decided::Change(change) => {
                prop_assert!(live < 2);
                let seat = change.taken.expect("a seat");
                prop_assert!((1..=2).contains(&seat.number));
                let before = held.iter().find(|held| held.seat == seat);
                prop_assert!(before.is_none_or(|held| !held.is_held(now())));
                prop_assert_eq!(change.freed.first(), before);
            }
            Decided::Refused(Refused::SlotTaken) => prop_assert!(live >= 2),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
