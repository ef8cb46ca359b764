//! Every stage of a connection ends, whatever the client does or omits.

use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use socket2::SockRef;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
};

use crate::{
    door::{Door, PATIENCE, PROBE, ask, eventually, rest},
    http2::Client,
};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// An empty SETTINGS frame.
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

/// Sends bytes, then nothing. The gateway must close the connection and count the reason.
async fn ends(flag: &str, reason: &str, bytes: &[u8]) {
    let door = Door::start(&[flag]).await;
    let closed = "http_server_connections_closed_total";
    let before = door.metric(closed, reason).await;
    let mut stream = door.connect().await;
    stream.write_all(bytes).await.unwrap();
    rest(&mut stream).await;
    assert!(door.metric(closed, reason).await > before, "{reason}");
    assert_eq!(door.probe().await, 200);
}

#[tokio::test]
async fn closes_a_connection_without_a_first_byte() {
    ends("--first-byte-timeout-ms-max=200", "first_byte_timeout", b"").await;
}

#[tokio::test]
async fn closes_on_an_incomplete_head() {
    let flag = "--header-read-timeout-ms-max=200";
    ends(flag, "head_timeout", b"G").await;
    ends(
        flag,
        "head_timeout",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\n",
    )
    .await;
    // Half of the HTTP/2 preface, then a complete preface without a request.
    ends(flag, "head_timeout", &PREFACE[..10]).await;
    ends(flag, "head_timeout", &[PREFACE, SETTINGS].concat()).await;
}

/// G7: a browser that opened a connection in advance must learn from GOAWAY that it has to reconnect.
#[tokio::test]
async fn sends_goaway_on_http2_without_a_request() {
    let door = Door::start(&["--header-read-timeout-ms-max=300"]).await;
    let client = Client::connect("127.0.0.1", door.address, 65_535).await;
    let seen = client.seen.clone();
    client.end().await;
    assert!(seen.goodbyes.load(SeqCst) > 0);
}

#[tokio::test]
async fn closes_on_a_head_sent_byte_by_byte() {
    let door = Door::start(&["--header-read-timeout-ms-max=300"]).await;
    let (mut from, mut to) = door.connect().await.into_split();
    let drip = tokio::spawn(async move {
        let mut sent = 0;
        // Fails once the gateway has closed.
        while to.write_all(b"x").await.is_ok() {
            sent += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        sent
    });
    let mut answer = Vec::new();
    let read = from.read_to_end(&mut answer);
    let read = tokio::time::timeout(PATIENCE, read).await;
    assert!(read.is_ok(), "still open");
    let sent = tokio::time::timeout(PATIENCE, drip).await;
    assert!(sent.unwrap().unwrap() > 1);
}

#[tokio::test]
async fn closes_an_idle_connection() {
    let flag = "--keep-alive-timeout-ms-max=300";
    ends(flag, "idle_timeout", PROBE).await;
    let door = Door::start(&[flag]).await;
    let mut stream = door.connect().await;
    // Requests keep the connection open for longer than the idle timeout.
    for _ in 0..6 {
        assert_eq!(ask(&mut stream, PROBE).await, 200);
        tokio::time::sleep(Duration::from_millis(80)).await;
    }
    assert_eq!(rest(&mut stream).await, "");
}

#[tokio::test]
async fn sends_goaway_on_idle_http2() {
    let door = Door::start(&["--keep-alive-timeout-ms-max=300"]).await;
    let stream = door.connect().await;
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = http::Request::get("http://a/healthz").body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    assert_eq!(answer.await.unwrap().status(), 200);
    // The client stays connected; pings and settings do not count as requests.
    let ended = tokio::time::timeout(PATIENCE, connection).await;
    ended.expect("still open").unwrap().unwrap();
    drop(client);
}

#[tokio::test]
async fn closes_http2_that_ignores_goaway() {
    let door = Door::start(&["--keep-alive-timeout-ms-max=300"]).await;
    let mut stream = door.connect().await;
    // GET /healthz with the static table: method, scheme, path and authority.
    let fields = [
        &[0x82, 0x86, 0x04, 0x08][..],
        b"/healthz",
        &[0x01, 0x01],
        b"a",
    ]
    .concat();
    let length = u8::try_from(fields.len()).unwrap();
    let head = [&[0, 0, length, 1, 5, 0, 0, 0, 1][..], &fields].concat();
    let bytes = [PREFACE, SETTINGS, &head].concat();
    stream.write_all(&bytes).await.unwrap();
    let answer = rest(&mut stream).await;
    assert!(answer.contains("ok\n"), "{answer:?}");
}

#[tokio::test]
async fn closes_on_an_unread_answer() {
    let door = Door::start(&["--write-timeout-ms-max=500"]).await;
    let closed = "http_server_connections_closed_total";
    let before = door.metric(closed, "write_timeout").await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let stream = socket.connect(door.address).await.unwrap();
    let (from, mut to) = stream.into_split();
    // Requests responses of a few hundred kilobytes until the buffers on the path are full.
    let asks = tokio::spawn(async move {
        let request = b"GET /api/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n";
        while to.write_all(request).await.is_ok() {}
    });
    let is_counted = async || door.metric(closed, "write_timeout").await > before;
    eventually("the connection to be closed", is_counted).await;
    let asked = tokio::time::timeout(PATIENCE, asks).await;
    assert!(asked.is_ok(), "the connection is still open");
    drop(from);
    assert_eq!(door.probe().await, 200);
}

#[tokio::test]
async fn slow_reader_gets_the_whole_answer() {
    let door = Door::start(&["--write-timeout-ms-max=400"]).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(door.address).await.unwrap();
    let request = b"GET /api/openapi.json HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let started = Instant::now();
    let mut answer = Vec::new();
    let mut part = vec![0; 8192];
    loop {
        let read = stream.read(&mut part).await.unwrap();
        if read == 0 {
            break;
        }
        answer.extend_from_slice(&part[..read]);
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    assert!(started.elapsed() > Duration::from_millis(400));
    let text = String::from_utf8(answer).unwrap();
    assert!(text.ends_with('}'), "cut after {} bytes", text.len());
}

#[tokio::test]
async fn sets_keep_alive_and_no_delay() {
    let listeners = gateway_listen::Listeners::bind(&crate::door::config(&[]))
        .await
        .unwrap();
    let address = listeners.public.local_addr().unwrap();
    let _client = tokio::net::TcpStream::connect(address).await.unwrap();
    let (stream, _) = listeners.public.accept().await.unwrap();
    let socket = SockRef::from(&stream);
    assert!(socket.keepalive().unwrap());
    assert_eq!(socket.tcp_keepalive_time().unwrap(), Duration::from_mins(1));
    assert!(stream.nodelay().unwrap());
    // G1: the kernel buffers at most this much of an unread response.
    assert_eq!(socket.tcp_notsent_lowat().unwrap(), 32 * 1024);
}
