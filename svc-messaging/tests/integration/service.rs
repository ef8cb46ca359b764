//! The real program: over gRPC, on both databases, and without a database.

use hospital_proto::messaging::v1::{
    CreateMessageRequest, Message, messaging_service_client::MessagingServiceClient,
};
use test_kit::{database::TestDatabase, service::is_replay};
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
    let (created, _) = answered_by(client, request).await?;
    Ok(created)
}

/// Returns the created message, and whether the response is marked as a replay.
async fn answered_by(
    client: &mut MessagingServiceClient<Channel>,
    request: CreateMessageRequest,
) -> Result<(Message, bool), Status> {
    let response = client.create_message(request).await?;
    let is_replay = is_replay(&response);
    let created = response.into_inner().message.expect("a message");
    Ok((created, is_replay))
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

    let (first, is_replay) = answered_by(&mut client, enquiry()).await.expect("accepted");
    assert!(!is_replay);
    assert_eq!(first.subject, "Visiting hours");
    assert!(first.create_time.is_some());
    let again = answered_by(&mut client, enquiry()).await;
    assert_eq!(again.expect("accepted again"), (first, true));

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

async fn call(url: String) -> Result<(), Code> {
    let mut client = MessagingServiceClient::connect(url)
        .await
        .expect("a channel");
    let created = create(&mut client, enquiry()).await;
    created.map(drop).map_err(|refused| refused.code())
}

test_kit::service_keeps_its_promises!(crate::PROGRAM, super::call);

#[tokio::test]
async fn metrics_identify_the_service() {
    let database = TestDatabase::sqlite();
    let process = PROGRAM.start(&database.url, &[]).await;
    process.says_what_it_is("svc-messaging", "messaging").await;
    process.stop().await;
}
