//! The waitlist: its order, its offers and their outcomes.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Ids as _, RandomIds};
use store_kit::requests::RequestKey;
use svc_booking::{
    domain::{
        change::{Action, Appointment, MessageIds, Refused, references},
        contact::Contact,
        proof::Proof,
        roster::Roster,
        waitlist::{ENTRIES_MAX, Entry, EntryState, NewEntry as Wanted, OFFER_TIME},
    },
    store::{
        Access, BookOutcome, By, EntryAction, EntryOutcome, JOIN, JoinOutcome, Name, NewEntry,
        Reached,
    },
};
use test_kit::{keys::keys, on_both_databases};

use crate::fixture::{
    Bench, Hospital, MONDAY, TUESDAY, day, done, hashed, now, request, staff, unique,
};

on_both_databases!(test_kit::bench::empty:
    an_entry_is_read_with_its_secret,
    a_retried_join_is_executed_once,
    an_address_is_proven_once_per_day_and_for_four_entries,
    a_network_joins_four_times_per_waitlist_and_twelve_times_a_day,
    a_freed_seat_is_offered_to_the_first_matching_entry,
);

pub(crate) const OFFERS: &str = "SELECT count(*) FROM seats WHERE holder_kind = 'offer'";
pub(crate) const MESSAGES: &str =
    "SELECT count(*) FROM outbox_messages WHERE kind = 'waitlist.offered'";

/// Returns a new entry of a unique person.
pub(crate) fn waiting(department: &str, doctor: Option<&str>, date: &str) -> NewEntry {
    let number = unique();
    let request_id = RandomIds.uuid().to_string();
    NewEntry {
        id: RandomIds.uuid_at(now()),
        references: references("WL", &RandomIds),
        entry: Wanted {
            contact: Contact {
                patient_name: "Asha Rao".into(),
                email: format!("wait{number}@example.com"),
                phone: format!("+91 80 1{number:07}"),
                ..Contact::default()
            },
            department_id: department.into(),
            doctor_id: doctor.map(str::to_owned),
            date: day(date),
        },
        request: RequestKey::new(&keys(), JOIN, &request_id, b"body"),
        language: None,
        network: None,
        message_id: RandomIds.uuid(),
    }
}

/// Joins without opening the mailed link.
pub(crate) async fn join_unproven(hospital: &Hospital, new: &NewEntry, at: DateTime<Utc>) -> Entry {
    let joined = hospital.store.join_waitlist(new.clone(), at).await;
    match joined.expect("no error") {
        JoinOutcome::Joined(entry) => *entry,
        other => panic!("{other:?}"),
    }
}

/// Opens the mailed link.
pub(crate) async fn open_mail(hospital: &Hospital, id: uuid::Uuid) -> Entry {
    let access = Access::Secret(hospital.store.mailed_entry_secret(id));
    let name = Name::Id(id);
    let read = hospital.store.read_entry(&name, &access, now()).await;
    match read.expect("no error") {
        Reached::Found(entry) => entry,
        other => panic!("{other:?}"),
    }
}

/// Joins and opens the mailed link.
pub(crate) async fn join_at(hospital: &Hospital, new: &NewEntry, at: DateTime<Utc>) -> Entry {
    let joined = join_unproven(hospital, new, at).await;
    let proven = open_mail(hospital, joined.id).await;
    assert_eq!(proven.proof, Some(Proof::Link));
    proven
}

pub(crate) async fn join(hospital: &Hospital, new: &NewEntry) -> Entry {
    join_at(hospital, new, now()).await
}

/// Creates entries one minute apart, in a known order.
pub(crate) async fn line(hospital: &Hospital, length: i64) -> Vec<Entry> {
    let mut entries = Vec::new();
    for minute in 0..length {
        let new = waiting("urology", None, MONDAY);
        let at = now() - TimeDelta::hours(1) + TimeDelta::minutes(minute);
        entries.push(join_at(hospital, &new, at).await);
    }
    entries
}

pub(crate) async fn entry(hospital: &Hospital, id: uuid::Uuid) -> Entry {
    match hospital
        .store
        .read_entry(&Name::Id(id), &staff(), now())
        .await
        .expect("no error")
    {
        Reached::Found(entry) => entry,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn states(hospital: &Hospital, entries: &[Entry]) -> Vec<EntryState> {
    let mut states = Vec::new();
    for known in entries {
        states.push(entry(hospital, known.id).await.state);
    }
    states
}

pub(crate) async fn sweep(hospital: &Hospital, at: DateTime<Utc>) -> usize {
    let roster = hospital.roster().await;
    let ids = || RandomIds.uuid();
    hospital
        .store
        .sweep_offers(roster, ids, at)
        .await
        .expect("no error")
        .len()
}

pub(crate) async fn act_by(
    hospital: &Hospital,
    id: uuid::Uuid,
    action: EntryAction,
    roster: Arc<Roster>,
    at: DateTime<Utc>,
) -> EntryOutcome {
    let secret = hospital.store.mailed_entry_secret(id);
    act_with(hospital, id, action, Access::Secret(secret), roster, at).await
}

pub(crate) async fn act_with(
    hospital: &Hospital,
    id: uuid::Uuid,
    action: EntryAction,
    access: Access,
    roster: Arc<Roster>,
    at: DateTime<Utc>,
) -> EntryOutcome {
    let by = By {
        access,
        network: None,
        language: None,
    };
    let messages = MessageIds::new(&RandomIds, at);
    let acted = hospital
        .store
        .act_on_entry(id, action, by, messages, roster, at)
        .await;
    acted.expect("no error")
}

pub(crate) fn accept() -> EntryAction {
    EntryAction::Accept {
        appointment_id: RandomIds.uuid(),
        references: references("SH", &RandomIds),
    }
}

pub(crate) async fn act(hospital: &Hospital, id: uuid::Uuid, action: EntryAction) -> EntryOutcome {
    act_by(hospital, id, action, hospital.roster().await, now()).await
}

pub(crate) async fn cancel(hospital: &Hospital, appointment: &Appointment) {
    done(
        hospital
            .change_at(
                appointment,
                &staff(),
                Action::Cancel { notify: false },
                now(),
            )
            .await,
    );
}

async fn an_entry_is_read_with_its_secret(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let joined = join(&hospital, &waiting("urology", None, MONDAY)).await;
    let other = join(&hospital, &waiting("urology", None, MONDAY)).await;
    assert_eq!(
        (joined.state, joined.date),
        (EntryState::Waiting, day(MONDAY))
    );
    assert!(joined.reference.starts_with("WL-"), "{}", joined.reference);
    let secret = hospital.store.entry_secret(joined.id);
    for name in [
        Name::Id(joined.id),
        Name::Reference(joined.reference.clone()),
    ] {
        let read = async |secret: &str| {
            let access = Access::Secret(secret.to_owned());
            hospital
                .store
                .read_entry(&name, &access, now())
                .await
                .expect("no error")
        };
        assert_eq!(read(&secret).await, Reached::Found(joined.clone()));
        assert_eq!(
            read(&hospital.store.entry_secret(other.id)).await,
            Reached::Unknown
        );
        assert_eq!(read("").await, Reached::Unknown);
    }
    let audited = "SELECT count(*) FROM audit_entries";
    assert_eq!(bench.test.scalar(audited).await, 0);
    entry(&hospital, joined.id).await;
    assert_eq!(bench.test.scalar(audited).await, 1);
    bench.end().await;
}

async fn a_retried_join_is_executed_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let new = waiting("urology", None, MONDAY);
    let joined = join(&hospital, &new).await;
    let again = NewEntry {
        id: RandomIds.uuid(),
        ..new.clone()
    };
    let outcome = hospital
        .store
        .join_waitlist(again, now())
        .await
        .expect("no error");
    assert_eq!(outcome, JoinOutcome::Repeated(Box::new(joined.clone())));
    let recalled = hospital.store.recall_entry(&new.request, now()).await;
    assert_eq!(recalled.expect("no error"), Some(joined));
    let nobodys = waiting("urology", None, MONDAY).request;
    assert_eq!(
        hospital
            .store
            .recall_entry(&nobodys, now())
            .await
            .expect("no error"),
        None
    );
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM waitlist_entries")
            .await,
        1
    );
    bench.end().await;
}

/// X5, X6: any visitor may join for another person. Only the owner of the address can prove an entry: one per day's
/// waitlist, and four in total.
async fn an_address_is_proven_once_per_day_and_for_four_entries(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = waiting("urology", None, MONDAY);
    let kept = join(&hospital, &first).await;
    let other = |department: &str, date: &str| {
        let mut new = waiting(department, None, date);
        // The same address in another spelling.
        new.entry.contact.email = first.entry.contact.email.to_uppercase();
        new
    };
    let open = async |new: NewEntry| {
        let joined = join_unproven(&hospital, &new, now()).await;
        open_mail(&hospital, joined.id).await
    };
    let same = open(other("urology", MONDAY)).await;
    assert_eq!(same.proof, Some(Proof::Unproven));
    let days = [("ent", MONDAY), ("urology", TUESDAY), ("ent", TUESDAY)];
    for (department, date) in days {
        assert_eq!(open(other(department, date)).await.proof, Some(Proof::Link));
    }
    assert_eq!(ENTRIES_MAX, days.len() + 1);
    let fifth = open(other("pediatrics", MONDAY)).await;
    assert_eq!(fifth.proof, Some(Proof::Unproven));
    // A person who leaves one waitlist may prove an entry on another.
    act(&hospital, kept.id, EntryAction::Leave).await;
    let again = open_mail(&hospital, fifth.id).await;
    assert_eq!(again.proof, Some(Proof::Link));
    bench.end().await;
}

/// X5: no network can capture the head of a waitlist: four entries per department and day, twelve in 24 hours, for any
/// addresses.
async fn a_network_joins_four_times_per_waitlist_and_twelve_times_a_day(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let at = async |department: &str, date: &str, network: &str, at| {
        let new = NewEntry {
            network: Some(hashed(network)),
            ..waiting(department, None, date)
        };
        let joined = hospital.store.join_waitlist(new, at).await;
        match joined.expect("no error") {
            JoinOutcome::Joined(_) => true,
            JoinOutcome::TooMany => false,
            other => panic!("{other:?}"),
        }
    };
    let mut joined = Vec::new();
    for (department, date) in [
        ("urology", MONDAY),
        ("urology", TUESDAY),
        ("ent", MONDAY),
        ("ent", TUESDAY),
    ] {
        let mut count = 0;
        for _ in 0..10 {
            count += i32::from(at(department, date, "one", now()).await);
        }
        joined.push(count);
    }
    assert_eq!(joined, [4, 4, 4, 0]);
    assert!(at("urology", MONDAY, "two", now()).await);
    let next_day = now() + TimeDelta::days(1);
    assert!(!at("urology", MONDAY, "one", next_day).await);
    assert!(at("ent", TUESDAY, "one", next_day).await);
    bench.end().await;
}

async fn a_freed_seat_is_offered_to_the_first_matching_entry(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let for_d1 = join(&hospital, &waiting("ent", Some("d1"), MONDAY)).await;
    let for_tuesday = join(&hospital, &waiting("ent", None, TUESDAY)).await;
    let for_any = {
        let new = waiting("ent", None, MONDAY);
        join_at(&hospital, &new, now() + TimeDelta::seconds(1)).await
    };
    let d2 = hospital.booked("ENT", "d2", "12:00 PM").await;
    let d1 = hospital.booked("ENT", "d1", "12:00 PM").await;
    cancel(&hospital, &d2).await;
    let offered = entry(&hospital, for_any.id).await;
    assert_eq!(offered.state, EntryState::Offered);
    assert_eq!(offered.offer_starts_at, Some(d2.starts_at));
    assert_eq!(offered.offer_expire_time, Some(now() + OFFER_TIME));
    assert_eq!(entry(&hospital, for_d1.id).await.state, EntryState::Waiting);
    // The offered seat cannot be booked by other visitors.
    let refused = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(
        hospital.book(&request("ENT", "d2", "12:00 PM")).await,
        refused
    );
    // A move frees a seat too.
    let wanted = hospital.wanted("urology", None, MONDAY, "9:00 AM").await;
    done(hospital.change(&d1, Action::Move(wanted)).await);
    assert_eq!(
        entry(&hospital, for_d1.id).await.offer_starts_at,
        Some(d1.starts_at)
    );
    assert_eq!(
        entry(&hospital, for_tuesday.id).await.state,
        EntryState::Waiting
    );
    assert_eq!(bench.test.scalar(OFFERS).await, 2);
    assert_eq!(bench.test.scalar(MESSAGES).await, 2);
    bench.end().await;
}
