//! Access for a patient who has lost the link: a mailed code, or the mailed link (U7).

use chrono::TimeDelta;
use hospital_proto::{
    booking::v1::{
        Appointment, GetAppointmentRequest, MoveAppointmentRequest, OpenAppointmentWithCodeRequest,
        Proof, RequestAppointmentCodeRequest, SendAppointmentLinkRequest,
    },
    messaging::v1::{AppointmentEvent, NoticeCause},
};
use test_kit::on_both_databases;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, now, request},
    grpc_strangers::{PEOPLE, from, tells_nothing},
    mailbox::{Mailbox, secret_in},
    serving::{Serving, WRITE, by_patient, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_code_opens_an_appointment_once,
    a_reference_allows_five_guesses_from_all_networks,
    a_network_may_guess_twenty_times_across_references,
    a_caller_over_two_limits_waits_for_the_later_end,
    a_request_for_a_code_reveals_nothing,
    no_code_is_stored_in_clear_text,
    a_replaced_link_requests_the_present_one,
    missing_or_overlong_fields_are_named,
);

fn ask(reference: &str, phone: &str) -> RequestAppointmentCodeRequest {
    RequestAppointmentCodeRequest {
        reference: reference.to_owned(),
        phone: phone.to_owned(),
    }
}

fn guess(reference: &str, phone: &str, code: &str) -> OpenAppointmentWithCodeRequest {
    OpenAppointmentWithCodeRequest {
        reference: reference.to_owned(),
        phone: phone.to_owned(),
        code: code.to_owned(),
    }
}

async fn open(
    serving: &Serving,
    asked: Request<OpenAppointmentWithCodeRequest>,
) -> Result<Appointment, Status> {
    let opened = serving.access().open_appointment_with_code(asked).await?;
    Ok(opened.into_inner().appointment.expect("a body"))
}

async fn refusal(serving: &Serving, asked: Request<OpenAppointmentWithCodeRequest>) -> Status {
    open(serving, asked).await.expect_err("refused")
}

/// Books, and requests a code by mail.
async fn booked_with_code(
    serving: &Serving,
    mailbox: &Mailbox,
    time: &str,
) -> (Appointment, String) {
    let booked = serving.booked(request("Urology", "", time)).await;
    let asked = ask(&booked.reference, &booked.phone);
    serving
        .access()
        .request_appointment_code(asked)
        .await
        .expect("asked");
    let codes = mailbox.codes(&booked.reference, 1).await;
    let code = codes[0].1.code.clone();
    assert!(
        code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit()),
        "{code}"
    );
    (booked, code)
}

async fn a_code_opens_an_appointment_once(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    // Spelled as people write them.
    let reference = format!(" {} ", booked.reference.to_lowercase());
    let phone = booked.phone.replace("+91 ", "0").replace(' ', "-");
    let asked = from(ask(&reference, &phone), "198.51.100.0/24");
    serving
        .access()
        .request_appointment_code(asked)
        .await
        .expect("asked");
    let (mail, notice) = mailbox.codes(&booked.reference, 1).await.remove(0);
    assert_eq!(
        (mail.cause(), mail.network.len(), mail.proven),
        (NoticeCause::Patient, 16, false)
    );
    let recipient = mail.recipient.expect("a recipient");
    assert_eq!(
        (recipient.email.as_str(), recipient.phone.as_str()),
        (booked.email.as_str(), "")
    );
    let end = notice.expire_time.expect("an end").seconds;
    assert_eq!(end, (now() + TimeDelta::minutes(10)).timestamp());
    let typed = format!("{} {}", &notice.code[..3], &notice.code[3..]);
    let asked = guess(&reference, &phone, &typed);
    let opened = open(&serving, Request::new(asked.clone()))
        .await
        .expect("opened");
    assert_eq!(
        (opened.id.as_str(), opened.proof()),
        (booked.id.as_str(), Proof::Code)
    );
    // Opens with the mailed secret, which the page uses from then on; the browser's secret stays valid.
    let (_, mail) = mailbox
        .about(&booked.reference, AppointmentEvent::Booked)
        .await;
    assert_eq!(opened.secret, secret_in(&mail.manage_url));
    let again = refusal(&serving, Request::new(asked)).await;
    assert_eq!(reason(&again), "CODE_WRONG");
    // Another code expires after ten minutes.
    let asked = ask(&booked.reference, &booked.phone);
    serving
        .access()
        .request_appointment_code(asked)
        .await
        .expect("asked");
    let codes = mailbox.codes(&booked.reference, 2).await;
    let code = &codes[1].1.code;
    serving.clock.set(now() + TimeDelta::minutes(10));
    let late = guess(&booked.reference, &booked.phone, code);
    let late = refusal(&serving, Request::new(late)).await;
    assert_eq!(reason(&late), "CODE_WRONG");
    // Three mails in an hour. The number counts as part of the subject, so a stranger with another number cannot use
    // them up.
    for _ in 0..5 {
        let others = ask(&booked.reference, "+91 80 9999 9999");
        serving
            .access()
            .request_appointment_code(others)
            .await
            .expect("asked");
        let asked = ask(&booked.reference, &booked.phone);
        serving
            .access()
            .request_appointment_code(asked)
            .await
            .expect("asked");
    }
    let mailed = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.code'";
    assert_eq!(bench.test.scalar(mailed).await, 3);
    serving.stop().await;
    bench.end().await;
}

/// After five wrong tries of a reference, each from another network, the right code is refused too. So is an unknown
/// reference.
async fn a_reference_allows_five_guesses_from_all_networks(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let (booked, code) = booked_with_code(&serving, &mailbox, "9:00 AM").await;
    let (other, others_code) = booked_with_code(&serving, &mailbox, "9:30 AM").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let mut answers = Vec::new();
    for reference in [booked.reference.as_str(), "SH-2222-2222"] {
        for number in 0..7 {
            let network = format!("198.51.{number}.0/24");
            let asked = from(guess(reference, &booked.phone, wrong), &network);
            let refused = refusal(&serving, asked).await;
            answers.push((
                refused.code(),
                refused.message().to_owned(),
                reason(&refused),
            ));
        }
    }
    let (known, unknown) = answers.split_at(7);
    assert_eq!(
        known, unknown,
        "whether there is such an appointment is not told"
    );
    assert!(known[..5].iter().all(|answer| answer.2 == "CODE_WRONG"));
    assert!(known[5..].iter().all(|answer| answer.2 == "CODE_TRIES_MAX"));
    assert_eq!(known[5].0, Code::ResourceExhausted);
    let right = || Request::new(guess(&booked.reference, &booked.phone, &code));
    let refused = refusal(&serving, right()).await;
    assert_eq!(reason(&refused), "CODE_TRIES_MAX");
    let wait = refused
        .get_details_retry_info()
        .expect("a wait")
        .retry_delay;
    assert_eq!(wait.expect("a wait").as_secs(), 3600);
    // A mistake in any part is a wrong code; another appointment is not affected.
    for asked in [
        guess(&other.reference, &booked.phone, &others_code),
        guess(&booked.reference, &other.phone, &others_code),
        guess(&other.reference, &other.phone, wrong),
    ] {
        assert!(reason(&refusal(&serving, Request::new(asked)).await).starts_with("CODE_"));
    }
    let asked = Request::new(guess(&other.reference, &other.phone, &others_code));
    open(&serving, asked).await.expect("opened");
    // An hour later, the person gets another code that works.
    serving.clock.set(now() + TimeDelta::minutes(60));
    let asked = ask(&booked.reference, &booked.phone);
    serving
        .access()
        .request_appointment_code(asked)
        .await
        .expect("asked");
    let codes = mailbox.codes(&booked.reference, 2).await;
    let right = guess(&booked.reference, &booked.phone, &codes[1].1.code);
    open(&serving, Request::new(right)).await.expect("opened");
    serving.stop().await;
    bench.end().await;
}

async fn a_network_may_guess_twenty_times_across_references(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let attacker = "198.51.100.0/24";
    let mut reasons = Vec::new();
    for number in 0..25 {
        let reference = format!("SH-2222-22{:02}", 22 + number);
        let asked = from(guess(&reference, "+91 80 0000 0000", "123456"), attacker);
        reasons.push(reason(&refusal(&serving, asked).await));
    }
    assert!(reasons[..20].iter().all(|reason| reason == "CODE_WRONG"));
    assert!(
        reasons[20..]
            .iter()
            .all(|reason| reason == "CODE_TRIES_MAX")
    );
    // Refused tries are not stored, and stored ones expire.
    let kept = "SELECT count(*) FROM access_tries";
    assert_eq!(bench.test.scalar(kept).await, 21);
    let (booked, code) = booked_with_code(&serving, &mailbox, "9:00 AM").await;
    let right = guess(&booked.reference, &booked.phone, &code);
    let refused = refusal(&serving, from(right.clone(), attacker)).await;
    assert_eq!(reason(&refused), "CODE_TRIES_MAX");
    open(&serving, from(right, "203.0.113.0/24"))
        .await
        .expect("opened");
    let hospital = crate::fixture::Hospital::of(&bench).await;
    let later = now() + TimeDelta::hours(2);
    hospital.store.sweep_codes(later).await.expect("no error");
    assert_eq!(bench.test.scalar(kept).await, 0);
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM access_codes").await,
        0
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_caller_over_two_limits_waits_for_the_later_end(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let attacker = "198.51.100.0/24";
    let guessed = async |number: u32, network: &str| {
        let reference = format!("SH-2222-22{number:02}");
        let asked = from(guess(&reference, "+91 80 0000 0000", "123456"), network);
        refusal(&serving, asked).await
    };
    for network in 0..5 {
        guessed(22, &format!("203.0.{network}.0/24")).await;
    }
    serving.clock.set(now() + TimeDelta::minutes(30));
    for number in 23..43 {
        guessed(number, attacker).await;
    }
    let refused = guessed(22, attacker).await;
    let wait = refused.get_details_retry_info().expect("a wait");
    assert_eq!(wait.retry_delay.expect("a wait").as_secs(), 3600);
    serving.stop().await;
    bench.end().await;
}

/// The response is the same, byte for byte, whether or not an appointment with that number exists; the durations are
/// similar.
async fn a_request_for_a_code_reveals_nothing(bench: Bench) {
    let (serving, _mailbox) = Serving::start_with_mail(&bench).await;
    let mut known = Vec::new();
    for time in svc_booking::domain::calendar::SlotTime::all() {
        known.push(serving.booked(request("Urology", "", &time.label())).await);
    }
    let mail_a_code = async |_, person: usize| {
        let own = &known[person % known.len()];
        let asked = if person < PEOPLE {
            ask(&own.reference, &own.phone)
        } else {
            ask(&format!("SH-3333-{person:04}"), &own.phone)
        };
        let answer = serving.access().request_appointment_code(asked).await;
        format!("{:?}", answer.expect("always the same").into_inner()).into_bytes()
    };
    tells_nothing("a code", 0, 2_222, mail_a_code).await;
    serving.stop().await;
    bench.end().await;
}

async fn no_code_is_stored_in_clear_text(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let (_, code) = booked_with_code(&serving, &mailbox, "9:00 AM").await;
    let dumps = [
        "SELECT string_agg(access_codes::text, ' ') FROM access_codes",
        "SELECT string_agg(access_tries::text, ' ') FROM access_tries",
        "SELECT string_agg(outbox_messages.payload, ' ') FROM outbox_messages",
    ];
    let text = crate::kept::stored_text(&bench, &dumps).await;
    // Six digits may occur in an id or a time by chance, but not as a value.
    for value in [
        format!("\"{code}\""),
        format!(",{code},"),
        format!("({code},"),
    ] {
        assert!(!text.contains(&value), "{value}");
    }
    assert!(text.contains("codeId"), "the searched text exists");
    serving.stop().await;
    bench.end().await;
}

/// With a replaced or the present link, the present one is mailed. A stranger's secret gets the same response and no
/// mail.
async fn a_replaced_link_requests_the_present_one(bench: Bench) {
    let (serving, mailbox) = Serving::start_with_mail(&bench).await;
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    let asked = MoveAppointmentRequest {
        appointment_id: booked.id.clone(),
        date: TUESDAY.to_owned(),
        time: "9:00 AM".to_owned(),
        etag: booked.etag.clone(),
        ..MoveAppointmentRequest::default()
    };
    let moved = serving
        .booking()
        .move_appointment(by_patient(asked, &booked.secret))
        .await;
    let moved = moved
        .expect("moved")
        .into_inner()
        .appointment
        .expect("a body");
    let send = async |name: &str, secret: &str| {
        let asked = SendAppointmentLinkRequest {
            appointment_id: name.to_owned(),
        };
        let sent = serving
            .access()
            .send_appointment_link(by_patient(asked, secret))
            .await;
        format!("{:?}", sent.map(tonic::Response::into_inner))
    };
    let links = "SELECT count(*) FROM access_tries";
    let neutral = send(&booked.reference, &"x".repeat(43)).await;
    assert_eq!(send("SH-2222-2222", &booked.secret).await, neutral);
    assert_eq!(send("no name", &booked.secret).await, neutral);
    assert_eq!(bench.test.scalar(links).await, 0);
    assert_eq!(send(&booked.reference, &booked.secret).await, neutral);
    let (mail, notice) = mailbox
        .about(&booked.reference, AppointmentEvent::Link)
        .await;
    assert_eq!(mail.cause(), NoticeCause::Patient);
    assert_eq!(mail.recipient.expect("a recipient").email, booked.email);
    let secret = secret_in(&notice.manage_url);
    let name = GetAppointmentRequest {
        appointment_id: booked.id.clone(),
    };
    let read = serving
        .booking()
        .get_appointment(by_patient(name, &secret))
        .await;
    let read = read
        .expect("read")
        .into_inner()
        .appointment
        .expect("a body");
    assert_eq!((read.time.as_str(), read.proof()), ("9:00 AM", Proof::Link));
    for _ in 0..5 {
        assert_eq!(send(&booked.id, &moved.secret).await, neutral);
    }
    let tries = "SELECT tries FROM access_tries";
    assert_eq!(bench.test.scalar(tries).await, 3, "three mails in an hour");
    // Staff may send it at any time; each mail is recorded in the audit log.
    let by_staff = SendAppointmentLinkRequest {
        appointment_id: booked.reference.clone(),
    };
    let by_staff = serving.staff(WRITE, by_staff);
    serving
        .access()
        .send_appointment_link(by_staff)
        .await
        .expect("sent");
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'appointment.link'";
    assert_eq!(bench.test.scalar(audited).await, 1);
    serving.stop().await;
    bench.end().await;
}

async fn missing_or_overlong_fields_are_named(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let nothing = RequestAppointmentCodeRequest::default();
    let refused = serving.access().request_appointment_code(nothing).await;
    assert_eq!(
        violated(&refused.expect_err("refused")),
        ["reference", "phone"]
    );
    let nothing = Request::new(OpenAppointmentWithCodeRequest::default());
    let refused = refusal(&serving, nothing).await;
    assert_eq!(violated(&refused), ["reference", "phone", "code"]);
    let long = "0".repeat(33);
    for (reference, phone) in [(long.as_str(), long.as_str()), (&long, "123456")] {
        let asked = ask(reference, phone);
        let refused = serving.access().request_appointment_code(asked).await;
        assert_eq!(
            violated(&refused.expect_err("refused")),
            ["reference", "phone"]
        );
    }
    let shortest = ask("SH-2222-2222", "1234567");
    let asked = serving.access().request_appointment_code(shortest).await;
    asked.expect("the shortest phone number of the contract");
    // Within the limits of the contract an impossible value is as unknown as any other.
    let odd = guess(&format!("SH \u{0}{MONDAY}"), "ನೂರುನೂರು", "123");
    assert_eq!(
        reason(&refusal(&serving, Request::new(odd)).await),
        "CODE_WRONG"
    );
    serving.stop().await;
    bench.end().await;
}
