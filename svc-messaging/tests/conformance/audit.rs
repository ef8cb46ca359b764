//! The audit log over gRPC, as every service serves it.

use chrono::TimeDelta;
use hospital_proto::hospital::api::v1::{
    ExportAuditEntriesRequest, ListAuditEntriesRequest, ListAuditEntriesResponse,
    VerifyAuditLogRequest, audit_service_client::AuditServiceClient,
};
use service_kit::source::Clock as _;
use test_kit::on_both_databases;
use tonic::{Code, Request, service::Routes};

use crate::{
    Bench,
    serving::{STAFF, Serving, new_request, violated},
};

on_both_databases!(test_kit::bench::empty:
    staff_find_who_read_a_message,
    a_refresh_adds_no_entry,
    bad_input_names_the_field,
    needs_the_scope,
    an_export_has_a_line_per_entry,
    a_check_is_recorded_and_finds_a_change,
);

const SCOPE: &str = "audit:read";

impl Serving {
    fn audit(&self) -> AuditServiceClient<Routes> {
        AuditServiceClient::new(self.routes())
    }

    async fn entries(&self, request: ListAuditEntriesRequest) -> ListAuditEntriesResponse {
        let answer = self
            .audit()
            .list_audit_entries(self.staff(SCOPE, request))
            .await;
        answer.expect("entries").into_inner()
    }
}

fn all() -> ListAuditEntriesRequest {
    ListAuditEntriesRequest {
        service: "messaging".into(),
        ..ListAuditEntriesRequest::default()
    }
}

/// Creates a message and reads it as staff; returns its id.
async fn read_message(serving: &Serving) -> String {
    let message = hospital_proto::messaging::v1::Message {
        name: "Kamala Rao".into(),
        email: "kamala@visitor.example".into(),
        phone: "+91 98450 12345".into(),
        subject: "Parking".into(),
        message: "Where can we park?".into(),
        ..Default::default()
    };
    let answer = serving
        .messaging()
        .create_message(Request::new(new_request(message)))
        .await;
    let id = answer.expect("accepted").into_inner().message;
    let id = id.expect("a message").id;
    let request = hospital_proto::messaging::v1::GetMessageRequest {
        message_id: id.clone(),
    };
    let request = serving.staff("messages:read", request);
    serving
        .inbox()
        .get_message(request)
        .await
        .expect("it is there");
    id
}

async fn staff_find_who_read_a_message(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let id = read_message(&serving).await;
    let of_message = ListAuditEntriesRequest {
        id: id.to_uppercase(),
        from: "2026-11-21".into(),
        to: "2026-11-21".into(),
        ..all()
    };
    let found = serving.entries(of_message).await;
    let [entry] = found.entries.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (entry.actor.as_str(), entry.action.as_str()),
        (STAFF, "message.read")
    );
    assert_eq!(entry.ids, std::slice::from_ref(&id));
    let time = entry.create_time.expect("a time");
    assert_eq!(time.seconds, serving.clock.now().timestamp());
    // The read itself, with the id that was looked for.
    let found = serving.entries(all()).await.entries;
    assert_eq!(found[0].action, "audit.read");
    assert_eq!(found[0].ids, [id]);
    assert_eq!(found[0].detail, "from=2026-11-21 to=2026-11-21");
    // Days are those of Asia/Kolkata: the 21st ends at 18:30 UTC.
    let next_day = ListAuditEntriesRequest {
        from: "2026-11-22".into(),
        ..all()
    };
    assert!(serving.entries(next_day).await.entries.is_empty());
    bench.end().await;
}

async fn a_refresh_adds_no_entry(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for expected in [0, 1, 1, 1] {
        assert_eq!(serving.entries(all()).await.entries.len(), expected);
    }
    serving.pass(TimeDelta::minutes(16));
    assert_eq!(serving.entries(all()).await.entries.len(), 1);
    let page = ListAuditEntriesRequest {
        page_size: 1,
        ..all()
    };
    let newest = serving.entries(page.clone()).await;
    let older = serving
        .entries(ListAuditEntriesRequest {
            page_token: newest.next_page_token,
            ..page
        })
        .await;
    assert_eq!(
        (
            newest.entries[0].number.as_str(),
            older.entries[0].number.as_str()
        ),
        ("2", "1")
    );
    assert_eq!(older.next_page_token, "");
    bench.end().await;
}

async fn bad_input_names_the_field(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let wrong = ListAuditEntriesRequest {
        page_size: -1,
        page_token: "next".into(),
        actor: "a".repeat(256),
        action: "a".repeat(65),
        id: "i\0".into(),
        from: "21.11.2026".into(),
        to: "2026-02-30".into(),
        ..all()
    };
    let request = serving.staff(SCOPE, wrong);
    let refused = serving.audit().list_audit_entries(request).await;
    assert_eq!(
        violated(&refused.expect_err("refused")),
        [
            "pageSize",
            "pageToken",
            "actor",
            "action",
            "id",
            "from",
            "to"
        ]
    );
    let range = |from: &str, to: &str| ExportAuditEntriesRequest {
        from: from.into(),
        to: to.into(),
        page_token: "-1".into(),
        ..ExportAuditEntriesRequest::default()
    };
    for (request, fields) in [
        (range("2026-11-02", "2026-11-01"), vec!["to", "pageToken"]),
        (range("", " "), vec!["from", "to", "pageToken"]),
        (
            range("+2026-11-1", "9999999-01-01"),
            vec!["from", "to", "pageToken"],
        ),
    ] {
        let request = serving.staff(SCOPE, request);
        let refused = serving.audit().export_audit_entries(request).await;
        assert_eq!(violated(&refused.expect_err("refused")), fields);
    }
    let request = VerifyAuditLogRequest {
        page_token: "1:0:1:1:00".into(),
        ..VerifyAuditLogRequest::default()
    };
    let request = serving.staff(SCOPE, request);
    let refused = serving.audit().verify_audit_log(request).await;
    assert_eq!(violated(&refused.expect_err("refused")), ["pageToken"]);
    assert!(serving.entries(all()).await.entries.is_empty());
    // The whole range of days that can be written.
    let ever = ListAuditEntriesRequest {
        from: "0001-01-01".into(),
        to: "9999-12-31".into(),
        ..all()
    };
    assert_eq!(serving.entries(ever).await.entries.len(), 1);
    bench.end().await;
}

async fn needs_the_scope(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for scope in ["messages:read", "releases:read", "audit:reader"] {
        let mut audit = serving.audit();
        let request = serving.staff(scope, all());
        let refused = audit.list_audit_entries(request).await.expect_err(scope);
        assert_eq!(refused.code(), Code::PermissionDenied);
        let request = serving.staff(scope, VerifyAuditLogRequest::default());
        let refused = audit.verify_audit_log(request).await.expect_err(scope);
        assert_eq!(refused.code(), Code::PermissionDenied);
        let request = serving.staff(scope, ExportAuditEntriesRequest::default());
        let refused = audit.export_audit_entries(request).await.expect_err(scope);
        assert_eq!(refused.code(), Code::PermissionDenied);
    }
    let nobody = serving.audit().list_audit_entries(all()).await;
    let nobody = nobody.expect_err("no token");
    assert_eq!(nobody.code(), Code::Unauthenticated);
    bench.end().await;
}

async fn an_export_has_a_line_per_entry(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let id = read_message(&serving).await;
    let day = ExportAuditEntriesRequest {
        from: "2026-11-21".into(),
        to: "2026-11-21".into(),
        ..ExportAuditEntriesRequest::default()
    };
    let request = serving.staff(SCOPE, day);
    let file = serving.audit().export_audit_entries(request).await;
    let file = file.expect("a file").into_inner();
    assert_eq!(file.content_type, "application/x-ndjson");
    let text = String::from_utf8(file.data).expect("text");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert_eq!(lines[0]["action"], "message.read");
    assert_eq!(lines[0]["ids"][0], id);
    assert_eq!(lines[0]["createTime"], "2026-11-21T09:30:00.000000Z");
    assert_eq!(lines[0]["hash"].as_str().map(str::len), Some(64));
    assert!(!text.contains("Kamala"), "{text}");
    let newest = serving.entries(all()).await.entries.swap_remove(0);
    assert_eq!(newest.action, "audit.exported");
    assert_eq!(newest.detail, "1 entries, from=2026-11-21 to=2026-11-21");
    bench.end().await;
}

async fn a_check_is_recorded_and_finds_a_change(bench: Bench) {
    let serving = Serving::start(&bench).await;
    read_message(&serving).await;
    let check = async || {
        let request = serving.staff(SCOPE, VerifyAuditLogRequest::default());
        let answer = serving.audit().verify_audit_log(request).await;
        answer.expect("a result").into_inner()
    };
    let result = check().await;
    assert!(result.intact && result.next_page_token.is_empty());
    assert_eq!(result.entries, "1");
    assert!(result.head.starts_with("1:"));
    assert_eq!(check().await.entries, "2");
    let newest = serving.entries(all()).await.entries.swap_remove(0);
    assert_eq!(
        (newest.number.as_str(), newest.actor.as_str()),
        ("3", STAFF)
    );
    assert_eq!(newest.action, "audit.verified");
    assert!(newest.detail.starts_with("intact, 2 entries, head 2:"));
    let off = if bench.test.is_sqlite() {
        "DROP TRIGGER audit_entries_keep"
    } else {
        "ALTER TABLE audit_entries DISABLE TRIGGER ALL"
    };
    bench.test.execute(off).await;
    bench
        .test
        .execute("UPDATE audit_entries SET actor = 'nobody' WHERE seq = 2")
        .await;
    let result = check().await;
    assert!(!result.intact);
    assert_eq!((result.broken_at.as_str(), result.head.as_str()), ("2", ""));
    bench.end().await;
}
