//! What one person may have, whichever way they come to it: a booking, a move, another name, an accepted offer.

use svc_booking::{
    domain::change::{Action, Appointment, Contact, Refused},
    store::{ChangeOutcome, EntryOutcome, OPEN_MAX},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, Hospital, MONDAY, TUESDAY, changed, contact, created, done, now, request},
    line::{accept, act_by, entry, join, waiting},
};

on_both_databases!(test_kit::bench::empty:
    a_move_gives_nobody_two_of_a_department_and_day,
    nobody_is_given_more_by_changing_whose_it_is,
    an_accepted_offer_counts_as_a_booking,
);

/// Of one person: ENT on Monday, and on Tuesday.
async fn two(hospital: &Hospital) -> (Appointment, Appointment) {
    let first = request("ENT", "", "9:00 AM");
    let second = changed(&first, |body| TUESDAY.clone_into(&mut body.date));
    let first = created(hospital.book(&first).await);
    (first, created(hospital.book(&second).await))
}

async fn a_move_gives_nobody_two_of_a_department_and_day(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let (_, second) = two(&hospital).await;
    let wanted = hospital.wanted("ent", None, MONDAY, "9:30 AM").await;
    let r#move = Action::Move(wanted);
    assert_eq!(
        hospital.change(&second, r#move.clone()).await,
        ChangeOutcome::Refused(Refused::SameDay)
    );
    let later = hospital.wanted("ent", None, TUESDAY, "9:30 AM").await;
    let moved = done(hospital.change(&second, Action::Move(later)).await);
    // Staff are who is asked for an exception.
    done(hospital.change_by_staff(&moved, r#move).await);
    bench.end().await;
}

async fn nobody_is_given_more_by_changing_whose_it_is(bench: Bench) {
    let hospital = Hospital::of(&bench).await;
    let (first, _) = two(&hospital).await;
    let other = hospital.booked("ENT", "", "9:30 AM").await;
    let update = |contact: Contact| Action::Update {
        contact,
        wanted: None,
        status: None,
    };
    let phone = contact(&first).phone;
    let taken_over = Contact {
        phone,
        ..contact(&other)
    };
    assert_eq!(
        hospital.change(&other, update(taken_over)).await,
        ChangeOutcome::Refused(Refused::SameDay)
    );
    let renamed = Contact {
        patient_name: "Asha K Rao".into(),
        ..contact(&other)
    };
    done(hospital.change(&other, update(renamed)).await);
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
    for (number, department) in ["ENT", "Cardiology", "Pediatrics", "General Medicine"]
        .into_iter()
        .enumerate()
    {
        assert!(number < OPEN_MAX);
        let other = changed(&own, |body| department.clone_into(&mut body.department));
        created(hospital.book(&other).await);
    }
    assert_eq!(
        accepted().await,
        EntryOutcome::Refused(Refused::AppointmentsMax)
    );
    bench.end().await;
}
