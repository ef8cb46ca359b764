//! The quarantine: the daily digest, and the release of a message.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{MessageStatus, SetMessageStatusRequest};
use svc_messaging::{
    domain::mailboxes::Mailboxes,
    mail::{self, Recipient, content::Content},
};
use test_kit::on_both_databases;

use crate::{
    Bench,
    serving::{Serving, now, spam},
};

on_both_databases!(test_kit::bench::empty: staff_get_a_morning_digest_and_release_a_message);

const DIGESTS: &str = "SELECT count(*) FROM mails WHERE kind = 'quarantine.digest'";

/// M4: regression test; staff were not notified about the quarantine.
async fn staff_get_a_morning_digest_and_release_a_message(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let reception = Mailboxes::embedded().reception();
    let day = now().date_naive();
    serving
        .store
        .digest(day, &reception, now())
        .await
        .expect("none");
    assert_eq!(bench.test.scalar(DIGESTS).await, 0, "nothing waits");
    let first = serving.created(spam(1)).await;
    serving.pass(TimeDelta::hours(1));
    for number in 2..=22 {
        serving.created(spam(number)).await;
    }
    let waiting = serving.store.quarantine().await.expect("a count");
    assert_eq!((waiting.waiting, waiting.since), (22, Some(now())));
    for _ in 0..2 {
        serving
            .store
            .digest(day, &reception, now())
            .await
            .expect("made");
    }
    assert_eq!(bench.test.scalar(DIGESTS).await, 1, "once a day");
    let sent = mail::sent_to(
        &bench.database,
        &bench.keys,
        Recipient::Email("hello@sampige.example"),
    );
    let sent = sent.await.expect("mails");
    let content = mail::store::content(&bench.database, &bench.keys, sent[0].id).await;
    let Content::Quarantine {
        waiting,
        since,
        held,
    } = content.expect("a mail").expect("kept")
    else {
        panic!("a digest");
    };
    assert_eq!((waiting, since, held.len()), (22, now(), 20));
    assert_eq!(held[0].reference, first.reference);
    assert!(!held[0].signals.is_empty());
    let release = SetMessageStatusRequest {
        message_id: first.id,
        status: MessageStatus::New.into(),
        etag: "1".into(),
        ..SetMessageStatusRequest::default()
    };
    serving
        .inbox()
        .set_message_status(serving.staff("messages:write", release))
        .await
        .expect("released");
    let forwarded = "SELECT count(*) FROM mails WHERE kind = 'message.forwarded'";
    assert_eq!(bench.test.scalar(forwarded).await, 1);
    assert_eq!(
        serving.store.quarantine().await.expect("a count").waiting,
        21
    );
    bench.end().await;
}
