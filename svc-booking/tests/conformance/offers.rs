//! What becomes of a time that is offered to somebody who waits.

use chrono::TimeDelta;
use service_kit::source::{Ids as _, RandomIds};
use svc_booking::{
    domain::{
        change::{Action, Refused},
        seats::Resource,
        waitlist::{EntryState, OFFER_TIME, OFFERS_MAX},
    },
    store::{Access, EntryAction, EntryOutcome, Name, Reached},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, Hospital, MONDAY, TUESDAY, changed, created, day, done, now, request, staff},
    line::{MESSAGES, OFFERS, accept, act, act_by, cancel, line, states, sweep},
};

on_both_databases!(test_kit::bench::empty:
    an_offer_is_accepted_once,
    an_offer_is_no_way_around_the_limits_of_a_person,
    an_offer_that_is_over_goes_to_the_next,
    who_lets_three_offers_pass_waits_no_more,
    who_leaves_passes_the_offer_on,
    an_offer_of_who_went_on_leave_is_over,
    what_is_too_near_is_offered_to_nobody,
    a_free_time_is_offered_by_the_sweep,
);

async fn an_offer_is_accepted_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let id = entries[0].id;
    assert_eq!(act(&hospital, id, accept()).await, EntryOutcome::OfferOver);
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    let EntryOutcome::Booked(booked) = act(&hospital, id, accept()).await else {
        panic!("it is offered");
    };
    assert_eq!(
        (booked.starts_at, booked.resource.clone()),
        (freed.starts_at, freed.resource.clone())
    );
    let person = booked.contact.clone().expect("a contact");
    assert_eq!(person, entries[0].contact.clone().expect("a contact"));
    assert_eq!(states(&hospital, &entries).await, [EntryState::Booked]);
    let seats = "SELECT count(*) FROM seats WHERE holder_kind = 'appointment'";
    assert_eq!(bench.test.scalar(seats).await, 1);
    assert_eq!(bench.test.scalar(OFFERS).await, 0);
    // Who did not get the answer gets it again.
    assert_eq!(
        act(&hospital, id, accept()).await,
        EntryOutcome::Booked(booked.clone())
    );
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM appointments").await,
        2
    );
    let secret = Access::Secret(hospital.store.secret(&booked).expect("a secret"));
    let read = hospital
        .store
        .read(&Name::Id(booked.id), &secret, "read", now())
        .await;
    assert_eq!(read.expect("no error"), Reached::Found(*booked.clone()));
    // Not once the link was replaced.
    let wanted = hospital.wanted("ent", None, TUESDAY, "9:00 AM").await;
    done(hospital.change(&booked, Action::Move(wanted)).await);
    assert_eq!(act(&hospital, id, accept()).await, EntryOutcome::OfferOver);
    bench.end().await;
}

async fn an_offer_that_is_over_goes_to_the_next(bench: Bench) {
    use EntryState::{Offered, Waiting};
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 2).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    assert_eq!(states(&hospital, &entries).await, [Offered, Waiting]);
    let end = now() + OFFER_TIME;
    assert_eq!(sweep(&hospital, end - TimeDelta::microseconds(1)).await, 0);
    assert_eq!(states(&hospital, &entries).await, [Offered, Waiting]);
    let roster = hospital.roster().await;
    let late = act_by(&hospital, entries[0].id, accept(), roster, end).await;
    assert_eq!(late, EntryOutcome::OfferOver);
    assert_eq!(sweep(&hospital, end).await, 1);
    assert_eq!(states(&hospital, &entries).await, [Waiting, Offered]);
    assert_eq!(bench.test.scalar(OFFERS).await, 1);
    assert_eq!(
        bench.test.scalar(MESSAGES).await,
        1,
        "the first one's is withdrawn"
    );
    // From the end of the line: the first is asked again only after the second.
    assert_eq!(sweep(&hospital, end + OFFER_TIME).await, 1);
    assert_eq!(states(&hospital, &entries).await, [Offered, Waiting]);
    bench.end().await;
}

async fn who_lets_three_offers_pass_waits_no_more(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    let mut at = now();
    for _ in 0..OFFERS_MAX {
        assert_eq!(states(&hospital, &entries).await, [EntryState::Offered]);
        at += OFFER_TIME;
        assert_eq!(sweep(&hospital, at).await, 1);
    }
    assert_eq!(states(&hospital, &entries).await, [EntryState::Ended]);
    assert_eq!(bench.test.scalar(OFFERS).await, 0);
    assert_eq!(bench.test.scalar(MESSAGES).await, 0);
    created(hospital.book(&request("urology", "", "9:00 AM")).await);
    bench.end().await;
}

async fn who_leaves_passes_the_offer_on(bench: Bench) {
    use EntryState::{Ended, Offered, Waiting};
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 3).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    assert!(matches!(
        act(&hospital, entries[1].id, EntryAction::Leave).await,
        EntryOutcome::Left(_)
    ));
    assert_eq!(states(&hospital, &entries).await, [Offered, Ended, Waiting]);
    let EntryOutcome::Left(left) = act(&hospital, entries[0].id, EntryAction::Leave).await else {
        panic!("one may always leave");
    };
    assert_eq!((left.state, left.offer_starts_at), (Ended, None));
    assert_eq!(states(&hospital, &entries).await, [Ended, Ended, Offered]);
    assert_eq!(
        act(&hospital, entries[0].id, accept()).await,
        EntryOutcome::OfferOver
    );
    let unknown = act(&hospital, RandomIds.uuid(), EntryAction::Leave).await;
    assert_eq!(unknown, EntryOutcome::Unknown);
    bench.end().await;
}

async fn an_offer_of_who_went_on_leave_is_over(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    let stale = hospital.roster().await;
    assert!(
        hospital
            .leave(Resource::clinic("uro"), MONDAY)
            .await
            .is_empty()
    );
    let checked_before = act_by(&hospital, entries[0].id, accept(), stale, now()).await;
    assert_eq!(checked_before, EntryOutcome::RosterChanged);
    assert_eq!(
        act(&hospital, entries[0].id, accept()).await,
        EntryOutcome::OfferOver
    );
    let booked = "SELECT count(*) FROM appointments WHERE status = 'booked'";
    assert_eq!(bench.test.scalar(booked).await, 0);
    bench.end().await;
}

/// Who accepts at the last moment leaves the desk its notice. Whoever waited for a day that is past waits no more.
async fn what_is_too_near_is_offered_to_nobody(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    let near = freed.starts_at - TimeDelta::minutes(80) + TimeDelta::microseconds(1);
    done(
        hospital
            .change_at(&freed, &staff(), Action::Cancel { notify: false }, near)
            .await,
    );
    assert_eq!(states(&hospital, &entries).await, [EntryState::Waiting]);
    let offer = async |at| {
        let roster = hospital.roster().await;
        let id = RandomIds.uuid();
        let offered = hospital
            .store
            .offer_time("urology", freed.starts_at, id, roster, at)
            .await;
        offered.expect("no error")
    };
    assert!(!offer(near).await);
    assert!(offer(near - TimeDelta::microseconds(1)).await);
    let tuesday = now() + TimeDelta::days(3);
    assert_ne!(sweep(&hospital, tuesday).await, 0);
    assert_eq!(states(&hospital, &entries).await, [EntryState::Ended]);
    bench.end().await;
}

async fn a_free_time_is_offered_by_the_sweep(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let waited = hospital.store.waited_for(now()).await.expect("no error");
    assert_eq!(waited, [("urology".to_owned(), day(MONDAY))]);
    let starts_at = crate::fixture::at(MONDAY, "10:00 AM");
    let offer = async || {
        let roster = hospital.roster().await;
        let id = RandomIds.uuid();
        let offered = hospital
            .store
            .offer_time("urology", starts_at, id, roster, now())
            .await;
        offered.expect("no error")
    };
    assert!(offer().await);
    assert!(!offer().await, "nobody waits any more");
    assert_eq!(states(&hospital, &entries).await, [EntryState::Offered]);
    assert_eq!(
        hospital.store.waited_for(now()).await.expect("no error"),
        []
    );
    bench.end().await;
}

async fn an_offer_is_no_way_around_the_limits_of_a_person(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    // Booked by telephone meanwhile, under the same number.
    let phone = entries[0].contact.clone().expect("a contact").phone;
    let asked = changed(&request("urology", "", "2:00 PM"), |body| {
        body.phone = phone;
    });
    created(hospital.book(&asked).await);
    let refused = act(&hospital, entries[0].id, accept()).await;
    assert_eq!(refused, EntryOutcome::Refused(Refused::SameDay));
    assert_eq!(states(&hospital, &entries).await, [EntryState::Offered]);
    let booked = "SELECT count(*) FROM appointments WHERE status = 'booked'";
    assert_eq!(bench.test.scalar(booked).await, 1);
    bench.end().await;
}
