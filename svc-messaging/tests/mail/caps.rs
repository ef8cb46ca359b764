//! Limits on the mails that others can cause to a patient.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::NoticeCause;
use service_kit::source::{Ids as _, RandomIds};
use svc_messaging::mail::{
    Cause, NewMail,
    content::{AppointmentEvent, Code, Content},
};
use test_kit::on_both_databases;
use tonic::Code as Status;
use uuid::Uuid;

use crate::{
    fixture::{Bench, EMAIL, Post, appointment, mail, now},
    notices::{booked, client, violated},
    server::Server,
};

on_both_databases!(test_kit::bench::empty:
    caps_of_strangers_do_not_block_a_patient,
    caps_mails_to_an_address,
    caps_codes_per_appointment,
    stores_the_cause_of_a_notice,
);

const POSTPONED: &str =
    "SELECT count(*) FROM mails WHERE postponed_until IS NOT NULL AND end_time IS NULL";

fn patient(network: &str) -> Cause {
    Cause::Patient {
        network: network.into(),
        is_proven: false,
    }
}

fn notice(event: AppointmentEvent, subject: Uuid, cause: Cause) -> NewMail {
    NewMail {
        subject_id: Some(subject),
        cause,
        ..mail(appointment(event))
    }
}

async fn post(bench: Bench) -> (Post, Server) {
    let server = Server::start(&[]).await;
    (Post::smtp(bench, &server.url()), server)
}

/// X2: a stranger books twice under the victim's address and moves each booking 30 times. The victim's own booking and
/// the hospital's cancellation must arrive.
async fn caps_of_strangers_do_not_block_a_patient(bench: Bench) {
    let (post, server) = post(bench).await;
    let (theirs, own) = (RandomIds.uuid(), RandomIds.uuid());
    for (subject, flood_max) in [(theirs, 6), (RandomIds.uuid(), 10)] {
        for number in 0..31 {
            let event = if number == 0 {
                AppointmentEvent::Booked
            } else {
                AppointmentEvent::Moved
            };
            post.later(TimeDelta::seconds(1));
            post.keep(&notice(event, subject, patient("aaaaaaaaaaaaaaaa")))
                .await;
            post.deliver().await;
        }
        let flood = server.taken().len();
        assert!(flood <= flood_max, "{flood}");
    }
    let flood = server.taken().len();
    // The metric counts postponed mails, which the outbox age does not show.
    let postponed = post.count(POSTPONED).await;
    assert_eq!(postponed, 62 - i64::try_from(flood).expect("few"));
    // The victim may share a network with the stranger.
    for (event, subject, cause) in [
        (AppointmentEvent::Booked, own, patient("aaaaaaaaaaaaaaaa")),
        (AppointmentEvent::Moved, own, Cause::Staff),
        (AppointmentEvent::Reminder2h, own, Cause::Calendar),
        (AppointmentEvent::Cancelled, own, Cause::Staff),
        (AppointmentEvent::Cancelled, theirs, Cause::Staff),
    ] {
        let mail = notice(event, subject, cause);
        post.keep(&mail).await;
        post.deliver().await;
        assert_eq!(post.state(mail.id).await.0, "sent", "{event:?}");
    }
    // Postponed mails are sent later and not postponed again.
    for _ in 0..12 {
        post.later(TimeDelta::hours(12));
        post.deliver().await;
    }
    assert_eq!(post.count(POSTPONED).await, 0);
    post.bench.end().await;
}

/// Many appointments from many networks: limited until the address is verified.
async fn caps_mails_to_an_address(bench: Bench) {
    let (post, server) = post(bench).await;
    for number in 0..60_u64 {
        let cause = patient(&format!("{number:016x}"));
        post.keep(&notice(AppointmentEvent::Booked, RandomIds.uuid(), cause))
            .await;
    }
    post.deliver().await;
    assert_eq!(server.wait_for(40).await.len(), 40);
    let proven = Cause::Patient {
        network: "b".repeat(16),
        is_proven: true,
    };
    let own = notice(AppointmentEvent::Moved, RandomIds.uuid(), proven);
    post.keep(&own).await;
    post.deliver().await;
    assert_eq!(post.state(own.id).await.0, "sent", "a proven address");
    post.bench.end().await;
}

async fn caps_codes_per_appointment(bench: Bench) {
    let (post, server) = post(bench).await;
    let code = |subject| NewMail {
        subject_id: Some(subject),
        language: None,
        cause: patient("aaaaaaaaaaaaaaaa"),
        ..mail(Content::Code(Code {
            name: "Kamala Rao".into(),
            reference: "SH-7K3P-2XQ9".into(),
            code: "048213".into(),
            expire_time: now() + TimeDelta::minutes(10),
        }))
    };
    let (first, second) = (RandomIds.uuid(), RandomIds.uuid());
    for _ in 0..8 {
        post.keep(&code(first)).await;
    }
    post.deliver().await;
    assert_eq!(server.wait_for(5).await.len(), 5);
    post.keep(&code(second)).await;
    post.keep(&notice(
        AppointmentEvent::Moved,
        first,
        patient("cccccccccccccccc"),
    ))
    .await;
    post.deliver().await;
    assert_eq!(server.wait_for(7).await.len(), 7);
    assert!(server.taken().iter().all(|mail| mail.to == [EMAIL]));
    post.bench.end().await;
}

store_kit::row! {
    struct Row {
        cause: String,
        network: String,
        proven: i64,
    }
}

async fn stores_the_cause_of_a_notice(bench: Bench) {
    let mut client = client(&bench, &[]).await;
    for (cause, network, proven, expected) in [
        (NoticeCause::Unspecified, "", false, ("patient", "", 0)),
        (
            NoticeCause::Patient,
            "0123456789ABCDEF",
            true,
            ("patient", "0123456789abcdef", 1),
        ),
        (NoticeCause::Staff, "", true, ("staff", "", 0)),
        (NoticeCause::Reminder, "", false, ("calendar", "", 0)),
    ] {
        let mut notice = booked();
        notice.set_cause(cause);
        notice.network = network.into();
        notice.proven = proven;
        client.send_notice(notice.clone()).await.expect("kept");
        let id: Uuid = notice.notice_id.parse().expect("an id");
        let row: Row = bench
            .database
            .fetch_one(
                "SELECT mails",
                "SELECT cause, network, proven FROM mails WHERE id = $1",
                store_kit::values![id],
            )
            .await
            .expect("the row");
        assert_eq!(
            (row.cause.as_str(), row.network.as_str(), row.proven),
            expected
        );
    }
    let mut wrong = booked();
    wrong.set_cause(NoticeCause::Patient);
    wrong.network = "10.0.0.1".into();
    let refused = client.send_notice(wrong).await.expect_err("refused");
    assert_eq!(refused.code(), Status::InvalidArgument);
    assert_eq!(violated(&refused), ["network"]);
    bench.end().await;
}
