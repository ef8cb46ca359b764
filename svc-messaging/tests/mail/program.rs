//! The real program: configuration, logs, and recovery after being killed.

use std::{collections::HashMap, time::Duration};

use hospital_proto::messaging::v1::{
    CreateMessageRequest, Message, messaging_service_client::MessagingServiceClient,
    notice_service_client::NoticeServiceClient,
};
use prost_types::Timestamp;
use service_kit::source::{Ids as _, RandomIds};
use test_kit::{
    database::TestDatabase,
    process::{Process, Program},
};

use crate::{
    fixture::EMAIL,
    notices::booked,
    server::{Server, header},
};

const PROGRAM: Program = Program(env!("CARGO_BIN_EXE_svc-messaging"));
const MAILS: usize = 60;
const KILLS: usize = 5;
/// Maximum concurrent deliveries.
const UNDER_WAY: usize = 4;

/// No mail is lost, and the number of duplicates is bounded.
#[tokio::test]
async fn a_killed_program_loses_no_mail() {
    let plan: Vec<&str> = (0..MAILS)
        .map(|number| if number % 9 == 4 { "die_in_data" } else { "ok" })
        .collect();
    let server = Server::start(&plan).await;
    let database = TestDatabase::sqlite();
    let arguments = ["--smtp-url", &server.url()].map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let start = || PROGRAM.start(&database.url, &arguments);

    let mut process = start().await;
    process.wait_for("/readyz", 200).await;
    let mut client = NoticeServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let mut times = HashMap::new();
    for number in 0..MAILS {
        let mut notice = booked();
        notice.expire_time = Some(Timestamp {
            seconds: 4_000_000_000,
            nanos: 0,
        });
        let recipient = notice.recipient.as_mut().expect("somebody");
        recipient.email = format!("visitor{number}@visitor.example");
        client.send_notice(notice.clone()).await.expect("kept");
        times.insert(format!("<{}@sampige.example>", notice.notice_id), 0_usize);
    }
    for kill in 0..KILLS {
        let more = (server.taken().len() + 1 + kill).min(MAILS);
        server.wait_for(more).await;
        // SIGKILL.
        drop(process);
        time_passes(&database).await;
        process = start().await;
    }
    let all_sent = async {
        while database
            .scalar("SELECT count(*) FROM mails WHERE state <> 'sent'")
            .await
            > 0
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(test_kit::process::PATIENCE, all_sent)
        .await
        .expect("all are sent in time");
    for mail in server.wait_for(MAILS).await {
        *times.get_mut(&mail.message_id()).expect("one of ours") += 1;
    }
    assert!(times.values().all(|count| *count >= 1), "none is lost");
    let twice: usize = times.values().map(|count| count - 1).sum();
    assert!(twice <= KILLS * UNDER_WAY, "{twice}");
    println!("{KILLS} kills, {MAILS} mails, {twice} of them twice");
    let log = process.stop().await;
    assert!(!log.contains("visitor.example"), "{log}");
}

/// Skips waiting times: leases of the dead process expire after minutes, and retries back off.
async fn time_passes(database: &TestDatabase) {
    database
        .execute("UPDATE mails SET lease_time = '2000-01-01T00:00:00.000000Z' WHERE lease_time IS NOT NULL")
        .await;
    database
        .execute("UPDATE outbox_messages SET due_time = '2000-01-01T00:00:00.000000Z', attempts = 0 WHERE delivered_time IS NULL")
        .await;
}

/// The real program: incoming notices are sent, and no log line contains personal data, although the server quotes
/// addresses.
#[tokio::test]
async fn the_program_sends_mails_and_logs_no_personal_data() {
    let server = Server::start(&["permanent", "temporary"]).await;
    let database = TestDatabase::sqlite();
    let url = server.url();
    let process = PROGRAM
        .start(&database.url, &["--log-format", "json", "--smtp-url", &url])
        .await;
    process.wait_for("/readyz", 200).await;
    let mut notices = NoticeServiceClient::connect(process.url())
        .await
        .expect("a channel");
    // The program uses the system clock.
    let far = Timestamp {
        seconds: 4_000_000_000,
        nanos: 0,
    };
    let mut notice = booked();
    notice.expire_time = Some(far);
    let mut gone = notice.clone();
    gone.recipient.as_mut().expect("somebody").email = "gone@visitor.example".into();
    notices.send_notice(gone).await.expect("kept");
    server.wait_for_event("refused", 1).await;
    notice.notice_id = RandomIds.uuid().to_string();
    notices.send_notice(notice).await.expect("kept");
    server.wait_for_event("put off", 1).await;
    let taken = server.wait_for(1).await;
    assert!(header(&taken[0].text(), "Subject").starts_with("Your appointment is booked"));

    let mut messages = MessagingServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let enquiry = CreateMessageRequest {
        request_id: "6f1d3a52-process-test".into(),
        message: Some(Message {
            name: "Kamala Rao".into(),
            email: EMAIL.into(),
            phone: "+91 80 0000 0199".into(),
            subject: "Visiting hours".into(),
            message: "May two of us visit my mother on Sunday afternoon?".into(),
            ..Message::default()
        }),
    };
    messages.create_message(enquiry).await.expect("accepted");
    let taken = server.wait_for(3).await;
    let to = |address: &str| {
        let found = taken
            .iter()
            .find(|mail| mail.to == [address] && mail.text().contains("MS-"));
        found.unwrap_or_else(|| panic!("{address}")).text()
    };
    let forwarded = to("hello@sampige.example");
    assert_eq!(
        header(&forwarded, "Reply-To"),
        "\"Kamala Rao\" <kamala@visitor.example>"
    );
    assert!(header(&to(EMAIL), "Subject").starts_with("We have your message (MS-"));

    let (_, metrics) = process.get("/metrics").await;
    assert!(
        metrics.contains("mails_total{kind=\"appointment.booked\",outcome=\"failed\"} 1"),
        "{metrics}"
    );
    drop((notices, messages));
    let log = process.stop().await;
    assert!(log.contains("the mail server answered 550"), "{log}");
    for personal in [
        "Kamala",
        "visitor.example",
        "0000 0199",
        "Visiting hours",
        "two of us",
        "Cardiology",
        "7K3P",
        "#secret",
    ] {
        assert!(!log.contains(personal), "{personal} in the log: {log}");
        assert!(!metrics.contains(personal), "{personal} in the metrics");
    }
}

/// Bad configuration is refused before a port is bound, without revealing secrets.
#[tokio::test]
async fn bad_configuration_is_refused_at_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key");
    std::fs::write(&file, "hunter2").expect("a file");
    let file = file.display().to_string();
    for arguments in [
        vec!["--smtp-url", "smtp://hunter2@mail.example"],
        vec![
            "--smtp-url",
            "smtps://mail.example",
            "--smtp-ca-file",
            "/nowhere.pem",
        ],
        vec!["--mail-from", "nobody"],
        vec!["--dkim-key-file", &file, "--dkim-selector", "s1"],
        vec!["--dkim-key-file", &file],
        vec![
            "--dkim-ed25519-key-file",
            &file,
            "--dkim-ed25519-selector",
            "s2",
        ],
        vec![
            "--notify-webhook-url",
            "http://hooks.example/",
            "--notify-webhook-key-file",
            &file,
        ],
        vec!["--notify-webhook-url", "https://hooks.example/"],
        vec!["--sms-url", "ftp://sms.example/", "--sms-token-file", &file],
        // M8: operators drop unregistered texts.
        vec![
            "--sms-url",
            "https://sms.example/",
            "--sms-token-file",
            &file,
        ],
        vec!["--bounce-address", "nobody"],
        vec!["--bounce-dir", "/nowhere"],
        vec!["--notice-token-file", &file],
        vec!["--newsletters-per-minute-max", "0"],
    ] {
        let database = TestDatabase::sqlite();
        let said = PROGRAM.refusal(&database.url, &arguments).await;
        assert!(!said.is_empty(), "{arguments:?}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

/// M7: regression test; the defaults kept patients' mails in clear text on this machine and linked to loopback.
#[tokio::test]
async fn production_needs_a_mail_server_an_address_and_a_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = folder.path().join("token");
    std::fs::write(&token, "0123456789abcdef0123456789abcdef\n").expect("a file");
    let token = token.display().to_string();
    let all = [
        ("SMTP_URL", "smtp://127.0.0.1:1?tls=none"),
        ("SITE_ORIGIN", "https://www.hospital.example"),
        ("NOTICE_TOKEN_FILE", token.as_str()),
    ];
    for (missing, _) in all {
        let database = TestDatabase::sqlite();
        let mut command = PROGRAM.serving(&database.url, &[]);
        command.env("DEVELOPMENT", "false");
        for (name, value) in all.iter().filter(|(name, _)| *name != missing) {
            command.env(name, value);
        }
        let output = command.output().await.expect("it ran");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{missing}"
        );
        assert!(said.contains(missing), "{said}");
    }
    let database = TestDatabase::sqlite();
    let mut command = PROGRAM.serving(&database.url, &[]);
    command.env("DEVELOPMENT", "false").envs(all);
    let process = Process::start(&mut command).await;
    process.wait_for("/readyz", 200).await;
    // M8: regression test; any client that reached the port could write to patients.
    let mut notices = NoticeServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let mut notice = booked();
    notice.expire_time = Some(Timestamp {
        seconds: 4_000_000_000,
        nanos: 0,
    });
    for wrong in [
        "",
        "Bearer 0123456789abcdef0123456789abcdee",
        "0123456789abcdef0123456789abcdef",
    ] {
        let mut request = tonic::Request::new(notice.clone());
        if !wrong.is_empty() {
            let value = wrong.parse().expect("a header");
            request.metadata_mut().insert("authorization", value);
        }
        let refused = notices.send_notice(request).await.expect_err("refused");
        assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    }
    let mut request = tonic::Request::new(notice);
    let value = "Bearer 0123456789abcdef0123456789abcdef"
        .parse()
        .expect("a header");
    request.metadata_mut().insert("authorization", value);
    notices.send_notice(request).await.expect("kept");
    drop(notices);
    process.stop().await;
}

/// M7: mails in a folder must not be kept for ever and do not count as sent.
#[tokio::test]
async fn mails_in_a_folder_count_as_kept_and_expire() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("new/1.mail");
    std::fs::create_dir_all(folder.path().join("new")).expect("a folder");
    std::fs::write(&old, "old").expect("a file");
    let day = Duration::from_hours(24);
    let file = std::fs::File::options()
        .write(true)
        .open(&old)
        .expect("a file");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + day)
        .expect("a time");
    let database = TestDatabase::sqlite();
    let path = folder.path().display().to_string();
    let process = PROGRAM.start(&database.url, &["--mail-dir", &path]).await;
    process.wait_for("/readyz", 200).await;
    let mut notices = NoticeServiceClient::connect(process.url())
        .await
        .expect("a channel");
    let mut notice = booked();
    notice.expire_time = Some(Timestamp {
        seconds: 4_000_000_000,
        nanos: 0,
    });
    notices.send_notice(notice).await.expect("kept");
    let kept = "mails_total{kind=\"appointment.booked\",outcome=\"kept\"} 1";
    let until = async {
        loop {
            let (_, metrics) = process.get("/metrics").await;
            if metrics.contains(kept) && !old.exists() {
                return metrics;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let metrics = tokio::time::timeout(test_kit::process::PATIENCE, until)
        .await
        .expect("kept, and the old one removed");
    assert!(!metrics.contains("outcome=\"sent\""), "{metrics}");
    for gauge in [
        "mails_postponed{cause=\"patient\"} 0",
        "quarantine_oldest_age_seconds 0",
        "mail_refused_total{reason=\"policy\"} 0",
    ] {
        assert!(metrics.contains(gauge), "{gauge}: {metrics}");
    }
    drop(notices);
    process.stop().await;
}
