//! Holds: slots reserved while a form is filled in.

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Ids as _, RandomIds};
use svc_booking::{
    domain::{
        calendar::SlotTime,
        change::{Appointment, Refused},
        hold::{HELD_WINDOW, HOLD_TIME, HOLDS_OF_NETWORK_MAX, HoldLimit},
        seats::Resource,
    },
    store::{BookOutcome, HoldOutcome, NewHold},
};
use test_kit::on_both_databases;

use crate::fixture::{
    Bench, Hospital, MONDAY, TUESDAY, changed, created, hashed, is_booked, now, request,
};

on_both_databases!(test_kit::bench::empty:
    a_held_time_is_bookable_by_its_holder_only,
    an_expired_hold_holds_nothing,
    a_visitor_has_one_hold,
    a_network_has_twenty_holds,
    a_network_holds_a_part_of_a_day,
    a_network_that_holds_and_never_books_must_pause,
    booked_holds_are_not_counted,
    a_booking_frees_the_visitors_hold_of_another_time,
    only_the_id_of_a_hold_is_accepted_as_a_hold,
    an_overtaken_hold_frees_nothing,
    expired_holds_are_swept,
    a_hold_against_a_stale_roster_is_rechecked,
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

async fn a_held_time_is_bookable_by_its_holder_only(bench: Bench) {
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

/// A hold lasts five minutes to the microsecond, on both databases.
async fn an_expired_hold_holds_nothing(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    assert!(is_held(&hospital.hold(&hold).await));
    let asked = request("urology", "", "9:00 AM");
    let end = now() + HOLD_TIME;
    let nearly = end - TimeDelta::microseconds(1);
    let outcome = hospital.try_book(&asked, nearly).await.expect("no error");
    assert_eq!(outcome, BookOutcome::Refused(Refused::SlotTaken));
    // The database and the domain count alike.
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
    // An expired hold gives no advantage.
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
    // The same slot again, whose only seat is the visitor's own.
    let third = NewHold {
        visitor: hashed("after the network changed"),
        replaces: Some(second.id),
        ..hospital.new_hold("urology", "9:30 AM", "a").await
    };
    assert!(is_held(&hospital.hold(&third).await));
    assert_eq!(bench.test.scalar(SEATS).await, 1);
    assert_eq!(bench.test.scalar(HOLDS).await, 1);
    assert_eq!(
        hospital
            .store
            .release(second.id, now())
            .await
            .expect("no error"),
        None
    );
    let released = hospital
        .store
        .release(third.id, now())
        .await
        .expect("no error");
    assert_eq!(released.expect("a seat").resource, Resource::clinic("uro"));
    assert_eq!(
        bench.test.scalar(SEATS).await + bench.test.scalar(HOLDS).await,
        0
    );
    bench.end().await;
}

/// Returns a hold by a distinct visitor of one shared network.
async fn of_one_network(hospital: &Hospital, department: &str, date: &str, time: &str) -> NewHold {
    let visitor = format!("{department} {date} {time}");
    NewHold {
        network: hashed("one"),
        wanted: hospital.wanted(department, None, date, time).await,
        ..hospital.new_hold(department, time, &visitor).await
    }
}

fn refused(limit: HoldLimit, until: DateTime<Utc>) -> HoldOutcome {
    HoldOutcome::TooMany { limit, until }
}

async fn a_network_has_twenty_holds(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let departments = [
        "ent",
        "urology",
        "pediatrics",
        "general-medicine",
        "cardiology",
    ];
    let mut count = 0;
    for department in departments {
        for (date, time) in [
            (MONDAY, "9:00 AM"),
            (MONDAY, "9:30 AM"),
            (TUESDAY, "9:00 AM"),
            (TUESDAY, "9:30 AM"),
        ] {
            let hold = of_one_network(&hospital, department, date, time).await;
            assert!(is_held(&hospital.hold(&hold).await), "{count}");
            count += 1;
        }
    }
    assert_eq!(count, HOLDS_OF_NETWORK_MAX);
    let next = of_one_network(&hospital, "pediatrics", MONDAY, "3:00 PM").await;
    let end = now() + HOLD_TIME;
    assert_eq!(hospital.hold(&next).await, refused(HoldLimit::Network, end));
    let elsewhere = hospital
        .new_hold("pediatrics", "3:00 PM", "elsewhere")
        .await;
    assert!(is_held(&hospital.hold(&elsewhere).await));
    assert!(is_held(&hospital.hold_at(&next, end).await));
    bench.end().await;
}

/// X4: one network cannot block a small department's day: it holds four of Urology's 18 seats, and two of doctor d1's
/// eight.
async fn a_network_holds_a_part_of_a_day(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let end = now() + HOLD_TIME;
    let day_is_reached = refused(HoldLimit::Day, end);
    let mut count = 0;
    let mut outcome = HoldOutcome::SlotTaken;
    for slot in SlotTime::all() {
        let hold = of_one_network(&hospital, "urology", MONDAY, &slot.label()).await;
        outcome = hospital.hold(&hold).await;
        count += usize::from(is_held(&outcome));
    }
    assert_eq!((count, outcome), (4, day_is_reached.clone()));
    // Another day and another network are not affected. Neither is a hold that replaces the visitor's own.
    let tuesday = of_one_network(&hospital, "urology", TUESDAY, "9:00 AM").await;
    assert!(is_held(&hospital.hold(&tuesday).await));
    let elsewhere = hospital.new_hold("urology", "5:00 PM", "elsewhere").await;
    assert!(is_held(&hospital.hold(&elsewhere).await));
    let first = of_one_network(&hospital, "urology", MONDAY, "9:00 AM").await;
    let instead = NewHold {
        visitor: first.visitor,
        ..of_one_network(&hospital, "urology", MONDAY, "6:30 PM").await
    };
    assert!(is_held(&hospital.hold(&instead).await));
    let mut of_doctor = Vec::new();
    for slot in SlotTime::all().take(3) {
        let label = slot.label();
        let hold = NewHold {
            wanted: hospital.wanted("ent", Some("d1"), MONDAY, &label).await,
            ..of_one_network(&hospital, "ent", MONDAY, &label).await
        };
        of_doctor.push(hospital.hold(&hold).await);
    }
    assert_eq!(of_doctor.pop(), Some(day_is_reached));
    assert!(of_doctor.iter().all(is_held));
    bench.end().await;
}

/// X4: holds cannot be renewed for ever. A network that books nothing is refused after 30 minutes for each of its four
/// concurrent holds.
async fn a_network_that_holds_and_never_books_must_pause(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold_at = async |minute: i64| {
        let at = now() + TimeDelta::minutes(minute);
        let hold = NewHold {
            expire_time: at + HOLD_TIME,
            ..of_one_network(&hospital, "urology", MONDAY, "9:00 AM").await
        };
        let outcome = hospital.hold_at(&hold, at).await;
        (hold, outcome)
    };
    // One visitor renews one hold, sometimes lets it expire, and sometimes releases it.
    let mut minute = 0;
    let mut added = 0;
    let (hold, outcome) = loop {
        let (hold, outcome) = hold_at(minute).await;
        if !is_held(&outcome) || added >= 200 {
            break (hold, outcome);
        }
        match minute % 3 {
            0 => {
                let at = now() + TimeDelta::minutes(minute + 5);
                assert_eq!(hospital.store.sweep_holds(at).await.expect("no error"), 1);
            }
            1 => {
                let at = now() + TimeDelta::minutes(minute + 5);
                let given_back = hospital.store.release(hold.id, at).await;
                assert!(given_back.expect("no error").is_some());
            }
            _ => {}
        }
        minute += 5;
        added += 5;
    };
    assert_eq!(added, 120);
    let end = now() + TimeDelta::minutes(5) + HELD_WINDOW;
    assert_eq!(outcome, refused(HoldLimit::Rest, end));
    // The network may book, hold slots of another day, and hold again later.
    let (_, still) = hold_at(6 * 60 + 4).await;
    assert!(!is_held(&still));
    let tuesday = of_one_network(&hospital, "urology", TUESDAY, "9:00 AM").await;
    assert!(is_held(&hospital.hold(&tuesday).await));
    assert!(is_booked(
        &hospital.book(&request("urology", "", "9:30 AM")).await
    ));
    assert_eq!(hold.network, hashed("one"));
    let later = now() + TimeDelta::minutes(5) + HELD_WINDOW;
    assert!(is_held(&hold_at(6 * 60 + 5).await.1));
    let much_later = later + HELD_WINDOW;
    for at in [later, much_later, much_later + HELD_WINDOW] {
        hospital.store.sweep_holds(at).await.expect("no error");
    }
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM held_times").await,
        0
    );
    bench.end().await;
}

/// X4: a network that books its holds is never refused.
async fn booked_holds_are_not_counted(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    for slot in SlotTime::all() {
        let label = slot.label();
        let hold = of_one_network(&hospital, "urology", MONDAY, &label).await;
        assert!(is_held(&hospital.hold(&hold).await));
        created(book_with(&hospital, &hold, &label).await);
    }
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM held_times").await,
        0
    );
    bench.end().await;
}

/// Of another time of the department, or of the same time in another department.
async fn a_booking_frees_the_visitors_hold_of_another_time(bench: Bench) {
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

/// A person's appointment id in place of a hold id gives no access to a sold seat.
async fn only_the_id_of_a_hold_is_accepted_as_a_hold(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let sold: Appointment = hospital.booked("urology", "", "9:00 AM").await;
    let mut hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    hold.id = sold.id;
    let refused = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(book_with(&hospital, &hold, "9:00 AM").await, refused);
    created(book_with(&hospital, &hold, "9:30 AM").await);
    assert_eq!(bench.test.scalar(SEATS).await, 2);
    assert_eq!(
        hospital
            .store
            .release(sold.id, now())
            .await
            .expect("no error"),
        None
    );
    assert_eq!(bench.test.scalar(SEATS).await, 2);
    bench.end().await;
}

/// After the first hold has expired, another visitor books its seat. The holder then books another time with the
/// expired hold.
async fn an_overtaken_hold_frees_nothing(bench: Bench) {
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
        hospital
            .store
            .release(hold.id, later)
            .await
            .expect("no error"),
        None
    );
    let seats = "SELECT count(*) FROM seats WHERE holder_id = (SELECT id FROM appointments ORDER BY starts_at LIMIT 1)";
    assert_eq!(bench.test.scalar(seats).await, 1);
    assert!(taken.resource.is_some());
    bench.end().await;
}

async fn expired_holds_are_swept(bench: Bench) {
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

async fn a_hold_against_a_stale_roster_is_rechecked(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let stale = hospital.roster().await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    hospital.leave(Resource::clinic("uro"), MONDAY).await;
    let outcome = hospital.store.hold(hold, stale, now()).await;
    assert_eq!(outcome.expect("no error"), HoldOutcome::RosterChanged);
    bench.end().await;
}
