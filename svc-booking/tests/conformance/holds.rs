//! Times that are kept while a form is filled in.

use chrono::TimeDelta;
use service_kit::source::{Ids as _, RandomIds};
use svc_booking::{
    domain::{
        change::{Appointment, Refused},
        hold::{HOLD_TIME, HOLDS_OF_NETWORK_MAX},
        seats::Resource,
    },
    store::{BookOutcome, HoldOutcome, NewHold},
};
use test_kit::on_both_databases;

use crate::fixture::{
    Bench, Hospital, MONDAY, again, changed, created, hashed, is_booked, now, request,
};

on_both_databases!(test_kit::bench::empty:
    a_held_time_is_its_holders_alone,
    a_hold_that_is_over_is_no_holder,
    a_visitor_has_one_hold,
    a_network_has_twenty_holds,
    a_hold_of_another_time_is_given_back_by_the_booking,
    only_a_hold_is_a_hold,
    a_hold_that_was_taken_over_takes_nothing_back,
    what_is_over_is_swept,
    a_hold_of_another_roster_is_checked_again,
);

const SEATS: &str = "SELECT count(*) FROM seats";
const HOLDS: &str = "SELECT count(*) FROM holds";

/// Books with a hold.
async fn book_with(hospital: &Hospital, hold: &NewHold, time: &str) -> BookOutcome {
    let asked = changed(&request("urology", "", time), |body| {
        body.hold_id = hold.id.to_string();
    });
    hospital.book(&asked).await
}

fn is_held(outcome: &HoldOutcome) -> bool {
    matches!(outcome, HoldOutcome::Held(_))
}

async fn a_held_time_is_its_holders_alone(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    let HoldOutcome::Held(seat) = hospital.hold(&hold).await else {
        panic!("it is free");
    };
    assert_eq!((seat.resource, seat.number), (Resource::clinic("uro"), 1));
    let other = hospital.new_hold("urology", "9:00 AM", "b").await;
    assert_eq!(hospital.hold(&other).await, HoldOutcome::SlotTaken);
    let refused = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(
        hospital.book(&request("urology", "", "9:00 AM")).await,
        refused
    );
    let stranger = NewHold {
        id: RandomIds.uuid(),
        ..hold.clone()
    };
    assert_eq!(book_with(&hospital, &stranger, "9:00 AM").await, refused);
    let booked = created(book_with(&hospital, &hold, "9:00 AM").await);
    assert_eq!(booked.resource, Some(Resource::clinic("uro")));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    assert_eq!(bench.test.scalar(HOLDS).await, 0);
    let kept =
        "SELECT count(*) FROM seats WHERE holder_kind = 'appointment' AND expire_time IS NULL";
    assert_eq!(bench.test.scalar(kept).await, 1);
    bench.end().await;
}

/// Five minutes to the microsecond, on both databases.
async fn a_hold_that_is_over_is_no_holder(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    assert!(is_held(&hospital.hold(&hold).await));
    let asked = request("urology", "", "9:00 AM");
    let end = now() + HOLD_TIME;
    let nearly = end - TimeDelta::microseconds(1);
    let outcome = hospital.try_book(&asked, nearly).await.expect("no error");
    assert_eq!(outcome, BookOutcome::Refused(Refused::SlotTaken));
    // Counted by the database and by the domain alike.
    let roster = hospital.roster().await;
    let resources = roster.resources("urology");
    let span = svc_booking::domain::availability::Span::bookable(now());
    for (moment, expected) in [(nearly, false), (end, true)] {
        let (taken, _) = hospital
            .store
            .taken(&resources, span, moment)
            .await
            .expect("no error");
        let wanted = hospital.wanted("urology", None, MONDAY, "9:00 AM").await;
        let query = svc_booking::domain::availability::AvailabilityQuery::of(
            &roster,
            roster.department("urology").expect("a department"),
            None,
            span,
        );
        let days = query.days(&taken, moment);
        let slot = days
            .iter()
            .flat_map(|day| &day.slots)
            .find(|slot| slot.starts_at == wanted.starts_at)
            .expect("a slot");
        assert_eq!(slot.free.is_some(), expected);
    }
    let outcome = hospital.try_book(&asked, end).await.expect("no error");
    assert!(is_booked(&outcome));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    // Whoever comes with it now is as anybody else.
    let refused = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(book_with(&hospital, &hold, "9:00 AM").await, refused);
    bench.end().await;
}

async fn a_visitor_has_one_hold(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = hospital.new_hold("urology", "9:00 AM", "a").await;
    assert!(is_held(&hospital.hold(&first).await));
    let second = hospital.new_hold("urology", "9:30 AM", "a").await;
    assert!(is_held(&hospital.hold(&second).await));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    // The same time again, whose only seat is one's own.
    let third = NewHold {
        visitor: hashed("after the network changed"),
        replaces: Some(second.id),
        ..hospital.new_hold("urology", "9:30 AM", "a").await
    };
    assert!(is_held(&hospital.hold(&third).await));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    assert_eq!(bench.test.scalar(HOLDS).await, 1);
    assert_eq!(
        hospital.store.release(second.id).await.expect("no error"),
        None
    );
    let released = hospital.store.release(third.id).await.expect("no error");
    assert_eq!(released.expect("a seat").resource, Resource::clinic("uro"));
    assert_eq!(
        bench.test.scalar(SEATS).await + bench.test.scalar(HOLDS).await,
        0
    );
    bench.end().await;
}

async fn a_network_has_twenty_holds(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let times: Vec<_> = svc_booking::domain::calendar::SlotTime::all().collect();
    for (number, time) in times.iter().cycle().take(20).enumerate() {
        let department = if number < 18 { "urology" } else { "pediatrics" };
        let visitor = number.to_string();
        let hold = NewHold {
            network: hashed("one"),
            ..hospital.new_hold(department, &time.label(), &visitor).await
        };
        assert!(is_held(&hospital.hold(&hold).await), "{number}");
    }
    assert_eq!(HOLDS_OF_NETWORK_MAX, bench.test.scalar(HOLDS).await);
    let next = NewHold {
        network: hashed("one"),
        ..hospital.new_hold("pediatrics", "3:00 PM", "next").await
    };
    let end = now() + HOLD_TIME;
    assert_eq!(hospital.hold(&next).await, HoldOutcome::TooMany(end));
    let elsewhere = hospital
        .new_hold("pediatrics", "3:00 PM", "elsewhere")
        .await;
    assert!(is_held(&hospital.hold(&elsewhere).await));
    assert!(is_held(&hospital.hold_at(&next, end).await));
    bench.end().await;
}

/// Another time of the department, or the same time of another one.
async fn a_hold_of_another_time_is_given_back_by_the_booking(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    for (department, time, visitor) in
        [("urology", "10:00 AM", "a"), ("pediatrics", "9:00 AM", "b")]
    {
        let hold = hospital.new_hold(department, time, visitor).await;
        assert!(is_held(&hospital.hold(&hold).await));
        let booked = created(book_with(&hospital, &hold, "9:00 AM").await);
        assert_eq!(bench.test.scalar(SEATS).await, 1, "{department}");
        assert_eq!(bench.test.scalar(HOLDS).await, 0);
        let cancel = svc_booking::domain::change::Action::Cancel { notify: false };
        crate::fixture::done(hospital.change(&booked, cancel).await);
    }
    bench.end().await;
}

/// The id of somebody's appointment in the place of a hold's gives nobody a seat that is sold.
async fn only_a_hold_is_a_hold(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let sold: Appointment = hospital.booked("urology", "", "9:00 AM").await;
    let mut hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    hold.id = sold.id;
    let refused = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(book_with(&hospital, &hold, "9:00 AM").await, refused);
    created(book_with(&hospital, &hold, "9:30 AM").await);
    assert_eq!(bench.test.scalar(SEATS).await, 2);
    assert_eq!(
        hospital.store.release(sold.id).await.expect("no error"),
        None
    );
    assert_eq!(bench.test.scalar(SEATS).await, 2);
    bench.end().await;
}

/// The first hold is over and somebody else has its seat; then its holder books another time with it.
async fn a_hold_that_was_taken_over_takes_nothing_back(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    assert!(is_held(&hospital.hold(&hold).await));
    let later = now() + HOLD_TIME;
    let other = request("urology", "", "9:00 AM");
    let taken = created(hospital.try_book(&other, later).await.expect("no error"));
    let asked = changed(&request("urology", "", "9:30 AM"), |body| {
        body.hold_id = hold.id.to_string();
    });
    assert!(is_booked(
        &hospital.try_book(&asked, later).await.expect("no error")
    ));
    assert_eq!(
        hospital.store.release(hold.id).await.expect("no error"),
        None
    );
    let outcome = hospital
        .try_book(&again(&other), later)
        .await
        .expect("no error");
    assert_eq!(outcome, BookOutcome::Refused(Refused::SameDay));
    let seats = "SELECT count(*) FROM seats WHERE holder_id = (SELECT id FROM appointments ORDER BY starts_at LIMIT 1)";
    assert_eq!(bench.test.scalar(seats).await, 1);
    assert!(taken.resource.is_some());
    bench.end().await;
}

async fn what_is_over_is_swept(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    assert!(is_held(&hospital.hold(&hold).await));
    let late = NewHold {
        expire_time: now() + TimeDelta::minutes(6),
        ..hospital.new_hold("urology", "9:30 AM", "b").await
    };
    assert!(is_held(&hospital.hold(&late).await));
    hospital.booked("urology", "", "10:00 AM").await;
    let sweep = async |at| hospital.store.sweep_holds(at).await.expect("no error");
    assert_eq!(
        sweep(now() + HOLD_TIME - TimeDelta::microseconds(1)).await,
        0
    );
    assert_eq!(sweep(now() + HOLD_TIME).await, 1);
    assert_eq!(bench.test.scalar(SEATS).await, 2);
    assert_eq!(bench.test.scalar(HOLDS).await, 1);
    bench.end().await;
}

async fn a_hold_of_another_roster_is_checked_again(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let stale = hospital.roster().await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    hospital.leave(Resource::clinic("uro"), MONDAY).await;
    let outcome = hospital.store.hold(hold, stale, now()).await;
    assert_eq!(outcome.expect("no error"), HoldOutcome::RosterChanged);
    bench.end().await;
}
