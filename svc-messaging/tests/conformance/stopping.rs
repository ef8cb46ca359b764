//! Newsletters stopped while they are being sent.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use hospital_proto::messaging::v1::{GetNewsletterRequest, Newsletter, StopNewsletterRequest};
use service_kit::source::Clock as _;
use store_kit::{
    error::StoreError,
    sql::{Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};
use svc_messaging::newsletter::Links;
use test_kit::on_both_databases;
use tonic::{Code, Status};

use crate::{
    Bench,
    serving::{Serving, reason},
};

on_both_databases!(test_kit::bench::empty:
    stops_the_rest_and_counts_what_was_sent,
    a_stopped_fan_out_does_not_resume,
);

const WRITE: &str = "newsletters:write";

impl Serving {
    async fn stop(&self, id: &str) -> Result<Newsletter, Status> {
        let request = StopNewsletterRequest {
            newsletter_id: id.to_owned(),
        };
        let mut client = self.newsletter();
        let reply = client.stop_newsletter(self.staff(WRITE, request)).await?;
        Ok(reply.into_inner().newsletter.expect("a body"))
    }

    async fn sent(&self, id: &str) -> Newsletter {
        let request = GetNewsletterRequest {
            newsletter_id: id.to_owned(),
        };
        let mut client = self.newsletter();
        let reply = client.get_newsletter(self.staff(WRITE, request)).await;
        let reply = reply.expect("found").into_inner();
        reply.newsletter.expect("a body")
    }
}

async fn stops_the_rest_and_counts_what_was_sent(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for number in 0..5 {
        let email = format!("visitor{number}@visitor.example");
        serving.confirmed(&bench, &email).await;
    }
    let seen = serving.kept_draft("Monsoon").await;
    serving.send(&seen).await.expect("sent");
    while serving.fan_out(&bench).await {}
    // Two mails have left, one was refused, and one is being sent.
    for (state, rows) in [("sent", 2_i64), ("failed", 1)] {
        let end = "\
UPDATE mails SET state = $1, end_time = create_time WHERE id IN (\
SELECT id FROM mails WHERE kind = 'newsletter.issue' AND state = 'waiting' ORDER BY id LIMIT $2)";
        set(&bench, end, values![state, rows]).await;
    }
    let lease = "\
UPDATE mails SET lease_time = $1 WHERE id IN (\
SELECT id FROM mails WHERE kind = 'newsletter.issue' AND state = 'waiting' ORDER BY id LIMIT 1)";
    let until = serving.clock.now() + TimeDelta::seconds(75);
    set(&bench, lease, values![until]).await;
    let counts = |sent: &Newsletter| (sent.waiting, sent.sent, sent.failed, sent.withheld);
    assert_eq!(counts(&serving.sent(&seen.id).await), (2, 2, 1, 0));
    let stopped = serving.stop(&seen.id).await.expect("stopped");
    assert!(stopped.stop_time.is_some() && stopped.complete);
    // From now on nothing is sent, whatever becomes of the rows.
    let id = seen.id.parse().expect("an id");
    let issue = svc_messaging::store::issue(&bench.database, id).await;
    assert_eq!(issue.expect("an answer"), None);
    while serving
        .store
        .withhold(serving.clock.now())
        .await
        .expect("a step")
    {}
    assert_eq!(counts(&serving.sent(&seen.id).await), (1, 2, 1, 1));
    let waiting =
        "SELECT count(*) FROM outbox_messages WHERE lane = 'bulk' AND delivered_time IS NULL";
    // No worker ran: of the five, only that of the withheld mail is withdrawn.
    assert_eq!(bench.test.scalar(waiting).await, 4);
    // The attempt ends without a record: its process was killed.
    serving.pass(TimeDelta::seconds(76));
    while serving
        .store
        .withhold(serving.clock.now())
        .await
        .expect("a step")
    {}
    assert_eq!(counts(&serving.sent(&seen.id).await), (0, 2, 1, 2));
    let again = serving.stop(&seen.id).await.expect("again");
    assert_eq!(again.stop_time, stopped.stop_time);
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'newsletter.stopped'";
    assert_eq!(bench.test.scalar(audited).await, 1);
    for unknown in ["x", "3f0f0b0e-0000-4000-8000-000000000000"] {
        let refused = serving.stop(unknown).await.expect_err("unknown");
        assert_eq!(refused.code(), Code::NotFound);
    }
    // Nothing is left to stop once all mails have left.
    let other = serving.kept_draft("Winter").await;
    serving.send(&other).await.expect("sent");
    while serving.fan_out(&bench).await {}
    let all = "UPDATE mails SET state = 'sent', end_time = create_time WHERE state = 'waiting'";
    set(&bench, all, values![]).await;
    let refused = serving.stop(&other.id).await.expect_err("sent");
    assert_eq!(reason(&refused), "NEWSLETTER_SENT");
    bench.end().await;
}

struct Set(&'static str, Vec<Value>);

#[async_trait]
impl UnitOfWork for Set {
    type Outcome = u64;

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<u64>, StoreError> {
        let rows = transaction.execute(self.0, self.1.clone()).await?;
        Ok(Decision::Commit(rows))
    }
}

async fn set(bench: &Bench, sql: &'static str, values: Vec<Value>) {
    let set = Set(sql, values);
    let rows = bench.database.write("UPDATE mails", set).await;
    assert!(rows.expect("changed") > 0, "{sql}");
}

async fn a_stopped_fan_out_does_not_resume(bench: Bench) {
    let serving = Arc::new(Serving::start(&bench).await);
    for number in 0..60 {
        let email = format!("visitor{number}@visitor.example");
        serving.confirmed(&bench, &email).await;
    }
    let seen = serving.kept_draft("Monsoon").await;
    serving.send(&seen).await.expect("sent");
    assert!(serving.fan_out(&bench).await);
    let made = serving.sent(&seen.id).await.mails;
    assert!(0 < made && made < 60, "{made}");
    // At the same moment as the next step of two processes.
    let mut steps = tokio::task::JoinSet::new();
    for _ in 0..2 {
        let (serving, keys, now) = (
            Arc::clone(&serving),
            bench.keys.clone(),
            serving.clock.now(),
        );
        steps.spawn(async move {
            let links = Links::new(keys, "https://sampige.example");
            serving.store.fan_out(&links, now).await.expect("mails");
        });
    }
    let stopped = serving.stop(&seen.id).await.expect("stopped");
    steps.join_all().await;
    assert!(stopped.complete);
    let made = serving.sent(&seen.id).await.mails;
    while serving.fan_out(&bench).await {}
    let rest = serving.sent(&seen.id).await;
    assert_eq!((rest.mails, rest.complete), (made, true));
    while serving
        .store
        .withhold(serving.clock.now())
        .await
        .expect("a step")
    {}
    let after = serving.sent(&seen.id).await;
    assert_eq!((after.waiting, after.withheld), (0, made));
    bench.end().await;
}
