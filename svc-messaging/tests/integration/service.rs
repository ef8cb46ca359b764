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
    PROGRAM.migrate(&database).await;
    let process = PROGRAM.start(&database.url, &[]).await;
    process.wait_for("/readyz", 200).await;
    let mut client = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let disturbance = database.disturb().await;
    let refused = create(&mut client, enquiry()).await.expect_err("refused");
    assert_eq!(refused.code(), Code::Unavailable, "{refused}");
    process.wait_for("/readyz", 503).await;
    process.wait_for("/healthz", 200).await;
    database.repair(disturbance).await;
    process.wait_for("/readyz", 200).await;
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
async fn listens_while_postgres_is_away_and_is_not_ready() {
    // Nothing listens on port 1.
    let url = "postgres://desk:secret-word@127.0.0.1:1/hospital";
    let process = PROGRAM.start(url, &[]).await;
    process.wait_for("/healthz", 200).await;
    process.wait_for("/readyz", 503).await;
    let mut client = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let refused = create(&mut client, enquiry()).await.expect_err("refused");
    assert_eq!(refused.code(), Code::Unavailable, "{refused}");
    drop(client);
    let log = process.stop().await;
    assert!(log.contains("not ready"), "{log}");
    assert!(!log.contains("secret-word"), "the password is in the log");
}

#[tokio::test]
async fn is_not_ready_until_its_schema_is_there_and_says_what_to_run() {
    let database = TestDatabase::postgres().await;
    let process = PROGRAM.start(&database.url, &[]).await;
    process.wait_for("/readyz", 503).await;
    PROGRAM.migrate(&database).await;
    process.wait_for("/readyz", 200).await;
    let log = process.stop().await;
    assert!(
        log.contains("run the `migrate` command of this service"),
        "{log}"
    );
    database.drop_if_exists().await;
}

#[tokio::test]
async fn what_cannot_work_is_refused_before_a_port_is_bound() {
    // A folder is no database.
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().display());
    let log = PROGRAM.refusal(&url, &[]).await;
    assert!(log.contains("cannot make"), "{log}");

    let database = TestDatabase::sqlite();
    let mut without_keys = PROGRAM.serving(&database.url, &[]);
    let output = without_keys.env_remove("SEAL_KEYS_FILE").output().await;
    let output = output.expect("it ran");
    assert!(!output.status.success());
    assert!(output.stdout.is_empty(), "it never listened");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("SEAL_KEYS_FILE"), "{log}");
}
