//! G1: unread responses end their connection, whatever blocks them, and take no connection slots from others.

use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use futures::future::join_all;
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::{
    door::{Door, PROBE, SLOW, ask, eventually, is_closed},
    http2::Client,
};

const HOME: &str = "127.0.0.1";
const CLOSED: &str = "http_server_connections_closed_total";
const UNREAD: &str = "http_server_answers_unread_total";
/// Responses of 3 bytes, of about ten kilobytes of HTML, and of a few hundred kilobytes of JSON.
const PATHS: [&str; 3] = ["/healthz", "/api/docs", "/api/openapi.json"];

#[tokio::test]
async fn closes_on_an_answer_stalled_by_flow_control() {
    let door = Door::start(&["--write-timeout-ms-max=500"]).await;
    for path in PATHS {
        let closed = door.metric(CLOSED, "write_timeout").await;
        let unread = door.metric(UNREAD, "").await;
        let mut client = Client::connect(HOME, door.address, 0).await;
        client.get(path).await;
        let seen = client.seen.clone();
        client.end().await;
        assert_eq!(seen.heads.load(SeqCst), 1, "{path}");
        assert_eq!(seen.data.load(SeqCst), 0, "{path}");
        assert!(
            door.metric(CLOSED, "write_timeout").await > closed,
            "{path}"
        );
        // X9: responses that end unread are counted.
        let is_counted = async || door.metric(UNREAD, "").await > unread;
        eventually("the answer to be counted as unread", is_counted).await;
    }
}

#[tokio::test]
async fn closes_on_an_answer_read_byte_by_byte() {
    let door = Door::start(&["--write-timeout-ms-max=500"]).await;
    // With a window of one byte, hyper has handed over the whole body after that byte and reports the response as done.
    for window in [0, 1] {
        let mut client = Client::connect(HOME, door.address, window).await;
        let stream = client.get("/api/openapi.json").await;
        let started = Instant::now();
        client.drip(stream, 1, Duration::from_millis(10)).await;
        assert!(started.elapsed() < Duration::from_secs(20));
        let taken = client.seen.data.load(SeqCst);
        assert!((1..2000).contains(&taken), "{taken}");
        client.end().await;
    }
}

#[tokio::test]
async fn pings_and_settings_do_not_count_as_progress() {
    let door = Door::start(&["--write-timeout-ms-max=500"]).await;
    let mut client = Client::connect(HOME, door.address, 0).await;
    client.get("/healthz").await;
    let started = Instant::now();
    // Each ping causes a response of equal size, far more than 1 KiB a second in total.
    while !client.has_ended() && client.ping().await.is_ok() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(started.elapsed() < Duration::from_secs(20));
    client.end().await;
}

#[tokio::test]
async fn one_stalled_answer_closes_an_otherwise_active_connection() {
    let door = Door::start(&["--write-timeout-ms-max=1000"]).await;
    let mut client = Client::connect(HOME, door.address, 0).await;
    client.get("/api/openapi.json").await;
    let started = Instant::now();
    while !client.has_ended() {
        let stream = client.get("/api/docs").await;
        let windows = [stream, 0].map(|stream| client.open_window(stream, 1_000_000));
        if join_all(windows).await.iter().any(Result::is_err) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(client.seen.ends.load(SeqCst) > 5, "the others are answered");
    client.end().await;
}

#[tokio::test]
async fn slow_phone_gets_its_answers() {
    let door = Door::start(&["--write-timeout-ms-max=400"]).await;
    let mut client = Client::connect(HOME, door.address, 0).await;
    let streams = [
        client.get("/api/docs").await,
        client.get("/api/openapi.json").await,
    ];
    let started = Instant::now();
    // About 160 KB a second for each stream.
    while client.seen.ends.load(SeqCst) < streams.len() {
        for stream in [streams[0], streams[1], 0] {
            client.open_window(stream, 1600).await.expect("it reads");
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(started.elapsed() > Duration::from_millis(400));
    assert!(!client.has_ended());
}

#[tokio::test]
async fn unread_answers_on_many_connections_do_not_block_the_site() {
    let flags = ["--connections-max=300", "--write-timeout-ms-max=2000"];
    let door = Door::start(&flags).await;
    let mut unread = Vec::new();
    for n in 0..300_usize {
        let source = format!("127.0.3.{}", n % 5 + 1);
        let mut client = Client::connect(&source, door.address, 0).await;
        client.get(PATHS[n % PATHS.len()]).await;
        unread.push(client);
    }
    let all_have_answers = async || {
        unread
            .iter()
            .all(|c| c.seen.heads.load(SeqCst) == 1 || c.has_ended())
    };
    eventually("all to have their answers' heads", all_have_answers).await;
    let started = Instant::now();
    assert_eq!(door.probe().await, 200);
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    for client in unread {
        client.end().await;
    }
}

/// A visitor's handshake on a phone takes longer than the interval between an attacker's connections.
#[tokio::test]
async fn keeps_a_visitors_connection_with_a_request_arriving() {
    let flags = ["--connections-max=8", "--write-timeout-ms-max=60000"];
    let door = Door::start(&flags).await;
    let attack = async |n: usize| {
        let mut client = Client::connect(&format!("127.0.6.{n}"), door.address, 0).await;
        client.get("/healthz").await;
        client
    };
    let mut attackers = Vec::new();
    for n in 1..=8 {
        attackers.push(attack(n).await);
    }
    let is_full = async || door.metric("http_server_connections_open", "").await >= 8.0;
    eventually("all places to be taken", is_full).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let mut visitor = door.connect_from("127.0.6.100").await;
    let made = door.metric(CLOSED, "made_room").await;
    for n in 11..=14 {
        attackers.push(attack(n).await);
    }
    let have_come = async || door.metric(CLOSED, "made_room").await >= made + 4.0;
    eventually("the new attackers to have places", have_come).await;
    assert_eq!(ask(&mut visitor, PROBE).await, 200);
}

/// The connections are busy and not stalled, so only their number counts.
#[tokio::test]
async fn network_holding_all_connections_yields_one() {
    let flags = ["--connections-max=8", "--request-timeout-ms-max=60000"];
    let door = Door::start(&flags).await;
    let begin = async |source: &str| {
        let mut stream = door.connect_from(source).await;
        stream.write_all(SLOW).await.unwrap();
        stream
    };
    let mut busy: Vec<TcpStream> = Vec::new();
    let is_full = async || door.metric("http_server_connections_open", "").await >= 8.0;
    for n in 0..8 {
        busy.push(begin(if n < 3 { "127.0.4.1" } else { "127.0.4.2" }).await);
    }
    eventually("all to be at work", is_full).await;
    // Each smaller network is answered at once, at the expense of the largest one.
    for source in ["127.0.4.3", "127.0.4.4"] {
        let mut stream = door.connect_from(source).await;
        let started = Instant::now();
        assert_eq!(ask(&mut stream, PROBE).await, 200);
        assert!(started.elapsed() < Duration::from_secs(2));
    }
    assert!(
        !busy[..3].iter().any(is_closed),
        "the smaller network stays"
    );
    let closed = busy[3..].iter().filter(|stream| is_closed(stream));
    assert!((1..=2).contains(&closed.count()));
    assert!(
        is_closed(&busy[3]),
        "the one that was busy longest goes first"
    );
}

#[tokio::test]
async fn refuses_another_connection_of_the_largest_network() {
    let flags = ["--connections-max=3", "--request-timeout-ms-max=60000"];
    let door = Door::start(&flags).await;
    let mut busy = Vec::new();
    for _ in 0..3 {
        let mut stream = door.connect_from("127.0.5.1").await;
        stream.write_all(SLOW).await.unwrap();
        busy.push(stream);
    }
    let before = door.metric(CLOSED, "all_busy").await;
    let refused = async || {
        let stream = door.connect_from("127.0.5.1").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        is_closed(&stream) && door.metric(CLOSED, "all_busy").await > before
    };
    eventually("one more to be refused", refused).await;
    assert_eq!(door.probe().await, 200, "another network is not kept out");
}
