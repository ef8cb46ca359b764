//! Drafts of newsletters: kept, changed by several people, sent once, and stopped.

use std::sync::Arc;

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    CreateNewsletterDraftRequest, DeleteNewsletterDraftRequest, GetNewsletterDraftRequest,
    ListNewsletterDraftsRequest, ListNewslettersRequest, Newsletter, NewsletterDraft,
    SendNewsletterDraftRequest, UpdateNewsletterDraftRequest,
};
use service_kit::source::Clock as _;
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

    pub(crate) async fn kept_draft(&self, subject: &str) -> NewsletterDraft {
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

    pub(crate) async fn send(&self, seen: &NewsletterDraft) -> Result<Newsletter, Status> {
        let request = SendNewsletterDraftRequest {
            draft_id: seen.id.clone(),
            etag: seen.etag.clone(),
        };
        let mut client = self.newsletter();
        let reply = client.send_newsletter_draft(self.staff(WRITE, request));
        Ok(reply.await?.into_inner().newsletter.expect("a body"))
    }

    pub(crate) async fn fan_out(&self, bench: &Bench) -> bool {
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
    for text in [
        "![a](https://a.example/a.png)",
        "[a](javascript:alert(1))",
        "a &#x202E;b",
        "a\u{202e}b",
        "a\0b",
        &">".repeat(10_000),
        &"[".repeat(20_001),
    ] {
        let refused = serving.change(&kept, text).await.expect_err("refused");
        assert_eq!(violated(&refused), ["text"]);
    }
    // Larger than any request.
    let refused = serving.change(&kept, &"[".repeat(200 * 1024)).await;
    refused.expect_err("refused");
    assert_eq!(serving.draft(&kept.id).await.expect("unchanged"), kept);
    // The longest line of brackets is a text like any other.
    let brackets = "[".repeat(20_000);
    let changed = serving.change(&kept, &brackets).await.expect("changed");
    assert_eq!(changed.text, brackets);
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
