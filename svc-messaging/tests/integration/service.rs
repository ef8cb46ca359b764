//! The program as it is deployed: over gRPC, on both databases, and without one.

use hospital_proto::messaging::v1::{
    CreateMessageRequest, Message, messaging_service_client::MessagingServiceClient,
};
use test_kit::database::TestDatabase;
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::PROGRAM;

const REQUEST_ID: &str = "6f1d3a52-process-test";

fn enquiry() -> CreateMessageRequest {
    CreateMessageRequest {
        request_id: REQUEST_ID.to_owned(),
        message: Some(Message {
            name: "Kamala Test".to_owned(),
            email: "kamala@visitor.example".to_owned(),
            phone: "+91 80 0000 0199".to_owned(),
            subject: "Visiting hours".to_owned(),
            message: "May two of us visit?".to_owned(),
            ..Message::default()
        }),
    }
}

async fn create(
    client: &mut MessagingServiceClient<Channel>,
    request: CreateMessageRequest,
) -> Result<Message, Status> {
    let response = client.create_message(request).await?.into_inner();
    Ok(response.message.expect("a message"))
}

fn violated_fields(status: &Status) -> Vec<String> {
    let details = status.get_error_details();
    let violations = &details.bad_request().expect("BadRequest").field_violations;
    violations
        .iter()
        .map(|violation| violation.field.clone())
        .collect()
}

async fn takes_messages(database: TestDatabase) {
    if database.url.starts_with("postgres:") {
        PROGRAM.migrate(&database).await;
    }
    let process = PROGRAM
        .start(&database.url, &["--log-format", "json"])
        .await;
    for path in ["/healthz", "/readyz"] {
        process.wait_for(path, 200).await;
    }
    let mut client = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");

    let first = create(&mut client, enquiry()).await.expect("accepted");
    assert_eq!(first.subject, "Visiting hours");
    assert!(first.create_time.is_some());
    let again = create(&mut client, enquiry())
        .await
        .expect("accepted again");
    assert_eq!(again, first);

    let mut other = enquiry();
    other.message.as_mut().expect("a message").subject = "Parking".into();
    let reused = create(&mut client, other).await.expect_err("refused");
    assert_eq!(reused.code(), Code::InvalidArgument);
    let reason = reused.get_error_details();
    assert_eq!(
        reason.error_info().expect("ErrorInfo").reason,
        "REQUEST_ID_REUSED"
    );

    let invalid = create(&mut client, CreateMessageRequest::default())
        .await
        .expect_err("refused");
    assert_eq!(invalid.code(), Code::InvalidArgument);
    assert_eq!(violated_fields(&invalid), ["requestId", "message"]);
    let nameless = CreateMessageRequest {
        message: Some(Message::default()),
        ..enquiry()
    };
    let invalid = create(&mut client, nameless).await.expect_err("refused");
    assert_eq!(
        violated_fields(&invalid),
        ["name", "email", "phone", "subject", "message"]
    );

    assert_eq!(database.scalar("SELECT count(*) FROM messages").await, 1);
    let (status, metrics) = process.get("/metrics").await;
    assert_eq!(status, 200);
    assert!(metrics.contains("CreateMessage"), "{metrics}");

    drop(client);
    let log = process.stop().await;
    assert!(log.contains("message accepted"), "{log}");
    for personal in [
        "Kamala",
        "visitor.example",
        "80 0000 0199",
        "Visiting hours",
        "two of us",
        REQUEST_ID,
    ] {
        assert!(!log.contains(personal), "{personal} in the log");
        assert!(!metrics.contains(personal), "{personal} in the metrics");
    }
    database.drop_if_exists().await;
}

#[tokio::test]
async fn takes_messages_on_sqlite() {
    takes_messages(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn takes_messages_on_postgres() {
    takes_messages(TestDatabase::postgres().await).await;
}

async fn says_so_while_the_database_is_away(database: TestDatabase) {
    let url = database.parsed_url();
    svc_messaging::store::migrate(&url).await.expect("a schema");
    let process = PROGRAM.start(&database.url, &[]).await;
    let mut client = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let disturbance = database.disturb().await;
    let refused = create(&mut client, enquiry()).await.expect_err("refused");
    assert_eq!(refused.code(), Code::Unavailable, "{refused}");
    database.repair(disturbance).await;
    create(&mut client, enquiry())
        .await
        .expect("accepted, without a restart");
    let rows = database.scalar("SELECT count(*) FROM messages").await;
    assert_eq!(rows, 1);
    drop(client);
    process.stop().await;
    database.drop_if_exists().await;
}

#[tokio::test]
async fn says_so_while_sqlite_is_locked() {
    says_so_while_the_database_is_away(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn says_so_while_postgres_is_away() {
    says_so_while_the_database_is_away(TestDatabase::postgres().await).await;
}

#[tokio::test]
async fn the_database_is_a_must_at_start() {
    // A folder is no database; and nothing listens on port 1.
    let folder = tempfile::tempdir().expect("a folder");
    let log = PROGRAM
        .refusal(&format!("sqlite:{}", folder.path().display()), &[])
        .await;
    assert!(log.contains("cannot open sqlite:"), "{log}");
    let log = PROGRAM
        .refusal("postgres://desk:secret-word@127.0.0.1:1/hospital", &[])
        .await;
    assert!(
        log.contains("cannot open postgres://127.0.0.1:1/hospital"),
        "{log}"
    );
    assert!(!log.contains("secret-word"), "the password is in the log");
}

#[tokio::test]
async fn a_database_without_its_schema_is_refused() {
    let database = TestDatabase::postgres().await;
    let log = PROGRAM.refusal(&database.url, &[]).await;
    assert!(log.contains("svc-messaging migrate"), "{log}");
    database.drop_if_exists().await;
}
