//! The real program: mailboxes from a file, the command `retain`, and logs without personal data.

use hospital_proto::messaging::v1::{
    FormCheck, Message, SubscribeRequest, messaging_service_client::MessagingServiceClient,
    newsletter_service_client::NewsletterServiceClient,
};
use test_kit::{database::TestDatabase, process::Program};

use crate::serving::{enquiry, new_request, spam, with};

const PROGRAM: Program = Program(env!("CARGO_BIN_EXE_svc-messaging"));

const MAILBOXES: &str = r#"
[default]
name = "Desk"
address = "desk@other.example"
[comments]
name = "Blog"
address = "blog@other.example"
[[mailboxes]]
name = "Visits"
address = "visits@other.example"
words = ["visiting"]
"#;

#[tokio::test]
async fn mailboxes_are_configured_and_a_bad_file_is_refused_at_start() {
    let database = TestDatabase::sqlite();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mailboxes.toml");
    let flag = path.display().to_string();
    std::fs::write(&path, MAILBOXES.replace("visits@other.example", "nobody")).expect("written");
    let log = PROGRAM
        .refusal(&database.url, &["--mailboxes", &flag])
        .await;
    assert!(log.contains("mailboxes[0].address"), "{log}");
    std::fs::write(&path, MAILBOXES).expect("written");
    let mails = folder.path().join("mail").display().to_string();
    let process = PROGRAM
        .start(&database.url, &["--mailboxes", &flag, "--mail-dir", &mails])
        .await;
    process.wait_for("/readyz", 200).await;
    let mut client = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");
    client
        .create_message(new_request(enquiry(1)))
        .await
        .expect("accepted");
    process.stop().await;
    let routed = "SELECT count(*) FROM messages WHERE mailbox = 'visits@other.example'";
    assert_eq!(database.scalar(routed).await, 1);
}

async fn logs_no_personal_data(database: TestDatabase) {
    const CANARY: &str = "canary";
    PROGRAM.migrate(&database).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mails = folder.path().join("mail").display().to_string();
    let flags = ["--log-format", "json", "--mail-dir", &mails];
    let process = PROGRAM.start(&database.url, &flags).await;
    process.wait_for("/readyz", 200).await;
    let mut client = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let named = |message: Message| Message {
        name: "Canary Rao".to_owned(),
        email: "canary@canary.example".to_owned(),
        phone: "+91 99 9999 9999".to_owned(),
        subject: format!("canary {}", message.subject),
        message: format!("canary {}", message.message),
        check: Some(FormCheck {
            website: if message.subject.starts_with("SEO") {
                CANARY
            } else {
                ""
            }
            .to_owned(),
            token: CANARY.to_owned(),
            proof: CANARY.to_owned(),
            can_prove: message.subject.starts_with("Visiting"),
        }),
        ..message
    };
    let invalid = Message {
        email: CANARY.to_owned(),
        ..named(enquiry(2))
    };
    for (message, is_taken) in [
        (named(spam(1)), true),
        (named(enquiry(1)), false),
        (invalid, false),
    ] {
        let request = with(new_request(message), "client-network", "canary-network");
        assert_eq!(client.create_message(request).await.is_ok(), is_taken);
    }
    let plain = Message {
        check: None,
        ..named(enquiry(3))
    };
    client
        .create_message(new_request(plain))
        .await
        .expect("accepted");
    let mut newsletter = NewsletterServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let subscribe = SubscribeRequest {
        email: "canary@canary.example".to_owned(),
        check: None,
    };
    newsletter.subscribe(subscribe).await.expect("answered");
    let (_, metrics) = process.get("/metrics").await;
    for counted in [
        "messages_total{kind=\"enquiry\",outcome=\"quarantined\"} 1",
        "messages_total{kind=\"enquiry\",outcome=\"proof_required\"} 1",
        "messages_total{kind=\"enquiry\",outcome=\"accepted\"} 1",
        "messages_total{kind=\"invalid\",outcome=\"refused\"} 1",
        "messages_total{kind=\"subscription\",outcome=\"accepted\"} 1",
    ] {
        assert!(metrics.contains(counted), "{counted}: {metrics}");
    }
    let log = process.stop().await;
    assert!(log.contains("message accepted"), "{log}");
    for personal in [CANARY, "Canary", "9999 9999"] {
        assert!(!log.contains(personal), "{personal} in {log}");
        assert!(!metrics.contains(personal), "{personal} in the metrics");
    }
    database.drop_if_exists().await;
}

#[tokio::test]
async fn logs_no_personal_data_on_sqlite() {
    logs_no_personal_data(TestDatabase::sqlite()).await;
}

#[tokio::test]
async fn logs_no_personal_data_on_postgres() {
    logs_no_personal_data(TestDatabase::postgres().await).await;
}

#[tokio::test]
async fn the_command_reports_expired_data() {
    let database = TestDatabase::sqlite();
    PROGRAM.migrate(&database).await;
    let insert = "INSERT INTO messages (id, kind, status, key_id, name, subject, message, thread_id, create_time) \
                  VALUES (x'00000000000000000000000000000007', 'comment', 'new', 'k1', x'00', x'00', x'00', 'heart', '2001-01-01T00:00:00+00:00')";
    database.execute(insert).await;
    for (arguments, said) in [
        (["retain", "--dry-run"].as_slice(), "messages: 1 expired\n"),
        (&["retain"], "messages: 1 removed\n"),
        (&["retain", "--dry-run"], "messages: 0 expired\n"),
    ] {
        let all = [&["--database-url", &database.url], arguments].concat();
        let output = PROGRAM.command(&all).output().await.expect("it ran");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(said), "{text}");
    }
}
