//! Shutdown: balancers notice first, then connections end, and no request is lost.

use std::time::{Duration, Instant};

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::door::{Door, PATIENCE, PROBE, SLOW, ask, eventually, head, rest, status};

const READY: &[u8] = b"GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n";

#[tokio::test]
async fn lame_duck_is_not_ready_but_still_serves() {
    let mut door = Door::start(&["--lame-duck-ms=1500"]).await;
    let mut old = door.connect().await;
    assert_eq!(ask(&mut old, PROBE).await, 200);
    let mut never_used = door.connect().await;
    door.begin_stop();
    let began = Instant::now();
    let not_ready = async || ask(&mut door.connect().await, READY).await == 503;
    eventually("not to be ready", not_ready).await;
    // Requests during this time are answered with `connection: close`.
    let mut answered = 0;
    while began.elapsed() < Duration::from_secs(1) {
        let mut stream = TcpStream::connect(door.address).await.expect("refused");
        stream.write_all(PROBE).await.unwrap();
        let answer = rest(&mut stream).await;
        assert_eq!(status(&answer), 200);
        assert!(answer.contains("connection: close\r\n"), "{answer}");
        answered += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(answered > 5);
    let operators = TcpStream::connect(door.operators).await;
    assert_eq!(ask(&mut operators.unwrap(), READY).await, 503);
    old.write_all(PROBE).await.unwrap();
    let answer = rest(&mut old).await;
    assert_eq!(status(&answer), 200);
    let address = door.address;
    door.stop().await.unwrap();
    assert_eq!(rest(&mut never_used).await, "");
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn answers_requests_sent_at_the_last_moment() {
    let mut door = Door::start(&["--lame-duck-ms=200", "--request-timeout-ms-max=1000"]).await;
    let mut slow = door.connect().await;
    slow.write_all(SLOW).await.unwrap();
    door.begin_stop();
    let mut asked: Vec<TcpStream> = Vec::new();
    // Until the listener closes, every accepted connection gets its response.
    while let Ok(mut stream) = TcpStream::connect(door.address).await {
        stream.write_all(PROBE).await.unwrap();
        asked.push(stream);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(asked.len() > 5);
    let mut lost = 0;
    for stream in &mut asked {
        match rest(stream).await {
            answer if answer.is_empty() => lost += 1,
            answer => assert_eq!(status(&answer), 200),
        }
    }
    // The kernel can complete a connection between the last accept and the close of the listener.
    assert!(lost <= 1, "{lost} of {}", asked.len());
    let status = status(&head(&mut slow).await);
    assert!([503, 504].contains(&status), "{status}");
    door.stop().await.unwrap();
}

#[tokio::test]
async fn http2_gets_goaway_and_finishes_its_requests() {
    let mut door = Door::start(&["--request-timeout-ms-max=700"]).await;
    let stream = door.connect().await;
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = |path| http::Request::get(path).body(()).unwrap();
    let mut client = client.ready().await.unwrap();
    let (quick, _) = client
        .send_request(request("http://a/healthz"), true)
        .unwrap();
    assert_eq!(quick.await.unwrap().status(), 200);
    let (slow, _) = client
        .send_request(request("http://a/api/doctors"), true)
        .unwrap();
    // A response to the later request proves that the gateway has received the earlier one.
    let (quick, _) = client
        .send_request(request("http://a/healthz"), true)
        .unwrap();
    assert_eq!(quick.await.unwrap().status(), 200);
    door.begin_stop();
    let status = slow.await.unwrap().status().as_u16();
    assert!([503, 504].contains(&status), "{status}");
    let ended = tokio::time::timeout(PATIENCE, connection).await;
    ended.expect("still open").unwrap().unwrap();
    door.stop().await.unwrap();
}

#[tokio::test]
async fn aborts_requests_after_the_grace_period() {
    let flags = [
        "--shutdown-drain-ms-max=300",
        "--request-timeout-ms-max=60000",
    ];
    let door = Door::start(&flags).await;
    let mut slow = door.connect().await;
    slow.write_all(SLOW).await.unwrap();
    let mut silent = door.connect().await;
    eventually("both to be open", async || {
        door.metric("http_server_connections_open", "").await >= 2.0
    })
    .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let error = door.stop().await.unwrap_err();
    assert!(error.to_string().contains("300 ms"), "{error}");
    assert_eq!(rest(&mut silent).await, "");
    assert_eq!(rest(&mut slow).await, "");
}
