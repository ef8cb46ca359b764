//! From the first click to the end, once through.

use chrono::TimeDelta;
use svc_booking::{
    domain::change::{Action, MessageIds},
    store::{HoldOutcome, ListFilter, Name, Reached},
};
use test_kit::on_both_databases;

use crate::fixture::{
    Bench, Hospital, MONDAY, TUESDAY, created, day, done, hashed, now, request, staff,
};

on_both_databases!(test_kit::bench::empty: a_time_is_held_booked_moved_and_cancelled, everything_of_the_desk_is_asked_once);

async fn a_time_is_held_booked_moved_and_cancelled(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let hold = hospital.new_hold("urology", "9:00 AM", "a").await;
    assert!(matches!(hospital.hold(&hold).await, HoldOutcome::Held(_)));
    let mut asked = request("urology", "", "9:00 AM");
    asked.appointment.as_mut().expect("a body").hold_id = hold.id.to_string();
    let booked = created(hospital.book(&asked).await);
    let wanted = hospital.wanted("ent", None, TUESDAY, "9:00 AM").await;
    let moved = done(hospital.change(&booked, Action::Move(wanted)).await);
    let cancelled = done(
        hospital
            .change(&moved, Action::Cancel { notify: true })
            .await,
    );
    let read = hospital
        .store
        .read(&Name::Id(booked.id), &staff(), "read", now())
        .await
        .expect("no error");
    assert_eq!(read, Reached::Found(cancelled));
    bench.end().await;
}

async fn everything_of_the_desk_is_asked_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mut new = hospital
        .new_booking(&request("urology", "", "9:00 AM"), now())
        .await;
    new.network = Some(hashed("n"));
    let roster = hospital.roster().await;
    let store = &hospital.store;
    let booked = created(
        store
            .book(new, roster.clone(), now())
            .await
            .expect("no error"),
    );
    for filter in [
        ListFilter {
            size: 5,
            ..ListFilter::default()
        },
        ListFilter {
            size: 5,
            email: Some("x@example.com".into()),
            ..ListFilter::default()
        },
    ] {
        store.list(&filter, &staff(), now()).await.expect("listed");
    }
    store
        .uncovered(&roster, &staff(), now())
        .await
        .expect("listed");
    let bursts = store
        .bursts(now() - TimeDelta::days(1), 1)
        .await
        .expect("bursts");
    assert_eq!((bursts[0].bookings, bursts[0].open), (1, 1));
    store.sweep_holds(now()).await.expect("swept");
    store
        .sweep_offers(roster.clone(), || booked.id, now())
        .await
        .expect("swept");
    assert!(store.waited_for(now()).await.expect("asked").is_empty());
    let offered = store
        .offer_time(
            "urology",
            booked.starts_at,
            booked.id,
            roster.clone(),
            now(),
        )
        .await;
    assert!(!offered.expect("asked"));
    let affected = hospital
        .leave(booked.resource.clone().expect("a seat"), MONDAY)
        .await;
    assert_eq!(affected.len(), 1);
    let ids = vec![uuid::Uuid::from_u128(77)];
    store
        .notify_uncovered(affected, ids, &staff(), now())
        .await
        .expect("told");
    let _ = (
        day(MONDAY),
        MessageIds::new(&service_kit::source::RandomIds, now()),
    );
    bench.end().await;
}
