//! The operators' listener serves what the public one hides.

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::door::{Door, PATIENCE, ask, rest, status};

async fn get(address: std::net::SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    rest(&mut stream).await
}

#[tokio::test]
async fn serves_metrics_to_operators_only_and_probes_to_both() {
    let door = Door::start(&[]).await;
    assert_eq!(status(&get(door.address, "/metrics").await), 404);
    let metrics = get(door.operators, "/metrics").await;
    assert_eq!(status(&metrics), 200);
    assert!(
        metrics.contains("\nhttp_server_connections_open "),
        "{metrics}"
    );
    for path in ["/healthz", "/readyz"] {
        assert_eq!(status(&get(door.address, path).await), 200, "{path}");
        assert_eq!(status(&get(door.operators, path).await), 200, "{path}");
    }
    let detail = get(door.operators, "/readyz").await;
    assert!(detail.contains("\nconnections "), "{detail}");
    assert!(!get(door.address, "/readyz").await.contains("connections"));
}

#[tokio::test]
async fn serves_operators_while_the_site_is_full() {
    let flags = ["--connections-max=2", "--request-timeout-ms-max=60000"];
    let door = Door::start(&flags).await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut stream = door.connect().await;
        stream.write_all(crate::door::SLOW).await.unwrap();
        busy.push(stream);
    }
    assert_eq!(status(&get(door.operators, "/readyz").await), 200);
    assert!(door.metric("http_server_connections_open", "").await >= 2.0);
}

/// The real program announces both of its addresses.
#[tokio::test]
async fn logs_both_listeners() {
    let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_gateway"))
        .args(["--listen=127.0.0.1:0", "--api-only", "--log-filter=error"])
        .args([
            "--operators-listen=127.0.0.1:0",
            "--upstream=hospital.content.v1=http://127.0.0.1:9",
        ])
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let out = tokio::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = tokio::io::AsyncBufReadExt::lines(out);
    for (begins, path) in [("listening on ", "/healthz"), ("operators on ", "/metrics")] {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await;
        let line = line.unwrap().unwrap().expect("a line");
        let address = line.strip_prefix(begins).expect("its address");
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n");
        assert_eq!(ask(&mut stream, request.as_bytes()).await, 200);
    }
    child.kill().await.unwrap();
}
