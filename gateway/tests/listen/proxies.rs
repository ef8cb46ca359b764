//! Balancers that send the client's address in the PROXY protocol.

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::door::{Door, PROBE, ask, rest, status};

const FROM: &str = "--proxy-protocol-from=127.0.0.4,10.0.0.0/8";
const CALL: &[u8] = b"GET /api/nothing HTTP/1.1\r\nhost: a\r\n\r\n";

async fn proxied(door: &Door, header: &[u8]) -> TcpStream {
    let mut stream = door.connect_from("127.0.0.4").await;
    stream.write_all(header).await.unwrap();
    stream
}

#[tokio::test]
async fn applies_limits_to_the_proxy_headers_address() {
    let door = Door::start(&[FROM, "--address-calls-max=2"]).await;
    let mut statuses = Vec::new();
    for source in ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"] {
        let header = format!("PROXY TCP4 {source} 127.0.0.4 4000 443\r\n");
        let mut stream = proxied(&door, header.as_bytes()).await;
        statuses.push(ask(&mut stream, CALL).await);
    }
    assert_eq!(statuses, [404, 404, 429, 404]);
    // The same visitor in version 2 of the protocol.
    let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    header.extend([203, 0, 113, 1, 127, 0, 0, 4, 1, 0, 1, 0]);
    let mut stream = proxied(&door, &header).await;
    assert_eq!(ask(&mut stream, CALL).await, 429);
}

#[tokio::test]
async fn counts_connections_by_the_proxy_headers_address() {
    let door = Door::start(&[FROM, "--address-connections-max=2"]).await;
    let header = |n| format!("PROXY TCP4 203.0.113.{n} 127.0.0.4 4000 443\r\n");
    let mut open = Vec::new();
    for n in 0..6 {
        let mut stream = proxied(&door, header(n).as_bytes()).await;
        assert_eq!(ask(&mut stream, PROBE).await, 200);
        open.push(stream);
    }
    for stream in &mut open {
        assert_eq!(ask(stream, PROBE).await, 200, "six visitors, one balancer");
    }
    // The gateway briefly accepts up to twice the limit; this exceeds it by one.
    for _ in 0..4 {
        let mut stream = proxied(&door, header(0).as_bytes()).await;
        assert_eq!(ask(&mut stream, PROBE).await, 200);
        open.push(stream);
    }
    assert_eq!(rest(&mut open[0]).await, "", "the first makes room");
}

#[tokio::test]
async fn answers_a_balancers_own_probes() {
    let door = Door::start(&[FROM]).await;
    for header in [&b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"[..], b"PROXY UNKNOWN\r\n"] {
        let mut stream = proxied(&door, header).await;
        assert_eq!(ask(&mut stream, PROBE).await, 200);
    }
}

#[tokio::test]
async fn requires_the_proxy_header_from_balancers_only() {
    let door = Door::start(&[FROM, "--handshake-timeout-ms-max=300"]).await;
    let closed = "http_server_connections_closed_total";
    let (bad, late) = (
        door.metric(closed, "bad_handshake").await,
        door.metric(closed, "handshake_timeout").await,
    );
    for bytes in [PROBE, b"PROXY TCP4 nonsense\r\n"] {
        let mut stream = proxied(&door, bytes).await;
        assert_eq!(rest(&mut stream).await, "");
    }
    assert!(door.metric(closed, "bad_handshake").await >= bad + 2.0);
    for bytes in [&b""[..], b"PROXY TCP4 203.0.113.1", b"\r\n\r\n\0\r\n"] {
        let mut stream = proxied(&door, bytes).await;
        assert_eq!(rest(&mut stream).await, "");
    }
    assert!(door.metric(closed, "handshake_timeout").await >= late + 3.0);
    let stranger = [b"PROXY TCP4 203.0.113.1 127.0.0.4 1 2\r\n", PROBE].concat();
    assert_eq!(status(&door.tell(&stranger).await), 400);
}
