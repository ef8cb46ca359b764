//! The newsletter: subscription, confirmation, sending and unsubscribing.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    ConfirmSubscriptionRequest, CreateNewsletterRequest, FormCheck, GetNewsletterRequest,
    Newsletter, SubscribeRequest, UnsubscribeRequest,
};
use service_kit::source::Clock as _;
use store_kit::values;
use svc_messaging::{
    domain::newsletter::State,
    mail::{self, content::Content},
    newsletter::Links,
};
use test_kit::{on_both_databases, service::is_replay};
use tonic::{Code, Request, Status};
use uuid::Uuid;

use crate::{
    Bench,
    serving::{Serving, reason, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    confirms_an_address_and_unsubscribes_with_one_click,
    an_address_is_not_flooded,
    a_suspected_robot_triggers_no_confirmation,
    sends_an_issue_once_to_every_confirmed_subscriber,
    resumes_an_interrupted_fan_out,
);

const EMAIL: &str = "kamala@visitor.example";
const ASKED: &str = "SELECT count(*) FROM mails WHERE kind = 'newsletter.confirmation'";
const ISSUES: &str = "SELECT count(*) FROM mails WHERE kind = 'newsletter.issue'";

impl Serving {
    async fn subscribe(&self, email: &str) {
        let request = SubscribeRequest {
            email: email.to_owned(),
            check: None,
        };
        self.newsletter()
            .subscribe(request)
            .await
            .expect("answered");
    }

    async fn confirm(&self, token: &str) -> Result<(), Status> {
        let request = ConfirmSubscriptionRequest {
            token: token.to_owned(),
        };
        self.newsletter()
            .confirm_subscription(request)
            .await
            .map(drop)
    }

    async fn unsubscribe(&self, token: &str) {
        let request = UnsubscribeRequest {
            token: token.to_owned(),
        };
        self.newsletter()
            .unsubscribe(request)
            .await
            .expect("answered");
    }

    async fn state(&self, email: &str) -> Option<State> {
        let found = self.store.subscription(email).await.expect("an answer");
        found.map(|found| found.state)
    }

    pub(crate) async fn confirmed(&self, bench: &Bench, email: &str) {
        self.subscribe(email).await;
        let (_, token) = last_links(bench, email).await.remove(0);
        self.confirm(&token).await.expect("confirmed");
    }
}

/// Returns the newsletter mails to an address, newest first, with the token in each.
async fn last_links(bench: &Bench, email: &str) -> Vec<(&'static str, String)> {
    let recipient = mail::Recipient::Email(email);
    let sent = mail::sent_to(&bench.database, &bench.keys, recipient)
        .await
        .expect("mails");
    let mut links = Vec::new();
    for mail in sent {
        let content = mail::store::content(&bench.database, &bench.keys, mail.id).await;
        let (kind, link) = match content.expect("a mail").expect("kept") {
            Content::Confirmation { confirm_url } => ("confirm", confirm_url),
            Content::Newsletter {
                unsubscribe_url, ..
            } => ("unsubscribe", unsubscribe_url),
            other => panic!("{other:?}"),
        };
        let (page, token) = link.split_once("?token=").expect("a token");
        assert_eq!(page, format!("http://127.0.0.1:8080/newsletter/{kind}"));
        links.push((kind, token.to_owned()));
    }
    links
}

async fn confirms_an_address_and_unsubscribes_with_one_click(bench: Bench) {
    let serving = Serving::start(&bench).await;
    assert_eq!(serving.state(EMAIL).await, None);
    serving.subscribe(EMAIL).await;
    assert_eq!(serving.state(EMAIL).await, Some(State::Pending));
    let (_, token) = last_links(&bench, EMAIL).await.remove(0);
    for wrong in ["", "x", &token[..token.len() - 2], "ಕ"] {
        let refused = serving.confirm(wrong).await.expect_err("wrong");
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::NotFound, "LINK_UNKNOWN")
        );
    }
    serving.pass(TimeDelta::days(7));
    for _ in 0..2 {
        serving.confirm(&token).await.expect("confirmed, and again");
        assert_eq!(serving.state(EMAIL).await, Some(State::Confirmed));
    }
    // Subscribing a confirmed address gets the usual response but sends no mail.
    serving.subscribe("KAMALA@visitor.example").await;
    assert_eq!(bench.test.scalar(ASKED).await, 1);
    assert_eq!(serving.state(EMAIL).await, Some(State::Confirmed));
    let links = Links::new(bench.keys.clone(), "https://sampige.example");
    let id = serving
        .store
        .subscription(EMAIL)
        .await
        .expect("an answer")
        .expect("kept")
        .id;
    let end = links.unsubscribe(id);
    let (_, end) = end.split_once("?token=").expect("a token");
    for _ in 0..2 {
        serving.unsubscribe(end).await;
        assert_eq!(serving.state(EMAIL).await, Some(State::Unsubscribed));
    }
    // The confirmation link is revoked by unsubscribing, and expires after 7 days.
    serving.confirm(&token).await.expect_err("ended since");
    serving.subscribe(EMAIL).await;
    serving.confirm(&token).await.expect_err("of another time");
    let (_, token) = last_links(&bench, EMAIL).await.remove(0);
    serving.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
    serving.confirm(&token).await.expect_err("too old");
    // The old unsubscribe link also ends the new subscription. Invalid tokens get the same response and have no effect.
    serving.unsubscribe(end).await;
    assert_eq!(serving.state(EMAIL).await, Some(State::Unsubscribed));
    serving.unsubscribe("wrong").await;
    bench.end().await;
}

async fn an_address_is_not_flooded(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for (minutes, mails) in [
        (0, 1),
        (59, 1),
        (2, 2),
        (30, 2),
        (31, 3),
        (120, 3),
        (24 * 60, 4),
    ] {
        serving.pass(TimeDelta::minutes(minutes));
        serving.subscribe(EMAIL).await;
        assert_eq!(
            bench.test.scalar(ASKED).await,
            mails,
            "after {minutes} minutes more"
        );
    }
    // A network that subscribes many addresses is refused.
    let mut refused = None;
    for number in 0..21 {
        let email = format!("visitor{number}@visitor.example");
        let request = SubscribeRequest { email, check: None };
        let request = with(request, "client-network", "203.0.113.0/24");
        refused = serving.newsletter().subscribe(request).await.err();
        assert_eq!(refused.is_some(), number == 20, "{number}");
    }
    let refused = refused.expect("too many");
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::ResourceExhausted, "MESSAGES_MAX")
    );
    bench.end().await;
}

async fn a_suspected_robot_triggers_no_confirmation(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let instant = serving.token(TimeDelta::zero()).await;
    for check in [
        FormCheck {
            website: "x".into(),
            ..FormCheck::default()
        },
        FormCheck {
            token: instant,
            ..FormCheck::default()
        },
    ] {
        let request = SubscribeRequest {
            email: EMAIL.to_owned(),
            check: Some(check),
        };
        serving
            .newsletter()
            .subscribe(request)
            .await
            .expect("the same answer");
    }
    let bad = SubscribeRequest {
        email: "nobody".into(),
        check: None,
    };
    let refused = serving
        .newsletter()
        .subscribe(bad)
        .await
        .expect_err("refused");
    assert_eq!(violated(&refused), ["email"]);
    assert_eq!(serving.state(EMAIL).await, None);
    assert_eq!(bench.test.scalar(ASKED).await, 0);
    bench.end().await;
}

fn issue(serving: &Serving, request_id: &str) -> Request<CreateNewsletterRequest> {
    let newsletter = Newsletter {
        subject: "Monsoon and your lungs".to_owned(),
        text: "First paragraph.\n\nSecond one.".to_owned(),
        ..Newsletter::default()
    };
    let request = CreateNewsletterRequest {
        newsletter: Some(newsletter),
        request_id: request_id.to_owned(),
    };
    serving.staff("newsletters:write", request)
}

async fn sends_an_issue_once_to_every_confirmed_subscriber(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for email in [
        "a@visitor.example",
        "b@visitor.example",
        "gone@visitor.example",
    ] {
        serving.confirmed(&bench, email).await;
    }
    serving.subscribe("pending@visitor.example").await;
    let links = Links::new(bench.keys.clone(), "http://127.0.0.1:8080");
    let gone = serving
        .store
        .subscription("gone@visitor.example")
        .await
        .expect("an answer")
        .expect("kept");
    serving
        .store
        .unsubscribe(gone.id, serving.clock.now())
        .await
        .expect("ended");
    let mut client = serving.newsletter();
    let created = client
        .create_newsletter(issue(&serving, "an-issue-of-november"))
        .await
        .expect("created");
    let created = created.into_inner().newsletter.expect("a body");
    assert_eq!((created.mails, created.complete), (0, false));
    let again = client
        .create_newsletter(issue(&serving, "an-issue-of-november"))
        .await
        .expect("again");
    assert!(is_replay(&again));
    assert_eq!(
        again.into_inner().newsletter.expect("a body").id,
        created.id
    );
    serving.pass(TimeDelta::seconds(1));
    serving.confirmed(&bench, "late@visitor.example").await;
    while serving
        .store
        .fan_out(&links, serving.clock.now())
        .await
        .expect("mails")
    {}
    let read = GetNewsletterRequest {
        newsletter_id: created.id.clone(),
    };
    let read = client
        .get_newsletter(serving.staff("newsletters:write", read))
        .await
        .expect("read");
    let read = read.into_inner().newsletter.expect("a body");
    assert_eq!((read.mails, read.complete), (2, true));
    assert_eq!(
        (read.subject.as_str(), read.text.as_str()),
        ("Monsoon and your lungs", "First paragraph.\n\nSecond one.")
    );
    assert_eq!(read.create_time, created.create_time);
    assert_eq!(bench.test.scalar(ISSUES).await, 2);
    let sent = last_links(&bench, "a@visitor.example").await;
    let unsubscribe = sent
        .iter()
        .find(|(kind, _)| *kind == "unsubscribe")
        .expect("a link");
    serving.unsubscribe(&unsubscribe.1).await;
    assert_eq!(
        serving.state("a@visitor.example").await,
        Some(State::Unsubscribed)
    );
    for (email, confirmed) in [
        ("A@visitor.example", false),
        ("B@visitor.example", true),
        ("pending@visitor.example", false),
        ("no@visitor.example", false),
    ] {
        let is = svc_messaging::store::is_confirmed(&bench.database, &bench.keys, email).await;
        assert_eq!(is.expect("an answer"), confirmed, "{email}");
    }
    let text =
        svc_messaging::store::issue(&bench.database, created.id.parse().expect("an id")).await;
    assert_eq!(
        text.expect("an answer").expect("kept").subject,
        "Monsoon and your lungs"
    );
    assert_eq!(
        svc_messaging::store::issue(&bench.database, Uuid::nil())
            .await
            .expect("an answer"),
        None
    );
    let bad = CreateNewsletterRequest::default();
    let refused = client
        .create_newsletter(serving.staff("newsletters:write", bad))
        .await
        .expect_err("refused");
    assert_eq!(violated(&refused), ["requestId", "subject", "text"]);
    bench.end().await;
}

async fn resumes_an_interrupted_fan_out(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for number in 0..120 {
        serving
            .confirmed(&bench, &format!("visitor{number}@visitor.example"))
            .await;
    }
    serving
        .newsletter()
        .create_newsletter(issue(&serving, "an-issue-of-november"))
        .await
        .expect("created");
    let links = Links::new(bench.keys.clone(), "http://127.0.0.1:8080");
    assert!(
        serving
            .store
            .fan_out(&links, serving.clock.now())
            .await
            .expect("some mails")
    );
    let first = bench.test.scalar(ISSUES).await;
    assert!(0 < first && first < 120, "{first}");
    // Restart, then run four workers concurrently.
    drop(serving);
    let bench = bench.reopen().await;
    let serving = std::sync::Arc::new(Serving::start(&bench).await);
    let mut runs = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (serving, links) = (std::sync::Arc::clone(&serving), links.clone());
        runs.spawn(async move {
            while serving
                .store
                .fan_out(&links, serving.clock.now())
                .await
                .expect("mails")
            {}
        });
    }
    runs.join_all().await;
    assert_eq!(bench.test.scalar(ISSUES).await, 120);
    let (mails, complete): (i64, bool) = bench
        .database
        .fetch_one(
            "SELECT newsletters",
            "SELECT mails, complete_time IS NOT NULL FROM newsletters",
            values![],
        )
        .await
        .expect("the row");
    assert_eq!((mails, complete), (120, true));
    let addresses =
        "SELECT count(DISTINCT recipient_digest) FROM mails WHERE kind = 'newsletter.issue'";
    assert_eq!(bench.test.scalar(addresses).await, 120);
    bench.end().await;
}
