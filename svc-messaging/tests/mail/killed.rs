//! The program, killed in the middle of its work: no mail is lost, and which come twice is known.

use std::{collections::HashMap, time::Duration};

use hospital_proto::messaging::v1::notice_service_client::NoticeServiceClient;
use prost_types::Timestamp;
use test_kit::{database::TestDatabase, process::Program};

use crate::{notices::booked, server::Server};

const PROGRAM: Program = Program(env!("CARGO_BIN_EXE_svc-messaging"));
const MAILS: usize = 60;
const KILLS: usize = 5;
/// Deliveries that are under way at once.
const UNDER_WAY: usize = 4;

#[tokio::test]
async fn a_program_that_is_killed_loses_nothing() {
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

/// What the dead process had leased is free once its lease is over, in some minutes; what was tried often waits long.
async fn time_passes(database: &TestDatabase) {
    database
        .execute("UPDATE mails SET lease_time = '2000-01-01T00:00:00.000000Z' WHERE lease_time IS NOT NULL")
        .await;
    database
        .execute("UPDATE outbox_messages SET due_time = '2000-01-01T00:00:00.000000Z', attempts = 0 WHERE delivered_time IS NULL")
        .await;
}
