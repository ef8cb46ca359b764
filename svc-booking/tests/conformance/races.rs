//! Concurrent calls.

use std::collections::HashSet;

use futures::future::join_all;
use hospital_proto::booking::v1::CreateAppointmentRequest;
use svc_booking::{
    domain::{
        change::{Action, Refused},
        seats::Resource,
        waitlist::EntryState,
    },
    store::{BookOutcome, ChangeOutcome, EntryAction, EntryOutcome, HoldOutcome, NewHold},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, Hospital, MONDAY, changed, created, hashed, is_booked, now, request, staff},
    line::{accept, act_by, entry, join, waiting},
};

on_both_databases!(test_kit::bench::empty:
    one_seat_is_sold_once,
    a_department_sells_exactly_its_seats,
    a_retried_request_is_booked_once,
    mixed_doctors_fill_a_department_without_deadlock,
    a_visitor_has_one_hold_at_once,
    a_hold_is_released_or_booked,
    two_freed_seats_are_not_offered_to_one_entry,
    an_offer_is_accepted_left_or_expires,
    an_appointment_is_moved_once,
    a_booking_concurrent_with_leave_is_affected,
);

const ONE_SEAT_EACH: &str = "SELECT count(*) FROM appointments WHERE status = 'booked' \
    AND (SELECT count(*) FROM seats WHERE holder_id = appointments.id AND seats.starts_at = appointments.starts_at) <> 1";

/// Books all requests concurrently; a store error fails the test. A booking whose roster was replaced meanwhile is
/// checked again, as in the service.
async fn book_all(
    hospital: &Hospital,
    requests: impl IntoIterator<Item = CreateAppointmentRequest>,
) -> Vec<BookOutcome> {
    let tasks: Vec<_> = requests
        .into_iter()
        .map(|request| {
            let hospital = hospital.clone();
            tokio::spawn(async move { hospital.book(&request).await })
        })
        .collect();
    let outcomes = join_all(tasks).await.into_iter();
    outcomes.map(|outcome| outcome.expect("no panic")).collect()
}

fn count(outcomes: &[BookOutcome], expected: impl Fn(&BookOutcome) -> bool) -> usize {
    outcomes.iter().filter(|outcome| expected(outcome)).count()
}

async fn one_seat_is_sold_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let outcomes = book_all(
        &hospital,
        (0..100).map(|_| request("urology", "", "9:00 AM")),
    )
    .await;
    assert_eq!(count(&outcomes, is_booked), 1);
    let taken = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(count(&outcomes, |outcome| *outcome == taken), 99);
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM appointments").await,
        1
    );
    assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 1);
    bench.end().await;
}

async fn a_department_sells_exactly_its_seats(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let outcomes = book_all(
        &hospital,
        (0..40).map(|_| request("pediatrics", "", "9:00 AM")),
    )
    .await;
    assert_eq!(count(&outcomes, is_booked), 3);
    let seats = "SELECT count(DISTINCT seat) FROM seats WHERE seat <= 3";
    assert_eq!(bench.test.scalar(seats).await, 3);
    bench.end().await;
}

async fn a_retried_request_is_booked_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let one = request("urology", "", "9:00 AM");
    let outcomes = book_all(&hospital, (0..50).map(|_| one.clone())).await;
    let answers: HashSet<_> = outcomes
        .iter()
        .map(|outcome| match outcome {
            BookOutcome::Created(appointment) | BookOutcome::Repeated(appointment) => {
                appointment.id
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!((count(&outcomes, is_booked), answers.len()), (1, 1));
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM appointments").await,
        1
    );
    bench.end().await;
}

/// Bookings with and without a doctor compete for the same seats in different ways.
async fn mixed_doctors_fill_a_department_without_deadlock(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let doctors = ["", "d1", "d2", "d3"];
    let requests = (0..80).map(|number| request("ENT", doctors[number % 4], "9:00 AM"));
    let outcomes = book_all(&hospital, requests).await;
    assert_eq!(count(&outcomes, is_booked), 4, "exactly full");
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(DISTINCT resource) FROM seats")
            .await,
        4
    );
    assert_eq!(bench.test.scalar(ONE_SEAT_EACH).await, 0);
    bench.end().await;
}

async fn a_visitor_has_one_hold_at_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mut holds = Vec::new();
    for time in svc_booking::domain::calendar::SlotTime::all() {
        let hold = hospital.new_hold("urology", &time.label(), "one").await;
        holds.push(NewHold {
            // As after a change of network: only the visitor is the same.
            network: hashed(&time.label()),
            ..hold
        });
    }
    let tasks = holds.into_iter().map(|hold| {
        let hospital = hospital.clone();
        tokio::spawn(async move { hospital.hold(&hold).await })
    });
    for outcome in join_all(tasks).await {
        assert!(matches!(outcome.expect("no panic"), HoldOutcome::Held(_)));
    }
    assert_eq!(bench.test.scalar("SELECT count(*) FROM holds").await, 1);
    assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 1);
    bench.end().await;
}

/// The page is left while its form is being sent. In either order, a booked appointment keeps its seat.
async fn a_hold_is_released_or_booked(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    for time in svc_booking::domain::calendar::SlotTime::all() {
        let time = time.label();
        let hold = hospital.new_hold("urology", &time, "one").await;
        assert!(matches!(hospital.hold(&hold).await, HoldOutcome::Held(_)));
        let asked = changed(&request("urology", "", &time), |body| {
            body.hold_id = hold.id.to_string();
        });
        let (booked, released) = tokio::join!(
            hospital.book(&asked),
            hospital.store.release(hold.id, now())
        );
        released.expect("no error");
        created(booked);
        assert_eq!(bench.test.scalar(ONE_SEAT_EACH).await, 0, "{time}");
    }
    bench.end().await;
}

async fn two_freed_seats_are_not_offered_to_one_entry(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    // Which of them run concurrently is random, so there are several rounds.
    for _ in 0..6 {
        let mut booked = Vec::new();
        for time in [
            "9:00 AM", "9:30 AM", "10:00 AM", "10:30 AM", "11:00 AM", "11:30 AM",
        ] {
            booked.push(hospital.booked("urology", "", time).await);
        }
        let waits = join(&hospital, &waiting("urology", None, MONDAY)).await;
        let cancels = booked.into_iter().map(|known| {
            let hospital = hospital.clone();
            let cancel = Action::Cancel { notify: false };
            tokio::spawn(async move { hospital.change(&known, cancel).await })
        });
        for outcome in join_all(cancels).await {
            let outcome = outcome.expect("no panic");
            assert!(matches!(outcome, ChangeOutcome::Changed { .. }));
        }
        let state = entry(&hospital, waits.id).await.state;
        assert_eq!(state, EntryState::Offered);
        assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 1);
        let messages = "SELECT count(*) FROM outbox_messages WHERE kind = 'waitlist.offered'";
        assert_eq!(bench.test.scalar(messages).await, 1);
        let roster = hospital.roster().await;
        act_by(&hospital, waits.id, EntryAction::Leave, roster, now()).await;
    }
    bench.end().await;
}

/// Several concurrent calls accept one offer, leave the waitlist and end the offer. At most one appointment results,
/// and no seat without a holder.
async fn an_offer_is_accepted_left_or_expires(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    for time in ["9:00 AM", "10:00 AM", "11:00 AM", "12:00 PM"] {
        let freed = hospital.booked("urology", "", time).await;
        let waiting = join(&hospital, &waiting("urology", None, MONDAY)).await;
        let cancel = Action::Cancel { notify: false };
        hospital.change_at(&freed, &staff(), cancel, now()).await;
        let roster = hospital.roster().await;
        let actions = (0..8).map(|number| {
            let (hospital, roster) = (hospital.clone(), roster.clone());
            let action = if number == 3 {
                EntryAction::Leave
            } else {
                accept()
            };
            tokio::spawn(async move { act_by(&hospital, waiting.id, action, roster, now()).await })
        });
        let outcomes = join_all(actions).await.into_iter();
        let booked: HashSet<_> = outcomes
            .filter_map(|outcome| match outcome.expect("no panic") {
                EntryOutcome::Booked(appointment) => Some(appointment.id),
                EntryOutcome::Left(_) | EntryOutcome::OfferOver => None,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(booked.len() <= 1, "{booked:?}");
        assert_eq!(bench.test.scalar(ONE_SEAT_EACH).await, 0);
        let orphans = "SELECT count(*) FROM seats WHERE holder_kind = 'offer'";
        assert_eq!(bench.test.scalar(orphans).await, 0);
    }
    bench.end().await;
}

async fn an_appointment_is_moved_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    let mut tasks = Vec::new();
    for time in svc_booking::domain::calendar::SlotTime::all().skip(1) {
        let wanted = hospital
            .wanted("urology", None, MONDAY, &time.label())
            .await;
        let (hospital, known) = (hospital.clone(), booked.clone());
        tasks.push(tokio::spawn(async move {
            hospital.change(&known, Action::Move(wanted)).await
        }));
    }
    let mut moved = 0;
    for outcome in join_all(tasks).await {
        match outcome.expect("no panic") {
            ChangeOutcome::Changed { .. } => moved += 1,
            other => assert_eq!(other, ChangeOutcome::Refused(Refused::EtagMismatch)),
        }
    }
    assert_eq!(moved, 1);
    assert_eq!(bench.test.scalar(ONE_SEAT_EACH).await, 0);
    assert_eq!(bench.test.scalar("SELECT count(*) FROM seats").await, 1);
    bench.end().await;
}

/// Leave is entered during concurrent bookings: earlier bookings are reported as affected, and later ones are refused.
async fn a_booking_concurrent_with_leave_is_affected(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let times: Vec<_> = svc_booking::domain::calendar::SlotTime::all().collect();
    let roster = hospital.roster().await;
    let mut bookings = Vec::new();
    for time in times.iter().cycle().take(54) {
        let new = hospital
            .new_booking(&request("pediatrics", "", &time.label()), now())
            .await;
        let (hospital, roster) = (hospital.clone(), roster.clone());
        bookings.push(tokio::spawn(async move {
            hospital
                .store
                .book(new, roster, now())
                .await
                .expect("no error")
        }));
    }
    let leave = {
        let hospital = hospital.clone();
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            hospital.leave(Resource::clinic("ped"), MONDAY).await
        })
    };
    let mut booked = HashSet::new();
    for outcome in join_all(bookings).await {
        match outcome.expect("no panic") {
            BookOutcome::Created(appointment) => drop(booked.insert(appointment.id)),
            other => assert_eq!(other, BookOutcome::RosterChanged),
        }
    }
    let affected = leave.await.expect("no panic");
    let affected: HashSet<_> = affected.into_iter().collect();
    assert_eq!(affected, booked);
    bench.end().await;
}
