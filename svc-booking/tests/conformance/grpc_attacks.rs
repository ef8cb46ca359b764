//! Attacks of the third review, as a stranger makes them: through the public RPCs.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, CancelAppointmentRequest, CreateHoldRequest, GetAppointmentRequest,
    GetWaitlistEntryRequest, Hold, MoveAppointmentRequest, Proof, WaitlistEntry, WaitlistState,
};
use svc_booking::domain::calendar::SlotTime;
use test_kit::on_both_databases;
use tonic::{Code, Request, Status};

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, now, request},
    grpc_strangers::{fill, from, join, joined, open_mail, open_mail_of_entry, visit},
    serving::{Serving, by_patient, reason, with},
};

on_both_databases!(test_kit::bench::empty:
    holds_of_one_network_leave_the_day_to_others,
    one_network_cannot_capture_the_head_of_a_waitlist,
    a_stranger_cannot_lock_a_person_out,
    a_browser_and_a_mail_have_different_links,
    a_stranger_causes_six_mails_at_most,
);

fn hold(time: &str, date: &str, tab: usize, network: &str) -> Request<CreateHoldRequest> {
    let hold = Hold {
        department: "Urology".to_owned(),
        date: date.to_owned(),
        time: time.to_owned(),
        ..Hold::default()
    };
    let message = CreateHoldRequest {
        hold: Some(hold),
        ..CreateHoldRequest::default()
    };
    let mut request = from(message, network);
    let tab = format!("tab-{tab}").parse().expect("a header");
    request.metadata_mut().insert("client-id", tab);
    request
}

/// X4: the review's attack on a department with one seat at each time, from one network with as many browser tabs as
/// slots.
async fn holds_of_one_network_leave_the_day_to_others(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let attacker = "198.51.100.0/24";
    let mut reasons = Vec::new();
    let mut held = 0;
    for round in 0..3 {
        for (tab, slot) in SlotTime::all().enumerate() {
            let asked = hold(&slot.label(), MONDAY, tab + 100 * round, attacker);
            match serving.booking().create_hold(asked).await {
                Ok(_) => held += 1,
                Err(status) if reason(&status) == "SLOT_TAKEN" => {}
                Err(status) => {
                    assert_eq!(status.code(), Code::ResourceExhausted);
                    reasons.push(reason(&status));
                }
            }
        }
    }
    assert_eq!(held, 4, "a quarter of 18");
    assert!(reasons.len() > 30 && reasons.iter().all(|reason| reason == "HOLDS_MAX"));
    // All other visitors can hold and book the remaining slots; the attacker may book too.
    let other = serving
        .booking()
        .create_hold(hold("5:00 PM", MONDAY, 0, "203.0.113.0/24"))
        .await;
    other.expect("held");
    serving.booked(request("Urology", "", "5:30 PM")).await;
    let own = from(request("Urology", "", "6:00 PM"), attacker);
    serving
        .booking()
        .create_appointment(own)
        .await
        .expect("booked");
    // Renewed long enough, the holds are refused in the end.
    let mut minutes = 0;
    let rests = loop {
        minutes += 5;
        serving.clock.set(now() + TimeDelta::minutes(minutes));
        let mut refused = 0;
        for (tab, slot) in SlotTime::all().take(4).enumerate() {
            let asked = hold(&slot.label(), MONDAY, tab, attacker);
            refused += usize::from(serving.booking().create_hold(asked).await.is_err());
        }
        if refused == 4 || minutes > 600 {
            break minutes;
        }
    };
    assert!((30..=45).contains(&rests), "{rests} minutes of four holds");
    let tuesday = hold("9:00 AM", TUESDAY, 0, attacker);
    serving.booking().create_hold(tuesday).await.expect("held");
    serving.stop().await;
    bench.end().await;
}

/// X5: forty entries from one network do not capture the next seat. Four are accepted, and none gets an offer before
/// the owner of its address has opened a mail.
async fn one_network_cannot_capture_the_head_of_a_waitlist(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = fill(&serving).await;
    let attacker = "198.51.100.0/24";
    let mut entries = Vec::new();
    for person in 0..40 {
        let asked = from(join(person, "Urology"), attacker);
        match serving.waitlist().create_waitlist_entry(asked).await {
            Ok(answer) => entries.push(answer.into_inner().entry.expect("an entry")),
            Err(status) => assert_eq!(reason(&status), "NETWORK_WAITLIST_MAX"),
        }
    }
    assert_eq!(entries.len(), 4);
    serving.clock.set(now() + TimeDelta::minutes(1));
    let patient = from(join(50_000, "Urology"), "203.0.113.0/24");
    let patient = joined(&serving, patient).await;
    let patient = open_mail_of_entry(&bench, &serving, &patient).await;
    let cancel = CancelAppointmentRequest {
        appointment_id: booked[0].id.clone(),
        etag: booked[0].etag.clone(),
    };
    serving
        .booking()
        .cancel_appointment(by_patient(cancel, &booked[0].secret))
        .await
        .expect("cancelled");
    let read = async |entry: &WaitlistEntry| {
        let name = GetWaitlistEntryRequest {
            entry_id: entry.id.clone(),
        };
        let read = with(name, "x-waitlist-secret", &entry.secret);
        let read = serving.waitlist().get_waitlist_entry(read).await;
        read.expect("read").into_inner().entry.expect("an entry")
    };
    assert_eq!(read(&patient).await.state(), WaitlistState::Offered);
    for entry in &entries {
        let entry = read(entry).await;
        assert_eq!(entry.state(), WaitlistState::Waiting);
        // The secret of the response proves nothing, however often it is used.
        assert_eq!(entry.proof(), Proof::Unproven);
        assert_eq!(entry.unproven_reason, "");
    }
    serving.stop().await;
    bench.end().await;
}

/// X6: a stranger's bookings and entries under a person's address and number do not restrict that person's bookings,
/// entries and moves.
async fn a_stranger_cannot_lock_a_person_out(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let attacker = "198.51.100.0/24";
    let person = 42;
    for (department, time) in [
        ("ENT", "9:00 AM"),
        ("Urology", "9:00 AM"),
        ("Pediatrics", "9:00 AM"),
        ("Cardiology", "9:00 AM"),
        ("General Medicine", "9:00 AM"),
        ("ENT", "9:30 AM"),
    ] {
        let asked = from(visit(person, department, MONDAY, time), attacker);
        serving
            .booking()
            .create_appointment(asked)
            .await
            .expect("booked");
    }
    for (number, time) in SlotTime::all().skip(1).enumerate() {
        let other = visit(70_000 + number, "Urology", MONDAY, &time.label());
        serving.booked(other).await;
    }
    for _ in 0..4 {
        joined(&serving, from(join(person, "Urology"), attacker)).await;
    }
    // The person books the same day and department and more than four appointments, and joins the same waitlist.
    let mut own = Vec::new();
    for (department, date) in [
        ("ENT", MONDAY),
        ("Pediatrics", MONDAY),
        ("Cardiology", TUESDAY),
        ("General Medicine", TUESDAY),
    ] {
        let booked = serving
            .booked(visit(person, department, date, "10:00 AM"))
            .await;
        let opened = open_mail(&bench, &serving, &booked).await;
        assert_eq!(opened.proof(), Proof::Link, "{department}");
        own.push(opened);
    }
    let fifth = serving
        .booked(visit(person, "ENT", TUESDAY, "10:00 AM"))
        .await;
    let fifth = open_mail(&bench, &serving, &fifth).await;
    assert_eq!(fifth.proof(), Proof::Unproven, "still booked");
    let entry = joined(&serving, from(join(person, "Urology"), "203.0.113.0/24")).await;
    let entry = open_mail_of_entry(&bench, &serving, &entry).await;
    assert_eq!(
        (entry.proof(), entry.unproven_reason.as_str()),
        (Proof::Link, "")
    );
    let again = joined(&serving, from(join(person, "Urology"), "203.0.113.0/24")).await;
    let again = open_mail_of_entry(&bench, &serving, &again).await;
    assert_eq!(
        (again.proof(), again.unproven_reason.as_str()),
        (Proof::Unproven, "WAITLIST_MAX")
    );
    let moved = MoveAppointmentRequest {
        appointment_id: own[0].id.clone(),
        date: MONDAY.to_owned(),
        time: "11:00 AM".to_owned(),
        etag: own[0].etag.clone(),
        ..MoveAppointmentRequest::default()
    };
    let moved = serving
        .booking()
        .move_appointment(by_patient(moved, &own[0].secret))
        .await;
    moved.expect("moved");
    serving.stop().await;
    bench.end().await;
}

fn move_to(known: &Appointment, date: &str, time: &str) -> MoveAppointmentRequest {
    MoveAppointmentRequest {
        appointment_id: known.id.clone(),
        date: date.to_owned(),
        time: time.to_owned(),
        etag: known.etag.clone(),
        ..MoveAppointmentRequest::default()
    }
}

/// X1: the response's secret opens the page but proves nothing; the mailed one does both. A move replaces both, and
/// returns the kind that was used.
async fn a_browser_and_a_mail_have_different_links(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(visit(1, "Urology", MONDAY, "9:00 AM")).await;
    assert_eq!(booked.proof(), Proof::Unproven);
    let read = async |secret: &str| {
        let name = GetAppointmentRequest {
            appointment_id: booked.id.clone(),
        };
        let mut client = serving.booking();
        let read = client.get_appointment(by_patient(name, secret)).await?;
        let read = read.into_inner();
        Ok::<_, Status>(read.appointment.expect("a body").proof())
    };
    assert_eq!(read(&booked.secret).await.expect("read"), Proof::Unproven);
    let mailed = open_mail(&bench, &serving, &booked).await;
    assert_ne!(mailed.secret, booked.secret);
    assert_eq!(mailed.proof(), Proof::Link);
    assert_eq!(read(&booked.secret).await.expect("read"), Proof::Link);
    let r#move = async |known: &Appointment, secret: &str, time: &str| {
        let asked = by_patient(move_to(known, TUESDAY, time), secret);
        let moved = serving.booking().move_appointment(asked).await;
        moved
            .expect("moved")
            .into_inner()
            .appointment
            .expect("a body")
    };
    // A caller who has proven the address gets the next mailed secret, and stays proven.
    let moved = r#move(&booked, &mailed.secret, "9:00 AM").await;
    let next = open_mail(&bench, &serving, &moved).await;
    assert_eq!(moved.secret, next.secret);
    let again = r#move(&moved, &moved.secret, "9:30 AM").await;
    for old in [&booked.secret, &mailed.secret, &moved.secret] {
        let refused = read(old).await.expect_err("replaced");
        assert_eq!(reason(&refused), "LINK_REPLACED");
    }
    // An unproven caller gets the browser's secret.
    let other = serving.booked(visit(2, "Urology", MONDAY, "9:30 AM")).await;
    let moved = r#move(&other, &other.secret, "10:00 AM").await;
    let mailed = open_mail(&bench, &serving, &moved).await;
    assert_ne!(moved.secret, mailed.secret);
    assert_ne!(again.secret, moved.secret);
    serving.stop().await;
    bench.end().await;
}

/// X2: a stranger who moves an appointment under someone else's address once a second causes six mails at most.
async fn a_stranger_causes_six_mails_at_most(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut known = serving.booked(visit(1, "Urology", MONDAY, "9:00 AM")).await;
    let mut moves = 0;
    let refused = loop {
        let time = SlotTime::all().nth(1 + moves % 17).expect("a time").label();
        let asked = by_patient(move_to(&known, TUESDAY, &time), &known.secret);
        match serving.booking().move_appointment(asked).await {
            Ok(answer) => known = answer.into_inner().appointment.expect("a body"),
            Err(status) => break status,
        }
        moves += 1;
        assert!(moves < 30);
    };
    assert_eq!((moves, reason(&refused).as_str()), (6, "MOVES_MAX"));
    assert_eq!(refused.code(), Code::FailedPrecondition);
    serving.stop().await;
    bench.end().await;
}
