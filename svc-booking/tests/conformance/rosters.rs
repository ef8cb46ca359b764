//! The roster: its initial seed, edits by staff, and their affected appointments.

use std::{collections::BTreeMap, sync::Arc};

use service_kit::source::{Ids as _, RandomIds};
use store_kit::requests::RequestKey;
use svc_booking::{
    domain::{
        closed::Closed,
        proof::OpenLimits,
        roster::{
            Leave, Seed, Session, Weekdays,
            change::{Edit, Edited},
        },
        seats::Resource,
    },
    store::{Rosters, Store},
};
use test_kit::{keys::keys, on_both_databases};
use uuid::Uuid;

use crate::fixture::{Bench, Hospital, MONDAY, STAFF, TUESDAY, day, now, seed};

on_both_databases!(test_kit::bench::empty:
    concurrent_processes_seed_the_roster_once,
    the_hospitals_roster_is_read_back,
    a_session_is_created_changed_by_its_etag_and_deleted,
    a_retried_create_is_executed_once,
    leave_lists_affected_appointments_and_is_deleted,
    a_holiday_affects_every_department,
    a_full_holiday_list_accepts_renames_only,
    fewer_seats_affect_the_last_bookings,
    edits_are_audited_and_refused_ones_are_not,
);

fn affected(edited: Edited) -> Vec<Uuid> {
    match edited {
        Edited::Done { affected, .. } => affected,
        other => panic!("{other:?}"),
    }
}

async fn concurrent_processes_seed_the_roster_once(bench: Bench) {
    let url = bench.test.parsed_url();
    let mut opened = Vec::new();
    for _ in 0..4 {
        let limits = store_kit::database::Limits::default();
        let schema = svc_booking::store::SCHEMA;
        let database = store_kit::database::Database::open(&url, limits, schema, &keys()).await;
        opened.push(database.expect("a database"));
    }
    let reads = opened.iter().map(|database| {
        let rosters = Rosters::new(database.clone(), keys(), Seed::embedded());
        async move { rosters.read(now()).await.expect("a roster") }
    });
    let rosters = futures::future::join_all(reads).await;
    let expected = Seed::embedded().roster();
    for roster in &rosters {
        assert_eq!(roster.revision, 1);
        assert_eq!(roster.sessions.len(), expected.sessions.len());
        assert_eq!(roster.holidays, expected.holidays);
        assert_eq!(roster.leaves, expected.leaves);
    }
    for database in opened {
        database.close().await;
    }
    bench.end().await;
}

async fn the_hospitals_roster_is_read_back(bench: Bench) {
    let store = Store::new(
        bench.database.clone(),
        keys(),
        Seed::embedded(),
        OpenLimits::default(),
    );
    let read = store.rosters.read(now()).await.expect("a roster");
    let by_id = |sessions: &[Session]| -> BTreeMap<String, Session> {
        sessions
            .iter()
            .map(|session| (session.id.clone(), session.clone()))
            .collect()
    };
    assert_eq!(by_id(&read.sessions), by_id(&Seed::embedded().sessions));
    assert_eq!(read.departments, Seed::embedded().departments);
    // Starting with another seed changes nothing: the stored roster takes precedence.
    let other = Store::new(
        bench.database.clone(),
        keys(),
        seed(),
        OpenLimits::default(),
    );
    let again = other.rosters.read(now()).await.expect("a roster");
    assert_eq!(again.revision, 1);
    assert_eq!(by_id(&again.sessions), by_id(&read.sessions));
    bench.end().await;
}

fn evening() -> Session {
    Session {
        id: String::new(),
        department_id: "urology".into(),
        doctor_id: Some("u9".into()),
        name: "Evening".into(),
        weekdays: Weekdays::of_bits(0b10_0001).expect("Monday and Saturday"),
        from_minutes: 14 * 60,
        until_minutes: 19 * 60,
        seats: 2,
        by_name_only: true,
        valid_from: Some(day(MONDAY)),
        valid_until: Some(day("2027-03-01")),
        fee_rupees: 0,
        place: String::new(),
        version: 1,
    }
}

async fn a_session_is_created_changed_by_its_etag_and_deleted(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let Edited::Done { id, .. } = hospital.edit(Edit::CreateSession(evening())).await else {
        panic!("it is new");
    };
    let known = hospital.store.rosters.known(now()).await.expect("a roster");
    assert_eq!(known.revision, 2, "the writer's cache is current");
    let find = |roster: &Arc<svc_booking::domain::roster::Roster>| {
        roster
            .sessions
            .iter()
            .find(|session| session.id == id)
            .cloned()
    };
    let expected = Session {
        id: id.clone(),
        ..evening()
    };
    assert_eq!(find(&known), Some(expected.clone()));
    let booked = {
        let asked = crate::fixture::request("urology", "u9", "2:00 PM");
        crate::fixture::created(hospital.book(&asked).await)
    };
    let shorter = Session {
        from_minutes: 15 * 60,
        ..expected.clone()
    };
    let update = |version| Edit::UpdateSession {
        id: id.clone(),
        version,
        session: shorter.clone(),
    };
    assert!(matches!(
        hospital.edit(update(2)).await,
        Edited::EtagMismatch
    ));
    assert_eq!(affected(hospital.edit(update(1)).await), [booked.id]);
    let expected = Session {
        version: 2,
        ..shorter.clone()
    };
    assert_eq!(find(&hospital.roster().await), Some(expected));
    let delete = |version| Edit::DeleteSession {
        id: id.clone(),
        version,
    };
    assert!(matches!(
        hospital.edit(delete(1)).await,
        Edited::EtagMismatch
    ));
    assert_eq!(affected(hospital.edit(delete(2)).await), [booked.id]);
    assert!(matches!(hospital.edit(delete(2)).await, Edited::NotFound));
    assert_eq!(find(&hospital.roster().await), None);
    bench.end().await;
}

fn leave(resource: Resource) -> Leave {
    Leave {
        id: Uuid::nil(),
        resource,
        from: day(MONDAY),
        until: day(TUESDAY),
        reason: "Conference".into(),
    }
}

async fn a_retried_create_is_executed_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("urology", "", "9:00 AM").await;
    let request_id = RandomIds.uuid().to_string();
    let create = async |body: &str| {
        let key = RequestKey::new(&keys(), "leaves.create", &request_id, body.as_bytes());
        let edit = Edit::CreateLeave(leave(Resource::clinic("uro")));
        let rosters = &hospital.store.rosters;
        let edited = rosters
            .edit(edit, Some(key), STAFF, &RandomIds, now())
            .await;
        edited.expect("no error")
    };
    let Edited::Done {
        id: first,
        repeated,
        ..
    } = create("one").await
    else {
        panic!("it is new");
    };
    assert!(!repeated);
    let Edited::Done {
        id,
        affected,
        repeated,
    } = create("one").await
    else {
        panic!("it is known");
    };
    assert_eq!((id, affected, repeated), (first, vec![booked.id], true));
    assert!(matches!(create("other").await, Edited::RequestIdReused));
    assert_eq!(bench.test.scalar("SELECT count(*) FROM leaves").await, 1);
    assert_eq!(hospital.roster().await.revision, 2);
    bench.end().await;
}

async fn leave_lists_affected_appointments_and_is_deleted(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = hospital.booked("ENT", "d1", "9:00 AM").await;
    let second = hospital.booked("ENT", "d1", "10:00 AM").await;
    hospital.booked("ENT", "d2", "9:00 AM").await;
    let edited = hospital
        .edit(Edit::CreateLeave(leave(Resource::doctor("d1"))))
        .await;
    let Edited::Done { id, affected, .. } = edited else {
        panic!("{edited:?}");
    };
    assert_eq!(affected, [first.id, second.id]);
    let roster = hospital.roster().await;
    let slot = svc_booking::domain::calendar::SlotTime::parse("9:00 AM").expect("a time");
    let on_duty = |roster: &svc_booking::domain::roster::Roster| {
        let duties = roster.on_duty("ent", day(MONDAY), slot);
        duties
            .iter()
            .any(|duty| duty.resource == Resource::doctor("d1"))
    };
    assert!(!on_duty(&roster));
    let id = id.parse().expect("an id");
    assert!(affected_is_empty(
        hospital.edit(Edit::DeleteLeave(id)).await
    ));
    assert!(on_duty(&*hospital.roster().await));
    assert!(matches!(
        hospital.edit(Edit::DeleteLeave(id)).await,
        Edited::NotFound
    ));
    bench.end().await;
}

fn affected_is_empty(edited: Edited) -> bool {
    affected(edited).is_empty()
}

async fn a_holiday_affects_every_department(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = hospital.booked("ENT", "d3", "9:00 AM").await;
    let second = hospital.booked("urology", "", "9:30 AM").await;
    let holiday = |name: &str| Edit::WriteHoliday(day(MONDAY), name.to_owned());
    let edited = hospital.edit(holiday("Festival")).await;
    assert_eq!(affected(edited), [first.id, second.id]);
    assert_eq!(
        affected(hospital.edit(holiday("Kannada Rajyotsava")).await).len(),
        2
    );
    let roster = hospital.roster().await;
    assert_eq!(roster.holidays[&day(MONDAY)], "Kannada Rajyotsava");
    assert_eq!(
        roster.closed(day(MONDAY), None, None, now()),
        Some(Closed::Holiday("Kannada Rajyotsava".to_owned()))
    );
    let delete = Edit::DeleteHoliday(day(MONDAY));
    assert!(affected_is_empty(hospital.edit(delete.clone()).await));
    assert!(matches!(hospital.edit(delete).await, Edited::NotFound));
    hospital.booked("urology", "", "10:00 AM").await;
    bench.end().await;
}

async fn a_full_holiday_list_accepts_renames_only(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let monday = day(MONDAY);
    let write = |date, name: &str| Edit::WriteHoliday(date, name.to_owned());
    hospital.edit(write(monday, "Festival")).await;
    let known = hospital.roster().await.holidays.len();
    let rows: Vec<String> = day("2100-01-01")
        .iter_days()
        .take(1000 - known)
        .map(|date| format!("('{date}', 'Later', '2026-11-21T09:30:00+00:00')"))
        .collect();
    let insert = format!(
        "INSERT INTO holidays (date, name, create_time) VALUES {}",
        rows.join(", ")
    );
    bench.test.execute(insert.leak()).await;
    let another = hospital.edit(write(day(TUESDAY), "Another")).await;
    assert!(matches!(another, Edited::Full), "{another:?}");
    affected(hospital.edit(write(monday, "Kannada Rajyotsava")).await);
    let roster = hospital.roster().await;
    assert_eq!(roster.holidays[&monday], "Kannada Rajyotsava");
    bench.end().await;
}

async fn fewer_seats_affect_the_last_bookings(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mut booked = Vec::new();
    for minutes in 0..3 {
        let at = now() + chrono::TimeDelta::minutes(minutes);
        let asked = crate::fixture::request("pediatrics", "", "9:00 AM");
        let outcome = hospital.try_book(&asked, at).await.expect("no error");
        booked.push(crate::fixture::created(outcome).id);
    }
    let roster = hospital.roster().await;
    let session = roster.sessions.iter().find(|session| session.id == "ped");
    let one = Session {
        seats: 1,
        ..session.expect("a session").clone()
    };
    let update = Edit::UpdateSession {
        id: "ped".into(),
        version: 1,
        session: one,
    };
    assert_eq!(affected(hospital.edit(update).await), booked[1..]);
    bench.end().await;
}

async fn edits_are_audited_and_refused_ones_are_not(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let entries = "SELECT count(*) FROM audit_entries WHERE actor = 'desk@sampige' AND action = 'leave.create'";
    hospital.leave(Resource::clinic("uro"), MONDAY).await;
    assert_eq!(bench.test.scalar(entries).await, 1);
    let unknown = Edit::DeleteLeave(Uuid::from_u128(9));
    assert!(matches!(hospital.edit(unknown).await, Edited::NotFound));
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM audit_entries")
            .await,
        1
    );
    assert_eq!(hospital.roster().await.revision, 2);
    bench.end().await;
}
