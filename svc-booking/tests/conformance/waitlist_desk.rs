//! The staff's work on the waitlist: the list, offers in the order of the queue, and removals.

use std::sync::Arc;

use chrono::TimeDelta;
use service_kit::source::{Ids as _, RandomIds};
use svc_booking::{
    domain::{
        proof::Proof,
        waitlist::{EndReason, Entry, EntryState, OFFER_TIME, OFFERS_MAX, Removal},
    },
    store::{EntryAction, EntryFilter, EntryOutcome, EntryPosition, EntryStates, GivenTime},
};
use test_kit::on_both_databases;
use uuid::Uuid;

use crate::{
    fixture::{Bench, Hospital, MONDAY, STAFF, TUESDAY, at, day, now, staff},
    line::{
        OFFERS, accept, act, act_with, cancel, entry, join, join_at, join_unproven, line, states,
        sweep, waiting,
    },
};

on_both_databases!(test_kit::bench::empty:
    the_list_is_ordered_by_day_department_and_queue,
    staff_offer_only_in_the_order_of_the_queue,
    concurrent_offers_give_one_time_to_an_entry,
    a_proof_at_the_desk_keeps_the_limits_of_an_address,
    a_removal_passes_the_offer_on_and_names_its_reason,
    a_removal_needs_the_present_version,
    every_end_has_its_reason,
);

async fn listed(hospital: &Hospital, filter: &EntryFilter) -> (Vec<Uuid>, bool) {
    let (page, more) = page(hospital, filter).await;
    (page.iter().map(|entry| entry.id).collect(), more)
}

async fn page(hospital: &Hospital, filter: &EntryFilter) -> (Vec<Entry>, bool) {
    let page = hospital.store.list_entries(filter, &staff(), now()).await;
    page.expect("no error")
}

fn filter() -> EntryFilter {
    EntryFilter {
        size: 50,
        ..EntryFilter::default()
    }
}

async fn the_list_is_ordered_by_day_department_and_queue(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = now() - TimeDelta::hours(2);
    let tuesday = join_at(&hospital, &waiting("ent", None, TUESDAY), first).await;
    let line = line(&hospital, 3).await;
    let mut same_time = Vec::new();
    for _ in 0..3 {
        same_time.push(join_unproven(&hospital, &waiting("ent", Some("d1"), MONDAY), now()).await);
    }
    same_time.sort_by_key(|entry| entry.id);
    let of_ent = same_time.iter().map(|entry| entry.id);
    let mut expected: Vec<Uuid> = of_ent.chain(line.iter().map(|entry| entry.id)).collect();
    expected.push(tuesday.id);
    assert_eq!(
        listed(&hospital, &filter()).await,
        (expected.clone(), false)
    );

    // Pages of two: each entry once, in the same order.
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let two = EntryFilter {
            size: 2,
            after,
            ..EntryFilter::default()
        };
        let (page, more) = page(&hospital, &two).await;
        let last = page.last().expect("an entry");
        after = Some(EntryPosition {
            date: last.date,
            department_id: last.department_id.clone(),
            queue_time: last.queue_time,
            id: last.id,
        });
        all.extend(page.iter().map(|entry| entry.id));
        if !more {
            break;
        }
    }
    assert_eq!(all, expected);

    let of = |change: fn(&mut EntryFilter)| {
        let mut filter = filter();
        change(&mut filter);
        filter
    };
    let by_day = of(|filter| filter.date = Some(day(TUESDAY)));
    assert_eq!(listed(&hospital, &by_day).await.0, [tuesday.id]);
    let by_department = of(|filter| filter.department_id = Some("urology".into()));
    assert_eq!(listed(&hospital, &by_department).await.0, expected[3..6]);
    let phone = line[1].contact.clone().expect("a contact").phone;
    let by_phone = EntryFilter {
        phone: Some(phone.replace(' ', "-")),
        ..filter()
    };
    assert_eq!(listed(&hospital, &by_phone).await.0, [line[1].id]);

    let of_states = |states| EntryFilter { states, ..filter() };
    act(&hospital, line[0].id, EntryAction::Leave).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    let offered = of_states(EntryStates::One(EntryState::Offered));
    assert_eq!(listed(&hospital, &offered).await.0, [line[1].id]);
    let ended = of_states(EntryStates::One(EntryState::Ended));
    assert_eq!(listed(&hospital, &ended).await.0, [line[0].id]);
    let open = listed(&hospital, &of_states(EntryStates::Open)).await.0;
    assert_eq!(open.len(), 6);
    assert!(!open.contains(&line[0].id));

    // Every shown id is in the audit log.
    let shown = format!(
        "SELECT count(*) FROM audit_entries WHERE action = 'waitlist.list' AND actor = '{STAFF}' AND subject = '{}'",
        tuesday.id
    );
    assert!(bench.test.scalar(shown.leak()).await >= 1);
    bench.end().await;
}

async fn give(hospital: &Hospital, to: &Entry, time: &str) -> GivenTime {
    let starts_at = at(MONDAY, time);
    let roster = hospital.roster().await;
    let given = hospital
        .store
        .offer_time_to(to, starts_at, RandomIds.uuid(), roster, &staff(), now())
        .await;
    given.expect("no error")
}

async fn staff_offer_only_in_the_order_of_the_queue(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let early = now() - TimeDelta::hours(2);
    let unproven = join_unproven(&hospital, &waiting("urology", None, MONDAY), early).await;
    let line = line(&hospital, 2).await;
    assert_eq!(
        give(&hospital, &line[1], "9:00 AM").await,
        GivenTime::NotFirst
    );
    assert_eq!(
        give(&hospital, &unproven, "9:00 AM").await,
        GivenTime::NotFirst
    );
    assert_eq!(bench.test.scalar(OFFERS).await, 0);
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'waitlist.offer'";
    assert_eq!(bench.test.scalar(audited).await, 0);
    // An unproven entry ahead does not hold up the queue.
    assert!(matches!(
        give(&hospital, &line[0], "9:00 AM").await,
        GivenTime::Offered(_)
    ));
    assert_eq!(
        give(&hospital, &line[1], "9:00 AM").await,
        GivenTime::NotFree
    );
    assert!(matches!(
        give(&hospital, &line[1], "9:30 AM").await,
        GivenTime::Offered(_)
    ));
    assert_eq!(bench.test.scalar(audited).await, 2);
    // A proof at the desk keeps the place of the join.
    let late = join(&hospital, &waiting("urology", None, MONDAY)).await;
    let proven = hospital
        .store
        .prove_entry_at_desk(unproven, &staff(), now())
        .await
        .expect("no error");
    assert_eq!(proven.proof, Some(Proof::Desk));
    assert_eq!(
        give(&hospital, &late, "10:00 AM").await,
        GivenTime::NotFirst
    );
    assert!(matches!(
        give(&hospital, &proven, "10:00 AM").await,
        GivenTime::Offered(_)
    ));
    let proofs = "SELECT count(*) FROM audit_entries WHERE action = 'waitlist.prove'";
    assert_eq!(bench.test.scalar(proofs).await, 1);
    bench.end().await;
}

async fn concurrent_offers_give_one_time_to_an_entry(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let line = line(&hospital, 2).await;
    let (one, other) = tokio::join!(
        give(&hospital, &line[0], "9:00 AM"),
        give(&hospital, &line[0], "9:30 AM")
    );
    let is_offered = |given: &GivenTime| matches!(given, GivenTime::Offered(_));
    assert!(is_offered(&one) != is_offered(&other), "{one:?} {other:?}");
    assert_eq!(bench.test.scalar(OFFERS).await, 1);
    let (one, other) = tokio::join!(
        give(&hospital, &line[1], "10:00 AM"),
        give(&hospital, &line[1], "10:00 AM")
    );
    assert!(is_offered(&one) != is_offered(&other), "{one:?} {other:?}");
    assert_eq!(bench.test.scalar(OFFERS).await, 2);
    bench.end().await;
}

async fn a_proof_at_the_desk_keeps_the_limits_of_an_address(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = waiting("urology", None, MONDAY);
    join(&hospital, &first).await;
    let mut again = waiting("urology", None, MONDAY);
    again.entry.contact = first.entry.contact.clone();
    let again = join_unproven(&hospital, &again, now()).await;
    let proven = hospital
        .store
        .prove_entry_at_desk(again, &staff(), now())
        .await;
    assert_eq!(proven.expect("no error").proof, Some(Proof::Unproven));
    let proofs = "SELECT count(*) FROM audit_entries WHERE action = 'waitlist.prove'";
    assert_eq!(bench.test.scalar(proofs).await, 0);
    bench.end().await;
}

fn remove(etag: &str, removal: Removal) -> EntryAction {
    EntryAction::Remove {
        removal,
        etag: etag.to_owned(),
        message_id: RandomIds.uuid(),
    }
}

async fn removed(hospital: &Hospital, of: &Entry, etag: &str, removal: Removal) -> EntryOutcome {
    let roster = hospital.roster().await;
    act_with(
        hospital,
        of.id,
        remove(etag, removal),
        staff(),
        roster,
        now(),
    )
    .await
}

const NOTICES: &str = "SELECT count(*) FROM outbox_messages WHERE kind = 'waitlist.removed'";

async fn a_removal_passes_the_offer_on_and_names_its_reason(bench: Bench) {
    use EntryState::{Ended, Offered};
    let hospital = Hospital::of(&bench).await;
    let line = line(&hospital, 2).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    let offered = entry(&hospital, line[0].id).await;
    let outcome = removed(&hospital, &offered, &offered.etag(), Removal::Unreachable).await;
    let EntryOutcome::Left(left) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(
        (left.state, left.end_reason),
        (Ended, Some(EndReason::Removed(Removal::Unreachable)))
    );
    assert_eq!(states(&hospital, &line).await, [Ended, Offered]);
    assert_eq!(bench.test.scalar(NOTICES).await, 1);
    let audited = format!(
        "SELECT count(*) FROM audit_entries WHERE action = 'waitlist.remove' AND actor = '{STAFF}' \
         AND subject = '{}' AND detail = 'unreachable'",
        left.id
    );
    assert_eq!(bench.test.scalar(audited.leak()).await, 1);
    // The link that proves an entry is not mailed once it was taken off.
    let unproven = join_unproven(&hospital, &waiting("ent", None, MONDAY), now()).await;
    removed(&hospital, &unproven, &unproven.etag(), Removal::Asked).await;
    let joined = format!(
        "SELECT count(*) FROM outbox_messages WHERE kind = 'waitlist.joined' AND subject = '{}'",
        unproven.id
    );
    assert_eq!(bench.test.scalar(joined.leak()).await, 0);
    bench.end().await;
}

async fn a_removal_needs_the_present_version(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let line = line(&hospital, 2).await;
    let seen = line[0].etag();
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    let stale = removed(&hospital, &line[0], &seen, Removal::NoTimes).await;
    assert_eq!(stale, EntryOutcome::EtagMismatch, "it has an offer now");
    // After an expired offer it waits again, but not as before.
    sweep(&hospital, now() + OFFER_TIME).await;
    let stale = removed(&hospital, &line[0], &seen, Removal::NoTimes).await;
    assert_eq!(stale, EntryOutcome::EtagMismatch);
    assert_eq!(bench.test.scalar(NOTICES).await, 0);
    // Two at once: one removes it and sends one notice.
    let present = entry(&hospital, line[0].id).await;
    let etag = present.etag();
    let roster = hospital.roster().await;
    let act = async || {
        let action = remove(&etag, Removal::Asked);
        act_with(
            &hospital,
            present.id,
            action,
            staff(),
            Arc::clone(&roster),
            now(),
        )
        .await
    };
    let (one, other) = tokio::join!(act(), act());
    let is_left = |outcome: &EntryOutcome| matches!(outcome, EntryOutcome::Left(_));
    assert!(is_left(&one) != is_left(&other), "{one:?} {other:?}");
    assert!([one, other].contains(&EntryOutcome::EtagMismatch));
    assert_eq!(bench.test.scalar(NOTICES).await, 1);
    let ended = entry(&hospital, present.id).await;
    let again = removed(&hospital, &ended, &ended.etag(), Removal::Asked).await;
    assert_eq!(again, EntryOutcome::NotWaiting);
    let unknown = Entry {
        id: RandomIds.uuid(),
        ..ended
    };
    let unknown = removed(&hospital, &unknown, "waiting-0-link", Removal::Asked).await;
    assert_eq!(unknown, EntryOutcome::Unknown);
    bench.end().await;
}

async fn every_end_has_its_reason(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let left = join(&hospital, &waiting("ent", None, MONDAY)).await;
    act(&hospital, left.id, EntryAction::Leave).await;
    let booked = line(&hospital, 1).await.remove(0);
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    cancel(&hospital, &freed).await;
    assert!(matches!(
        act(&hospital, booked.id, accept()).await,
        EntryOutcome::Booked(_)
    ));
    let expired = line(&hospital, 1).await.remove(0);
    let freed = hospital.booked("urology", "", "9:30 AM").await;
    cancel(&hospital, &freed).await;
    for number in 1..=OFFERS_MAX {
        let number = i32::try_from(number).expect("few");
        sweep(&hospital, now() + OFFER_TIME * number).await;
    }
    let past = join(&hospital, &waiting("pediatrics", None, MONDAY)).await;
    sweep(&hospital, now() + TimeDelta::days(3)).await;
    // An end that an older build wrote has no reason, and one of a newer build none that is known.
    let old = join(&hospital, &waiting("cardiology", None, MONDAY)).await;
    let new = join(&hospital, &waiting("cardiology", None, MONDAY)).await;
    for (entry, reason) in [(&old, "NULL"), (&new, "'moved_away'")] {
        act(&hospital, entry.id, EntryAction::Leave).await;
        let set = format!(
            "UPDATE waitlist_entries SET end_reason = {reason} WHERE reference = '{}'",
            entry.reference
        );
        bench.test.execute(set.leak()).await;
    }
    for (id, state, reason) in [
        (left.id, EntryState::Ended, Some(EndReason::Left)),
        (booked.id, EntryState::Booked, None),
        (
            expired.id,
            EntryState::Ended,
            Some(EndReason::OffersExpired),
        ),
        (past.id, EntryState::Ended, Some(EndReason::DayPast)),
        (old.id, EntryState::Ended, None),
        (new.id, EntryState::Ended, None),
    ] {
        let found = entry(&hospital, id).await;
        assert_eq!((found.state, found.end_reason), (state, reason));
    }
    bench.end().await;
}
