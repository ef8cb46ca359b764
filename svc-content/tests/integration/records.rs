//! Records over gRPC, changed as the gateway does, and what visitors then read.

use std::time::{Duration, Instant, SystemTime};

use hospital_proto::content::v1::{
    ArchiveRecordRequest, ContentRecord as Record, CreateRecordRequest, Doctor, EditRecordRequest,
    GetDoctorRequest, GetRecordRequest, GetSiteRequest, ListPublicationsRequest,
    ListRecordVersionsRequest, ListRecordsRequest, PublishRecordRequest, RevertRecordRequest,
    SearchRequest, UpdateRecordRequest, content_service_client::ContentServiceClient,
    record_service_client::RecordServiceClient,
};
use serde_json::{Value, json};
use svc_content::wire::records::{to_body, to_struct};
use test_kit::{database::TestDatabase, service::is_replay};
use tonic::{Code, Request, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::{
    blogs::{Site, on_both_databases},
    service::{client, violated_fields},
};

const SCOPES: &str = "content:read content:write content:publish";
const DOCTOR: &str = "doc-08";
const PATIENCE: Duration = Duration::from_secs(20);

on_both_databases!(
    visitors_read_what_was_published,
    refuses_what_would_break_the_site,
    refuses_a_lost_update,
    creates_once_per_request,
    former_pages_lead_on,
    publishes_and_archives_by_time,
    processes_and_restarts_serve_the_same,
    lists_and_pages,
    asks_for_the_scope,
);

/// A running service, and who changes its records.
struct Desk {
    site: Site,
    records: RecordServiceClient<Channel>,
}

impl Desk {
    async fn start(database: TestDatabase) -> Self {
        let site = Site::start(database).await;
        let records = RecordServiceClient::connect(site.process.url()).await;
        Self {
            site,
            records: records.expect("a channel"),
        }
    }

    fn signed<T>(&self, message: T) -> Request<T> {
        self.site.issuer.request(SCOPES, message)
    }

    async fn get(&mut self, kind: &str, id: &str) -> Record {
        let request = self.signed(GetRecordRequest {
            kind: kind.to_owned(),
            record_id: id.to_owned(),
        });
        let reply = self.records.get_record(request).await.expect("a record");
        reply.into_inner().record.expect("a record")
    }

    /// Stores the record with some fields changed.
    async fn save(&mut self, record: &Record, changes: Value) -> Result<Record, Status> {
        let mut body = to_body(record.body.clone().expect("a body")).expect("fields");
        let Value::Object(changes) = changes else {
            panic!("an object")
        };
        body.extend(changes);
        let request = self.signed(UpdateRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            record: Some(Record {
                body: Some(to_struct(&body)),
                ..Record::default()
            }),
            etag: record.etag.clone(),
        });
        let reply = self.records.update_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    async fn publish(&mut self, record: &Record) -> Result<Record, Status> {
        self.publish_at(record, None, None).await
    }

    async fn publish_at(
        &mut self,
        record: &Record,
        from: Option<Duration>,
        until: Option<Duration>,
    ) -> Result<Record, Status> {
        let time = |after: Duration| (SystemTime::now() + after).into();
        let request = self.signed(PublishRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            publish_time: from.map(time),
            unpublish_time: until.map(time),
        });
        let reply = self.records.publish_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    async fn archive(&mut self, record: &Record, redirect: &str) -> Result<Record, Status> {
        let request = self.signed(ArchiveRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            redirect: redirect.to_owned(),
        });
        let reply = self.records.archive_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    async fn revert(
        &mut self,
        record: &Record,
        version: i32,
        publish: bool,
    ) -> Result<Record, Status> {
        let request = self.signed(RevertRecordRequest {
            kind: record.kind.clone(),
            record_id: record.record_id.clone(),
            etag: record.etag.clone(),
            version,
            publish,
        });
        let reply = self.records.revert_record(request).await?;
        Ok(reply.into_inner().record.expect("a record"))
    }

    async fn create(
        &mut self,
        key: &str,
        kind: &str,
        body: Value,
    ) -> Result<(Record, bool), Status> {
        let Value::Object(body) = body else {
            panic!("an object")
        };
        let request = self.signed(CreateRecordRequest {
            kind: kind.to_owned(),
            record: Some(Record {
                body: Some(to_struct(&body)),
                ..Record::default()
            }),
            request_id: key.to_owned(),
        });
        let reply = self.records.create_record(request).await?;
        let is_replayed = is_replay(&reply);
        Ok((reply.into_inner().record.expect("a record"), is_replayed))
    }

    async fn doctor(&mut self, name: &str) -> Result<Doctor, Status> {
        doctor(&mut self.site.client, name).await
    }

    /// Waits until visitors read this. A publication waits for that only for a while.
    async fn reads(&self, name: &str, is_so: impl Fn(Result<Doctor, Status>) -> bool) {
        let read = async || {
            let mut client = self.site.client.clone();
            is_so(doctor(&mut client, name).await)
        };
        until(name, read).await;
    }

    async fn end(self) {
        drop(self.records);
        self.site.end().await;
    }
}

/// Polls until the condition holds.
async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !condition().await {
        assert!(Instant::now() < end, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn doctor(client: &mut ContentServiceClient<Channel>, name: &str) -> Result<Doctor, Status> {
    let request = GetDoctorRequest {
        doctor: name.to_owned(),
    };
    let reply = client.get_doctor(request).await?;
    Ok(reply.into_inner().doctor.expect("a doctor"))
}

fn violation(status: &Status) -> (String, String) {
    let details = status.get_error_details();
    let violations = &details.bad_request().expect("violations").field_violations;
    (
        violations[0].field.clone(),
        violations[0].description.clone(),
    )
}

fn reason(status: &Status) -> (String, Option<String>) {
    let details = status.get_error_details();
    let info = details.error_info().expect("a reason");
    (info.reason.clone(), info.metadata.get("location").cloned())
}

/// A doctor whom nothing else names.
fn new_doctor(id: &str) -> Value {
    json!({
        "id": id, "slug": format!("dr-{id}"), "name": format!("Dr. {id}"), "specialty": "Dermatology",
        "degrees": "MBBS, MD", "registration_number": format!("KMC {id}"), "experience": "3 Years",
        "visiting_days": "Mon–Sat", "timings": "9:00 AM - 1:00 PM", "consultation_fee_rupees": 500,
        "languages": ["Kannada"], "image": "/images/doctors/dr-nandini-iyengar.svg", "about": "Looks after skin.",
        "education": ["MBBS"], "specializations": ["Eczema"], "achievements": [], "seo_title": "Dermatologist",
        "meta_description": "A dermatologist in Jayanagar.", "focus_keyword": "dermatologist"
    })
}

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
    assert_eq!(draft.problems.len(), 1);
    let refused = desk.publish(&draft).await.expect_err("broken");
    assert_eq!(refused.code(), Code::InvalidArgument);
    let (field, words) = violation(&refused);
    assert!(field.starts_with("body."), "{field}: {words}");
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

async fn refuses_a_lost_update(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let read = desk.get("doctor", DOCTOR).await;
    desk.save(&read, json!({"experience": "1 Year"}))
        .await
        .expect("the first");
    for refused in [
        desk.save(&read, json!({"experience": "2 Years"})).await,
        desk.publish(&read).await,
        desk.archive(&read, "").await,
        desk.revert(&read, 1, false).await,
    ] {
        assert_eq!(refused.expect_err("the second").code(), Code::Aborted);
    }
    let unmarked = Record {
        etag: String::new(),
        ..read
    };
    let refused = desk.publish(&unmarked).await.expect_err("no version");
    assert_eq!(violated_fields(&refused), ["etag"]);

    let request = EditRecordRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
    };
    let mine = desk.signed(request.clone());
    let mine = desk
        .records
        .edit_record(mine)
        .await
        .expect("taken")
        .into_inner();
    assert_eq!(mine.editor_name, "");
    let mut other = Request::new(request);
    let authorization = desk.site.issuer.authorization_of("another", SCOPES, 60);
    other
        .metadata_mut()
        .insert("authorization", authorization.parse().expect("ASCII"));
    let other = desk
        .records
        .edit_record(other)
        .await
        .expect("an answer")
        .into_inner();
    assert!(!other.editor_name.is_empty());
    assert!(!desk.get("doctor", DOCTOR).await.editor_name.is_empty());
    desk.end().await;
}

async fn creates_once_per_request(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let key = "0123456789abcdef-1";
    let (made, is_replayed) = desk
        .create(key, "doctor", new_doctor("skin-1"))
        .await
        .expect("made");
    assert_eq!(
        (made.state.as_str(), made.version, is_replayed),
        ("draft", 1, false)
    );
    assert_eq!(made.problems, []);
    let (again, is_replayed) = desk
        .create(key, "doctor", new_doctor("skin-1"))
        .await
        .expect("again");
    assert_eq!((again.etag, is_replayed), (made.etag.clone(), true));
    let reused = desk
        .create(key, "doctor", new_doctor("skin-2"))
        .await
        .expect_err("reused");
    assert_eq!(reason(&reused).0, "REQUEST_ID_REUSED");
    let exists = desk
        .create("0123456789abcdef-2", "doctor", new_doctor("skin-1"))
        .await
        .expect_err("exists");
    assert_eq!(
        (exists.code(), reason(&exists).0.as_str()),
        (Code::AlreadyExists, "RECORD_EXISTS")
    );
    let single = desk
        .create("0123456789abcdef-3", "site", json!({}))
        .await
        .expect_err("one");
    assert_eq!(reason(&single).0, "SINGLE_RECORD");
    let unknown = desk
        .create("0123456789abcdef-4", "nurse", json!({}))
        .await
        .expect_err("unknown");
    assert_eq!(unknown.code(), Code::NotFound);
    let nameless = desk
        .create("0123456789abcdef-5", "doctor", json!({"id": "A B"}))
        .await
        .expect_err("no id");
    assert_eq!(violated_fields(&nameless), ["body.id"]);

    assert_eq!(
        desk.doctor("skin-1").await.expect_err("a draft").code(),
        Code::NotFound
    );
    desk.publish(&made).await.expect("published");
    desk.reads("dr-skin-1", |read| read.is_ok()).await;
    assert_eq!(
        desk.doctor("dr-skin-1").await.expect("a doctor").id,
        "skin-1"
    );
    let search = SearchRequest {
        q: "skin-1".to_owned(),
        ..SearchRequest::default()
    };
    let found = desk
        .site
        .client
        .search(search)
        .await
        .expect("results")
        .into_inner();
    assert!(
        found
            .results
            .iter()
            .any(|result| result.path == "/doctor/dr-skin-1")
    );
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
    let back = desk.publish(&archived).await.expect("published again");
    assert_eq!(back.state, "live");
    desk.reads("dr-skin-one", |read| read.is_ok()).await;
    assert!(desk.doctor("dr-skin-one").await.is_ok());
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
        (Some(Duration::from_secs(367 * 86_400)), None),
        (Some(Duration::from_secs(60)), Some(Duration::from_secs(30))),
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

async fn processes_and_restarts_serve_the_same(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let other = Site::process(&desk.site.database, &desk.site.issuer).await;
    let mut reader = client(&other).await;
    let record = desk.get("doctor", DOCTOR).await;
    let draft = desk
        .save(&record, json!({"experience": "40 Years"}))
        .await
        .expect("a draft");
    desk.publish(&draft).await.expect("published");
    until("the other process has it", async || {
        let mut client = reader.clone();
        doctor(&mut client, DOCTOR)
            .await
            .is_ok_and(|doctor| doctor.experience == "40 Years")
    })
    .await;
    other.stop().await;
    let again = Site::process(&desk.site.database, &desk.site.issuer).await;
    reader = client(&again).await;
    let read = doctor(&mut reader, DOCTOR).await.expect("a doctor");
    assert_eq!(read, desk.doctor(DOCTOR).await.expect("a doctor"));
    assert_eq!(read.experience, "40 Years");
    drop(reader);
    again.stop().await;
    desk.end().await;
}

async fn lists_and_pages(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let mut request = ListRecordsRequest {
        kind: "doctor".to_owned(),
        page_size: 7,
        ..ListRecordsRequest::default()
    };
    let mut ids = Vec::new();
    loop {
        let signed = desk.signed(request.clone());
        let page = desk
            .records
            .list_records(signed)
            .await
            .expect("a page")
            .into_inner();
        ids.extend(page.records.into_iter().map(|record| record.record_id));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!((sorted.len(), ids[0].as_str()), (ids.len(), "doc-01"));
    for (q, state, count) in [
        ("NANDINI", "", 1),
        ("%", "", 0),
        ("nandini", "draft", 0),
        ("nandini", "live", 1),
    ] {
        let signed = desk.signed(ListRecordsRequest {
            kind: "doctor".to_owned(),
            q: q.to_owned(),
            state: state.to_owned(),
            ..ListRecordsRequest::default()
        });
        let page = desk
            .records
            .list_records(signed)
            .await
            .expect("a page")
            .into_inner();
        assert_eq!(page.records.len(), count, "{q} {state}");
    }
    let wrong = desk.signed(ListRecordsRequest {
        kind: "doctor".to_owned(),
        state: "new".to_owned(),
        ..ListRecordsRequest::default()
    });
    let refused = desk
        .records
        .list_records(wrong)
        .await
        .expect_err("no state");
    assert_eq!(violated_fields(&refused), ["state"]);

    let mut record = desk.get("doctor", DOCTOR).await;
    for years in 1..=4 {
        record = desk
            .save(&record, json!({"experience": format!("{years} Years")}))
            .await
            .expect("a draft");
    }
    let mut versions = Vec::new();
    let mut request = ListRecordVersionsRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
        page_size: 2,
        ..ListRecordVersionsRequest::default()
    };
    loop {
        let signed = desk.signed(request.clone());
        let page = desk
            .records
            .list_record_versions(signed)
            .await
            .expect("a page")
            .into_inner();
        versions.extend(page.versions.into_iter().map(|version| version.version));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(versions, [5, 4, 3, 2, 1]);
    desk.end().await;
}

async fn asks_for_the_scope(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let record = desk.get("doctor", DOCTOR).await;
    let publish = PublishRecordRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
        etag: record.etag,
        ..PublishRecordRequest::default()
    };
    let writer = desk
        .site
        .issuer
        .request("content:read content:write", publish.clone());
    let refused = desk
        .records
        .publish_record(writer)
        .await
        .expect_err("may not publish");
    assert_eq!(refused.code(), Code::PermissionDenied);
    let nobody = desk
        .records
        .publish_record(Request::new(publish))
        .await
        .expect_err("nobody");
    assert_eq!(nobody.code(), Code::Unauthenticated);
    let read = GetRecordRequest {
        kind: "doctor".to_owned(),
        record_id: DOCTOR.to_owned(),
    };
    let other = desk.site.issuer.request("blogs:write", read);
    let refused = desk
        .records
        .get_record(other)
        .await
        .expect_err("may not read");
    assert_eq!(refused.code(), Code::PermissionDenied);
    desk.end().await;
}
