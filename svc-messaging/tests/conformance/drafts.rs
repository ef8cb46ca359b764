//! Drafts of newsletters: kept, changed by several people, sent once, and stopped.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    CreateNewsletterDraftRequest, DeleteNewsletterDraftRequest, GetNewsletterDraftRequest,
    GetNewsletterRequest, ListNewsletterDraftsRequest, ListNewslettersRequest, Newsletter,
    NewsletterDraft, SendNewsletterDraftRequest, StopNewsletterRequest,
    UpdateNewsletterDraftRequest,
};
use service_kit::source::Clock as _;
use store_kit::{
    error::StoreError,
    sql::{Transaction, Value},
    values,
    work::{Decision, UnitOfWork},
};
use svc_messaging::newsletter::Links;
use test_kit::{on_both_databases, service::is_replay};
use tonic::{Code, Response, Status};

use crate::{
    Bench,
    serving::{Serving, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    keeps_a_draft_once_and_refuses_what_a_newsletter_must_not_be,
    one_of_two_people_changes_a_draft,
    refuses_to_send_a_text_that_has_changed_since_it_was_read,
    ten_presses_of_send_make_one_newsletter,
    a_draft_that_was_sent_or_deleted_is_gone,
    pages_through_drafts_and_newsletters,
    keeps_at_most_a_hundred_drafts,
    stops_the_rest_and_counts_what_was_sent,
    a_stopped_fan_out_does_not_resume,
);

const WRITE: &str = "newsletters:write";

impl Serving {
    async fn keep_draft(
        &self,
        request_id: &str,
        subject: &str,
    ) -> Result<Response<NewsletterDraft>, Status> {
        let request = CreateNewsletterDraftRequest {
            draft: Some(draft(subject)),
            request_id: request_id.to_owned(),
        };
        let mut client = self.newsletter();
        let reply = client
            .create_newsletter_draft(self.staff(WRITE, request))
            .await?;
        Ok(reply.map(|reply| reply.draft.expect("a draft")))
    }

    async fn kept_draft(&self, subject: &str) -> NewsletterDraft {
        let request_id = format!("a-request-for-{subject}");
        let kept = self
            .keep_draft(&request_id.replace(' ', "-"), subject)
            .await;
        kept.expect("kept").into_inner()
    }

    async fn draft(&self, id: &str) -> Result<NewsletterDraft, Status> {
        let request = GetNewsletterDraftRequest {
            draft_id: id.to_owned(),
        };
        let mut client = self.newsletter();
        let reply = client.get_newsletter_draft(self.staff(WRITE, request));
        Ok(reply.await?.into_inner().draft.expect("a draft"))
    }

    async fn change(&self, seen: &NewsletterDraft, text: &str) -> Result<NewsletterDraft, Status> {
        let request = UpdateNewsletterDraftRequest {
            draft_id: seen.id.clone(),
            draft: Some(NewsletterDraft {
                subject: seen.subject.clone(),
                text: text.to_owned(),
                ..NewsletterDraft::default()
            }),
            etag: seen.etag.clone(),
        };
        let mut client = self.newsletter();
        let reply = client.update_newsletter_draft(self.staff(WRITE, request));
        Ok(reply.await?.into_inner().draft.expect("a draft"))
    }

    async fn delete(&self, seen: &NewsletterDraft) -> Result<(), Status> {
        let request = DeleteNewsletterDraftRequest {
            draft_id: seen.id.clone(),
            etag: seen.etag.clone(),
        };
        let mut client = self.newsletter();
        let reply = client.delete_newsletter_draft(self.staff(WRITE, request));
        reply.await.map(drop)
    }

    async fn send(&self, seen: &NewsletterDraft) -> Result<Newsletter, Status> {
        let request = SendNewsletterDraftRequest {
            draft_id: seen.id.clone(),
            etag: seen.etag.clone(),
        };
        let mut client = self.newsletter();
        let reply = client.send_newsletter_draft(self.staff(WRITE, request));
        Ok(reply.await?.into_inner().newsletter.expect("a body"))
    }

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

    async fn fan_out(&self, bench: &Bench) -> bool {
        let links = Links::new(bench.keys.clone(), "https://sampige.example");
        let more = self.store.fan_out(&links, self.clock.now()).await;
        more.expect("mails")
    }
}

fn draft(subject: &str) -> NewsletterDraft {
    NewsletterDraft {
        subject: subject.to_owned(),
        text: "First paragraph.\n\nSecond one.".to_owned(),
        ..NewsletterDraft::default()
    }
}

fn refusal(refused: &Status) -> (Code, String) {
    (refused.code(), reason(refused))
}

fn stale() -> (Code, String) {
    (Code::Aborted, "ETAG_MISMATCH".to_owned())
}

async fn keeps_a_draft_once_and_refuses_what_a_newsletter_must_not_be(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let kept = serving.kept_draft("Monsoon").await;
    assert_eq!(
        (kept.etag.as_str(), kept.subject.as_str()),
        ("1", "Monsoon")
    );
    let again = serving.keep_draft("a-request-for-Monsoon", "Monsoon").await;
    let again = again.expect("again");
    assert!(is_replay(&again));
    assert_eq!(again.into_inner(), kept);
    let other = serving.keep_draft("a-request-for-Monsoon", "Winter").await;
    assert_eq!(reason(&other.expect_err("reused")), "REQUEST_ID_REUSED");
    let long = "x".repeat(201);
    for subject in ["", "two\nlines", &long] {
        let refused = serving.keep_draft("another-request-id", subject).await;
        assert_eq!(violated(&refused.expect_err("refused")), ["subject"]);
    }
    let refused = serving.change(&kept, &"x".repeat(20_001)).await;
    assert_eq!(violated(&refused.expect_err("refused")), ["text"]);
    assert_eq!(serving.draft(&kept.id).await.expect("unchanged"), kept);
    bench.end().await;
}

async fn one_of_two_people_changes_a_draft(bench: Bench) {
    let serving = Arc::new(Serving::start(&bench).await);
    let seen = serving.kept_draft("Monsoon").await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (serving, seen) = (Arc::clone(&serving), seen.clone());
        calls.spawn(async move { serving.change(&seen, &format!("Text {number}")).await });
    }
    let replies = calls.join_all().await;
    let changed: Vec<_> = replies.iter().flatten().collect();
    let [changed] = changed[..] else {
        panic!("{replies:?}");
    };
    for refused in replies.iter().filter_map(|reply| reply.as_ref().err()) {
        assert_eq!(refusal(refused), stale());
    }
    assert_eq!(&serving.draft(&seen.id).await.expect("changed"), changed);
    // A retry after a lost response has the effect that it had.
    let again = serving.change(&seen, &changed.text).await;
    assert_eq!(&again.expect("the same"), changed);
    let refused = serving.delete(&seen).await.expect_err("stale");
    assert_eq!(refusal(&refused), stale());
    let empty = NewsletterDraft {
        etag: String::new(),
        ..seen
    };
    assert_eq!(
        violated(&serving.delete(&empty).await.expect_err("none")),
        ["etag"]
    );
    bench.end().await;
}

async fn refuses_to_send_a_text_that_has_changed_since_it_was_read(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let seen = serving.kept_draft("Monsoon").await;
    let changed = serving.change(&seen, "Another text.").await;
    let refused = serving.send(&seen).await.expect_err("stale");
    assert_eq!(refusal(&refused), stale());
    let newsletters = "SELECT count(*) FROM newsletters";
    assert_eq!(bench.test.scalar(newsletters).await, 0);
    let sent = serving.send(&changed.expect("changed")).await;
    assert_eq!(sent.expect("sent").text, "Another text.");
    bench.end().await;
}

async fn ten_presses_of_send_make_one_newsletter(bench: Bench) {
    let serving = Arc::new(Serving::start(&bench).await);
    serving.confirmed(&bench, "a@visitor.example").await;
    let seen = serving.kept_draft("Monsoon").await;
    assert_eq!(seen.subscribers, 0, "counted only when it is read");
    let read = serving.draft(&seen.id).await.expect("kept");
    assert_eq!(read.subscribers, 1);
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let (serving, seen) = (Arc::clone(&serving), seen.clone());
        calls.spawn(async move { serving.send(&seen).await.expect("sent, or sent before") });
    }
    for sent in calls.join_all().await {
        assert_eq!(sent.id, seen.id);
    }
    while serving.fan_out(&bench).await {}
    let mails = "SELECT count(*) FROM mails WHERE kind = 'newsletter.issue'";
    assert_eq!(bench.test.scalar(mails).await, 1);
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'newsletter.created'";
    assert_eq!(bench.test.scalar(audited).await, 1);
    bench.end().await;
}

async fn a_draft_that_was_sent_or_deleted_is_gone(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let (first, second) = (
        serving.kept_draft("First").await,
        serving.kept_draft("Second").await,
    );
    serving.send(&first).await.expect("sent");
    serving.delete(&second).await.expect("deleted");
    for gone in [&first, &second] {
        for refused in [
            serving.draft(&gone.id).await.err(),
            serving.change(gone, "Too late").await.err(),
            serving.delete(gone).await.err(),
        ] {
            assert_eq!(refused.expect("refused").code(), Code::NotFound);
        }
    }
    let refused = serving.send(&second).await.expect_err("deleted");
    assert_eq!(refused.code(), Code::NotFound);
    // A browser that repeats the create does not bring it back.
    let again = serving.keep_draft("a-request-for-Second", "Second").await;
    assert_eq!(reason(&again.expect_err("gone")), "REMOVED");
    bench.end().await;
}

async fn pages_through_drafts_and_newsletters(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = serving.newsletter();
    for number in 0..6 {
        let kept = serving.kept_draft(&format!("Draft {number}")).await;
        if number % 2 == 0 {
            serving.send(&kept).await.expect("sent");
        }
        serving.pass(TimeDelta::seconds(number % 3));
    }
    let (mut drafts, mut newsletters) = (Vec::new(), Vec::new());
    let (mut page_token, mut sent_token) = (String::new(), String::new());
    for _ in 0..2 {
        let request = ListNewsletterDraftsRequest {
            page_size: 2,
            page_token,
        };
        let page = client.list_newsletter_drafts(serving.staff(WRITE, request));
        let page = page.await.expect("a page").into_inner();
        drafts.extend(page.drafts.into_iter().map(|draft| draft.subject));
        page_token = page.next_page_token;
        let request = ListNewslettersRequest {
            page_size: 2,
            page_token: sent_token,
        };
        let page = client.list_newsletters(serving.staff(WRITE, request));
        let page = page.await.expect("a page").into_inner();
        newsletters.extend(page.newsletters.into_iter().map(|sent| sent.subject));
        sent_token = page.next_page_token;
    }
    assert_eq!(drafts, ["Draft 5", "Draft 3", "Draft 1"]);
    assert_eq!(newsletters, ["Draft 4", "Draft 2", "Draft 0"]);
    assert_eq!((page_token.as_str(), sent_token.as_str()), ("", ""));
    let bad = ListNewslettersRequest {
        page_size: -1,
        page_token: "x".into(),
    };
    let refused = client.list_newsletters(serving.staff(WRITE, bad)).await;
    assert_eq!(
        violated(&refused.expect_err("refused")),
        ["pageSize", "pageToken"]
    );
    bench.end().await;
}

async fn keeps_at_most_a_hundred_drafts(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut last = None;
    for number in 0..100 {
        last = Some(serving.kept_draft(&format!("Draft {number}")).await);
    }
    let refused = serving.keep_draft("one-request-too-many", "One more").await;
    let refused = refused.expect_err("too many");
    assert_eq!(
        refusal(&refused),
        (Code::FailedPrecondition, "DRAFTS_MAX".to_owned())
    );
    let repeated = serving.keep_draft("a-request-for-Draft-7", "Draft 7").await;
    assert!(is_replay(&repeated.expect("a retry")));
    serving.delete(&last.expect("kept")).await.expect("deleted");
    let kept = serving.keep_draft("one-request-too-many", "One more").await;
    kept.expect("room again");
    bench.end().await;
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
