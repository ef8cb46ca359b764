//! Notices from other services: the RPCs on both databases.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    AppointmentEvent, AppointmentNotice, CodeNotice, ConsultationEvent, ConsultationNotice,
    ForgetNoticesRequest, Recipient, SendNoticeRequest, WaitlistEvent, WaitlistNotice,
    WaitlistRemoval, notice_service_client::NoticeServiceClient, send_notice_request::Notice,
};
use prost_types::Timestamp;
use service_kit::source::{Ids as _, RandomIds};
use svc_messaging::Arguments;
use test_kit::on_both_databases;
use tonic::{Code, Status, service::Routes};
use tonic_types::StatusExt as _;

use crate::fixture::{Bench, EMAIL, calendar, now};

on_both_databases!(test_kit::bench::empty:
    stores_a_notice_once,
    reports_all_violations_at_once,
    reports_violations_of_newer_notices,
    texts_patients_without_an_address_if_enabled,
    forgets_notices_by_subject,
    accepts_notices_that_earlier_builds_accepted,
);

fn arguments(more: &[&str]) -> Arguments {
    use clap::{Args as _, FromArgMatches as _};
    let command = Arguments::augment_args(clap::Command::new("svc-messaging"));
    let matches = command.get_matches_from([&["svc-messaging"], more].concat());
    Arguments::from_arg_matches(&matches).expect("valid")
}

pub(crate) async fn client(bench: &Bench, more: &[&str]) -> NoticeServiceClient<Routes> {
    NoticeServiceClient::new(bench.served(&arguments(more), now()).await.routes)
}

fn timestamp(in_hours: i64) -> Timestamp {
    Timestamp {
        seconds: (now() + TimeDelta::hours(in_hours)).timestamp(),
        nanos: 0,
    }
}

fn request(notice: Notice) -> SendNoticeRequest {
    SendNoticeRequest {
        notice_id: RandomIds.uuid().to_string(),
        subject_id: RandomIds.uuid().to_string(),
        recipient: Some(Recipient {
            name: "Kamala Rao".into(),
            email: EMAIL.into(),
            phone: "+91 80 0000 0199".into(),
        }),
        expire_time: Some(timestamp(20)),
        notice: Some(notice),
        ..SendNoticeRequest::default()
    }
}

fn appointment(event: AppointmentEvent) -> SendNoticeRequest {
    request(Notice::Appointment(AppointmentNotice {
        event: event.into(),
        reference: "SH-7K3P-2XQ9".into(),
        starts_at: Some(timestamp(24)),
        department: "Cardiology".into(),
        doctor: String::new(),
        manage_url: "https://sampige.example/appointment/manage#secret".into(),
        calendar: calendar("PUBLISH"),
        calendar_method: "PUBLISH".into(),
        attendant_name: "Dr. Anjali Rao".into(),
        fee_rupees: 1200,
        place: "Outpatient block, first floor".into(),
        other_reference: String::new(),
    }))
}

/// Returns a notice of a booked appointment.
pub(crate) fn booked() -> SendNoticeRequest {
    appointment(AppointmentEvent::Booked)
}

pub(crate) fn violated(refused: &Status) -> Vec<String> {
    assert_eq!(refused.code(), Code::InvalidArgument);
    let details = refused.get_error_details();
    let violations = &details.bad_request().expect("BadRequest").field_violations;
    violations
        .iter()
        .map(|violation| violation.field.clone())
        .collect()
}

async fn stores_a_notice_once(bench: Bench) {
    let mut client = client(&bench, &[]).await;
    let waitlist = request(Notice::Waitlist(WaitlistNotice {
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        doctor: "Dr. Anjali Rao".into(),
        starts_at: Some(timestamp(24)),
        hold_until: Some(timestamp(2)),
        offer_url: "https://sampige.example/waitlist/offer#secret".into(),
        ..WaitlistNotice::default()
    }));
    let joined = request(Notice::Waitlist(WaitlistNotice {
        event: WaitlistEvent::Joined.into(),
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        date: "2026-11-24".into(),
        offer_url: "https://sampige.example/waitlist/offer#secret".into(),
        ..WaitlistNotice::default()
    }));
    let removed = request(Notice::Waitlist(WaitlistNotice {
        event: WaitlistEvent::Removed.into(),
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        date: "2026-11-24".into(),
        removal: WaitlistRemoval::NoTimes.into(),
        ..WaitlistNotice::default()
    }));
    let code = request(Notice::Code(CodeNotice {
        reference: "SH-7K3P-2XQ9".into(),
        code: "048213".into(),
        expire_time: Some(timestamp(1)),
    }));
    let consultation = request(Notice::Consultation(ConsultationNotice {
        event: ConsultationEvent::Requested.into(),
        reference: "VC-7K3P-2XQ9".into(),
        date: "2026-11-25".into(),
        department: "Cardiology".into(),
        ..ConsultationNotice::default()
    }));
    let mut notices = vec![waitlist, joined, removed, code, consultation];
    for event in [
        AppointmentEvent::Booked,
        AppointmentEvent::Changed,
        AppointmentEvent::Moved,
        AppointmentEvent::Cancelled,
        AppointmentEvent::Uncovered,
        AppointmentEvent::Reminder24h,
        AppointmentEvent::Reminder2h,
        AppointmentEvent::Link,
    ] {
        notices.push(appointment(event));
    }
    for notice in &notices {
        for _ in 0..2 {
            client.send_notice(notice.clone()).await.expect("kept");
        }
    }
    assert_eq!(bench.test.scalar("SELECT count(*) FROM mails").await, 13);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM outbox_messages")
            .await,
        13
    );
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(DISTINCT kind) FROM mails")
            .await,
        13
    );
    let mut endless = appointment(AppointmentEvent::Booked);
    endless.expire_time = None;
    client.send_notice(endless.clone()).await.expect("kept");
    let (expire_time,): (chrono::DateTime<chrono::Utc>,) = bench
        .database
        .fetch_one(
            "SELECT mails",
            "SELECT expire_time FROM mails WHERE id = $1",
            store_kit::values![uuid::Uuid::parse_str(&endless.notice_id).expect("an id")],
        )
        .await
        .expect("the row");
    assert_eq!(expire_time, now() + TimeDelta::days(3));
    bench.end().await;
}

async fn reports_all_violations_at_once(bench: Bench) {
    let mut client = client(&bench, &[]).await;
    let refused = client.send_notice(SendNoticeRequest::default()).await;
    assert_eq!(
        violated(&refused.expect_err("refused")),
        [
            "noticeId",
            "subjectId",
            "recipient.name",
            "recipient.email",
            "notice"
        ]
    );
    let bad = SendNoticeRequest {
        recipient: Some(Recipient {
            name: "Kamala\r\nBcc: x".into(),
            email: "a@b.example, c@d.example".into(),
            phone: "call me".into(),
        }),
        expire_time: Some(Timestamp {
            seconds: i64::MAX,
            nanos: -1,
        }),
        ..request(Notice::Appointment(AppointmentNotice {
            event: 99,
            reference: "\n".into(),
            starts_at: None,
            department: "x".repeat(121),
            doctor: "x\0".into(),
            manage_url: "javascript:alert(1)".into(),
            calendar: "BEGIN:VCALENDAR\r\n".to_owned() + &"x".repeat(16 * 1024),
            calendar_method: "REQUEST".into(),
            attendant_name: "\u{202e}x".into(),
            fee_rupees: -1,
            place: "x".repeat(121),
            other_reference: "\n".into(),
        }))
    };
    let refused = client.send_notice(bad).await.expect_err("refused");
    assert_eq!(
        violated(&refused),
        [
            "recipient.name",
            "recipient.email",
            "recipient.phone",
            "expireTime",
            "appointment.event",
            "appointment.reference",
            "appointment.startsAt",
            "appointment.department",
            "appointment.doctor",
            "appointment.attendantName",
            "appointment.feeRupees",
            "appointment.place",
            "appointment.manageUrl",
            "appointment.calendar",
            "appointment.calendarMethod",
        ]
    );
    let refused = client
        .send_notice(request(Notice::Waitlist(WaitlistNotice::default())))
        .await
        .expect_err("refused");
    assert_eq!(
        violated(&refused),
        [
            "waitlist.reference",
            "waitlist.department",
            "waitlist.startsAt",
            "waitlist.holdUntil",
            "waitlist.offerUrl"
        ]
    );
    let many = ForgetNoticesRequest {
        subject_ids: vec![RandomIds.uuid().to_string(); 1001],
    };
    let refused = client.forget_notices(many).await.expect_err("refused");
    assert_eq!(violated(&refused), ["subjectIds"]);
    assert_eq!(bench.test.scalar("SELECT count(*) FROM mails").await, 0);
    bench.end().await;
}

async fn reports_violations_of_newer_notices(bench: Bench) {
    let mut client = client(&bench, &[]).await;
    let refused = client
        .send_notice(request(Notice::Consultation(ConsultationNotice {
            date: "25.11.2026".into(),
            link: "x".into(),
            doctor_name: "x".repeat(121),
            doctor_registration: "7".repeat(41),
            ..ConsultationNotice::default()
        })))
        .await
        .expect_err("refused");
    assert_eq!(
        violated(&refused),
        [
            "consultation.event",
            "consultation.reference",
            "consultation.date",
            "consultation.link",
            "consultation.doctorName",
            "consultation.doctorRegistration"
        ]
    );
    let refused = client
        .send_notice(request(Notice::Waitlist(WaitlistNotice {
            event: WaitlistEvent::Joined.into(),
            date: "tomorrow".into(),
            ..WaitlistNotice::default()
        })))
        .await
        .expect_err("refused");
    assert_eq!(
        violated(&refused),
        [
            "waitlist.reference",
            "waitlist.department",
            "waitlist.date",
            "waitlist.offerUrl"
        ]
    );
    let refused = client
        .send_notice(request(Notice::Waitlist(WaitlistNotice {
            event: WaitlistEvent::Removed.into(),
            reference: "WL-7K3P-2XQ9".into(),
            department: "Cardiology".into(),
            ..WaitlistNotice::default()
        })))
        .await
        .expect_err("refused");
    assert_eq!(violated(&refused), ["waitlist.removal", "waitlist.date"]);
    for code in ["", "12345", "1234567", "12345x", "೧೨೩೪೫೬"] {
        let refused = client
            .send_notice(request(Notice::Code(CodeNotice {
                code: code.into(),
                ..CodeNotice::default()
            })))
            .await
            .expect_err("refused");
        assert_eq!(
            violated(&refused),
            ["code.reference", "code.code", "code.expireTime"]
        );
    }
    bench.end().await;
}

async fn texts_patients_without_an_address_if_enabled(bench: Bench) {
    const TEXTS: &str = "SELECT count(*) FROM mails WHERE channel = 'sms' AND state = 'waiting'";
    let phone_alone = |event| {
        let mut notice = appointment(event);
        let recipient = notice.recipient.as_mut().expect("somebody");
        recipient.email.clear();
        notice
    };
    let mut off = client(&bench, &[]).await;
    off.send_notice(phone_alone(AppointmentEvent::Reminder2h))
        .await
        .expect("kept");
    let unreachable =
        "SELECT count(*) FROM mails WHERE state = 'suppressed' AND reason = 'no_address'";
    assert_eq!(bench.test.scalar(unreachable).await, 1);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM outbox_messages")
            .await,
        0
    );
    let folder = tempfile::tempdir().expect("a folder");
    let token = folder.path().join("token");
    std::fs::write(&token, "token").expect("a file");
    let token = token.display().to_string();
    let mut on = client(
        &bench,
        &[
            "--sms-url",
            "https://sms.example/",
            "--sms-token-file",
            &token,
            "--sms-sender-id",
            "SMPIGE",
            "--sms-entity-id",
            "1701",
            "--sms-template-reminder",
            "1707",
            "--sms-template-cancelled",
            "1708",
        ],
    )
    .await;
    for (event, texts) in [
        (AppointmentEvent::Booked, 0),
        (AppointmentEvent::Reminder2h, 1),
        (AppointmentEvent::Cancelled, 2),
    ] {
        let notice = phone_alone(event);
        for _ in 0..2 {
            on.send_notice(notice.clone()).await.expect("kept");
        }
        assert_eq!(bench.test.scalar(TEXTS).await, texts);
    }
    bench.end().await;
}

/// M3, X9: appointments from an earlier build have names or addresses that today's rules refuse.
async fn accepts_notices_that_earlier_builds_accepted(bench: Bench) {
    let mut client = client(&bench, &[]).await;
    let mut notice = appointment(AppointmentEvent::Booked);
    notice.recipient.as_mut().expect("somebody").name = "=HYPERLINK(1) Rao".into();
    client.send_notice(notice).await.expect("kept");
    let waiting = "SELECT count(*) FROM mails WHERE state = 'waiting'";
    assert_eq!(bench.test.scalar(waiting).await, 1);
    for email in [".dots..stand.@visitor.example", "hello@sampige.example"] {
        let mut notice = appointment(AppointmentEvent::Booked);
        let recipient = notice.recipient.as_mut().expect("somebody");
        recipient.email = email.into();
        recipient.phone = String::new();
        client.send_notice(notice).await.expect("kept");
    }
    let unreachable =
        "SELECT count(*) FROM mails WHERE state = 'suppressed' AND reason = 'no_address'";
    assert_eq!(bench.test.scalar(unreachable).await, 2);
    bench.end().await;
}

async fn forgets_notices_by_subject(bench: Bench) {
    let mut client = client(&bench, &[]).await;
    let first = appointment(AppointmentEvent::Booked);
    let second = appointment(AppointmentEvent::Booked);
    for notice in [&first, &second] {
        client.send_notice(notice.clone()).await.expect("kept");
    }
    let request = ForgetNoticesRequest {
        subject_ids: vec![first.subject_id],
    };
    for forgotten in [1, 0] {
        let answer = client.forget_notices(request.clone()).await.expect("done");
        assert_eq!(answer.into_inner().notices, forgotten);
    }
    assert_eq!(bench.test.scalar("SELECT count(*) FROM mails").await, 1);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM outbox_messages")
            .await,
        1
    );
    bench.end().await;
}
