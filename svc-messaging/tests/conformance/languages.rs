//! The language of visitors: stored with messages, subscriptions and mails, and shown to staff.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    ConfirmSubscriptionRequest, CreateNewsletterRequest, EraseSenderRequest, ExportSenderRequest,
    ListEventRegistrationsRequest, ListMessagesRequest, Message, Newsletter, Registration,
    SubscribeRequest, event_service_client::EventServiceClient,
};
use service_kit::{language::Language, source::Clock as _};
use store_kit::values;
use svc_messaging::{
    domain::event::Event,
    mail::{self, content::Content},
};
use test_kit::on_both_databases;

use crate::{
    Bench,
    serving::{Serving, enquiry, new_request, with},
};

on_both_databases!(test_kit::bench::empty:
    a_message_and_its_acknowledgement_have_the_language_of_the_call,
    a_retry_from_another_page_keeps_the_language,
    a_subscription_keeps_the_language_of_its_request,
    a_registration_has_mails_in_the_language_of_the_person,
    an_export_has_the_languages_and_an_erasure_leaves_none,
    rows_of_earlier_builds_are_english,
);

impl Serving {
    async fn written_in(&self, language: &str, message: Message) -> Message {
        let request = with(new_request(message), "content-language", language);
        let answer = self.messaging().create_message(request).await;
        answer
            .expect("accepted")
            .into_inner()
            .message
            .expect("a message")
    }

    async fn subscribe_in(&self, language: &str, email: &str) {
        let request = SubscribeRequest {
            email: email.to_owned(),
            check: None,
        };
        let request = with(request, "content-language", language);
        let answer = self.newsletter().subscribe(request).await;
        answer.expect("answered");
    }
}

/// Returns the languages of the mails of a kind, oldest first.
async fn languages(bench: &Bench, kind: &str) -> Vec<String> {
    const SELECT: &str = "SELECT language FROM mails WHERE kind = $1 ORDER BY create_time";
    let rows: Vec<(String,)> = bench
        .database
        .fetch_all("SELECT mails", SELECT, values![kind])
        .await
        .expect("rows");
    rows.into_iter().map(|(language,)| language).collect()
}

async fn a_message_and_its_acknowledgement_have_the_language_of_the_call(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for (number, code) in ["kn", "hi", "en", "ta", "kn-IN", ""]
        .into_iter()
        .enumerate()
    {
        serving.written_in(code, enquiry(number)).await;
        serving.pass(TimeDelta::minutes(1));
    }
    serving.created(enquiry(9)).await;
    let wanted = ["kn", "hi", "en", "en", "en", "en", "en"];
    assert_eq!(languages(&bench, "message.acknowledged").await, wanted);
    // Staff get English mails and see the language.
    assert_eq!(languages(&bench, "message.forwarded").await, ["en"; 7]);
    let list = serving.staff("messages:read", ListMessagesRequest::default());
    let list = serving.inbox().list_messages(list).await.expect("a list");
    let mut shown: Vec<String> = list
        .into_inner()
        .messages
        .into_iter()
        .map(|one| one.language)
        .collect();
    shown.reverse();
    assert_eq!(shown, ["kn", "hi", "", "", "", "", ""]);
    bench.end().await;
}

async fn a_retry_from_another_page_keeps_the_language(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let request = new_request(enquiry(1));
    for code in ["kn", "hi"] {
        let request = with(request.clone(), "content-language", code);
        serving
            .messaging()
            .create_message(request)
            .await
            .expect("accepted");
    }
    assert_eq!(languages(&bench, "message.acknowledged").await, ["kn"]);
    bench.end().await;
}

async fn a_subscription_keeps_the_language_of_its_request(bench: Bench) {
    const EMAIL: &str = "kamala@visitor.example";
    let serving = Serving::start(&bench).await;
    serving.subscribe_in("kn", EMAIL).await;
    serving.pass(TimeDelta::hours(2));
    // Not confirmed yet: the last request counts.
    serving.subscribe_in("hi", EMAIL).await;
    assert_eq!(
        languages(&bench, "newsletter.confirmation").await,
        ["kn", "hi"]
    );
    let sent = mail::sent_to(&bench.database, &bench.keys, mail::Recipient::Email(EMAIL)).await;
    let newest = sent.expect("mails").remove(0);
    let content = mail::store::content(&bench.database, &bench.keys, newest.id).await;
    let Some(Content::Confirmation { confirm_url }) = content.expect("a mail") else {
        panic!("a confirmation");
    };
    let (_, token) = confirm_url.split_once("?token=").expect("a token");
    let request = ConfirmSubscriptionRequest {
        token: token.to_owned(),
    };
    serving
        .newsletter()
        .confirm_subscription(request)
        .await
        .expect("confirmed");
    // A stranger's request has no effect on a confirmed subscription.
    serving.pass(TimeDelta::hours(2));
    serving.subscribe_in("kn", EMAIL).await;
    let subscription = serving.store.subscription(EMAIL).await.expect("an answer");
    assert_eq!(subscription.expect("kept").language, Some(Language::Hindi));
    let request = CreateNewsletterRequest {
        request_id: "the-first-newsletter".to_owned(),
        newsletter: Some(Newsletter {
            subject: "A healthy winter".to_owned(),
            text: "Drink warm water.".to_owned(),
            ..Newsletter::default()
        }),
    };
    let request = serving.staff("newsletters:write", request);
    serving
        .newsletter()
        .create_newsletter(request)
        .await
        .expect("created");
    let links =
        svc_messaging::newsletter::Links::new(bench.keys.clone(), "https://sampige.example");
    while serving
        .store
        .fan_out(&links, serving.clock.now())
        .await
        .expect("a step")
    {}
    assert_eq!(languages(&bench, "newsletter.issue").await, ["hi"]);
    bench.end().await;
}

async fn a_registration_has_mails_in_the_language_of_the_person(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let starts_at = serving.clock.now() + TimeDelta::days(10);
    let event = Event {
        id: "heart-day".to_owned(),
        title: "Heart day".to_owned(),
        location: "Hall".to_owned(),
        starts_at,
        ends_at: starts_at + TimeDelta::hours(7),
        places: 10,
        cancelled: String::new(),
    };
    let learn = |event: Event| serving.store.learn_events(vec![event], serving.clock.now());
    learn(event.clone()).await.expect("learnt");
    let registration = Message {
        registration: Some(Registration {
            event_id: event.id.clone(),
            people: 1,
        }),
        ..enquiry(1)
    };
    serving.written_in("kn", registration).await;
    assert_eq!(languages(&bench, "registration.confirmed").await, ["kn"]);
    let request = ListEventRegistrationsRequest {
        event_id: event.id.clone(),
        ..ListEventRegistrationsRequest::default()
    };
    let request = serving.staff("messages:read", request);
    let list = EventServiceClient::new(serving.routes())
        .list_event_registrations(request)
        .await;
    let list = list.expect("a list").into_inner();
    assert_eq!(list.registrations[0].language, "kn");
    let off = Event {
        cancelled: "The speaker is ill.".to_owned(),
        ..event
    };
    learn(off).await.expect("learnt");
    let notified = serving.store.notify_cancelled(serving.clock.now()).await;
    assert_eq!(notified.expect("notified"), 1);
    assert_eq!(languages(&bench, "event.cancelled").await, ["kn"]);
    bench.end().await;
}

async fn an_export_has_the_languages_and_an_erasure_leaves_none(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let message = serving.written_in("hi", enquiry(1)).await;
    serving.subscribe_in("kn", &message.email).await;
    let request = ExportSenderRequest {
        email: message.email.clone(),
        phone: String::new(),
    };
    let request = serving.staff("senders:export", request);
    let kept = serving
        .inbox()
        .export_sender(request)
        .await
        .expect("kept")
        .into_inner();
    assert_eq!(kept.messages[0].language, "hi");
    assert_eq!(kept.newsletter_language, "kn");
    let mut mails: Vec<(&str, &str)> = kept
        .mails
        .iter()
        .map(|mail| (mail.kind.as_str(), mail.language.as_str()))
        .collect();
    mails.sort_unstable();
    assert_eq!(
        mails,
        [
            ("message.acknowledged", "hi"),
            ("message.forwarded", ""),
            ("newsletter.confirmation", "kn"),
        ]
    );
    let erase = EraseSenderRequest {
        email: message.email.clone(),
        phone: String::new(),
    };
    let erase = serving.staff("senders:erase", erase);
    serving.inbox().erase_sender(erase).await.expect("erased");
    for table in ["messages", "subscriptions", "mails"] {
        let count = format!("SELECT count(*) FROM {table}");
        assert_eq!(bench.test.scalar(count.leak()).await, 0, "{table}");
    }
    bench.end().await;
}

/// Writes the rows of a table again without the column `language`, as builds before it do.
async fn rewrite(bench: &Bench, table: &str, columns: &str) {
    for sql in [
        format!("CREATE TABLE old_rows AS SELECT {columns} FROM {table}"),
        format!("DELETE FROM {table}"),
        format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM old_rows"),
        "DROP TABLE old_rows".to_owned(),
    ] {
        bench.test.execute(sql.leak()).await;
    }
}

async fn rows_of_earlier_builds_are_english(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let message = serving.written_in("kn", enquiry(1)).await;
    serving.subscribe_in("hi", &message.email).await;
    rewrite(
        &bench,
        "messages",
        "id, kind, status, key_id, name, email, phone, subject, message, email_digest, phone_digest, thread_id, write_time, create_time, \
         reference, mailbox, signals, taken_by, version, update_time, route_time, network_digest, text_digest, people",
    )
    .await;
    rewrite(
        &bench,
        "subscriptions",
        "id, key_id, email, email_digest, state, generation, create_time, update_time, asked_times, network_digest",
    )
    .await;
    rewrite(
        &bench,
        "mails",
        "id, kind, channel, state, reason, key_id, name, recipient, content, recipient_digest, subject_id, create_time, expire_time, \
         end_time, cause, network, proven, newsletter_id",
    )
    .await;
    let id = message.id.parse().expect("an id");
    let kept = svc_messaging::store::message(&bench.database, &bench.keys, id).await;
    assert_eq!(kept.expect("an answer").expect("kept").new.language, None);
    let subscription = serving
        .store
        .subscription(&message.email)
        .await
        .expect("an answer");
    assert_eq!(subscription.expect("kept").language, None);
    assert_eq!(languages(&bench, "message.acknowledged").await, ["en"]);
    bench.end().await;
}
