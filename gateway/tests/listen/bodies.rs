//! Request bodies that never arrive or arrive too slowly.

use std::time::Duration;

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::door::{Door, PATIENCE, ask, rest, status};

const UNFINISHED: &[u8] = b"POST /telemetry HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nx-requested-with: fetch\r\ncontent-length: 100\r\n\r\n{";

async fn begin(mut stream: TcpStream) -> TcpStream {
    stream.write_all(UNFINISHED).await.unwrap();
    stream
}

#[tokio::test]
async fn unfinished_bodies_from_many_addresses_block_no_other_client() {
    let flags = [
        "--requests-in-flight-max=8",
        "--address-documents-max=10000",
        "--body-idle-timeout-ms-max=60000",
    ];
    let door = Door::start(&flags).await;
    let mut unfinished = Vec::new();
    for n in 0..530 {
        let source = format!("127.0.2.{}", n % 53 + 1);
        unfinished.push(begin(door.connect_from(&source).await).await);
    }
    for _ in 0..10 {
        let mut stream = door.connect().await;
        let request = b"GET /api/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n";
        assert_eq!(ask(&mut stream, request).await, 200);
    }
    assert!(door.metric("http_server_connections_open", "").await >= 530.0);
}

#[tokio::test]
async fn stalled_body_ends_before_its_requests_deadline() {
    let flags = [
        "--body-idle-timeout-ms-max=300",
        "--request-timeout-ms-max=600000",
    ];
    let door = Door::start(&flags).await;
    let slow = "http_server_slow_bodies_total";
    let before = door.metric(slow, "").await;
    let mut stream = begin(door.connect().await).await;
    let answer = rest(&mut stream).await;
    assert_eq!(status(&answer), 408, "{answer}");
    assert!(door.metric(slow, "").await > before);
}

#[tokio::test]
async fn slow_body_ends_before_its_requests_deadline() {
    let flags = [
        "--body-idle-timeout-ms-max=400",
        "--request-timeout-ms-max=600000",
    ];
    let door = Door::start(&flags).await;
    // Waits for the start: bytes sent before it would arrive all at once.
    assert_eq!(door.probe().await, 200);
    let (mut from, mut to) = begin(door.connect().await).await.into_split();
    let drip = tokio::spawn(async move {
        // Never idle for as long as the limit, but below the minimum rate.
        for _ in 0..98 {
            if to.write_all(b" ").await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut answer = Vec::new();
    let read = tokio::io::AsyncReadExt::read_to_end(&mut from, &mut answer);
    let read = tokio::time::timeout(PATIENCE, read).await;
    assert!(read.is_ok(), "the body may drip on");
    assert_eq!(status(&String::from_utf8_lossy(&answer)), 408);
    drip.abort();
}
