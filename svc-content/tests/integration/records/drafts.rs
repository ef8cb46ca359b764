//! Records at the desk: drafts, versions, lists and scopes.

use hospital_proto::content::v1::{
    ContentRecord as Record, EditRecordRequest, GetRecordRequest, ListRecordVersionsRequest,
    ListRecordsRequest, PublishRecordRequest, SearchRequest,
};
use serde_json::json;
use test_kit::database::TestDatabase;
use tonic::{Code, Request};

use super::desk::{DOCTOR, Desk, SCOPES, doctor, new_doctor, reason, until};
use crate::{
    blogs::{Site, on_both_databases},
    service::{client, violated_fields},
};

on_both_databases!(
    refuses_a_lost_update,
    creates_once_per_request,
    lists_and_pages,
    asks_for_the_scope,
    processes_and_restarts_serve_the_same,
);

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
