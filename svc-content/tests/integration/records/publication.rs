//! What visitors read of records.

use std::time::Duration;

use hospital_proto::content::v1::{
    Doctor, Event, GetEventRequest, GetRecordRequest, GetSiteRequest, GetSpecialtyRequest,
    ListEventsRequest, ListPublicationsRequest,
};
use serde_json::json;
use svc_content::wire::records::to_body;
use test_kit::database::TestDatabase;
use tonic::{Code, Status};

use super::desk::{DOCTOR, Desk, doctor, new_doctor, reason, until, violation};
use crate::{blogs::on_both_databases, service::violated_fields};

on_both_databases!(
    visitors_read_what_was_published,
    refuses_what_would_break_the_site,
    former_pages_lead_on,
    months_of_an_archived_series_lead_on,
    publishes_and_archives_by_time,
    aliases_of_an_archived_page_lead_on,
);

async fn visitors_read_what_was_published(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let before = desk.doctor(DOCTOR).await.expect("a doctor");
    let record = desk.get("doctor", DOCTOR).await;
    assert_eq!(
        (record.state.as_str(), record.version, record.live_version),
        ("live", 1, 1)
    );
    assert_eq!(record.author_name, "");
    let draft = desk
        .save(&record, json!({"timings": "2:00 PM - 5:00 PM"}))
        .await
        .expect("a draft");
    assert_eq!((draft.version, draft.live_version), (2, 1));
    assert_eq!(
        desk.doctor(DOCTOR).await.expect("a doctor"),
        before,
        "a draft is not read"
    );
    let same = desk.save(&draft, json!({})).await.expect("the same");
    assert_eq!((same.version, &same.etag), (2, &draft.etag));
    let live = desk.publish(&draft).await.expect("published");
    assert_eq!((live.version, live.live_version), (2, 2));
    let is_later =
        |read: Result<Doctor, Status>| read.is_ok_and(|now| now.timings != before.timings);
    desk.reads(DOCTOR, is_later).await;
    let after = desk.doctor(DOCTOR).await.expect("a doctor");
    assert_eq!(after.timings, "2:00 PM - 5:00 PM");
    assert_eq!(
        Doctor {
            timings: before.timings.clone(),
            ..after
        },
        before
    );

    let back = desk.revert(&live, 1, true).await.expect("undone");
    assert_eq!((back.version, back.live_version), (3, 3));
    desk.reads(DOCTOR, |read| read.is_ok_and(|now| now == before))
        .await;
    assert_eq!(desk.doctor(DOCTOR).await.expect("a doctor"), before);
    assert_eq!(
        desk.revert(&back, 9, true)
            .await
            .expect_err("no version")
            .code(),
        Code::NotFound
    );

    let number = desk.get("site", "site").await;
    let mut phones =
        to_body(number.body.clone().expect("a body")).expect("fields")["phone"].clone();
    phones[0]["display"] = json!("+91 80 0000 0999");
    let number = desk
        .save(&number, json!({"phone": phones}))
        .await
        .expect("a draft");
    desk.publish(&number).await.expect("published");
    let is_shown = async || {
        let mut client = desk.site.client.clone();
        let site = client.get_site(GetSiteRequest {}).await.expect("the site");
        let phones = site.into_inner().site.expect("the site").phones;
        phones[0].e164 == "+918000000999"
    };
    until("the number is there", is_shown).await;

    let request = desk.signed(ListPublicationsRequest::default());
    let publications = desk
        .records
        .list_publications(request)
        .await
        .expect("a list")
        .into_inner();
    let shown: Vec<_> = publications
        .publications
        .iter()
        .map(|one| {
            (
                one.kind.as_str(),
                one.version_before,
                one.version_after,
                !one.author_name.is_empty(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("site", 1, 2, true),
            ("doctor", 2, 3, true),
            ("doctor", 1, 2, true)
        ]
    );
    desk.end().await;
}

async fn refuses_what_would_break_the_site(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let record = desk.get("doctor", DOCTOR).await;
    let before = desk.doctor(DOCTOR).await.expect("a doctor");
    let draft = desk
        .save(&record, json!({"timings": "", "new_field": 1}))
        .await
        .expect("kept as a draft");
    let mut fields: Vec<&str> = draft
        .problems
        .iter()
        .map(|one| one.field.as_str())
        .collect();
    fields.sort_unstable();
    assert_eq!(fields, ["new_field", "timings"]);
    let refused = desk.publish(&draft).await.expect_err("broken");
    assert_eq!(refused.code(), Code::InvalidArgument);
    let mut fields = violated_fields(&refused);
    fields.sort_unstable();
    assert_eq!(fields, ["body.new_field", "body.timings"]);
    assert_eq!(desk.doctor(DOCTOR).await.expect("a doctor"), before);
    let draft = desk
        .save(&draft, json!({"timings": ""}))
        .await
        .expect("the same");
    assert_eq!(draft.version, 2);

    // A surgery names its doctor.
    let surgery = desk.get("surgery", "1").await;
    let named = to_body(surgery.body.expect("a body")).expect("fields")["doctor"].clone();
    let named = named.as_str().expect("an id").to_owned();
    let doctor = desk.get("doctor", &named).await;
    let refused = desk.archive(&doctor, "").await.expect_err("needed");
    let (field, words) = violation(&refused);
    assert_eq!(field, "body");
    assert!(
        words.contains("surgery/") || words.contains("specialty/"),
        "{words}"
    );
    assert!(desk.doctor(&named).await.is_ok());

    for (changes, wanted) in [
        (json!({"id": "doc-99"}), "body.id"),
        (json!({"about": "a".repeat(70_000)}), "body"),
        (json!({"about": "a\0b"}), "body"),
    ] {
        let refused = desk.save(&doctor, changes).await.expect_err("refused");
        assert_eq!(violated_fields(&refused), [wanted]);
    }
    let site = desk.get("site", "site").await;
    let refused = desk.archive(&site, "").await.expect_err("needed");
    assert_eq!(reason(&refused).0, "SINGLE_RECORD");
    for redirect in [
        "//evil.example",
        "https://evil.example",
        "doctors",
        "/a b",
        "/\\evil",
    ] {
        let refused = desk.archive(&doctor, redirect).await.expect_err("no page");
        assert_eq!(violated_fields(&refused), ["redirect"]);
    }
    desk.end().await;
}

async fn former_pages_lead_on(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let (made, _) = desk
        .create("0123456789abcdef-1", "doctor", new_doctor("skin-1"))
        .await
        .expect("made");
    let live = desk.publish(&made).await.expect("published");
    assert_eq!(live.path, "/doctor/dr-skin-1");
    let draft = desk
        .save(&live, json!({"slug": "dr-skin-one"}))
        .await
        .expect("a draft");
    let renamed = desk.publish(&draft).await.expect("published");
    desk.reads("dr-skin-one", |read| read.is_ok()).await;
    assert!(desk.doctor("dr-skin-one").await.is_ok());
    let moved = desk.doctor("dr-skin-1").await.expect_err("moved");
    assert_eq!(moved.code(), Code::NotFound);
    assert_eq!(
        reason(&moved),
        ("MOVED".to_owned(), Some("/doctor/dr-skin-one".to_owned()))
    );
    let archived = desk
        .archive(&renamed, "/doctors?specialty=Dermatology")
        .await
        .expect("archived");
    assert_eq!(
        (archived.state.as_str(), archived.live_version),
        ("archived", 0)
    );
    for name in ["dr-skin-one", "dr-skin-1"] {
        desk.reads(name, |read| read.is_err()).await;
        let moved = desk.doctor(name).await.expect_err("archived");
        let to = "/doctors?specialty=Dermatology".to_owned();
        assert_eq!(reason(&moved), ("MOVED".to_owned(), Some(to)));
    }
    // By its id too, which was an address as well.
    let moved = desk.doctor("skin-1").await.expect_err("archived");
    assert_eq!(reason(&moved).0, "MOVED");
    let back = desk.publish(&archived).await.expect("published again");
    assert_eq!(back.state, "live");
    desk.reads("dr-skin-one", |read| read.is_ok()).await;
    assert!(desk.doctor("dr-skin-one").await.is_ok());
    desk.end().await;
}

async fn months_of_an_archived_series_lead_on(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let request = ListEventsRequest::default();
    let events = desk.site.client.list_events(request).await.expect("a list");
    let events = events.into_inner().events;
    let month = |event: &Event| {
        let (series, _) = event.id.rsplit_once('-')?.0.rsplit_once('-')?;
        event.id.rsplit('-').nth(1)?.parse::<u16>().ok()?;
        Some((series.to_owned(), event.id.clone()))
    };
    let (series, month) = events.iter().find_map(month).expect("a series");
    let record = desk.get("event", &series).await;
    desk.archive(&record, "").await.expect("archived");
    for id in [series, month] {
        let get = async || {
            let request = GetEventRequest { event: id.clone() };
            desk.site.client.clone().get_event(request).await
        };
        until(&id, async || get().await.is_err()).await;
        let moved = get().await.expect_err("archived");
        assert_eq!(
            reason(&moved),
            ("MOVED".to_owned(), Some("/events".to_owned()))
        );
    }
    desk.end().await;
}

async fn publishes_and_archives_by_time(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let (made, _) = desk
        .create("0123456789abcdef-1", "doctor", new_doctor("skin-1"))
        .await
        .expect("made");
    let (second, third) = (Duration::from_secs(2), Duration::from_secs(5));
    let planned = desk
        .publish_at(&made, Some(second), Some(third))
        .await
        .expect("planned");
    assert_eq!(
        (planned.state.as_str(), planned.publish_version),
        ("draft", 1)
    );
    // A version that is stored later does not take its place.
    desk.save(&planned, json!({"about": "Not yet."}))
        .await
        .expect("a draft");
    until("the doctor is there", async || {
        let mut client = desk.site.client.clone();
        doctor(&mut client, "skin-1")
            .await
            .is_ok_and(|doctor| doctor.about == "Looks after skin.")
    })
    .await;
    until("the doctor is archived", async || {
        let mut client = desk.site.client.clone();
        doctor(&mut client, "skin-1").await.is_err()
    })
    .await;
    let record = desk.get("doctor", "skin-1").await;
    assert_eq!(
        (record.state.as_str(), record.redirect.as_str()),
        ("archived", "/doctors")
    );

    // What is in order when it is planned may not be when its time comes.
    let (rival, _) = desk
        .create("0123456789abcdef-2", "doctor", new_doctor("skin-2"))
        .await
        .expect("made");
    let rival = desk
        .save(&rival, json!({"slug": "dr-skin-3"}))
        .await
        .expect("a draft");
    desk.publish_at(&rival, Some(Duration::from_secs(2)), None)
        .await
        .expect("planned");
    let (first, _) = desk
        .create("0123456789abcdef-3", "doctor", new_doctor("skin-3"))
        .await
        .expect("made");
    desk.publish(&first).await.expect("published");
    let desk_ref = &desk;
    until("the reason is there", async || {
        let mut records = desk_ref.records.clone();
        let request = desk_ref.signed(GetRecordRequest {
            kind: "doctor".to_owned(),
            record_id: "skin-2".to_owned(),
        });
        let record = records
            .get_record(request)
            .await
            .expect("a record")
            .into_inner()
            .record;
        record.is_some_and(|record| record.schedule_problem.contains("dr-skin-3"))
    })
    .await;
    for (from, until) in [
        (Some(Duration::from_hours(367 * 24)), None),
        (Some(Duration::from_mins(1)), Some(Duration::from_secs(30))),
    ] {
        let record = desk.get("doctor", "skin-2").await;
        let refused = desk
            .publish_at(&record, from, until)
            .await
            .expect_err("no such time");
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
    desk.end().await;
}

async fn aliases_of_an_archived_page_lead_on(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let specialty = async |desk: &Desk, name: &str| {
        let mut client = desk.site.client.clone();
        let specialty = name.to_owned();
        client
            .get_specialty(GetSpecialtyRequest { specialty })
            .await
    };
    let is_led = async |desk: &Desk, name: &str, to: &str| {
        let read = specialty(desk, name).await;
        read.is_err_and(|status| reason(&status).1.as_deref() == Some(to))
    };
    let body = json!({
        "id": "sleep", "slug": "sleep-medicine", "name": "Sleep & Rest",
        "aliases": ["snoring", "insomnia", "sleep-and-rest"], "description": "Nights.", "icon": "heart-monitor", "doctors": [], "services": ["Sleep study"],
        "color": "teal", "rich": false
    });
    let (made, _) = desk
        .create("0123456789abcdef-1", "specialty", body)
        .await
        .expect("made");
    let live = desk.publish(&made).await.expect("published");
    let is_read = async || specialty(&desk, "snoring").await.is_ok();
    until("the alias has the page", is_read).await;

    // An alias that a later version leaves out leads to the page.
    let draft = desk
        .save(&live, json!({"aliases": ["insomnia", "sleep-and-rest"]}))
        .await;
    let live = desk
        .publish(&draft.expect("a draft"))
        .await
        .expect("published");
    let is_moved = async || is_led(&desk, "snoring", "/specialty/sleep-medicine").await;
    until("the former alias leads to the page", is_moved).await;
    assert!(specialty(&desk, "insomnia").await.is_ok());

    let gone = desk
        .archive(&live, "/specialty/ent")
        .await
        .expect("archived");
    for name in [
        "sleep-medicine",
        "sleep",
        "snoring",
        "insomnia",
        "sleep-and-rest",
    ] {
        let is_moved = async || is_led(&desk, name, "/specialty/ent").await;
        until(name, is_moved).await;
    }
    desk.publish(&gone).await.expect("published again");
    for name in ["sleep-medicine", "insomnia"] {
        let is_read = async || specialty(&desk, name).await.is_ok();
        until(name, is_read).await;
    }
    desk.end().await;
}
