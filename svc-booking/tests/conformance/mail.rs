//! Contents of mails: the link, the cause, and facts that only the owner of the address may see.

use hospital_proto::{
    booking::v1::{
        Appointment, CancelAppointmentRequest, CreateWaitlistEntryRequest, GetAppointmentRequest,
        GetWaitlistEntryRequest, MoveAppointmentRequest, Proof, UpdateAppointmentRequest,
        WaitlistEntry, WaitlistState,
    },
    messaging::v1::{AppointmentEvent, NoticeCause, WaitlistEvent},
};
use svc_booking::domain::calendar::SlotTime;
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, changed, request, unique},
    mailbox::secret_in,
    serving::{Serving, WRITE, by_patient, with},
};

on_both_databases!(test_kit::bench::empty:
    the_mailed_link_proves_and_the_mail_lists_other_appointments,
    a_mail_names_its_cause,
    a_changed_address_gets_the_new_link,
    a_move_is_announced_despite_later_changes,
    the_joining_mail_proves_the_entry,
);

const NETWORK: &str = "198.51.100.0/24";

async fn read(serving: &Serving, known: &Appointment, secret: &str) -> Appointment {
    let name = GetAppointmentRequest {
        appointment_id: known.id.clone(),
    };
    let mut client = serving.booking();
    let read = client.get_appointment(by_patient(name, secret)).await;
    let read = read.expect("read").into_inner();
    read.appointment.expect("a body")
}

async fn the_mailed_link_proves_and_the_mail_lists_other_appointments(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let asked = request("ENT", "", "9:00 AM");
    let first = serving.booked(asked.clone()).await;
    let (mail, notice) = mailbox
        .about(&first.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!((mail.proven, notice.other_reference.as_str()), (false, ""));
    let secret = secret_in(&notice.manage_url);
    assert_ne!(secret, first.secret);
    assert_eq!(
        read(&serving, &first, &first.secret).await.proof(),
        Proof::Unproven
    );
    // X1: another booking on the same day. Neither the response nor the mail mentions the first one while it is
    // unproven.
    let again = |time: &str| changed(&asked, |body| time.clone_into(&mut body.time));
    let second = serving.booked(again("9:30 AM")).await;
    let (_, notice) = mailbox
        .about(&second.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(notice.other_reference, "");
    assert_eq!(read(&serving, &first, &secret).await.proof(), Proof::Link);
    let third = serving.booked(again("10:00 AM")).await;
    let (mail, notice) = mailbox
        .about(&third.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(notice.other_reference, first.reference);
    assert_eq!(mail.recipient.expect("a recipient").email, first.email);
    // X1: the same number under another address is another mailbox, which learns nothing.
    let stranger = changed(&again("10:30 AM"), |body| {
        body.email = "stranger@example.com".into();
    });
    let stranger = serving.booked(stranger).await;
    let (_, notice) = mailbox
        .about(&stranger.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(notice.other_reference, "");
    serving.stop().await;
    bench.end().await;
}

/// X2: the messaging service counts notices by cause and network.
async fn a_mail_names_its_cause(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let asked = with(request("Urology", "", "9:00 AM"), "client-network", NETWORK);
    let booked = serving.booking().create_appointment(asked).await;
    let booked = booked
        .expect("booked")
        .into_inner()
        .appointment
        .expect("a body");
    let (mail, notice) = mailbox
        .about(&booked.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(mail.cause(), NoticeCause::Patient);
    assert_eq!(mail.network.len(), 16);
    let mailed = secret_in(&notice.manage_url);
    let elsewhere = "203.0.113.0/24";
    let asked = MoveAppointmentRequest {
        appointment_id: booked.id.clone(),
        date: TUESDAY.to_owned(),
        time: "9:00 AM".to_owned(),
        etag: booked.etag.clone(),
        ..MoveAppointmentRequest::default()
    };
    let mut moved = by_patient(asked, &mailed);
    let network = elsewhere.parse().expect("a header");
    moved.metadata_mut().insert("client-network", network);
    let moved = serving.booking().move_appointment(moved).await;
    let moved = moved
        .expect("moved")
        .into_inner()
        .appointment
        .expect("a body");
    let (other, _) = mailbox
        .about(&booked.reference, AppointmentEvent::Moved)
        .await;
    assert_eq!(other.cause(), NoticeCause::Patient);
    assert!(other.network.len() == 16 && other.network != mail.network);
    assert!(other.proven, "the link was opened");
    let cancel = CancelAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: moved.etag,
    };
    let mut client = serving.booking();
    let cancelled = client
        .cancel_appointment(serving.staff(WRITE, cancel))
        .await;
    cancelled.expect("cancelled");
    let (staff, _) = mailbox
        .about(&booked.reference, AppointmentEvent::Cancelled)
        .await;
    assert_eq!(
        (staff.cause(), staff.network.as_str()),
        (NoticeCause::Staff, "")
    );
    // Networks are erased after 30 days, also in the history.
    let networks = "SELECT count(*) FROM events WHERE network IS NOT NULL";
    assert_eq!(bench.test.scalar(networks).await, 1);
    let hospital = crate::fixture::Hospital::of(&bench).await;
    let retention = svc_booking::domain::retention::Retention::default();
    let later = crate::fixture::now() + chrono::TimeDelta::days(31);
    hospital
        .store
        .retain(&retention, later)
        .await
        .expect("no error");
    assert_eq!(bench.test.scalar(networks).await, 0);
    serving.stop().await;
    bench.end().await;
}

async fn a_changed_address_gets_the_new_link(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    let (_, notice) = mailbox
        .about(&booked.reference, AppointmentEvent::Booked)
        .await;
    let first = secret_in(&notice.manage_url);
    assert_eq!(read(&serving, &booked, &first).await.proof(), Proof::Link);
    let update = UpdateAppointmentRequest {
        appointment_id: booked.id.clone(),
        etag: booked.etag.clone(),
        appointment: Some(Appointment {
            email: "other@example.com".to_owned(),
            status: 0,
            ..booked.clone()
        }),
    };
    let update = by_patient(update, &first);
    let updated = serving.booking().update_appointment(update).await;
    let updated = updated
        .expect("changed")
        .into_inner()
        .appointment
        .expect("a body");
    assert_eq!(
        (updated.proof(), updated.secret.len()),
        (Proof::Unproven, 43)
    );
    let (mail, notice) = mailbox
        .about(&booked.reference, AppointmentEvent::Changed)
        .await;
    let recipient = mail.recipient.expect("a recipient");
    assert_eq!(
        (recipient.email.as_str(), mail.proven),
        ("other@example.com", false)
    );
    let next = secret_in(&notice.manage_url);
    assert_ne!(
        next, updated.secret,
        "the caller has not proven the new address"
    );
    assert_eq!(
        read(&serving, &booked, &updated.secret).await.proof(),
        Proof::Unproven
    );
    assert_eq!(read(&serving, &booked, &next).await.proof(), Proof::Link);
    serving.stop().await;
    bench.end().await;
}

/// X5: from joining to the offer, as seen in the person's mailbox.
async fn the_joining_mail_proves_the_entry(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let mut booked = Vec::new();
    for time in SlotTime::all() {
        booked.push(serving.booked(request("Urology", "", &time.label())).await);
    }
    let number = unique();
    let asked = CreateWaitlistEntryRequest {
        entry: Some(WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: format!("wait{number}@example.com"),
            phone: format!("+91 80 3{number:07}"),
            department: "Urology".to_owned(),
            date: MONDAY.to_owned(),
            ..WaitlistEntry::default()
        }),
        request_id: format!("waitlist-request-{number:06}"),
    };
    let asked = with(asked, "client-network", NETWORK);
    let entry = serving.waitlist().create_waitlist_entry(asked).await;
    let entry = entry.expect("joined").into_inner().entry.expect("an entry");
    let (mail, notice) = mailbox
        .about_entry(&entry.reference, WaitlistEvent::Joined)
        .await;
    assert_eq!(
        (mail.cause(), mail.network.len()),
        (NoticeCause::Patient, 16)
    );
    assert_eq!((notice.date.as_str(), notice.starts_at), (MONDAY, None));
    let cancel = CancelAppointmentRequest {
        appointment_id: booked[0].id.clone(),
        etag: booked[0].etag.clone(),
    };
    let cancel = by_patient(cancel, &booked[0].secret);
    serving
        .booking()
        .cancel_appointment(cancel)
        .await
        .expect("cancelled");
    let state = async |secret: &str| {
        let name = GetWaitlistEntryRequest {
            entry_id: entry.reference.clone(),
        };
        let mut client = serving.waitlist();
        let read = client
            .get_waitlist_entry(with(name, "x-waitlist-secret", secret))
            .await;
        read.expect("read")
            .into_inner()
            .entry
            .expect("an entry")
            .state()
    };
    assert_eq!(state(&entry.secret).await, WaitlistState::Waiting);
    assert_eq!(
        state(&secret_in(&notice.offer_url)).await,
        WaitlistState::Waiting
    );
    // B3, B4: the sweep matches free times with waiting entries.
    let (mail, offer) = mailbox
        .about_entry(&entry.reference, WaitlistEvent::Offered)
        .await;
    assert_eq!((mail.cause(), mail.proven), (NoticeCause::Reminder, true));
    assert_eq!(secret_in(&offer.offer_url), secret_in(&notice.offer_url));
    assert_eq!(state(&entry.secret).await, WaitlistState::Offered);
    serving.stop().await;
    bench.end().await;
}

/// B1: a later change, without a notice or with one of another kind, used to make the pending notice of a move
/// obsolete.
async fn a_move_is_announced_despite_later_changes(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    mailbox
        .about(&booked.reference, AppointmentEvent::Booked)
        .await;
    mailbox.go_away();
    let asked = MoveAppointmentRequest {
        appointment_id: booked.id.clone(),
        date: TUESDAY.to_owned(),
        time: "10:00 AM".to_owned(),
        etag: booked.etag.clone(),
        ..MoveAppointmentRequest::default()
    };
    let asked = serving.staff(WRITE, asked);
    let moved = serving.booking().move_appointment(asked).await;
    let mut present = moved.expect("moved").into_inner().appointment;
    // A new name does not affect the notice; a new phone number replaces the link.
    let name = |body: &mut Appointment| "Asha M. Rao".clone_into(&mut body.patient_name);
    let phone = |body: &mut Appointment| "+91 80 4123 9876".clone_into(&mut body.phone);
    for fix in [name as fn(&mut Appointment), phone] {
        let mut body = present.expect("a body");
        let (appointment_id, etag) = (body.id.clone(), body.etag.clone());
        fix(&mut body);
        body.status = 0;
        let update = UpdateAppointmentRequest {
            appointment_id,
            etag,
            appointment: Some(body),
        };
        let update = serving.staff(WRITE, update);
        let updated = serving.booking().update_appointment(update).await;
        present = updated.expect("changed").into_inner().appointment;
    }
    mailbox.come_back_after(1).await;
    // The refused delivery may be recorded after the clock was set, and then waits for a later time.
    let mut now = crate::fixture::now();
    let (mail, notice) = loop {
        now += chrono::TimeDelta::minutes(10);
        serving.clock.set(now);
        let found = mailbox.about(&booked.reference, AppointmentEvent::Moved);
        match tokio::time::timeout(std::time::Duration::from_secs(2), found).await {
            Ok(found) => break found,
            Err(_) => assert!(now < crate::fixture::now() + chrono::TimeDelta::hours(2)),
        }
    };
    assert_eq!(mail.cause(), NoticeCause::Staff);
    let recipient = mail.recipient.expect("a recipient");
    assert_eq!(
        (recipient.name.as_str(), recipient.phone.as_str()),
        ("Asha M. Rao", "+91 80 4123 9876")
    );
    let seconds = notice.starts_at.expect("a time").seconds;
    let starts_at = chrono::DateTime::from_timestamp(seconds, 0).expect("a time");
    assert_eq!(starts_at.to_rfc3339(), format!("{TUESDAY}T04:30:00+00:00"));
    let opened = read(&serving, &booked, &secret_in(&notice.manage_url)).await;
    assert_eq!(
        (opened.date.as_str(), opened.time.as_str()),
        (TUESDAY, "10:00 AM")
    );
    serving.stop().await;
    bench.end().await;
}
