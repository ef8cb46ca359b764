//! Tests of drafts, sent to the person who asks for them, and departures through the link in an issue.

use std::sync::Arc;

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    GetNewsletterDraftRequest, GetNewsletterRequest, ListNewsletterDraftsRequest,
    ListNewslettersRequest, NewsletterDraft, TestNewsletterDraftRequest, UnsubscribeRequest,
};
use svc_messaging::{mail::Recipient, newsletter::Links};
use test_kit::on_both_databases;
use tonic::{Code, Request, Status};

use crate::{
    Bench,
    serving::{Serving, reason, with},
};

on_both_databases!(test_kit::bench::empty:
    a_test_goes_to_the_caller_alone_and_leaves_no_address_in_the_audit_log,
    a_test_needs_a_confirmed_address_and_the_present_text,
    tests_are_limited_for_each_person,
    counts_who_leaves_after_an_issue,
);

const WRITE: &str = "newsletters:write";
const ASHA: &str = r#","email":"asha@staff.example","email_verified":true"#;
const TESTS: &str = "SELECT count(*) FROM mails WHERE kind = 'newsletter.test'";

fn by<T>(serving: &Serving, subject: &str, claims: &str, message: T) -> Request<T> {
    let token = serving
        .issuer
        .authorization_with(subject, WRITE, 60, claims);
    with(message, "authorization", &token)
}

async fn test(
    serving: &Serving,
    seen: &NewsletterDraft,
    subject: &str,
    claims: &str,
) -> Result<(), Status> {
    let request = TestNewsletterDraftRequest {
        draft_id: seen.id.clone(),
        etag: seen.etag.clone(),
    };
    let request = by(serving, subject, claims, request);
    let reply = serving.newsletter().test_newsletter_draft(request).await;
    reply.map(drop)
}

async fn a_test_goes_to_the_caller_alone_and_leaves_no_address_in_the_audit_log(bench: Bench) {
    let serving = Arc::new(Serving::start(&bench).await);
    serving.confirmed(&bench, "reader@visitor.example").await;
    let seen = serving.kept_draft("Monsoon").await;
    let read = GetNewsletterDraftRequest {
        draft_id: seen.id.clone(),
    };
    for (claims, can_test) in [(ASHA, true), ("", false)] {
        let request = by(&serving, "asha", claims, read.clone());
        let reply = serving.newsletter().get_newsletter_draft(request).await;
        let draft = reply.expect("read").into_inner().draft.expect("a draft");
        assert_eq!(draft.can_test, can_test);
        assert_eq!(draft.html, "<p>First paragraph.</p>\n<p>Second one.</p>\n");
        assert_eq!(draft.plain_text, "First paragraph.\n\nSecond one.\n");
    }
    let list = serving.staff(WRITE, ListNewsletterDraftsRequest::default());
    let listed = serving.newsletter().list_newsletter_drafts(list).await;
    let listed = listed.expect("a page").into_inner().drafts;
    assert_eq!(
        (listed[0].html.as_str(), listed[0].plain_text.as_str()),
        ("", "")
    );
    // Pressed several times at once.
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let (serving, seen) = (Arc::clone(&serving), seen.clone());
        calls.spawn(async move { test(&serving, &seen, "asha", ASHA).await });
    }
    for reply in calls.join_all().await {
        reply.expect("sent, or sent before");
    }
    assert_eq!(bench.test.scalar(TESTS).await, 1);
    let sent = svc_messaging::mail::sent_to(
        &bench.database,
        &bench.keys,
        Recipient::Email("asha@staff.example"),
    );
    assert_eq!(sent.await.expect("mails").len(), 1);
    let to_others = "SELECT count(*) FROM mails WHERE kind = 'newsletter.issue'";
    assert_eq!(bench.test.scalar(to_others).await, 0);
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'draft.tested'";
    assert_eq!(bench.test.scalar(audited).await, 1);
    let named = "SELECT count(*) FROM audit_entries WHERE detail LIKE '%@%' OR subject LIKE '%@%'";
    assert_eq!(bench.test.scalar(named).await, 0);
    // The draft is as it was.
    serving.send(&seen).await.expect("sent");
    bench.end().await;
}

async fn a_test_needs_a_confirmed_address_and_the_present_text(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let seen = serving.kept_draft("Monsoon").await;
    for claims in [
        "",
        r#","email":"asha@staff.example","email_verified":false"#,
        r#","email":"asha@staff.example, b@staff.example""#,
        r#","email":["asha@staff.example"]"#,
    ] {
        let refused = test(&serving, &seen, "asha", claims)
            .await
            .expect_err(claims);
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::FailedPrecondition, "EMAIL_UNKNOWN")
        );
    }
    let stale = NewsletterDraft {
        etag: "7".to_owned(),
        ..seen.clone()
    };
    let refused = test(&serving, &stale, "asha", ASHA)
        .await
        .expect_err("stale");
    assert_eq!(reason(&refused), "ETAG_MISMATCH");
    serving.send(&seen).await.expect("sent");
    let refused = test(&serving, &seen, "asha", ASHA).await.expect_err("gone");
    assert_eq!(refused.code(), Code::NotFound);
    assert_eq!(bench.test.scalar(TESTS).await, 0);
    bench.end().await;
}

async fn tests_are_limited_for_each_person(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let seen = serving.kept_draft("Monsoon").await;
    for _ in 0..10 {
        test(&serving, &seen, "asha", ASHA).await.expect("sent");
        serving.pass(TimeDelta::minutes(1));
    }
    let refused = test(&serving, &seen, "asha", ASHA)
        .await
        .expect_err("an 11th");
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::ResourceExhausted, "TESTS_MAX")
    );
    // With another address, too; but not another person.
    let other = r#","email":"other@staff.example""#;
    let refused = test(&serving, &seen, "asha", other).await;
    assert_eq!(reason(&refused.expect_err("still")), "TESTS_MAX");
    test(&serving, &seen, "ravi", ASHA)
        .await
        .expect("another person");
    serving.pass(TimeDelta::hours(1));
    test(&serving, &seen, "asha", ASHA)
        .await
        .expect("an hour later");
    assert_eq!(bench.test.scalar(TESTS).await, 12);
    bench.end().await;
}

async fn counts_who_leaves_after_an_issue(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let links = Links::new(bench.keys.clone(), "https://sampige.example");
    let mut issues = Vec::new();
    for (subject, readers) in [("First", 2), ("Second", 1)] {
        let draft = serving.kept_draft(subject).await;
        issues.push(serving.send(&draft).await.expect("sent"));
        serving.pass(TimeDelta::seconds(1));
        let mut tokens = vec!["test".to_owned(), "x".repeat(86)];
        for number in 0..readers {
            let email = format!("{subject}{number}@visitor.example");
            serving.confirmed(&bench, &email).await;
            let found = serving.store.subscription(&email).await;
            let subscription = found.expect("an answer").expect("a subscription");
            let link = links.unsubscribe(subscription.id);
            tokens.push(link.split_once("?token=").expect("a token").1.to_owned());
        }
        // Repeated, forged, and that of a test: none of them counts.
        tokens.push(tokens[2].clone());
        for token in tokens {
            let request = UnsubscribeRequest { token };
            serving
                .newsletter()
                .unsubscribe(request)
                .await
                .expect("the same answer");
        }
    }
    let list = serving.staff(WRITE, ListNewslettersRequest::default());
    let listed = serving.newsletter().list_newsletters(list).await;
    let listed: Vec<_> = listed.expect("a page").into_inner().newsletters;
    let numbers: Vec<_> = listed
        .iter()
        .map(|one| (one.subject.as_str(), one.unsubscribes))
        .collect();
    assert_eq!(numbers, [("Second", 1), ("First", 2)]);
    assert_eq!(listed[0].html, "");
    let read = GetNewsletterRequest {
        newsletter_id: issues[0].id.clone(),
    };
    let read = serving
        .newsletter()
        .get_newsletter(serving.staff(WRITE, read))
        .await;
    let read = read.expect("read").into_inner().newsletter.expect("a body");
    assert_eq!((read.unsubscribes, read.html.is_empty()), (2, false));
    bench.end().await;
}
