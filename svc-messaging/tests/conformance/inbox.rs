//! Staff RPCs for messages, with and without tokens.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    CreateNewsletterDraftRequest, CreateNewsletterRequest, DeleteMessageRequest,
    DeleteNewsletterDraftRequest, EraseSenderRequest, ExportSenderRequest, GetMessageRequest,
    GetNewsletterDraftRequest, GetNewsletterRequest, InboxMessage, ListMessagesRequest,
    ListNewsletterDraftsRequest, ListNewslettersRequest, MessageStatus, SendNewsletterDraftRequest,
    SetMessageStatusRequest, StopNewsletterRequest, TestNewsletterDraftRequest,
    UpdateNewsletterDraftRequest,
};
use test_kit::on_both_databases;
use tonic::{Code, Request, Status};

use crate::{
    Bench,
    serving::{STAFF, Serving, enquiry, reason, spam, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    every_call_needs_a_token_of_its_scope,
    staff_page_through_filtered_messages,
    filters_lists,
    changes_the_status_and_records_the_assignee,
    forwards_a_released_message_once,
    only_one_of_two_can_take_a_message,
);

const READ: &str = "messages:read";
const WRITE: &str = "messages:write";
const SCOPES: [&str; 5] = [
    READ,
    WRITE,
    "senders:export",
    "senders:erase",
    "newsletters:write",
];

/// Calls every staff RPC with the same header; returns the scope and status code of each.
async fn codes(serving: &Serving, authorization: Option<&str>) -> Vec<(&'static str, Code)> {
    fn with_token<T>(message: T, authorization: Option<&str>) -> Request<T> {
        match authorization {
            None => Request::new(message),
            Some(value) => with(message, "authorization", value),
        }
    }
    let (mut inbox, mut newsletter) = (serving.inbox(), serving.newsletter());
    macro_rules! ask {
        ($($client:ident.$call:ident($message:ident) $scope:expr;)+) => {
            vec![$(($scope, match $client.$call(with_token($message::default(), authorization)).await {
                Ok(_) => Code::Ok,
                Err(status) => status.code(),
            }),)+]
        };
    }
    ask! {
        inbox.list_messages(ListMessagesRequest) READ;
        inbox.get_message(GetMessageRequest) READ;
        inbox.set_message_status(SetMessageStatusRequest) WRITE;
        inbox.export_sender(ExportSenderRequest) "senders:export";
        inbox.erase_sender(EraseSenderRequest) "senders:erase";
        inbox.delete_message(DeleteMessageRequest) "senders:erase";
        newsletter.create_newsletter(CreateNewsletterRequest) "newsletters:write";
        newsletter.get_newsletter(GetNewsletterRequest) "newsletters:write";
        newsletter.list_newsletters(ListNewslettersRequest) "newsletters:write";
        newsletter.stop_newsletter(StopNewsletterRequest) "newsletters:write";
        newsletter.create_newsletter_draft(CreateNewsletterDraftRequest) "newsletters:write";
        newsletter.list_newsletter_drafts(ListNewsletterDraftsRequest) "newsletters:write";
        newsletter.get_newsletter_draft(GetNewsletterDraftRequest) "newsletters:write";
        newsletter.update_newsletter_draft(UpdateNewsletterDraftRequest) "newsletters:write";
        newsletter.delete_newsletter_draft(DeleteNewsletterDraftRequest) "newsletters:write";
        newsletter.test_newsletter_draft(TestNewsletterDraftRequest) "newsletters:write";
        newsletter.send_newsletter_draft(SendNewsletterDraftRequest) "newsletters:write";
    }
}

async fn every_call_needs_a_token_of_its_scope(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let over = serving.issuer.authorization(&SCOPES.join(" "), -60);
    for authorization in [None, Some("Bearer x"), Some("Basic eDp5"), Some(&*over)] {
        for (scope, code) in codes(&serving, authorization).await {
            assert_eq!(code, Code::Unauthenticated, "{scope}");
        }
    }
    for scope in SCOPES.into_iter().chain(["messages", ""]) {
        let token = serving.issuer.authorization(scope, 60);
        for (needed, code) in codes(&serving, Some(&token)).await {
            let is_denied = code == Code::PermissionDenied;
            assert_eq!(is_denied, scope != needed, "{scope:?} for {needed}: {code}");
        }
    }
    bench.end().await;
}

impl Serving {
    async fn listed(&self, request: ListMessagesRequest) -> Result<(Vec<String>, String), Status> {
        let answer = self
            .inbox()
            .list_messages(self.staff(READ, request))
            .await?;
        let answer = answer.into_inner();
        let subject = |found: InboxMessage| found.message.expect("a message").subject;
        let subjects = answer.messages.into_iter().map(subject).collect();
        Ok((subjects, answer.next_page_token))
    }

    async fn read(&self, name: &str) -> Result<InboxMessage, Status> {
        let request = GetMessageRequest {
            message_id: name.to_owned(),
        };
        let answer = self.inbox().get_message(self.staff(READ, request)).await?;
        Ok(answer.into_inner().message.expect("a message"))
    }

    async fn set(
        &self,
        name: &str,
        status: MessageStatus,
        etag: &str,
    ) -> Result<InboxMessage, Status> {
        let request = SetMessageStatusRequest {
            message_id: name.to_owned(),
            status: status.into(),
            etag: etag.to_owned(),
            taken_by_name: "Meera Nair".to_owned(),
        };
        let answer = self
            .inbox()
            .set_message_status(self.staff(WRITE, request))
            .await?;
        Ok(answer.into_inner().message.expect("a message"))
    }
}

async fn staff_page_through_filtered_messages(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for number in 0..5 {
        serving.created(enquiry(number)).await;
        // Messages with equal times must have an order too.
        serving.pass(TimeDelta::seconds(i64::from(number % 2 == 1)));
    }
    serving.created(spam(9)).await;
    let mut seen = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListMessagesRequest {
            page_size: 2,
            page_token,
            ..ListMessagesRequest::default()
        };
        let (subjects, next) = serving.listed(request).await.expect("a page");
        assert!(subjects.len() <= 2);
        seen.extend(subjects);
        page_token = next;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(seen.len(), 5);
    assert_eq!(seen[0], "Visiting hours 4", "the newest first");
    seen.sort();
    assert_eq!(
        seen,
        (0..5)
            .map(|number| format!("Visiting hours {number}"))
            .collect::<Vec<_>>()
    );
    bench.end().await;
}

async fn filters_lists(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for number in 0..5 {
        serving.created(enquiry(number)).await;
        serving.pass(TimeDelta::seconds(1));
    }
    serving.created(spam(9)).await;
    for (filter, expected) in [
        (
            ListMessagesRequest {
                status: "quarantined".into(),
                ..Default::default()
            },
            vec!["SEO services"],
        ),
        (
            ListMessagesRequest {
                status: "done".into(),
                ..Default::default()
            },
            vec![],
        ),
        (
            ListMessagesRequest {
                email: " VISITOR3@visitor.example".into(),
                ..Default::default()
            },
            vec!["Visiting hours 3"],
        ),
        (
            ListMessagesRequest {
                email: "visitor9@visitor.example".into(),
                ..Default::default()
            },
            vec![],
        ),
        (
            ListMessagesRequest {
                email: "visitor9@visitor.example".into(),
                status: "quarantined".into(),
                ..Default::default()
            },
            vec!["SEO services"],
        ),
        (
            ListMessagesRequest {
                phone: "080 00000002".into(),
                ..Default::default()
            },
            vec!["Visiting hours 2"],
        ),
        (
            ListMessagesRequest {
                phone: "080 00000002".into(),
                email: "visitor1@visitor.example".into(),
                ..Default::default()
            },
            vec!["Visiting hours 2", "Visiting hours 1"],
        ),
        (
            ListMessagesRequest {
                kind: "comment".into(),
                ..Default::default()
            },
            vec![],
        ),
        (
            ListMessagesRequest {
                mailbox: "billing@sampige.example".into(),
                ..Default::default()
            },
            vec![],
        ),
    ] {
        let (subjects, _) = serving.listed(filter.clone()).await.expect("a list");
        assert_eq!(subjects, expected, "{filter:?}");
    }
    let bad = ListMessagesRequest {
        page_size: -1,
        page_token: "x".into(),
        status: "lost".into(),
        kind: "letter".into(),
        email: "nobody".into(),
        phone: "1".into(),
        ..Default::default()
    };
    let refused = serving.listed(bad).await.expect_err("refused");
    assert_eq!(
        violated(&refused),
        ["pageSize", "status", "kind", "pageToken", "email", "phone"]
    );
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'message.list' AND actor = 'editor@sampige'";
    assert_eq!(
        bench.test.scalar(audited).await,
        9,
        "a list each, and none for a refusal"
    );
    bench.end().await;
}

async fn changes_the_status_and_records_the_assignee(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let sent = serving.created(enquiry(1)).await;
    let found = serving
        .read(&sent.reference.to_lowercase())
        .await
        .expect("found");
    assert_eq!(found.message.as_ref(), Some(&sent));
    assert_eq!(found, serving.read(&sent.id).await.expect("found"));
    assert_eq!(found.mailbox, "hello@sampige.example");
    assert_eq!(found.signals, ["no_token"]);
    assert_eq!(
        (found.status(), found.taken_by.as_str()),
        (MessageStatus::New, "")
    );
    serving.pass(TimeDelta::minutes(7));
    let taken = serving
        .set(&sent.id, MessageStatus::Taken, &found.etag)
        .await
        .expect("set");
    assert_eq!(
        (taken.status(), taken.taken_by.as_str()),
        (MessageStatus::Taken, STAFF)
    );
    assert_ne!(taken.etag, found.etag);
    let seconds = |time: Option<prost_types::Timestamp>| time.expect("a time").seconds;
    assert_eq!(
        seconds(taken.update_time) - seconds(found.update_time),
        7 * 60
    );
    // Setting the current status again is a no-op with any etag. Another status with an outdated etag is refused.
    let again = serving
        .set(&sent.reference, MessageStatus::Taken, &found.etag)
        .await;
    assert_eq!(again.expect("the same"), taken);
    let stale = serving
        .set(&sent.id, MessageStatus::Done, &found.etag)
        .await
        .expect_err("stale");
    assert_eq!(
        (stale.code(), reason(&stale).as_str()),
        (Code::Aborted, "ETAG_MISMATCH")
    );
    let back = serving
        .set(&sent.id, MessageStatus::Quarantined, &taken.etag)
        .await
        .expect_err("back");
    assert_eq!(
        (back.code(), reason(&back).as_str()),
        (Code::FailedPrecondition, "STATUS_NOT_ALLOWED")
    );
    let done = serving
        .set(&sent.id, MessageStatus::Done, &taken.etag)
        .await
        .expect("set");
    assert_eq!(serving.read(&sent.id).await.expect("found"), done);
    for (status, etag, fields) in [
        (MessageStatus::Unspecified, "1", "status"),
        (MessageStatus::Done, "", "etag"),
    ] {
        let refused = serving
            .set(&sent.id, status, etag)
            .await
            .expect_err("refused");
        assert_eq!(violated(&refused), [fields]);
    }
    for unknown in [
        "MS-2222-2222",
        "no name",
        "3f0f0b0e-0000-4000-8000-000000000000",
    ] {
        assert_eq!(
            serving.read(unknown).await.expect_err("none").code(),
            Code::NotFound
        );
        let refused = serving.set(unknown, MessageStatus::Done, "1").await;
        assert_eq!(refused.expect_err("none").code(), Code::NotFound);
    }
    let changes = "SELECT count(*) FROM audit_entries WHERE action = 'message.status' AND detail IN ('new to taken', 'taken to done')";
    assert_eq!(bench.test.scalar(changes).await, 2);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM audit_entries WHERE action = 'message.read'")
            .await,
        3
    );
    bench.end().await;
}

async fn forwards_a_released_message_once(bench: Bench) {
    const MAILS: &str = "SELECT count(*) FROM mails";
    let serving = Serving::start(&bench).await;
    let sent = serving.created(spam(1)).await;
    let found = serving.read(&sent.id).await.expect("found");
    assert_eq!(found.status(), MessageStatus::Quarantined);
    assert!(
        found.signals.contains(&"phrases".to_owned()),
        "{:?}",
        found.signals
    );
    assert_eq!(bench.test.scalar(MAILS).await, 0);
    let mut etag = found.etag;
    for (status, mails) in [
        (MessageStatus::Spam, 0),
        (MessageStatus::New, 2),
        (MessageStatus::Spam, 2),
        (MessageStatus::New, 2),
    ] {
        etag = serving
            .set(&sent.id, status, &etag)
            .await
            .expect("set")
            .etag;
        assert_eq!(bench.test.scalar(MAILS).await, mails, "{status:?}");
        assert_eq!(
            bench
                .test
                .scalar("SELECT count(*) FROM outbox_messages WHERE kind = 'mail.send'")
                .await,
            mails
        );
    }
    bench.end().await;
}

async fn only_one_of_two_can_take_a_message(bench: Bench) {
    let serving = std::sync::Arc::new(Serving::start(&bench).await);
    let sent = serving.created(enquiry(1)).await;
    let etag = serving.read(&sent.id).await.expect("found").etag;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..10 {
        let (serving, id, etag) = (
            std::sync::Arc::clone(&serving),
            sent.id.clone(),
            etag.clone(),
        );
        let status = if number % 2 == 0 {
            MessageStatus::Taken
        } else {
            MessageStatus::Spam
        };
        calls.spawn(async move {
            serving
                .set(&id, status, &etag)
                .await
                .map(|found| found.status())
        });
    }
    let answers = calls.join_all().await;
    let taken: Vec<MessageStatus> = answers
        .iter()
        .filter_map(|answer| answer.as_ref().ok().copied())
        .collect();
    assert!(
        !taken.is_empty() && taken.iter().all(|status| *status == taken[0]),
        "{taken:?}"
    );
    let changes = "SELECT version FROM messages";
    assert_eq!(bench.test.scalar(changes).await, 2, "one change");
    bench.end().await;
}
