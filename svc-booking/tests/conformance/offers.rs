//! Outcomes of offers to waitlist entries.

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Ids as _, RandomIds};
use svc_booking::{
    domain::{
        change::{Action, Refused},
        proof::Proof,
        seats::Resource,
        waitlist::{EntryState, OFFER_TIME, OFFERS_MAX},
    },
    store::{Access, EntryAction, EntryOutcome, Name, Offered, Reached, Wish},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, Hospital, MONDAY, TUESDAY, at, changed, created, done, now, request, staff},
    line::{
        MESSAGES, OFFERS, accept, act, act_by, act_with, cancel, join, join_at, join_unproven,
        line, states, sweep, waiting,
    },
};

on_both_databases!(test_kit::bench::empty:
    an_offer_is_accepted_once,
    an_offer_respects_the_limits_of_a_person,
    an_expired_offer_goes_to_the_next_entry,
    three_expired_offers_end_an_entry,
    leaving_passes_the_offer_on,
    leave_ends_an_offer,
    a_time_without_notice_is_not_offered,
    the_sweep_offers_a_free_time,
    only_proven_entries_are_offered_a_time,
    entries_for_one_doctor_do_not_hide_entries_for_any,
    all_wishes_are_listed_in_order,
    the_history_names_the_staff_who_accept,
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
    // A retry after a lost response returns the same appointment.
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
    // Not once the link has been replaced.
    let wanted = hospital.wanted("ent", None, TUESDAY, "9:00 AM").await;
    done(hospital.change(&booked, Action::Move(wanted)).await);
    assert_eq!(act(&hospital, id, accept()).await, EntryOutcome::OfferOver);
    bench.end().await;
}

async fn an_expired_offer_goes_to_the_next_entry(bench: Bench) {
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
    // The first entry is now at the end of the queue, so it gets the next offer only after the second.
    assert_eq!(sweep(&hospital, end + OFFER_TIME).await, 1);
    assert_eq!(states(&hospital, &entries).await, [Offered, Waiting]);
    bench.end().await;
}

async fn three_expired_offers_end_an_entry(bench: Bench) {
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

async fn leaving_passes_the_offer_on(bench: Bench) {
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
        panic!("leaving is always possible");
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

async fn leave_ends_an_offer(bench: Bench) {
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

/// An acceptance at the last moment must leave the desk its minimum notice. An entry ends once its day has passed.
async fn a_time_without_notice_is_not_offered(bench: Bench) {
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
        offered.expect("no error").is_some()
    };
    assert!(!offer(near).await);
    assert!(offer(near - TimeDelta::microseconds(1)).await);
    let tuesday = now() + TimeDelta::days(3);
    assert_ne!(sweep(&hospital, tuesday).await, 0);
    assert_eq!(states(&hospital, &entries).await, [EntryState::Ended]);
    bench.end().await;
}

fn wish(department: &str, date: &str, doctor: &str, entries: i64) -> Wish {
    Wish {
        department_id: department.to_owned(),
        date: date.to_owned(),
        doctor_id: doctor.to_owned(),
        entries,
    }
}

async fn offer_at(
    hospital: &Hospital,
    department: &str,
    starts_at: DateTime<Utc>,
) -> Option<Offered> {
    let roster = hospital.roster().await;
    let id = RandomIds.uuid();
    let offered = hospital
        .store
        .offer_time(department, starts_at, id, roster, now())
        .await;
    offered.expect("no error")
}

async fn the_sweep_offers_a_free_time(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let wishes = async || hospital.store.wishes(now()).await.expect("no error");
    assert_eq!(wishes().await, [wish("urology", MONDAY, "", 1)]);
    let starts_at = at(MONDAY, "10:00 AM");
    let any = Offered { doctor_id: None };
    assert_eq!(offer_at(&hospital, "urology", starts_at).await, Some(any));
    let again = offer_at(&hospital, "urology", starts_at).await;
    assert_eq!(again, None, "no entry is waiting");
    assert_eq!(states(&hospital, &entries).await, [EntryState::Offered]);
    assert_eq!(wishes().await, []);
    bench.end().await;
}

/// X5: an unproven entry gets no offer; an entry of a build that required no proof does.
async fn only_proven_entries_are_offered_a_time(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let early = now() - TimeDelta::hours(1);
    let stranger = join_unproven(&hospital, &waiting("urology", None, MONDAY), early).await;
    let owner = join(&hospital, &waiting("urology", None, MONDAY)).await;
    let starts_at = at(MONDAY, "10:00 AM");
    assert!(offer_at(&hospital, "urology", starts_at).await.is_some());
    let entries = [stranger, owner];
    assert_eq!(
        states(&hospital, &entries).await,
        [EntryState::Waiting, EntryState::Offered]
    );
    assert_eq!(hospital.store.wishes(now()).await.expect("no error"), []);
    let later = at(MONDAY, "11:00 AM");
    assert_eq!(offer_at(&hospital, "urology", later).await, None);
    bench
        .test
        .execute("UPDATE waitlist_entries SET proof = NULL WHERE state = 'waiting'")
        .await;
    assert!(offer_at(&hospital, "urology", later).await.is_some());
    bench.end().await;
}

/// B4: entries for one doctor do not hide entries for any doctor, however many there are. Of the matching entries, the
/// first gets the offer.
async fn entries_for_one_doctor_do_not_hide_entries_for_any(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let second = |number: i64| now() - TimeDelta::hours(1) + TimeDelta::seconds(number);
    for number in 0..60 {
        join_at(
            &hospital,
            &waiting("ent", Some("d1"), MONDAY),
            second(number),
        )
        .await;
    }
    let any = join_at(&hospital, &waiting("ent", None, MONDAY), second(60)).await;
    let other = join_at(&hospital, &waiting("ent", Some("d2"), MONDAY), second(61)).await;
    // Only d2 has a seat at noon: d1's is taken, and the clinic has closed.
    hospital.booked("ENT", "d1", "12:00 PM").await;
    let noon = at(MONDAY, "12:00 PM");
    let first = offer_at(&hospital, "ent", noon).await;
    assert_eq!(first, Some(Offered { doctor_id: None }));
    let half_past = at(MONDAY, "12:30 PM");
    let of_d1 = Some("d1".to_owned());
    let next = offer_at(&hospital, "ent", half_past).await;
    assert_eq!(next, Some(Offered { doctor_id: of_d1 }), "the first of all");
    let last = offer_at(&hospital, "ent", half_past).await;
    let of_d2 = Some("d2".to_owned());
    assert_eq!(last, Some(Offered { doctor_id: of_d2 }));
    assert_eq!(
        states(&hospital, &[any, other]).await,
        [EntryState::Offered, EntryState::Offered]
    );
    bench.end().await;
}

/// B4: each sweep covers every department and day, however many entries wait.
async fn all_wishes_are_listed_in_order(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    join(&hospital, &waiting("urology", None, MONDAY)).await;
    // More than one page, inserted directly: 450 days of one department.
    let insert = if bench.test.is_sqlite() {
        "WITH RECURSIVE days(day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < 450) \
         INSERT INTO waitlist_entries (id, reference, department_id, date, state, queue_time, secret_hash, create_time, update_time, proof) \
         SELECT randomblob(16), 'WL-' || day, 'ent', date('2027-01-01', day || ' days'), 'waiting', '2026-11-21T09:30:00+00:00', x'00', \
                '2026-11-21T09:30:00+00:00', '2026-11-21T09:30:00+00:00', 'link' FROM days"
    } else {
        "INSERT INTO waitlist_entries (id, reference, department_id, date, state, queue_time, secret_hash, create_time, update_time, proof) \
         SELECT gen_random_uuid(), 'WL-' || day, 'ent', to_char(date '2027-01-01' + day, 'YYYY-MM-DD'), 'waiting', now(), decode('00', 'hex'), now(), now(), \
                'link' FROM generate_series(1, 450) AS day"
    };
    bench.test.execute(insert).await;
    let wishes = hospital.store.wishes(now()).await.expect("no error");
    assert_eq!(wishes.len(), 451);
    assert_eq!(wishes[0], wish("urology", MONDAY, "", 1));
    assert!(wishes.is_sorted_by_key(|wish| wish.date.clone()));
    bench.end().await;
}

/// B8: an acceptance by staff names them in the history, and counts as a proof at the desk.
async fn the_history_names_the_staff_who_accept(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    assert!(
        offer_at(&hospital, "urology", at(MONDAY, "10:00 AM"))
            .await
            .is_some()
    );
    let roster = hospital.roster().await;
    let outcome = act_with(&hospital, entries[0].id, accept(), staff(), roster, now()).await;
    let EntryOutcome::Booked(booked) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(booked.proof, Proof::Desk);
    let by_staff =
        "SELECT count(*) FROM events WHERE kind = 'appointment.booked' AND actor = 'desk@sampige'";
    assert_eq!(bench.test.scalar(by_staff).await, 1);
    bench.end().await;
}

async fn an_offer_respects_the_limits_of_a_person(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = line(&hospital, 1).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    // In the meantime, an appointment was booked under the same address and proven.
    let email = entries[0].contact.clone().expect("a contact").email;
    let asked = changed(&request("urology", "", "2:00 PM"), |body| {
        body.email = email;
    });
    let own = created(hospital.book(&asked).await);
    hospital.open_mail(&own).await;
    let refused = act(&hospital, entries[0].id, accept()).await;
    assert_eq!(refused, EntryOutcome::Refused(Refused::SameDay));
    assert_eq!(states(&hospital, &entries).await, [EntryState::Offered]);
    let booked = "SELECT count(*) FROM appointments WHERE status = 'booked'";
    assert_eq!(bench.test.scalar(booked).await, 1);
    // X1: with the secret of the response, the limit is not revealed and nothing is proven.
    let roster = hospital.roster().await;
    let secret = Access::Secret(hospital.store.entry_secret(entries[0].id));
    let outcome = act_with(&hospital, entries[0].id, accept(), secret, roster, now()).await;
    let EntryOutcome::Booked(booked) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(booked.proof, Proof::Unproven);
    bench.end().await;
}
