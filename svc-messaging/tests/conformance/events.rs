//! Places at events: limits, cancellations, and the lists of staff.

use chrono::{DateTime, TimeDelta, Utc};
use hospital_proto::messaging::v1::{
    CancelRegistrationRequest, EraseSenderRequest, GetEventPlacesRequest,
    ListEventRegistrationsRequest, ListRegistrationEventsRequest, Message, MessageStatus,
    Registration, SetMessageStatusRequest, event_service_client::EventServiceClient,
};
use service_kit::source::Clock as _;
use svc_messaging::{
    domain::{event::Event, retention::Retention},
    mail::{self, Recipient, content::Content},
};
use test_kit::on_both_databases;
use tonic::{Code, Status, service::Routes};

use crate::{
    Bench,
    serving::{Serving, enquiry, new_request, now, reason, spam},
};

on_both_databases!(test_kit::bench::empty:
    fifty_at_once_take_no_more_than_the_places,
    a_person_has_one_registration_and_the_mails_of_the_first,
    a_link_gives_the_place_back,
    a_cancelled_event_mails_each_person_once,
    staff_see_the_list_and_an_erasure_frees_the_place,
    a_held_registration_has_no_place_until_staff_release_it,
    registrations_end_90_days_after_the_event,
    an_unknown_event_is_refused_while_content_is_away,
);

const EVENT: &str = "heart-day-2026";
const CANCELLED: &str = "SELECT count(*) FROM mails WHERE kind = 'event.cancelled'";

fn event(places: i32) -> Event {
    let starts_at: DateTime<Utc> = "2026-12-05T03:30:00Z".parse().expect("a time");
    Event {
        id: EVENT.to_owned(),
        title: "Heart day".to_owned(),
        location: "Hall, ground floor".to_owned(),
        starts_at,
        ends_at: starts_at + TimeDelta::hours(7),
        places,
        cancelled: String::new(),
    }
}

fn registration(number: usize, people: i32) -> Message {
    Message {
        registration: Some(Registration {
            event_id: EVENT.to_owned(),
            people,
        }),
        ..enquiry(number)
    }
}

impl Serving {
    fn events(&self) -> EventServiceClient<Routes> {
        EventServiceClient::new(self.routes())
    }

    async fn learn(&self, event: Event) {
        let learnt = self.store.learn_events(vec![event], self.clock.now());
        learnt.await.expect("learnt");
    }

    async fn left(&self) -> i32 {
        let request = GetEventPlacesRequest {
            event_id: EVENT.to_owned(),
        };
        let answer = self.events().get_event_places(request).await;
        answer.expect("places").into_inner().left
    }

    async fn refused(&self, message: Message) -> (String, String) {
        let refused = self.create(message, None).await.expect_err("refused");
        assert_eq!(refused.code(), Code::FailedPrecondition);
        (reason(&refused), refused.message().to_owned())
    }
}

fn is_busy(status: &Status) -> bool {
    matches!(status.code(), Code::DeadlineExceeded | Code::Unavailable)
}

/// Returns the content of the newest mail of a kind to an address.
async fn mailed(bench: &Bench, email: &str, kind: &str) -> Option<Content> {
    let to = Recipient::Email(email);
    let sent = mail::sent_to(&bench.database, &bench.keys, to).await;
    let mut sent = sent.expect("mails").into_iter();
    let found = sent.find(|mail| mail.kind == kind)?;
    let content = mail::store::content(&bench.database, &bench.keys, found.id).await;
    content.expect("a mail")
}

async fn fifty_at_once_take_no_more_than_the_places(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(30)).await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..50 {
        let mut client = serving.messaging();
        let request = new_request(registration(number, 1));
        calls.spawn(async move {
            loop {
                match client.create_message(request.clone()).await {
                    // A busy database: visitors' clients retry with the same key.
                    Err(status) if is_busy(&status) => {}
                    answer => return answer.map_err(|status| reason(&status)),
                }
            }
        });
    }
    let answers = calls.join_all().await;
    let refused: Vec<&String> = answers
        .iter()
        .filter_map(|answer| answer.as_ref().err())
        .collect();
    assert_eq!(refused, vec!["EVENT_FULL"; 20]);
    assert_eq!(serving.left().await, 0);
    let messages = bench.test.scalar("SELECT count(*) FROM messages").await;
    assert_eq!(messages, 30, "a refused one leaves nothing");
    bench.end().await;
}

async fn a_person_has_one_registration_and_the_mails_of_the_first(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(4)).await;
    serving.created(registration(1, 2)).await;
    assert_eq!(serving.left().await, 2);
    // The same number in another notation, and another person's address.
    let again = |people| Message {
        phone: "080-00000001".to_owned(),
        email: "stranger@visitor.example".to_owned(),
        ..registration(1, people)
    };
    serving.pass(TimeDelta::minutes(1));
    serving.created(again(4)).await;
    assert_eq!(serving.left().await, 0);
    let stranger = mailed(&bench, "stranger@visitor.example", "registration.confirmed").await;
    assert!(stranger.is_none(), "the link would be another person's");
    let confirmed = mailed(&bench, "visitor1@visitor.example", "registration.confirmed").await;
    assert!(matches!(confirmed, Some(Content::Registered(registered)) if registered.people == 4));
    let (reason, text) = serving.refused(again(5)).await;
    assert_eq!(reason, "EVENT_FULL");
    assert!(text.contains("Only 4 places are left"), "{text}");
    serving.created(again(3)).await;
    assert_eq!(serving.left().await, 1);
    let (_, text) = serving.refused(registration(2, 2)).await;
    assert!(text.contains("Only 1 place is left"), "{text}");
    bench.end().await;
}

async fn a_link_gives_the_place_back(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(1)).await;
    serving.created(registration(1, 1)).await;
    let Some(Content::Registered(registered)) =
        mailed(&bench, "visitor1@visitor.example", "registration.confirmed").await
    else {
        panic!("a confirmation");
    };
    let cancel = async |token: &str| {
        let token = token.to_owned();
        let request = CancelRegistrationRequest { token };
        serving.events().cancel_registration(request).await
    };
    let forged = registered.token.replacen(|_| true, "A", 3);
    for wrong in ["", "x", &forged] {
        let refused = cancel(wrong).await.expect_err("refused");
        assert_eq!(reason(&refused), "LINK_UNKNOWN", "{wrong}");
    }
    assert_eq!(serving.left().await, 0);
    for _ in 0..2 {
        cancel(&registered.token).await.expect("given back");
        assert_eq!(serving.left().await, 1);
    }
    serving.created(registration(2, 1)).await;
    bench.end().await;
}

async fn a_cancelled_event_mails_each_person_once(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(0)).await;
    let first = new_request(registration(1, 2));
    let created = serving.messaging().create_message(first.clone()).await;
    created.expect("accepted");
    for number in 2..=60 {
        serving.created(registration(number, 1)).await;
    }
    let no_address = Message {
        email: String::new(),
        ..registration(61, 1)
    };
    serving.created(no_address).await;
    let notify = async || serving.store.notify_cancelled(serving.clock.now()).await;
    assert_eq!(notify().await.expect("none"), 0);
    let cancelled = Event {
        cancelled: "The speaker is ill.".to_owned(),
        ..event(0)
    };
    serving.learn(cancelled).await;
    // Two processes, and one more after a restart.
    let (one, other) = tokio::join!(notify(), notify());
    assert!(one.is_ok() || other.is_ok(), "{one:?} {other:?}");
    while notify().await.expect("done") > 0 {}
    assert_eq!(bench.test.scalar(CANCELLED).await, 60);
    let notices = "SELECT count(*) FROM event_registrations WHERE notice = 'no_address'";
    assert_eq!(bench.test.scalar(notices).await, 1);
    let Some(Content::EventCancelled(mail)) =
        mailed(&bench, "visitor1@visitor.example", "event.cancelled").await
    else {
        panic!("a notice");
    };
    assert_eq!(mail.cancelled, "The speaker is ill.");
    let (reason, _) = serving.refused(registration(62, 1)).await;
    assert_eq!(reason, "EVENT_CANCELLED");
    let retried = serving.messaging().create_message(first).await;
    retried.expect("a retry has the earlier answer");
    bench.end().await;
}

async fn staff_see_the_list_and_an_erasure_frees_the_place(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(5)).await;
    for number in 1..=3 {
        serving.created(registration(number, 1)).await;
        serving.pass(TimeDelta::minutes(1));
    }
    let page = |page_token: String| ListEventRegistrationsRequest {
        event_id: EVENT.to_owned(),
        page_size: 2,
        page_token,
    };
    let list = async |request, scope| {
        let request = serving.staff(scope, request);
        serving.events().list_event_registrations(request).await
    };
    let other = list(page(String::new()), "newsletters:write").await;
    assert_eq!(other.expect_err("refused").code(), Code::PermissionDenied);
    let first = list(page(String::new()), "messages:read").await;
    let first = first.expect("a page").into_inner();
    let facts = first.event.expect("an event");
    assert_eq!((facts.taken, facts.places), (3, 5));
    let next = list(page(first.next_page_token), "messages:read").await;
    let next = next.expect("a page").into_inner();
    assert_eq!(
        (first.registrations.len(), next.registrations.len()),
        (2, 1)
    );
    assert_eq!(next.registrations[0].phone, registration(3, 1).phone);
    assert!(next.next_page_token.is_empty());
    let audited = "SELECT count(*) FROM audit_entries WHERE action = 'registration.list'";
    assert!(bench.test.scalar(audited).await >= 2);
    let events = serving.staff("messages:read", ListRegistrationEventsRequest::default());
    let events = serving.events().list_registration_events(events).await;
    assert_eq!(events.expect("events").into_inner().events[0].taken, 3);
    let unknown = ListEventRegistrationsRequest {
        event_id: "nothing".to_owned(),
        ..page(String::new())
    };
    let unknown = list(unknown, "messages:read").await.expect_err("none");
    assert_eq!(unknown.code(), Code::NotFound);
    let erase = EraseSenderRequest {
        email: "visitor1@visitor.example".to_owned(),
        phone: String::new(),
    };
    let erase = serving.staff("senders:erase", erase);
    serving.inbox().erase_sender(erase).await.expect("erased");
    assert_eq!(serving.left().await, 3);
    bench.end().await;
}

async fn a_held_registration_has_no_place_until_staff_release_it(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(1)).await;
    let held = Message {
        registration: registration(1, 1).registration,
        ..spam(1)
    };
    let held = serving.created(held).await;
    assert_eq!(serving.left().await, 1);
    serving.created(registration(2, 1)).await;
    let set = async |status: MessageStatus, version: &str| {
        let request = SetMessageStatusRequest {
            message_id: held.id.clone(),
            status: status.into(),
            etag: version.to_owned(),
            ..SetMessageStatusRequest::default()
        };
        let request = serving.staff("messages:write", request);
        serving.inbox().set_message_status(request).await
    };
    let refused = set(MessageStatus::New, "1").await.expect_err("full");
    assert_eq!(reason(&refused), "EVENT_FULL");
    serving.learn(event(2)).await;
    set(MessageStatus::New, "1").await.expect("released");
    assert_eq!(serving.left().await, 0);
    let confirmed = mailed(&bench, "visitor1@visitor.example", "registration.confirmed").await;
    assert!(confirmed.is_some());
    set(MessageStatus::Spam, "2").await.expect("spam after all");
    assert_eq!(serving.left().await, 1);
    bench.end().await;
}

async fn registrations_end_90_days_after_the_event(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.learn(event(5)).await;
    serving.created(registration(1, 1)).await;
    let retention = Retention::default();
    let end = event(5).ends_at - now() + TimeDelta::days(90);
    for (passed, removed) in [(end - TimeDelta::hours(1), 0), (TimeDelta::hours(2), 1)] {
        serving.pass(passed);
        let now = serving.clock.now();
        let over = serving.store.over(&retention, now).await.expect("counted");
        let done = serving.store.retain(&retention, now).await.expect("done");
        assert_eq!((over.registrations, done.registrations), (removed, removed));
    }
    let left = "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM event_registrations)";
    assert_eq!(bench.test.scalar(left).await, 0);
    bench.end().await;
}

async fn an_unknown_event_is_refused_while_content_is_away(bench: Bench) {
    let away = ["--content-url", "http://127.0.0.1:1"];
    let serving = Serving::start_with(&bench, &away).await;
    let refused = serving.create(registration(1, 1), None).await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unavailable);
    serving.learn(event(5)).await;
    serving.created(registration(1, 1)).await;
    assert_eq!(serving.left().await, 4);
    bench.end().await;
}
