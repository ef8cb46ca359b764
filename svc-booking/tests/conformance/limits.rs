//! Limits of one person and one network, for every route: a booking, a move, another name, an accepted offer.

use futures::future::join_all;
use svc_booking::{
    domain::{
        change::{Action, Appointment, Refused},
        contact::Contact,
        proof::{OPEN_OF_ADDRESS, OPEN_OF_NETWORK, Proof},
    },
    store::{BookOutcome, ChangeOutcome, EntryOutcome, NewBooking},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{
        Bench, Hospital, MONDAY, TUESDAY, changed, contact, created, done, hashed, is_booked, now,
        request,
    },
    line::{accept, act_by, entry, join, waiting},
};

on_both_databases!(test_kit::bench::empty:
    a_booking_does_not_depend_on_the_person,
    a_network_has_sixty_unproven_appointments,
    only_the_mailed_link_proves,
    a_proven_address_has_four_appointments_and_one_per_day,
    a_move_respects_one_appointment_per_department_and_day,
    a_changed_address_bypasses_no_limit,
    a_patient_may_move_six_times_a_day,
    an_accepted_offer_counts_as_a_booking,
);

/// X1, X6: a person with four appointments, one of them in this department on this day, can book like any other.
async fn a_booking_does_not_depend_on_the_person(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let first = request("ENT", "", "9:00 AM");
    for department in ["ENT", "Urology", "Pediatrics", "Cardiology"] {
        let own = changed(&first, |body| department.clone_into(&mut body.department));
        let booked = created(hospital.book(&own).await);
        assert_eq!(hospital.open_mail(&booked).await.proof, Proof::Link);
    }
    assert_eq!(OPEN_OF_ADDRESS, 4);
    let same_day = changed(&first, |body| body.time = "9:30 AM".into());
    let fifth = changed(&first, |body| body.department = "General Medicine".into());
    for asked in [same_day, fifth] {
        let booked = created(hospital.book(&asked).await);
        assert_eq!(booked.proof, Proof::Unproven);
    }
    bench.end().await;
}

/// X1: bookings that cannot be counted per person are counted per network, even concurrent ones.
async fn a_network_has_sixty_unproven_appointments(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let times: Vec<_> = svc_booking::domain::calendar::SlotTime::all().collect();
    let mut bookings = Vec::new();
    for number in 0..90 {
        let asked = changed(
            &request("pediatrics", "", &times[number % 18].label()),
            |body| {
                let date = if number < 45 { MONDAY } else { TUESDAY };
                date.clone_into(&mut body.date);
            },
        );
        let new = NewBooking {
            network: Some(hashed("one")),
            ..hospital.new_booking(&asked, now()).await
        };
        let hospital = hospital.clone();
        bookings.push(tokio::spawn(async move {
            let roster = hospital.roster().await;
            hospital.store.book(new, roster, now()).await
        }));
    }
    let mut booked = Vec::new();
    let mut refused = 0;
    for outcome in join_all(bookings).await {
        match outcome.expect("no panic").expect("no error") {
            BookOutcome::Created(appointment) => booked.push(*appointment),
            BookOutcome::Refused(Refused::NetworkAppointmentsMax) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((booked.len(), refused), (60, 30));
    assert_eq!(OPEN_OF_NETWORK, 60);
    let from = async |network: &str, time: &str| {
        let asked = request("urology", "", time);
        let new = NewBooking {
            network: Some(hashed(network)),
            ..hospital.new_booking(&asked, now()).await
        };
        let roster = hospital.roster().await;
        let booked = hospital.store.book(new, roster, now()).await;
        booked.expect("no error")
    };
    let too_many = BookOutcome::Refused(Refused::NetworkAppointmentsMax);
    assert_eq!(from("one", "9:00 AM").await, too_many);
    assert!(is_booked(&from("two", "9:00 AM").await));
    // A taken time is refused first, because availability is public.
    let taken = BookOutcome::Refused(Refused::SlotTaken);
    assert_eq!(from("one", "9:00 AM").await, taken);
    // A proven and a cancelled appointment each make room for another.
    hospital.open_mail(&booked[0]).await;
    assert!(is_booked(&from("one", "9:30 AM").await));
    assert_eq!(from("one", "10:00 AM").await, too_many);
    let cancel = Action::Cancel { notify: false };
    done(hospital.change(&booked[1], cancel).await);
    assert!(is_booked(&from("one", "10:00 AM").await));
    bench.end().await;
}

/// X1: the response to a create and the mail contain different secrets. Both open the appointment; only the mailed one
/// proves its address.
async fn only_the_mailed_link_proves(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let booked = hospital.booked("ENT", "", "9:00 AM").await;
    let secrets = [
        hospital.store.secret(&booked).expect("a secret"),
        hospital.store.mailed_secret(&booked).expect("a secret"),
    ];
    assert_ne!(secrets[0], secrets[1]);
    let proof = async |secret: &str| {
        let access = svc_booking::store::Access::Secret(secret.to_owned());
        let name = svc_booking::store::Name::Id(booked.id);
        match hospital.store.read(&name, &access, "read", now()).await {
            Ok(svc_booking::store::Reached::Found(found)) => found.proof,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(proof(&secrets[0]).await, Proof::Unproven);
    assert_eq!(proof(&secrets[1]).await, Proof::Link);
    assert_eq!(proof(&secrets[0]).await, Proof::Link);
    // A proof does not change the version: the version read before is still valid.
    let renamed = Contact {
        patient_name: "Asha K Rao".into(),
        ..contact(&booked)
    };
    let update = |contact: Contact| Action::Update {
        contact,
        wanted: None,
        status: None,
    };
    let changed = done(hospital.change(&booked, update(renamed)).await);
    assert_eq!(changed.proof, Proof::Link);
    // Another address needs a proof by its own mail, and the old links are revoked.
    let readdressed = Contact {
        email: "other@example.com".into(),
        ..contact(&changed)
    };
    let changed = done(hospital.change_by_mail(&changed, update(readdressed)).await);
    assert_eq!(changed.proof, Proof::Unproven);
    for old in &secrets {
        let access = svc_booking::store::Access::Secret(old.clone());
        let name = svc_booking::store::Name::Id(booked.id);
        let read = hospital.store.read(&name, &access, "read", now()).await;
        let replaced = svc_booking::store::Reached::LinkReplaced;
        assert_eq!(read.expect("no error"), replaced);
    }
    assert_eq!(hospital.open_mail(&changed).await.proof, Proof::Link);
    let unproven = "SELECT count(*) FROM appointments WHERE proof = 'unproven'";
    assert_eq!(bench.test.scalar(unproven).await, 0);
    bench.end().await;
}

/// X1: many links of one address are opened concurrently; those beyond the limits stay unproven.
async fn a_proven_address_has_four_appointments_and_one_per_day(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let of = async |email: &str, places: Vec<(&str, &str, &str)>| {
        let mut booked = Vec::new();
        for (department, date, time) in places {
            let asked = changed(&request(department, "", time), |body| {
                body.email = email.into();
                body.date = date.into();
            });
            booked.push(created(hospital.book(&asked).await));
        }
        let opened = booked.iter().map(|own| hospital.open_mail(own));
        let proven = join_all(opened).await.into_iter();
        proven.filter(|own| own.proof == Proof::Link).count()
    };
    let departments = [
        "ENT",
        "Urology",
        "Pediatrics",
        "Cardiology",
        "General Medicine",
    ];
    let everywhere = departments.iter().flat_map(|department| {
        let day = |date: &'static str| (*department, date, "9:00 AM");
        [day(MONDAY), day(TUESDAY)]
    });
    assert_eq!(of("four@example.com", everywhere.collect()).await, 4);
    let times = ["10:00 AM", "10:30 AM", "11:00 AM", "11:30 AM", "12:00 PM"];
    let one_day = times.map(|time| ("Urology", MONDAY, time));
    assert_eq!(of("one@example.com", one_day.to_vec()).await, 1);
    bench.end().await;
}

/// Returns two appointments of one person in ENT, on Monday and on Tuesday, both proven.
async fn two(hospital: &Hospital) -> (Appointment, Appointment) {
    let first = request("ENT", "", "9:00 AM");
    let second = changed(&first, |body| TUESDAY.clone_into(&mut body.date));
    let first = created(hospital.book(&first).await);
    let second = created(hospital.book(&second).await);
    (
        hospital.open_mail(&first).await,
        hospital.open_mail(&second).await,
    )
}

async fn a_move_respects_one_appointment_per_department_and_day(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let (_, second) = two(&hospital).await;
    let wanted = hospital.wanted("ent", None, MONDAY, "9:30 AM").await;
    let r#move = Action::Move(wanted);
    assert_eq!(
        hospital.change_by_mail(&second, r#move.clone()).await,
        ChangeOutcome::Refused(Refused::SameDay)
    );
    let later = hospital.wanted("ent", None, TUESDAY, "9:30 AM").await;
    let moved = done(hospital.change_by_mail(&second, Action::Move(later)).await);
    // Staff can make exceptions.
    let by_staff = done(hospital.change_by_staff(&moved, r#move).await);
    // X1: a browser's secret proves nothing, so it reveals nothing.
    let back = hospital.wanted("ent", None, TUESDAY, "10:00 AM").await;
    let back = done(hospital.change(&by_staff, Action::Move(back)).await);
    let again = hospital.wanted("ent", None, MONDAY, "10:00 AM").await;
    done(hospital.change(&back, Action::Move(again)).await);
    bench.end().await;
}

/// X1: changing an appointment to another address reveals nothing about that address's person, even with a mailed link.
async fn a_changed_address_bypasses_no_limit(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let (first, _) = two(&hospital).await;
    let update = |contact: Contact| Action::Update {
        contact,
        wanted: None,
        status: None,
    };
    for is_proven in [true, false] {
        let other = hospital.booked("ENT", "", "9:30 AM").await;
        let other = hospital.open_mail(&other).await;
        let taken_over = Contact {
            email: contact(&first).email,
            ..contact(&other)
        };
        let changed = done(if is_proven {
            hospital.change_by_mail(&other, update(taken_over)).await
        } else {
            hospital.change(&other, update(taken_over)).await
        });
        assert_eq!(changed.proof, Proof::Unproven);
        // Its owner already has a proven appointment in this department on that day.
        assert_eq!(hospital.open_mail(&changed).await.proof, Proof::Unproven);
    }
    bench.end().await;
}

/// X2: each move sends a mail. The patient may make six a day; staff may make more.
async fn a_patient_may_move_six_times_a_day(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let mut known = hospital.booked("urology", "", "9:00 AM").await;
    let times: Vec<_> = svc_booking::domain::calendar::SlotTime::all()
        .skip(1)
        .collect();
    let r#move = async |number: usize| {
        let time = times[number % times.len()].label();
        Action::Move(hospital.wanted("urology", None, MONDAY, &time).await)
    };
    for number in 0..6 {
        known = done(hospital.change(&known, r#move(number).await).await);
    }
    let most = ChangeOutcome::Refused(Refused::MovesMax);
    assert_eq!(hospital.change(&known, r#move(6).await).await, most);
    assert_eq!(hospital.change_by_mail(&known, r#move(6).await).await, most);
    let readdressed = Action::Update {
        contact: Contact {
            email: "other@example.com".into(),
            ..contact(&known)
        },
        wanted: None,
        status: None,
    };
    assert_eq!(hospital.change(&known, readdressed).await, most);
    known = done(hospital.change_by_staff(&known, r#move(6).await).await);
    // Six more are allowed the next day, and twenty in total.
    let patient = |known: &Appointment| {
        let secret = hospital.store.secret(known).unwrap_or_default();
        svc_booking::store::Access::Secret(secret)
    };
    let mut moved = 6;
    for hours in (25..).step_by(4).take(30) {
        let at = now() + chrono::TimeDelta::hours(hours);
        let wanted = hospital
            .wanted("urology", None, "2026-12-21", &times[moved % 17].label())
            .await;
        let action = Action::Move(wanted);
        let outcome = hospital
            .change_at(&known, &patient(&known), action, at)
            .await;
        match outcome {
            ChangeOutcome::Changed { appointment, .. } => known = *appointment,
            other => {
                assert_eq!(other, most);
                break;
            }
        }
        moved += 1;
    }
    assert_eq!(moved, 20);
    done(
        hospital
            .change(&known, Action::Cancel { notify: true })
            .await,
    );
    bench.end().await;
}

async fn an_accepted_offer_counts_as_a_booking(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let waits = waiting("urology", None, MONDAY);
    let offered = join(&hospital, &waits).await;
    let freed = hospital.booked("urology", "", "9:00 AM").await;
    done(
        hospital
            .change(&freed, Action::Cancel { notify: false })
            .await,
    );
    let person = entry(&hospital, offered.id)
        .await
        .contact
        .expect("a contact");
    let mut own = request("urology", "", "10:00 AM");
    let body = own.appointment.as_mut().expect("a body");
    body.email.clone_from(&person.email);
    let booked = created(hospital.book(&own).await);
    hospital.open_mail(&booked).await;
    let accepted = || async {
        act_by(
            &hospital,
            offered.id,
            accept(),
            hospital.roster().await,
            now(),
        )
        .await
    };
    assert_eq!(accepted().await, EntryOutcome::Refused(Refused::SameDay));
    done(
        hospital
            .change(&booked, Action::Cancel { notify: false })
            .await,
    );
    for department in ["ENT", "Cardiology", "Pediatrics", "General Medicine"] {
        let other = changed(&own, |body| department.clone_into(&mut body.department));
        let other = created(hospital.book(&other).await);
        assert_eq!(hospital.open_mail(&other).await.proof, Proof::Link);
    }
    assert_eq!(
        accepted().await,
        EntryOutcome::Refused(Refused::AppointmentsMax)
    );
    bench.end().await;
}
