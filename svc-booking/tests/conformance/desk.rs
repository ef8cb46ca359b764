//! The staff's calls: lists, uncovered appointments, bursts.

use chrono::{DateTime, TimeDelta, Utc};
use svc_booking::{
    domain::{
        change::{Action, Appointment},
        seats::Resource,
        status::Status,
    },
    store::{BurstSpan, ListFilter, Store},
};
use test_kit::on_both_databases;
use uuid::Uuid;

use crate::fixture::{
    Bench, Hospital, MONDAY, TUESDAY, changed, contact, created, day, done, hashed, now, request,
    staff,
};

on_both_databases!(test_kit::bench::empty:
    pages_list_every_appointment_once,
    a_list_is_filtered,
    an_uncovered_appointment_is_found_and_notified_once,
    a_burst_of_a_network_is_found,
);

async fn list(store: &Store, filter: &ListFilter) -> (Vec<Appointment>, bool) {
    store.list(filter, &staff(), now()).await.expect("no error")
}

async fn pages_list_every_appointment_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    // Several at one time, to make a page end among them.
    for time in [
        "9:00 AM", "9:00 AM", "9:00 AM", "9:30 AM", "9:30 AM", "6:30 PM",
    ] {
        hospital.booked("pediatrics", "", time).await;
    }
    let removed = hospital.booked("urology", "", "9:00 AM").await;
    done(hospital.change_by_staff(&removed, Action::Delete).await);
    for size in [1, 2, 3, 6] {
        let mut filter = ListFilter {
            size,
            ..ListFilter::default()
        };
        let mut all = Vec::new();
        loop {
            let (page, more) = list(&hospital.store, &filter).await;
            assert!(page.len() <= size as usize);
            filter.after = page.last().map(|last| (last.starts_at, last.id));
            all.extend(page);
            if !more {
                break;
            }
        }
        assert_eq!(all.len(), 6, "in pages of {size}");
        assert!(all.is_sorted_by_key(|found| (found.starts_at, found.id)));
        assert!(
            all.iter()
                .all(|found| found.contact.is_some() && found.resource.is_some())
        );
    }
    bench.end().await;
}

async fn a_list_is_filtered(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = hospital.booked("ENT", "d1", "9:00 AM").await;
    let on_tuesday = changed(&request("ENT", "", "9:00 AM"), |body| {
        body.date = TUESDAY.into();
    });
    let second = created(hospital.book(&on_tuesday).await);
    let third = hospital.booked("urology", "", "6:30 PM").await;
    let third = done(
        hospital
            .change(&third, Action::Cancel { notify: true })
            .await,
    );
    let ids = async |filter: ListFilter| {
        let filter = ListFilter { size: 10, ..filter };
        let (found, more) = list(&hospital.store, &filter).await;
        assert!(!more);
        found.into_iter().map(|found| found.id).collect::<Vec<_>>()
    };
    let all = ListFilter::default;
    assert_eq!(ids(all()).await, [first.id, third.id, second.id]);
    let monday = ListFilter {
        from: Some(day(MONDAY)),
        to: Some(day(MONDAY)),
        ..all()
    };
    assert_eq!(ids(monday).await, [first.id, third.id]);
    let from_tuesday = ListFilter {
        from: Some(day(TUESDAY)),
        ..all()
    };
    assert_eq!(ids(from_tuesday).await, [second.id]);
    let of_department = ListFilter {
        department_id: Some("ent".into()),
        ..all()
    };
    assert_eq!(ids(of_department).await, [first.id, second.id]);
    let of_doctor = ListFilter {
        doctor_id: Some("d1".into()),
        ..all()
    };
    assert_eq!(ids(of_doctor).await, [first.id]);
    let of_status = ListFilter {
        status: Some(Status::Cancelled),
        ..all()
    };
    assert_eq!(ids(of_status).await, [third.id]);
    let email = ListFilter {
        email: Some(contact(&second).email.to_uppercase()),
        ..all()
    };
    assert_eq!(ids(email.clone()).await, [second.id]);
    let phone = ListFilter {
        phone: Some(contact(&first).phone.replace("+91 ", "0")),
        ..all()
    };
    assert_eq!(ids(phone).await, [first.id]);
    let nobodys = ListFilter {
        department_id: Some("urology".into()),
        ..email
    };
    assert_eq!(ids(nobodys).await, Vec::<Uuid>::new());
    bench.end().await;
}

async fn an_uncovered_appointment_is_found_and_notified_once(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let uncovered = async || {
        let roster = hospital.roster().await;
        let filter = ListFilter {
            size: 10,
            ..ListFilter::default()
        };
        let store = &hospital.store;
        let found = store.uncovered(&filter, &roster, &staff(), now()).await;
        found.expect("no error").0
    };
    let booked = hospital.booked("ENT", "d1", "9:00 AM").await;
    hospital.booked("ENT", "d2", "9:00 AM").await;
    assert_eq!(uncovered().await, []);
    hospital.leave(Resource::doctor("d1"), MONDAY).await;
    assert_eq!(uncovered().await, std::slice::from_ref(&booked));
    let tell = async |id: u128| {
        let ids = vec![Uuid::from_u128(id)];
        let told = hospital
            .store
            .notify_uncovered(vec![(&booked).into()], ids, &staff(), now())
            .await;
        told.expect("no error");
    };
    tell(1).await;
    tell(2).await;
    let waiting = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.uncovered'";
    assert_eq!(bench.test.scalar(waiting).await, 1);
    // A moved patient needs no notice any more.
    let wanted = hospital.wanted("ent", Some("d2"), TUESDAY, "9:00 AM").await;
    done(hospital.change(&booked, Action::Move(wanted)).await);
    assert_eq!(uncovered().await, []);
    assert_eq!(bench.test.scalar(waiting).await, 0);
    bench.end().await;
}

/// Books from a network.
async fn book_from(
    hospital: &Hospital,
    network: &str,
    time: &str,
    at: DateTime<Utc>,
) -> Appointment {
    let mut new = hospital
        .new_booking(&request("pediatrics", "", time), at)
        .await;
    new.network = Some(hashed(network));
    let roster = hospital.roster().await;
    created(
        hospital
            .store
            .book(new, roster, at)
            .await
            .expect("no error"),
    )
}

async fn a_burst_of_a_network_is_found(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mut many = Vec::new();
    for (minute, time) in ["9:00 AM", "9:00 AM", "9:30 AM", "9:30 AM"]
        .iter()
        .enumerate()
    {
        let at = now() + TimeDelta::minutes(i64::try_from(minute).expect("a few"));
        many.push(book_from(&hospital, "many", time, at).await);
    }
    book_from(&hospital, "few", "10:00 AM", now()).await;
    hospital.booked("pediatrics", "", "10:00 AM").await;
    done(
        hospital
            .change_by_staff(&many[3], Action::Cancel { notify: false })
            .await,
    );
    let day_before = now() - TimeDelta::days(1);
    let bursts = hospital
        .store
        .bursts(day_before, 2)
        .await
        .expect("no error");
    assert_eq!(bursts.len(), 1);
    let burst = &bursts[0];
    assert_eq!((burst.bookings, burst.open), (4, 3));
    assert_eq!(burst.network, hashed("many"));
    assert_eq!(
        (burst.first_time, burst.last_time),
        (now(), now() + TimeDelta::minutes(3))
    );
    assert_eq!(
        hospital
            .store
            .bursts(day_before, 1)
            .await
            .expect("no error")
            .len(),
        2
    );
    let later = now() + TimeDelta::microseconds(1);
    let since = hospital.store.bursts(later, 1).await.expect("no error");
    assert_eq!((since.len(), since[0].bookings), (1, 3));
    let of = async |from, until| {
        let network = *hashed("many").first_chunk().expect("eight bytes");
        let span = BurstSpan {
            network,
            from,
            until,
        };
        let found = hospital.store.of_burst(&span).await.expect("no error");
        assert!(!found.more);
        let found = found.appointments.into_iter();
        found.map(|found| found.id).collect::<Vec<_>>()
    };
    let hour = now() + TimeDelta::hours(1);
    assert_eq!(of(now(), hour).await, [many[0].id, many[1].id, many[2].id]);
    assert_eq!(of(later, hour).await, [many[1].id, many[2].id]);
    let two = now() + TimeDelta::minutes(2);
    assert_eq!(of(now(), two).await, [many[0].id, many[1].id]);
    bench.end().await;
}
