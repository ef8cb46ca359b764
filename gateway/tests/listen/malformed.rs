//! Invalid HTTP is rejected cheaply, and nothing smuggled in a request is treated as a request.

use tokio::io::AsyncWriteExt;

use crate::door::{Door, PROBE, ask, rest, status};

/// Returns the number of responses in the received text.
fn answers(text: &str) -> usize {
    text.matches("HTTP/1.1 ").count()
}

#[tokio::test]
async fn malformed_http_is_400_and_closes_the_connection() {
    let door = Door::start(&[]).await;
    let long = format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "x".repeat(20_000));
    let many = "x: 1\r\n".repeat(200);
    let many = format!("GET / HTTP/1.1\r\nhost: a\r\n{many}\r\n");
    for (bytes, expected) in [
        ("GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost:\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: a b\r\n\r\n", 400),
        ("GET http://a/healthz HTTP/1.1\r\nhost: b\r\n\r\n", 400),
        ("GET http://user@a/healthz HTTP/1.1\r\nhost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nhost: a\r\n\r\n", 400),
        ("CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost : a\r\n\r\n", 400),
        (
            "GET /healthz HTTP/1.1\r\nhost: a\r\n folded: b\r\n\r\n",
            400,
        ),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n", 400),
        ("GET /healthz\r\nhost: a\r\n\r\n", 400),
        ("GET /healthz HTTP/3.0\r\nhost: a\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}", 400),
        // X9: line endings that other servers on the path parse differently.
        ("GET /healthz HTTP/1.1\nhost: a\n\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: a\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\n\n", 400),
        ("\nGET /healthz HTTP/1.1\r\nhost: a\r\n\r\n", 400),
        (&long, 431),
        (&many, 431),
    ] {
        let answer = door.tell(bytes.as_bytes()).await;
        let start: String = bytes.chars().take(60).collect();
        // Some bytes are not even the beginning of a request.
        if !answer.is_empty() {
            assert_eq!(status(&answer), expected, "{start:?}");
        }
        assert!(answers(&answer) <= 1, "{start:?}: {answer}");
    }
    assert!(door.metric("http_server_malformed_total", "").await >= 9.0);
}

#[tokio::test]
async fn refuses_conflicting_body_lengths() {
    let door = Door::start(&[]).await;
    let head = "POST /telemetry HTTP/1.1\r\nhost: a\r\nx-requested-with: fetch\r\ncontent-type: application/json\r\n";
    let smuggled = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
    for framing in [
        "content-length: 4\r\ncontent-length: 5\r\n\r\n{}  ",
        "content-length: 4, 5\r\n\r\n{}  ",
        // X9: equal lengths are refused too.
        "content-length: 4\r\nContent-Length: 4\r\n\r\n{}  ",
        "content-length: 4, 4\r\n\r\n{}  ",
        "content-length: +4\r\n\r\n{}  ",
        "content-length: -1\r\n\r\n",
        "content-length: 0x4\r\n\r\n{}  ",
        "content-length: 99999999999999999999\r\n\r\n",
        "transfer-encoding: gzip\r\n\r\n{}",
        "transfer-encoding: chunked, gzip\r\n\r\n{}",
        "transfer-encoding: xchunked\r\n\r\n{}",
        "transfer-encoding: chunked\r\n\r\nz\r\n{}\r\n0\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n2\r\n{}xx0\r\n\r\n",
    ] {
        let bytes = format!("{head}{framing}{smuggled}");
        let answer = door.tell(bytes.as_bytes()).await;
        assert_eq!(status(&answer), 400, "{framing:?}");
        assert_eq!(answers(&answer), 1, "{framing:?}: {answer}");
    }
    // HTTP/1.0 has no chunked encoding.
    let old = format!(
        "POST /telemetry HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{smuggled}"
    );
    assert_eq!(answers(&door.tell(old.as_bytes()).await), 1);
}

#[tokio::test]
async fn never_treats_smuggled_bytes_as_a_request() {
    let door = Door::start(&[]).await;
    let smuggled = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
    let both = format!("content-length: {}\r\n", 5 + smuggled.len());
    for framing in [
        format!("{both}transfer-encoding: chunked\r\n"),
        format!("transfer-encoding: chunked\r\n{both}"),
        "transfer-encoding: chunked\r\n".to_owned(),
    ] {
        let bytes =
            format!("POST /telemetry HTTP/1.1\r\nhost: a\r\n{framing}\r\n0\r\n\r\n{smuggled}");
        let answer = door.tell(bytes.as_bytes()).await;
        assert_eq!(answers(&answer), 1, "{framing:?}: {answer}");
        assert!(answer.contains("connection: close\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn answers_unusual_valid_http() {
    let door = Door::start(&[]).await;
    for request in [
        &b"GET /healthz HTTP/1.0\r\n\r\n"[..],
        b"GET http://a/healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: [::1]:8080\r\nconnection: close\r\n\r\n",
        b"HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ] {
        let answer = door.tell(request).await;
        assert!(answer.contains(" 200 OK\r\n"), "{answer}");
    }
    // S7: unencoded characters that browsers would encode are accepted.
    let raw = b"GET /api/doctors?q=<b>\"x\" HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let answer = door.tell(raw).await;
    assert!([503, 504].contains(&status(&answer)), "{answer}");
    // Three pipelined requests, then another one.
    let mut stream = door.connect().await;
    stream.write_all(&PROBE.repeat(3)).await.unwrap();
    for _ in 0..3 {
        assert_eq!(status(&crate::door::head(&mut stream).await), 200);
    }
    assert_eq!(ask(&mut stream, PROBE).await, 200);
    // A body that no handler reads ends the connection, so that it is not parsed as a request.
    let unwanted = b"POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 70000\r\n\r\n";
    stream.write_all(unwanted).await.unwrap();
    assert_eq!(answers(&rest(&mut stream).await), 1);
}
