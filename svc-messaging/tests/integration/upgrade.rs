//! Databases written by other builds: the previous one and the next one.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::{
    CreateMessageRequest, Message, MessageMeta, messaging_service_client::MessagingServiceClient,
};
use serde::Deserialize;
use store_kit::{requests::RequestKey, values};
use svc_messaging::{
    domain::{self, Kind, Status, mailboxes::Mailboxes},
    store::{CREATE, Store},
    wire,
};
use test_kit::{database::TestDatabase, on_both_databases};
use tonic::{Code, service::Routes};
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::Bench;

on_both_databases!(crate::upgrade::of_the_build_before:
    migrates_every_row_and_column_of_an_older_build,
    recognises_a_retry_of_a_request_to_an_older_build,
    seals_all_rows_of_an_older_build,
);

/// Database of the build that sealed messages but had no references or mailboxes. It also has rows of the build before
/// that.
mod before_the_inbox {
    use super::{
        migrates_every_row_and_column_of_an_older_build,
        recognises_a_retry_of_a_request_to_an_older_build, seals_all_rows_of_an_older_build,
    };

    test_kit::on_both_databases!(crate::upgrade::of_the_build_before_the_inbox:
        migrates_every_row_and_column_of_an_older_build,
        recognises_a_retry_of_a_request_to_an_older_build,
        seals_all_rows_of_an_older_build,
    );
}

mod newer {
    use super::{reads_rows_without_reference_and_mailbox, works_on_the_schema_of_the_build_after};

    test_kit::on_both_databases!(test_kit::bench::empty:
        works_on_the_schema_of_the_build_after,
        reads_rows_without_reference_and_mailbox,
    );
}

mod many {
    use super::migrates_more_rows_than_one_step;

    test_kit::on_both_databases!(crate::upgrade::many_of_the_build_before: migrates_more_rows_than_one_step);
}

/// Rows stored by the previous build, column by column. Ids and times differ between the databases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    request_id: String,
    kind: String,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    subject: String,
    message: String,
    thread_id: Option<String>,
    written_at: Option<DateTime<Utc>>,
    sqlite: Receipt,
    postgres: Receipt,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Receipt {
    id: Uuid,
    create_time: DateTime<Utc>,
}

fn expected() -> Vec<Expected> {
    let rows: Vec<Expected> =
        serde_json::from_str(include_str!("../fixtures/v1.json")).expect("the rows");
    assert!(rows.len() >= 12);
    rows
}

impl Expected {
    fn receipt(&self, bench: &Bench) -> Receipt {
        if bench.test.is_sqlite() {
            self.sqlite
        } else {
            self.postgres
        }
    }

    /// Returns the request that created the row.
    fn request(&self) -> CreateMessageRequest {
        CreateMessageRequest {
            request_id: self.request_id.clone(),
            message: Some(Message {
                name: self.name.clone(),
                email: self.email.clone().unwrap_or_default(),
                phone: self.phone.clone().unwrap_or_default(),
                subject: self.subject.clone(),
                message: self.message.clone(),
                meta: self.thread_id.clone().map(|thread_id| MessageMeta {
                    thread_id,
                    created_at: self.written_at.map(timestamp),
                }),
                ..Message::default()
            }),
        }
    }
}

fn timestamp(time: DateTime<Utc>) -> prost_types::Timestamp {
    std::time::SystemTime::from(time).into()
}

async fn of_the_build_before(is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/v1.db");
        return TestDatabase::sqlite_of(file.as_ref());
    }
    TestDatabase::postgres_of(include_str!("../fixtures/v1.sql")).await
}

async fn of_the_build_before_the_inbox(is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/v2.db");
        return TestDatabase::sqlite_of(file.as_ref());
    }
    TestDatabase::postgres_of(include_str!("../fixtures/v2.sql")).await
}

async fn migrates_every_row_and_column_of_an_older_build(bench: Bench) {
    let rows = expected();
    let count = bench.test.scalar("SELECT count(*) FROM messages").await;
    assert_eq!(usize::try_from(count), Ok(rows.len()));
    for row in &rows {
        let receipt = row.receipt(&bench);
        // Today's rules would refuse some of these.
        let body = wire::canonical_unchecked(&wire::submission(row.request()));
        let request = RequestKey::new(&bench.keys, CREATE, &row.request_id, &body);
        let mailboxes = Arc::new(Mailboxes::embedded());
        let kept = Store::new(bench.database.clone(), bench.keys.clone(), mailboxes)
            .recall(&request, receipt.create_time)
            .await
            .expect("an answer")
            .unwrap_or_else(|| panic!("{} is not known", row.request_id));
        assert_eq!(
            (kept.id, kept.create_time),
            (receipt.id, receipt.create_time)
        );
        let handling = &kept.handling;
        assert_eq!(handling.status, Status::New);
        assert_eq!((handling.version, handling.route_time), (1, None));
        assert_eq!(handling.update_time, receipt.create_time);
        assert_eq!(kept.reference, domain::reference(receipt.id));
        let mailboxes = Mailboxes::embedded();
        let routed = mailboxes.route(&kept.new.kind, &kept.new.subject);
        assert_eq!(handling.mailbox, routed.address);
        let new = &kept.new;
        assert_eq!(new.kind.as_str(), row.kind);
        assert_eq!(new.name.as_str(), row.name);
        assert_eq!(new.email(), row.email.as_deref());
        assert_eq!(new.phone(), row.phone.as_deref());
        assert_eq!(new.subject.as_str(), row.subject);
        assert_eq!(new.message.as_str(), row.message);
        assert_eq!(new.thread_id(), row.thread_id.as_deref());
        assert_eq!(new.write_time(), row.written_at);
        assert_eq!(
            matches!(new.kind, Kind::Comment { .. }),
            row.thread_id.is_some()
        );
        for (column, value) in [
            (
                "email",
                row.email
                    .as_deref()
                    .map(service_kit::input::email_to_look_up),
            ),
            (
                "phone",
                row.phone
                    .as_deref()
                    .map(service_kit::input::phone_to_look_up),
            ),
        ] {
            let digest = value.map(|value| {
                let purpose = format!("messages.{column}");
                bench.keys.digest(&purpose, value.as_bytes()).to_vec()
            });
            assert_eq!(digest_of(&bench, column, kept.id).await, digest, "{column}");
        }
    }
    bench.end().await;
}

async fn recognises_a_retry_of_a_request_to_an_older_build(bench: Bench) {
    for row in expected() {
        let receipt = row.receipt(&bench);
        // A day later, within the period in which retries are recognised.
        let mut client = client(&bench, receipt.create_time + chrono::TimeDelta::days(1)).await;
        let mut request = row.request();
        let answer = client.create_message(request.clone()).await;
        let answer = answer.expect("accepted");
        assert!(test_kit::service::is_replay(&answer), "{}", row.request_id);
        let answer = answer.into_inner().message;
        let expected = Message {
            id: receipt.id.to_string(),
            create_time: Some(timestamp(receipt.create_time)),
            reference: domain::reference(receipt.id),
            ..request.message.clone().expect("a message")
        };
        assert_eq!(answer, Some(expected));
        request.message.as_mut().expect("a message").subject = "Something else".into();
        let refused = client.create_message(request).await.expect_err("refused");
        assert_eq!(refused.code(), Code::InvalidArgument);
        // If today's rules refuse the input, the validation error comes first. Under this request id the body differs
        // anyway.
        let details = refused.get_error_details();
        let reason = details.error_info().map(|info| info.reason.as_str());
        let is_valid = domain::parse(wire::submission(row.request())).is_ok();
        assert_eq!(reason, is_valid.then_some("REQUEST_ID_REUSED"));
    }
    bench.end().await;
}

async fn seals_all_rows_of_an_older_build(bench: Bench) {
    let unrouted = "SELECT count(*) FROM messages WHERE reference IS NULL OR mailbox IS NULL";
    assert_eq!(bench.test.scalar(unrouted).await, 0);
    // These messages were already in the inbox, so no mails may be sent.
    assert_eq!(bench.test.scalar("SELECT count(*) FROM mails").await, 0);
    let left = bench.test.scalar("SELECT count(*) FROM messages_v1").await;
    assert_eq!(left, 0);
    let keys = bench.test.scalar("SELECT count(*) FROM request_keys").await;
    assert_eq!(usize::try_from(keys), Ok(expected().len()));
    bench.database.close().await;
    if let Some(path) = bench.test.url.strip_prefix("sqlite:") {
        for suffix in ["", "-wal"] {
            let Ok(bytes) = std::fs::read(format!("{path}{suffix}")) else {
                continue;
            };
            for row in expected() {
                for plain in [row.name, row.subject, row.request_id] {
                    assert!(!is_there(&bytes, &plain), "{plain} in the file{suffix}");
                }
            }
        }
    }
    bench.end().await;
}

/// Returns whether a file contains a text. Short texts may match by chance, and threads of comments are stored in clear
/// text, so both are ignored.
fn is_there(file: &[u8], plain: &str) -> bool {
    let in_a_thread = expected()
        .iter()
        .filter_map(|row| row.thread_id.as_ref())
        .any(|thread_id| thread_id.contains(plain));
    plain.len() >= 8
        && !in_a_thread
        && file
            .windows(plain.len())
            .any(|part| part == plain.as_bytes())
}

/// Database of [`of_the_build_before`] with 450 more rows.
async fn many_of_the_build_before(is_sqlite: bool) -> TestDatabase {
    let database = of_the_build_before(is_sqlite).await;
    let insert = if is_sqlite {
        "WITH RECURSIVE copies (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < 450) \
         INSERT INTO messages SELECT randomblob(16), 'copy-of-a-request-' || number, fingerprint, kind, name, email, phone, \
         subject, message, thread_id, written_at, create_time FROM messages, copies \
         WHERE request_id = 'v1-comment-time-0007'"
    } else {
        "INSERT INTO messages SELECT gen_random_uuid(), 'copy-of-a-request-' || number, fingerprint, kind, name, email, phone, \
         subject, message, thread_id, written_at, create_time FROM messages, generate_series(1, 450) AS copies (number) \
         WHERE request_id = 'v1-comment-time-0007'"
    };
    assert_eq!(database.execute(insert).await, 450);
    database
}

async fn migrates_more_rows_than_one_step(bench: Bench) {
    let all = i64::try_from(450 + expected().len()).expect("few");
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM messages").await,
        all
    );
    let known = "SELECT count(*) FROM request_keys WHERE length(request_key) = 32 AND length(fingerprint) = 32";
    assert_eq!(bench.test.scalar(known).await, all);
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM messages_v1").await,
        0
    );
    bench.end().await;
}

async fn client(bench: &Bench, now: DateTime<Utc>) -> MessagingServiceClient<Routes> {
    MessagingServiceClient::new(bench.served(&crate::arguments(), now).await.routes)
}

async fn works_on_the_schema_of_the_build_after(bench: Bench) {
    bench
        .migrate_further("ALTER TABLE messages ADD COLUMN assignee text")
        .await;
    // As after a rollback. Reopening also runs the migrations, which must have no effect.
    let bench = bench.reopen().await;
    bench.database.ready().await.expect("ready");
    let row = expected().remove(0);
    let mut client = client(&bench, row.sqlite.create_time).await;
    for _ in 0..2 {
        let answer = client.create_message(row.request()).await;
        let message = answer.expect("accepted").into_inner().message;
        assert_eq!(message.expect("a message").name, row.name);
    }
    assert_eq!(bench.test.scalar("SELECT count(*) FROM messages").await, 1);
    bench.end().await;
}

/// The previous build sets neither reference nor mailbox, and may still write while this one serves.
async fn reads_rows_without_reference_and_mailbox(bench: Bench) {
    let row = expected().remove(0);
    let mut client = client(&bench, row.sqlite.create_time).await;
    let sent = client
        .create_message(row.request())
        .await
        .expect("accepted");
    let sent = sent.into_inner().message.expect("a message");
    let forget = "UPDATE messages SET reference = NULL, mailbox = NULL, update_time = NULL";
    assert_eq!(bench.test.execute(forget).await, 1);
    let id = sent.id.parse().expect("an id");
    let kept = svc_messaging::store::message(&bench.database, &bench.keys, id).await;
    let kept = kept.expect("an answer").expect("kept");
    assert_eq!(kept.reference, domain::reference(id));
    assert_eq!(kept.handling.mailbox, "hello@sampige.example");
    assert_eq!(kept.handling.update_time, kept.create_time);
    bench.end().await;
}

async fn digest_of(bench: &Bench, column: &str, id: Uuid) -> Option<Vec<u8>> {
    let sql = match column {
        "email" => "SELECT email_digest FROM messages WHERE id = $1",
        _ => "SELECT phone_digest FROM messages WHERE id = $1",
    };
    let (digest,): (Option<Vec<u8>>,) = bench
        .database
        .fetch_one("SELECT messages", sql, values![id])
        .await
        .expect("the row");
    digest
}
