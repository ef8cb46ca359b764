//! From the database row to the server: on both databases, with a clock set by the test.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use service_kit::source::{Ids as _, RandomIds};
use store_kit::{outbox, row, values};
use svc_messaging::mail::{
    self, Address, Cause, NewMail, Recipient,
    content::{AppointmentEvent, Content},
    lane, store,
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, EMAIL, Post, acknowledgement, appointment, mail, now},
    server::{Server, header},
};

on_both_databases!(test_kit::bench::empty:
    every_column_is_read_back,
    creates_a_mail_once,
    sends_a_mail_once_and_records_it,
    an_unreachable_server_loses_no_mail,
    only_a_lost_reply_causes_a_duplicate,
    retries_a_stalled_server,
    a_refused_recipient_is_a_failed_delivery,
    an_undecryptable_mail_is_a_dead_letter,
    limits_form_mails_to_an_address,
    sends_an_issue_to_confirmed_subscribers,
);

const MAILS: &str = "SELECT count(*) FROM mails";
const OUTBOX: &str = "SELECT count(*) FROM outbox_messages";
const WAITING: &str =
    "SELECT count(*) FROM outbox_messages WHERE delivered_time IS NULL AND dead_time IS NULL";
const DEAD: &str = "SELECT count(*) FROM outbox_messages WHERE dead_time IS NOT NULL";

async fn post(bench: Bench, plan: &[&str]) -> (Post, Server) {
    let server = Server::start(plan).await;
    (Post::smtp(bench, &server.url()), server)
}

row! {
    #[derive(Debug)]
    struct Row {
        kind: String,
        channel: String,
        state: String,
        reason: String,
        key_id: String,
        name: Vec<u8>,
        recipient: Vec<u8>,
        content: Vec<u8>,
        recipient_digest: Vec<u8>,
        subject_id: uuid::Uuid,
        create_time: DateTime<Utc>,
        expire_time: DateTime<Utc>,
        lease_time: Option<DateTime<Utc>>,
        end_time: Option<DateTime<Utc>>,
    }
}

async fn every_column_is_read_back(bench: Bench) {
    const SELECT: &str = "\
SELECT kind, channel, state, reason, key_id, name, recipient, content, recipient_digest, subject_id, create_time, expire_time, \
lease_time, end_time FROM mails WHERE id = $1";
    let (post, server) = post(bench, &["temporary"]).await;
    let mail = mail(acknowledgement());
    post.keep(&mail).await;
    let row = async || -> Row {
        let values = values![mail.id];
        let row = post
            .bench
            .database
            .fetch_one("SELECT mails", SELECT, values);
        row.await.expect("the row")
    };
    let kept = row().await;
    assert_eq!(
        [
            &kept.kind,
            &kept.channel,
            &kept.state,
            &kept.reason,
            &kept.key_id
        ],
        ["message.acknowledged", "email", "waiting", "", "k1"]
    );
    let open = |column, sealed: &[u8]| {
        let opened = store::MAILS.open(&post.bench.keys, "k1", mail.id, column, sealed);
        opened.expect("it opens")
    };
    assert_eq!(open("name", &kept.name), "Kamala Rao");
    assert_eq!(open("recipient", &kept.recipient), EMAIL);
    let content: Content = serde_json::from_str(&open("content", &kept.content)).expect("JSON");
    assert!(content == acknowledgement());
    let digest = post.bench.keys.digest("mails.recipient", EMAIL.as_bytes());
    assert_eq!(kept.recipient_digest, digest);
    assert_eq!(Some(kept.subject_id), mail.subject_id);
    assert_eq!(
        (kept.create_time, kept.expire_time),
        (now(), mail.expire_time)
    );
    assert_eq!((kept.lease_time, kept.end_time), (None, None));
    // A failed attempt releases its lease.
    let enquiries = post.worker_of(lane::ENQUIRIES);
    assert_eq!(enquiries.round().await.expect("a round"), 1);
    assert_eq!(row().await.lease_time, None);
    post.later(TimeDelta::minutes(1));
    post.deliver().await;
    let sent = row().await;
    assert_eq!((sent.state.as_str(), sent.lease_time), ("sent", None));
    assert_eq!(sent.end_time, Some(now() + TimeDelta::minutes(1)));
    let kamala = Recipient::Email("KAMALA@visitor.example");
    let listed = mail::sent_to(&post.bench.database, &post.bench.keys, kamala);
    let listed = listed.await.expect("a list");
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (
            listed[0].id,
            listed[0].kind.as_str(),
            listed[0].state.as_str()
        ),
        (mail.id, "message.acknowledged", "sent")
    );
    assert_eq!(
        (listed[0].create_time, listed[0].end_time),
        (now(), sent.end_time)
    );
    assert_eq!(server.taken().len(), 1);

    let nowhere = NewMail {
        id: RandomIds.uuid(),
        to: Address::new("Kamala Rao", ""),
        ..mail
    };
    post.keep(&nowhere).await;
    let (state, reason) = post.state(nowhere.id).await;
    assert_eq!(
        (state.as_str(), reason.as_str()),
        ("suppressed", "no_address")
    );
    post.bench.end().await;
}

async fn creates_a_mail_once(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    let mail = mail(appointment(AppointmentEvent::Booked));
    join_all((0..10).map(|_| post.keep(&mail))).await;
    post.keep(&mail).await;
    assert_eq!((post.count(MAILS).await, post.count(OUTBOX).await), (1, 1));
    post.deliver().await;
    post.keep(&mail).await;
    post.deliver().await;
    assert_eq!(server.wait_for(1).await.len(), 1);
    post.bench.end().await;
}

async fn sends_a_mail_once_and_records_it(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    let mail = mail(appointment(AppointmentEvent::Booked));
    post.keep(&mail).await;
    post.deliver().await;
    let taken = server.wait_for(1).await;
    assert_eq!(taken[0].to, [EMAIL]);
    assert_eq!(taken[0].from, "hello@sampige.example");
    assert_eq!(
        taken[0].message_id(),
        format!("<{}@sampige.example>", mail.id)
    );
    let text = taken[0].text();
    assert_eq!(
        header(&text, "To"),
        "\"Kamala Rao\" <kamala@visitor.example>"
    );
    assert_eq!(header(&text, "Auto-Submitted"), "auto-generated");
    assert_eq!(header(&text, "Date"), "Mon, 23 Nov 2026 04:30:00 +0000");
    assert_eq!(header(&text, "List-Unsubscribe"), "");
    // Resent by an operator: the mail is known to be sent already.
    let again = outbox::NewMessage {
        id: RandomIds.uuid(),
        kind: mail::SEND,
        subject: mail.id.to_string(),
        payload: format!(r#"{{"mailId":"{}"}}"#, mail.id),
        not_before: now(),
    };
    post.run(
        [outbox::insert(&again, now()).expect("a row")]
            .into_iter()
            .collect(),
    )
    .await;
    post.deliver().await;
    assert_eq!(post.count(WAITING).await, 0);
    assert_eq!(server.taken().len(), 1);
    post.bench.end().await;
}

async fn an_unreachable_server_loses_no_mail(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    let old_port = server.port.to_string();
    assert!(server.stop().await.is_empty());
    let mails: Vec<NewMail> = (0..5)
        .map(|_| mail(appointment(AppointmentEvent::Booked)))
        .collect();
    for mail in &mails {
        post.keep(mail).await;
    }
    for _ in 0..6 {
        post.deliver().await;
        assert_eq!(post.count(WAITING).await, 5);
        post.later(TimeDelta::minutes(5));
    }
    let server = Server::start_with(&["--port", &old_port]).await;
    post.deliver().await;
    assert_eq!(server.wait_for(5).await.len(), 5);
    assert_eq!((post.count(WAITING).await, post.count(DEAD).await), (0, 0));
    post.bench.end().await;
}

async fn only_a_lost_reply_causes_a_duplicate(bench: Bench) {
    let (post, server) = post(bench, &["die_after_dot"]).await;
    let mail = mail(appointment(AppointmentEvent::Booked));
    post.keep(&mail).await;
    post.deliver().await;
    post.later(TimeDelta::minutes(1));
    post.deliver().await;
    let taken = server.wait_for(2).await;
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[0].message_id(), taken[1].message_id());
    let dates = taken.iter().map(|mail| header(&mail.text(), "Date"));
    assert_eq!(
        dates.collect::<Vec<_>>(),
        [
            "Mon, 23 Nov 2026 04:30:00 +0000",
            "Mon, 23 Nov 2026 04:31:00 +0000"
        ]
    );
    assert_eq!(post.count(WAITING).await, 0);
    post.bench.end().await;
}

async fn retries_a_stalled_server(bench: Bench) {
    let (mut post, server) = post(bench, &["stall_data"]).await;
    post.try_timeout = Duration::from_millis(300);
    let mail = mail(appointment(AppointmentEvent::Booked));
    post.keep(&mail).await;
    post.deliver().await;
    let (error,): (String,) = post
        .bench
        .database
        .fetch_one(
            "SELECT outbox_messages",
            "SELECT last_error FROM outbox_messages",
            values![],
        )
        .await
        .expect("a message");
    assert_eq!(error, "not finished within 300 ms");
    post.later(TimeDelta::minutes(1));
    post.deliver().await;
    assert_eq!(server.wait_for(1).await.len(), 1);
    assert_eq!(post.state(mail.id).await.0, "sent");
    post.bench.end().await;
}

async fn a_refused_recipient_is_a_failed_delivery(bench: Bench) {
    let (post, server) = post(bench, &["permanent"]).await;
    let mail = mail(appointment(AppointmentEvent::Booked));
    post.keep(&mail).await;
    post.deliver().await;
    let (state, reason) = post.state(mail.id).await;
    assert_eq!(
        (state.as_str(), reason.as_str()),
        ("failed", "no_recipient")
    );
    // Needs no operator; staff see it and ask the patient.
    assert_eq!((post.count(WAITING).await, post.count(DEAD).await), (0, 0));
    assert!(server.taken().is_empty());
    post.bench.end().await;
}

async fn an_undecryptable_mail_is_a_dead_letter(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    let broken = mail(appointment(AppointmentEvent::Booked));
    let sound = mail(acknowledgement());
    post.keep(&broken).await;
    post.keep(&sound).await;
    let spoil = "UPDATE mails SET content = name WHERE kind = 'appointment.booked'";
    assert_eq!(post.bench.test.execute(spoil).await, 1);
    post.deliver().await;
    assert_eq!(post.count(DEAD).await, 1);
    assert_eq!(post.state(broken.id).await.0, "failed");
    assert_eq!(server.wait_for(1).await.len(), 1, "the others go on");
    post.bench.end().await;
}

async fn limits_form_mails_to_an_address(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    for _ in 0..8 {
        post.keep(&mail(acknowledgement())).await;
    }
    // A different spelling counts as the same address. Another address is not held back.
    let spelled = NewMail {
        to: Address::new("", "Kamala@Visitor.example"),
        ..mail(acknowledgement())
    };
    post.keep(&spelled).await;
    let other = NewMail {
        to: Address::new("", "ravi@visitor.example"),
        ..mail(acknowledgement())
    };
    post.keep(&other).await;
    post.deliver().await;
    assert_eq!(server.wait_for(2).await.len(), 2);
    // Notices from the hospital are counted separately.
    let booked = NewMail {
        language: None,
        cause: Cause::Staff,
        ..mail(appointment(AppointmentEvent::Booked))
    };
    post.keep(&booked).await;
    post.deliver().await;
    assert_eq!(server.wait_for(3).await.len(), 3);
    let mut sent = Vec::new();
    for _ in 0..80 {
        post.later(TimeDelta::hours(1));
        post.deliver().await;
        sent.push(server.taken().len());
    }
    // One an hour, three a day, and expired after three days.
    assert_eq!(sent[..4], [4, 5, 5, 5]);
    assert_eq!((sent[22], sent[23]), (5, 6));
    assert_eq!(post.count(WAITING).await, 0);
    assert_eq!(
        post.count("SELECT count(*) FROM mails WHERE state = 'sent' OR state = 'expired'")
            .await,
        post.count(MAILS).await
    );
    assert_eq!(post.count(DEAD).await, 0);
    post.bench.end().await;
}

async fn sends_an_issue_to_confirmed_subscribers(bench: Bench) {
    let (mut post, server) = post(bench, &[]).await;
    let issue = svc_messaging::mail::letter::Issue {
        subject: "A healthy winter".into(),
        text: "Drink warm water.\n\nRead more: https://sampige.example/blogs/winter.".into(),
    };
    post.shelf = Arc::new(crate::fixture::Shelf {
        issue: Some(issue),
        confirmed: vec![EMAIL.to_owned()].into(),
        ..Default::default()
    });
    let content = || Content::Newsletter {
        newsletter: RandomIds.uuid(),
        unsubscribe_url: "https://sampige.example/newsletter/unsubscribe?token=abc".into(),
    };
    let first = mail(content());
    post.keep(&first).await;
    post.deliver().await;
    let taken = server.wait_for(1).await;
    assert_eq!(taken[0].from, "newsletter@sampige.example");
    let text = taken[0].text();
    assert_eq!(
        header(&text, "From"),
        "\"Sampige Hospital\" <newsletter@sampige.example>"
    );
    assert_eq!(header(&text, "List-Id"), "<newsletter.sampige.example>");
    assert_eq!(
        header(&text, "List-Unsubscribe"),
        "<https://sampige.example/newsletter/unsubscribe?token=abc>"
    );
    assert_eq!(
        header(&text, "List-Unsubscribe-Post"),
        "List-Unsubscribe=One-Click"
    );
    assert_eq!(header(&text, "Subject"), "A healthy winter");
    post.shelf.confirmed.lock().expect("a list").clear();
    let second = mail(content());
    post.keep(&second).await;
    post.deliver().await;
    let (state, reason) = post.state(second.id).await;
    assert_eq!(
        (state.as_str(), reason.as_str()),
        ("suppressed", "unsubscribed")
    );
    assert_eq!(server.taken().len(), 1);
    post.bench.end().await;
}
